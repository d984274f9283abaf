# Many objects in one process, parameters in the names of their directories, integer division in an index (B.3).
import os
from shutil import rmtree

def fall (n, g):
  path = 'out/loop/g_%d_%g' % (n, g)
  if os.path.exists (path): rmtree (path)
  solfec = SOLFEC ('DYNAMIC', 0.01, path)
  solfec.verbose = 'OFF'
  bulk = BULK_MATERIAL (solfec, density = 1)
  body = BODY (solfec, 'RIGID', SPHERE ((0, 0, 0), 1, 1, 1), bulk)
  GRAVITY (solfec, (0, 0, -g))
  OUTPUT (solfec, 0.1)
  RUN (solfec, PENALTY_SOLVER (), 0.1)
  return (path, solfec.mode, VELOCITY (body, (0, 0, 0)))

rows = zip (range (12), [1, 2, 3] * 4)
found = [fall (n, g) for (n, g) in rows]
half = found [1 + int (7.0 / 2) / 2]
print len (found), half [0], '%g' % half [2] [2]
for (path, mode, v) in found [::5]:
  (n, g) = [eval (x) for x in path.split ('_') [1:]]
  print n, g, mode, '%.3f' % v [2],
print
print sorted (os.listdir ('out/loop')) [0]
