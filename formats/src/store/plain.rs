//! Datasets in one piece, without chunks and times: files hold hundreds of small ones, which share a list of properties.

use std::ffi::CString;

use hdf5::plist::DatasetCreate;
use hdf5::{h5check, Dataset, Dataspace, Datatype, Group, H5Type};
use hdf5_sys::h5d::H5Dcreate2;
use hdf5_sys::h5p::H5P_DEFAULT;

/// The properties that they share.
#[derive(Clone)]
pub(super) struct Plain(DatasetCreate);

impl Plain {
    pub fn new() -> hdf5::Result<Self> {
        Ok(Plain(DatasetCreate::build().obj_track_times(false).finish()?))
    }

    /// A dataset of this shape in a group.
    pub fn create<T: H5Type>(&self, group: &Group, name: &str, shape: &[usize]) -> hdf5::Result<Dataset> {
        let key = CString::new(name).map_err(|_| hdf5::Error::from("the name of a dataset holds a zero byte"))?;
        let (kind, space) = (Datatype::from_type::<T>()?, Dataspace::try_new(shape)?);
        let (at, kind, space, list) = (group.id(), kind.id(), space.id(), self.0.id());
        // Safety: the identifiers are those of live objects, and the new one is handed over to its handle.
        hdf5::sync::sync(|| unsafe {
            let new = h5check(H5Dcreate2(at, key.as_ptr(), kind, space, H5P_DEFAULT, list, H5P_DEFAULT))?;
            hdf5::from_id(new)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_in_their_shape() {
        let file = hdf5::File::with_options()
            .with_fapl(|p| p.core_filebacked(false))
            .create(crate::image::fresh_name())
            .unwrap();
        let (plain, group) = (Plain::new().unwrap(), file.create_group("g").unwrap());
        let set = plain.create::<f64>(&group, "x", &[2, 3]).unwrap();
        set.write_raw(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
        drop(set);
        let set = file.dataset("g/x").unwrap();
        assert_eq!((set.shape(), set.read_raw::<f64>().unwrap()[5]), (vec![2, 3], 6.0));
        assert_eq!(plain.create::<u32>(&group, "none", &[0]).unwrap().shape(), [0]);
        assert!(plain.create::<u32>(&group, "none", &[1]).is_err(), "it is there already");
    }
}
