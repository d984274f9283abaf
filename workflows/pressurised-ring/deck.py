# A thick ring of 1 m and 2 m, in plane stress, under a pressure from within that grows to 1 MPa.
inner, outer, thick, young, poisson = 1.0, 2.0, 0.1, 1E11, 0.3
layers = 16
solfec = SOLFEC('QUASI_STATIC', 1, 'out/pressurised-ring')
steel = BULK_MATERIAL(solfec, young=young, poisson=poisson, density=1E3)
ring = PIPE((0, 0, 0), (0, 0, thick), inner, outer - inner, 1, 8 * layers, layers, 1, [1, 2, 3, 4])
body = BODY(solfec, 'FINITE_ELEMENT', ring, steel, label='RING', form='BC')
# By symmetry these bear nothing, but a free body would drift.
for x, y in ((outer, 0), (-outer, 0), (0, outer), (0, -outer)):
    FIX_DIRECTION(body, (x, y, 0), (0, 1, 0) if x else (1, 0, 0))
    FIX_DIRECTION(body, (x, y, 0), (0, 0, 1))
PRESSURE(body, 3, TIME_SERIES([0, 0, 10, -1E6, 11, -1E6]))
OUTPUT(solfec, 1)
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-8, 100), 10)
