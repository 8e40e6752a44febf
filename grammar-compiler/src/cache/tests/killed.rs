use super::*;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

/// Set in processes that write until they are killed: the folder.
const FOLDER: &str = "MASKWRIGHT_TEST_WRITER";
const WRITERS: usize = 100;
/// Writers at a time.
const AT_ONCE: usize = 4;
const KEYS: [&str; 3] = ["a", "b", "c"];

fn content(name: &str) -> Vec<u8> {
    name.bytes().cycle().take(1 << 19).collect()
}

/// No test by itself: what the processes of the test below run.
#[test]
fn writer() {
    let Some(folder) = env::var_os(FOLDER) else {
        return;
    };
    let entries = KEYS.map(|name| {
        let (key, content) = (key(name), content(name));
        let header = entry::header(key, &content);
        (files::entry_name(key.digest), header, content)
    });
    for (name, header, content) in entries.iter().cycle() {
        files::write(Path::new(&folder), name, header, content).unwrap();
    }
}

fn spawn(folder: &Path) -> Child {
    let mut command = Command::new(env::current_exe().unwrap());
    command
        .args(["--exact", "cache::tests::killed::writer", "--nocapture"])
        .env(FOLDER, folder);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().unwrap()
}

fn unfinished(folder: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(folder).unwrap();
    let paths = files.map(|file| file.unwrap().path());
    paths
        .filter(|path| path.extension().is_some_and(|name| name == "writing"))
        .collect()
}

/// A hundred writers, each killed some milliseconds after it has begun: readers see whole entries
/// or none meanwhile, and what the writers have left is removed once it is old.
#[test]
fn killed_writers_leave_no_half_entries() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::at(folder.path());
    let contents = KEYS.map(content);
    let read = || {
        let read = KEYS.iter().zip(&contents).map(|(name, content)| {
            let read = cache.get(key(name), MOST);
            assert!(
                read.is_none() || read.as_ref() == Some(content),
                "half an entry"
            );
            read.is_some()
        });
        read.filter(|is_there| *is_there).count()
    };
    // A hundred of these are many random moments.
    let mut random = 1u64;
    let mut moment = || {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        Duration::from_micros((random >> 33) % 30_000)
    };
    for _ in 0..WRITERS / AT_ONCE {
        let before = unfinished(folder.path()).len();
        let writers = [(); AT_ONCE].map(|()| spawn(folder.path()));
        let begun = Instant::now();
        while unfinished(folder.path()).len() <= before && begun.elapsed().as_secs() < 10 {
            std::thread::sleep(Duration::from_millis(1));
        }
        for mut writer in writers {
            std::thread::sleep(moment());
            read();
            writer.kill().unwrap();
            writer.wait().unwrap();
        }
    }
    assert_eq!(read(), KEYS.len(), "no writer has written anything");
    assert_eq!(cache.refusals(), 0);
    let left = unfinished(folder.path());
    assert!(
        left.len() > WRITERS / 10,
        "{} writers were killed in time",
        left.len()
    );
    // What is not old may be a file that is being written.
    cache.put(key("d"), b"", MOST);
    assert_eq!(unfinished(folder.path()).len(), left.len());
    let old = SystemTime::now() - 2 * files::STALE;
    for path in &left {
        let file = fs::File::options().write(true).open(path).unwrap();
        file.set_modified(old).unwrap();
    }
    Cache::at(folder.path()).put(key("d"), b"", MOST);
    assert!(unfinished(folder.path()).is_empty());
    assert_eq!(read(), KEYS.len());
}
