# solfec: python3
# A bar 0.1 x 0.1 x 1 hung on two points of an axis 0.25 above its centre, released 30 degrees from the vertical.
solfec = SOLFEC('DYNAMIC', 1E-3, 'out/pinned-bar')
bulk = BULK_MATERIAL(solfec, density=1)
GRAVITY(solfec, (0, 0, -9.8))
nodes = [-0.05, -0.05, 0,  0.05, -0.05, 0,  0.05, 0.05, 0,  -0.05, 0.05, 0,
         -0.05, -0.05, 1,  0.05, -0.05, 1,  0.05, 0.05, 1,  -0.05, 0.05, 1]
shape = ROTATE(HEX(nodes, 2, 2, 2, 1, [1]*6), (0, 0, 0.75), (0, 1, 0), -30)
bar = BODY(solfec, 'RIGID', shape, bulk, label='BAR')
FIX_POINT(bar, (0, -0.05, 0.75))
FIX_POINT(bar, (0, 0.05, 0.75))

print('time,x,rate')


def below(_):
    """Tells time, place of the centre and rate of turning; ends the run when the centre has passed below the axis."""
    x = bar.conf[9]
    print('%r,%r,%r' % (solfec.time, x, bar.velo[1]))
    return 0 if x < 0 else 1


CALLBACK(solfec, 1E-3, None, below)
OUTPUT(solfec, 0.01)
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-10, 1000), 2.0)
