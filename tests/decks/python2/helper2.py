print "helper", 5 / 2
def half (x): return x / 2
