"""Hertz's contact of a cylinder of radius R and a half-space of the modulus E (Poisson's ratio 0): with the force P for each
length, the half width a = sqrt(4 P R / (pi E)) and the pressure p sqrt(1 - (x/a)^2), p = 2 P / (pi a). In the depth z = s a
below the middle the stresses are -p / sqrt(1 + s^2) along the axis and -p ((1 + 2 s^2) / sqrt(1 + s^2) - 2 s) across
(McEwen).

usage: exact.py HISTORY.csv              the exact stresses for the forces of a table
       exact.py HISTORY.csv FORCES.csv   compares stresses and the forces of contact of the last step with them
"""
import sys
from math import asin, pi, sqrt

from curves import read, write

radius, young, depth = 200.0, 1e6, 0.5


def hertz(force):
    """Half width of contact and largest pressure."""
    half = sqrt(4 * force * radius / (pi * young))
    return half, 2 * force / (pi * half)


def stresses(force):
    if force <= 0:
        return 0, 0
    half, pressure = hertz(force)
    s = depth / half
    return -pressure / sqrt(1 + s * s), -pressure * ((1 + 2 * s * s) / sqrt(1 + s * s) - 2 * s)


table = read(sys.argv[1])
if len(sys.argv) == 2:
    write(['time', 'along', 'across'], [(t, *stresses(force)) for t, force in zip(table['time'], table['force'])])
else:
    contacts = read(sys.argv[2])
    force = sum(contacts['force'])
    half, pressure = hertz(force)
    moment = sum(f * x * x for x, f in zip(contacts['x'], contacts['force'])) / force
    print('  half width %.4f m by the forces, %.4f m by Hertz (%+.2f %%)'
          % (2 * sqrt(moment), half, 100 * (2 * sqrt(moment) / half - 1)))
    left = worst = 0
    for x, f in zip(contacts['x'], contacts['force']):
        s = max(-1, min(1, x / half))
        worst = max(worst, abs((left + f / 2) / force - 0.5 - (asin(s) + s * sqrt(1 - s * s)) / pi))
        left += f
    print('  what is borne left of any place differs by at most %.1f %% of the force' % (100 * worst))
    for name, known in zip(('along', 'across'), stresses(force)):
        found = table[name][-1]
        print('  stress %s the axis, %.1f m deep: %.0f Pa, %.0f Pa by the theory (%+.1f %% of the largest pressure)'
              % (name, depth, found, known, 100 * (found - known) / pressure))
