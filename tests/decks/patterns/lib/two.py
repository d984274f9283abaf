total += 10L
print 'two', total <> 0, solfec.analysis
