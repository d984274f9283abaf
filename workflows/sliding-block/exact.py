"""Exact solution of the sliding block: stopped by friction, and driven by 8 cos t.

usage: exact.py braking|driven            the curve
       exact.py braking|driven TABLE.csv  compares the table with the exact values
"""
import sys
from math import cos, sin

from curves import at, largest_difference, read, root, write


def braking(t, speed=1.0, friction=0.3, gravity=10.0):
    """Travel and velocity."""
    t = min(t, speed / (friction * gravity))
    return speed * t - friction * gravity * t * t / 2, speed - friction * gravity * t


def driven_phases(force=8.0, limit=0.8 * 9.81, stop=10.0):
    """Slips as (start, end, direction, place at the start): they begin where the force exceeds friction."""
    phases, t, x = [], 0.0, 3.0
    while t < stop:
        if abs(force * cos(t)) > limit + 1e-12:
            s = 1.0 if cos(t) > 0 else -1.0
            def speed(time):
                return s * (force * (sin(time) - sin(t)) - s * limit * (time - t))
            end = t + 1e-6
            while speed(end) > 0:
                end += 1e-3
            end = root(speed, end - 1e-3, end) if end > t + 1e-3 else end
            phases.append((t, end, s, x))
            x, t = slip(phases[-1], end, force, limit)[0], end
        else:
            excess = lambda time: abs(force * cos(time)) - limit
            start = t
            while excess(start) <= 0:
                start += 1e-3
            t = root(excess, start - 1e-3, start) + 1e-9
    return phases


def slip(phase, t, force=8.0, limit=0.8 * 9.81):
    """Place and velocity at a time within a slip."""
    t0, _, s, x0 = phase
    v = force * (sin(t) - sin(t0)) - s * limit * (t - t0)
    x = x0 + force * (cos(t0) - cos(t) - sin(t0) * (t - t0)) - s * limit * (t - t0) ** 2 / 2
    return x, v


def driven(t, phases):
    """Place and velocity."""
    begun = [p for p in phases if p[0] <= t]
    if not begun:
        return 3.0, 0.0
    last = begun[-1]
    return slip(last, t) if t < last[1] else (slip(last, last[1])[0], 0.0)


case, tables = sys.argv[1], sys.argv[2:]
phases = driven_phases()
if not tables and case == 'braking':
    write(['time', 'x', 'v'], [(k * 0.001,) + braking(k * 0.001) for k in range(501)])
elif not tables:
    write(['time', 'x', 'v'], [(k * 0.002,) + driven(k * 0.002, phases) for k in range(5001)])
elif case == 'braking':
    table = read(tables[0])
    # The last step stops the block from r = 0.01 m/s, which adds h r / 2 to the distance.
    print('  braking: stops after %.7f m; exact 1/6 = 0.1666667, and 0.1667000 with steps of 0.01 s' % table['x'][-1])
else:
    table = read(tables[0])
    times = [k * 0.002 for k in range(5001)]
    error = largest_difference(table['time'], table['x'], times, [driven(t, phases)[0] for t in times])
    print('  driven: x(2) = %.6f m, exact %.6f; never more than %.1e m from the exact curve, whose slips are 1.3e-2 m'
          % (at(table['time'], table['x'], 2.0), driven(2.0, phases)[0], error))
