"""Shared by the exact.py of the workflows: the Runge-Kutta method, tables, roots. Needs only the standard library."""


def rk4(rate, t, y, h):
    """One step of the Runge-Kutta method of order four for y' = rate(t, y)."""
    def moved(k, c):
        return [a + c * b for a, b in zip(y, k)]
    k1 = rate(t, y)
    k2 = rate(t + h / 2, moved(k1, h / 2))
    k3 = rate(t + h / 2, moved(k2, h / 2))
    k4 = rate(t + h, moved(k3, h))
    return [a + h / 6 * (b + 2 * c + 2 * d + e) for a, b, c, d, e in zip(y, k1, k2, k3, k4)]


def root(f, low, high):
    """Where f changes its sign between low and high, by bisection."""
    sign = f(low) > 0
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if (f(middle) > 0) == sign else (low, middle)
    return (low + high) / 2


def write(names, rows):
    """A table on standard output."""
    print(','.join(names))
    for row in rows:
        print(','.join(repr(float(x)) for x in row))


def read(path):
    """The columns of a table by name."""
    with open(path) as lines:
        names = next(lines).strip().split(',')
        rows = [[float(x) for x in line.split(',')] for line in lines if not line.startswith('#')]
    return dict(zip(names, zip(*rows)))


def at(times, values, t):
    """Linear interpolation."""
    k = next((k for k in range(1, len(times)) if times[k] >= t), len(times) - 1)
    w = (t - times[k - 1]) / (times[k] - times[k - 1])
    return values[k - 1] + w * (values[k] - values[k - 1])


def largest_difference(times, values, exact_times, exact_values, until=float('inf')):
    """The largest difference of two curves at the times of the first, until a time."""
    return max(abs(v - at(exact_times, exact_values, t)) for t, v in zip(times, values) if t <= until)
