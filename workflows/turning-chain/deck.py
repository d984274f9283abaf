# solfec: python3
"""Five bars hang from a point and from each other, begin horizontally, turn about the vertical, and the outermost spins.

usage: sf-build deck.py -- STEP STOP
"""
step, stop = (float(x) for x in (NON_SOLFEC_ARGV() or ['5E-4', '300']))

solfec = SOLFEC('DYNAMIC', step, 'out/turning-chain')
bulk = BULK_MATERIAL(solfec, density=1000)
GRAVITY(solfec, (0, 0, -10))

bars = []
for k in range(5):
    x, a = -k, 0.05
    nodes = [x - 1, -a, -a,  x, -a, -a,  x, a, -a,  x - 1, a, -a,
             x - 1, -a, a,   x, -a, a,   x, a, a,   x - 1, a, a]
    bar = BODY(solfec, 'RIGID', HEX(nodes, 1, 1, 1, 1, [1] * 6), bulk, label='BAR%d' % k)
    # The spin of a body with the default scheme decays; with this one it does not.
    bar.scheme = 'RIG_IMP'
    for other in bars:
        CONTACT_EXCLUDE_BODIES(bar, other)
    if bars:
        PUT_RIGID_LINK(bar, bars[-1], (x, 0, 0), (x, 0, 0))
    else:
        FIX_POINT(bar, (0, 0, 0))
    bars.append(bar)

for k, bar in enumerate(bars):
    INITIAL_VELOCITY(bar, (0, -k - 0.5, 0), (1.0 if k == 4 else 0, 0, 1))

OUTPUT(solfec, 0.5)
RUN(solfec, AUTO_SOLVER(1E-16), stop)
