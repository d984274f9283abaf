//! Columns → Model. Nothing of the file is believed: sizes, ranges, values and references are checked, and a message
//! names file, dataset, row, value and remedy.

use solfec::load::{Reading, Series};
use solfec::material::{BulkMaterial, SurfaceMaterial, SurfaceModel};
use solfec::math::Mat3;
use solfec::model::{characteristics, Analysis, BodyKind, BodyRow, Characteristics, FunctionKind, Model, Scheme};

use super::{constraints, display, loads, shapes, write, Input, ModelFile, Provenance};
use crate::error::{Error, Result};
use crate::store::{Cell, In};

/// The whole file.
pub(crate) fn file(from: &In) -> Result<ModelFile> {
    let names = from.members("/domains")?;
    if names.is_empty() {
        return Err(Error::format(&from.name, "no model inside: group /domains is empty"));
    }
    let mut domains = Vec::with_capacity(names.len());
    for (k, name) in names.iter().enumerate() {
        if *name != k.to_string() {
            let text = format!("group /domains/{name}: domains must be numbered 0, 1, …");
            return Err(Error::format(&from.name, text));
        }
        domains.push(read_domain(&Table { from, base: format!("/domains/{k}") })?);
    }
    Ok(ModelFile { domains, provenance: provenance(from)? })
}

/// `/provenance`, of model files and of results.
pub(crate) fn provenance(from: &In) -> Result<Provenance> {
    let texts = |path| Ok::<_, Error>(from.text_if("", path)?.unwrap_or_default());
    let paths = texts("provenance/inputs/path")?;
    let sizes = from.get_if::<u64>("", "provenance/inputs/size")?.unwrap_or_default();
    let hashes = texts("provenance/inputs/sha256")?;
    if paths.len() != sizes.len() || paths.len() != hashes.len() {
        let place = from.at("", "provenance/inputs");
        return Err(Error::format(&place, "columns path, size and sha256 differ in length"));
    }
    let inputs = paths.into_iter().zip(sizes).zip(hashes);
    Ok(Provenance {
        deck: texts("provenance/deck")?.concat(),
        inputs: inputs.map(|((path, size), sha256)| Input { path, size, sha256 }).collect(),
        runs: texts("provenance/runs")?,
        requires_live: from.numbers::<1>("", "requires_live")?.is_some_and(|[x]| x != 0.0),
    })
}

/// The columns of one domain.
pub(super) struct Table<'a> {
    pub from: &'a In,
    pub base: String,
}

impl Table<'_> {
    pub fn wrong<T>(&self, path: &str, text: impl AsRef<str>) -> Result<T> {
        Err(Error::format(&self.from.at(&self.base, path), text))
    }

    pub fn wrong_row<T>(&self, path: &str, row: usize, text: impl AsRef<str>) -> Result<T> {
        self.wrong(path, format!("row {row}: {}", text.as_ref()))
    }

    pub fn has(&self, path: &str) -> bool {
        self.from.has(&self.base, path)
    }

    pub fn rows<T>(&self, path: &str, rows: Vec<T>, n: usize) -> Result<Vec<T>> {
        match rows.len() {
            m if m == n => Ok(rows),
            m => self.wrong(path, format!("{m} rows, but the table has {n}")),
        }
    }

    /// A column of `n` rows.
    pub fn column<T: Cell>(&self, path: &str, n: usize) -> Result<Vec<T>> {
        self.rows(path, self.from.get(&self.base, path)?, n)
    }

    /// A column of `n` rows, or `n` times `default` if it is absent.
    pub fn column_or<T: Cell>(&self, path: &str, n: usize, default: T) -> Result<Vec<T>> {
        match self.from.get_if(&self.base, path)? {
            Some(rows) => self.rows(path, rows, n),
            None => Ok(vec![default; n]),
        }
    }

    pub fn texts(&self, path: &str, n: usize) -> Result<Vec<String>> {
        self.rows(path, self.from.text(&self.base, path)?, n)
    }

    pub fn texts_or(&self, path: &str, n: usize) -> Result<Vec<String>> {
        match self.from.text_if(&self.base, path)? {
            Some(rows) => self.rows(path, rows, n),
            None => Ok(vec![String::new(); n]),
        }
    }

    /// Every value satisfies `good`; `want` says what that means.
    pub fn check(&self, path: &str, rows: &[f64], want: &str, good: impl Fn(f64) -> bool) -> Result<()> {
        match rows.iter().position(|&x| !good(x)) {
            Some(i) => self.wrong_row(path, i, format!("{}, but it must be {want}", rows[i])),
            None => Ok(()),
        }
    }

    pub fn finite<const N: usize>(&self, path: &str, rows: &[[f64; N]]) -> Result<()> {
        match rows.iter().position(|r| r.iter().any(|x| !x.is_finite())) {
            Some(i) => self.wrong_row(path, i, format!("{:?} is not finite", rows[i])),
            None => Ok(()),
        }
    }

    /// Indices of a table of `n` rows.
    pub fn indices(&self, path: &str, rows: &[i64], n: usize, of: &str) -> Result<()> {
        match rows.iter().position(|&i| i < 0 || i as u64 >= n as u64) {
            Some(i) => self.wrong_row(path, i, format!("{} is not a row of {of}, which has {n}", rows[i])),
            None => Ok(()),
        }
    }

    /// A row of a table of `n` rows that row `at` of a column names.
    pub fn row(&self, path: &str, at: usize, row: i64, n: usize, of: &str) -> Result<u32> {
        match u32::try_from(row) {
            Ok(found) if (found as usize) < n => Ok(found),
            _ => self.wrong_row(path, at, format!("{row} is not a row of {of}, which has {n}")),
        }
    }

    /// The kind of the body that row `at` of a column names by its id.
    pub fn body(&self, path: &str, at: usize, id: u64, m: &Model) -> Result<BodyKind> {
        match m.body_row(id) {
            Some(row) => Ok(m.bodies[row].kind),
            None => self.wrong_row(path, at, format!("no body has the id {id}")),
        }
    }

    /// A function that row `at` of a column names by its number.
    pub fn function(&self, path: &str, at: usize, number: i64, m: &Model, kind: FunctionKind) -> Result<u32> {
        let row = m.functions.iter().find(|f| i64::from(f.function) == number && f.kind == kind);
        match row {
            Some(row) => Ok(row.function),
            None => self.wrong_row(path, at, format!("callbacks has no function {number} of this kind")),
        }
    }

    /// Offsets of `n` items into a table of `total` rows; `n` = None: as many as there are.
    pub fn offsets(&self, path: &str, n: Option<usize>, total: usize) -> Result<Vec<usize>> {
        let raw = self.from.get::<u64>(&self.base, path)?;
        if raw.is_empty() {
            return self.wrong(path, "empty; one number more than items is wanted, the first is 0");
        }
        if let Some(n) = n {
            if raw.len() != n + 1 {
                return self.wrong(path, format!("{} rows, but {} are wanted (one more than items)", raw.len(), n + 1));
            }
        }
        if raw[0] != 0 {
            return self.wrong_row(path, 0, format!("{}, but offsets start with 0", raw[0]));
        }
        if let Some(i) = raw.windows(2).position(|w| w[0] > w[1]) {
            return self.wrong_row(path, i + 1, format!("{} is less than the offset before it", raw[i + 1]));
        }
        if raw[raw.len() - 1] != total as u64 {
            let text = format!("{}, but the table it points into has {total} rows", raw[raw.len() - 1]);
            return self.wrong_row(path, raw.len() - 1, text);
        }
        Ok(raw.iter().map(|&x| x as usize).collect())
    }

    pub fn len(&self, path: &str) -> Result<usize> {
        self.from.len(&self.base, path)
    }

    pub fn number(&self, key: &str) -> Result<Option<f64>> {
        Ok(self.from.numbers::<1>(&self.base, key)?.map(|[x]| x))
    }

    pub fn text(&self, key: &str) -> Result<Option<String>> {
        self.from.text_attribute(&self.base, key)
    }
}

fn read_domain(t: &Table) -> Result<Model> {
    let analysis = match t.text("analysis")?.as_deref() {
        Some("DYNAMIC") => Analysis::Dynamic,
        Some("QUASI_STATIC") => Analysis::QuasiStatic,
        Some(other) => return t.wrong("@analysis", format!("'{other}', but DYNAMIC or QUASI_STATIC is wanted")),
        None => return t.wrong("@analysis", "missing attribute: DYNAMIC or QUASI_STATIC"),
    };
    let step = match t.number("step")? {
        Some(h) if h > 0.0 && h.is_finite() => h,
        Some(h) => return t.wrong("@step", format!("{h}, but a positive time step in seconds is wanted")),
        None => return t.wrong("@step", "missing attribute: the time step in seconds"),
    };
    let name = t.text("name")?;
    let path = t.text("output_path")?.or_else(|| name.as_ref().map(|n| format!("out/{n}")));
    let mut m = Model::new(analysis, step, path.unwrap_or_else(|| "out".into()));
    if let Some(name) = name {
        m.name = name;
    }
    if let Some(verbose) = t.text("verbose")? {
        m.verbose = verbose;
    }
    let compat = t.text("compat")?.unwrap_or_default();
    m.compat = compat.split(',').filter(|s| !s.is_empty()).map(String::from).collect();
    m.series = series(t)?;
    m.bulk = bulk(t)?;
    m.surface = surface(t)?;
    epsilon(t, &mut m)?;
    (m.library, m.shapes) = shapes::read(t, m.settings.epsilon)?;
    bodies(t, &mut m)?;
    loads::read_functions(t, &mut m)?;
    constraints::read(t, &mut m)?;
    loads::read(t, &mut m)?;
    display::read(t, &mut m)?;
    settings(t, &mut m)?;
    program(t, &mut m)?;
    Ok(m)
}

fn series(t: &Table) -> Result<Vec<Series>> {
    if !t.has("timeseries/offset") {
        return Ok(Vec::new());
    }
    let times = t.from.get::<f64>(&t.base, "timeseries/t")?;
    let values = t.column::<f64>("timeseries/v", times.len())?;
    let offsets = t.offsets("timeseries/offset", None, times.len())?;
    let labels = t.texts_or("timeseries/label", offsets.len() - 1)?;
    let readings = t.column_or("timeseries/reading", labels.len(), 0u8)?;
    t.check("timeseries/t", &times, "finite", f64::is_finite)?;
    t.check("timeseries/v", &values, "finite", f64::is_finite)?;
    let mut all = Vec::with_capacity(labels.len());
    for (i, (label, w)) in labels.into_iter().zip(offsets.windows(2)).enumerate() {
        let (times, values) = (&times[w[0]..w[1]], &values[w[0]..w[1]]);
        if times.is_empty() {
            return t.wrong_row("timeseries/offset", i, "a series without points; a constant has one");
        }
        if let Some(k) = times.windows(2).position(|p| p[0] >= p[1]) {
            return t.wrong_row("timeseries/t", w[0] + k + 1, "times of a series must increase");
        }
        let reading = match readings[i] {
            0 => Reading::Value,
            1 => Reading::Derivative,
            2 => Reading::Integral,
            other => return t.wrong_row("timeseries/reading", i, format!("{other} is not the number of a reading")),
        };
        match Series::new(label, times.to_vec(), values.to_vec()).and_then(|series| series.read_as(reading)) {
            Ok(series) => all.push(series),
            Err(e) => return t.wrong_row("timeseries/offset", i, e.to_string()),
        }
    }
    Ok(all)
}

fn bulk(t: &Table) -> Result<Vec<BulkMaterial>> {
    if !t.has("materials/bulk/young") {
        return Ok(Vec::new());
    }
    let young = t.from.get::<f64>(&t.base, "materials/bulk/young")?;
    let n = young.len();
    let labels = t.texts_or("materials/bulk/label", n)?;
    for (i, model) in t.texts_or("materials/bulk/model", n)?.iter().enumerate() {
        if !model.is_empty() && model != "KIRCHHOFF" {
            return t.wrong_row(
                "materials/bulk/model",
                i,
                format!("unknown material model '{model}'; KIRCHHOFF is known"),
            );
        }
    }
    let poisson = t.column::<f64>("materials/bulk/poisson", n)?;
    let density = t.column::<f64>("materials/bulk/density", n)?;
    let tensile = t.column_or("materials/bulk/tensile", n, f64::INFINITY)?;
    let fracene = t.column_or("materials/bulk/fracene", n, f64::INFINITY)?;
    t.check("materials/bulk/young", &young, "positive", positive)?;
    t.check("materials/bulk/poisson", &poisson, "between -1 and 1/2", |x| x > -1.0 && x < 0.5)?;
    t.check("materials/bulk/density", &density, "positive", positive)?;
    t.check("materials/bulk/tensile", &tensile, "positive or zero, or inf", |x| x >= 0.0)?;
    t.check("materials/bulk/fracene", &fracene, "positive or zero, or inf", |x| x >= 0.0)?;
    let row = |(i, label): (usize, String)| BulkMaterial {
        label,
        young: young[i],
        poisson: poisson[i],
        density: density[i],
        tensile: tensile[i],
        fracene: fracene[i],
    };
    Ok(labels.into_iter().enumerate().map(row).collect())
}

pub(super) fn positive(x: f64) -> bool {
    x > 0.0 && x.is_finite()
}

fn not_negative(x: f64) -> bool {
    x >= 0.0 && x.is_finite()
}

fn surface(t: &Table) -> Result<Vec<SurfaceMaterial>> {
    if !t.has("materials/surface/surf1") {
        return Ok(vec![SurfaceMaterial::default()]);
    }
    let at = |name: &str| format!("materials/surface/{name}");
    let surf1 = t.from.get::<i32>(&t.base, &at("surf1"))?;
    let n = surf1.len();
    let surf2 = t.column::<i32>(&at("surf2"), n)?;
    let labels = t.texts_or(&at("label"), n)?;
    let models = t.texts(&at("model"), n)?;
    let friction = t.column::<f64>(&at("friction"), n)?;
    let cohesion = t.column_or(&at("cohesion"), n, 0.0)?;
    let restitution = t.column_or(&at("restitution"), n, 0.0)?;
    let spring = t.column_or(&at("spring"), n, 0.0)?;
    let dashpot = t.column_or(&at("dashpot"), n, 0.0)?;
    let hpow = t.column_or(&at("hpow"), n, 1.0)?;
    for (name, rows) in [("friction", &friction), ("cohesion", &cohesion), ("spring", &spring)] {
        t.check(&at(name), rows, "positive or zero", not_negative)?;
    }
    t.check(&at("restitution"), &restitution, "in [0, 1]", |x| (0.0..=1.0).contains(&x))?;
    t.check(&at("dashpot"), &dashpot, "finite", f64::is_finite)?;
    t.check(&at("hpow"), &hpow, "at least 1", |x| x >= 1.0 && x.is_finite())?;
    let mut all = Vec::with_capacity(n + 1);
    for (i, label) in labels.into_iter().enumerate() {
        let model = match models[i].as_str() {
            "SIGNORINI_COULOMB" => SurfaceModel::SignoriniCoulomb,
            "SPRING_DASHPOT" => SurfaceModel::SpringDashpot,
            other => {
                let text = format!("unknown contact law '{other}'; SIGNORINI_COULOMB and SPRING_DASHPOT are known");
                return t.wrong_row(&at("model"), i, text);
            }
        };
        all.push(SurfaceMaterial {
            surf: [surf1[i].min(surf2[i]), surf1[i].max(surf2[i])],
            label,
            model,
            friction: friction[i],
            cohesion: cohesion[i],
            restitution: restitution[i],
            spring: spring[i],
            dashpot: dashpot[i],
            hpow: hpow[i],
        });
    }
    let any = SurfaceMaterial::default();
    if all.first().is_none_or(|m| m.surf != any.surf) {
        if all.iter().any(|m| m.surf == any.surf) {
            return t.wrong(&at("surf1"), "the pair (any, any) must be row 0");
        }
        all.insert(0, any);
    }
    Ok(all)
}

fn body_kind(n: u8) -> Option<BodyKind> {
    Some(match n {
        0 => BodyKind::Obstacle,
        1 => BodyKind::Rigid,
        2 => BodyKind::PseudoRigid,
        3 => BodyKind::FiniteElement,
        _ => return None,
    })
}

fn scheme(n: u8) -> Option<Scheme> {
    Some(match n {
        0 => Scheme::Default,
        1 => Scheme::RigPos,
        2 => Scheme::RigNeg,
        3 => Scheme::RigImp,
        4 => Scheme::DefExp,
        5 => Scheme::DefLim,
        _ => return None,
    })
}

fn bodies(t: &Table, m: &mut Model) -> Result<()> {
    if !t.has("bodies/id") {
        return Ok(());
    }
    let ids = t.from.get::<u64>(&t.base, "bodies/id")?;
    let n = ids.len();
    if let Some(i) = (0..n).find(|&i| ids[i] == 0 || (i > 0 && ids[i] <= ids[i - 1])) {
        return t.wrong_row("bodies/id", i, format!("{}, but ids ascend from 1", ids[i]));
    }
    let labels = t.texts_or("bodies/label", n)?;
    let kinds = t.column::<u8>("bodies/kind", n)?;
    let schemes = t.column_or("bodies/scheme", n, 0u8)?;
    let flags = t.column_or("bodies/flags", n, 0u8)?;
    let shape_offset = t.offsets("bodies/shape_offset", Some(n), m.shapes.len())?;
    let material = t.column::<i64>("bodies/material", n)?;
    t.indices("bodies/material", &material, m.bulk.len(), "materials/bulk")?;
    let damping = t.column_or("bodies/damping", n, 0.0)?;
    t.check("bodies/damping", &damping, "positive or zero", not_negative)?;
    let conf = ragged(t, "bodies/conf_offset", "bodies/conf", n)?;
    let velo = ragged(t, "bodies/velo_offset", "bodies/velo", n)?;
    let lines = t.column_or("bodies/source_line", n, 0u32)?;
    for (i, label) in labels.into_iter().enumerate() {
        let Some(kind) = body_kind(kinds[i]) else {
            return t.wrong_row("bodies/kind", i, format!("{} is not the number of a kind", kinds[i]));
        };
        let Some(scheme) = scheme(schemes[i]) else {
            return t.wrong_row("bodies/scheme", i, format!("{} is not the number of a scheme", schemes[i]));
        };
        if shape_offset[i] == shape_offset[i + 1] {
            return t.wrong_row("bodies/shape_offset", i, "a body without a shape");
        }
        let row = BodyRow {
            id: ids[i],
            label,
            kind,
            scheme,
            material: material[i] as u32,
            shapes: shape_offset[i] as u32..shape_offset[i + 1] as u32,
            chars: NO_CHARACTERISTICS,
            damping: damping[i],
            selfcontact: flags[i] & write::SELFCONTACT != 0,
            disable_rotation: flags[i] & write::DISABLE_ROTATION != 0,
            conf: conf.row(i).to_vec(),
            velo: velo.row(i).to_vec(),
            line: lines[i],
        };
        check_layout(t, i, &row)?;
        m.bodies.push(row);
    }
    all_characteristics(t, m)
}

const NO_CHARACTERISTICS: Characteristics = Characteristics {
    mass: 0.0,
    volume: 0.0,
    center: solfec::math::Vec3::new(0.0, 0.0, 0.0),
    tensor: Mat3::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
};

/// Rows of different length.
struct Ragged {
    offsets: Vec<usize>,
    values: Vec<f64>,
}

impl Ragged {
    fn row(&self, i: usize) -> &[f64] {
        match self.offsets.get(i..i + 2) {
            Some(w) => &self.values[w[0]..w[1]],
            None => &[],
        }
    }
}

fn ragged(t: &Table, offset_path: &str, path: &str, n: usize) -> Result<Ragged> {
    if !t.has(path) {
        return Ok(Ragged { offsets: Vec::new(), values: Vec::new() });
    }
    let values = t.from.get::<f64>(&t.base, path)?;
    t.check(path, &values, "finite", f64::is_finite)?;
    Ok(Ragged { offsets: t.offsets(offset_path, Some(n), values.len())?, values })
}

/// Sizes of conventions.md 6.
fn check_layout(t: &Table, i: usize, b: &BodyRow) -> Result<()> {
    let (conf, velo) = match b.kind {
        BodyKind::Obstacle | BodyKind::Rigid => (12, 6),
        BodyKind::PseudoRigid => (12, 12),
        BodyKind::FiniteElement => return Ok(()),
    };
    for (path, found, want) in [("conf", b.conf.len(), conf), ("velo", b.velo.len(), velo)] {
        if found != 0 && found != want {
            let text = format!("{found} numbers, but 0 or {want} are wanted");
            return t.wrong_row(&format!("bodies/{path}_offset"), i, text);
        }
    }
    Ok(())
}

fn all_characteristics(t: &Table, m: &mut Model) -> Result<()> {
    let n = m.bodies.len();
    let mass = t.from.get_if::<f64>(&t.base, "bodies/mass")?;
    let volume = t.from.get_if::<f64>(&t.base, "bodies/volume")?;
    let center = t.from.get_if::<[f64; 3]>(&t.base, "bodies/center")?;
    let tensor = t.from.get_if::<[f64; 9]>(&t.base, "bodies/tensor")?;
    match (mass, volume, center, tensor) {
        (Some(mass), Some(volume), Some(center), Some(tensor)) => {
            let mass = t.rows("bodies/mass", mass, n)?;
            let volume = t.rows("bodies/volume", volume, n)?;
            let center = t.rows("bodies/center", center, n)?;
            let tensor = t.rows("bodies/tensor", tensor, n)?;
            t.check("bodies/mass", &mass, "positive", positive)?;
            t.check("bodies/volume", &volume, "positive", positive)?;
            t.finite("bodies/center", &center)?;
            t.finite("bodies/tensor", &tensor)?;
            for (i, body) in m.bodies.iter_mut().enumerate() {
                body.chars = Characteristics {
                    mass: mass[i],
                    volume: volume[i],
                    center: center[i].into(),
                    tensor: Mat3::from_column_slice(&tensor[i]),
                };
            }
            Ok(())
        }
        (None, None, None, None) => {
            for i in 0..n {
                let body = &m.bodies[i];
                let shapes: Vec<_> = m.shapes_of(body).collect();
                match characteristics(&shapes, m.bulk[body.material as usize].density, body.kind) {
                    Ok(chars) => m.bodies[i].chars = chars,
                    Err(error) => return t.wrong_row("bodies/shape_offset", i, error.to_string()),
                }
            }
            Ok(())
        }
        _ => t.wrong("bodies/mass", "mass, volume, center and tensor come together: give all of them or none"),
    }
}

fn epsilon(t: &Table, m: &mut Model) -> Result<()> {
    if let Some(epsilon) = t.number("geometric_epsilon")? {
        if !positive(epsilon) {
            return t.wrong("@geometric_epsilon", format!("{epsilon}, but a positive length is wanted"));
        }
        m.settings.epsilon = epsilon;
    }
    Ok(())
}

fn settings(t: &Table, m: &mut Model) -> Result<()> {
    let s = &mut m.settings;
    if let Some(depth) = t.number("penetration_depth")? {
        if depth.is_nan() || depth <= 0.0 {
            return t.wrong("@penetration_depth", format!("{depth}, but a positive length or inf is wanted"));
        }
        s.penetration_depth = depth;
    }
    s.sparsify.projected = t.number("projected_area")?.is_some_and(|on| on != 0.0);
    s.step_recovery = t.number("step_recovery")?.is_some_and(|on| on != 0.0);
    if let Some([threshold, minarea, mindist]) = t.from.numbers::<3>(&t.base, "sparsify")? {
        if !(0.0..=1.0).contains(&threshold) || !not_negative(minarea) || !not_negative(mindist) {
            return t.wrong("@sparsify", "threshold in [0, 1], least area and least distance >= 0 are wanted");
        }
        s.sparsify.threshold = threshold;
        s.sparsify.minarea = minarea;
        s.sparsify.mindist = mindist;
    }
    s.extents = t.from.numbers::<6>(&t.base, "extents")?;
    if let Some(e) = s.extents {
        if (0..3).any(|i| e[i].is_nan() || e[i + 3].is_nan() || e[i] >= e[i + 3]) {
            return t.wrong("@extents", format!("{e:?}, but xmin ymin zmin < xmax ymax zmax is wanted"));
        }
    }
    if let Some(rows) = t.from.get_if::<i64>(&t.base, "gravity")? {
        let rows = t.rows("gravity", rows, 3)?;
        t.indices("gravity", &rows, m.series.len(), "timeseries")?;
        s.gravity = Some([rows[0] as u32, rows[1] as u32, rows[2] as u32]);
    }
    s.excluded_bodies = t.from.get_if(&t.base, "contact_exclude/bodies")?.unwrap_or_default();
    s.excluded_surfaces = t.from.get_if(&t.base, "contact_exclude/surfaces")?.unwrap_or_default();
    for (i, pair) in s.excluded_bodies.iter().enumerate() {
        if let Some(id) = pair.iter().find(|&&id| m.bodies.binary_search_by_key(&id, |b| b.id).is_err()) {
            return t.wrong_row("contact_exclude/bodies", i, format!("no body has the id {id}"));
        }
    }
    Ok(())
}

fn program(t: &Table, m: &mut Model) -> Result<()> {
    if !t.has("program/steps") {
        return Ok(());
    }
    let n = t.len("program/steps")?;
    for (i, text) in t.texts("program/steps", n)?.iter().enumerate() {
        let op = super::program::parse(text).and_then(|op| super::program::check(&op, m).map(|()| op));
        match op {
            Ok(op) => m.program.push(op),
            Err(text) => return t.wrong_row("program/steps", i, text),
        }
    }
    Ok(())
}
