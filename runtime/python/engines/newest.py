"""The newest release of each engine that the index has: it is the one that versions.json names, and the tests pass with it.

    ../../target/engines/bin/python engines/newest.py [FOLDER]

In: versions.json, the index of packages, and the environment that `install` made, whose Python runs this. Out: the releases, unpacked in a folder for each, below target/newest if none is named; then the tests with them. The
exit status says whether the versions are the newest ones and all tests pass. What holds: nothing is installed, and the environment stays as it is. Of vLLM the Python is that of its newest release, and the kernels are
those for processors that the environment has, since releases for processors come later.
"""

import json
import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
SITE = Path(sysconfig.get_path("purelib"))
# What of a release is not Python's and runs on accelerators only.
KERNELS = (".so", ".cu", ".cuh")


def pip(*arguments):
    return subprocess.run([sys.executable, "-m", "pip", *arguments], check=True, capture_output=True, text=True).stdout


def newest(package):
    """The newest version that the index has. Ends the program where there is no index: that is no error."""
    try:
        return pip("index", "versions", package).split("(", 1)[1].split(")", 1)[0]
    except subprocess.CalledProcessError as error:
        print(f"not run: the newest releases of the engines; pip finds no {package} here: {error.stderr.strip()}")
        sys.exit(0)


def unpack(package, version, folder):
    """The release in a folder of its own; what was unpacked before stays."""
    target = folder / f"{package}-{version}"
    if not (target / "unpacked").exists():
        pip("download", "--no-deps", "--only-binary", ":all:", "-d", str(folder), f"{package}=={version}")
        (wheel,) = folder.glob(f"{package}-{version}*.whl")
        with zipfile.ZipFile(wheel) as packed:
            kept = [name for name in packed.namelist() if package != "vllm" or not name.endswith(KERNELS)]
            packed.extractall(target, kept)
        wheel.unlink()
        (target / "unpacked").touch()
    return target


def with_kernels(folder):
    """vLLM's release with the kernels of the environment, named as a release for processors is."""
    for kernel in (SITE / "vllm").rglob("*.so"):
        link = folder / kernel.relative_to(SITE)
        link.parent.mkdir(parents=True, exist_ok=True)
        if not link.exists():
            link.symlink_to(kernel)
    for metadata in folder.glob("vllm-*.dist-info/METADATA"):
        text = metadata.read_text()
        version = next(line for line in text.splitlines() if line.startswith("Version: "))
        if "+cpu" not in version:
            metadata.write_text(text.replace(version, f"{version}+cpu", 1))
    return folder


def tests(what, paths, *arguments):
    """Runs tests with these folders before the environment's own packages."""
    print(f"\n== {what}", flush=True)
    given = [*map(str, paths), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(given)}
    return subprocess.run([sys.executable, "-m", "pytest", "-q", *arguments], cwd=HERE.parent, env=environment).returncode == 0


def main():
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else HERE.parents[2] / "target" / "newest").resolve()
    folder.mkdir(parents=True, exist_ok=True)
    stated = json.loads((HERE / "versions.json").read_text())
    found = {package: newest(package) for package in stated}
    is_right = True
    for package, version in found.items():
        if version != stated[package]:
            is_right = False
            print(f"{package} {version} is the newest: versions.json says {stated[package]}")
    at = {package: unpack(package, version, folder) for package, version in found.items()}
    at["vllm"] = with_kernels(at["vllm"])
    sources = folder / "sources"
    sources.mkdir(exist_ok=True)
    for package in ("vllm", "sglang"):
        link = sources / package
        link.unlink(missing_ok=True)
        link.symlink_to(at[package] / package)
    os.environ["MASKWRIGHT_ENGINES"] = str(sources)
    results = [
        tests("interfaces of vLLM and SGLang, XGrammar's interface", [at["xgrammar"]], "tests/test_vllm.py", "tests/test_sglang.py", "tests/test_imports_of_engines.py", "tests/test_xgrammar.py"),
        tests("transformers", [at["transformers"]], "tests/test_transformers.py"),
        tests("vLLM, whole", [at["vllm"]], "engines/test_vllm.py"),
    ]
    if not all([is_right, *results]):
        sys.exit("the newest releases are not the ones of versions.json, or tests fail with them")


if __name__ == "__main__":
    main()
