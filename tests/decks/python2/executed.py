inner = outer / 2
print "executed", inner,
