//! Tools that a build script has linked make the masks that they make as a whole, in statics.

use maskwright::calls::CallFormat;
use maskwright_tests::random::Random;

mod linked {
    include!(concat!(env!("OUT_DIR"), "/linked.rs"));
}

use linked::{LINKED, LINKED_FORMAT, LinkedMatcher, WHOLE, WHOLE_FORMAT, WholeMatcher};

const CALL: &str = "Let me see.\n<tool_call>\n{\"name\": \"search\", \"arguments\": {\"query\": \"a < b\", \"limit\": 3}}\n</tool_call>\n<tool_call>\n{\"name\": \"now\", \"arguments\": {}}\n</tool_call>";

#[test]
fn masks_are_those_of_the_whole() {
    let words = WHOLE.mask_words();
    let (mut of_whole, mut of_linked) = (vec![0; words], vec![0; words]);
    let mut compared = 0;
    for seed in 0..8 {
        let mut random = Random::new(seed);
        let mut whole = WholeMatcher::new(&WHOLE).unwrap();
        let mut linked = LinkedMatcher::new(&LINKED).unwrap();
        // Up to somewhere in the calls, then at random.
        let cut = seed as usize * CALL.len() / 8;
        whole.accept_bytes(&CALL.as_bytes()[..cut]).unwrap();
        linked.accept_bytes(&CALL.as_bytes()[..cut]).unwrap();
        for _ in 0..40 {
            whole.mask().fill(&mut of_whole).unwrap();
            linked.mask().fill(&mut of_linked).unwrap();
            assert!(of_whole == of_linked, "seed {seed}");
            compared += 1;
            let allowed: Vec<u32> = whole.mask().iter().collect();
            let Some(&token) = random.pick(&allowed) else {
                break;
            };
            whole.accept_token(token).unwrap();
            linked.accept_token(token).unwrap();
        }
    }
    assert!(compared > 150, "{compared}");
}

#[test]
fn outputs_are_read_back_alike() {
    let mut matcher = LinkedMatcher::new(&LINKED).unwrap();
    matcher.accept_bytes(CALL.as_bytes()).unwrap();
    assert!(matcher.is_complete());
    let read =
        |format: &CallFormat<'static>| format!("{:?}", format.parts(CALL).collect::<Vec<_>>());
    let parts = [&WHOLE_FORMAT, &LINKED_FORMAT].map(read);
    assert_eq!(parts[0], parts[1]);
    assert!(parts[0].contains("search"), "{}", parts[0]);
}
