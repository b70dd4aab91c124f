#!/usr/bin/env python3
"""Carries out the commands of docs/cli.md, README.md and the tutorial, and writes below each what it prints, in lines of 80 columns.

usage: screens.py SEAM [--check] [PAGE]     (in the root of the tree; --check: fails where a page is another but for times and rounding;
PAGE: those that share its folder alone)

A block that begins with "$ " is a screen: its commands (seam, python3), with what they print. In a block of sh the lines that
begin with "seam" are carried out, and must end with status 0 (not in docs/cli.md). A block below "<!-- FILE -->" is the end of that FILE, in a page
of the tutorial a part of it. The tutorial runs in a copy of examples/tutorial, one page after the other. Pictures are copied from
what the commands make, by their names. Between <!-- commands --> and <!-- /commands --> is the list of all commands, between
<!-- options: COMMAND --> and <!-- /options --> are the usage and the options of one, as `seam help` prints them. Screens of Python stay as they are where Python has no NumPy or cffi.
"""
import importlib.util
import itertools
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import textwrap

TUTORIAL = pathlib.Path("docs/tutorial")
PAGES = [[pathlib.Path("docs/cli.md")], [pathlib.Path("README.md")], sorted(TUTORIAL.glob("*.md"))]  # pages of one list share a folder
BLOCK = re.compile(r"^(?:<!-- (?P<file>\S+) -->\n)?```(?P<kind>\w*)\n(?P<text>.*?)^```$", re.M | re.S)
OPTIONS = re.compile(r"<!-- options: ([a-z ]+) -->\n.*?<!-- /options -->", re.S)
COMMANDS = re.compile(r"<!-- commands -->\n.*?<!-- /commands -->", re.S)
ENTRY = re.compile(r"^  (\S.*?)(?:  +|$)(.*)$")  # a name or an option, and its meaning
PICTURE = re.compile(r"^!\[[^]]*\]\(((?:docs/)?\w+\.svg)\)$", re.M)


def fold(line):
    """Breaks a line at 80 columns; tables keep their blanks."""
    return textwrap.wrap(line, 80, subsequent_indent="  ", drop_whitespace=True, break_on_hyphens=False,
                         replace_whitespace=False, break_long_words=False) or [""]


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


class Reader:
    """Follows a page in a folder of its own."""

    def __init__(self, seam, page, folder):
        self.seam, self.page, self.folder = seam, page, pathlib.Path(folder)

    def run(self, command):
        program, *arguments = shlex.split(command, comments=True)
        found = {"seam": self.seam, "python3": sys.executable}[program]
        package = str(pathlib.Path(self.seam).parents[1] / "python")
        return subprocess.run([found, *arguments], cwd=self.folder, env=os.environ | {"PYTHONPATH": package},
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def screen(self, text):
        lines = []
        for command in re.findall(r"^\$ (.*)$", text, re.M):
            if command.startswith("python3") and not all(map(importlib.util.find_spec, ("numpy", "cffi"))):
                return text
            printed = self.run(command).stdout.splitlines()
            lines += [f"$ {command}"] + [part for line in printed for part in fold(line)]
        return "\n".join(lines) + "\n"

    def carry_out(self, text):
        for command in re.findall(r"^seam .*$", text, re.M):
            made = self.run(command)
            if made.returncode:
                raise SystemExit(f"{self.page}: {command}\n{made.stdout}")

    def write(self, name, text):
        file = self.folder / name
        if self.page.parent != TUTORIAL:
            file.write_text((file.read_text() if file.exists() else "") + text)
        elif text not in file.read_text():
            raise SystemExit(f"{self.page}: a block is not part of examples/tutorial/{name}:\n{text}")

    def block(self, found):
        """Returns the block with the present output."""
        if found["file"]:
            self.write(found["file"], found["text"])
        elif found["kind"] == "sh" and self.page.name != "cli.md":
            self.carry_out(found["text"])
        elif found["text"].startswith("$ "):
            return f"```{found['kind']}\n{self.screen(found['text'])}```"
        return found.group()

    def follow(self):
        page = OPTIONS.sub(lambda mark: list_options(self.seam, mark[1]), self.page.read_text(encoding="utf-8"))
        return BLOCK.sub(self.block, COMMANDS.sub(lambda _: list_commands(self.seam), page))

    def keep_pictures(self):
        for name in PICTURE.findall(self.page.read_text(encoding="utf-8")):
            made = sorted(self.folder.rglob(pathlib.Path(name).name), key=lambda file: file.stat().st_mtime)
            if made:
                shutil.copyfile(made[-1], self.page.parent / name)


def comparable(page):
    """Returns the words of a page without CPU times, also below "CPU, s", and line breaks after them, which change each time, and
    without round-off and the last digits of numbers of steps, which depend on the machine."""
    words, at = [], None
    page = re.sub(r"\b\d(\.\d+)?e-(0[89]|[1-9]\d+)", lambda tiny: "~" * len(tiny.group()), page)
    page = re.sub(r"\b(\d\d)(\d+) steps", lambda many: many[1] + "~" * len(many[2]) + " steps", page)
    for line in page.splitlines():
        at = line.find("CPU, s") if "CPU, s" in line else None if line.startswith("```") else at
        is_row = at is not None and line[at : at + 1].isdigit()
        words += (line[:at] + line[at:].lstrip("0123456789.e- ") if is_row else line).split()
    return re.sub(r"\b(in |run: |(?=\S+ s, results/))[\d.e+-]+ s\b", r"\1TIME", " ".join(words)).split()


def is_near(one, other):
    """True for numbers whose last digits differ, as by another C library."""
    try:
        return abs(float(one.rstrip(",;:")) / float(other.rstrip(",;:")) - 1) < 1e-5
    except (ValueError, ZeroDivisionError):
        return False


def check(page, should):
    pairs = list(itertools.zip_longest(comparable(page.read_text(encoding="utf-8")), comparable(should), fillvalue=""))
    for i, (is_, wanted) in enumerate(pairs):
        if is_ != wanted and not is_near(is_, wanted):
            about = [" ".join(text) for text in zip(*pairs[max(0, i - 8) : i + 8])]
            print(f"{page}: tools/screens.py SEAM makes another page:\n  {about[0]}\n  {about[1]}", file=sys.stderr)
            return 1
    return 0


def main():
    seam, checks = str(pathlib.Path(sys.argv[1]).resolve()), "--check" in sys.argv[2:]
    wanted = {pathlib.Path(name) for name in sys.argv[2:] if name != "--check"}
    failed = 0
    for pages in PAGES:
        if wanted and wanted.isdisjoint(pages):
            continue
        with tempfile.TemporaryDirectory() as folder:
            if pages[0].parent == TUTORIAL:
                shutil.copytree("examples/tutorial", folder, dirs_exist_ok=True)
            for page in pages:
                reader = Reader(seam, page, folder)
                should = reader.follow()
                if checks:
                    failed |= check(page, should)
                else:
                    page.write_text(should, encoding="utf-8")
                    reader.keep_pictures()
    return failed


if __name__ == "__main__":
    sys.exit(main())
