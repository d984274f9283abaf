//! libsiconos_numerics, loaded at run time: its functions, its structs, one solve.
//!
//! The one place with `unsafe` for it. Symbols and layouts are those of Siconos 4.4.0 for 64-bit Linux, whose library
//! has the name below; a library of another name is another version and is not tried.

use std::ffi::{c_char, c_int, c_uint, c_void, CStr};
use std::ptr::{null_mut, NonNull};

use libloading::os::unix;

use super::wire::{Problem, Settings, Solved};

const NAME: &str = "libsiconos_numerics.so.7";
/// Environment variable with another name or path of the library.
const OVERRIDE: &str = "SF_SICONOS_LIBRARY";

const NM_SPARSE_BLOCK: c_int = 1;
/// `nz` of a [`CsDl`] of compressed rows.
const COMPRESSED_ROWS: i64 = -2;
const FC3D_NSGS: c_int = 500;
const IPARAM_MAX_ITER: usize = 0;
const IPARAM_ITER_DONE: usize = 1;
const IPARAM_ERROR_EVALUATION: usize = 7;
const ERROR_EVALUATION_FULL: c_int = 0;
const DPARAM_TOL: usize = 0;
/// Least length of the parameter arrays that are written to.
const PARAMETERS: c_int = 20;

#[repr(C)]
struct NumericsMatrix {
    storage: c_int,
    size0: c_int,
    size1: c_int,
    dense: *mut f64,
    blocks: *mut BlockMatrix,
    // more follows
}

#[repr(C)]
struct BlockMatrix {
    count: c_uint,
    block: *mut *mut f64,
    block_rows: c_uint,
    block_columns: c_uint,
    row_size: *mut c_uint,
    column_size: *mut c_uint,
    filled1: usize,
    filled2: usize,
    index1: *mut usize,
    index2: *mut usize,
    // more follows
}

#[repr(C)]
struct ContactProblem {
    dimension: c_int,
    contacts: c_int,
    w: *mut NumericsMatrix,
    q: *mut f64,
    mu: *mut f64,
}

/// A sparse matrix of CXSparse.
#[repr(C)]
struct CsDl {
    nzmax: i64,
    m: i64,
    n: i64,
    p: *mut i64,
    i: *mut i64,
    x: *mut f64,
    nz: i64,
}

#[repr(C)]
struct Options {
    solver: c_int,
    is_set: u8,
    iparam_length: c_int,
    iparam: *mut c_int,
    dparam_length: c_int,
    dparam: *mut f64,
    // more follows
}

/// The loaded library. The functions are good while `_library` lives, that is, while this does.
pub struct Library {
    problem_new: unsafe extern "C" fn() -> *mut ContactProblem,
    problem_free: unsafe extern "C" fn(*mut ContactProblem),
    matrix_create: unsafe extern "C" fn(c_int, c_int, c_int) -> *mut NumericsMatrix,
    matrix_reset: unsafe extern "C" fn(*mut NumericsMatrix),
    blocks_from_sparse: unsafe extern "C" fn(c_int, *const CsDl, *mut BlockMatrix) -> c_int,
    options_create: unsafe extern "C" fn(c_int) -> *mut Options,
    options_delete: unsafe extern "C" fn(*mut Options),
    solver_name: unsafe extern "C" fn(c_int) -> *const c_char,
    set_verbose: unsafe extern "C" fn(c_int),
    driver: unsafe extern "C" fn(*mut ContactProblem, *mut f64, *mut f64, *mut Options) -> c_int,
    compute_error: ComputeError,
    flush: unsafe extern "C" fn(*mut c_void) -> c_int,
    _library: unix::Library,
}

type ComputeError =
    unsafe extern "C" fn(*mut ContactProblem, *mut f64, *mut f64, f64, *mut Options, f64, *mut f64) -> c_int;

/// The function `name` of `library`.
///
/// # Safety
/// `F` must be the type of that function, and the result must not outlive the library.
unsafe fn function<F: Copy>(library: &unix::Library, name: &str) -> Result<F, String> {
    // SAFETY: the caller's promise is that of `get`
    let symbol = unsafe { library.get::<F>(name.as_bytes()) };
    symbol.map(|symbol| *symbol).map_err(|error| format!("not the libsiconos_numerics of Siconos 4.4: {error}"))
}

impl Library {
    /// Loads the library; the error is one line.
    pub fn open() -> Result<Self, String> {
        let name = std::env::var_os(OVERRIDE).unwrap_or_else(|| NAME.into());
        // SAFETY: the initialisers of the library and of what it needs (OpenBLAS, MUMPS) ask nothing of their caller;
        // this process has started no thread and does nothing else
        let library =
            unsafe { unix::Library::open(Some(name), unix::RTLD_NOW | unix::RTLD_LOCAL) }.map_err(|error| {
                format!("libsiconos_numerics is not installed; apt install libsiconos-numerics7 ({error})")
            })?;
        // SAFETY: the types in the struct are those that Siconos 4.4.0 declares (and C for fflush, which the library
        // brings along), and the struct keeps the library
        unsafe {
            Ok(Library {
                problem_new: function(&library, "frictionContactProblem_new")?,
                problem_free: function(&library, "frictionContactProblem_free")?,
                matrix_create: function(&library, "NM_create")?,
                matrix_reset: function(&library, "NM_reset_versions")?,
                blocks_from_sparse: function(&library, "SBM_from_csparse")?,
                options_create: function(&library, "solver_options_create")?,
                options_delete: function(&library, "solver_options_delete")?,
                solver_name: function(&library, "solver_options_id_to_name")?,
                set_verbose: function(&library, "numerics_set_verbose")?,
                driver: function(&library, "fc3d_driver")?,
                compute_error: function(&library, "fc3d_compute_error")?,
                flush: function(&library, "fflush")?,
                _library: library,
            })
        }
    }

    /// Whether `solver` solves frictional contacts in three dimensions: others would take our problem for theirs.
    fn has_solver(&self, solver: c_int) -> bool {
        // SAFETY: the function returns a static text for any number
        let name = unsafe { (self.solver_name)(solver) };
        // SAFETY: as above, and null is excluded
        let name = (!name.is_null()).then(|| unsafe { CStr::from_ptr(name) }.to_string_lossy());
        name.is_some_and(|name| name.starts_with("FC3D") && !name.contains("ONECONTACT"))
    }

    /// Solves one problem. Siconos may end the process instead of returning.
    pub fn solve(&self, problem: &Problem, settings: &Settings) -> Result<Solved, String> {
        let mut w = Rows::new(problem)?;
        let n = problem.q.len();
        let (mut q, mut mu) = (problem.q.clone(), problem.friction.clone());
        let (mut r, mut u) = (problem.r.clone(), vec![0.0; n]);
        let norm_q = q.iter().map(|q| q * q).sum::<f64>().sqrt();
        let options = OwnedOptions::new(self, settings)?;
        // SAFETY: `q` and `mu` have three entries and one for each contact (`Rows::new`) and are dropped after
        // `problem`
        let problem = unsafe { OwnedProblem::new(self, &mut w, &mut q, &mut mu)? };
        let (problem, options) = (problem.pointer.as_ptr(), options.pointer.as_ptr());
        let mut error = f64::NAN;
        // SAFETY: problem and options are those that Siconos made and that were filled as its own readers do; `r` and
        // `u` have the dimension of the problem; options have at least PARAMETERS entries (`OwnedOptions::new`); fflush
        // takes a null pointer for all streams. No Rust frame is jumped over: a fatal error ends the process.
        let (info, iterations) = unsafe {
            (self.set_verbose)(settings.verbose.into());
            let info = (self.driver)(problem, r.as_mut_ptr(), u.as_mut_ptr(), options);
            let iterations = *(*options).iparam.add(IPARAM_ITER_DONE);
            let (r, u) = (r.as_mut_ptr(), u.as_mut_ptr());
            (self.compute_error)(problem, r, u, settings.tolerance, options, norm_q, &mut error);
            (self.flush)(null_mut());
            (info, iterations)
        };
        Ok(Solved { info: info.into(), iterations: iterations.max(0) as u64, error, r })
    }
}

/// `W` as compressed rows of numbers.
struct Rows {
    p: Vec<i64>,
    i: Vec<i64>,
    x: Vec<f64>,
}

impl Rows {
    /// Fails unless all parts of the problem have the lengths they should and every column exists.
    fn new(problem: &Problem) -> Result<Self, String> {
        let n = problem.friction.len();
        let offsets = &problem.row_offset;
        let ends = offsets.first() == Some(&0) && offsets.last() == Some(&(problem.column.len() as u64));
        let lengths = offsets.len() == n + 1
            && problem.block.len() == 9 * problem.column.len()
            && problem.q.len() == 3 * n
            && problem.r.len() == 3 * n;
        let order = offsets.windows(2).all(|pair| pair[0] <= pair[1]) && problem.column.iter().all(|&j| j < n as u64);
        if !(ends && lengths && order && n > 0 && n <= MOST_CONTACTS) {
            return Err(format!("the problem of {n} contacts is inconsistent or too large"));
        }
        let mut rows = Rows { p: vec![0], i: Vec::new(), x: Vec::new() };
        for pair in offsets.windows(2) {
            let row = pair[0] as usize..pair[1] as usize;
            for a in 0..3 {
                for k in row.clone() {
                    rows.i.extend((0..3).map(|b| 3 * problem.column[k] as i64 + b));
                    rows.x.extend(&problem.block[9 * k + 3 * a..9 * k + 3 * a + 3]);
                }
                rows.p.push(rows.i.len() as i64);
            }
        }
        Ok(rows)
    }

    fn dimension(&self) -> usize {
        self.p.len() - 1
    }
}

/// Contacts whose components can be counted by the C type `int`.
const MOST_CONTACTS: usize = c_int::MAX as usize / 3;

/// A problem that Siconos allocated, with `q` and `mu` that Rust did.
struct OwnedProblem<'a> {
    library: &'a Library,
    pointer: NonNull<ContactProblem>,
}

impl<'a> OwnedProblem<'a> {
    /// # Safety
    /// `q` must have as many entries as `w` has rows, `mu` a third of it; both must outlive the result.
    unsafe fn new(library: &'a Library, w: &mut Rows, q: &mut [f64], mu: &mut [f64]) -> Result<Self, String> {
        let n = w.dimension();
        let sparse = CsDl {
            nzmax: w.x.len() as i64,
            m: n as i64,
            n: n as i64,
            p: w.p.as_mut_ptr(),
            i: w.i.as_mut_ptr(),
            x: w.x.as_mut_ptr(),
            nz: COMPRESSED_ROWS,
        };
        // SAFETY: Siconos makes the problem and the matrix; the block matrix is set to the empty state that
        // SBM_from_csparse wants, which copies `sparse`, so `w` need not live on
        unsafe {
            let problem = NonNull::new((library.problem_new)()).ok_or(NO_MEMORY)?;
            let matrix = (library.matrix_create)(NM_SPARSE_BLOCK, n as c_int, n as c_int);
            let fields = &mut *problem.as_ptr();
            (fields.dimension, fields.contacts) = (3, (n / 3) as c_int);
            (fields.w, fields.q, fields.mu) = (matrix, q.as_mut_ptr(), mu.as_mut_ptr());
            let owned = OwnedProblem { library, pointer: problem };
            if matrix.is_null() || (*matrix).blocks.is_null() {
                return Err(NO_MEMORY.into());
            }
            let blocks = (*matrix).blocks;
            (*blocks).block = null_mut();
            (*blocks).index1 = null_mut();
            (*blocks).index2 = null_mut();
            if (library.blocks_from_sparse)(3, &sparse, blocks) != 0 {
                return Err("Siconos cannot take the matrix".into());
            }
            (library.matrix_reset)(matrix);
            Ok(owned)
        }
    }
}

impl Drop for OwnedProblem<'_> {
    fn drop(&mut self) {
        // SAFETY: made by problem_new and freed once; what Rust allocated is taken out before, since the library frees
        // what it finds, and free takes null
        unsafe {
            let fields = &mut *self.pointer.as_ptr();
            (fields.q, fields.mu) = (null_mut(), null_mut());
            (self.library.problem_free)(self.pointer.as_ptr());
        }
    }
}

/// Options that Siconos allocated.
struct OwnedOptions<'a> {
    library: &'a Library,
    pointer: NonNull<Options>,
}

impl<'a> OwnedOptions<'a> {
    fn new(library: &'a Library, settings: &Settings) -> Result<Self, String> {
        let solver = settings.solver as c_int;
        if !library.has_solver(solver) {
            return Err(format!("Siconos has no solver {solver} of frictional contacts in three dimensions"));
        }
        // SAFETY: options_create gets a number that it knows and gives null or the struct; parameters are written after
        // the check that they are there
        unsafe {
            let options = NonNull::new((library.options_create)(solver)).ok_or(NO_MEMORY)?;
            let owned = OwnedOptions { library, pointer: options };
            let fields = &mut *options.as_ptr();
            if fields.solver != solver || fields.iparam_length < PARAMETERS || fields.dparam_length < PARAMETERS {
                std::mem::forget(owned);
                return Err("not the libsiconos_numerics of Siconos 4.4: its solver options look different".into());
            }
            *fields.dparam.add(DPARAM_TOL) = settings.tolerance;
            *fields.iparam.add(IPARAM_MAX_ITER) = settings.max_iterations.min(c_int::MAX as u32) as c_int;
            if solver == FC3D_NSGS {
                *fields.iparam.add(IPARAM_ERROR_EVALUATION) = ERROR_EVALUATION_FULL;
            }
            Ok(owned)
        }
    }
}

impl Drop for OwnedOptions<'_> {
    fn drop(&mut self) {
        // SAFETY: made by options_create and deleted once. Siconos 4.4 keeps the structs themselves, 128 bytes each.
        unsafe { (self.library.options_delete)(self.pointer.as_ptr()) }
    }
}

const NO_MEMORY: &str = "Siconos has no memory left";
