"""Draws histories of sweeps and of contact points for several numbers of processes.

usage: histories.py PICTURE.png N.csv...; tables of 'sf-history RESULTS CONS ITERS --per-step'; needs matplotlib
N is the number of processes.
"""
import argparse
import csv
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


def main():
    parser = argparse.ArgumentParser(description='Histories of several numbers of processes.')
    parser.add_argument('picture')
    parser.add_argument('tables', nargs='+')
    parser.add_argument('--highest', type=float, default=30, help='of the axis of contact points [1000]')
    parser.add_argument('--mark', nargs=2, action='append', default=[], metavar=('NUMBER', 'TEXT'),
                        help='contact points [1000] of Koziara and Bićanić')
    given = parser.parse_args()
    figure, (sweeps, contacts) = plt.subplots(1, 2, figsize=(10, 3.6), layout='constrained')
    for table in given.tables:
        with open(table) as lines:
            rows = list(csv.DictReader(lines))
        time, name = column(rows, 'time'), '%s processes' % Path(table).stem
        sweeps.plot(time, mean(column(rows, 'ITERS')), linewidth=1, label=name)
        contacts.plot(time, [number / 1000 for number in column(rows, 'CONS')], linewidth=1, label=name)
    sweeps.set(xlabel='time [s]', ylabel='sweeps a step (mean of %d)' % WINDOW, ylim=(0, 200))
    contacts.set(xlabel='time [s]', ylabel='contact points [1000]', ylim=(0, given.highest))
    for number, text in given.mark:
        contacts.axhline(float(number), color='grey', linewidth=0.8, linestyle='--')
        contacts.text(0.4, (float(number) + 0.3) / given.highest, 'Koziara and Bićanić: ' + text,
                      transform=contacts.transAxes, fontsize=8, color='grey')
    for axes, place in ((sweeps, 'upper right'), (contacts, 'best')):
        axes.grid(alpha=0.3)
        axes.legend(fontsize=8, loc=place)
    figure.savefig(given.picture, dpi=120)


if __name__ == '__main__':
    main()
