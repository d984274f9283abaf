# User arguments and sys.exit as "stop here after reading" (B.3).
import sys
argv = NON_SOLFEC_ARGV ()
npar, kifo = 5, 'RG'
if argv != None:
  for i in range (0, len (argv)):
    if argv [i] == '-npar': npar = max (long (argv [i+1]), 2)
    elif argv [i] == '-kifo': kifo = argv [i+1]
kind = {'RG': 'RIGID', 'PR': 'PSEUDO_RIGID'} [kifo]
solfec = SOLFEC ('DYNAMIC', 0.01, 'out/argv_%s_%d' % (kifo, npar))
bulk = BULK_MATERIAL (solfec, density = 1E3)
for i in range (npar): BODY (solfec, kind, SPHERE ((3 * i, 0, 0), 1, 1, 1), bulk)
GRAVITY (solfec, (0, 0, -1))
if solfec.mode == 'READ':
  SEEK (solfec, 0.1)
  print solfec.nbod, solfec.bodies [0].kind, '%.4f' % solfec.bodies [0].velo [-1]
  sys.exit (0)
print `npar`, kifo
RUN (solfec, NEWTON_SOLVER (), 0.1)
