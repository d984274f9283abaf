# solfec: python3
# Stick and slip (Potra's benchmark): a block with friction 0.8 under a horizontal force 8 cos t, which a function gives.
from math import cos

solfec = SOLFEC('DYNAMIC', 1E-3, 'out/block-sliding')
SURFACE_MATERIAL(solfec, friction=0.8)
bulk = BULK_MATERIAL(solfec, density=1 / 0.009)
GRAVITY(solfec, (0, 0, -9.81))
cube = HEX([0, 0, 0,  1, 0, 0,  1, 1, 0,  0, 1, 0,  0, 0, 1,  1, 0, 1,  1, 1, 1,  0, 1, 1], 2, 2, 1, 1, [1]*6)
BODY(solfec, 'OBSTACLE', TRANSLATE(SCALE(COPY(cube), (1, 1, 0.1)), (2.5, -0.5, -0.1)), bulk)
block = BODY(solfec, 'RIGID', TRANSLATE(SCALE(cube, (0.3, 0.3, 0.1)), (2.85, -0.15, 0)), bulk, label='BLOCK')
FORCE(block, 'SPATIAL', (3, 0, 0.05), (1, 0, 0), lambda size, q, u, t, h: (size * cos(t),) + 8 * (0,), 8.0)
OUTPUT(solfec, 0.01)
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-5, 1000), 10.0)
