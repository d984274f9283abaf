# solfec: python3
"""A block slides on a table and friction stops it: v0 = 1 m/s, friction 0.3, g = 10 m/s2.

It stops after v0^2 / (2 mu g) = 1/6 m and stays there: dry friction does not reverse it.
"""
speed, friction, gravity = 1.0, 0.3, 10.0

solfec = SOLFEC('DYNAMIC', 0.01, 'out/block-braking')
CONTACT_POINTS(solfec, 4)
SURFACE_MATERIAL(solfec, friction=friction)
bulk = BULK_MATERIAL(solfec, density=1E3)
GRAVITY(solfec, (0, 0, -gravity))

cube = HEX([0, 0, 0,  1, 0, 0,  1, 1, 0,  0, 1, 0,  0, 0, 1,  1, 0, 1,  1, 1, 1,  0, 1, 1], 1, 1, 1, 1, [1]*6)
BODY(solfec, 'OBSTACLE', TRANSLATE(SCALE(COPY(cube), (1.0, 0.6, 0.1)), (-0.3, -0.3, -0.1)), bulk)
block = BODY(solfec, 'RIGID', TRANSLATE(SCALE(cube, (0.3, 0.3, 0.1)), (-0.15, -0.15, 0)), bulk, label='BLOCK')
INITIAL_VELOCITY(block, (speed, 0, 0), (0, 0, 0))

OUTPUT(solfec, 0.01)
RUN(solfec, AUTO_SOLVER(1E-16), 0.5)
