#!/usr/bin/env python3
"""Turns what Seam calls of LAPACK from Fortran into C, by f2c.

usage: lapack.py LAPACK SEAM FOLDER

Reads Debian's source of LAPACK and the calls of LAPACKE in Seam's sources; writes C files into FOLDER. Routines in
Fortran 90, which f2c does not read, are in fortran90.c.
"""

import pathlib
import re
import shutil
import subprocess
import sys

BY_HAND = {"dnrm2", "dlassq", "dlartg", "la_constants", "dlamch", "droundup_lwork", "xerbla"}
WORD = re.compile(r"[a-z_]\w*")


def sources(lapack):
    """Paths of the files that f2c may need, by the name of their routine."""
    found = {}
    for folder in "BLAS/SRC", "SRC", "INSTALL":
        for path in sorted((lapack / folder).glob("*.f")):
            found.setdefault(path.stem, path)
    return found


def code_of(path):
    return "\n".join(line for line in path.read_text().splitlines() if line[:1] not in ("*", "C", "c"))


def closure(wanted, files):
    """Names of the routines that these call, themselves included."""
    reached = set()
    waiting = list(wanted)
    while waiting:
        name = waiting.pop()
        if name in reached or name in BY_HAND or name not in files:
            continue
        reached.add(name)
        waiting += WORD.findall(code_of(files[name]).lower())
    return sorted(reached)


def fortran77(name, text):
    """The four things beyond Fortran 77 that LAPACK does, as f2c takes them."""
    text = re.sub(r"(?im)^(\s+)RECURSIVE\s+SUBROUTINE", r"\1SUBROUTINE", text)
    text = text.replace("DOUBLE PRECISION, INTENT(IN) :: ", "DOUBLE PRECISION ")
    if name.endswith("trf2"):  # f2c refuses a call of itself; its C calls by that name
        text = re.sub(rf"(?i)CALL\s+{name}\b", f"CALL {name}x", text)
    if name == "dlaqr5":
        text = re.sub(r"(\$\s+)CYCLE", r"\1GO TO 80", text)
    lines = []
    label = 900
    leaves = False
    for line in text.splitlines():
        is_code = line[:1] not in ("*", "C", "c")
        if is_code and re.search(r"\bEXIT\s*$", line):
            label += not leaves
            line = re.sub(r"EXIT\s*$", f"GO TO {label}", line)
            leaves = True
        lines.append(line)
        if is_code and leaves and re.match(r"\s+END\s*DO", line):
            lines.append(f"  {label} CONTINUE")
            leaves = False
    return "\n".join(lines) + "\n"


def main():
    lapack, seam, folder = map(pathlib.Path, sys.argv[1:])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    texts = (path.read_text() for path in sorted(seam.glob("*/**/*.c")) if path.parts[len(seam.parts)] not in ("build", "tests"))
    wanted = sorted({name for text in texts for name in re.findall(r"\bLAPACKE_(d[a-z]+)", text)})
    files = sources(lapack)
    for name in closure(wanted, files):
        made = folder / f"{name}.f"
        made.write_text(fortran77(name, files[name].read_text()))
    subprocess.run(["f2c", "-a", "-A", "-R", "-w"] + sorted(path.name for path in folder.glob("*.f")), cwd=folder,
                   check=True, stderr=subprocess.DEVNULL)
    for path in sorted(folder.glob("*.c")):  # LAPACKE calls subroutines as functions without a value
        text = path.read_text().replace(f"{path.stem}x_", f"{path.stem}_").replace("return 0;", "return;")
        path.write_text(re.sub(r"/\* Subroutine \*/\s+int", "void", text))
    for name in wanted:
        for path in (lapack / "LAPACKE/src").glob(f"lapacke_{name}*.c"):
            if path.stem in (f"lapacke_{name}", f"lapacke_{name}_work"):
                shutil.copy(path, folder)


main()
