"""A block of bricks in running bond under its weight, N by N by N of them; every step makes the same number of sweeps.

usage: sf-run block.py -- N SWEEPS STEPS
"""
N, SWEEPS, STEPS = [int(text) for text in NON_SOLFEC_ARGV()[:3]]
H = 1E-3
SIZE = (1.0, 0.5, 0.4)
NONE = [1, 1, 1, 1, 1, 1]


def box(low, size):
    corners = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
    nodes = [low[k] + corner[k] * size[k] for corner in corners for k in range(3)]
    return HEX(nodes, 1, 1, 1, 1, NONE)


solfec = SOLFEC('DYNAMIC', H, 'out/block')
SURFACE_MATERIAL(solfec, model='SIGNORINI_COULOMB', friction=0.5)
bulk = BULK_MATERIAL(solfec, model='KIRCHHOFF', young=1E9, poisson=0.3, density=2E3)
CONTACT_POINTS(solfec, 4)
BODY(solfec, 'OBSTACLE', box((-1, -1, -1), (N * SIZE[0] + 2, N * SIZE[1] + 2, 1)), bulk)
for z in range(N):
    for y in range(N):
        for x in range(N):
            shift = 0.25 * SIZE[0] * (z % 2)
            BODY(solfec, 'RIGID', box((x * SIZE[0] + shift, y * SIZE[1], z * SIZE[2]), SIZE), bulk)
GRAVITY(solfec, (0, 0, -10))
OUTPUT(solfec, H * STEPS)
# No tolerance ends the sweeps, so that contacts need one of their own.
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-30, SWEEPS, diagepsilon=1E-5), H * STEPS)
