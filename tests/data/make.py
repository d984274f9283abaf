"""Makes the data of this folder: small sets in the form of those that tests find beside the repository, from closed forms, from recurrences
written out here, and from contact problems solved here with numpy. Nothing of it comes from the program that is tested,
but for reference/arch/arch-0.1094-converged.csv: a record of workflows/masonry-arch with GAUSS_SEIDEL_SOLVER(1E-9, 200000, meritval=1E-12),
from which looser tolerances may not depart:

    sf-build --set points=1 deck.py -- 0.1094 | sf-run -o out -; sf-history out KINETIC

usage: python3 make.py      (with h5py and numpy; writes beside itself)
"""
import contextlib
import io
import os
import sys
from math import cos, hypot, pi, radians, sin, sqrt

import h5py
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))


def table(name, header, rows):
    path = os.path.join(HERE, 'reference', name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w') as file:
        file.write(','.join(header) + '\n')
        file.writelines(','.join('%s' % x if isinstance(x, str) else repr(float(x)) for x in row) + '\n' for row in rows)


BODY = ['time', 'body', 'kind'] + ['F%d' % k for k in range(9)] + ['x', 'y', 'z', 'w1', 'w2', 'w3', 'vx', 'vy', 'vz']
STILL = [1, 0, 0, 0, 1, 0, 0, 0, 1]


def rk4(rate, y, h):
    a = rate(y)
    b = rate(y + 0.5 * h * a)
    c = rate(y + 0.5 * h * b)
    return y + h / 6 * (a + 2 * b + 2 * c + rate(y + h * c))


# Curves.

def ball_impact():
    """A ball on a spring and dashpot: Moreau's midpoint scheme in one dimension, law at the means of gap and velocity."""
    h, spring, g, mass = 1e-3, 1e9, -10.0, 2000 * 4 / 3 * pi
    for number, dashpot in enumerate((0.0, 1e6, 1e7), 1):
        z, v, rows = 1.0, -5.0, []
        for step in range(2000):
            z += h / 2 * v
            free, w, gap = v + h * g, h / mass, z - 1
            force = 0.0
            if gap <= 0:
                mean = min(gap + h / 4 * (free - v), 0)
                force = max(0.0, (-spring * mean - dashpot * (free + v) / 2) / (1 + (h / 4 * spring + dashpot / 2) * w))
            v = free + w * force
            z += h / 2 * v
            if step % 10 == 9:
                rows.append([(step + 1) * h, mass * v * v / 2])
        table('tutorial-ball-impact/sphere-impact-%d.csv' % number, ['time', 'kinetic'], rows)


def three_basic():
    """A sphere of density 2000 and radius 1 falls from a velocity of 10 m/s, while all else rests."""
    mass = 2000 * 4 / 3 * pi
    rows = [[t, mass * (10 + 10 * t) ** 2 / 2] for t in np.arange(1, 8) * 5e-3]
    table('tutorial-three-basic/three-basic-geometric-objects.csv', ['time', 'kinetic'], rows)


def projectile():
    """A throw with the drag -m v(t): the recurrence of the scheme."""
    steps, mass, g = 1024, 0.45359237, np.array([0, 0, -9.81456])
    h = 1.976 / steps
    x, v, work = np.zeros(3), np.array([2.54, 0, 12.7]), 0.0
    bodies, energies = [[0.0, '1', 'RIGID'] + STILL + [*x, 0, 0, 0, *v]], []
    for step in range(1, steps + 1):
        force = mass * (g - v)
        x, before = x + h / 2 * v, v
        v = v + h / mass * force
        x = x + h / 2 * v
        work += h / 2 * (before + v) @ force
        bodies.append([step * h, '1', 'RIGID'] + STILL + [*x, 0, 0, 0, *v])
        energies.append([step * h, mass * v @ v / 2, work])
    table('projectile/projectile-bodies.csv', BODY, bodies)
    table('projectile/projectile.csv', ['time', 'kinetic', 'external'], energies)
    table('projectile/projectile-final.csv', BODY, bodies[-1:])


def skew(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def turn(a):
    """exp(skew(a)), by Rodrigues' formula."""
    t = sqrt(a @ a)
    s, c = (1.0, 0.5) if t == 0 else (sin(t) / t, 2 * (sin(t / 2) / t) ** 2)
    return np.eye(3) + s * skew(a) + c * skew(a) @ skew(a)


def top(scheme, h, end):
    """The heavy top of inertia 5, 5, 1 under a weight of 20 at unit distance: rotation, rate and energy of each step."""
    inertia = np.diag([5.0, 5.0, 1.0])
    inverse = np.linalg.inv(inertia)
    r, w = turn(np.array([0.05, 0, 0])), np.array([0, 0, 50.0])
    for _ in range(round(end / h)):
        half = turn(h / 2 * w)
        momentum = half.T @ inertia @ w
        r = r @ half
        torque = r.T @ (-20 * np.cross(r[:, 2], [0, 0, 1]))
        middle = inverse @ (momentum + h / 2 * torque)
        w = w + h * inverse @ (torque - np.cross(middle, inertia @ middle))
        momentum = momentum + h * torque
        if scheme == 'imp':
            for _ in range(30):  # a fixed point, as h w / 2 is small beside 1
                w, last = inverse @ turn(h / 2 * w).T @ momentum, w
                if abs(w - last).max() < 1e-15 * 50:
                    break
        half = turn(h / 2 * w)
        if scheme == 'neg':
            w = inverse @ half.T @ momentum
        r = r @ half
        yield r, w, w @ inertia @ w / 2


def heavy_top():
    for scheme in ('pos', 'neg', 'imp'):
        for h in (0.001, 0.003, 0.009):
            for r, w, _ in top(scheme, h, 1.0):
                pass
            row = [round(1.0 / h) * h, '1', 'RIGID', *r.T.ravel(), 0, 0, 0, *w, 0, 0, 0]
            table('heavy-symmetrical-top/heavy-symmetrical-top-rig_%s-%g-final.csv' % (scheme, h), BODY, [row])
    for scheme, h in (('pos', 0.009), ('neg', 0.009), ('imp', 0.009), ('imp', 0.001)):
        steps = list(top(scheme, h, 10.0))
        kinetic = max(steps, key=lambda step: step[2])[2]
        table('heavy-symmetrical-top/heavy-symmetrical-top-rig_%s-%.3f.csv' % (scheme, h), ['time', 'kinetic'], [[10.0, kinetic]])


def math_pendulum():
    """Kinetic energy of a unit mass at unit length under pi squared, released from the horizontal: m g times the fall."""
    g, h, y, rows = pi ** 2, 1e-4, np.array([pi / 2, 0.0]), []
    for step in range(1, 23001):
        y = rk4(lambda y: np.array([y[1], -g * sin(y[0])]), y, h)
        if step % 100 == 0:
            rows.append([step * h, y[1] ** 2 / 2])
    table('math-pendulum/math-pendulum.csv', ['time', 'kinetic'], rows)


def double_pendulum():
    """Energy that the impacts on the wall take, from impact to impact as the workflow integrates it."""
    workflows = os.path.join(HERE, '../../workflows')
    sys.dont_write_bytecode = True
    sys.path[:0] = [workflows, os.path.join(workflows, 'double-pendulum')]
    sys.argv = ['exact.py', 'wall']
    with contextlib.redirect_stdout(io.StringIO()):
        from exact import gravity, motion
    rows, _ = motion('wall')

    def energy(a, b, u, v):
        return u * u + v * v / 2 + u * v * cos(a - b) - gravity * (2 * cos(a) + cos(b))
    work = [[row[0], energy(*row[1:]) - energy(*rows[0][1:])] for row in rows[::500] + rows[-1:]]
    table('double-pendulum/double-pendulum.csv', ['time', 'contact_work'], work)


def pinned_bar():
    """Place of the centre of the bar that turns about an axis 0.25 above it, until it has passed below."""
    inertia, g, h, y, rows = 1.01 / 12 + 0.0625, 9.8, 1e-3, np.array([radians(30), 0.0]), []
    for step in range(700):
        rows.append([step * h, 0.25 * sin(y[0])])
        if y[0] < 0:
            break
        for _ in range(10):
            y = rk4(lambda y: np.array([y[1], -0.25 * g * sin(y[0]) / inertia]), y, h / 10)
    table('pinned-bar/pinned-bar-bodies.csv', ['time', 'x'], rows)


def block_stack():
    """Contacts of 4 x 4 x 4 unit cubes on a floor: common faces, their middles, normals and areas."""
    rows = []
    for x in range(4):
        for y in range(4):
            for z in range(4):
                middle = np.array([x + 0.5, y + 0.5, z + 0.5])
                for k, last in ((0, x == 0), (1, y == 0), (2, False)):
                    normal = np.eye(3)[k]
                    rows += [] if last else [[*(middle - normal / 2), *normal, 1.0, 0.0]]
    table('cubes-rigid-gs/cubes_4_RIGID-constraints-t0.001.csv', ['px', 'py', 'pz', 'nx', 'ny', 'nz', 'area', 'gap'], rows)


# Contact problems. Components of a contact are in the order of FCLIB: normal, then tangents.

def frame(normal):
    n = np.array(normal, float) / np.linalg.norm(normal)
    t = np.cross(n, [1.0, 0, 0] if abs(n[0]) < 0.9 else [0, 1.0, 0])
    t /= np.linalg.norm(t)
    return np.column_stack([n, t, np.cross(n, t)])


def system(bodies, contacts, h=0.01, g=10.0):
    """M, H, f, w of rigid bodies (mass, moment of inertia, place, velocity) with contacts (upper, lower or None, point, normal)."""
    size = 6 * len(bodies)
    mass, free = np.zeros((size, size)), np.zeros(size)
    for k, (m, j, _, v) in enumerate(bodies):
        mass[6 * k:6 * k + 6, 6 * k:6 * k + 6] = np.diag([m] * 3 + [j] * 3)
        free[6 * k:6 * k + 3] = m * (np.array(v) + [0, 0, -h * g])
    columns = np.zeros((size, 3 * len(contacts)))
    for c, (upper, lower, point, normal) in enumerate(contacts):
        for body, sign in ((upper, 1), (lower, -1)):
            if body is not None:
                arm = np.array(point, float) - bodies[body][2]
                columns[6 * body:6 * body + 6, 3 * c:3 * c + 3] = sign * np.vstack([np.eye(3), skew(arm)]) @ frame(normal)
    return mass, columns, free, np.zeros(3 * len(contacts))


def project(z, mu):
    s = hypot(z[1], z[2])
    if mu * s <= -z[0]:
        return np.zeros(3)
    if s <= mu * z[0]:
        return z
    n = (z[0] + mu * s) / (1 + mu * mu)
    return np.array([n, mu * n * z[1] / s, mu * n * z[2] / s])


def error(w, q, mu, r):
    """Size of r - P(r - u - mu |u_T| e_N), over the largest of |q|, |r|, |u|."""
    u, total = w @ r + q, 0.0
    for c in range(len(mu)):
        k = slice(3 * c, 3 * c + 3)
        shift = u[k] + np.array([mu[c] * hypot(*u[k][1:]), 0, 0])
        total += ((r[k] - project(r[k] - shift, mu[c])) ** 2).sum()
    return sqrt(total) / max(map(np.linalg.norm, (q, r, u)))


def solve(w, q, mu):
    """Gauss-Seidel over contacts; each by projected iterations of De Saxce and Feng."""
    r = np.zeros_like(q)
    for sweep in range(50000):
        for c in range(len(mu)):
            k = slice(3 * c, 3 * c + 3)
            block = w[k, k]
            free, rho = q[k] + w[k] @ r - block @ r[k], 1 / np.linalg.norm(block, 2)
            for _ in range(50):
                u = block @ r[k] + free
                new = project(r[k] - rho * (u + np.array([mu[c] * hypot(u[1], u[2]), 0, 0])), mu[c])
                done, r[k] = abs(new - r[k]).max() <= 1e-16 * abs(new).max(), new
                if done:
                    break
        if sweep % 10 == 9 and error(w, q, mu, r) < 1e-14:
            break
    return r


def matrix(group, name, dense):
    """Compressed rows with full blocks of 3, or of what is left."""
    g = group.create_group(name)
    m, n = dense.shape
    rows = [[j for j in range(n) if dense[3 * (i // 3):3 * (i // 3) + 3, 3 * (j // 3):3 * (j // 3) + 3].any()] for i in range(m)]
    index = np.array(sum(rows, []), 'i4')
    values = np.array([dense[i, j] for i, row in enumerate(rows) for j in row])
    for key, value in (('nzmax', len(index)), ('m', m), ('n', n), ('nz', -2)):
        g[key] = np.array([value], 'i4')
    g['p'], g['i'], g['x'] = np.cumsum([0] + [len(row) for row in rows]).astype('i4'), index, values


def fclib(folder, name, kind, title, matrices, vectors):
    path = os.path.join(HERE, 'fclib', folder, name + '.hdf5')
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with h5py.File(path, 'w') as file:
        group = file.create_group(kind)
        group['spacedim'] = np.array([3], 'i4')
        for key, value in matrices.items():
            matrix(group, key, value)
        for key, value in vectors.items():
            group['vectors/' + key] = value
        group['info/title'] = np.bytes_(title)


def corners(upper, lower, x, y, z):
    return [(upper, lower, (a, b, z), (0, 0, 1)) for a in x for b in y]


def problems():
    """Name, friction, bodies, contacts."""
    cube = (1.0, 1 / 6, (0, 0, 0.5), (0.03, 0.01, 0))
    yield 'SlidingCube', 0.3, [cube], corners(0, None, (-0.5, 0.5), (-0.5, 0.5), 0)
    yield 'StickingCube', 0.8, [cube], corners(0, None, (-0.5, 0.5), (-0.5, 0.5), 0)
    yield 'Column', 0.5, [(1.0, 0.4, (0, 0, 0), (0.1, 0, 0)), (1.0, 0.4, (0, 0, 1), (0, 0.05, -0.1))], \
        [(0, None, (0, 0, -0.5), (0, 0, 1)), (1, 0, (0, 0, 0.5), (0, 0, 1))]
    yield 'Stack', 0.5, [(1.0 + 2 * k, 1 / 6 * (1 + 2 * k), (0, 0, k + 0.5), (0.02 * k, 0, 0)) for k in range(3)], \
        sum((corners(k, k - 1 if k else None, (-0.5, 0.5), (-0.5, 0.5), k) for k in range(3)), [])
    yield 'Wedge', 0.2, [(2.0, 0.3, (0, 0, 0), (0, 0, -0.2))], \
        [(0, None, (-0.3, 0, -0.3), (1, 0, 1)), (0, None, (0.3, 0, -0.3), (-1, 0, 1)), (0, None, (0, 0.3, -0.2), (0, -1, 2))]
    place = [(0, 0, 0), (1, 0, 0), (0.5, 0.8, 0), (0.5, 0.3, 0.8)]
    ball = [(1.0, 0.1, p, (0.05 * k, -0.03, 0)) for k, p in enumerate(place)]
    ground = [(k, None, (p[0], p[1], p[2] - 0.5), (0, 0, 1)) for k, p in enumerate(place[:3])]
    above = [(3, k, tuple((np.array(place[3]) + place[k]) / 2), tuple(np.array(place[3]) - place[k])) for k in range(3)]
    yield 'Balls', 0.4, ball, ground + above


def contact_problems():
    solutions = os.path.join(HERE, 'fclib', 'reference_solutions.hdf5')
    os.makedirs(os.path.dirname(solutions), exist_ok=True)
    with h5py.File(solutions, 'w') as file:
        for name, friction, bodies, contacts in problems():
            mass, columns, free, motion = system(bodies, contacts)
            mu = np.full(len(contacts), friction)
            inverse = np.linalg.inv(mass)
            w, q = columns.T @ inverse @ columns, columns.T @ inverse @ free + motion
            if name in ('Stack', 'Balls'):
                vectors = {'f': free, 'w': motion, 'mu': mu}
                fclib('global', name, 'fclib_global', name, {'M': mass, 'H': columns}, vectors)
                name += '-condensed'
            fclib('local', name, 'fclib_local', name, {'W': w}, {'q': q, 'mu': mu})
            r = solve(w, q, mu)
            group = file.create_group(name)
            group['r'], group['u'] = r, w @ r + q
            group.attrs['err_siconos'] = error(w, q, mu, r)
            print(name, len(contacts), 'contacts, error', group.attrs['err_siconos'])


# Dumps of local dynamics as Solfec-1.0 prints them.

def dump(name, bodies, contacts, mu):
    mass, columns, free, _ = system(bodies, contacts)
    inverse, h = np.linalg.inv(mass), 0.01
    w, q = columns.T @ inverse @ columns, columns.T @ inverse @ free
    before = columns.T @ np.concatenate([list(b[3]) + [0, 0, 0] for b in bodies])
    r = solve(w, q, np.full(len(contacts), mu))
    u = w @ r + q
    order = [1, 2, 0]  # tangents first there, and forces instead of impulses

    def local(vector, c):
        return vector[3 * c:3 * c + 3][order]

    def text(values):
        return ', '.join('%.6g' % (x + 0.0) for x in values)

    def place(c):
        upper, lower, point, normal = contacts[c]
        ids = '(%d, %d)' % (upper + 2, 1 if lower is None else lower + 2)
        return 'CONTACT (%s) %s [%s]' % (text(np.array(point, float)), ids, text(frame(normal)[:, order].T.ravel()))

    def block(a, b):
        return h * w[3 * a:3 * a + 3, 3 * b:3 * b + 3][np.ix_(order, order)]

    lines = []
    for a in range(len(contacts)):
        vectors = ' '.join('(%s)' % text(local(x, a)) for x in (q, before, u, r / h))
        line = '%s [%s] %s' % (place(a), text(block(a, a).T.ravel()), vectors)
        for b in range(len(contacts)):
            if b != a and block(a, b).any():
                line += ' => %s [%s]' % (place(b), text(block(a, b).T.ravel()))
        lines.append(line)
    path = os.path.join(HERE, 'reference/dumps', name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w') as file:
        file.write('\n'.join(lines) + '\n')


def dumps():
    for name, friction, bodies, contacts in problems():
        if name in ('SlidingCube', 'Column', 'Balls'):
            dump('%s-locdyn-t0.01.txt' % name.lower(), bodies, contacts, friction)


for make in (ball_impact, three_basic, projectile, heavy_top, math_pendulum, double_pendulum, pinned_bar, block_stack, contact_problems, dumps):
    make()
