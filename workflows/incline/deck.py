# solfec: python3
"""Two blocks on a slope of tan a = 0.5: friction 0.6 holds one, friction 0.4 lets the other slide.

The slope is laid flat and gravity (10 m/s2) is tilted instead: x runs down the slope.
The second slides with g (sin a - 0.4 cos a) = 0.894 m/s2.
"""
from math import sqrt

cosine, sine, gravity = 2 / sqrt(5), 1 / sqrt(5), 10.0
slope, rough, smooth = 1, 2, 3          # surface ids

solfec = SOLFEC('DYNAMIC', 0.01, 'out/incline')
CONTACT_POINTS(solfec, 4)
SURFACE_MATERIAL(solfec, slope, rough, friction=0.6)
SURFACE_MATERIAL(solfec, slope, smooth, friction=0.4)
bulk = BULK_MATERIAL(solfec, density=1E3)
GRAVITY(solfec, (gravity * sine, 0, -gravity * cosine))


def box(size, corner, surface):
    unit = [0, 0, 0,  1, 0, 0,  1, 1, 0,  0, 1, 0,  0, 0, 1,  1, 0, 1,  1, 1, 1,  0, 1, 1]
    return TRANSLATE(SCALE(HEX(unit, 1, 1, 1, surface, [surface]*6), size), corner)


BODY(solfec, 'OBSTACLE', box((1.2, 1, 0.1), (-0.3, -0.5, -0.1), slope), bulk, label='SLOPE')
BODY(solfec, 'RIGID', box((0.2, 0.2, 0.1), (-0.1, 0.15, 0), rough), bulk, label='ROUGH')
BODY(solfec, 'RIGID', box((0.2, 0.2, 0.1), (-0.1, -0.35, 0), smooth), bulk, label='SMOOTH')

OUTPUT(solfec, 0.01)
# The merit is an energy: velocities are as exact as its square root, and what sticks must not creep.
RUN(solfec, AUTO_SOLVER(1E-22), 1.0)
