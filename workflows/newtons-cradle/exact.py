"""Five pendulums that exchange momentum when they meet, from impact to impact.

usage: exact.py GAP            the curves (GAP is more than 0: impacts of two balls each)
       exact.py GAP TABLE.csv  compares the first impacts in the table with the exact ones
"""
import sys
from math import cos, hypot, pi, sin, sqrt

from curves import read, rk4, write

gravity, balls, radius, length, start, h = 9.81, 5, 0.02, 0.25, pi / 4, 1e-4


def place(y, k, gap):
    """Centre of a ball and the direction in which it moves as its angle grows."""
    a = y[k]
    return (k * (2 * radius + gap) + length * sin(a), length - length * cos(a)), (cos(a), sin(a))


def distance(y, k, gap):
    """Between the surfaces of balls k and k + 1."""
    (p, _), (q, _) = place(y, k, gap), place(y, k + 1, gap)
    return hypot(q[0] - p[0], q[1] - p[1]) - 2 * radius


def collide(y, k, gap):
    """An elastic impact of balls k and k + 1, whose links let them move along their circles only."""
    (p, s), (q, t) = place(y, k, gap), place(y, k + 1, gap)
    d = hypot(q[0] - p[0], q[1] - p[1])
    n = ((q[0] - p[0]) / d, (q[1] - p[1]) / d)
    a, b = s[0] * n[0] + s[1] * n[1], t[0] * n[0] + t[1] * n[1]
    approach = a * y[balls + k] - b * y[balls + k + 1]
    if approach > 0:
        impulse = 2 * approach / (a * a + b * b)
        y[balls + k] -= impulse * a
        y[balls + k + 1] += impulse * b
    return approach > 0


def rate(t, y):
    return y[balls:] + [-gravity / length * sin(a) for a in y[:balls]]


def motion(gap, stop=1.2):
    """Steps of 1E-4 s, halved down to 1E-9 s where balls meet."""
    t, y, rows = 0.0, [-start] + [0.0] * (2 * balls - 1), []
    while t < stop:
        rows.append([t] + [place(y, k, gap)[0][0] for k in range(balls)])
        end = t + h
        while t < end - 1e-12:
            step = end - t
            after = rk4(rate, t, y, step)
            while step > 1e-9 and any(distance(after, k, gap) < 0 and distance(y, k, gap) >= 0 for k in range(balls - 1)):
                step /= 2
                after = rk4(rate, t, y, step)
            t, y = t + step, after
            while any([distance(y, k, gap) <= 1e-12 and collide(y, k, gap) for k in range(balls - 1)]):
                pass
    return rows


gap, tables = float(sys.argv[1]), sys.argv[2:]
if not tables:
    write(['time'] + ['ball_%d' % (k + 1) for k in range(balls)], motion(gap)[::10])
else:
    table = read(tables[0])
    # Velocities 2 to 8 ms after the first impact at the latest, relative to that of the first ball at it.
    speed = sqrt(2 * gravity * length * (1 - cos(start)))
    moved = next(k for k, v in enumerate(table['v5']) if v > 0.1 * speed) + 2
    ratios = ', '.join('%g' % (round(table['v%d' % (k + 1)][moved] / speed, 3) + 0.0) for k in range(balls))
    exact = '0, 0, 0, 0, 1' if gap > 0 else '-0.6, 0.4, 0.4, 0.4, 0.4'
    print('  gap %g m: velocities after the first impacts %s of the striking one; exact %s' % (gap, ratios, exact))
