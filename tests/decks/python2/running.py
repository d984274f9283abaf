# exec, execfile, modules of its own and renamed ones, input
import os, sys
outer = 5
here = os.path.dirname (os.path.abspath (__file__))
execfile (os.path.join (here, 'executed.py'))
print inner
exec "z = 7 / 2"
space = {}
exec "y = 9 / 2" in space
exec ("w = 1", space)
print z, space['y'], space['w']
f = open (os.path.join (here, 'executed.py'))
exec f
print
def local ():
    exec "q = 3 / 2" in globals ()
local ()
print q
from helper2 import half
import cPickle, commands, sets, StringIO, time, itertools
print half (9), commands.getoutput ('echo shell'), sorted (sets.Set ([2, 1])), StringIO.StringIO (u'text').read ()
print type (time.clock ()) is float, list (itertools.izip ([1], [2])), sys.maxint > 2**31
print raw_input () + '!', input () / 2
import pickle, tempfile
path = os.path.join (tempfile.mkdtemp (), 'text.pickle')
g = open (path, 'w'); pickle.dump ({'a': [1, 2.5]}, g); g.close ()
print pickle.load (open (path, 'r')), cPickle.loads (cPickle.dumps ([1])), len (open (path, 'rU').readlines ()) > 1
SOLFEC ('DYNAMIC', 1E-3, 'out/running')
