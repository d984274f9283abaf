//! The whole pipeline through the real tools: deck, pipe, model, run, results, history, picture; what a second run,
//! more threads, a kill and bad input do.

mod bad_input;
mod between_runs;
mod common;
mod ctrl_c;
mod decks_beside;
mod decks_fem;
mod every_shape;
mod exit_codes;
mod extents;
mod fields;
mod finite;
mod going_on;
mod killed_decks;
mod killed_ends;
mod launcher;
mod limits;
mod live;
mod locdyn;
mod mechanisms;
mod missing;
mod mistakes;
mod patterns;
mod pieces;
mod pipeline;
mod ranks;
mod ranks_decks;
mod read;
mod recorded_functions;
mod reference;
mod reopen;
mod shapes;
mod signals;
mod single;
mod stop;
mod summary;
mod virtual_ranks;
mod whole_runs;
mod workflows;

/// One ball falling on an obstacle.
const BALL: &str = "
solfec = SOLFEC('DYNAMIC', 1E-3, 'out/ball')
bulk = BULK_MATERIAL(solfec, density=1E3)
SURFACE_MATERIAL(solfec, friction=0.3)
GRAVITY(solfec, (0, 0, -10))
nodes = [-1,-1,-1, 1,-1,-1, 1,1,-1, -1,1,-1, -1,-1,0, 1,-1,0, 1,1,0, -1,1,0]
BODY(solfec, 'OBSTACLE', HEX(nodes, 1, 1, 1, 1, [1, 1, 1, 1, 1, 1]), bulk, label='FLOOR')
BODY(solfec, 'RIGID', SPHERE((0, 0, 0.6), 0.5, 1, 1), bulk, label='BALL')
OUTPUT(solfec, 0.01)
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-6, 100), 0.3)
";

/// Many steps of a few bricks, so that a kill finds the run at work.
const LONG: &str = "
solfec = SOLFEC('DYNAMIC', 1E-3, 'out/long')
bulk = BULK_MATERIAL(solfec, density=1E3)
SURFACE_MATERIAL(solfec, friction=0.5)
GRAVITY(solfec, (0, 0, -10))
nodes = [0,0,0, 1,0,0, 1,1,0, 0,1,0, 0,0,1, 1,0,1, 1,1,1, 0,1,1]
cube = HEX(nodes, 2, 2, 2, 1, [1, 1, 1, 1, 1, 1])
BODY(solfec, 'OBSTACLE', TRANSLATE(SCALE(COPY(cube), (9, 9, 1)), (0, 0, -1)), bulk)
for i in range(4):
    for j in range(4):
        for k in range(3):
            BODY(solfec, 'RIGID', TRANSLATE(COPY(cube), (1.1*i, 1.1*j, k)), bulk)
OUTPUT(solfec, 0.01)
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-8, 1000), 1000.0)
";
