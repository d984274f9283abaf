"""Draws what a model of the cost makes of runs on several numbers of processes: total times and those of sweeps.

usage: cost.py PICTURE.png ONE.csv N.csv...; needs matplotlib
ONE.csv: some steps by one process, 'sf-history RESULTS --per-step BODS CONS ITERS TIMINT CONDET LOCDYN CONSOL', from
which seconds a body, a contact point and a block solve come. N.csv: all steps by N processes, '... BODS CONS ITERS
GSCOLORS GSBOT GSMID GSTOP GSINN'. The model is (1) of docs/parallel.md, with its network; it is no measurement.
"""
import csv
import sys
from math import log2
from pathlib import Path

import matplotlib

matplotlib.use('Agg')
import matplotlib.pyplot as plt  # noqa: E402

LATENCY, BANDWIDTH = 1.5e-6, 1e10   # of the network [s, bytes/s]
LARGEST = 1.15                      # work of the process that has most, over the mean
BYTES = 48                          # of the velocity of a rigid body
PHASES = ('time integration', 'contact detection', 'local dynamics', 'solution')
PARTS = ('block solves', 'waiting for colours', 'messages')


def read(path):
    with open(path) as lines:
        return [{name: float(x) for name, x in row.items()} for row in csv.DictReader(lines)]


def rates(rows):
    """Seconds a body and step, a contact point and step in detection and in local dynamics, and a block solve."""
    total = {name: sum(row[name] for row in rows) for name in rows[0]}
    solves = sum(row['CONS'] * row['ITERS'] for row in rows)
    return (total['TIMINT'] / total['BODS'], total['CONDET'] / total['CONS'], total['LOCDYN'] / total['CONS'],
            total['CONSOL'] / solves)


def sweep(row, processes, solve):
    """Seconds of one sweep: what block solves take, waiting for colours, and messages."""
    colours = row['GSCOLORS']
    shared = row['GSBOT'] + row['GSMID'] + row['GSTOP']
    share = shared / max(shared + row['GSINN'], 1)
    work = row['CONS'] / processes * LARGEST * solve
    waiting = work * max(0, colours * share - 1)
    messages = colours * (LATENCY + BYTES * shared / processes / BANDWIDTH) + 2 * LATENCY * log2(processes)
    return work, waiting, messages


def times(rows, processes, rates):
    """Seconds of all phases, and of all parts of the solution."""
    body, detection, dynamics, solve = rates
    parts = [0, 0, 0]
    for row in rows:
        for k, seconds in enumerate(sweep(row, processes, solve)):
            parts[k] += row['ITERS'] * seconds
    share = LARGEST / processes
    bodies, contacts = (sum(row[name] for row in rows) for name in ('BODS', 'CONS'))
    return [body * bodies * share, detection * contacts * share, dynamics * contacts * share, sum(parts)], parts


def bars(axes, counts, columns, names, title):
    """Stacked bars, a bar for each number of processes, and linear scaling from the first."""
    places, base = range(len(counts)), [0] * len(counts)
    for k, name in enumerate(names):
        heights = [column[k] for column in columns]
        axes.bar(places, heights, bottom=base, label=name, width=0.6)
        base = [a + b for a, b in zip(base, heights)]
    axes.plot(places, [base[0] * counts[0] / count for count in counts], 'k--', linewidth=1, label='linear scaling')
    axes.set_xticks(list(places), [str(count) for count in counts])
    axes.set(xlabel='processes', ylabel='seconds, by the model', title=title, ylim=(0, 1.4 * max(base)))
    axes.legend(fontsize=8, ncols=2, loc='upper right')


def main(picture, one, *tables):
    measured = rates(read(one))
    tables = sorted(tables, key=lambda table: int(Path(table).stem))
    counts = [int(Path(table).stem) for table in tables]
    columns = [times(read(table), count, measured) for table, count in zip(tables, counts)]
    figure, (total, solution) = plt.subplots(1, 2, figsize=(10, 3.6), layout='constrained')
    bars(total, counts, [phases for phases, _ in columns], PHASES, 'Whole run')
    bars(solution, counts, [parts for _, parts in columns], PARTS, 'Gauss–Seidel')
    figure.savefig(picture, dpi=120)
    print('seconds a body %.2e, detection %.2e, local dynamics %.2e a contact, a block solve %.2e' % measured)
    for count, (phases, parts) in zip(counts, columns):
        text = '%3d processes: %.0f s, solution %.0f s, of which %.0f s wait'
        print(text % (count, sum(phases), phases[3], parts[1]))


if __name__ == '__main__':
    main(*sys.argv[1:])
