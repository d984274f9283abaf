//! ROUGH_HEX, ELLIP_MESH, MESH2CONVEX; TETRAHEDRALIZE with the mesher that is installed, and without one.

use solfec_testing::skip::{not_here, skipped};

use super::*;

/// Whether a program is on the path; a missing TetGen is a skip, a missing Gmsh is usual.
fn find(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())
}

/// What a deck prints, and its messages, with only these programs on the path.
fn prints_with(folder: &Folder, programs: &[PathBuf], deck: &str) -> (i32, String, String) {
    let bin = folder.path(&format!("bin{}", programs.len()));
    std::fs::create_dir_all(&bin).unwrap();
    for program in programs {
        let link = bin.join(program.file_name().unwrap());
        if !link.exists() {
            std::os::unix::fs::symlink(program, link).unwrap();
        }
    }
    folder.write("deck.py", &format!("{deck}\nSOLFEC('DYNAMIC', 1, 'out/printed')\n"));
    let python = std::env::var("SF_TEST_PYTHON").ok().map_or_else(|| find("python3").unwrap(), PathBuf::from);
    let mut command = Command::new(env!("CARGO_BIN_EXE_sf-build"));
    command.args(["--check", "deck.py"]).current_dir(&folder.0).env("PATH", &bin).env("SF_PYTHON", python);
    let out = command.output().unwrap();
    (out.status.code().unwrap(), text(&out.stdout), text(&out.stderr))
}

#[test]
fn blocks_around_shapes_and_meshes_of_ellipsoids() {
    let out = prints(&format!(
        "c = HULL({CUBE}, 1, 1); SCALE(c, (1, 3, 2))\nr = ROUGH_HEX(c, 2, 3, 4, dz=[1, 1, 1, 2])\n\
         print(r.nnod, c.nver, [round(x, 9) for x in MASS_CENTER(r)], len(r.nodes_on_surface(2147483647)) > 0)\n\
         try: ROUGH_HEX([c, r], 1, 1, 1)\nexcept TypeError as e: print(e)\n\
         e = ELLIP_MESH((1, 2, 3), (1, 1, 1), .05, 4, 5)\nprint(len(e.nodes_on_surface(5)), [round(x, 9) for x in MASS_CENTER(e)])"
    ));
    let expected = "60 8 [0.5, 1.5, 1.0] True\ndeck.py:4: ROUGH_HEX: shape: holds a MESH; give a CONVEX or several\n\
                    42 [1.0, 2.0, 3.0]\n";
    assert_eq!(out, expected);
}

/// Mass and inertia of the polyhedra are those of the mesh, and only what is outside can be touched.
#[test]
fn polyhedra_of_a_mesh_have_its_mass_and_its_surface() {
    let model = model(&format!(
        "{START}h = HEX({CUBE}, 3, 3, 3, 5, [1, 2, 3, 4, 5, 6])\nc = MESH2CONVEX(h)\nBODY(s, 'RIGID', c, m); BODY(s, 'RIGID', h, m)"
    ));
    let [a, b] = [0, 1].map(|row| &model.bodies[row].chars);
    assert!((a.mass - b.mass).abs() < 1e-9 && (a.center - b.center).norm() < 1e-12);
    assert!((a.tensor - b.tensor).norm() < 1e-9 * b.tensor.norm());
    let shapes: Vec<_> = model.shapes.iter().take(27).map(|row| &model.library[row.geometry as usize]).collect();
    assert_eq!(shapes.iter().filter(|g| g.parts().is_empty()).count(), 1, "the one in the middle");
    let mut surfaces: Vec<i32> = shapes.iter().flat_map(|g| g.surfaces()).collect();
    surfaces.sort_unstable();
    surfaces.dedup();
    assert_eq!(surfaces, [1, 2, 3, 4, 5, 6]);
}

/// Volume ids come from the elements, surface ids from the faces; the file is used again, but not trusted.
#[test]
fn a_mesh_is_filled_with_tetrahedra_once() {
    let Some(tetgen) = find("tetgen") else { return skipped("no tetgen; install the package tetgen") };
    let folder = Folder::new();
    let deck = |k: usize, more: &str| {
        format!(
            "h = HEX({CUBE}, 2, 2, {k}, 1, [1, 2, 3, 4, 5, 6])\nt = TETRAHEDRALIZE(h, 'kept/mesh.h5'{more})\n\
             print([round(x, 9) for x in MASS_CENTER(t)], [len(t.nodes_on_surface(i)) for i in range(1, 7)], t.nnod)"
        )
    };
    let with = [tetgen];
    let (code, first, told) = prints_with(&folder, &with, &deck(2, ""));
    assert_eq!((code, told.as_str()), (0, ""), "{told}");
    assert!(first.starts_with("[0.5, 0.5, 0.5] [9, 9, 9, 9, 9, 9] 2"), "{first}");
    // Without a mesher the file is enough.
    assert_eq!(prints_with(&folder, &[], &deck(2, "")).1, first);
    // Another shape, another bound: made again, with a warning.
    for (deck, what) in [(deck(3, ""), "shape"), (deck(3, ", 0.01, 1.5"), "bound")] {
        let (code, other, told) = prints_with(&folder, &with, &deck);
        assert!(code == 0 && other != first, "{what}: {other} {told}");
        assert!(told.contains("kept/mesh.h5: was made from another shape or other bounds: made again"), "{told}");
    }
    // A changed number: made again.
    prints_with(&folder, &with, &deck(2, ""));
    let whole = std::fs::read(folder.path("kept/mesh.h5")).unwrap();
    let mut changed = whole.clone();
    let half = 0.5f64.to_le_bytes();
    let at = changed.windows(8).position(|bytes| bytes == half).unwrap();
    changed[at + 6] ^= 1;
    std::fs::write(folder.path("kept/mesh.h5"), changed).unwrap();
    let (code, again, told) = prints_with(&folder, &with, &deck(2, ""));
    assert_eq!((code, &again), (0, &first), "{told}");
    assert!(told.contains("its numbers do not give their checksum: made again"), "{told}");
    // What cannot be known for a mesh of this command is left alone.
    for foreign in [&b"mine"[..], &whole[..whole.len() / 2]] {
        std::fs::write(folder.path("kept/mesh.h5"), foreign).unwrap();
        let (code, _, told) = prints_with(&folder, &with, &deck(2, ""));
        assert!(code == 3 && told.contains("is there and holds no mesh of TETRAHEDRALIZE"), "{told}");
        assert_eq!(std::fs::read(folder.path("kept/mesh.h5")).unwrap(), foreign);
    }
}

/// Every tetrahedron has the volume id of the element that it lies in; a warped quadrilateral is filled to its ridge.
#[test]
fn volume_ids_and_warped_faces_are_kept() {
    let Some(tetgen) = find("tetgen") else { return skipped("no tetgen; install the package tetgen") };
    let folder = Folder::new();
    let deck = "h = MESH([0,0,0, 1,0,0, 1,1,0, 0,1,0, 0,0,1, 1,0,1, 1,1,1.1, 0,1,1, 2,0,0, 2,1,0, 2,0,1, 2,1,1], \
                [8, 0,1,2,3,4,5,6,7, 3,  8, 1,8,9,2,5,10,11,6, 4], 7)\n\
                t = TETRAHEDRALIZE(h, 'a.h5', 0.05)\n(nodes, elements, faces) = t.get_data()\n\
                print(all(sum(nodes[3*n] - 1 for n in elements[k+1:k+5]) * (elements[k+5] - 3.5) >= 0 for k in range(0, len(elements), 6)))\n\
                print(set(faces[5::5]))\n";
    let (code, out, told) = prints_with(&folder, &[tetgen], deck);
    assert_eq!((code, out.as_str()), (0, "True\n{7}\n"), "{told}");
}

/// A block of 27 without the cube in the middle; its walls keep their surface id.
const HOLLOW: &str = "from itertools import product\n\
    b = [(x, y, z) for x, y, z in product(range(3), repeat=3) if (x, y, z) != (1, 1, 1)]\n\
    at = lambda x, y, z: 16 * x + 4 * y + z\n\
    hexa = lambda x, y, z: [8] + [at(x + i, y + j, z + k) for k in (0, 1) for i, j in ((0, 0), (1, 0), (1, 1), (0, 1))] + [5]\n\
    h = MESH([float(x) for p in product(range(4), repeat=3) for x in p], [n for p in b for n in hexa(*p)], \
             [3] + [n for f in ((21, 22, 26, 25), (37, 38, 42, 41)) for n in (4, *f, 9)])\n\
    t = TETRAHEDRALIZE(h, 'a.h5')\n\
    inside = [n for n in t.nodes_on_surface(3) if all(.9 < x < 2.1 for x in t.node(n))]\n\
    s = SOLFEC('DYNAMIC', 1, 'out/volume'); b = BODY(s, 'RIGID', COPY(t), BULK_MATERIAL(s))\n\
    print(round(b.volume, 9), len(inside) >= 8, len(t.nodes_on_surface(9)) >= 8, set(t.get_data()[1][5::6]))";

#[test]
fn cavities_of_meshes_stay_empty() {
    let Some(tetgen) = find("tetgen") else { return skipped("no tetgen; install the package tetgen") };
    let (code, out, told) = prints_with(&Folder::new(), &[tetgen], HOLLOW);
    assert_eq!((code, out.as_str()), (0, "26.0 True True {5}\n"), "{told}");
}

/// A step of three stairs: 4·7 + 4·3 + 2·2 by 4; centre from the same rectangles.
#[test]
fn a_surface_in_a_file_is_filled() {
    let Some(tetgen) = find("tetgen") else { return skipped("no tetgen; install the package tetgen") };
    let folder = Folder::new();
    let outline = [[0, 0], [4, 0], [8, 0], [10, 0], [10, 2], [8, 2], [8, 3], [4, 3], [4, 7], [0, 7]];
    let mut poly = String::from("20 3 0 0\n");
    for (n, [x, z]) in outline.iter().chain(&outline).enumerate() {
        poly += &format!("{} {x} {} {z}\n", n + 1, if n < 10 { 0 } else { 4 });
    }
    poly += "12 1\n1 0 5\n10 1 2 3 4 5 6 7 8 9 10\n1 0 6\n10 11 12 13 14 15 16 17 18 19 20\n";
    for k in 0..10 {
        let next = (k + 1) % 10;
        poly += &format!("1 0 0\n4 {} {} {} {}\n", k + 1, next + 1, next + 11, k + 11);
    }
    folder.write("stairs.poly", &(poly + "0\n0\n"));
    let deck = "t = TETRAHEDRALIZE('stairs.poly', 'out/s.h5', volid=8, surfid=9)\n\
                s = SOLFEC('DYNAMIC', 1, 'out/volume'); b = BODY(s, 'RIGID', COPY(t), BULK_MATERIAL(s))\n\
                print(round(b.volume, 9), [round(x, 9) for x in MASS_CENTER(t)], [len(t.nodes_on_surface(k)) for k in (5, 6, 9)])\n\
                print(t.get_data()[1][5])";
    let (code, out, told) = prints_with(&folder, std::slice::from_ref(&tetgen), deck);
    let area = 4.0 * 7.0 + 4.0 * 3.0 + 2.0 * 2.0;
    let center = [(28.0 * 2.0 + 12.0 * 6.0 + 4.0 * 9.0) / area, 2.0, (28.0 * 3.5 + 12.0 * 1.5 + 4.0) / area];
    let rounded = center.map(|x: f64| (x * 1e9).round() / 1e9);
    let expected = format!("176.0 {rounded:?} [10, 10, 20]\n8\n");
    assert_eq!((code, out.as_str()), (0, expected.as_str()), "{told}");
    let open = "TETRAHEDRALIZE('none.stl', 'out/t.h5')";
    let (code, _, told) = prints_with(&folder, &[tetgen], open);
    assert!(code == 4 && told.contains("none.stl: cannot read: no such file"), "{code} {told}");
}

#[test]
fn without_a_mesher_the_package_is_named() {
    let folder = Folder::new();
    let deck = format!("TETRAHEDRALIZE(HEX({CUBE}, 1, 1, 1, 1, [1]*6), 'a.h5')");
    let (code, _, told) = prints_with(&folder, &[], &deck);
    assert_eq!(code, 4);
    assert!(
        told.contains("TETRAHEDRALIZE: no mesher of tetrahedra is installed; install TetGen")
            && told.contains("apt-get install tetgen"),
        "{told}"
    );
    assert!(!folder.path("a.h5").exists());
}

#[test]
fn gmsh_does_it_where_there_is_no_tetgen() {
    let Some(gmsh) = find("gmsh") else { return not_here("no gmsh") };
    let folder = Folder::new();
    let deck = format!(
        "t = TETRAHEDRALIZE(HEX({CUBE}, 2, 2, 2, 1, [1, 2, 3, 4, 5, 6]), 'a.h5', quality=1.5)\n\
         print([round(x, 9) for x in MASS_CENTER(t)], [len(t.nodes_on_surface(i)) for i in range(1, 7)])"
    );
    let (code, out, told) = prints_with(&folder, &[gmsh], &deck);
    assert_eq!((code, out.as_str()), (0, "[0.5, 0.5, 0.5] [9, 9, 9, 9, 9, 9]\n"), "{told}");
    assert!(told.contains("Gmsh keeps the surface as it is"), "{told}");
}

#[test]
fn gmsh_leaves_cavities_empty() {
    let Some(gmsh) = find("gmsh") else { return not_here("no gmsh") };
    let (code, out, told) = prints_with(&Folder::new(), &[gmsh], HOLLOW);
    assert_eq!((code, out.as_str()), (0, "26.0 True True {5}\n"), "{told}");
}

#[test]
fn bounds_that_cannot_be_are_refused_and_stale_keywords_are_ignored() {
    let (code, told) = fails(&format!("TETRAHEDRALIZE(HEX({CUBE}, 1, 1, 1, 1, [1]*6), 'a.h5', quality=1)"));
    assert!(code == 3 && told.contains("quality: is 1; give a number > 1"), "{told}");
    let (_, told) = fails(&format!("TETRAHEDRALIZE(HEX({CUBE}, 1, 1, 1, 1, [1]*6), 'a.h5', volume=0)"));
    assert!(told.contains("volume: is 0; give a number > 0"), "{told}");
    let (_, told) = fails("TETRAHEDRALIZE(SPHERE((0,0,0), 1, 1, 1), 'a.h5', max_angle=3)");
    assert!(told.contains("max_angle: is a keyword of an older version and ignored"), "{told}");
    assert!(told.contains("shape: is a SPHERE; give a MESH or the path of a file"), "{told}");
}

/// Faces with surface ids that no element has, and elements of a number of nodes that no kind has.
#[test]
fn faces_and_elements_that_are_none_are_told() {
    let nodes = "[0,0,0, 1,0,0, 1,1,0, 0,1,0, 0,0,1, 1,0,1, 1,1,1, 0,1,1]";
    let folder = Folder::new();
    let (code, _, told) =
        prints_with(&folder, &[], &format!("MESH({nodes}, [8,0,1,2,3,4,5,6,7,1], [1, 4,0,3,2,1,2, 4,0,1,2,7,5])"));
    assert!(code == 0 && told.contains("1 of 2 given faces are faces of no element"), "{told}");
    assert!(told.contains("the first has nodes [0, 1, 2, 7] and id 5"), "{told}");
    let (code, _, told) = prints_with(&folder, &[], &format!("MESH({nodes}, [7,0,1,2,3,4,5,6,1], 1)"));
    assert!(code == 3 && told.contains("MESH: elements: element 0: has 7 nodes; give 4, 5, 6, 8, 10"), "{told}");
}
