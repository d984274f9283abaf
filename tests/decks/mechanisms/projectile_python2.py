# The original's projectile, as written for it: Python 2, drag by a function without data.
pound = 0.45359237
inch = 0.0254
step = 1.976 / 1024

solfec = SOLFEC ('DYNAMIC', step, 'out/projectile')
bulk = BULK_MATERIAL (solfec, model = 'KIRCHHOFF', young = 1, poisson = 0, density = 1)
ball = BODY (solfec, 'RIGID', SPHERE ((0, 0, 0), 1, 1, 1), bulk)
BODY_CHARS (ball, pound, 1.0, (0, 0, 0), (1, 0, 0, 0, 1, 0, 0, 0, 1))
INITIAL_VELOCITY (ball, (100 * inch, 0, 500 * inch), (0, 0, 0))
GRAVITY (solfec, (0, 0, -9.81456))

def force (q, u, time, step):
  m = ball.mass
  return (-m * u [3], -m * u [4], -m * u [5], 0, 0, 0, 0, 0, 0)

FORCE (ball, 'SPATIAL', (0, 0, 0), (0, 0, 0), force)
OUTPUT (solfec, 1.976 / 8)
RUN (solfec, GAUSS_SEIDEL_SOLVER (1E-3, 10), 1.976)

x = DISPLACEMENT (ball, (0, 0, 0))
print 'steps', 1024 / 2 * 2
print 'inches', x [0] / inch
