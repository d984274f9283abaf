//! A table as HDF5: root datasets `names`, `units` (text) and `data` [rows, columns].

use std::path::Path;

use hdf5::types::VarLenUnicode;
use ndarray::Array2;

use super::table::Table;

/// Writes the file.
///
/// # Errors
/// What the library says.
pub fn write(path: &Path, table: &Table) -> Result<(), hdf5::Error> {
    let file = solfec_formats::open_options().create(path)?;
    let text = |text: &str| text.parse::<VarLenUnicode>().map_err(|e| hdf5::Error::from(e.to_string()));
    for (name, value) in [("format", "solfec-history"), ("format_version", "1.0")] {
        file.new_attr::<VarLenUnicode>().create(name)?.write_scalar(&text(value)?)?;
    }
    let names = table.columns.iter().map(|c| text(&c.name)).collect::<Result<Vec<_>, _>>()?;
    let units = table.columns.iter().map(|c| text(&c.unit)).collect::<Result<Vec<_>, _>>()?;
    file.new_dataset_builder().with_data(&names).create("names")?;
    file.new_dataset_builder().with_data(&units).create("units")?;
    let data = Array2::from_shape_fn((table.rows(), table.columns.len()), |(r, c)| table.columns[c].values[r]);
    file.new_dataset_builder().with_data(&data).create("data")?;
    file.close()
}
