# solfec: python3
"""A wall of 60 bricks without mortar on a table that shakes in its plane."""
from math import pi, sin

solfec = SOLFEC('DYNAMIC', 1E-3, 'out/wall')
stone = BULK_MATERIAL(solfec, density=1800)
SURFACE_MATERIAL(solfec, friction=0.6)
CONTACT_POINTS(solfec, 4)
GRAVITY(solfec, (0, 0, -9.81))


def box(x, y, z, length, width, height):
    return HULL([c for i in (0, length) for j in (0, width) for k in (0, height) for c in (x + i, y + j, z + k)], 1, 1)


table = BODY(solfec, 'OBSTACLE', box(-0.4, -0.4, -0.1, 2.425, 0.8, 0.1), stone)
for row in range(10):
    for k in range(6):
        BODY(solfec, 'RIGID', box(0.25*k + 0.125*(row % 2), -0.06, 0.065*row, 0.25, 0.12, 0.065), stone,
             label='R%dB%d' % (row, k))

# 1.2 g at 2 Hz, reached after a second.
sway = TIME_SERIES([(0.005*i, 0.075 * min(1, 0.005*i)**2 * sin(2*pi*2 * 0.005*i)) for i in range(602)])
SET_DISPLACEMENT(table, table.center, (1, 0, 0), sway)
SET_VELOCITY(table, table.center, (0, 1, 0), 0)
SET_VELOCITY(table, table.center, (0, 0, 1), 0)
OUTPUT(solfec, 0.02)
RUN(solfec, 'AUTO', 3)
