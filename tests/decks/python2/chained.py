# -*- coding: utf-8 -*-
# quotients of quotients, what is evaluated once, methods of methods
import sys
x = 7/2/2; y = 9 / 2 / 2
print x, y, 7/2/2, x**2/2/y, 7/2**2/1, -7/2/2, ~7/2/2, 7/(2)/(1), ((7)/(2))/(1), 100/7/2/3
print 7/2/2 \
    /1, (9 /
  2 # a / comment
  /2), 'é' and 7/2/2
print >>sys.stdout, 7/2/2, `9/2/2`, `1,7/2`, `[`2`]`
print (lambda a, b=7/2/2: a/b/1)(9), [a/2/2 for a in [b/2 for b in range(9)] if a/2/2], {7/2/2: 9/2/2}
print`7/2/2`,0777/8/2,-010/3/1,1if x else 2,7/2/2<>3
print "%d/%d" % (7/2/2, 9/3/1), eval("7/2/2"), eval(" x/2/3 "), (lambda a: eval("a/2"))(9)
exec "print 7/2/2; z = 9/2/2"; print z
if 1:x=70/2/2;x/=2;print x;
for i in 1,2:print i/2,;print
# the target of `/=` is evaluated once
calls = []
def seen(value):
    calls.append(1)
    return value
l = [10, 20, 30]
l[seen(1)] /= 2
l[l[1]/5] /= seen(3)
seen(l)[seen(0)] /= 1 + \
    1 # one and one
l[-1] /= 3
print l, len(calls)
d = {'a': 9}
d[d.keys()[0]] /= 2
d['a'] /= 2; print d
class Box:
    n = 9
    __side = 9
    def half(self):
        self.n /= 2
        self.__side /= 2
        return self.n/2/1, self.__side
    def other(self): return self
box = Box()
box.other().n /= 2
print box.n, box.half()
class Grid(object):
    def __getitem__(self, at): return 9
    def __setitem__(self, at, value): print at, value
grid = Grid()
grid[1, seen(2)] /= 2
grid[1, 2:seen(3)] /= 2
grid[seen(4):] /= 2
def change():
    global i
    i = 2
    return 2
i = 0
l = [8, 8, 8]
l[i] /= change()
print l
# methods that are dropped
print d.iteritems().next(), d.itervalues().next()/2/1, d.iterkeys().next().upper(), map(d.has_key, 'ab'), d.has_key('a')/1/1
print dict.iteritems(d).next(), dict.has_key(d, 'b')
class Own:
    def has_key(self, key): return key == 1
    def iteritems(self): yield 7/2/2, 2
    def next(self, step=1): return step/2
own = Own()
print own.has_key(1), own.iteritems().next(), own.next(5), own.next()
class Link:
    def __init__(self, next): self.next = next
first = Link(Link(None))
while first: first = first.next
print first
def next(i): return (i + 1) % 3
print next(2)
class Length:
    def __init__(self, m): self.m = m
    def __div__(self, by): return Length(self.m/by)
    def __idiv__(self, by):
        self.m = self.m/by
        return self
    def __nonzero__(self): return self.m <> 0
a = Length(9)
b = a
b /= 2
print a.m, (a/2/1).m, bool(Length(0))
print 'C:\users', '\Name', u'\x41', r'\u'
SOLFEC ('DYNAMIC', 1E-3, 'out/chained')
