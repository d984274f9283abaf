"""Exact solution of two blocks on a slope.

usage: exact.py            the curves
       exact.py TABLE.csv  compares the table with the exact values
"""
import sys
from math import sqrt

from curves import read, write

acceleration = 10 * (1 - 0.4 * 2) / sqrt(5)
if len(sys.argv) == 1:
    write(['time', 'rough', 'smooth', 'v'],
          [(t, 0, acceleration * t * t / 2, acceleration * t) for t in (k * 0.005 for k in range(201))])
else:
    table = read(sys.argv[1])
    print('  friction 0.6: travel %.1e m; friction 0.4: x(1) = %.7f m (exact %.7f), v(1) = %.6f m/s (exact %.6f)'
          % (table['rough'][-1], table['smooth'][-1], acceleration / 2, table['v'][-1], acceleration))
