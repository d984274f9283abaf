"""Lame's ring under pressure from within, in plane stress: stresses p a^2 / (b^2 - a^2) (1 -+ b^2 / r^2).

usage: exact.py            the exact curves over time
       exact.py TABLE.csv  compares the last row of a table with them
"""
import sys

from curves import read, write

a, b, young, poisson, end, largest = 1.0, 2.0, 1e11, 0.3, 10.0, 1e6


def widening(r, p):
    scale = p * a * a / (b * b - a * a)
    return scale / young * ((1 - poisson) * r + (1 + poisson) * b * b / r)


def stresses(r, p):
    scale = p * a * a / (b * b - a * a)
    return scale * (1 - b * b / r ** 2), scale * (1 + b * b / r ** 2)


if len(sys.argv) == 1:
    rows = []
    for t in (0, end):
        p = largest * t / end
        rows.append([t, stresses(1, p)[1], stresses(1.5, p)[1], stresses(2, p)[1], stresses(1.5, p)[0]])
    write(['time', 'hoop_inside', 'hoop_middle', 'hoop_outside', 'radial_middle'], rows)
else:
    table = read(sys.argv[1])
    known = {'inner': (widening(1, largest), 'm'), 'outer': (widening(2, largest), 'm'),
             'hoop_inside': (stresses(1, largest)[1], 'Pa'), 'hoop_middle': (stresses(1.5, largest)[1], 'Pa'),
             'hoop_outside': (stresses(2, largest)[1], 'Pa'), 'radial_middle': (stresses(1.5, largest)[0], 'Pa')}
    for name, (exact, unit) in known.items():
        found = table[name][-1]
        print('  %-13s %12.5g %s, exact %12.5g (%+.2f %%)' % (name, found, unit, exact, 100 * (found / exact - 1)))
