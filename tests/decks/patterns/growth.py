# A callback inserts bodies during the run; reading back, they are where the file says (B.3, I.2.6).
solfec = SOLFEC ('DYNAMIC', 0.01, 'out/growth')
bulk = BULK_MATERIAL (solfec, density = 1)
BODY (solfec, 'RIGID', SPHERE ((0, 0, 0), 1, 1, 1), bulk, label = 'first')
made = []

def grow (data, more):
  if solfec.time > 0.1 and len (made) < 2:
    k = len (made)
    b = BODY (solfec, 'RIGID', SPHERE ((5 * k + 5, 0, 0), 1, 1, 1), bulk, label = 'late%d' % k)
    made.append (b)
  return data - more

OUTPUT (solfec, 0.05)
CALLBACK (solfec, 0.05, (3, 2), grow)
RUN (solfec, GAUSS_SEIDEL_SOLVER (1E-3, 10), 0.25)
if solfec.mode == 'READ':
  th = HISTORY (solfec, ['BODS', ('late1', (10, 0, 0), 'CX'), ('first', (0, 0, 0), 'CX')], 0, 1)
  print ' '.join (['%g:%g' % pair for pair in zip (th [0], th [1])])
  print ' '.join (['%g' % x for x in th [2]]), th [3] [-1]
else:
  print [b.id for b in made], solfec.nbod
