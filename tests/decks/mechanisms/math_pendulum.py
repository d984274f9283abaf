# solfec: python3
# A point mass on a rigid link of length 1, released from the horizontal. A callback stops the run after the first swing.
from math import pi

solfec = SOLFEC('DYNAMIC', 1E-3, 'out/math-pendulum')
bulk = BULK_MATERIAL(solfec)
GRAVITY(solfec, (0, 0, -pi**2))
ball = BODY(solfec, 'RIGID', SPHERE((1, 0, 1), 0.1, 1, 1), bulk, label='BALL')
BODY_CHARS(ball, 1.0, 1.0, (1, 0, 1), (1, 0, 0, 0, 1, 0, 0, 0, 1))
PUT_RIGID_LINK(None, ball, (0, 0, 1), (1, 0, 1))

before = [0.0, 0.0]     # time and rate of turning of the last call
turns = []


def swung(data, ball):
    """Notes when the pendulum turns back; 0 ends the run when it has come back to where it began."""
    assert data == 'swing'
    x, _, z = ball.conf[9:12]
    u, _, w = VELOCITY(ball, (1, 0, 1))
    rate = x * w - (z - 1) * u
    t, r = before
    if r * rate < 0:
        turns.append(t + (solfec.time - t) * r / (r - rate))
    before[:] = [solfec.time, rate]
    return 0 if len(turns) == 2 else 1


CALLBACK(solfec, 1E-3, ('swing', ball), swung)
OUTPUT(solfec, 0.01)
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-8, 1000), 10.0)
kinetic = ENERGY(solfec)[0]
print('half,period,stopped,kinetic')
print('%r,%r,%r,%r' % (turns[0], turns[1], solfec.time, kinetic))
