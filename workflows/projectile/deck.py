# solfec: python3
"""A ball is thrown; the air exerts the force -m v, computed by a function of the deck.

usage: sf-run deck.py    (live: the function is called at each step)
"""
mass, gravity = 0.45359237, 9.81456         # a pound
step = 1.976 / 1024

solfec = SOLFEC('DYNAMIC', step, 'out/projectile')
bulk = BULK_MATERIAL(solfec)
GRAVITY(solfec, (0, 0, -gravity))

ball = BODY(solfec, 'RIGID', SPHERE((0, 0, 0), 0.05, 1, 1), bulk, label='BALL')
BODY_CHARS(ball, mass, 1.0, (0, 0, 0), (1, 0, 0, 0, 1, 0, 0, 0, 1))
INITIAL_VELOCITY(ball, (2.54, 0, 12.7), (0, 0, 0))


def drag(mass, q, u, time, step):
    """Spatial force, spatial torque, referential torque; u is the angular velocity, then the linear one."""
    return (-mass * u[3], -mass * u[4], -mass * u[5],  0, 0, 0,  0, 0, 0)


FORCE(ball, 'SPATIAL', (0, 0, 0), (0, 0, 0), drag, mass)
OUTPUT(solfec, 8 * step)
RUN(solfec, 'AUTO', 1.976)
