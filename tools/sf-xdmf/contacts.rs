//! Contacts and other constraints as points with reactions.

use solfec::math::Vec3;
use solfec::query::{ConstraintRows, Frame, NO_BODY};

use super::family::{counting, Context, Wanted};
use super::heavy::{Companion, Heavy, Rows};
use super::markup::{Attribute, Center, Collection, Step, Topology};
use crate::cli::CliError;

/// The family of contacts under way.
///
/// Xdmf2 reads no grid of zero points, and a missing step would show the reactions of the step before. So a frame without
/// contacts gets one point, id 0, of zero force, at the place of a contact of another frame.
pub struct Contacts {
    collection: Collection,
    /// Connectivities written so far, by number of points.
    topologies: Vec<(usize, Heavy)>,
    /// Place of the newest contact.
    anchor: Option<[f64; 3]>,
    /// Frames before the first contact.
    waiting: Vec<Instant>,
}

/// Number and time of a frame.
#[derive(Debug, Clone, Copy)]
struct Instant {
    index: u64,
    time: f64,
}

impl Default for Contacts {
    fn default() -> Self {
        Contacts { collection: Collection::new("contacts"), topologies: Vec::new(), anchor: None, waiting: Vec::new() }
    }
}

impl Contacts {
    pub fn collection(&self) -> &Collection {
        &self.collection
    }

    /// Adds a frame; as long as there was no contact nothing is written. A subset of bodies keeps the constraints whose
    /// bodies are all in it; these are copied, whole frames are linked to `rows` of the results.
    pub fn add(&mut self, to: &Companion, of: &Context, frame: &Frame, rows: Option<&Rows>) -> Result<(), CliError> {
        let c = &frame.constraints;
        let kept: Vec<usize> = (0..c.id.len())
            .filter(|&i| of.chosen(c.master[i]) && (c.slave[i] == NO_BODY || of.chosen(c.slave[i])))
            .collect();
        let now = Instant { index: frame.index, time: frame.time };
        if let Some(&last) = kept.last() {
            self.anchor = Some(c.point[last]);
            for earlier in std::mem::take(&mut self.waiting) {
                self.write_placeholder(to, of, earlier, c.point[last])?;
            }
            let link = rows.filter(|r| kept.len() == c.id.len() && r.count == c.id.len());
            return self.write(to, of, now, c, &kept, link);
        }
        match self.anchor {
            Some(point) => self.write_placeholder(to, of, now, point),
            None => {
                self.waiting.push(now);
                Ok(())
            }
        }
    }

    fn write_placeholder(
        &mut self,
        to: &Companion,
        of: &Context,
        now: Instant,
        point: [f64; 3],
    ) -> Result<(), CliError> {
        let nothing = ConstraintRows {
            id: vec![0],
            kind: vec![0],
            master: vec![NO_BODY],
            slave: vec![NO_BODY],
            point: vec![point],
            normal: vec![[0.0; 3]],
            tangent1: vec![[0.0; 3]],
            tangent2: vec![[0.0; 3]],
            u: vec![[0.0; 3]],
            force: vec![[0.0; 3]],
            gap: vec![0.0],
            area: vec![0.0],
            ..ConstraintRows::default()
        };
        self.write(to, of, now, &nothing, &[0], None)
    }

    fn write(
        &mut self,
        to: &Companion,
        of: &Context,
        now: Instant,
        c: &ConstraintRows,
        kept: &[usize],
        link: Option<&Rows>,
    ) -> Result<(), CliError> {
        let at = format!("/contacts/frame{:06}", now.index);
        let vector = |name: &str, column: &str, values: &[[f64; 3]]| match link {
            Some(rows) => to.link(&format!("{at}/{name}"), rows, column, 3),
            None => to.vectors(&format!("{at}/{name}"), &pick(values, kept)),
        };
        let scalar = |name: &str, column: &str, values: &[f64]| match link {
            Some(rows) => to.link(&format!("{at}/{name}"), rows, column, 1),
            None => to.scalars(&format!("{at}/{name}"), &pick(values, kept)),
        };
        let mut attributes = vec![
            node("normal", vector("normal", "con/normal", &c.normal)?),
            node("area", scalar("area", "con/area", &c.area)?),
        ];
        if of.wants(Wanted::Reac) {
            attributes.push(node("force", vector("force", "con/force", &c.force)?));
        }
        if of.wants(Wanted::Gap) {
            attributes.push(node("gap", scalar("gap", "con/gap", &c.gap)?));
        }
        if of.wants(Wanted::Relv) {
            let global: Vec<[f64; 3]> = kept.iter().map(|&i| relative_velocity(c, i)).collect();
            let data = to.vectors(&format!("{at}/relative_velocity"), &global)?;
            attributes.push(node("relative_velocity", data));
        }
        for (name, values) in identities(of, c, kept) {
            attributes.push(node(name, to.scalars(&format!("{at}/{name}"), &values)?));
        }
        let step = Step {
            time: now.time,
            topology: Topology::Points { data: self.connectivity(to, kept.len())? },
            geometry: vector("position", "con/point", &c.point)?,
            attributes,
        };
        self.collection.push(&step, &to.name());
        Ok(())
    }

    fn connectivity(&mut self, to: &Companion, n: usize) -> Result<Heavy, CliError> {
        if let Some((_, data)) = self.topologies.iter().find(|(count, _)| *count == n) {
            return Ok(data.clone());
        }
        let data = to.scalars(&format!("/contacts/topology{n}"), &counting(n))?;
        self.topologies.push((n, data.clone()));
        Ok(data)
    }
}

fn node(name: &'static str, data: Heavy) -> Attribute {
    Attribute { name, center: Center::Node, data }
}

/// Ids of constraints and bodies (0: none), numbers of kinds.
fn identities(of: &Context, c: &ConstraintRows, kept: &[usize]) -> [(&'static str, Vec<i64>); 4] {
    let id_of = |row: u32| of.model.bodies.get(row as usize).map_or(0, |b| b.id as i64);
    [
        ("id", kept.iter().map(|&i| c.id[i] as i64).collect()),
        ("kind", kept.iter().map(|&i| i64::from(c.kind[i])).collect()),
        ("master", kept.iter().map(|&i| id_of(c.master[i])).collect()),
        ("slave", kept.iter().map(|&i| id_of(c.slave[i])).collect()),
    ]
}

fn pick<T: Copy>(values: &[T], rows: &[usize]) -> Vec<T> {
    rows.iter().map(|&i| values[i]).collect()
}

/// `U` in global axes: `t1 U1 + t2 U2 + n U3`.
fn relative_velocity(c: &ConstraintRows, i: usize) -> [f64; 3] {
    let axis = |a: &[[f64; 3]]| Vec3::from(a[i]);
    let u = c.u[i];
    (axis(&c.tangent1) * u[0] + axis(&c.tangent2) * u[1] + axis(&c.normal) * u[2]).into()
}
