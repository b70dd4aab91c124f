#!/usr/bin/env python3
"""Uses the page of tools/playground.sh in a headless Chromium: edits, errors, sliders, schemes, links, studies, a phone.
usage: playground.py PAGE FOLDER     (screenshots stay in FOLDER)
Exit status 77: the page or a program is missing, and the test was skipped."""

import base64
import pathlib
import sys
import time
import unittest

import webdriver

PAGE, FOLDER = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
PATIENCE = 120  # s

EDIT = """
const view = document.querySelector(".cm-content").cmTile.view;
const from = view.state.doc.toString().indexOf(arguments[0]);
view.dispatch({changes: {from, to: from + arguments[0].length, insert: arguments[1]}});
"""
ENDED = """
return document.getElementById("stop").hidden && !/Unpacking|Running/.test(document.getElementById("state").textContent);
"""
RING = """
const ring = [...document.querySelectorAll(".rings button")].find((one) => one.title.startsWith(arguments[0]));
const box = ring.getBoundingClientRect();
return [box.x + box.width / 2, box.y + box.height / 2];
"""
HOSTILE = "</script><script>top.pwned = 1</script><img src=x onerror=top.pwned=1>"


class Playground(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        FOLDER.mkdir(parents=True, exist_ok=True)
        cls.browser = webdriver.Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()

    def setUp(self):
        self.browser.show(1400, 900)
        self.visit(f"file://{PAGE}")
        self.end()

    def visit(self, address):
        """Anew: an address that differs by its fragment alone would not load the page again."""
        for one in "about:blank", address:
            self.browser.call("POST", f"{self.browser.session}/url", {"url": one})

    def until(self, script):
        start = time.monotonic()
        while not self.browser.run(script):
            self.assertLess(time.monotonic() - start, PATIENCE, script)
            time.sleep(0.02)

    def end(self):
        time.sleep(0.1)
        self.until(ENDED)

    def text(self, name):
        return self.browser.run("return document.getElementById(arguments[0]).textContent", name)

    def choose(self, name, value):
        self.browser.run("const one = document.getElementById(arguments[0]); one.value = arguments[1];"
                         'one.dispatchEvent(new Event("input")); one.dispatchEvent(new Event("change"));', name, value)
        self.end()

    def test_first_model_moves_whole_and_cut(self):
        self.until('return document.querySelector("iframe.is-shown").contentDocument.getElementById("scrub").value > 0')
        self.assertRegex(self.text("message"), "whole: accurate: .*\ncut: accurate: .* off the undivided run")
        self.assertEqual(self.browser.messages(), [])

    def test_an_error_stands_at_its_line(self):
        self.browser.run(EDIT, "mass: 2", "mas: 2")
        self.end()
        self.assertIn("model.yaml:42:23: error: unknown key 'mas' in body 'bar4'", self.text("message"))
        self.assertEqual(self.browser.run('return document.querySelectorAll(".cm-lint-marker-error").length'), 1)
        self.browser.run(EDIT, "mas: 2", "mass: 2")
        self.end()
        self.assertIn("whole: accurate", self.text("message"))

    def test_sliders_and_schemes_change_the_error(self):
        before = self.text("message")
        self.browser.run('const one = document.querySelector("#sliders input[aria-label=c]"); one.value = 0.5; one.dispatchEvent(new Event("input"))')
        self.end()
        stiffer = self.text("message")
        self.choose("scheme", "fd-k0")
        self.assertIn("cut, fd-k0: ", self.text("message"))
        self.choose("step", "-0.5")
        self.assertEqual(self.text("step-value"), "0.000316 s")
        self.assertEqual(len({before, stiffer, self.text("message")}), 3)

    def schemes(self):
        return self.browser.run('return [...document.getElementById("scheme").options].map((one) => one.value)')

    def test_schemes_that_fit_the_cut_are_listed(self):
        self.assertIn("ff-d-k1", self.schemes())
        self.assertNotIn("ff-index2-k1", self.schemes())
        self.choose("catalogue", "double_pendulum")
        self.assertIn("ff-index2-k1", self.schemes())
        self.assertNotIn("ff-d-k1", self.schemes())

    def model(self):
        return self.browser.run('return document.querySelector(".cm-content").cmTile.view.state.doc.toString()')

    def test_a_place_is_dragged_in_the_picture(self):
        x, y = self.browser.run(RING, "B at [2, 0]")
        self.browser.drag((x, y), (x + 30, y))
        self.end()
        self.assertRegex(self.model(), r"\n  base: 2\.1\d* .*\n")  # B: [base, 0]
        self.assertIn("whole: accurate", self.text("message"))
        self.choose("catalogue", "a new model")
        x, y = self.browser.run(RING, "C at [1, -0.5]")
        self.browser.drag((x, y), (x, y + 30))
        self.end()
        self.assertRegex(self.model(), r"\n  C: \[L, -0\.[67]\d*\]\n")
        self.assertIn("\n  L: 1 ", self.model())

    def test_a_link_holds_the_model(self):
        self.choose("catalogue", "double_pendulum")
        self.browser.run('document.getElementById("link").click()')
        self.until("return location.hash.startsWith('#m=')")
        link = self.browser.run("return location.href")
        self.visit(link)
        self.end()
        self.assertIn("double_pendulum", self.model())

    def test_a_hostile_model_is_text(self):
        self.browser.run(EDIT, "name: four_bar_bushing", f'name: "{HOSTILE.replace("/", "|")}"\nmeasures: {{m: {{expression: 2*bar1.x, unit: "{HOSTILE}"}}}}')
        self.end()
        self.assertEqual(self.browser.run("return window.pwned ?? 0"), 0)
        self.assertIn("whole: accurate", self.text("message"))

    def test_studies_end_and_can_be_stopped(self):
        self.browser.run('document.getElementById("start-study").click()')
        self.end()
        self.assertRegex(self.text("message"), r"ff-k2 .*accurate")
        self.browser.run('document.getElementById("schemes").value = "all"; document.getElementById("start-study").click()')
        self.until('return document.getElementById("state").textContent.includes("%")')
        self.browser.run('document.getElementById("stop").click()')
        self.assertEqual(self.text("state"), "Stopped.")

    def test_screens(self):
        for width, height in ((1400, 900), (390, 844)):
            for dark in (False, True):
                self.browser.show(width, height, dark=dark)
                time.sleep(0.5)
                self.assertLessEqual(self.browser.run("return document.documentElement.scrollWidth"), width)
                png = self.browser.call("GET", f"{self.browser.session}/screenshot")
                (FOLDER / f"{width}{'-dark' if dark else ''}.png").write_bytes(base64.b64decode(png))


if __name__ == "__main__":
    lacking = webdriver.missing()
    if lacking or not PAGE.exists():
        print(f"skipped: {lacking or 'the page'} is missing; tools/playground.sh builds the page")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1], verbosity=2)
