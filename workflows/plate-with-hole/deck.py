# A plate of 40 x 40 m with a hole of 1 m in radius, pulled along x by a traction that grows to 1 MPa.
from math import cos, sin, pi
half, thick, around, along = 20, 0.2, 96, 64
solfec = SOLFEC('QUASI_STATIC', 1, 'out/plate-with-hole')
steel = BULK_MATERIAL(solfec, young=1E11, poisson=0.3, density=1E3)


def place(i, j):
    """Circles around the hole become squares at the edge; elements grow with the distance."""
    x, y, t = cos(2 * pi * i / around), sin(2 * pi * i / around), j / along
    r = half ** t
    r *= 1 - t * t + t * t / max(abs(x), abs(y))
    return x * r, y * r


nodes = []
for z in (0, thick):
    for j in range(along + 1):
        for i in range(around):
            nodes += [*place(i, j), z]
above = (along + 1) * around
elements, faces = [], []
for j in range(along):
    for i in range(around):
        k = (i + 1) % around
        low = [j * around + i, (j + 1) * around + i, (j + 1) * around + k, j * around + k]
        elements += [8] + low + [node + above for node in low] + [1]
        if j == along - 1 and abs(place(i + 0.5, along)[0]) > half - 1E-9:
            faces += [4, low[1], low[2], low[2] + above, low[1] + above, 2]
plate = BODY(solfec, 'FINITE_ELEMENT', MESH(nodes, elements, [3] + faces), steel, label='PLATE', form='BC')
# By symmetry these bear nothing, but a free body would drift.
for x, y in ((half, 0), (-half, 0), (0, half), (0, -half)):
    FIX_DIRECTION(plate, (x, y, 0), (0, 1, 0) if x else (1, 0, 0))
    FIX_DIRECTION(plate, (x, y, 0), (0, 0, 1))
PRESSURE(plate, 2, TIME_SERIES([0, 0, 10, 1E6, 11, 1E6]))
OUTPUT(solfec, 1)
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-8, 100), 10)
