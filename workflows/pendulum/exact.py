"""The mathematical pendulum: its period by the arithmetic-geometric mean, its motion by Runge and Kutta.

usage: exact.py            the curves
       exact.py TABLE.csv  compares the table with the exact values
"""
import sys
from math import cos, pi, sin, sqrt

from curves import read, rk4, write

gravity, length, start = pi**2, 1.0, pi / 2


def period():
    a, b = 1.0, cos(start / 2)
    while abs(a - b) > 1e-15:
        a, b = (a + b) / 2, sqrt(a * b)
    return 2 * pi / a * sqrt(length / gravity)


def motion(stop=5.0, h=1e-3):
    """Angle from the vertical and its rate."""
    y, rows = [start, 0.0], []
    for k in range(int(round(stop / h)) + 1):
        rows.append((k * h, y[0], y[1]))
        y = rk4(lambda t, y: [y[1], -gravity / length * sin(y[0])], k * h, y, h)
    return rows


def measured(table):
    """Twice the time from the first passage below the support to the second."""
    t, x = table['time'], table['x']
    passages = [t[k - 1] + (t[k] - t[k - 1]) * x[k - 1] / (x[k - 1] - x[k]) for k in range(1, len(t)) if x[k - 1] * x[k] < 0]
    return 2 * (passages[1] - passages[0])


if len(sys.argv) == 1:
    write(['time', 'x', 'z', 'KINETIC', 'EXTERNAL'],
          [(t, sin(a), -cos(a), w * w / 2, gravity * cos(a)) for t, a, w in motion()])
else:
    table = read(sys.argv[1])
    drift = max(abs(k + gravity * z) for k, z in zip(table['KINETIC'], table['z']))
    print('  period %.6f s, exact %.7f s; the sum of energies stays within %.1e J of 0' % (measured(table), period(), drift))
