# solfec: python3
"""A block on a table under a force 8 cos t that at times slightly exceeds the friction limit: it sticks and slips.

Friction 0.8, mass 1 kg, g = 9.81 m/s2, so the block starts to slip where |8 cos t| > 7.848, and slips until it stops
(a common benchmark of stick-slip).
"""
from math import cos

step, stop = 1E-3, 10.0

solfec = SOLFEC('DYNAMIC', step, 'out/block-driven')
CONTACT_POINTS(solfec, 4)
SURFACE_MATERIAL(solfec, friction=0.8)
bulk = BULK_MATERIAL(solfec, density=1 / 0.009)
GRAVITY(solfec, (0, 0, -9.81))

cube = HEX([0, 0, 0,  1, 0, 0,  1, 1, 0,  0, 1, 0,  0, 0, 1,  1, 0, 1,  1, 1, 1,  0, 1, 1], 1, 1, 1, 1, [1]*6)
BODY(solfec, 'OBSTACLE', TRANSLATE(SCALE(COPY(cube), (1.0, 0.6, 0.1)), (2.5, -0.3, -0.1)), bulk)
block = BODY(solfec, 'RIGID', TRANSLATE(SCALE(cube, (0.3, 0.3, 0.1)), (2.85, -0.15, 0)), bulk, label='BLOCK')

# A table of the force, so fine that its linear pieces differ from the cosine by at most 1E-6 N.
times = [step * k for k in range(int(stop / step) + 2)]
FORCE(block, 'SPATIAL', (3, 0, 0.05), (1, 0, 0), TIME_SERIES([(t, 8 * cos(t)) for t in times]))

OUTPUT(solfec, 0.01)
RUN(solfec, AUTO_SOLVER(1E-16), stop)
