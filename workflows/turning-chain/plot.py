"""The picture of docs/theory.md, section 8.

usage: plot.py FOLDER PICTURE
"""
import sys

import matplotlib
matplotlib.use('Agg')
import matplotlib.pyplot as plt

from curves import read
from exact import energy_error, tip_error

folder, picture = sys.argv[1:]
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.2), dpi=110)
steps = ['4E-3', '2E-3', '1E-3', '5E-4']
errors = [tip_error(folder, step) for step in steps]
h = [float(step) for step in steps]
left.loglog(h, [e[0] for e in errors], 'o-', label='tip after 1.5 s')
left.loglog(h, [e[1] for e in errors], 's-', label='support, largest at ends of steps')
left.loglog(h, [errors[0][1] * (x / h[0]) ** 2 * 0.3 for x in h], 'k:', label='slope 2')
left.set_xticks(h, steps)
left.minorticks_off()
left.set_xlabel('step [s]')
left.set_ylabel('error [m]')
left.legend(fontsize=8)
for step in ('1E-2', '5E-4'):
    table = read('%s/energy-%s.csv' % (folder, step))
    right.semilogy(table['time'], [abs(e) for e in energy_error(table)], lw=0.7, label='step %s s' % step)
right.set_xlabel('time [s]')
right.set_ylabel('error of the energy / scale')
right.set_ylim(1e-8, 1)
right.legend(fontsize=8)
for axes in (left, right):
    axes.grid(alpha=0.3)
figure.tight_layout()
figure.savefig(picture)
