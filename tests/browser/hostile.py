#!/usr/bin/env python3
"""Opens reports whose names and texts are markup and scripts in a headless Chromium: they are shown, and none runs.
usage: hostile.py SEAM FOLDER     (pages stay in FOLDER)
Exit status 77: a program is missing, and the test was skipped."""

import csv
import json
import pathlib
import shutil
import subprocess
import sys
import unittest

import webdriver

SEAM, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2])

RUNS = "window.pwned=1"
MARKUP = [f"<img src=x onerror={RUNS}>", f"</script><script>{RUNS}</script>", f"<svg onload={RUNS}>", f"\"><img src=x onerror={RUNS}>",
          f"' onmouseover={RUNS} '", f"<!--<script>{RUNS}</script>", f"<iframe srcdoc=\"<script>parent.{RUNS}</script>\">"]

MODEL = """seam: 1
bodies: {b: {mass: 1, inertia: 1, at: [0, 0], velocity: [1, 0]}}
measures: {m: {expression: 2*b.x, unit: %s}}
events: {passes: b.x > 0.05}
simulate: {end: 0.1, output_step: 0.01}
"""

STATE = """
return [window.pwned ?? 0, document.querySelectorAll("img, iframe, script:not([nonce]):not([type])").length,
  document.querySelectorAll(".dygraph-ylabel").length, [...document.querySelectorAll("[onerror], [onload], [onmouseover]")].length];
"""


def seam(*arguments):
    done = subprocess.run([SEAM, *arguments, "--quiet"], cwd=FOLDER, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def spoil(node, markup, key=""):
    """All texts of a summary but those that say how to read it."""
    if isinstance(node, dict):
        return {name: node[name] if name in ("model", "status") else spoil(node[name], markup, name) for name in node}
    if isinstance(node, list):
        return [spoil(entry, markup, key) for entry in node]
    return markup if isinstance(node, str) and key not in ("element", "quantity") else node


def rename(folder, old, new):
    """A column, in the table and in its summary."""
    path = folder / "trajectory.csv"
    with path.open(newline="") as file:
        head, *rows = csv.reader(file)
    with path.open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([[new if name == old else name for name in head], *rows])
    summary = json.loads((folder / "summary.json").read_text())
    columns = summary["columns"]["trajectory"]
    summary["columns"]["trajectory"] = {new if name == old else name: columns[name] for name in columns}
    (folder / "summary.json").write_text(json.dumps(summary))


class Hostile(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(FOLDER, ignore_errors=True)
        FOLDER.mkdir(parents=True)
        cls.browser = webdriver.Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()

    def expect_harmless(self, page):
        self.browser.messages()
        self.browser.open(FOLDER / page)
        pwned, foreign, labels, handlers = self.browser.run(STATE)
        self.assertEqual((pwned, foreign, handlers), (0, 0, 0), page)
        self.assertGreater(labels, 0, "the page has plots")
        self.assertEqual(self.browser.messages(), [])

    def test_texts_of_a_model_are_texts(self):
        for i, markup in enumerate(MARKUP):
            (FOLDER / "m.yaml").write_text(MODEL % json.dumps(markup) + f"name: {json.dumps(markup.replace('/', '|'))}\n")
            seam("run", "m.yaml", "-o", f"unit{i}")
            seam("report", f"unit{i}", "-o", f"unit{i}.html")
            self.expect_harmless(f"unit{i}.html")
            shown = self.browser.run('return [...document.querySelectorAll(".dygraph-ylabel")].map((label) => label.textContent)')
            self.assertIn(markup, shown)

    def test_texts_of_results_are_texts(self):
        (FOLDER / "m.yaml").write_text(MODEL % "m")
        for i, markup in enumerate(MARKUP):
            folder = FOLDER / f"results{i}"
            seam("run", "m.yaml", "-o", folder.name)
            summary = json.loads((folder / "summary.json").read_text())
            (folder / "summary.json").write_text(json.dumps(spoil(summary, markup)))
            rename(folder, "m", markup)
            seam("report", folder.name, "-o", f"results{i}.html")
            self.expect_harmless(f"results{i}.html")

    def test_folders_have_names(self):
        (FOLDER / "m.yaml").write_text(MODEL % "m")
        names = [f"<img src=x onerror={RUNS}>", f"a'\"><svg onload={RUNS}>"]
        for name in names:
            seam("run", "m.yaml", "-o", name)
        seam("report", *[f"./{name}" for name in names], "-o", "folders.html")
        self.expect_harmless("folders.html")

    def test_what_came_into_the_page_does_not_run(self):
        """The policy of the page holds, whatever was not escaped."""
        (FOLDER / "m.yaml").write_text(MODEL % "m")
        seam("report", "m.yaml", "-o", "page.html")
        text = (FOLDER / "page.html").read_text()
        (FOLDER / "page.html").write_text(text.replace("<main>", "<main>" + "".join(MARKUP[:3]), 1))
        self.browser.messages()
        self.browser.open(FOLDER / "page.html")
        self.assertEqual(self.browser.run("return window.pwned ?? 0"), 0)
        self.assertTrue(any("Content Security Policy" in message for message in self.browser.messages()))


if __name__ == "__main__":
    lacking = webdriver.missing()
    if lacking:
        print(f"skipped: the packages {lacking} are missing (apt-get install {lacking})")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1], verbosity=2)
