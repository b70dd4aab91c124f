#!/usr/bin/env python3
"""Writes into docs/cli.md what the program itself says.

A block of code whose lines begin with "$ seam" has below each command what it prints, in lines of 80 columns. Between
<!-- commands --> and <!-- /commands --> is the list of all commands, between <!-- options: COMMAND --> and <!-- /options --> are
the usage and the options of one, as `seam help` prints them.

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
OPTIONS = re.compile(r"<!-- options: ([a-z ]+) -->\n.*?<!-- /options -->", re.S)
COMMANDS = re.compile(r"<!-- commands -->\n.*?<!-- /commands -->", re.S)
ENTRY = re.compile(r"^  (\S.*?)(?:  +|$)(.*)$")  # a name or an option, and what it is


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


def ask(seam, *command):
    return subprocess.run([seam, "help", *command], check=True, capture_output=True, text=True).stdout


def cell(text):
    return text.replace("|", "\\|")


def list_options(seam, command):
    page = ask(seam, *command.split())
    usage = re.search(r"^usage: (.*)$", page, re.M)[1]
    entries = [ENTRY.match(line) for line in page.partition("\noptions:\n")[2].splitlines()]
    rows = [f"| `{cell(entry[1])}` | {cell(entry[2])} |" for entry in entries if entry and entry[1] != "--help"]
    table = ["", "| option | meaning |", "| --- | --- |", *rows] if rows else []
    return "\n".join([f"<!-- options: {command} -->", f"`{usage}`", *table, "<!-- /options -->"])


def list_commands(seam):
    rows = []
    for entry in map(ENTRY.match, ask(seam).splitlines()):
        if not entry:
            continue
        inner = re.findall(r"^  ([a-z]+)  +(.+)$", ask(seam, entry[1]), re.M) if entry[1] == "stability" else []
        rows += [f"| [`{entry[1]} {name}`](#{entry[1]}-{name}) | {meaning} |" for name, meaning in inner]
        rows += [] if inner else [f"| [`{entry[1]}`](#{entry[1]}) | {entry[2]} |"]
    return "\n".join(["<!-- commands -->", "| command | purpose |", "| --- | --- |", *rows, "<!-- /commands -->"])


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
    new = OPTIONS.sub(lambda mark: list_options(seam, mark[1]), old)
    new = COMMANDS.sub(lambda _: list_commands(seam), new)
    with tempfile.TemporaryDirectory() as folder:
        new = BLOCK.sub(lambda block: carry_out(seam, block.group(), folder), new)
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
