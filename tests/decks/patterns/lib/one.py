total = 1
solfec = SOLFEC ('QUASI_STATIC', 1, 'out/one')
print 'one', solfec.mode
