"""The double pendulum by the Runge-Kutta method with a step of 1E-4 s, from impact to impact.

usage: exact.py free|wall            the curves
       exact.py free|wall TABLE.csv  the difference of the table from them
"""
import sys
from math import cos, pi, sin

from curves import at, largest_difference, read, rk4, write

gravity, restitution, h = 9.81, 0.1, 1e-4


def rate(t, y):
    """Angles from the vertical and their rates; unit masses and links."""
    a, b, u, v = y
    c, s = cos(a - b), sin(a - b)
    # 2 a'' + c b'' = p,  c a'' + b'' = q
    p = -s * v * v - 2 * gravity * sin(a)
    q = s * u * u - gravity * sin(b)
    det = 2 - c * c
    return [u, v, (p - c * q) / det, (2 * q - c * p) / det]


def places(y):
    return sin(y[0]), sin(y[0]) + sin(y[1])


def hit(y, ball):
    """Newton's restitution: the impulse of the wall reverses the normal velocity of one ball."""
    a, b, u, v = y
    g = (cos(a), 0.0) if ball == 0 else (cos(a), cos(b))     # x' = g . (u, v)
    c = cos(a - b)
    det = 2 - c * c
    w = ((g[0] - c * g[1]) / det, (2 * g[1] - c * g[0]) / det)
    approach = g[0] * u + g[1] * v
    impulse = -(1 + restitution) * approach / (g[0] * w[0] + g[1] * w[1])
    return [a, b, u + impulse * w[0], v + impulse * w[1]], approach


def motion(case):
    """Rows of time and angles; with the wall until balls come to rest on it, and the times of the impacts."""
    y, rows, impacts = [pi / 3, pi / 5, 0.0, 0.0], [], []
    steps = 50000 if case == 'free' else 25000
    for k in range(steps + 1):
        rows.append([k * h] + y)
        after = rk4(rate, k * h, y, h)
        for ball in (0, 1) if case == 'wall' else ():
            if places(after)[ball] < 0:
                # the instant within the step at which the ball touches, by bisection
                low, high = 0.0, h
                for _ in range(40):
                    middle = (low + high) / 2
                    low, high = (low, middle) if places(rk4(rate, k * h, y, middle))[ball] < 0 else (middle, high)
                bounced, approach = hit(rk4(rate, k * h, y, low), ball)
                if abs(approach) < 0.02:
                    return rows, impacts
                impacts.append((k * h + low, ball))
                after = rk4(rate, k * h + low, bounced, h - low)
        y = after
    return rows, impacts


case = sys.argv[1]
rows, impacts = motion(case)
curves = [(t, 1 * sin(a), sin(a) + sin(b), 2 - cos(a), 2 - cos(a) - cos(b)) for t, a, b, _, _ in rows[::10]]
names = ['time', 'upper_x', 'lower_x', 'upper_z', 'lower_z']
if len(sys.argv) == 2:
    write(names, curves)
else:
    table, exact = read(sys.argv[2]), list(zip(*curves))
    errors = [largest_difference(table['time'], table[n], exact[0], exact[k], curves[-1][0])
              for k, n in enumerate(names) if n in table and n != 'time']
    text = '  %s: until %.2f s never more than %.1e m from the fine integration' % (case, curves[-1][0], max(errors))
    if impacts:
        text += '; impacts on the wall at ' + ', '.join('%.4f' % t for t, _ in impacts[:5]) + ' s'
    print(text)
