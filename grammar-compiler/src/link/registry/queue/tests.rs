use super::*;
use std::sync::atomic::AtomicBool;

struct Job {
    name: u128,
    text: usize,
    is_done: AtomicBool,
    mark: AtomicU8,
}

impl Work for Job {
    fn run(&self, _: &Cancel) {
        self.is_done.store(true, Ordering::Relaxed);
    }
    fn is_done(&self) -> bool {
        self.is_done.load(Ordering::Relaxed)
    }
    fn key(&self) -> Digest {
        Digest::of_number(self.name)
    }
    fn text(&self) -> usize {
        self.text
    }
    fn mark(&self) -> &AtomicU8 {
        &self.mark
    }
}

/// A piece of work with a store and a request that hold it.
fn job(name: u128, text: usize) -> [Arc<dyn Work>; 2] {
    let job: Arc<dyn Work> = Arc::new(Job {
        name,
        text,
        is_done: AtomicBool::new(false),
        mark: AtomicU8::new(NOWHERE),
    });
    [job.clone(), job]
}

/// Does the next work; its name.
fn next(queue: &Queue) -> u128 {
    let (_, work) = queue.next().unwrap();
    work.run(&Cancel::default());
    work.key().number()
}

fn take(queue: &Queue, count: usize) -> Vec<u128> {
    (0..count).map(|_| next(queue)).collect()
}

#[test]
fn what_is_asked_for_again_waits_once() {
    let queue = Queue::default();
    let jobs: Vec<_> = (0..20).map(|name| job(name, 1)).collect();
    for _ in 0..4 {
        queue.push(Line::Piece, jobs.iter().map(|job| job[0].clone()));
    }
    assert_eq!(queue.counts(), (20, 0));
    assert_eq!(take(&queue, 20), (0..20).collect::<Vec<_>>());
    queue.push(Line::Piece, jobs.iter().map(|job| job[0].clone()));
    assert_eq!(queue.counts(), (0, 0), "it is done");
}

#[test]
fn nothing_is_left_out() {
    let queue = Queue::default();
    let jobs: Vec<_> = (0..20_000).map(|name| job(name, 1)).collect();
    for of_request in jobs.chunks(64) {
        queue.push(Line::Piece, of_request.iter().map(|job| job[0].clone()));
    }
    let mut done = take(&queue, jobs.len());
    done.sort_unstable();
    assert_eq!(done, (0..20_000).collect::<Vec<_>>());
}

#[test]
fn requests_take_turns() {
    let queue = Queue::default();
    let jobs: Vec<_> = (0..6).map(|name| job(name, 1)).collect();
    queue.push(Line::Piece, jobs[..4].iter().map(|job| job[0].clone()));
    queue.push(Line::Piece, jobs[4..].iter().map(|job| job[0].clone()));
    assert_eq!(take(&queue, 6), [0, 4, 1, 5, 2, 3]);
}

#[test]
fn lines_have_their_order_and_none_waits_for_ever() {
    let queue = Queue::default();
    let pieces: Vec<_> = (0..12).map(|name| job(name, 1)).collect();
    let wholes: Vec<_> = [(100, 9), (101, 5), (102, 7)]
        .map(|(name, text)| job(name, text))
        .into();
    queue.push(Line::Whole, wholes.iter().map(|job| job[0].clone()));
    queue.push(Line::Piece, pieces.iter().map(|job| job[0].clone()));
    for at in [10, 11] {
        queue.prioritize(&pieces[at][0]);
        queue.prioritize(&pieces[at][0]);
    }
    // Those with priority, then pieces, the eighth is the oldest grammar, then the short ones.
    let expected = [10, 11, 0, 1, 2, 3, 4, 100, 5, 6, 7, 8, 9, 101, 102];
    assert_eq!(take(&queue, expected.len()), expected);
}

#[test]
fn what_nobody_waits_for_is_not_begun() {
    let queue = Queue::default();
    let [stored, held] = job(0, 1);
    let other = job(1, 1);
    queue.push(Line::Piece, [held.clone(), other[0].clone()]);
    drop(held);
    assert_eq!(next(&queue), 1);
    assert_eq!(queue.counts(), (0, 1));
    // It can be asked for again.
    let held = stored.clone();
    queue.push(Line::Piece, [stored.clone()]);
    assert_eq!(next(&queue), 0);
    drop(held);
}

#[test]
fn what_nobody_waits_for_takes_no_room() {
    let queue = Queue::default();
    let live = job(0, 1);
    queue.push(Line::Whole, [live[0].clone()]);
    for name in 1..20_000 {
        let [stored, held] = job(name, 1);
        queue.push(Line::Whole, [held]);
        drop(stored);
        assert!(queue.counts().0 <= 2 * SWEPT as u64);
    }
    assert_eq!(next(&queue), 0);
}
