//! The values of a game: what the completion needs at each place.
//!
//! In: a [`Game`]. Out: for each place the frames that a completion needs above the present height.
//!
//! Each pass takes what follows progress as known from the pass before, and works the other values out from above, the least
//! first; only those that a change of what is assumed can reach are worked out again. A pass costs O(steps) and a little for each
//! value that falls.

use super::game::{Game, PlaceId, Side, Step};
use crate::limits::{Deadline, LimitExceeded};

/// No completion found.
pub(super) const UNKNOWN: i32 = i32::MAX / 2;

/// The value of each place; none is more than `general`.
pub(super) fn solve(
    game: &Game,
    general: i32,
    deadline: &Deadline,
) -> Result<Vec<i32>, LimitExceeded> {
    let users = Users::new(game);
    let mut solver = Solver::new(game, &users);
    let mut places: Vec<PlaceId> = (0..game.len() as PlaceId).collect();
    while !places.is_empty() {
        deadline.check("bounding stacks")?;
        solver.pass(&places, general);
        places = solver.assume();
    }
    Ok(solver.values)
}

/// For each place the steps that lead there without progress, and from where.
struct Users {
    begins: Vec<u32>,
    users: Vec<(PlaceId, i16)>,
}

impl Users {
    fn new(game: &Game) -> Self {
        let mut begins = vec![0u32; game.len() + 1];
        let steps = |place| game.steps(place).iter().filter(|s| !s.is_progress);
        let places = 0..game.len() as PlaceId;
        for step in places.clone().flat_map(steps) {
            begins[step.to as usize + 1] += 1;
        }
        for at in 1..begins.len() {
            begins[at] += begins[at - 1];
        }
        let mut next = begins.clone();
        let mut users = vec![(0, 0); begins.last().map_or(0, |&n| n as usize)];
        for place in places {
            for step in steps(place) {
                let at = &mut next[step.to as usize];
                users[*at as usize] = (place, step.rise);
                *at += 1;
            }
        }
        Users { begins, users }
    }

    fn of(&self, place: PlaceId) -> &[(PlaceId, i16)] {
        let (from, to) = (self.begins[place as usize], self.begins[place as usize + 1]);
        &self.users[from as usize..to as usize]
    }
}

/// Places by the value that they have fallen to. Which of them goes first makes no difference but to the time.
#[derive(Default)]
struct Fallen {
    /// By value, from nothing to [`MANY`]; lower ones are with the first, greater ones with the last.
    by_value: Vec<Vec<(i32, PlaceId)>>,
    /// All before it are empty.
    least: usize,
}

/// Greater values are not told apart while they wait.
const MANY: i32 = 64;

impl Fallen {
    fn push(&mut self, value: i32, place: PlaceId) {
        let at = value.clamp(0, MANY) as usize;
        if at >= self.by_value.len() {
            self.by_value.resize_with(at + 1, Vec::new);
        }
        self.by_value[at].push((value, place));
        self.least = self.least.min(at);
    }

    fn pop(&mut self) -> Option<(i32, PlaceId)> {
        while let Some(places) = self.by_value.get_mut(self.least) {
            if let Some(place) = places.pop() {
                return Some(place);
            }
            self.least += 1;
        }
        None
    }
}

/// The values between passes and within one.
struct Solver<'a> {
    game: &'a Game,
    users: &'a Users,
    /// What each place comes to after progress.
    assumed: Vec<i32>,
    values: Vec<i32>,
    /// What each place was when its users were last told.
    told: Vec<i32>,
    /// For places of the adversary the number of steps that cost what the worst one costs.
    worst: Vec<u32>,
    /// Places whose value has fallen.
    fallen: Fallen,
}

impl<'a> Solver<'a> {
    fn new(game: &'a Game, users: &'a Users) -> Self {
        Solver {
            game,
            users,
            assumed: vec![0; game.len()],
            values: vec![UNKNOWN; game.len()],
            told: vec![UNKNOWN; game.len()],
            worst: vec![0; game.len()],
            fallen: Fallen::default(),
        }
    }

    /// Assumes the values of this pass; gives the places, ascending, whose own values that may change.
    fn assume(&mut self) -> Vec<PlaceId> {
        let game = self.game;
        let both = self.assumed.iter().zip(&self.values);
        let changed: Vec<bool> = both.map(|(assumed, value)| assumed != value).collect();
        self.assumed.clone_from(&self.values);
        let all = 0..game.len() as PlaceId;
        let is_changed = |step: &Step| step.is_progress && changed[step.to as usize];
        let assumes = |&place: &PlaceId| game.steps(place).iter().any(is_changed);
        let mut stack: Vec<PlaceId> = all.clone().filter(assumes).collect();
        let mut seen = vec![false; game.len()];
        while let Some(place) = stack.pop() {
            if !std::mem::replace(&mut seen[place as usize], true) {
                stack.extend(self.users.of(place).iter().map(|user| user.0));
            }
        }
        all.filter(|&place| seen[place as usize]).collect()
    }

    /// Works the values of `places` out, which ascend, from nothing but that `general` is enough. All that depends on one of them is
    /// among them.
    fn pass(&mut self, places: &[PlaceId], general: i32) {
        for &place in places {
            self.values[place as usize] = general;
            self.told[place as usize] = general;
        }
        let game = self.game;
        let is_state = |&&place: &&PlaceId| matches!(game.side(place), Side::State | Side::End);
        for &place in places.iter().filter(|place| !is_state(place)) {
            let value = self.evaluate(place);
            self.values[place as usize] = value;
            self.told[place as usize] = value;
        }
        for &place in places.iter().filter(is_state) {
            let value = self.evaluate(place);
            self.fall(place, value);
        }
        while let Some((value, place)) = self.fallen.pop() {
            let before = self.told[place as usize];
            if value >= before {
                continue;
            }
            self.told[place as usize] = value;
            for &(user, rise) in self.users.of(place) {
                match game.side(user) {
                    Side::State | Side::End => self.fall(user, plus(value, rise).max(0)),
                    Side::Best => self.fall(user, plus(value, rise)),
                    Side::Worst => self.ease(user, plus(before, rise)),
                }
            }
        }
    }

    fn fall(&mut self, place: PlaceId, value: i32) {
        if value < self.values[place as usize] {
            self.values[place as usize] = value;
            self.fallen.push(value, place);
        }
    }

    /// A step of the adversary's costs less than `before`.
    fn ease(&mut self, place: PlaceId, before: i32) {
        if before < self.values[place as usize] {
            return;
        }
        self.worst[place as usize] -= 1;
        if self.worst[place as usize] == 0 {
            let value = self.evaluate(place);
            self.fall(place, value);
        }
    }

    /// The value of a place by those that its steps lead to, as far as their users have been told.
    fn evaluate(&mut self, place: PlaceId) -> i32 {
        let known = |step: &Step| match step.is_progress {
            true => self.assumed[step.to as usize],
            false => self.told[step.to as usize],
        };
        let costs = self.game.steps(place).iter();
        let costs = costs.map(|step| plus(known(step), step.rise));
        match self.game.side(place) {
            Side::Worst => {
                let worst = costs.clone().max().unwrap_or(UNKNOWN);
                self.worst[place as usize] = costs.filter(|&cost| cost == worst).count() as u32;
                worst
            }
            Side::Best => costs.min().unwrap_or(UNKNOWN),
            Side::State => costs.min().unwrap_or(UNKNOWN).max(0),
            Side::End => 0,
        }
    }
}

fn plus(value: i32, rise: i16) -> i32 {
    match value {
        UNKNOWN => UNKNOWN,
        value => value + i32::from(rise),
    }
}
