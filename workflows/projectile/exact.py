"""Exact solution of a throw with drag -m v.

usage: exact.py            the curves
       exact.py TABLE.csv  compares the table with the exact values
"""
import sys
from math import exp

from curves import read, write

gravity, speed, rise = 9.81456, 2.54, 12.7


def place(t):
    return speed * (1 - exp(-t)), (rise + gravity) * (1 - exp(-t)) - gravity * t


if len(sys.argv) == 1:
    times = [1.976 * k / 1024 for k in range(1025)]
    write(['time', 'x', 'z'], [(t,) + place(t) for t in times])
else:
    table = read(sys.argv[1])
    # The function receives the velocity at the start of the step, so the error is of first order in the step.
    print('  x(1.976) = %.5f m, exact %.5f m; z(1.976) = %.5f m, exact %.5f m'
          % (table['x'][-1], place(1.976)[0], table['z'][-1], place(1.976)[1]))
