# solfec: python3
# A top with moments of inertia 5, 5, 1 spins at 50 rad/s; a weight of 20 at unit distance pulls its axis over.
# usage: sf-run deck.py -- SCHEME STEP
from math import cos, sin

scheme, step = NON_SOLFEC_ARGV()
weight, tilt = 20.0, 0.05

solfec = SOLFEC('DYNAMIC', float(step), 'out/top')
bulk = BULK_MATERIAL(solfec)
top = BODY(solfec, 'RIGID', SPHERE((0, 0, 0), 1, 1, 1), bulk, label='TOP')
BODY_CHARS(top, 1.0, 1.0, (0, 0, 0), (5, 0, 0, 0, 5, 0, 0, 0, 1))
top.scheme = scheme
# A rotation by the tilt about x, column by column, and the place; then the referential angular velocity.
top.conf = (1, 0, 0,  0, cos(tilt), sin(tilt),  0, -sin(tilt), cos(tilt),  0, 0, 0)
top.velo = (0, 0, 50,  0, 0, 0)


def torque(q, u, time, step):
    """The axis of the top times the weight, in spatial axes."""
    x, y, z = q[6:9]
    return (0, 0, 0,  -weight * y, weight * x, 0,  0, 0, 0)


FORCE(top, 'SPATIAL', (0, 0, 0), (0, 0, 0), torque)
OUTPUT(solfec, 0.05)


def total():
    return ENERGY(solfec)[0] + weight * top.conf[8]


print('time,energy,axis,spin')


def watch(_):
    print('%r,%r,%r,%r' % (solfec.time, total(), top.conf[8], top.velo[2]))


CALLBACK(solfec, 0.05, None, watch)
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-3, 10), 10.0)
print('%r,%r,%r,%r' % (solfec.time, total(), top.conf[8], top.velo[2]))
