"""First frequency of bending of a free bar by ASTM E1876 (Spinner and Tefft 1961), and of stretching by the theory of bars.

usage: exact.py            the frequencies [Hz]
       exact.py TABLE.csv  compares the table of sf-modal with them
"""
import sys
from math import sqrt

from curves import read

E, nu, rho, length = 70e9, 0.33, 2700, 0.3


def bending(t):
    """The first mode of a bar of height t."""
    r = (t / length) ** 2
    factor = 1 + 6.585 * (1 + 0.0752 * nu + 0.8109 * nu ** 2) * r - 0.868 * r ** 2 \
        - 8.34 * (1 + 0.2023 * nu + 2.173 * nu ** 2) * r ** 2 / (1 + 6.338 * (1 + 0.1408 * nu + 1.536 * nu ** 2) * r)
    return sqrt(E * t ** 2 / (0.9465 * rho * length ** 4 * factor))


exact = {'bending, flat': bending(0.02), 'bending, upright': bending(0.03)}
if len(sys.argv) == 1:
    for name, frequency in exact.items():
        print('%s: %.1f Hz' % (name, frequency))
else:
    found = read(sys.argv[1])['frequency_Hz']
    for (name, frequency), mode in zip(exact.items(), found[6:8]):
        print('  %s: %.1f Hz, %.1f Hz by ASTM E1876 (%+.1f %%)' % (name, mode, frequency, 100 * (mode / frequency - 1)))
