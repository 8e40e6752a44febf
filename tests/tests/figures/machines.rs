//! The machines that figures come from: named where the figures stand, and by one name.

use super::{HOMES, assert_none, documents, files, read};

/// Words that tell a machine.
const MACHINES: [&str; 4] = ["Xeon", "EPYC", "Ryzen", "GHz"];

#[test]
fn machines_are_named_where_figures_stand() {
    let names = |text: &str| MACHINES.iter().any(|name| text.contains(name));
    let documents = documents();
    let problems: Vec<String> = documents
        .iter()
        .flat_map(|(path, text)| {
            let named = (1..).zip(text.lines()).filter(|line| names(line.1));
            named.map(move |(line, _): (usize, _)| format!("{path}:{line}"))
        })
        .collect();
    assert_none(
        &problems,
        "Say what the results say of the machine by a link to them.",
    );
}

/// The machines are those in the first table of `benches/RESULTS.md`, wherever figures name one.
#[test]
fn machines_have_one_name() {
    let results = read("benches/RESULTS.md");
    let known = results
        .lines()
        .filter_map(|line| line.split_once("two shared cores of an "));
    let known = known.map(|(_, name)| name.split([',', ';', '|']).next().unwrap_or("").trim());
    let known: Vec<&str> = known.collect();
    assert!(!known.is_empty(), "benches/RESULTS.md names no machine");
    let of_examples = files("examples", "README.md").into_iter();
    let of_examples = of_examples.filter(|path| !path.contains("/target/"));
    let homes = HOMES.iter().map(|home| home.1.to_owned());
    let generated = "benches/peers/results/tables.md".to_owned();
    // The peers' driver leaves out the clock.
    let is_named_in = |line: &str, machine: &str| {
        let (name, _) = machine.split_once(" at ").unwrap_or((machine, ""));
        line.contains(machine) || line.contains(name) && !line.contains("GHz")
    };
    let named = |line: &str| {
        let mentions = MACHINES.iter().any(|name| line.contains(name));
        !mentions || known.iter().any(|machine| is_named_in(line, machine))
    };
    let problems: Vec<String> = of_examples
        .chain(homes)
        .chain([generated])
        .flat_map(|path| {
            let text = read(&path);
            let lines = (1..).zip(text.lines()).filter(|line| !named(line.1));
            lines
                .map(|(line, text): (usize, &str)| format!("{path}:{line}: {text}"))
                .collect::<Vec<_>>()
        })
        .collect();
    assert_none(
        &problems,
        &format!("The machines are {}.", known.join(" and ")),
    );
}

/// The peers' driver writes which machine it ran on.
#[test]
fn the_peers_results_name_one_machine() {
    let generated = read("benches/peers/results/tables.md");
    let machine = generated
        .lines()
        .find_map(|line| line.strip_prefix("Machine: "));
    let machine = machine.expect("a line `Machine: …`");
    let problems: Vec<String> = (1..)
        .zip(read("benches/peers/RESULTS.md").lines())
        .filter(|(_, line)| {
            let mut named = MACHINES.iter().filter(|name| line.contains(**name));
            named.any(|name| !machine.contains(name))
        })
        .map(|(line, text): (usize, &str)| format!("benches/peers/RESULTS.md:{line}: {text}"))
        .collect();
    assert_none(&problems, &format!("The run was on: {machine}"));
}
