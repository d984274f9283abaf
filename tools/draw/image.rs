//! Pixels of a picture: samples averaged, and the PNG file.

/// Means of squares of `n × n` samples of an RGB image of this width.
pub fn average(pixels: &[u8], width: usize, n: usize) -> Vec<u8> {
    let (columns, rows) = (width / n, pixels.len() / (3 * width) / n);
    let mut out = Vec::with_capacity(columns * rows * 3);
    for row in 0..rows {
        for column in 0..columns {
            for channel in 0..3 {
                let sample = |k: usize| pixels[((row * n + k / n) * width + column * n + k % n) * 3 + channel] as usize;
                let sum: usize = (0..n * n).map(sample).sum();
                out.push((sum / (n * n)) as u8);
            }
        }
    }
    out
}

/// An RGB image as a file.
pub fn encode_png(pixels: &[u8], width: u32, height: u32) -> Result<Vec<u8>, png::EncodingError> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(out)
}
