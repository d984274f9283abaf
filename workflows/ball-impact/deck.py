# solfec: python3
"""A ball falls on a plate: spring-dashpot contact with three dashpots (manual, section 6.2)."""


def ball_impact(step, stop, spring, dashpot, output):
    # 1. A plate of 2 x 2 x 1 m below z = 0.
    w, l, h = 2, 2, 1
    floor = HULL([-w/2, -l/2, -h,  w/2, -l/2, -h,  w/2, l/2, -h,  -w/2, l/2, -h,
                  -w/2, -l/2,  0,  w/2, -l/2,  0,  w/2, l/2,  0,  -w/2, l/2,  0], 1, 1)

    # 2. The simulation, its material, the plate that does not move.
    solfec = SOLFEC('DYNAMIC', step, output)
    bulk = BULK_MATERIAL(solfec, model='KIRCHHOFF', young=15E9, poisson=0.3, density=2E3)
    BODY(solfec, 'OBSTACLE', floor, bulk)

    # 3. A ball of radius 1 m that touches the plate and moves down at 5 m/s.
    ball = BODY(solfec, 'RIGID', SPHERE((0, 0, 1.0), 1, 1, 1), bulk, label='BALL')
    INITIAL_VELOCITY(ball, (0, 0, -5), (0, 0, 0))

    # 4. Contact by spring and dashpot, gravity, penalty solver.
    SURFACE_MATERIAL(solfec, model='SPRING_DASHPOT', friction=0.0, spring=spring, dashpot=dashpot)
    GRAVITY(solfec, (0, 0, -10))
    RUN(solfec, PENALTY_SOLVER(), stop)
    return solfec


step, stop, spring = 1E-3, 2.0, 1E9
ball_impact(step, stop, spring, 0E0, 'out/ball-impact-1')
ball_impact(step, stop, spring, 1E6, 'out/ball-impact-2')
ball_impact(step, stop, spring, 1E7, 'out/ball-impact-3')
