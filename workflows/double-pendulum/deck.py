# solfec: python3
"""Two unit masses on unit links swing from rest at 60 and 36 degrees; with 'wall' they hit a wall behind the support.

usage: sf-build deck.py -- free|wall
"""
from math import cos, pi, sin

case = (NON_SOLFEC_ARGV() or ['free'])[0]
radius, restitution = 0.05, 0.1

solfec = SOLFEC('DYNAMIC', 1E-3, 'out/double-pendulum-' + case)
bulk = BULK_MATERIAL(solfec)
SURFACE_MATERIAL(solfec, friction=0, restitution=restitution)
GRAVITY(solfec, (0, 0, -9.81))


def mass(point, label):
    """A ball of 1 kg; the links act at its centre."""
    ball = BODY(solfec, 'RIGID', SPHERE(point, radius, 1, 1), bulk, label=label)
    BODY_CHARS(ball, 1.0, 1.0, point, (1, 0, 0, 0, 1, 0, 0, 0, 1))
    return ball


support = (0, 0, 2)
first = (sin(pi / 3), 0, 2 - cos(pi / 3))
second = (first[0] + sin(pi / 5), 0, first[2] - cos(pi / 5))
upper, lower = mass(first, 'UPPER'), mass(second, 'LOWER')
PUT_RIGID_LINK(upper, None, first, support)
PUT_RIGID_LINK(upper, lower, first, second)
CONTACT_EXCLUDE_BODIES(upper, lower)

if case == 'wall':
    # Balls touch it when their centres come to x = 0.
    wall = HEX([0, 0, 0,  1, 0, 0,  1, 1, 0,  0, 1, 0,  0, 0, 1,  1, 0, 1,  1, 1, 1,  0, 1, 1], 1, 1, 1, 2, [2]*6)
    BODY(solfec, 'OBSTACLE', TRANSLATE(SCALE(wall, (radius, 0.4, 2)), (-2 * radius, -0.2, 0)), bulk, label='WALL')

OUTPUT(solfec, 0.005)
RUN(solfec, AUTO_SOLVER(1E-16), 5.0 if case == 'free' else 2.5)
