//! A font in a PDF file: the glyphs that occur, under new numbers, with their widths and the letters they stand for, so
//! that text can be searched and copied (PDF 1.7, 9.7: composite fonts of TrueType outlines).

use std::collections::BTreeMap;

use pdf_writer::types::{CidFontType, FontFlags, SystemInfo, UnicodeCmap};
use pdf_writer::{Finish, Name, Pdf, Rect, Ref, Str};
use subsetter::GlyphRemapper;
use ttf_parser::{Face, GlyphId};

/// Units of a PDF font for the height of a letter.
const EM: f32 = 1000.0;
const IDENTITY: SystemInfo = SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };

/// A font of which some letters are used.
pub struct PdfFont<'a> {
    name: &'static str,
    file: &'a [u8],
    face: Face<'a>,
    glyphs: GlyphRemapper,
    /// Letter and width of each new number.
    used: BTreeMap<u16, (char, f32)>,
}

impl<'a> PdfFont<'a> {
    pub fn new(name: &'static str, file: &'a [u8]) -> Result<Self, String> {
        let face = Face::parse(file, 0).map_err(|e| format!("the font {name}: {e}"))?;
        Ok(PdfFont { name, file, face, glyphs: GlyphRemapper::new(), used: BTreeMap::new() })
    }

    fn units(&self, length: f32) -> f32 {
        length * EM / f32::from(self.face.units_per_em())
    }

    /// The text in new numbers, two bytes each, and its width for letters of height 1.
    pub fn encode(&mut self, text: &str) -> (Vec<u8>, f32) {
        let (mut bytes, mut width) = (Vec::new(), 0.0);
        for letter in text.chars() {
            let glyph = self.face.glyph_index(letter).unwrap_or(GlyphId(0));
            let advance = self.units(f32::from(self.face.glyph_hor_advance(glyph).unwrap_or(0)));
            let number = self.glyphs.remap(glyph.0);
            self.used.entry(number).or_insert((letter, advance));
            bytes.extend(number.to_be_bytes());
            width += advance / EM;
        }
        (bytes, width)
    }

    /// Height of capitals and digits, for letters of height 1.
    pub fn capital_height(&self) -> f32 {
        self.units(f32::from(self.face.capital_height().unwrap_or(0))) / EM
    }

    /// Writes the font as the object `ids[0]`, with four that belong to it.
    pub fn write(&self, pdf: &mut Pdf, ids: [Ref; 5]) -> Result<(), String> {
        let [font, descendant, descriptor, cmap, file] = ids;
        let subset =
            subsetter::subset(self.file, 0, &self.glyphs).map_err(|e| format!("the font {}: {e}", self.name))?;
        // Six letters before the name say that it is a part of the font.
        let name = format!("SOLFEC+{}", self.name);
        let name = Name(name.as_bytes());
        let mut type0 = pdf.type0_font(font);
        type0.base_font(name).encoding_predefined(Name(b"Identity-H"));
        type0.descendant_font(descendant).to_unicode(cmap);
        type0.finish();
        let mut cid = pdf.cid_font(descendant);
        cid.subtype(CidFontType::Type2).base_font(name).system_info(IDENTITY).font_descriptor(descriptor);
        cid.cid_to_gid_map_predefined(Name(b"Identity"));
        let widths = (0..self.glyphs.num_gids()).map(|number| self.used.get(&number).map_or(0.0, |(_, width)| *width));
        cid.widths().consecutive(0, widths);
        cid.finish();
        let b = self.face.global_bounding_box();
        let [x0, y0, x1, y1] = [b.x_min, b.y_min, b.x_max, b.y_max].map(|x| self.units(f32::from(x)));
        pdf.font_descriptor(descriptor)
            .name(name)
            .flags(FontFlags::NON_SYMBOLIC)
            .bbox(Rect::new(x0, y0, x1, y1))
            .italic_angle(0.0)
            .ascent(self.units(f32::from(self.face.ascender())))
            .descent(self.units(f32::from(self.face.descender())))
            .cap_height(self.capital_height() * EM)
            .stem_v(80.0)
            .font_file2(file);
        let mut letters = UnicodeCmap::<u16>::new(Name(b"Letters"), IDENTITY);
        self.used.iter().for_each(|(number, (letter, _))| letters.pair(*number, *letter));
        pdf.cmap(cmap, &letters.finish());
        pdf.stream(file, &subset);
        Ok(())
    }
}
