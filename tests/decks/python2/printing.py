# the print statement and its soft space
import sys
print
print "one", 2, 3.5, 0.1 + 0.2, 1e16, 1e300 * 10
print "no", "newline",
print "then", "more"
print "tab\t", "ends", "line\n", "here"
print ("a", "tuple"), # with a comma
print ("parentheses")
print ("x") + "y", (1 + 2) * 3
sys.stdout.write("written "),
print "after a write"
print "a",; sys.stdout.write("b"); print "c"
if 1: print "one line"; print "and another"
if 0: pass
else: print "else",
for i in 1, 2, 3: print i,
print
print >>sys.stdout, "to", "a file",
print >>sys.stdout
print "%d %s" % (1, "two"), "continued", \
      "below"
print [0.1 + 0.2, 'text', u'unicode'][1:2], `1.5`, repr("q")
f = lambda x: 2 * x; print f(3), f(4)
d = {'k': lambda: 1}; print d['k']()
print u"end",
SOLFEC ('DYNAMIC', 1E-3, 'out/printing')
