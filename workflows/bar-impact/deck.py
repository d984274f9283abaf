# A bar of steel, 1 m long, 0.1 x 0.1 m across, flies against a wall at 1 m/s.
elements = 100
length, side, young, density, velocity = 1.0, 0.1, 200E9, 8000, 1.0
wave = (young / density) ** 0.5
step = 0.5 * length / elements / wave

solfec = SOLFEC('DYNAMIC', step, 'out/bar-impact')
SURFACE_MATERIAL(solfec, friction=0)
steel = BULK_MATERIAL(solfec, young=young, poisson=0, density=density, label='STEEL')

box = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1]
mesh = TRANSLATE(SCALE(HEX(box, elements, 2, 2, 1, [1] * 6), (length, side, side)), (0, -side / 2, -side / 2))
bar = BODY(solfec, 'FINITE_ELEMENT', mesh, steel, label='BAR', form='TL')
bar.scheme = 'DEF_EXP'
INITIAL_VELOCITY(bar, (-velocity, 0, 0), (0, 0, 0))
BODY(solfec, 'OBSTACLE', TRANSLATE(SCALE(HEX(box, 1, 1, 1, 1, [2] * 6), (0.1, 0.4, 0.4)), (-0.1, -0.2, -0.2)), steel,
     label='WALL')

OUTPUT(solfec, 4 * step)
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-8, 1000), 2.8 * length / wave)
