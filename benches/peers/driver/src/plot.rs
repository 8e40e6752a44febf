//! Curves on logarithmic axes, as SVG.

use std::fmt::Write;

/// A curve: points from left to right.
pub struct Curve {
    pub name: String,
    pub points: Vec<(f64, f64)>,
}

/// What stands around the curves. The y axis is logarithmic.
pub struct Frame<'a> {
    pub title: &'a str,
    pub x: &'a str,
    pub y: &'a str,
    /// Names of the x axis's powers of ten; without them it is linear.
    pub x_names: Option<fn(i32) -> String>,
    /// Names of the y axis's powers of ten.
    pub y_names: fn(i32) -> String,
}

const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 78.0;
const RIGHT: f64 = 630.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 368.0;

/// Where values lie in the picture.
struct Scale {
    log_x: bool,
    x: (f64, f64),
    y: (f64, f64),
}

/// The picture.
pub fn curves(frame: &Frame, curves: &[Curve]) -> String {
    let scale = Scale::new(frame.x_names.is_some(), curves);
    let mut svg = format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">
<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>
<text x="{LEFT}" y="22" font-size="15" font-weight="bold">{}</text>
<text x="{}" y="408" text-anchor="middle">{}</text>
<text transform="translate(16 {}) rotate(-90)" text-anchor="middle">{}</text>
"##,
        frame.title,
        (LEFT + RIGHT) / 2.0,
        frame.x,
        (TOP + BOTTOM) / 2.0,
        frame.y
    );
    scale.grid(frame, &mut svg);
    for (index, curve) in curves.iter().enumerate() {
        let (colour, label) = (colour(&curve.name, index), TOP + 16.0 + 20.0 * index as f64);
        let _ = writeln!(
            svg,
            r##"<path d="{}" fill="none" stroke="{colour}" stroke-width="2" stroke-linejoin="round"/>
<path d="M{} {}h18" stroke="{colour}" stroke-width="3"/><text x="{}" y="{label}">{}</text>"##,
            scale.path(&curve.points),
            RIGHT + 10.0,
            label - 4.0,
            RIGHT + 33.0,
            curve.name
        );
    }
    svg.push_str("</svg>\n");
    svg
}

impl Scale {
    fn new(log_x: bool, curves: &[Curve]) -> Self {
        let points = || curves.iter().flat_map(|curve| &curve.points);
        let low_high = |values: &mut dyn Iterator<Item = f64>| {
            values.fold((f64::MAX, f64::MIN), |(low, high), value| {
                (low.min(value), high.max(value))
            })
        };
        let decades = |(low, high): (f64, f64)| (low.floor(), high.ceil().max(low.floor() + 1.0));
        let y = decades(low_high(&mut points().map(|&(_, y)| log(y))));
        let x = if log_x {
            decades(low_high(&mut points().map(|&(x, _)| log(x))))
        } else {
            let (low, high) = low_high(&mut points().map(|&(x, _)| x));
            (low, high.max(low + 1.0))
        };
        Scale { log_x, x, y }
    }

    fn x(&self, x: f64) -> f64 {
        LEFT + (x - self.x.0) / (self.x.1 - self.x.0) * (RIGHT - LEFT)
    }

    fn y(&self, y: f64) -> f64 {
        BOTTOM - (y - self.y.0) / (self.y.1 - self.y.0) * (BOTTOM - TOP)
    }

    /// The lines with their names.
    fn grid(&self, frame: &Frame, svg: &mut String) {
        for exponent in self.y.0 as i32..=self.y.1 as i32 {
            let y = self.y(f64::from(exponent));
            let _ = writeln!(
                svg,
                r##"<path d="M{LEFT} {y:.1}H{RIGHT}" stroke="#ddd"/><text x="{}" y="{:.1}" text-anchor="end">{}</text>"##,
                LEFT - 6.0,
                y + 4.0,
                (frame.y_names)(exponent)
            );
        }
        let (low, high) = self.x;
        let ticks: Vec<(f64, String)> = match frame.x_names {
            Some(names) => (low as i32..=high as i32)
                .map(|exponent| (f64::from(exponent), names(exponent)))
                .collect(),
            None => {
                let step = step((high - low) / 6.0);
                ((low / step).ceil() as i32..=(high / step) as i32)
                    .map(|at| f64::from(at) * step)
                    .map(|x| (x, format!("{x:.0}")))
                    .collect()
            }
        };
        for (x, name) in ticks {
            let x = self.x(x);
            let _ = writeln!(
                svg,
                r##"<path d="M{x:.1} {TOP}V{BOTTOM}" stroke="#ddd"/><text x="{x:.1}" y="385" text-anchor="middle">{name}</text>"##
            );
        }
    }

    /// A line through the points, without those that the eye cannot tell apart.
    fn path(&self, points: &[(f64, f64)]) -> String {
        let mut path = String::new();
        let mut last = (f64::MIN, f64::MIN);
        for (index, &(x, y)) in points.iter().enumerate() {
            let here = (self.x(if self.log_x { log(x) } else { x }), self.y(log(y)));
            let near = (here.0 - last.0).abs() + (here.1 - last.1).abs() < 1.0;
            if near && index + 1 < points.len() {
                continue;
            }
            let command = if path.is_empty() { "M" } else { "L" };
            let _ = write!(path, "{command}{:.1} {:.1}", here.0, here.1);
            last = here;
        }
        path
    }
}

/// The least of 1, 2, 5, 10, 20, 50 and so on that is not below `least`.
fn step(least: f64) -> f64 {
    let decade = 10f64.powf(log(least).floor().max(0.0));
    let steps = [1.0, 2.0, 5.0].map(|step| step * decade);
    let step = steps.into_iter().find(|&step| step >= least);
    step.unwrap_or(10.0 * decade)
}

fn log(value: f64) -> f64 {
    value.max(1e-9).log10()
}

/// Colours of curves that are no engine's.
const COLOURS: [&str; 8] = [
    "#d9480f", "#868e96", "#1c7ed6", "#2f9e44", "#c2a20c", "#9c36b5", "#0b7285", "#c2255c",
];

/// A colour for an engine, the same in all pictures; for other curves one by their order.
fn colour(name: &str, index: usize) -> &'static str {
    match name {
        "maskwright" => "#d9480f",
        "maskwright-fill" => "#e8a07f",
        "glrmask" => "#1c7ed6",
        "llguidance" => "#2f9e44",
        "xgrammar" => "#0b7285",
        "xgrammar-rs" => "#9c36b5",
        "outlines-core" => "#868e96",
        "kbnf" => "#c2a20c",
        _ => COLOURS[index % COLOURS.len()],
    }
}
