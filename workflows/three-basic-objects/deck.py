# solfec: python3
"""The three basic shapes: a stack of convex bricks and an inclined mesh, hit by a sphere (manual, section 6.1)."""

# 1. A fixed floor of 10 x 10 x 1 m.
w, l, h = 10, 10, 1
floor = HULL([-w/2, -l/2, -h,  w/2, -l/2, -h,  w/2, l/2, -h,  -w/2, l/2, -h,
              -w/2, -l/2,  0,  w/2, -l/2,  0,  w/2, l/2,  0,  -w/2, l/2,  0], 1, 1)
solfec = SOLFEC('DYNAMIC', 1E-3, 'out/three-basic-objects')
CONTACT_POINTS(solfec, 4)
bulk = BULK_MATERIAL(solfec, model='KIRCHHOFF', young=15E9, poisson=0.3, density=2E3)
BODY(solfec, 'OBSTACLE', floor, bulk, label='FLOOR')

# 2. One rigid body of four convex bricks side by side.
a = b = c = 2
sid = 2
brick = CONVEX([0, 0, 0,  a, 0, 0,  a, b, 0,  0, b, 0,
                0, 0, c,  a, 0, c,  a, b, c,  0, b, c],
               [4, 0, 3, 2, 1, sid,  4, 1, 2, 6, 5, sid,  4, 2, 3, 7, 6, sid,
                4, 3, 0, 4, 7, sid,  4, 0, 1, 5, 4, sid,  4, 4, 5, 6, 7, sid], 2)
bricks = [COPY(brick),
          TRANSLATE(COPY(brick), (a, 0, 0)),
          TRANSLATE(COPY(brick), (0, b, 0)),
          TRANSLATE(COPY(brick), (a, b, 0))]
TRANSLATE(bricks, (-a, -b, 0))
BODY(solfec, 'RIGID', bricks, bulk, label='BRICKS')

# 3. A pseudo-rigid body with an inclined top, meshed 2 x 3 x 2.
nodes = [-1, -1, 0,  1, -1, 0,  1, 1, 0,  -1, 1, 0,
         -1, -1, 2,  1, -1, 2,  1, 1, 1,  -1, 1, 1]
mesh = HEX(nodes, 2, 3, 2, 3, [3, 3, 3, 3, 3, 3], dy=[1, 1, 2])
TRANSLATE(mesh, (0, 0, c))
BODY(solfec, 'PSEUDO_RIGID', mesh, bulk, label='WEDGE')

# 4. A sphere that comes down at 10 m/s.
ball = BODY(solfec, 'RIGID', SPHERE((0, 0, 5), 1, 1, 1), bulk, label='BALL')
INITIAL_VELOCITY(ball, (0, 0, -10), (0, 0, 0))

# 5. Dry friction, gravity, Gauss-Seidel; a frame every 5 ms.
SURFACE_MATERIAL(solfec, model='SIGNORINI_COULOMB', friction=0.5, restitution=0.0)
GRAVITY(solfec, (0, 0, -10))
OUTPUT(solfec, 5E-3)
RUN(solfec, 'AUTO', 1.0)
