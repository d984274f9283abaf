"""Saint-Venant's bar that hits a wall: the force is rho c S v until the wave is back, at 2 L / c; then the bar leaves with
the velocity with which it came.

usage: exact.py            the exact curves
       exact.py TABLE.csv  compares a table with them
"""
import sys

from curves import read, write

length, area, young, density, velocity = 1.0, 0.01, 200e9, 8000, 1.0
wave = (young / density) ** 0.5
force, back = density * wave * area * velocity, 2 * length / wave

if len(sys.argv) == 1:
    small = 1e-9
    times = [0, back, back * (1 + small), 1.4 * back]
    write(['time', 'force', 'wall_end', 'free_end'],
          [[t, force if t <= back else 0, 0 if t <= back else velocity, velocity if t > back / 2 and t > 0 else -velocity]
           for t in sorted(times + [back / 2, back / 2 * (1 + small)])])
else:
    table = read(sys.argv[1])
    times, forces = table['time'], table['force']
    during = [f for t, f in zip(times, forces) if 0.1 * back < t < 0.9 * back]
    mean = sum(during) / len(during)
    parted = max(t for t, f in zip(times, forces) if f > 0.01 * force)
    print('  force %.1f kN, %.1f kN by rho c S v (%+.2f %%)' % (mean / 1e3, force / 1e3, 100 * (mean / force - 1)))
    print('  contact for %.1f us, %.1f us by 2 L / c (%+.1f %%)' % (1e6 * parted, 1e6 * back, 100 * (parted / back - 1)))
    speed = table['momentum'][-1] / (density * area * length)
    print('  it leaves at %.4f m/s, 1 m/s by the theory (%+.1f %%)' % (speed, 100 * (speed / velocity - 1)))
