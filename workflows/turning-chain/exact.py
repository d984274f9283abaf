"""The energy of the chain must not drift, and errors must fall with the square of the step.

usage: exact.py FOLDER
"""
import sys
from math import dist

from curves import read

# Energy of the bars at their levers from the support, 10 kg each [J].
SCALE = sum(10 * 10 * (k + 0.5) for k in range(5))


def energy_error(table):
    """Error of the energy at each time, relative to the scale."""
    total = [sum(z, k) for k, *z in zip(table['KINETIC'], *([100 * z for z in table['z%d' % b]] for b in range(5)))]
    return [(e - total[0]) / SCALE for e in total]


def tip_error(folder, step):
    """Distance of the tip from that of the finest step at the end, and of the pin from where it belongs, at most."""
    coarse, fine = (read('%s/tip-%s.csv' % (folder, h)) for h in (step, '1.25E-4'))
    pin = max(dist(p, (0, 0, 0)) for p in zip(coarse['px'], coarse['py'], coarse['pz']))
    return dist([coarse[c][-1] for c in 'xyz'], [fine[c][-1] for c in 'xyz']), pin


if __name__ == '__main__':
    folder = sys.argv[1]
    for step in ('5E-4', '1E-2'):
        error = energy_error(read('%s/energy-%s.csv' % (folder, step)))
        half = len(error) // 2
        drift = 2 * (sum(error[half:]) / (len(error) - half) - sum(error[:half]) / half)
        print('  step %s: energy off by at most %.1e of its scale in 300 s, drift %.1e' % (step, max(map(abs, error)), drift))
    errors = {step: tip_error(folder, step) for step in ('4E-3', '2E-3', '1E-3')}
    print('  tip after 1.5 s off by %.1e, %.1e, %.1e m at steps 4E-3, 2E-3, 1E-3' % tuple(e[0] for e in errors.values()))
