# External inputs: helper modules, a series from a text file, pickles in text mode, gzip, csv, fileinput, a shell (B.3).
import sys, os, pickle, gzip, csv, fileinput, subprocess, commands, time
here = os.path.dirname (os.path.realpath (__file__))
sys.path.append (here + '/lib')
from acc_sweep import *
try:
  import matplotlib_that_nobody_has as plt
except ImportError:
  plt = None

tc = time.clock ()
if not os.path.isdir ('data'): os.makedirs ('data')
(times, values) = sweep (0.01, 1, 1, 2, 0.5)
f = open ('data/series.txt', 'w')
f.write ('# time value\n')
for pair in zip (times, values): print >> f, '%.17g %.17g' % pair
f.close ()
pickle.dump ((times [:3], {'a': 1}), open ('data/pickled', 'w'))
subprocess.call (['sh', '-c', 'echo 7 8 9 | gzip > data/packed.gz'])
w = csv.writer (open ('data/table.csv', 'w')); w.writerow ([1, 2.5]); del w

(back, table) = pickle.load (open ('data/pickled', 'r'))
numbers = [int (x) for x in gzip.open ('data/packed.gz').read ().split ()]
row = [float (x) for x in csv.reader (open ('data/table.csv', 'r')).next ()]
lines = 0
for line in fileinput.input ('data/series.txt'): lines += 1
told = commands.getoutput ('echo shell')
code = subprocess.call (['sh', '-c', 'exit 3'])
print back, table.has_key ('a'), numbers, row, lines, told, code, plt is None, time.clock () >= tc

solfec = SOLFEC ('DYNAMIC', 0.01, 'out/inputs')
bulk = BULK_MATERIAL (solfec, density = 1E3)
table = HEX ([-1,-1,-1, 1,-1,-1, 1,1,-1, -1,1,-1, -1,-1,0, 1,-1,0, 1,1,0, -1,1,0], 1, 1, 1, 1, [1]*6)
floor = BODY (solfec, 'OBSTACLE', table, bulk)
tms = TIME_SERIES ('data/series.txt')
SET_VELOCITY (floor, floor.center, (1, 0, 0), tms)
OUTPUT (solfec, 0.1)
RUN (solfec, GAUSS_SEIDEL_SOLVER (1E-3, 100), 0.5)
if solfec.mode == 'WRITE':
  exact = sum (values [:50]) * 0.01 + values [50] * 0.005   # the place after half a second
  path = solfec.outpath + '/notes.txt'
  f = open (path, 'w'); f.write ('%d' % len (tms.times)); f.close ()
  print os.path.exists (path), len (tms.times), abs (DISPLACEMENT (floor, floor.center) [0] - exact) < 1E-3
