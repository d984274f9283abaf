# solfec: python3
"""A point mass on a rigid link of 1 m, released from the horizontal; g = pi^2, so that small swings would take 2 s.

This swing is large: its period is 2.3606812 s.
"""
from math import pi

solfec = SOLFEC('DYNAMIC', 1E-3, 'out/pendulum')
bulk = BULK_MATERIAL(solfec)
GRAVITY(solfec, (0, 0, -pi**2))

# A ball of mass 1 kg; it does not rotate, because the link holds its centre.
ball = BODY(solfec, 'RIGID', SPHERE((1, 0, 0), 0.1, 1, 1), bulk, label='BALL')
BODY_CHARS(ball, 1.0, 1.0, (1, 0, 0), (1, 0, 0, 0, 1, 0, 0, 0, 1))

# The other end of the link is the origin, a point fixed in space.
PUT_RIGID_LINK(ball, None, (1, 0, 0), (0, 0, 0))

OUTPUT(solfec, 0.01)
RUN(solfec, AUTO_SOLVER(1E-16), 5.0)
