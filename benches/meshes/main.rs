//! Reading, checking and writing a mesh of a million hexahedra, and convex pieces of surfaces, in this process;
//! docs/benchmarks.md has the numbers.
//!
//!     cargo bench --bench meshes

use std::error::Error;
use std::time::Instant;

use solfec::math::Vec3;
use solfec::meshdata::{decompose, seen_faces, Bounds};
use solfec::shape::{Mesh, Pipe, RawMesh};
use solfec_formats::meshes::{read, write, Format, MeshFile, Style};
use tools_testing::scratch::Scratch;

/// Hexahedra along a side of the block.
const SIDE: usize = 100;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = Scratch::new();
    let corners: [Vec3; 8] = std::array::from_fn(|k| {
        Vec3::new(
            f64::from(u8::from(k % 4 == 1 || k % 4 == 2)),
            f64::from(u8::from(k % 4 > 1)),
            f64::from(u8::from(k > 3)),
        )
    });
    let block = RawMesh::from(&Mesh::hex(&corners, [SIDE; 3], 1, &[1, 2, 3, 4, 5, 6], [None; 3])?);
    let (inp, vtu) = (folder.path("block.inp"), folder.path("block.vtu"));
    std::fs::write(&inp, write(&MeshFile::one(block), Format::Abaqus, Style::default())?.bytes)?;
    let begun = Instant::now();
    let (file, _) = read(&inp, None)?;
    println!("read 1e6 hexahedra from .inp: {:.2} s", begun.elapsed().as_secs_f64());
    file.parts[0].mesh.clone().mesh()?;
    println!("... and check: {:.2} s", begun.elapsed().as_secs_f64());
    std::fs::write(vtu, write(&file, Format::Vtu, Style::default())?.bytes)?;
    println!("... and write as appended VTU: {:.2} s; {}", begun.elapsed().as_secs_f64(), most_memory());

    let pipe =
        Pipe { point: Vec3::zeros(), direction: Vec3::z(), inner_radius: 0.6, thickness: 0.4, counts: [1, 32, 1] };
    let ring = RawMesh::from(&Mesh::pipe(&pipe, 0, &[1; 4])?);
    let surface = RawMesh { faces: seen_faces(&ring), nodes: ring.nodes, ..RawMesh::default() };
    let begun = Instant::now();
    let pieces = decompose(&surface, &Bounds { volume: 0.05, distance: 0.1, pieces: 64 })?;
    let excess = pieces.together.volume / pieces.solid.volume - 1.0;
    println!(
        "ring of 32 chords: {} pieces, {:.1} % too much, in {:.2} s",
        pieces.convex.len(),
        100.0 * excess,
        begun.elapsed().as_secs_f64()
    );
    Ok(())
}

/// Of this process, with the block that was made.
fn most_memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or("VmHWM is not known").replace('\t', " ")
}
