"""Adds a line a case to the history of figures, and draws it.

usage: record.py BIN HISTORY PICTURE [--turns K]

BIN: directory of the tools. Cases of libsolfec/benches/instructions count instructions. Runs of decks tell user seconds
over those of the yardstick, which runs before each of them: the least of K turns, 5 unless another number is given.
"""
import argparse
import csv
import datetime
import os
import pathlib
import platform
import resource
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
COLUMNS = ['date', 'commit', 'machine', 'rustc', 'case', 'figure', 'value']
# Name, deck, its arguments, options of sf-run.
RUNS = [
    ('start', 'workflows/ball-impact/deck.py', [], ['--steps', '1']),
    ('cradle', 'workflows/newtons-cradle/deck.py', [], []),
    ('dominoes', 'workflows/dominoes/deck.py', [], []),
    ('arch', 'workflows/masonry-arch/deck.py', ['0.1069'], []),
    ('shaken wall', 'benches/mujoco/deck.py', [], ['--steps', '500']),
    ('block', 'benches/ranks/block.py', ['16', '50', '10'], []),
]


def user_seconds(*line, **options):
    """User seconds of a program and of what it starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    line = list(map(str, line))
    done = subprocess.run(line, capture_output=True, text=True, **options)
    if done.returncode:
        sys.exit(f'error: {" ".join(line)}: code {done.returncode}: {done.stderr.strip()}')
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def output(*line):
    return subprocess.run(line, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def counted():
    """(case, instructions) of the cases that have a count."""
    if shutil.which('valgrind') is None:
        sys.exit('error: no valgrind (Debian: apt-get install valgrind)')
    lines = output('.ci/instructions', '--print').splitlines()
    words = [line.split() for line in lines if not line.startswith('rustc')]
    return [(case, int(whole)) for case, whole, _ in words]


def timed(binaries, turns):
    """(case, user seconds over those of the yardstick) of the runs."""
    # Not one that a shell script looks for first.
    python = dict(os.environ, SF_PYTHON=sys.executable)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        yardstick = folder / 'yardstick'
        subprocess.run(['cc', '-O2', '-o', yardstick, HERE / 'yardstick.c'], check=True)
        for name, deck, arguments, options in RUNS:
            unit, least = float('inf'), float('inf')
            for _ in range(turns):
                unit = min(unit, user_seconds(yardstick))
                line = [binaries / 'sf-run', '-q', '-w', '-j', 1, '-o', folder / 'out', *options, ROOT / deck]
                least = min(least, user_seconds(*line, '--', *arguments, cwd=folder, env=python))
            yield name, least / unit


def machine():
    with open('/proc/cpuinfo') as file:
        models = [line.split(':')[1].strip() for line in file if line.startswith('model name')]
    return f'{models[0] if models else platform.machine()}, {os.cpu_count()} cores'


def draw(history, picture):
    import matplotlib
    matplotlib.use('Agg')
    import matplotlib.pyplot as plt
    with open(history) as file:
        rows = list(csv.DictReader(file))
    figures = [('instructions', 'instructions over the first record'), ('ratio', 'user time over the yardstick')]
    _, axes = plt.subplots(2, 1, figsize=(8, 8), layout='constrained')
    records = list(dict.fromkeys((row['date'], row['commit']) for row in rows))
    for axis, (figure, title) in zip(axes, figures):
        for case in dict.fromkeys(row['case'] for row in rows if row['figure'] == figure):
            of = [row for row in rows if (row['figure'], row['case']) == (figure, case)]
            first = float(of[0]['value']) if figure == 'instructions' else 1
            at = [records.index((row['date'], row['commit'])) for row in of]
            axis.plot(at, [float(row['value']) / first for row in of], marker='o', label=case)
        axis.set_title(title)
        names = [f'{date[:10]} {commit}' for date, commit in records]
        axis.set_xticks(range(len(records)), names, fontsize=7, rotation=90)
        axis.set_xlim(-0.5, len(records) - 0.5)
        axis.grid(alpha=0.3)
        axis.legend(fontsize=8, ncols=2)
    axes[1].set_yscale('log')
    plt.savefig(picture, dpi=90)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument('bin', type=pathlib.Path)
    arguments.add_argument('history', type=pathlib.Path)
    arguments.add_argument('picture', type=pathlib.Path)
    arguments.add_argument('--turns', type=int, default=5)
    given = arguments.parse_args()
    changed = output('git', 'status', '--porcelain', '--untracked-files=no').strip()
    head = [
        datetime.datetime.now(datetime.timezone.utc).strftime('%Y-%m-%d %H:%M'),
        output('git', 'rev-parse', '--short', 'HEAD').strip() + ('+' if changed else ''),
        machine(),
        output('rustc', '--version').split()[1],
    ]
    figures = [(case, 'instructions', count) for case, count in counted()]
    figures += [(case, 'ratio', f'{ratio:.3f}') for case, ratio in timed(given.bin.resolve(), given.turns)]
    is_new = not given.history.exists()
    with open(given.history, 'a', newline='') as file:
        out = csv.writer(file, lineterminator='\n')
        if is_new:
            out.writerow(COLUMNS)
        out.writerows(head + list(figure) for figure in figures)
    for case, figure, value in figures:
        print(f'{case:12} {figure:12} {value}')
    draw(given.history, given.picture)


main()
