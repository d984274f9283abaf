# solfec: python3
# A long rigid cylinder is pressed into an elastic half-space: plane strain, which Poisson's ratio 0 keeps.
# Lengths are in half widths of the contact that is wanted, of which the cylinder has 200 as its radius.
from math import cos, sin

elements, steps = 8, 40
radius, young, depth = 200.0, 1E6, 0.014

# Widths of elements: equal where the contact is, then growing up to 120 half widths.
widths = [1 / elements] * (3 * elements // 2)
while sum(widths) < 120:
    widths.append(widths[-1] * 1.4 ** (8 / elements))
side, thick = sum(widths), 1 / elements

solfec = SOLFEC('QUASI_STATIC', 1, 'out/hertz')
SURFACE_MATERIAL(solfec, friction=0)
# Steps of 1 s are long beside the vibrations of the block, and not so long that the equations become ill-conditioned.
bulk = BULK_MATERIAL(solfec, young=young, poisson=0, density=young / (6 * side)**2)

corners = [-side, 0, -side, side, 0, -side, side, thick, -side, -side, thick, -side,
           -side, 0, 0, side, 0, 0, side, thick, 0, -side, thick, 0]
mesh = HEX(corners, 2 * len(widths), 1, len(widths), 1, [1] * 6, widths[::-1] + widths, [1], widths[::-1])
nodes = mesh.get_data()[0]
block = BODY(solfec, 'FINITE_ELEMENT', mesh, bulk, label='BLOCK', form='BC')
for k in range(0, len(nodes), 3):
    if nodes[k + 2] == -side:
        FIX_POINT(block, tuple(nodes[k:k + 3]))

turns = [1.5 / radius * (k / (12 * elements) - 1) for k in range(24 * elements + 1)]
arc = [(radius * sin(t), radius * (1 - cos(t))) for t in turns] + [(-1, 4), (1, 4)]
roller = BODY(solfec, 'OBSTACLE', HULL([c for y in (-thick, 2 * thick) for x, z in arc for c in (x, y, z)], 2, 2), bulk,
              label='ROLLER')
SET_DISPLACEMENT(roller, (0, 0, 0), (0, 0, -1), TIME_SERIES([0, 0, steps, depth]))

OUTPUT(solfec, 1)
RUN(solfec, PROXIMAL_NEWTON_SOLVER(1E-16), steps)

# Read by 'sf-run --read': the forces of contact of the last frame along the width.
if solfec.mode == 'READ':
    SEEK(solfec, steps)
    print('x,force')
    for x, force in sorted((c.point[0], c.R[2]) for c in solfec.constraints if c.kind == 'CONTACT'):
        print('%.6g,%.6g' % (x, force / thick))
