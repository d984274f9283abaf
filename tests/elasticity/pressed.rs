//! CalculiX on contact: a punch of elements is pressed into a block of elements, without and with friction. Both programs
//! have the same meshes; contact is one point for a pair of triangles here and a penalty between surfaces there.

use std::collections::BTreeMap;
use std::fmt::Write;
use tools_testing::size::large;

use tools_testing::scratch::Scratch;

use super::calculix::{installed, numbers};
use super::{history, solved, told};

/// Nodes and hexahedra of a block of m elements along its axes, numbered from `first` on.
struct Block {
    name: &'static str,
    low: [f64; 3],
    high: [f64; 3],
    m: [usize; 3],
    first: usize,
}

impl Block {
    fn node(&self, [i, j, k]: [usize; 3]) -> usize {
        self.first + i + (self.m[0] + 1) * (j + (self.m[1] + 1) * k)
    }

    fn nodes(&self) -> impl Iterator<Item = (usize, [f64; 3])> + '_ {
        each(self.m.map(|m| m + 1)).map(|at| {
            let place = |axis: usize| {
                let part = at[axis] as f64 / self.m[axis] as f64;
                self.low[axis] + part * (self.high[axis] - self.low[axis])
            };
            (self.node(at), [0, 1, 2].map(place))
        })
    }

    fn element(&self, [i, j, k]: [usize; 3]) -> usize {
        self.first + i + self.m[0] * (j + self.m[1] * k)
    }

    /// Nodes of a level whose numbers along both axes are multiples of `every`.
    fn layer(&self, level: usize, every: usize) -> String {
        each([self.m[0] / every + 1, self.m[1] / every + 1, 1]).fold(String::new(), |mut text, [i, j, _]| {
            writeln!(text, "{},", self.node([i * every, j * every, level])).unwrap();
            text
        })
    }

    /// Cards of the nodes, the elements and the surface of one side of the layer of elements at this level.
    fn cards(&self, level: usize, side: &str) -> String {
        let mut text = String::from("*NODE,NSET=NALL\n");
        self.nodes().for_each(|(k, [x, y, z])| writeln!(text, "{k},{x:?},{y:?},{z:?}").unwrap());
        writeln!(text, "*ELEMENT,TYPE=C3D8,ELSET={}", self.name).unwrap();
        for at in each(self.m) {
            let corners = [[0, 0], [1, 0], [1, 1], [0, 1]];
            let node = |(z, [x, y]): (usize, [usize; 2])| self.node([at[0] + x, at[1] + y, at[2] + z]);
            let of = [0, 1].into_iter().flat_map(|z| corners.map(|xy| node((z, xy))));
            writeln!(text, "{}{}", self.element(at), of.map(|k| format!(",{k}")).collect::<String>()).unwrap();
        }
        writeln!(text, "*SURFACE,NAME=OF{},TYPE=ELEMENT", self.name).unwrap();
        each([self.m[0], self.m[1], 1])
            .for_each(|[i, j, _]| writeln!(text, "{},{side}", self.element([i, j, level])).unwrap());
        text
    }
}

/// All triples below these numbers, the first running fastest.
fn each(m: [usize; 3]) -> impl Iterator<Item = [usize; 3]> {
    (0..m[2]).flat_map(move |k| (0..m[1]).flat_map(move |j| (0..m[0]).map(move |i| [i, j, k])))
}

/// Force, displacements along z below the punch and along x and z beside it, stress along z in the element beside the axis
/// that lies on the middle of the block.
type Found = [f64; 5];

const DOWN: f64 = 0.005;

/// Below the punch from its middle outwards: stresses along z and shears along x of the elements of the upper layer of the
/// block, which are the pressures and shears of the interface but for half an element.
type Borne = Vec<[f64; 2]>;

fn calculix(folder: &Scratch, n: usize, friction: f64) -> (Found, Borne) {
    let base = Block { name: "BASE", low: [-1.0, -1.0, -1.0], high: [1.0, 1.0, 0.0], m: [2 * n, 2 * n, n], first: 1 };
    let punch =
        Block { name: "PUNCH", low: [-0.5, -0.5, 0.0], high: [0.5, 0.5, 0.5], m: [n, n, n / 2], first: 1_000_001 };
    let sections = "*SOLID SECTION,ELSET=BASE,MATERIAL=M\n*SOLID SECTION,ELSET=PUNCH,MATERIAL=M\n";
    let rubs = if friction > 0.0 { format!("*FRICTION\n{friction},1e8\n") } else { String::new() };
    let print = "*NODE PRINT,NSET=NALL,FREQUENCY=1000\nU\n*NODE PRINT,NSET=BOTTOM,TOTALS=ONLY,FREQUENCY=1000\nRF\n\
                 *EL PRINT,ELSET=BASE,FREQUENCY=1000\nS\n";
    let text = base.cards(n - 1, "S2")
        + &punch.cards(0, "S1")
        + &format!("*NSET,NSET=BOTTOM\n{}*NSET,NSET=TOP\n{}", base.layer(0, n / 4), punch.layer(n / 2, n / 4))
        + &format!("*MATERIAL,NAME=M\n*ELASTIC\n1e6,0.3\n{sections}*SURFACE INTERACTION,NAME=I\n")
        + &format!("*SURFACE BEHAVIOR,PRESSURE-OVERCLOSURE=LINEAR\n1e9,1e-3\n{rubs}")
        + "*CONTACT PAIR,INTERACTION=I,TYPE=SURFACE TO SURFACE\nOFPUNCH,OFBASE\n*BOUNDARY\nBOTTOM,1,3\n"
        + &format!("*STEP,INC=200\n*STATIC\n0.2,1.\n*BOUNDARY\nTOP,1,2\nTOP,3,3,{}\n{print}*END STEP\n", -DOWN);
    folder.write("job.inp", &text);
    told(folder, "ccx job > ccx.log 2>&1");
    let table = folder.read("job.dat");
    let moved: BTreeMap<usize, Vec<f64>> = numbers(&table, 4).map(|row| (row[0] as usize, row[1..].to_vec())).collect();
    let total = numbers(&table, 3).last().expect("a total force");
    let mut of_elements: BTreeMap<usize, [f64; 2]> = BTreeMap::new();
    for row in numbers(&table, 8) {
        let mean = of_elements.entry(row[0] as usize).or_default();
        *mean = [mean[0] + row[4] / 8.0, mean[1] + row[6] / 8.0];
    }
    let borne = (0..n / 2).map(|i| of_elements[&base.element([n + i, n, n - 1])]).collect();
    let deep = of_elements[&base.element([n, n, n / 2])];
    let (below, beside) = (&moved[&base.node([n, n, n])], &moved[&base.node([n + 3 * n / 4, n, n])]);
    ([total[2], below[2], beside[0], beside[2], deep[0]], borne)
}

const DECK: &str = "
solfec = SOLFEC('QUASI_STATIC', 0.1, 'out/punch')
SURFACE_MATERIAL(solfec, friction=friction)
bulk = BULK_MATERIAL(solfec, young=1E6, poisson=0.3, density=1E5)
base = BODY(solfec, 'FINITE_ELEMENT', BOX((-1, -1, -1), (1, 1, 0), 1, 1, i=2 * n, j=2 * n, k=n), bulk, label='BASE',
            form='BC')
punch = BODY(solfec, 'FINITE_ELEMENT', BOX((-0.5, -0.5, 0), (0.5, 0.5, 0.5), 2, 2, i=n, j=n, k=n // 2), bulk,
             label='PUNCH', form='BC')
for i in range(9):
    for j in range(9):
        FIX_POINT(base, (i / 4 - 1, j / 4 - 1, -1))
still, down = TIME_SERIES([0, 0, 9, 0]), TIME_SERIES([0, 0, 1, -way, 9, -way])
for i in range(5):
    for j in range(5):
        SET_DISPLACEMENT3(punch, (i / 4 - 0.5, j / 4 - 0.5, 0.5), (1, 0, 0, 0, 1, 0, 0, 0, 1), (still, still, down))
OUTPUT(solfec, 8)
RUN(solfec, CORRECTED_SWEEPS_SOLVER(1E-12), 8)
";

fn ours(folder: &Scratch, n: usize, friction: f64) -> (Found, Borne) {
    let constants = format!("# solfec: python3\nn, friction, way = {n}, {friction}, {DOWN}\n");
    solved(folder, &(constants + DECK));
    let half = 0.5 / n as f64;
    let stress = format!("SZ@BASE({half},{half},{})", half - 0.5);
    let items = ["abs(CRZ@BASE)", "DZ@BASE(0,0,0)", "DX@BASE(0.75,0,0)", "DZ@BASE(0.75,0,0)"];
    let items: Vec<String> = items.iter().map(ToString::to_string).chain([stress]).collect();
    let found = history(folder, "out", &items);
    let at = |i: usize| format!("BASE({},{half},{})", half * (2 * i + 1) as f64, -half);
    let items: Vec<String> = (0..n / 2).flat_map(|i| ["SZ", "SXZ"].map(|s| format!("{s}@{}", at(i)))).collect();
    let borne = history(folder, "out", &items).chunks_exact(2).map(|of| [of[0], of[1]]).collect();
    (found.try_into().expect("five numbers"), borne)
}

/// Largest distance of pressures and shears of the interface, as a part of the pressure in its middle.
fn apart(ours: &Borne, theirs: &Borne) -> f64 {
    let each = ours.iter().flatten().zip(theirs.iter().flatten());
    each.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / theirs[0][0].abs()
}

/// Largest distance of the five numbers: forces and stresses as parts of theirs, displacements of the way of the punch.
fn distance(ours: &Found, theirs: &Found) -> f64 {
    let size = [theirs[0].abs(), DOWN, DOWN, DOWN, theirs[4].abs()];
    (0..5).map(|k| (ours[k] - theirs[k]).abs() / size[k]).fold(0.0, f64::max)
}

/// Loads grow for ten steps, then 70 steps lead to the equilibrium. With SF_LARGE=1 refined: the distance falls.
#[test]
fn a_punch_is_pressed_into_a_block_as_by_calculix() {
    if !installed() {
        return;
    }
    let sizes: &[usize] = if large() { &[4, 8] } else { &[4] };
    for friction in [0.0, 0.3] {
        let compare = |n: &usize| {
            let folder = Scratch::new();
            let ((ours, borne), (theirs, known)) = (ours(&folder, *n, friction), calculix(&folder, *n, friction));
            [distance(&ours, &theirs), apart(&borne, &known)]
        };
        let distances: Vec<[f64; 2]> = sizes.iter().map(compare).collect();
        println!("friction {friction}: {distances:?}");
        for (n, [whole, interface]) in sizes.iter().zip(&distances) {
            assert!(*whole < 0.05 / *n as f64, "friction {friction}, {n} elements: {distances:?}");
            assert!(*interface < 0.2 / *n as f64, "friction {friction}, {n} elements: {distances:?}");
        }
        let falls = |k: usize| distances.windows(2).all(|pair| pair[1][k] < pair[0][k]);
        assert!(falls(0) && falls(1), "friction {friction}: {distances:?}");
    }
}
