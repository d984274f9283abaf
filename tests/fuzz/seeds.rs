//! The files that are changed, as the tools write them, and copies of them.

use std::path::{Path, PathBuf};
use std::process::Command;

use solfec::math::Vec3;
use solfec::meshing::Tetrahedra;
use tools_testing::process::{bin, output};
use tools_testing::python::interpreter;
use tools_testing::scratch::Scratch;

/// A deck with each kind of body, shape and constraint that fits in a second, and no loop.
const DECK: &str = "
solfec = SOLFEC('DYNAMIC', 1E-3, 'out')
bulk = BULK_MATERIAL(solfec, 'KIRCHHOFF', label='STONE', young=1E7, poisson=0.25, density=1E3)
SURFACE_MATERIAL(solfec, friction=0.3)
SURFACE_MATERIAL(solfec, surf1=1, surf2=3, friction=0.5, cohesion=1.0)
GRAVITY(solfec, (0, 0, -10))
nodes = [-2,-2,-1, 2,-2,-1, 2,2,-1, -2,2,-1, -2,-2,0, 2,-2,0, 2,2,0, -2,2,0]
floor = BODY(solfec, 'OBSTACLE', HEX(nodes, 1, 1, 1, 1, [1, 1, 1, 1, 1, 1]), bulk, label='FLOOR')
brick = HULL([0,0,0, 1,0,0, 1,1,0, 0,1,0, 0,0,1, 1,0,1, 1,1,1, 0,1,1], 1, 2)
body = BODY(solfec, 'RIGID', TRANSLATE(brick, (0.2, 0.1, 0)), bulk, label='BRICK')
ball = BODY(solfec, 'RIGID', SPHERE((-1, 0, 0.5), 0.5, 1, 3), bulk, label='BALL')
tet = MESH([0,0,0, 1,0,0, 0,1,0, 0,0,1], [4, 0, 1, 2, 3, 1], 3)
soft = BODY(solfec, 'PSEUDO_RIGID', TRANSLATE(tet, (-1, -1.5, 0)), bulk, label='SOFT')
egg = BODY(solfec, 'RIGID', ELLIP((1, 1.5, 0.4), (0.3, 0.3, 0.4), 1, 3), bulk, label='EGG')
INITIAL_VELOCITY(ball, (0, 0.1, 0), (0, 0, 1))
FIX_POINT(egg, (1, 1.5, 0.8))
PUT_RIGID_LINK(body, ball, (0.2, 0.1, 1), (-1, 0, 1))
SET_DISPLACEMENT(floor, (0, 0, -1), (1, 0, 0), TIME_SERIES('series.txt'))
FORCE(ball, 'SPATIAL', (-1, 0, 0.5), (0, 1, 0), TIME_SERIES([0, 0, 0.05, 10, 1, 0]))
DISPLAY_POINT(ball, (-1, 0, 1), 'TOP')
OUTPUT(solfec, 0.005)
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-4, 50), 0.02)
SURFACE_MATERIAL(solfec, surf1=2, surf2=3, friction=0.1)
RUN(solfec, NEWTON_SOLVER(), 0.02)
";

/// The part of it that a file of local dynamics cannot hold.
const LINK: &str = "PUT_RIGID_LINK(body, ball, (0.2, 0.1, 1), (-1, 0, 1))\n";

/// A deck with the mesh file.
const CUBE: &str = "s = SOLFEC('DYNAMIC', 1E-3, 'out')\nBODY(s, 'RIGID', MESH_FILE('mesh.h5'), BULK_MATERIAL(s))\n";

const SERIES: &str = "0 0\n0.01 0.0001\n0.02 0\n# rest\n1.0 0.0\n";
const REQUESTS: &str = "items = [\"KINETIC\", \"GAP\", \"top = CZ@BALL\"]\n[[item]]\nname = \"r\"\n\
                        item = \"R[dir=0,0,1;on=bodies]@BRICK,BALL\"\n[[item]]\nitem = \"max(CZ@B*) - 2 * norm(CX@SOFT,DX@EGG)\"\n";
const AGAINST: &str = "time,KINETIC\n0,0\n0.01,1.5\n0.02,2\n";

/// The original files: deck, series, requests, model, results (finished, cut short, packed), local dynamics, meshes.
pub struct Seeds(Scratch);

impl Seeds {
    pub fn make() -> Self {
        let folder = Scratch::new();
        folder.write("deck.py", DECK);
        folder.write("free.py", &DECK.replace(LINK, "").replace("'out'", "'free'"));
        folder.write("series.txt", SERIES);
        folder.write("requests.toml", REQUESTS);
        folder.write("against.csv", AGAINST);
        let dump = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/reference/dumps/balls-locdyn-t0.01.txt");
        copy(&dump, &folder.path("dump.txt"));
        folder.write("cube.py", CUBE);
        keep_tetrahedron(&folder.path("kept.h5"));
        for (tool, args) in [
            ("sf-build", "-q deck.py -o m.sfm.h5"),
            ("sf-run", "-q m.sfm.h5"),
            ("sf-run", "-q free.py --dump-locdyn 12:ld.hdf5 --dump-locdyn 30:other.hdf5"),
            ("sf-run", "-q m.sfm.h5 -o cut --steps 30"),
            ("sf-run", "-q --pack out packed.h5"),
            ("sf-mesh", "hex --box 0 0 0 1 1 1 -n 2 2 1 -o cube.h5"),
            ("sf-mesh", "translate 2 0 0 -i cube.h5 -o other.vtu"),
            ("sf-mesh", "merge cube.h5 other.vtu -o mesh.h5"),
            ("sf-locdyn-compare", "solve ld.hdf5 -q -o solved.hdf5"),
        ] {
            let done = output(&mut tool_in(&folder, tool, args));
            assert!(done.status.success(), "{tool} {args}: {}", String::from_utf8_lossy(&done.stderr));
        }
        Seeds(folder)
    }

    /// Copies a file or a directory into `folder`, by its name.
    pub fn copy(&self, name: &str, folder: &Path) -> PathBuf {
        let to = folder.join(name);
        copy(&self.0.path(name), &to);
        to
    }
}

/// A mesh as TETRAHEDRALIZE keeps it.
fn keep_tetrahedron(path: &Path) {
    let nodes = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]].map(Vec3::from).to_vec();
    let faces = vec![([0, 2, 1], 3), ([0, 1, 3], 4)];
    let mesh = Tetrahedra { nodes, elements: vec![[0, 1, 2, 3]], faces, regions: vec![1] };
    solfec_formats::mesh_cache::write(path, "0123", &mesh).expect("a mesh is kept");
}

fn copy(from: &Path, to: &Path) {
    if !from.is_dir() {
        std::fs::copy(from, to).expect("a seed is copied");
        return;
    }
    std::fs::create_dir_all(to).expect("a folder for a seed");
    for entry in std::fs::read_dir(from).expect("the seed is a folder").flatten() {
        copy(&entry.path(), &to.join(entry.file_name()));
    }
}

fn tool_in(folder: &Path, tool: &str, args: &str) -> Command {
    let mut command = Command::new(bin().join(tool));
    command.args(args.split_whitespace()).current_dir(folder).env("SF_PYTHON", interpreter());
    command
}
