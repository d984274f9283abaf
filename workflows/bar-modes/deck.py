# A bar of aluminium, 0.3 x 0.03 x 0.02 m, and its first modes as bodies beside it.
solfec = SOLFEC('DYNAMIC', 1E-4, 'out/bar')
bulk = BULK_MATERIAL(solfec, young=70E9, poisson=0.33, density=2700, label='ALUMINIUM')

length, width, height = 0.3, 0.03, 0.02
box = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1]
mesh = SCALE(HEX(box, 60, 6, 4, 1, [1]*6), (length, width, height))
bar = BODY(solfec, 'FINITE_ELEMENT', COPY(mesh), bulk, label='BAR')
values, vectors = MODAL_ANALYSIS(bar, 12, 'out/modes')

nodes, elements, surfaces = mesh.get_data()
numbers = len(nodes)
for mode in range(6, 12):
    shape = vectors[mode * numbers:(mode + 1) * numbers]
    largest = max(map(abs, shape))
    moved = [x + 0.03 * u / largest for x, u in zip(nodes, shape)]
    frequency = values[mode] ** 0.5 / 6.283185307179586
    made = TRANSLATE(MESH(moved, elements, surfaces), (0, 0.08 * (mode - 5), 0))
    BODY(solfec, 'OBSTACLE', made, bulk, label='%.0f_Hz' % frequency)
