"""The scenes of this comparison as plain data, for both programs: boxes, spheres, friction, gravity, how the base moves."""
from dataclasses import dataclass, field
from math import cos, pi, sin
import random


@dataclass
class Scene:
    density: float
    friction: float
    end: float
    gravity: tuple = (0.0, 0.0, -9.81)
    fixed: list = field(default_factory=list)    # boxes (x0, y0, z0, x1, y1, z1) of the ground
    boxes: list = field(default_factory=list)    # free boxes
    spheres: list = field(default_factory=list)  # free spheres (x, y, z, r)
    base: bool = False                           # whether the ground moves by shift(t) along x


AMPLITUDE, RATE, RAMP = 0.05, 2 * pi * 2.0, 0.5


def shift(t):
    """Displacement of the ground [m]: 50 mm at 2 Hz, which is 0.8 g, grown to over half a second."""
    return AMPLITUDE * min(1.0, t / RAMP) ** 2 * sin(RATE * t)


def acceleration(t):
    """Its second derivative [m/s2]."""
    if t >= RAMP:
        return -AMPLITUDE * RATE ** 2 * sin(RATE * t)
    s, c = sin(RATE * t), cos(RATE * t)
    return AMPLITUDE / RAMP ** 2 * (2 * s + 4 * t * RATE * c - (t * RATE) ** 2 * s)


def wall(courses=10, columns=6):
    """A wall of dry bricks in running bond on a shaken ground."""
    length, width, height = 0.25, 0.12, 0.065
    scene = Scene(density=1800, friction=0.6, end=3.0, base=True)
    scene.fixed = [(-0.5, -0.5, -0.2, (columns + 1) * length + 0.5, 0.5, 0.0)]
    for course in range(courses):
        for k in range(columns):
            x, z = k * length + course % 2 * length / 2, course * height
            scene.boxes.append((x, -width / 2, z, x + length, width / 2, z + height))
    return scene


def heap(count=500):
    """Spheres that fall into a box. It is as high as it must be and as wide as 500 of them ask for."""
    radius, half, thick, height = 0.05, 0.5, 0.05, 1.0
    scene = Scene(density=2500, friction=0.4, end=3.0)
    a, b = half, half + thick
    scene.fixed = [(-b, -b, -thick, b, b, 0), (-b, -b, 0, -a, b, height), (a, -b, 0, b, b, height),
                   (-a, -b, 0, a, -a, height), (-a, a, 0, a, b, height)]
    draw = random.Random(1)
    for n in range(count):
        layer, cell = divmod(n, 49)
        i, j = divmod(cell, 7)
        x = -0.39 + 0.13 * i + draw.uniform(-0.01, 0.01)
        y = -0.39 + 0.13 * j + draw.uniform(-0.01, 0.01)
        scene.spheres.append((x, y, 0.2 + 0.13 * layer, radius * draw.uniform(0.8, 1.1)))
    return scene


def slope():
    """A brick that must stay where it is: the tangent of the slope is 0.9 of the friction."""
    scene = Scene(density=1800, friction=0.6, end=3.0)
    c = 1 / (1 + 0.54 ** 2) ** 0.5
    scene.gravity = (9.81 * 0.54 * c, 0.0, -9.81 * c)
    scene.fixed = [(-1, -1, -0.2, 1, 1, 0)]
    scene.boxes = [(-0.125, -0.06, 0, 0.125, 0.06, 0.065)]
    return scene


SCENES = {'wall': wall, 'heap': heap, 'slope': slope}
