# A deck that calls the program itself, as the original's drivers do (I.1, spot 10).
from subprocess import call
import os
here = os.path.dirname (__file__)
deck = here + '/argv.py'
print call (['solfec', '-w', deck, '-npar', '3'])
print call (['solfec', deck, '-npar', '3'])
print call (['solfec', '-s', 'sub', deck])
print sorted (os.listdir ('out'))
