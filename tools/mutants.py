#!/usr/bin/env python3
"""Puts one bug after the other of tools/mutants.txt into the committed tree and looks whether the tests notice.

An entry of the list (entries are separated by empty lines; the old text occurs once in its file):

    ID FILE SUITE...              the suites that should notice, nearest first
    - OLD TEXT
    + NEW TEXT
    : what the bug is
    equivalent: why no test can notice                    optional; such an entry is listed and neither run nor counted

A mutant that survives its nearest suites meets all others, except those that run for minutes. It is killed when a suite
fails or does not end in time. The exit status is 1 below 90 %, for a stale entry and for a suite that fails without
a mutant. Needs git, cmake and Python's standard library; takes ccache, ninja and lld where they are."""
import argparse
import io
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import tarfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
TREE = ROOT / "build" / "mutants" / "tree"
BUILD = TREE / "build" / "release"  # the same path as in the tree itself, so that ccache has most objects
MUTATED = ROOT / "build" / "mutants" / "mutated"  # contains the name of the present mutated file
LIMIT = 100  # s of CPU time for one test; the longest takes 20
PATIENCE = 3600  # s for one suite that waits
WANTED = 0.9
SLOW = {"analysis.map", "app.reproduce"}  # run for minutes: only mutants that name them meet them


def read_list():
    """Returns the entries of the list, in order."""
    entries = []
    text = "\n".join(line for line in (ROOT / "tools" / "mutants.txt").read_text().splitlines() if not line.startswith("#"))
    for block in re.split(r"\n\s*\n", text.strip()):
        lines = block.splitlines()
        name, file, *suites = lines[0].split()
        entry = {"id": name, "file": file, "suites": suites, "equivalent": None}
        for line in lines[1:]:
            key, _, value = line.partition(" ")
            entry[{"-": "old", "+": "new", ":": "bug", "equivalent:": "equivalent"}[key]] = value
        entries.append(entry)
    return entries


def is_stale(entry):
    return (TREE / entry["file"]).read_text().count(entry["old"]) != 1 if (TREE / entry["file"]).exists() else True


def update_tree():
    """Updates the tree to the committed files; unchanged ones keep their time, so that little is built again."""
    archive = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        members = {TREE / member.name: member for member in files if member.isfile()}
        for path in list(TREE.rglob("*")):
            if path.is_file() and path not in members and BUILD not in path.parents:
                path.unlink()
        for path, member in members.items():
            content = files.extractfile(member).read()
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.exists() or path.read_bytes() != content:
                path.write_bytes(content)
                path.chmod(member.mode)
    if MUTATED.exists():  # a run was ended: the build is of the mutant
        (TREE / MUTATED.read_text()).touch()
        MUTATED.unlink()


def configure():
    """Configures with the flags of the preset `release`; a mutant may leave a variable unused. Returns the names of all suites."""
    options = ["-DCMAKE_BUILD_TYPE=Release", "-DSEAM_WERROR=OFF", "-DSEAM_BENCH=OFF"]
    options += ["-DCMAKE_C_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
    options += ["-DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld"] if shutil.which("ld.lld") else []
    options += ["-GNinja"] if shutil.which("ninja") and not (BUILD / "Makefile").exists() else []
    subprocess.run(["cmake", "-S", TREE, "-B", BUILD, *options], check=True, stdout=subprocess.DEVNULL)
    listing = subprocess.run(["ctest", "--show-only=json-v1"], cwd=BUILD, check=True, capture_output=True).stdout
    names = [test["name"] for test in json.loads(listing)["tests"]]
    files = [path for path in (TREE / "tests").rglob("*.c") if f"\nTest({path.stem}, " in path.read_text()]
    suites = {f"{path.relative_to(TREE / 'tests').parts[0]}.{path.stem}" for path in files}
    return [name for name in names if name in suites]


def build(suites, jobs):
    """Returns true if these suites build."""
    targets = {f"test_{suite.split('.')[0]}" for suite in suites}
    command = ["cmake", "--build", BUILD, f"-j{jobs}", "--target", *targets]
    return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


def failure(suite):
    """Returns the first failed test and assertion of a suite; None: the suite passes."""
    folder, name = suite.split(".")
    program = BUILD / "tests" / folder / f"test_{folder}"
    command = [program, "--filter", f"{name}/*", "--fail-fast"]
    run = subprocess.Popen(command, cwd=BUILD, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
                           preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT)))
    try:
        text = run.communicate(timeout=PATIENCE)[0].decode(errors="replace")
    except subprocess.TimeoutExpired:
        os.killpg(run.pid, signal.SIGKILL)
        run.communicate()
        return f"{suite}: it waits for ever"
    if run.returncode == 0:
        return None
    place = re.search(r"(tests/\S+:\d+): (Assertion Failed|Unexpected \w+)", text)
    test = re.search(r"\[FAIL\] ([\w:]+)", text)
    return f"{suite}: {test.group(1) if test else 'it ends early'}" + (f" ({place.group(1)})" if place else "")


def killer(suites):
    """Returns the first failure in a list of suites, or None."""
    return next((found for found in (failure(suite) for suite in suites) if found), None)


def judge(entry, all_suites, jobs):
    """Returns true if the mutant is killed (None: it does not build), and a remark."""
    path = TREE / entry["file"]
    healthy = path.read_text()
    MUTATED.write_text(entry["file"])
    path.write_text(healthy.replace(entry["old"], entry["new"]))
    others = [name for name in all_suites if name not in SLOW and name not in entry["suites"]]
    try:
        for suites in (*([suite] for suite in entry["suites"]), others):
            if not build(suites, jobs):
                return None, "does not build: renew the list"
            found = killer(suites)
            if found:
                return True, f"killed by {found}"
        return False, "SURVIVED"
    finally:
        path.write_text(healthy)
        MUTATED.unlink()


def check_list(entries, all_suites):
    """Ends the program if an entry cannot be used."""
    faults = [f"{e['id']}: stale: its old text is not exactly once in {e['file']}: renew the list" for e in entries if is_stale(e)]
    faults += [f"{name}: two entries have this name" for name in {e["id"] for e in entries} if sum(e["id"] == name for e in entries) > 1]
    faults += [f"{e['id']}: there is no suite {suite}" for e in entries for suite in e["suites"] if suite not in all_suites]
    if faults:
        sys.exit("\n".join(faults))


def check_suites(entries, jobs):
    """Ends the program if a suite fails without a mutant."""
    suites = list(dict.fromkeys(suite for entry in entries for suite in entry["suites"]))
    if not build(suites, jobs):
        sys.exit("the tree does not build without a mutant")
    broken = killer(suites)
    if broken:
        sys.exit(f"without a mutant fails {broken}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", metavar="ID", help="these entries only")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes of the build")
    options = parser.parse_args()
    listed = [entry for entry in read_list() if not options.only or entry["id"] in options.only]
    entries = [entry for entry in listed if not entry["equivalent"]]
    update_tree()
    all_suites = configure()
    check_list(entries, all_suites)
    check_suites(entries, options.jobs)
    killed = []
    for entry in listed:
        begin = time.time()
        is_killed, text = judge(entry, all_suites, options.jobs) if entry in entries else (None, f"equivalent: {entry['equivalent']}")
        killed += [is_killed] if entry in entries else []
        print(f"{entry['id']} {entry['file']}: {entry['bug']}: {text} ({time.time() - begin:.0f} s)", flush=True)
    share = killed.count(True) / max(1, len(killed))
    print(f"{killed.count(True)} of {len(killed)} mutants killed, {100 * share:.1f} %; {100 * WANTED:.0f} % are wanted")
    return 1 if None in killed or share < WANTED else 0


if __name__ == "__main__":
    sys.exit(main())
