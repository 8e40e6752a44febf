//! Room for labels.
//!
//! In: text, and the boxes of nodes. Out: how wide text is drawn, and whether a label at some place
//! would run over a box.

use std::collections::HashMap;

/// Width of a column: of most characters. Fonts of one width are up to so wide at ten pixels.
pub const NARROW: f64 = 6.2;
/// Side of the squares by which boxes are found.
const CELL: f64 = 100.0;

/// The columns that text takes: characters of East Asian scripts and pictographs are as wide as two
/// others.
pub fn columns(text: &str) -> usize {
    text.chars().map(columns_of).sum()
}

fn columns_of(character: char) -> usize {
    let is_wide = matches!(u32::from(character),
        0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3 | 0xf900..=0xfaff | 0xfe30..=0xfe4f
        | 0xff00..=0xff60 | 0xffe0..=0xffe6 | 0x1f300..=0x1f64f | 0x1f900..=0x1f9ff | 0x20000..=0x3fffd);
    1 + usize::from(is_wide)
}

/// Text of at most so many columns, and an ellipsis if there is more.
pub fn cut(text: &str, most: usize) -> String {
    let mut taken = 0;
    let end = text.char_indices().find(|(_, character)| {
        taken += columns_of(*character);
        taken > most
    });
    match end {
        Some((at, _)) => format!("{}…", text[..at].trim_end()),
        None => text.to_owned(),
    }
}

/// A rectangle.
#[derive(Clone, Copy, Debug)]
pub struct Rect {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

impl Rect {
    /// The rectangle of this size around a point.
    pub fn around((x, y): (f64, f64), width: f64, height: f64) -> Self {
        Rect {
            left: x - width / 2.0,
            top: y - height / 2.0,
            right: x + width / 2.0,
            bottom: y + height / 2.0,
        }
    }

    /// Whether two have a point in common.
    fn meets(&self, other: &Rect) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    /// The squares that it touches.
    fn cells(&self) -> impl Iterator<Item = (i64, i64)> + use<> {
        let cell = |at: f64| (at / CELL).floor() as i64;
        let (rows, columns) = (
            cell(self.top)..=cell(self.bottom),
            cell(self.left)..=cell(self.right),
        );
        rows.flat_map(move |row| columns.clone().map(move |column| (row, column)))
    }
}

/// Boxes that labels are to keep off.
pub struct Boxes(HashMap<(i64, i64), Vec<Rect>>);

impl Boxes {
    /// Those of all nodes.
    pub fn new(boxes: impl Iterator<Item = Rect>) -> Self {
        let mut cells: HashMap<(i64, i64), Vec<Rect>> = HashMap::default();
        for rect in boxes {
            (rect.cells()).for_each(|cell| cells.entry(cell).or_default().push(rect));
        }
        Boxes(cells)
    }

    /// Whether `rect` keeps off all of them.
    pub fn is_free(&self, rect: &Rect) -> bool {
        let mut near = rect.cells().filter_map(|cell| self.0.get(&cell)).flatten();
        !near.any(|node| node.meets(rect))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_cut_by_columns() {
        assert_eq!(columns("ab語"), 4);
        assert_eq!(cut("abc", 3), "abc");
        assert_eq!(cut("ab cd", 3), "ab…");
        assert_eq!(cut("語語語", 5), "語語…");
    }

    #[test]
    fn boxes_are_met_wherever_they_lie() {
        let nodes = (0..50).map(|at| Rect::around((f64::from(at) * 37.0, -250.0), 20.0, 30.0));
        let boxes = Boxes::new(nodes);
        let free = |x, y| boxes.is_free(&Rect::around((x, y), 10.0, 10.0));
        assert!(!free(37.0 * 49.0 + 14.0, -250.0) && free(37.0 * 49.0 + 16.0, -250.0));
        assert!(
            !free(0.0, -231.0) && free(0.0, -229.0) && free(18.5, -250.0) == free(18.5, -100.0)
        );
    }
}
