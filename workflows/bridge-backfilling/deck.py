# solfec: python3
"""A masonry bridge of four arches is backfilled with stones: 10 030 rigid bodies (Koziara and Bićanić 2011, 8.1).

Seen from the front, x goes along the bridge and z up. Each ring has 27 voussoirs. Walls at the front and at the back
close the space above the rings, into which 9720 random convex stones fall.

usage: sf-build [--set duration=0.1] deck.py
"""
from math import cos, pi, sin
from random import Random

duration = globals().get('duration', 3.0)

# 1. Geometry [m].
arches, bricks = 4, 27
radius, thickness, width, parapet = 10.0, 2.0, 5.0, 13.0
inner, outer = radius - thickness / 2, radius + thickness / 2
span = 2 * outer
wall = thickness / 2                # thickness of a wall
sides = [(-width / 2, -width / 2 + wall), (width / 2 - wall, width / 2)]
angle = pi / bricks
courses = 4                         # voussoirs at either springing beside which walls go from ring to ring

solfec = SOLFEC('DYNAMIC', 1E-3, 'out/bridge')
CONTACT_SPARSIFY(solfec, 0.005)
SURFACE_MATERIAL(solfec, model='SIGNORINI_COULOMB', friction=0.5)
stone = BULK_MATERIAL(solfec, model='KIRCHHOFF', young=15E9, poisson=0.3, density=1.8E3)
GRAVITY(solfec, (0, 0, -9.81))


def block(kind, face, y, divisions=(1, 1, 1)):
    """A prism between two planes of constant y; its corners (x, z), seen from the front, go against the clock."""
    nodes = [coordinate for plane in reversed(y) for x, z in face for coordinate in (x, plane, z)]
    BODY(solfec, kind, HEX(nodes, *divisions, 1, [1] * 6), stone)


def on_ring(k, r, a):
    """The point of ring k at radius r and angle a from its right end."""
    return (k * span + r * cos(a), r * sin(a))


def voussoir(k, n, kind='RIGID', divisions=(2, 1, 3)):
    """The n-th of ring k, from the right; its divisions go along the radius, along the ring and across."""
    first, last = n * angle, (n + 1) * angle
    corners = [on_ring(k, inner, first), on_ring(k, outer, first), on_ring(k, outer, last), on_ring(k, inner, last)]
    block(kind, corners, (-width / 2, width / 2), divisions)


# 2. Rings on fixed springers, and walls from the rings to the parapet.
for k in range(arches):
    voussoir(k, -1, 'OBSTACLE', (1, 1, 1))
    voussoir(k, bricks, 'OBSTACLE', (1, 1, 1))
    for n in range(bricks):
        voussoir(k, n)
    for n in range(courses, bricks - courses):
        right, left = on_ring(k, outer, n * angle), on_ring(k, outer, (n + 1) * angle)
        for y in sides:
            block('RIGID', [left, right, (right[0], parapet), (left[0], parapet)], y, (1, 3, 2))

# 3. Walls in the valleys between rings: courses beside the voussoirs, and one block on top of them.
for k in range(arches + 1):
    def edges(a):
        """Where a valley begins and ends at the height of this angle: at a ring or at an end of the bridge."""
        left = on_ring(k - 1, outer, a)[0] if k > 0 else -outer
        right = on_ring(k, outer, pi - a)[0] if k < arches else arches * span - outer
        return left, right, outer * sin(a)
    for n in range(1, courses):
        (l0, r0, z0), (l1, r1, z1) = edges(n * angle), edges((n + 1) * angle)
        for y in sides:
            block('RIGID', [(l0, z0), (r0, z0), (r1, z1), (l1, z1)], y, (1, 1, 2))
    left, right, z = edges(courses * angle)
    for y in sides:
        block('RIGID', [(left, z), (right, z), (right, parapet), (left, parapet)], y, (1, 1, 2))

# 4. Fixed walls at both ends.
for left in (-outer - wall, arches * span - outer):
    block('OBSTACLE', [(left, 0), (left + wall, 0), (left + wall, parapet), (left, parapet)], (-width / 2, width / 2))

# 5. Stones in layers above the bridge, each the hull of 8 to 64 points in a cell of its own.
numbers = Random(1)
along, across, layers = arches * bricks, 6, 15
pitch = (width - 2 * wall) / across
for i in range(along):
    for j in range(across):
        for m in range(layers):
            corner = (-outer + i * span / bricks, -width / 2 + wall + j * pitch, parapet + m * pitch)
            points = [c + pitch * numbers.random() for _ in range(numbers.randint(8, 64)) for c in corner]
            BODY(solfec, 'RIGID', HULL(points, 2, 2), stone)

# 6. Symmetric sweeps to a merit of 1e-5, at most 200.
solver = GAUSS_SEIDEL_SOLVER(1.0, 200, meritval=1E-5)
solver.reverse = 'ON'
OUTPUT(solfec, 0.1)
RUN(solfec, solver, duration)
