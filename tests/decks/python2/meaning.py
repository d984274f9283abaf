# division, lists in place of iterators, numbers
print 1+int(7.0/2)/2, 7/2, -7/2, 7/2.0, 7//2, 7 % 3 / 2, (1 + 2) / 2, 2**3 / 3
n = 10
n /= 4
a = [5, 7]
a[1] /= 2
print n, a, sum([1, 2, 4]) / len([1, 2, 3]), 6 / (
    4)
class P:
    x = 9
    def half(self): return self.x / 2
p = P()
p.x /= 2
print p.x, p.half(), [i / 2 for i in range(5)], (lambda x: x / 3)(7)
r = range(3); r.append(9); print r, len(map(str, r)), zip(r, 'abcd'), filter(lambda x: x > 1, r), filter(None, (0, 1)), filter(lambda c: c != 'a', 'banana')
print map(None, [1, 2], [3]), map(lambda a, b: a, [1, 2], [3, 4]), reduce(lambda a, b: a * b, [1, 2, 3, 4])
d = {'one': 1}
k = d.keys(); k.append('two'); print k, d.values()[0] / 2, d.items(), d.has_key('one'), [x for x in d.iteritems()]
print 0777, 10L, 0xFFL, 0b11, 09.5, 1 <> 2, 3 <> 3, `[1]`, ur"\d", long(3), unicode(5), isinstance(u'', basestring)
print round(2.5), round(-2.5), round(0.125, 2), cmp(1, 2), unichr(65) + chr(66), apply(max, (1, 2))
print [i for i in xrange(1, 10, 4)], divmod(7, 2), max(1, 2), sorted({3: 0, 1: 0})
class Count:
    def __init__(self): self.n = 0
    def __iter__(self): return self
    def next(self):
        self.n += 1
        if self.n > 3: raise StopIteration
        return self.n
c = Count()
print c.next(), list(c)
SOLFEC ('DYNAMIC', 1E-3, 'out/meaning')
