# Several decks in one process and one namespace, as the suite of tests of the original (B.2: exec of a file, execfile).
import sys, os
here = os.path.dirname (__file__)
count = 0
for name in ['one.py', 'two.py']:
	f = open (here + '/lib/' + name)
	exec f
	count += 1
execfile (here + '/lib/three.py')
print count, total
