"""Kirsch's plate with a hole, pulled along x: above the hole, sigma_xx = s (1 + 1 / 2 r^2 + 3 / 2 r^4) at r radii from
its centre; beside it, at the surface, sigma_yy = -s.

usage: exact.py            the exact curves over time
       exact.py TABLE.csv  compares the last row of a table with them
"""
import sys

from curves import read, write

end, largest = 10.0, 1e6


def above(r):
    return 1 + 0.5 / r ** 2 + 1.5 / r ** 4


EXACT = {'at_hole': above(1), 'at_1.5': above(1.5), 'at_2': above(2), 'at_4': above(4), 'beside': -1}

if len(sys.argv) == 1:
    rows = [[t] + [value * largest * t / end for value in EXACT.values()] for t in (0, end)]
    write(['time'] + list(EXACT), rows)
else:
    table = read(sys.argv[1])
    for name, value in EXACT.items():
        found = table[name][-1] / largest
        print('  %-8s %7.4f of the traction, %7.4f by Kirsch (%+.2f %%)' % (name, found, value, 100 * (found / value - 1)))
