"""Times of this program beside those of MuJoCo on walls and heaps, with penetration and drift.

usage: compare.py BIN [OUT]     BIN: directory of sf-build and sf-run; OUT: directory for results, table and plot

MuJoCo's contacts are soft: its times mean little without the penetration and the drift that they buy. Both programs run
on one core and make the same steps of 1 ms; times are user seconds of the loop (MuJoCo) and of sf-run.
"""
import os
import resource
import shutil
import subprocess
import sys
import time

import h5py
import matplotlib
import mujoco
import numpy as np

import scene as scenes

matplotlib.use('Agg')
import matplotlib.pyplot as plt

STEP, EVERY = 1e-3, 20
# The last half second of a run, over which bodies that should rest drift.
REST = 0.5
# Solver and time constant of the contacts [s]: the default of MuJoCo, and as stiff as the step allows. Its Newton method
# takes minutes on the heap.
NEWTON = [('MuJoCo Newton', 'Newton', 0.02), ('MuJoCo Newton, stiff', 'Newton', 0.002)]
CG = [('MuJoCo CG', 'CG', 0.02), ('MuJoCo CG, stiff', 'CG', 0.002)]
RIVALS = {'wall': NEWTON + CG, 'heap': CG, 'slope': NEWTON + CG}
SWEEPS = ('GAUSS_SEIDEL, 1e-4', 'gauss-seidel', 1e-4)
FINE = [('AUTO, 1e-8', 'auto', 1e-8), SWEEPS]
OURS = {'wall': FINE, 'heap': [('AUTO, 1e-6', 'auto', 1e-6), SWEEPS], 'slope': FINE}


def mjcf(scene, solver, stiffness):
    def box(corners, name=''):
        low, high = np.array(corners[:3], float), np.array(corners[3:], float)
        place, half = (low + high) / 2, (high - low) / 2
        return ('<geom type="box" size="%.17g %.17g %.17g" ' % tuple(half)), place
    parts = []
    for corners in scene.fixed:
        head, place = box(corners)
        parts.append(head + 'pos="%.17g %.17g %.17g"/>' % tuple(place))
    for corners in scene.boxes:
        head, place = box(corners)
        parts.append('<body pos="%.17g %.17g %.17g"><freejoint/>%s/></body>' % (*place, head))
    for x, y, z, r in scene.spheres:
        parts.append('<body pos="%.17g %.17g %.17g"><freejoint/><geom type="sphere" size="%.17g"/></body>' % (x, y, z, r))
    return '''<mujoco><option timestep="%g" cone="elliptic" solver="%s" tolerance="1e-8" iterations="200"
        integrator="Euler" gravity="%.17g %.17g %.17g"/>
        <default><geom friction="%g 0 0" condim="3" density="%g" solref="%g 1"/></default>
        <worldbody>%s</worldbody></mujoco>''' % (STEP, solver, *scene.gravity, scene.friction, scene.density, stiffness,
                                                ''.join(parts))


def mujoco_run(scene, solver, stiffness):
    """User seconds, penetration [m] (the deepest contact of a frame, mean over frames), longest way of a body in the last
    half second [m], most contacts."""
    model = mujoco.MjModel.from_xml_string(mjcf(scene, solver, stiffness))
    data = mujoco.MjData(model)
    steps = round(scene.end / STEP)
    depths, most, spent, rest = [], 0, 0.0, None
    for k in range(steps):
        if scene.base:  # the frame of the ground: its acceleration is a field of gravity
            model.opt.gravity[0] = scene.gravity[0] - scenes.acceleration(k * STEP)
        begin = time.process_time()
        mujoco.mj_step(model, data)
        spent += time.process_time() - begin
        if (k + 1) % EVERY == 0 and data.ncon:
            depths.append(max(0.0, -data.contact.dist.min()))
            most = max(most, data.ncon)
        if k + 1 == steps - round(REST / STEP):
            rest = data.xipos[1:].copy()
    return spent, np.mean(depths), np.linalg.norm(data.xipos[1:] - rest, axis=1).max(), most


def our_run(name, method, merit, binaries, out):
    """The same of one run of sf-run -j 1, and the steps that missed the merit."""
    here, results = os.path.dirname(os.path.abspath(__file__)), os.path.join(out, 'results')
    model = os.path.join(out, 'model.sfm.h5')
    shutil.rmtree(results, ignore_errors=True)
    subprocess.run([os.path.join(binaries, 'sf-build'), '-f', '-o', model, '--set', 'scene=' + name,
                    '--set', 'solver=' + method, '--set', 'merit=%g' % merit, os.path.join(here, 'deck.py')], check=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run([os.path.join(binaries, 'sf-run'), '-q', '-j', '1', '-w', '-o', results, model], check=True)
    spent = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    with h5py.File(os.path.join(results, os.path.basename(results) + '.sfr.h5')) as file:
        domain = file['domains/0']
        times, rows, places = domain['frames/time'][:], domain['frames/row_rigid'][:], domain['rigid/x'][:]
        gap, merits, most = domain['con/gap'][:], domain['steps/merit'][:], domain['frames/ncon'][:].max()
        bounds = domain['frames/row_con'][:]
        frames = [gap[a:b].min() for a, b in zip(bounds[:-1], bounds[1:]) if b > a]
        depth = np.mean(np.maximum(0.0, -np.array(frames)))
        rest = np.argmin(abs(times - (times[-1] - REST)))
        move = places[rows[-2]:rows[-1]] - places[rows[rest]:rows[rest + 1]]
        kinds = domain['catalogue/kind'][:][domain['rigid/body'][rows[-2]:rows[-1]]]
        drift = np.linalg.norm(move[kinds == 1], axis=1).max()
    return spent, depth, drift, most, int((~(merits <= merit)).sum())


def main():
    binaries, out = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2] if len(sys.argv) > 2 else 'out')
    os.makedirs(out, exist_ok=True)
    table = {}
    print('%-6s %-22s %8s %12s %12s %9s %s' % ('scene', 'solver', 'user s', 'depth mm', 'drift mm', 'contacts', 'missed'))
    for name, make in scenes.SCENES.items():
        rows = [(label, *mujoco_run(make(), solver, stiffness), '') for label, solver, stiffness in RIVALS[name]]
        rows += [(label, *our_run(name, method, merit, binaries, out)) for label, method, merit in OURS[name]]
        for label, spent, depth, drift, most, missed in rows:
            drift = 'moves' if make().base else '%.3g' % (1e3 * drift)
            print('%-6s %-22s %8.2f %12.3g %12s %9d %s' % (name, label, spent, 1e3 * depth, drift, most, missed), flush=True)
        table[name] = rows
    plot(table, os.path.join(out, 'mujoco.png'))


def plot(table, path):
    """Penetration on the wall and in the heap, drift in the heap and on the slope, against time."""
    figure, axes = plt.subplots(2, 2, figsize=(9, 7.5))
    depth, drift = (2, 'mean of the deepest penetration [mm]'), (3, 'drift in half a second [mm]')
    for axis, name, (column, what) in zip(axes.flat, ['wall', 'heap', 'heap', 'slope'], [depth, depth, drift, drift]):
        for row in table.get(name, []):
            axis.semilogy(row[1], max(1e3 * row[column], 1e-6), 'o' if 'MuJoCo' in row[0] else 's', label=row[0])
        axis.set(title=name, xlabel='user time of 3000 steps [s]', ylabel=what)
        axis.set_xlim(left=0)
        axis.grid(True, which='both', alpha=0.3)
        axis.legend(fontsize=7)
    figure.tight_layout()
    figure.savefig(path, dpi=100)


if __name__ == '__main__':
    main()
