//! A page of PDF on which the plot is drawn: lines as lines, text as text.

use pdf_writer::types::{LineCapStyle, LineJoinStyle};
use pdf_writer::{Content, Finish, Name, Pdf, Rect, Ref, Str, TextStr};
use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind, FontStyle,
    FontTransform,
};

use super::pdf_font::PdfFont;

/// Size of letters for a size of the drawing library, which counts from line to line; as in its SVG.
const LINE_HEIGHT: f64 = 1.24;
/// Part of its size by which a text hangs below the place of its top; as in the SVG.
const HANG: f32 = 0.76;
/// Arms of the curves that make a quarter of a circle, for radius 1.
const ARM: f32 = 0.552_284_8;

/// A page while it is drawn. Places are counted from its upper left corner, `parts` for each point.
pub struct Page {
    points: (u32, u32),
    parts: u32,
    content: Content,
    /// Regular and bold.
    fonts: [PdfFont<'static>; 2],
}

/// What the drawing library asks for; nothing on this page can fail.
type Drawn = Result<(), DrawingErrorKind<std::convert::Infallible>>;

impl Page {
    pub fn new(points: (u32, u32), parts: u32) -> Result<Self, String> {
        let mut content = Content::new();
        let part = 1.0 / parts as f32;
        content.transform([part, 0.0, 0.0, -part, 0.0, points.1 as f32]);
        content.set_line_cap(LineCapStyle::ButtCap).set_line_join(LineJoinStyle::RoundJoin);
        let fonts = [
            PdfFont::new("DejaVuSans", dejavu::sans::regular())?,
            PdfFont::new("DejaVuSans-Bold", dejavu::sans::bold())?,
        ];
        Ok(Page { points, parts, content, fonts })
    }

    /// The file.
    pub fn finish(self, title: &str) -> Result<Vec<u8>, String> {
        let [catalog, pages, page, content, info] = [1, 2, 3, 4, 5].map(Ref::new);
        let fonts = [6, 11].map(|first| std::array::from_fn(|k| Ref::new(first + k as i32)));
        let mut pdf = Pdf::new();
        pdf.catalog(catalog).pages(pages);
        pdf.pages(pages).kids([page]).count(1);
        let mut sheet = pdf.page(page);
        sheet.parent(pages).contents(content);
        sheet.media_box(Rect::new(0.0, 0.0, self.points.0 as f32, self.points.1 as f32));
        let mut resources = sheet.resources();
        let mut names = resources.fonts();
        for (name, ids) in NAMES.iter().zip(&fonts) {
            let ids: &[Ref; 5] = ids;
            names.pair(*name, ids[0]);
        }
        names.finish();
        resources.finish();
        sheet.finish();
        pdf.document_info(info).title(TextStr(title)).creator(TextStr("sf-history"));
        self.fonts.iter().zip(fonts).try_for_each(|(font, ids)| font.write(&mut pdf, ids))?;
        pdf.stream(content, &self.content.finish());
        Ok(pdf.finish())
    }

    fn stroke(&mut self, style: &impl BackendStyle) -> bool {
        let [r, g, b] = rgb(style.color());
        self.content.set_stroke_rgb(r, g, b).set_line_width(style.stroke_width() as f32);
        seen(style.color())
    }

    fn fill(&mut self, color: BackendColor) -> bool {
        let [r, g, b] = rgb(color);
        self.content.set_fill_rgb(r, g, b);
        seen(color)
    }

    fn trace(&mut self, points: impl IntoIterator<Item = BackendCoord>) {
        for (k, (x, y)) in points.into_iter().enumerate() {
            match k {
                0 => self.content.move_to(x as f32, y as f32),
                _ => self.content.line_to(x as f32, y as f32),
            };
        }
    }
}

const NAMES: [Name; 2] = [Name(b"F0"), Name(b"F1")];

fn seen(color: BackendColor) -> bool {
    color.alpha > 0.0
}

/// The colour on white paper.
fn rgb(color: BackendColor) -> [f32; 3] {
    let (r, g, b) = color.rgb;
    [r, g, b].map(|c| 1.0 - color.alpha as f32 * (1.0 - f32::from(c) / 255.0))
}

impl DrawingBackend for &mut Page {
    type ErrorType = std::convert::Infallible;

    fn get_size(&self) -> (u32, u32) {
        (self.points.0 * self.parts, self.points.1 * self.parts)
    }

    fn ensure_prepared(&mut self) -> Drawn {
        Ok(())
    }

    fn present(&mut self) -> Drawn {
        Ok(())
    }

    fn draw_pixel(&mut self, (x, y): BackendCoord, color: BackendColor) -> Drawn {
        if self.fill(color) {
            self.content.rect(x as f32, y as f32, 1.0, 1.0).fill_nonzero();
        }
        Ok(())
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S) -> Drawn {
        self.draw_path([from, to], style)
    }

    fn draw_rect<S: BackendStyle>(&mut self, a: BackendCoord, b: BackendCoord, style: &S, fill: bool) -> Drawn {
        let corners = [a, (b.0, a.1), b, (a.0, b.1)];
        if fill {
            return self.fill_polygon(corners, style);
        }
        self.draw_path(corners.into_iter().chain([a]), style)
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(&mut self, path: I, style: &S) -> Drawn {
        if self.stroke(style) {
            self.trace(path);
            self.content.stroke();
        }
        Ok(())
    }

    fn draw_circle<S: BackendStyle>(&mut self, center: BackendCoord, radius: u32, style: &S, fill: bool) -> Drawn {
        let drawn = if fill { self.fill(style.color()) } else { self.stroke(style) };
        if !drawn {
            return Ok(());
        }
        let (x, y, r) = (center.0 as f32, center.1 as f32, radius as f32);
        let arm = ARM * r;
        let content = &mut self.content;
        content.move_to(x + r, y);
        content.cubic_to(x + r, y + arm, x + arm, y + r, x, y + r);
        content.cubic_to(x - arm, y + r, x - r, y + arm, x - r, y);
        content.cubic_to(x - r, y - arm, x - arm, y - r, x, y - r);
        content.cubic_to(x + arm, y - r, x + r, y - arm, x + r, y);
        if fill {
            content.fill_nonzero();
        } else {
            content.close_and_stroke();
        }
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(&mut self, corners: I, style: &S) -> Drawn {
        if self.fill(style.color()) {
            self.trace(corners);
            self.content.close_path().fill_nonzero();
        }
        Ok(())
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, (x, y): BackendCoord) -> Drawn {
        if !self.fill(style.color()) {
            return Ok(());
        }
        let kind = match style.style() {
            FontStyle::Normal | FontStyle::Italic | FontStyle::Oblique => 0,
            FontStyle::Bold => 1,
        };
        let size = (style.size() / LINE_HEIGHT) as f32;
        let font = &mut self.fonts[kind];
        let (bytes, width) = font.encode(text);
        let height = font.capital_height();
        let left = match style.anchor().h_pos {
            HPos::Left => 0.0,
            HPos::Center => -width * size / 2.0,
            HPos::Right => -width * size,
        };
        let down = match style.anchor().v_pos {
            VPos::Top => HANG * size,
            VPos::Center => height * size / 2.0,
            VPos::Bottom => -height * size / 2.0,
        };
        // Cosine and sine of the turn, clockwise as places are counted downwards.
        let (c, s) = match style.transform() {
            FontTransform::None => (1.0, 0.0),
            FontTransform::Rotate90 => (0.0, 1.0),
            FontTransform::Rotate180 => (-1.0, 0.0),
            FontTransform::Rotate270 => (0.0, -1.0),
        };
        let (x, y) = (x as f32 + c * left - s * down, y as f32 + s * left + c * down);
        // Letters stand upright where places are counted downwards.
        let content = self.content.begin_text();
        content.set_font(NAMES[kind], size).set_text_matrix([c, s, s, -c, x, y]).show(Str(&bytes)).end_text();
        Ok(())
    }
}
