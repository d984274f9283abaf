# solfec: python3
"""A 4 x 4 x 4 block of unit cubes at rest on a floor: nothing moves.

usage: sf-build [--set points=1] deck.py; with one contact point a face, as in Solfec-1.0, instead of four
"""
points = globals().get('points', 4)

solfec = SOLFEC('DYNAMIC', 1E-3, 'out/block-stack')
CONTACT_POINTS(solfec, points)
CONTACT_SPARSIFY(solfec, 0.005, 0.05)
SURFACE_MATERIAL(solfec, model='SIGNORINI_COULOMB', friction=0.3)
bulk = BULK_MATERIAL(solfec, model='KIRCHHOFF', young=1E6, poisson=0.25, density=2E3)
GRAVITY(solfec, (0, 0, -10))

n = 4
nodes = [0, 0, 0,  1, 0, 0,  1, 1, 0,  0, 1, 0,  0, 0, 1,  1, 0, 1,  1, 1, 1,  0, 1, 1]
floor = SCALE(HEX(nodes, 1, 1, 1, 1, [1, 1, 1, 1, 1, 1]), (n, n, 1))
BODY(solfec, 'OBSTACLE', TRANSLATE(floor, (0, 0, -1)), bulk, label='FLOOR')

cube = HEX(nodes, 1, 1, 1, 2, [2, 2, 2, 2, 2, 2])
for x in range(n):
    for y in range(n):
        for z in range(n):
            BODY(solfec, 'RIGID', TRANSLATE(COPY(cube), (x, y, z)), bulk, label='C%d%d%d' % (x, y, z))

OUTPUT(solfec, 0.01)
RUN(solfec, AUTO_SOLVER(1E-16), 0.2)
