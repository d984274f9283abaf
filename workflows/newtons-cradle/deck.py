# solfec: python3
"""Newton's cradle: five balls on links of 0.25 m, the first released from 45 degrees; restitution 1, no friction.

usage: sf-build deck.py -- GAP     (between the balls [m]; 0.001 or 0)

With a gap of 1 mm every impact is between two balls: they exchange their velocities, and after four impacts the last
ball leaves with the velocity of the first.

Balls that touch are struck at the same instant, and Newton's law, applied contact by contact, gives another answer:
the struck contact separates as fast as it closed, and the others, which did not approach, must not approach. The impulses that
satisfy this decrease evenly along the row: 1.6, 1.2, 0.8, 0.4 times m v. So the first ball goes back with 0.6 v
and the other four leave together with 0.4 v. Momentum (-0.6 + 4 x 0.4 = 1) and energy (0.36 + 4 x 0.16 = 1)
are kept, as in a real cradle; but there waves run through elastic balls, which rigid bodies do not have.
Where the order of simultaneous impacts matters, leave gaps, or use SPRING_DASHPOT, which does have waves.
"""
from math import cos, pi, sin

gap = float((NON_SOLFEC_ARGV() or ['0.001'])[0])
balls, radius, length, angle = 5, 0.02, 0.25, pi / 4

solfec = SOLFEC('DYNAMIC', 1E-4, 'out/cradle-gap-%g' % gap)
bulk = BULK_MATERIAL(solfec, density=8E3)
SURFACE_MATERIAL(solfec, friction=0, restitution=1)
GRAVITY(solfec, (0, 0, -9.81))

for k in range(balls):
    support = (k * (2 * radius + gap), 0, length)
    swing = angle if k == 0 else 0.0
    point = (support[0] - length * sin(swing), 0, length - length * cos(swing))
    ball = BODY(solfec, 'RIGID', SPHERE(point, radius, 1, 1), bulk, label='BALL%d' % (k + 1))
    PUT_RIGID_LINK(ball, None, point, support)

OUTPUT(solfec, 0.002)
RUN(solfec, 'AUTO', 1.2)
