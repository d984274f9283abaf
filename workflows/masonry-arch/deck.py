# solfec: python3
"""A semicircular masonry arch of 27 voussoirs. Below a thickness of 0.10672 of the mean radius it collapses.

usage: sf-build [--set points=1] deck.py -- RATIO [OUTPUT]; with one contact point for a pair of elements, as in
Solfec-1.0, voussoirs have thin strips of elements at the rims, and the least thickness is 0.10946
"""
from math import cos, pi, sin

points = globals().get('points', 4)
args = NON_SOLFEC_ARGV() or ['0.1069']
ratio = float(args[0])
output = args[1] if len(args) > 1 else 'out/arch-%s' % args[0]

# 1. Geometry: mean radius 10, width 5, thickness ratio * radius.
bricks, radius, width = 27, 10.0, 5.0
thickness = ratio * radius
inner, outer = radius - thickness / 2, radius + thickness / 2
GEOMETRIC_EPSILON(1E-4)

solfec = SOLFEC('DYNAMIC', 1E-3, output)
CONTACT_POINTS(solfec, points)
CONTACT_SPARSIFY(solfec, 0.005)
SURFACE_MATERIAL(solfec, model='SIGNORINI_COULOMB', friction=0.5)
bulk = BULK_MATERIAL(solfec, model='KIRCHHOFF', young=1E9, poisson=0.25, density=1)


def voussoir(first, last, i, j, dx):
    """The block between two angles: local x along the radius, y across the width, z along the arch."""
    def ring(angle):
        c, s = cos(angle), sin(angle)
        return [inner*c, -width/2, inner*s,  outer*c, -width/2, outer*s,
                outer*c,  width/2, outer*s,  inner*c,  width/2, inner*s]
    return HEX(ring(first) + ring(last), i, j, 1, 1, [1, 2, 3, 4, 5, 6], dx=dx)


# 2. Two fixed springers below the arch, then the voussoirs from the left to the right.
#    Contact points at the corners let an interface open about its edge; where there is one, thin strips do.
angle = pi / bricks
BODY(solfec, 'OBSTACLE', voussoir(pi, pi + angle, 1, 1, [1]), bulk)
BODY(solfec, 'OBSTACLE', voussoir(-angle, 0, 1, 1, [1]), bulk)
for n in reversed(range(bricks)):
    mesh = (3, 2, [0.05, 1.9, 0.05]) if points == 1 else (1, 1, [1])
    block = voussoir(n * angle, (n + 1) * angle, *mesh)
    BODY(solfec, 'RIGID', block, bulk, label='V%02d' % (n + 1))

# 3. Gravity and 0.75 s of motion.
GRAVITY(solfec, (0, 0, -9.81))
OUTPUT(solfec, 0.01)
RUN(solfec, 'AUTO', 0.75)
