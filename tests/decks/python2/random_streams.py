# the integer streams of Python 2
import random
random.seed (12345)
print [random.randint (0, 100) for i in range (12)]
print [random.randrange (7) for i in range (12)], random.choice ('abcdefgh')
a = range (12); random.shuffle (a); print a
print random.sample (range (100), 8), random.random ()
r = random.Random (7); print r.randint (1, 6), r.uniform (0, 1), r.gauss (0, 1)
SOLFEC ('DYNAMIC', 1E-3, 'out/random')
