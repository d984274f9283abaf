# The pattern of the benchmark decks: the same function first computes, then reads (B.3). Tabs and spaces are mixed.
from math import *
import sys

step = 1E-3
stop = 1 / 2 + 0.25   # integers: 0.25

def model (path):
	solfec = SOLFEC ('DYNAMIC', step, path)
	bulk = BULK_MATERIAL (solfec, model = 'KIRCHHOFF', young = 1E9, poisson = 0.25, density = 1E3)
        GRAVITY (solfec, (0, 0, -10))
	body = BODY (solfec, 'RIGID', SPHERE ((0, 0, 10), 1, 1, 1), bulk, label = 'BALL')
	INITIAL_VELOCITY (body, (2, 0, 0), (0, 0, 0))
	return (solfec, body)

def run (solfec):
	OUTPUT (solfec, 0.05)
        RUN (solfec, GAUSS_SEIDEL_SOLVER (1E-3, 100), stop)

(solfec, body) = model ('out/twice')
print solfec.mode, solfec.time
if solfec.mode == 'WRITE': run (solfec)
if not VIEWER() and solfec.mode == 'WRITE':
	(again, ball) = model ('out/twice')
else:
	(again, ball) = (solfec, body)
print again.mode, again.time, again.bodies [0] == ball
if again.mode != 'READ': sys.exit (1)
dur = DURATION (again)
print 'from %g to %g' % (dur [0], dur [1])
SEEK (again, stop)
d = DISPLACEMENT (ball, (0, 0, 10))
print '%.6f %.6f %.6f' % d
th = HISTORY (again, [(ball, (0, 0, 10), 'DZ'), (again, 'KINETIC'), ('BALL', (0, 0, 10), 'VX')], 0, dur [1])
print len (th), len (th [0]), th [3] [0]
print 'drop %.4f exact %.4f' % (th [1] [-1], -5 * stop ** 2)
print 'time after the history %g' % again.time
