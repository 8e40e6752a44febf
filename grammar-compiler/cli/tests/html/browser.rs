//! A headless browser: a document in, its DOM after all scripts out.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The browser, if one is on PATH.
pub fn find() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let names = ["chromium", "chromium-browser", "google-chrome"];
    std::env::split_paths(&path)
        .flat_map(|folder| names.map(|name| folder.join(name)))
        .find(|file| file.is_file())
}

/// The DOM of a document as text.
pub fn dom(browser: &Path, document: &str) -> String {
    let folder = tempfile::TempDir::new().unwrap();
    let page = folder.path().join("page.html");
    std::fs::write(&page, document).unwrap();
    let options = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--disable-dev-shm-usage",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--virtual-time-budget=10000",
        "--dump-dom",
    ];
    let output = Command::new(browser)
        .args(options)
        .arg(format!(
            "--user-data-dir={}",
            folder.path().join("profile").display()
        ))
        .arg(format!("file://{}", page.display()))
        .env("HOME", folder.path())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let dom = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        dom.contains("</html>"),
        "no page: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    dom
}
