# solfec: python3
"""One scene of scene.py. usage: sf-build --set scene=wall --set solver=auto --set merit=1e-8 deck.py"""
import os
import sys
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import scene as scenes

name, method, merit = globals().get('scene', 'wall'), globals().get('solver', 'auto'), globals().get('merit', 1e-8)
scene = scenes.SCENES[name]()

solfec = SOLFEC('DYNAMIC', 1E-3, 'out/mujoco-' + name)
CONTACT_POINTS(solfec, 4)
bulk = BULK_MATERIAL(solfec, density=scene.density)
SURFACE_MATERIAL(solfec, friction=scene.friction)
GRAVITY(solfec, scene.gravity)


def box(corners, surface):
    x0, y0, z0, x1, y1, z1 = corners
    points = [x0, y0, z0, x1, y0, z0, x1, y1, z0, x0, y1, z0, x0, y0, z1, x1, y0, z1, x1, y1, z1, x0, y1, z1]
    return HULL(points, surface, surface)


ground = BODY(solfec, 'OBSTACLE', [box(corners, 1) for corners in scene.fixed], bulk, label='GROUND')
for k, corners in enumerate(scene.boxes):
    BODY(solfec, 'RIGID', box(corners, 2), bulk, label='B%d' % k)
for k, (x, y, z, r) in enumerate(scene.spheres):
    BODY(solfec, 'RIGID', SPHERE((x, y, z), r, 2, 2), bulk, label='S%d' % k)
if scene.base:
    step = 1E-3
    record = TIME_SERIES([[k * step, scenes.shift(k * step)] for k in range(int(scene.end / step) + 2)])
    SET_DISPLACEMENT(ground, ground.center, (1, 0, 0), record)
    SET_VELOCITY(ground, ground.center, (0, 1, 0), 0)
    SET_VELOCITY(ground, ground.center, (0, 0, 1), 0)

solver = {'auto': lambda: AUTO_SOLVER(merit), 'gauss-seidel': lambda: GAUSS_SEIDEL_SOLVER(1E-4, 500)}[method]()
OUTPUT(solfec, 0.02)
RUN(solfec, solver, scene.end)
