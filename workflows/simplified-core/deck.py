# solfec: python3
"""A simplified graphite core under an earthquake: 5004 bodies in 12 layers (Koziara and Bićanić 2011, 8.2).

Hollow octagonal bricks stand in a square lattice, small bricks fill the gaps between four of them, and loose keys join
neighbours. The ring around the bore of a brick is shifted upwards, so that it reaches into the brick above. Floor and
walls are at rest in the frame of the picture; the acceleration of the ground acts as a horizontal body force.

usage: sf-build [--set duration=0.1] [--set step=1e-3] deck.py
"""
from math import cos, pi, sin
from random import Random

duration = globals().get('duration', 1.0)
step = globals().get('step', 1E-4)

# 1. Geometry [m].
columns, layers = 13, 12
width, height = 0.46, 0.44          # of a brick, across flats
pitch = 0.475                       # of the lattice
bore, ring = 0.13, 0.19             # inner radii, across flats, of the two rings of a brick
shift = 0.02                        # by which the inner ring is higher
slack = 0.001                       # above the inner ring, and at its sides
key = 0.038                         # width of a keyway
clearance = 0.0003                  # of a key in its keyway, on each side
margin = 0.01                       # between the core and the walls
wall = 0.1                          # thickness of walls and floor

solfec = SOLFEC('DYNAMIC', step, 'out/core')
SURFACE_MATERIAL(solfec, model='SIGNORINI_COULOMB', friction=0.5)
graphite = BULK_MATERIAL(solfec, model='KIRCHHOFF', young=15E9, poisson=0.3, density=1.8E3)


def prism(corners, low, high):
    """A prism between two levels; its corners (x, y) go against the clock, seen from above."""
    n = len(corners)
    vertices = [c for z in (low, high) for x, y in corners for c in (x, y, z)]
    faces = [n, *range(n - 1, -1, -1), 1, n, *range(n, 2 * n), 1]
    for i in range(n):
        j = (i + 1) % n
        faces += [4, i, j, n + j, n + i, 1]
    return CONVEX(vertices, faces, 1)


def turned(points, eighths):
    """Points turned by so many eighths of a circle about the origin."""
    c, s = cos(eighths * pi / 4), sin(eighths * pi / 4)
    return [(c * x - s * y, s * x + c * y) for x, y in points]


def box(low, high):
    """A box of edges along the axes."""
    corners = [(low[0], low[1]), (high[0], low[1]), (high[0], high[1]), (low[0], high[1])]
    return prism(corners, low[2], high[2])


def moved(parts, x, y, z):
    return [TRANSLATE(part, (x, y, z)) for part in parts]


def sector(inner, outer):
    """A side of an octagonal ring between these radii, across flats, on the axis x."""
    tangent = sin(pi / 8) / cos(pi / 8)
    return [(inner, -inner * tangent), (outer, -outer * tangent), (outer, outer * tangent), (inner, inner * tangent)]


def inner_ring(low, high):
    """It fits into the outer ring of the brick above."""
    return [prism(turned(sector(bore, ring - slack), side), low, high) for side in range(8)]


def brick():
    """The inner ring, and the outer one with its keyways."""
    first, left, _, _ = sector(ring, width / 2)
    beside = [first, left, (width / 2, -key / 2), (ring, -key / 2)]
    mirrored = [(u, -v) for u, v in reversed(beside)]
    parts = inner_ring(shift, height + shift - slack)
    for side in range(0, 8, 2):
        parts += [prism(turned(corners, side), 0, height) for corners in (beside, mirrored)]
        parts.append(prism(turned(sector(ring, width / 2), side + 1), 0, height))
    return parts


def place(i):
    return (i - (columns - 1) / 2) * pitch


# 2. Bricks and what is between them, layer by layer.
core = []
gap = pitch * 2 ** 0.5 - width      # between two bricks across a small one
small = (gap - 2 * clearance) / 2
reach = pitch - 2 * ring - 2 * clearance
for k in range(layers):
    z = k * height
    for i in range(columns):
        for j in range(columns):
            core.append(BODY(solfec, 'PSEUDO_RIGID', moved(brick(), place(i), place(j), z), graphite))
    for i in range(columns - 1):
        for j in range(columns - 1):
            x, y = place(i) + pitch / 2, place(j) + pitch / 2
            corners = turned([(small, -small), (small, small), (-small, small), (-small, -small)], 1)
            core.append(BODY(solfec, 'PSEUDO_RIGID', moved([prism(corners, 0, height)], x, y, z), graphite))
    # 3. Loose keys in every third gap.
    for i in range(columns):
        for j in range(columns - 1):
            if (i + j) % 3 == 0:
                across, along = key / 2 - clearance, reach / 2
                for low, at in (((-across, -along), (place(i), place(j) + pitch / 2)),
                                ((-along, -across), (place(j) + pitch / 2, place(i)))):
                    shape = [box((*low, 0), (-low[0], -low[1], height))]
                    BODY(solfec, 'RIGID', moved(shape, *at, z), graphite)
for body in core:
    body.scheme = 'DEF_LIM'
    body.damping = 1E-4

# 4. A floor with a ring under each column, and walls around.
half = place(columns - 1) + width / 2 + margin
top = layers * height
for i in range(columns):
    for j in range(columns):
        slab = box((-pitch / 2, -pitch / 2, -wall), (pitch / 2, pitch / 2, 0))
        BODY(solfec, 'OBSTACLE', moved([slab, *inner_ring(0, shift - slack)], place(i), place(j), 0), graphite)
for low, high in (((-half - wall, -half, 0), (-half, half, top)), ((half, -half, 0), (half + wall, half, top)),
                  ((-half, -half - wall, 0), (half, -half, top)), ((-half, half, 0), (half, half + wall, top))):
    BODY(solfec, 'OBSTACLE', box(low, high), graphite)

# 5. The ground: a sum of harmonics of 1 to 10 Hz, at most about 3 m/s² after a tenth of a second.
numbers = Random(1)
waves = [(1 + 9 * numbers.random(), 2 * pi * numbers.random()) for _ in range(20)]
times = [0.002 * n for n in range(int(duration / 0.002) + 2)]


def ground(t):
    return min(t / 0.1, 1) * 0.5 * sum(sin(2 * pi * f * t + phase) for f, phase in waves)


GRAVITY(solfec, (TIME_SERIES([c for t in times for c in (t, ground(t))]), 0, -9.81))

# 6. Symmetric sweeps to a merit of 1e-5, at most 200.
solver = GAUSS_SEIDEL_SOLVER(1.0, 200, meritval=1E-5)
solver.reverse = 'ON'
OUTPUT(solfec, duration / 20)
RUN(solfec, solver, duration)
