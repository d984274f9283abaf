"""Seconds of the phases of a run on one process and on several, in turn, and how evenly work is dealt out.

usage: compare.py BIN OUT [--deck FILE ARGUMENT ...] [--processes N ...] [--pairs K]
       compare.py BIN OUT --model FILE --after RESULTS --steps S [--processes N ...] [--pairs K]

BIN: directory of sf-run and sf-history; OUT: directory for results. Processes have one thread each; `1x2` means one
process of two threads. The table has the least of K runs for each phase, and the counts of the last step. With --after,
S steps of a model follow those of RESULTS, of which each run has a copy.
"""
import argparse
import json
import pathlib
import shutil
import subprocess
import time

HERE = pathlib.Path(__file__).parent
PHASES = ['TIMINT', 'CONDET', 'LOCDYN', 'CONSOL', 'PARBAL', 'GSCOM', 'GSMCOM']


def steps_of(binaries, results, items, since=0.0):
    """Rows of the log of steps after a time [s]."""
    line = [binaries / 'sf-history', results, '--per-step', *items]
    table = subprocess.run(line, check=True, capture_output=True, text=True).stdout.splitlines()[1:]
    rows = [[float(cell or 'nan') for cell in row.split(',')] for row in table]
    return [row for row in rows if row[0] > since]


def run(given, out, processes, threads):
    """Seconds of each phase, of the whole, and what state.json says."""
    shutil.rmtree(out, ignore_errors=True)
    count = ['-np', str(processes)] if processes > 1 else []
    line = [given.bin / 'sf-run', *count, '-q', '-j', str(threads), '-o', out]
    since = 0.0
    if given.after:
        shutil.copytree(given.after, out)
        made = steps_of(given.bin, out, ['CONS'])
        since = made[-1][0]
        line += ['-c', given.model, '--steps', str(len(made) + given.steps)]
    else:
        line += [given.deck[0], '--', *given.deck[1:]]
    begun = time.time()
    # Sweeps that are cut short miss their tolerance.
    subprocess.run(line, check=True, stderr=subprocess.DEVNULL)
    whole = time.time() - begun
    sums = [sum(x for x in column if x == x) for column in zip(*steps_of(given.bin, out, PHASES, since))]
    return sums[1:] + [whole], json.loads((out / 'state.json').read_text())


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument('bin', type=pathlib.Path)
    arguments.add_argument('out', type=pathlib.Path)
    arguments.add_argument('--deck', nargs='+', default=[HERE / 'block.py', '22', '50', '20'])
    arguments.add_argument('--model', type=pathlib.Path)
    arguments.add_argument('--after', type=pathlib.Path)
    arguments.add_argument('--steps', type=int, default=50)
    arguments.add_argument('--processes', nargs='+', default=['1', '2'])
    arguments.add_argument('--pairs', type=int, default=5)
    given = arguments.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    cases = [tuple(int(number) for number in (text + 'x1').split('x')[:2]) for text in given.processes]
    best = {}
    counts = {}
    for _ in range(given.pairs):
        for case in cases:
            out = given.out / 'x'.join(map(str, case))
            seconds, counts[case] = run(given, out, *case)
            best[case] = [min(pair) for pair in zip(seconds, best.get(case, seconds))]
    print('| processes x threads | ' + ' | '.join(PHASES) + ' | whole | solve, times | whole, times |')
    print('|---' * (len(PHASES) + 4) + '|')
    solve = PHASES.index('CONSOL')
    for case in cases:
        ratio = [best[cases[0]][k] / best[case][k] for k in (solve, -1)]
        cells = [f'{number:.2f}' for number in best[case] + ratio]
        print(f'| {case[0]} x {case[1]} | ' + ' | '.join(cells) + ' |')
    for case in cases:
        told = counts[case].get('counts', {})
        for name in ('weight', 'constraints', 'external', 'sent_mb'):
            if name in told and told[name]['avg'] > 0:
                of = told[name]
                print(f'{case[0]} processes, {name}: sum {of["sum"]:.6g}, largest / mean {of["max"] / of["avg"]:.3f}')


if __name__ == '__main__':
    main()
