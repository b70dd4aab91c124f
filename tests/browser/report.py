#!/usr/bin/env python3
"""Opens pages of `seam report` in a headless Chromium: they say no error, move as the trajectory does, and respond.
usage: report.py SEAM FOLDER     (pages and screenshots stay in FOLDER)
Exit status 77: a program is missing, and the test was skipped."""

import csv
import math
import pathlib
import shutil
import subprocess
import sys
import time
import unittest

import webdriver

SEAM, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2])


def seam(*arguments, status=0):
    done = subprocess.run([SEAM, *arguments, "--quiet"], cwd=FOLDER, capture_output=True, text=True)
    assert done.returncode == status, done.stderr


def table(path):
    with open(FOLDER / path, newline="") as file:
        return [{name: float(value) for name, value in row.items()} for row in csv.DictReader(file)]


def between(rows, share):
    """The middle of two rows: the page interpolates linearly."""
    first = round(share * (len(rows) - 2))
    return {name: (rows[first][name] + rows[first + 1][name]) / 2 for name in rows[first]}


# Where the page shows the place (x, y) of a body, in pixels: through the shape that is fixed to it.
PLACE = """
const [owner, x, y] = arguments;
const shapes = [...document.querySelectorAll("#mechanism g:not(.is-ghost) > path.link")];
const path = shapes.find((shape) => shape.querySelector("title").textContent === owner);
const point = new DOMPoint(x, y).matrixTransform(path.getScreenCTM());
return [point.x, point.y];
"""

# Where the world's point (x, y) is, in pixels, by the layer that does not move.
WORLD = """
const point = new DOMPoint(...arguments).matrixTransform(document.querySelector("#mechanism .trails").getScreenCTM());
return [point.x, point.y];
"""

SET_TIME = """
const scrub = document.getElementById("scrub");
scrub.value = arguments[0];
scrub.dispatchEvent(new Event("input"));
return Number(scrub.value);
"""

# Labels of the time axis of the first plot, from left to right.
TIMES = """
return [...document.querySelectorAll(".plot")[arguments[0]].querySelectorAll(".dygraph-axis-label-x")]
  .map((label) => Number(label.textContent.replace("\\u2212", "-")));
"""

AREA = """
const box = document.querySelectorAll(".plot")[arguments[0]].querySelector("canvas").getBoundingClientRect();
return [box.left, box.top, box.width, box.height];
"""

CLOCK = 'return document.getElementById("clock").textContent'
PLAYS = 'return document.getElementById("play").getAttribute("aria-pressed")'

# Contrast (WCAG 2.1) of the text of elements against the nearest background.
CONTRAST = """
const parts = (text) => text.match(/[\\d.]+/g).map(Number);
const light = (text) => parts(text).slice(0, 3).map((v) => v / 255)
  .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)).reduce((sum, v, i) => sum + [0.2126, 0.7152, 0.0722][i] * v, 0);
const ground = (node) => {
  const colour = getComputedStyle(node).backgroundColor;
  return (parts(colour)[3] ?? 1) > 0 || !node.parentElement ? colour : ground(node.parentElement);
};
return [...document.querySelectorAll("h1, h2, h3, p, td, th, label, a, button, .badge, figcaption, pre")]
  .filter((node) => node.offsetParent && node.textContent.trim())
  .map((node) => {
    const [a, b] = [light(getComputedStyle(node).color), light(ground(node))];
    return [(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), node.tagName, node.className, node.textContent.trim().slice(0, 30)];
  }).sort((one, other) => one[0] - other[0])[0];
"""


class Pages(unittest.TestCase):
    """The page of the four-bar, whole and cut."""

    @classmethod
    def setUpClass(cls):
        shutil.rmtree(FOLDER, ignore_errors=True)
        FOLDER.mkdir(parents=True)
        seam("report", "four_bar_bushing", "-o", "four_bar.html")
        cls.browser = webdriver.Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()

    def load(self, page="four_bar.html", **how):
        self.browser.show(how.pop("width", 1400), how.pop("height", 1000), **how)
        self.browser.messages()
        return self.browser.open(FOLDER / page)

    def expect_silence(self):
        self.assertEqual(self.browser.messages(), [])

    def expect_tips(self, row):
        """The ends of the bars, within half a pixel."""
        self.browser.run(SET_TIME, row["time"])
        for body, half in (("bar1", 0.5), ("bar3", 0.5), ("bar4", 1.0)):
            angle = row[f"{body}.phi"]
            tip = (row[f"{body}.x"] + half * math.cos(angle), row[f"{body}.y"] + half * math.sin(angle))
            drawn, wanted = self.browser.run(PLACE, body, half, 0), self.browser.run(WORLD, *tip)
            self.assertLess(math.dist(drawn, wanted), 0.5, f"{body} at t = {row['time']} s")

    def test_points_follow_the_trajectory(self):
        self.load()
        rows = table("results/four_bar_bushing/report/ff-k1/trajectory.csv")
        for share in (0.0, 0.237, 0.5, 0.9):
            self.expect_tips(rows[round(share * (len(rows) - 1))])
            self.expect_tips(between(rows, share))
        unit = math.dist(self.browser.run(WORLD, 0, 0), self.browser.run(WORLD, 1, 0))
        self.assertGreater(unit, 100, "so that half a pixel means something")
        self.expect_silence()

    def test_world_is_upright(self):
        """x to the right, y up, one scale."""
        self.load()
        origin, right, up = (self.browser.run(WORLD, *point) for point in ((0, 0), (1, 0), (0, 1)))
        self.assertGreater(right[0], origin[0])
        self.assertLess(up[1], origin[1])
        self.assertAlmostEqual(right[0] - origin[0], origin[1] - up[1], places=3)

    def test_keys_move_the_cursor(self):
        self.load()
        self.browser.press("End")
        self.assertEqual(self.browser.run(CLOCK), "t = 10.00 s")
        self.browser.press("ArrowLeft")
        self.assertEqual(self.browser.run(CLOCK), "t = 9.95 s")
        self.browser.press("ArrowLeft", shift=True)
        self.assertEqual(self.browser.run(CLOCK), "t = 9.45 s")
        self.browser.press("Home")
        self.assertEqual(self.browser.run(CLOCK), "t = 0.00 s")
        self.browser.press(" ")
        self.assertEqual(self.browser.run(PLAYS), "true")
        time.sleep(1.0)
        self.browser.press(" ")
        self.assertEqual(self.browser.run(PLAYS), "false")
        reached = float(self.browser.run(CLOCK).split()[2])
        self.assertTrue(0.4 < reached < 3.0, f"a second at speed 1 reached {reached} s")
        self.expect_silence()

    def test_every_control_can_be_reached_and_has_a_name(self):
        self.load()
        nameless = self.browser.run("""
            return [...document.querySelectorAll("button, select, input, a, [role=img]")].filter((node) =>
              !(node.getAttribute("aria-label") || node.textContent.trim() || node.labels?.[0]?.textContent.trim()) && node.offsetParent)
              .map((node) => node.outerHTML)""")
        self.assertEqual(nameless, [])
        seen = set()
        for _ in range(12):
            self.browser.press("Tab")
            seen.add(self.browser.run("""
                const node = document.activeElement;
                return [node.id || node.textContent, getComputedStyle(node).outlineStyle].join(" ")"""))
        self.assertTrue(all(not entry.endswith(" none") for entry in seen), seen)
        self.assertTrue(any(entry.startswith("play") for entry in seen), seen)

    def test_events_are_marked_on_the_time_line_and_in_plots(self):
        seam("run", "motor_slider_crank", "--set", 'events={turn: "crank.phi > 7", strong: "crank.omega > 45"}', "-o", "events")
        seam("report", "events", "-o", "events.html")
        self.load("events.html")
        with open(FOLDER / "events/events.csv", newline="") as file:
            events = [(row["event"], float(row["time"])) for row in csv.DictReader(file)]
        marks = self.browser.run("""
const scrub = document.getElementById("scrub").getBoundingClientRect();
return [...document.querySelectorAll(".mark")].map((mark) => {
  const box = mark.getBoundingClientRect();
  mark.click();
  return [mark.title.split(",")[0], (box.left + box.width / 2 - scrub.left - 8) / (scrub.width - 16), Number(document.getElementById("scrub").value)];
});
""")
        self.assertEqual([mark[0] for mark in marks], [name for name, _ in events])
        for (_, place, reached), (_, moment) in zip(marks, events):
            self.assertAlmostEqual(place, moment / 1.0, delta=0.003)
            self.assertAlmostEqual(reached, moment, delta=1e-6)
        names = self.browser.run("""
const pen = CanvasRenderingContext2D.prototype;
const write = pen.fillText;
const seen = [];
pen.fillText = function (...values) { seen.push(values[0]); write.apply(this, values); };
document.getElementById("ghost").dispatchEvent(new Event("change"));
pen.fillText = write;
return [seen, document.querySelectorAll(".plot").length];
""")
        self.assertEqual(sorted(names[0]), sorted(list({name for name, _ in events}) * names[1]))
        self.browser.picture(FOLDER / "events.png")
        self.expect_silence()

    def test_trails_are_those_that_the_reader_chooses(self):
        self.load()
        drawn = 'return [...document.querySelectorAll("#mechanism .trail title")].map((title) => title.textContent)'
        listed = 'return [...document.querySelectorAll("#ways label")].map((label) => label.textContent.trim())'
        names = self.browser.run(listed)
        self.assertEqual(names, ["P", "Q", "M at bar2", "M at bar3", *(f"centre of bar{i}" for i in (1, 2, 3, 4))])
        self.browser.run('for (const box of document.querySelectorAll("#ways input")) if (box.checked) box.click()')
        self.assertEqual(self.browser.run(drawn), [])
        self.browser.run('document.querySelectorAll("#ways input")[7].click()')
        self.assertEqual(self.browser.run(drawn), ["centre of bar4"])
        row = table("results/four_bar_bushing/report/ff-k1/trajectory.csv")[400]
        self.browser.run(SET_TIME, row["time"])
        last = self.browser.run('return document.querySelector("#mechanism .trail").getAttribute("d").split("L").at(-1).split(" ").map(Number)')
        self.assertLess(math.dist(last, (row["bar4.x"], row["bar4.y"])), 1e-5, "the trail ends at the body")
        self.browser.run('const run = document.getElementById("shown"); run.value = 0; run.dispatchEvent(new Event("change"))')
        self.assertEqual(self.browser.run(drawn), ["centre of bar4"], "another run keeps the choice")
        self.expect_silence()

    def test_plots_respond_to_a_drag_and_are_linked(self):
        self.load()
        self.browser.run('document.querySelectorAll(".plot")[0].scrollIntoView({block: "center", behavior: "instant"})')
        before = self.browser.run(TIMES, 1)
        left, top, width, height = self.browser.run(AREA, 0)
        self.browser.drag((left + 0.4 * width, top + 0.4 * height), (left + 0.6 * width, top + 0.42 * height))
        time.sleep(0.2)
        for plot in (0, 1, 2):
            times = self.browser.run(TIMES, plot)
            self.assertLess(max(times) - min(times), 0.5 * (max(before) - min(before)), f"plot {plot} follows")
        self.browser.picture(FOLDER / "zoomed.png", whole=False)
        self.browser.run('document.getElementById("zoom-all").click()')
        self.assertEqual(self.browser.run(TIMES, 1), before)
        self.expect_silence()

    def test_values_under_the_cursor_are_those_of_the_table(self):
        self.load()
        rows = table("results/four_bar_bushing/report/ff-k1/trajectory.csv")
        shown = """
            return [...document.querySelector(".series tbody").rows].map((row) => [row.cells[0].textContent, row.cells[2].textContent])"""
        for row in (rows[321], between(rows, 0.321)):
            self.browser.run(SET_TIME, row["time"])
            for name, text in self.browser.run(shown):
                value = row[f"energy.{name}"]
                self.assertAlmostEqual(float(text.replace("\u2212", "-")), value, delta=2e-5 * abs(value), msg=name)

    def test_curves_can_be_hidden(self):
        self.load()
        pressed = 'return [...document.querySelectorAll(".series button")].map((button) => button.getAttribute("aria-pressed")).slice(0, 4)'
        self.browser.run('document.querySelectorAll(".series button")[2].click()')
        self.assertEqual(self.browser.run(pressed), ["true", "true", "false", "true"])
        self.expect_silence()

    def test_it_is_readable_in_light_and_dark_on_a_phone_and_on_paper(self):
        looks = {"light": {}, "dark": {"dark": True}, "phone": {"width": 390, "height": 844},
                 "phone_dark": {"width": 390, "height": 844, "dark": True}, "paper": {"width": 794, "media": "print"}}
        for name, how in looks.items():
            self.load(**how)
            self.browser.run(SET_TIME, 2.37)
            time.sleep(0.3)
            least = self.browser.run(CONTRAST)
            self.assertGreater(least[0], 4.5, f"{name}: {least}")
            over = self.browser.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
            self.assertLessEqual(over, 0, f"{name} is wider than its screen")
            self.browser.picture(FOLDER / f"{name}.png")
            self.expect_silence()
        self.browser.paper(FOLDER / "paper.pdf")

    def test_without_motion_where_that_is_asked_for(self):
        self.load(reduced=True)
        self.assertEqual(self.browser.run('return getComputedStyle(document.documentElement).scrollBehavior'), "auto")
        self.assertEqual(self.browser.run(PLAYS), "false", "nothing moves by itself")

    def test_a_million_rows_open_soon(self):
        seam("run", "four_bar_bushing", "--output-step", "1e-5", "--format", "npy", "-o", "million")
        start = time.monotonic()
        seam("report", "million", "-o", "million.html")
        made = time.monotonic() - start
        shutil.rmtree(FOLDER / "million")
        opened = self.load("million.html")
        size = (FOLDER / "million.html").stat().st_size
        print(f"1e6 rows: made in {made:.2f} s, {size / 1e6:.2f} MB, opened in {opened:.2f} s")
        self.assertLess(size, 6e6)
        self.assertIn("1000001 rows are shown", self.browser.run('return document.getElementById("motion-caption").textContent'))
        self.browser.run(SET_TIME, 5)
        self.browser.picture(FOLDER / "million.png")
        self.expect_silence()

    def test_all_models_open_silently(self):
        for model in ("hydraulic_crane", "pendulum_chain", "quarter_car", "quarter_car_signals_1", "slider_crank", "squeezer",
                      "two_mass_oscillator"):
            seam("report", model, "-o", f"{model}.html", status=3 if model == "hydraulic_crane" else 0)  # as the paper has it
            self.load(f"{model}.html")
            if self.browser.run('return !document.getElementById("motion").hidden'):
                self.browser.run(SET_TIME, 0.3)
            self.browser.picture(FOLDER / f"{model}.png", whole=False)
            self.expect_silence()

    def test_a_run_that_goes_astray_leaves_the_picture(self):
        seam("report", "two_mass_oscillator", "--set", "name=astray", "--set", "cosim.macro_step=0.05", "--set", "cosim.scheme=ff-k1-explicit",
             "-o", "astray.html", status=1)
        self.load("astray.html")
        self.assertIn("on it leaves the picture.", self.browser.run('return document.getElementById("motion-caption").textContent'))
        hidden = 'return [...document.querySelectorAll(".series")].filter((one) => !one.querySelector("thead [aria-pressed=true]")).length'
        self.assertEqual(self.browser.run(hidden), 0, "a plot is empty")
        self.expect_silence()

    def test_values_of_four_runs_fit_beside_each_other(self):
        seam("report", "four_bar_bushing", "--set", "name=four", "--schemes", "ff-k0,ff-k1,ff-d-k1", "--end", "1", "-o", "four.html")
        self.load("four.html", width=1280)
        self.browser.run(SET_TIME, 0.93)
        over = 'return Math.max(...[...document.querySelectorAll(".series")].map((one) => one.scrollWidth - one.clientWidth))'
        self.assertLessEqual(self.browser.run(over), 0)
        self.expect_silence()

    def test_a_comparison_opens_silently(self):
        seam("compare", "four_bar_bushing", "--schemes", "ff-k0,ff-k1,ff-k2-explicit", "--macro-step", "0.02", "--end", "2",
             "--report", "-o", "compared")
        self.load("compared/report.html")
        self.browser.run(SET_TIME, 1)
        self.browser.picture(FOLDER / "compared.png")
        self.expect_silence()

    def test_a_study_without_runs_opens_silently(self):
        seam("stability", "model", "two_mass_oscillator", "--schemes", "ff-k1", "--report", "-o", "limits")
        self.load("limits/report.html")
        self.expect_silence()


if __name__ == "__main__":
    lacking = webdriver.missing()
    if lacking:
        print(f"skipped: browser.report ({lacking})")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1], verbosity=2)
