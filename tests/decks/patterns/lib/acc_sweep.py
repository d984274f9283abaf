# A helper of the repository: a sine sweep as lists of times and values.
from math import sin, pi

def sweep (step, stop, lofq, hifq, amag):
	time, value = [], []
	n = int (stop / step)
	for i in range (n + 1):
		t = i * step
		f = lofq + (hifq - lofq) * t / stop / 2
		time.append (t)
		value.append (amag * sin (2 * pi * f * t))
	return (time, value)
