//! Bodies that are shown by the nodes of their meshes: stored, read, packed, followed through frames.

use solfec::frame::{Frame, NodalRows, NodeRows, RigidRows};
use solfec_formats::check_file;
use solfec_formats::results::{everything, pack, BodyColumns, Options, Results, Share, Writer};

use super::sample;

/// A frame in which the bodies of these catalogue rows have so many nodes.
fn frame(k: u64, bodies: &[(u32, u32)]) -> Frame {
    let total: u32 = bodies.iter().map(|(_, nodes)| nodes).sum();
    let place = |n: u32| [k as f64, f64::from(n), 0.5];
    Frame {
        rigid: RigidRows::default(),
        pseudo: Default::default(),
        nodal: NodalRows {
            body: bodies.iter().map(|(body, _)| *body).collect(),
            nodes: bodies.iter().map(|(_, nodes)| *nodes).collect(),
            energy: bodies.iter().map(|(body, _)| [f64::from(*body); 6]).collect(),
        },
        nodes: NodeRows {
            x: (0..total).map(place).collect(),
            v: (0..total).map(|n| [0.0, 0.0, f64::from(n)]).collect(),
        },
        constraints: Default::default(),
        events: Vec::new(),
        ..sample::frame(k)
    }
}

fn stored(name: &str) -> std::path::PathBuf {
    let dir = sample::folder(name).join("nodal");
    let mut w = Writer::create(&dir, &sample::file(), Options::default()).unwrap();
    w.append(0, frame(0, &[(0, 4), (1, 3)])).unwrap();
    w.flush().unwrap();
    w.append(0, frame(1, &[(0, 4), (1, 3)])).unwrap();
    w.append(0, frame(2, &[(1, 3)])).unwrap();
    w.end_run(0, "done").unwrap();
    dir
}

#[test]
fn frames_of_nodal_bodies_are_read_as_they_were_written() {
    let results = Results::open(&stored("nodal-frames")).unwrap();
    assert_eq!(results.read_frame(0, 1).unwrap(), frame(1, &[(0, 4), (1, 3)]));
    assert_eq!(results.read_frame(0, 2).unwrap(), frame(2, &[(1, 3)]));
    assert_eq!((results.frames(0).unwrap().bodies(0), results.frames(0).unwrap().bodies(2)), (2, 1));
    let catalogue = results.catalogue(0).unwrap();
    assert_eq!((catalogue.born_frame[0], catalogue.dead_frame[0], catalogue.dead_frame[1]), (0, 2, -1));
    assert_eq!(results.energies(0, None).unwrap()[0], [1.0; 6]);
}

#[test]
fn the_nodes_of_one_body_are_followed_through_frames() {
    let results = Results::open(&stored("nodal-history")).unwrap();
    let history = results.body_motion(0, 1, &[0, 1, 2], BodyColumns::Place).unwrap();
    assert_eq!(history.frames, [0, 1, 2]);
    assert_eq!(history.nodal.nodes, [3, 3, 3]);
    let first = |k: usize| history.nodes.x[3 * k];
    assert_eq!([first(0), first(1), first(2)], [[0.0, 4.0, 0.5], [1.0, 4.0, 0.5], [2.0, 0.0, 0.5]]);
    assert!(history.nodes.v.iter().all(|v| *v == [0.0; 3]));
}

/// Bodies out of order are brought into the order of the format together with their nodes.
#[test]
fn rows_are_sorted_with_their_nodes() {
    let dir = sample::folder("nodal-sorted").join("nodal");
    let mut w = Writer::create(&dir, &sample::file(), Options::default()).unwrap();
    w.append(0, frame(0, &[(1, 3), (0, 4)])).unwrap();
    w.flush().unwrap();
    let read = Results::open(&dir).unwrap().read_frame(0, 0).unwrap();
    assert_eq!((read.nodal.body, read.nodal.nodes), (vec![0, 1], vec![4, 3]));
    let numbers: Vec<f64> = read.nodes.x.iter().map(|x| x[1]).collect();
    assert_eq!(numbers, [3.0, 4.0, 5.0, 6.0, 0.0, 1.0, 2.0]);
}

#[test]
fn some_bodies_are_packed_with_their_nodes() {
    let dir = stored("nodal-packed");
    let results = Results::open(&dir).unwrap();
    let out = dir.with_file_name("packed.h5");
    let share = Share { domain: 0, frames: Some(vec![0, 2]), bodies: Some(vec![false, true, true, true]) };
    pack(&results, &[share], &out, 0).unwrap();
    let packed = Results::open(&out).unwrap().read_frame(0, 0).unwrap();
    assert_eq!((packed.nodal.body, packed.nodes.x.len(), packed.nodes.x[0]), (vec![1], 3, [0.0, 4.0, 0.5]));
    let all = dir.with_file_name("all.h5");
    pack(&results, &everything(&results), &all, 1).unwrap();
    assert_eq!(Results::open(&all).unwrap().read_frame(0, 1).unwrap(), frame(1, &[(0, 4), (1, 3)]));
    assert_eq!(check_file(&all).unwrap(), [""; 0]);
    assert_eq!(check_file(&dir).unwrap(), [""; 0]);
}
