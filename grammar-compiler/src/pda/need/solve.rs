//! The values of a game: what the completion needs at each place.
//!
//! In: a [`Game`]. Out: for each place the frames that a completion needs above the present height.
//!
//! Each pass takes what follows progress as known from the pass before, and works the other values out from above, the least
//! first. A pass costs O(steps) and a little for each value that falls.

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
    let mut assumed = vec![0; game.len()];
    loop {
        deadline.check("bounding stacks")?;
        let values = Pass::new(game, &users, &assumed, general).run();
        if values == assumed {
            return Ok(values);
        }
        assumed = values;
    }
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

/// One pass.
struct Pass<'a> {
    game: &'a Game,
    users: &'a Users,
    assumed: &'a [i32],
    values: Vec<i32>,
    /// What each place was when its users were last told.
    told: Vec<i32>,
    /// For places of the adversary the number of steps that cost what the worst one costs.
    worst: Vec<u32>,
    /// Places whose value has fallen.
    fallen: Fallen,
}

impl<'a> Pass<'a> {
    /// Nothing is known but that `general` is enough.
    fn new(game: &'a Game, users: &'a Users, assumed: &'a [i32], general: i32) -> Self {
        let mut pass = Pass {
            game,
            users,
            assumed,
            values: vec![general; game.len()],
            told: Vec::new(),
            worst: vec![0; game.len()],
            fallen: Fallen::default(),
        };
        let places = 0..game.len() as PlaceId;
        let is_state = |&place: &PlaceId| matches!(game.side(place), Side::State | Side::End);
        for place in places.clone().filter(|place| !is_state(place)) {
            pass.values[place as usize] = pass.evaluate(place);
        }
        pass.told.clone_from(&pass.values);
        for place in places.filter(is_state) {
            let value = pass.evaluate(place);
            pass.fall(place, value);
        }
        pass
    }

    fn run(mut self) -> Vec<i32> {
        while let Some((value, place)) = self.fallen.pop() {
            let before = self.told[place as usize];
            if value >= before {
                continue;
            }
            self.told[place as usize] = value;
            for &(user, rise) in self.users.of(place) {
                match self.game.side(user) {
                    Side::State | Side::End => self.fall(user, plus(value, rise).max(0)),
                    Side::Best => self.fall(user, plus(value, rise)),
                    Side::Worst => self.ease(user, plus(before, rise)),
                }
            }
        }
        self.values
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
        let known = |step: &Step| match () {
            () if step.is_progress => self.assumed[step.to as usize],
            () => *self
                .told
                .get(step.to as usize)
                .unwrap_or(&self.values[step.to as usize]),
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
