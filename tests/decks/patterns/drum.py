# RUN, insert a body, RUN, change gravity, delete, RUN; code after RUN reads the state (B.3).
solfec = SOLFEC ('DYNAMIC', 0.01, 'out/drum')
bulk = BULK_MATERIAL (solfec, density = 1E3)
SURFACE_MATERIAL (solfec, model = 'SIGNORINI_COULOMB', friction = 0.3)
floor = HULL ([-5, -5, -1, 5, -5, -1, 5, 5, -1, -5, 5, -1, -5, -5, 0, 5, -5, 0, 5, 5, 0, -5, 5, 0], 1, 1)
BODY (solfec, 'OBSTACLE', floor, bulk, 'FLOOR')
solver = GAUSS_SEIDEL_SOLVER (1E-6, 1000)
OUTPUT (solfec, 0.1)
last = None
for k in range (3):
  last = BODY (solfec, 'RIGID', SPHERE ((3 * k - 3, 0, 1), 1, 1, 1), bulk, label = 'ball%d' % k)
  if k == 1: GRAVITY (solfec, (0, 0, -10))
  RUN (solfec, solver, 0.2)
  if solfec.mode == 'WRITE': print '%.2f' % solfec.time, solfec.nbod, solfec.ncon, '%.4f' % last.conf [11]
if solfec.mode == 'WRITE':
  one = BYLABEL (solfec, 'BODY', 'ball1')
  DELETE (solfec, one)
  RUN (solfec, solver, 0.1)
  print solfec.nbod, [b.label for b in solfec.bodies]
else:
  DURATION (solfec)
  while True:
    t = solfec.time
    print '%g:%d' % (t, solfec.nbod),
    FORWARD (solfec, 1)
    if solfec.time == t: break
  print
  print [b.label for b in solfec.bodies]
