# The three kinds of shapes, a stack of two bodies and a ball (manual, chapter 6.1)
w, l, h = 10, 10, 1
floor = HULL([-w/2, -l/2, -h, w/2, -l/2, -h, w/2, l/2, -h, -w/2, l/2, -h,
              -w/2, -l/2, 0, w/2, -l/2, 0, w/2, l/2, 0, -w/2, l/2, 0], 1, 1)
solfec = SOLFEC('DYNAMIC', 1E-3, 'out/tutorial/three-basic')
bulk = BULK_MATERIAL(solfec, model='KIRCHHOFF', young=15E9, poisson=0.3, density=2E3)
BODY(solfec, 'OBSTACLE', floor, bulk)
s = 2
brick = CONVEX([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1],
               [4, 0, 3, 2, 1, s, 4, 1, 2, 6, 5, s, 4, 2, 3, 7, 6, s, 4, 3, 0, 4, 7, s, 4, 0, 1, 5, 4, s, 4, 4, 5, 6, 7, s], 2)
b1 = COPY(brick)
b2 = TRANSLATE(COPY(brick), (1, 0, 0))
b3 = TRANSLATE(COPY(brick), (0, 1, 0))
b4 = TRANSLATE(COPY(brick), (1, 1, 0))
shape = [b1, b2, b3, b4]
TRANSLATE(shape, (-1, -1, 0))
BODY(solfec, 'RIGID', shape, bulk)
nodes = [-1.0, -1.0, 0.0, 1.0, -1.0, 0.0, 1.0, 1.0, 0.0, -1.0, 1.0, 0.0,
         -1.0, -1.0, 2.0, 1.0, -1.0, 2.0, 1.0, 1.0, 1.0, -1.0, 1.0, 1.0]
mesh = HEX(nodes, 2, 3, 2, 3, [3, 3, 3, 3, 3, 3], dy=[1, 1, 2])
TRANSLATE(mesh, (0, 0, 1))
BODY(solfec, 'PSEUDO_RIGID', mesh, bulk)
body = BODY(solfec, 'RIGID', SPHERE((0, 0, 5), 1, 1, 1), bulk, label='ball')
INITIAL_VELOCITY(body, (0, 0, -10), (0, 0, 0))
SURFACE_MATERIAL(solfec, model='SIGNORINI_COULOMB', friction=0.5, restitution=0.0)
GRAVITY(solfec, (0, 0, -10))
OUTPUT(solfec, 0.01)
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-3, 1000), 1.0)
