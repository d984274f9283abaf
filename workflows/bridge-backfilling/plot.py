"""Draws histories of sweeps and of contact points for several numbers of processes.

usage: plot.py PICTURE.png N.csv...; tables of 'sf-history RESULTS CONS ITERS --per-step'; needs matplotlib
N is the number of processes.
"""
import csv
import sys
from pathlib import Path

import matplotlib

matplotlib.use('Agg')
import matplotlib.pyplot as plt  # noqa: E402

WINDOW = 25  # steps over which sweeps are averaged


def column(rows, name):
    return [float(row[name]) for row in rows]


def mean(values):
    """The mean over the window around each value."""
    half = WINDOW // 2
    windows = (values[max(0, k - half):k + half + 1] for k in range(len(values)))
    return [sum(window) / len(window) for window in windows]


def main(picture, *tables):
    figure, (sweeps, contacts) = plt.subplots(1, 2, figsize=(10, 3.6), layout='constrained')
    for table in tables:
        with open(table) as lines:
            rows = list(csv.DictReader(lines))
        time, name = column(rows, 'time'), '%s processes' % Path(table).stem
        sweeps.plot(time, mean(column(rows, 'ITERS')), linewidth=1, label=name)
        contacts.plot(time, [number / 1000 for number in column(rows, 'CONS')], linewidth=1, label=name)
    sweeps.set(xlabel='time [s]', ylabel='sweeps a step (mean of %d)' % WINDOW, ylim=(0, 200))
    contacts.set(xlabel='time [s]', ylabel='contact points [1000]', ylim=(0, 30))
    for number, text in ((2.6, 'about 2.6 at first'), (27, 'about 27 in the end')):
        contacts.axhline(number, color='grey', linewidth=0.8, linestyle='--')
        contacts.text(1.2, number + 0.3, 'Koziara and Bićanić: ' + text, fontsize=8, color='grey')
    for axes, place in ((sweeps, 'upper right'), (contacts, 'center right')):
        axes.grid(alpha=0.3)
        axes.legend(fontsize=8, loc=place)
    figure.savefig(picture, dpi=120)


if __name__ == '__main__':
    main(*sys.argv[1:])
