#!/usr/bin/env python3
"""Carries out the commands in docs/cli.md that stand behind "$ ", and writes below each what it prints, in lines of 80 columns.

usage: screens.py SEAM [--check]      (in the root of the tree; --check: fails where the page is another but for times)
"""
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import textwrap

PAGE = pathlib.Path("docs/cli.md")
BLOCK = re.compile(r"(?<=^```\n)\$ seam .*?(?=^```$)", re.M | re.S)


def fold(line):
    """As a reader of 80 columns would have it: tables keep their blanks."""
    return textwrap.wrap(line, 80, subsequent_indent="  ", drop_whitespace=True, break_on_hyphens=False,
                         replace_whitespace=False, break_long_words=False) or [""]


def carry_out(seam, block, folder):
    lines = []
    for command in re.findall(r"^\$ (seam .*)$", block, re.M):
        made = subprocess.run([seam, *shlex.split(command)[1:]], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        lines += [f"$ {command}"] + [part for line in made.stdout.splitlines() for part in fold(line)]
    return "\n".join(lines) + "\n"


def without_times(page):
    """Times that the processor took, and the columns below "CPU, s", are other ones each time."""
    lines, at = [], None
    for line in re.sub(r"(in|run:) [\d.e+-]+ s\b", r"\1 TIME", page).splitlines():
        at = line.find("CPU, s") if "CPU, s" in line else None if line.startswith("```") else at
        is_row = at is not None and line[at : at + 1].isdigit()
        lines.append(line[:at] + line[at:].lstrip("0123456789.e- ") if is_row else line)
    return lines


def main():
    seam, checks = str(pathlib.Path(sys.argv[1]).resolve()), "--check" in sys.argv[2:]
    old = PAGE.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        new = BLOCK.sub(lambda block: carry_out(seam, block.group(), folder), old)
    if not checks:
        PAGE.write_text(new, encoding="utf-8")
        return 0
    for is_, should in zip(without_times(old), without_times(new)):
        if is_ != should:
            print(f"{PAGE}: tools/screens.py SEAM makes another page:\n  {is_}\n  {should}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
