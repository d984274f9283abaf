# FORCE, PUT_SPRING and CALLBACK functions with data, an early stop, text written beside the results (B.3).
solfec = SOLFEC ('DYNAMIC', 0.001, 'out/functions')
bulk = BULK_MATERIAL (solfec, density = 1)
box = HULL ([-.5,-.5,-.5, .5,-.5,-.5, .5,.5,-.5, -.5,.5,-.5, -.5,-.5,.5, .5,-.5,.5, .5,.5,.5, -.5,.5,.5], 1, 1)
wall = BODY (solfec, 'OBSTACLE', TRANSLATE (COPY (box), (-3, 0, 0)), bulk)
mass = BODY (solfec, 'RIGID', box, bulk)
mass.disable_rotation = 'ON'

def spring (stroke, velocity):
  return -100 * stroke - 2 * velocity

def push (data, q, u, time, step):
  force = data if time < 0.1 else 0
  return (force, 0, 0, 0, 0, 0, 0, 0, 0)

log = []
def watch (sol, log):
  log.append (sol.time)
  if ENERGY (sol, mass) [0] < 1E-6 and sol.time > 0.2: return 0

PUT_SPRING (wall, (-2.5, 0, 0), mass, (-0.5, 0, 0), spring, (-1, 1), (1, 0, 0))
FORCE (mass, 'SPATIAL', (0, 0, 0), (1, 0, 0), push, 10)
CALLBACK (solfec, 0.05, (solfec, log), watch)
OUTPUT (solfec, 0.05)
RUN (solfec, GAUSS_SEIDEL_SOLVER (1E-8, 100), 20)
if solfec.mode == 'WRITE':
  print len (log) > 5, solfec.time < 20, '%.3f' % log [1]
  print abs (DISPLACEMENT (mass, (0, 0, 0)) [0]) < 0.1, len (solfec.constraints), mass.constraints [0].kind
