# tabs of eight columns and blanks in one block; exceptions
def f (n):
        if n > 0:
	    if n > 1:
		print "two or more"
            else:
		print "one"
	return n
f (1)
f (2)
try:
	raise ValueError, "a message"
except ValueError, e:
	print "caught", e
try:
    raise KeyError, ('a', 'b')
except (IndexError, KeyError), e: print e.args
try:
    raise RuntimeError
except RuntimeError: print "bare"
import sys
try:
    try: 1 / 0
    except ZeroDivisionError: raise ValueError, "again", sys.exc_info ()[2]
except ValueError, e: print "traced", e
SOLFEC ('DYNAMIC', 1E-3, 'out/tabs')
