# solfec: python3
"""A row of twelve dominoes; a small push topples the first, and the row follows.

usage: sf-build [--set points=1] deck.py; with one contact point for a pair of elements, as in Solfec-1.0
"""
points = globals().get('points', 4)

count = 12
thickness, width, height, pitch = 0.008, 0.024, 0.048, 0.020

solfec = SOLFEC('DYNAMIC', 5E-4, 'out/dominoes')
CONTACT_POINTS(solfec, points)
SURFACE_MATERIAL(solfec, friction=0.3)
bulk = BULK_MATERIAL(solfec, density=1.2E3)
GRAVITY(solfec, (0, 0, -9.81))


def box(size, corner, strips):
    """With one contact point, amid the shared area, strips of elements let a box turn about its edge."""
    unit = [0, 0, 0,  1, 0, 0,  1, 1, 0,  0, 1, 0,  0, 0, 1,  1, 0, 1,  1, 1, 1,  0, 1, 1]
    mesh = HEX(unit, len(strips), 2, 1, 1, [1]*6, dx=strips) if points == 1 else HEX(unit, 1, 1, 1, 1, [1]*6)
    return TRANSLATE(SCALE(mesh, size), corner)


length = count * pitch + height
BODY(solfec, 'OBSTACLE', box((length + pitch, 0.1, 0.01), (-pitch, -0.05, -0.01), [1]), bulk, label='TABLE')
for k in range(count):
    shape = box((thickness, width, height), (k * pitch, -width / 2, 0), [1, 8, 1])
    domino = BODY(solfec, 'RIGID', shape, bulk, label='D%02d' % (k + 1))
    if k == 0:
        # It turns about its right bottom edge, so its centre moves to the right and slightly upwards.
        spin = 6.0
        INITIAL_VELOCITY(domino, (spin * height / 2, 0, spin * thickness / 2), (0, spin, 0))

OUTPUT(solfec, 0.005)
RUN(solfec, 'AUTO', 0.8)
