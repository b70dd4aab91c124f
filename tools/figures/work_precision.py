#!/usr/bin/env python3
"""Measures and draws the work-precision diagrams of docs/collocation-study.md.

tools/figures/work_precision.py measure SEAM CSV [CASE...]    runs the command SEAM for some minutes
tools/figures/work_precision.py draw [CSV] [DIR]      default docs/figures/work_precision.csv and docs/figures
tools/figures/work_precision.py table [CSV]           the cheapest schemes

The error is the largest of all positions and angles, m and rad, at macro points against a monolithic run; the price CPU time.
"""
import csv
import json
import math
import os
import subprocess
import sys
import tempfile

from diagram import BLACK, BLUE, GREEN, GREY, ORANGE, PURPLE, RED, SKY, Panel, decades, draw, line

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "figures")
ROWS = 20
AT_FORCES = ["ff-k2", "ff-d-k2", "ff-i-k2", "fd-k2"]
AT_JOINTS = ["ff-index2-k1", "ff-index2-k2", "ff-index1-k1", "ff-index1-k2", "ff-baumgarte-k1", "ff-projection-k1", "ff-weighted-k1"]
STAGES = [f"ff-colloc-s{s}" for s in range(1, 6)]
CASES = {
    "bushing_1e3": ("Four-bar, bushing 1e3", "four_bar_bushing", ["parameters.c=1e3"], 5, AT_FORCES),
    "bushing_1e6": ("Four-bar, bushing 1e6", "four_bar_bushing", ["parameters.c=1e6"], 3, AT_FORCES),
    "fixed": ("Four-bar, fixed joint", "four_bar_fixed", [], 5, AT_JOINTS),
    "pendulum": ("Double pendulum", "double_pendulum", [], 3, AT_JOINTS),
    "chain": ("Chain of ten rods in two halves", "pendulum_chain", [], 1, AT_JOINTS),
    "squeezer": ("Squeezer, cut at J24 and J26", "squeezer", [], 0.03, AT_JOINTS),
}
DIVISIONS = [200, 80, 30, 12, 5, 2, 1]
TOLERANCES = [10.0**-k for k in range(3, 12, 2)]


class Runs:
    def __init__(self, seam, directory, model, overrides, end):
        self.command, self.directory, self.end = [seam, "run", model], directory, end
        self.overrides = overrides

    def run(self, settings, end, *arguments):
        """Returns rows of positions, and CPU time in s; None: the run fails or takes too long."""
        command = self.command + list(arguments) + ["--quiet", "-o", self.directory, "--end", repr(end)]
        for setting in self.overrides + settings + [f"simulate.output_step={end / ROWS!r}"]:
            command += ["--set", setting]
        try:
            done = subprocess.run(command, capture_output=True, timeout=0.7 if arguments else 60)
        except subprocess.TimeoutExpired:
            return None
        if done.returncode not in (0, 3):
            return None
        with open(os.path.join(self.directory, "summary.json"), encoding="utf-8") as file:
            seconds = json.load(file)["statistics"]["cpu_s"]
        with open(os.path.join(self.directory, "trajectory.csv"), encoding="utf-8") as file:
            rows = list(csv.reader(file))
        columns = [i for i, name in enumerate(rows[0]) if name.endswith((".x", ".y", ".phi"))]
        return [[float(row[i]) for i in columns] for row in rows[1:]], seconds

    def reference(self):
        method = ["simulate.integrator=radau"] if "1e6" in str(self.overrides) else []
        return self.run(method + ["simulate.rtol=1e-12", "simulate.atol=1e-12"], self.end)[0]

    def cosimulate(self, scheme, settings, end):
        return self.run([f"cosim.scheme={scheme}"] + settings, end, "--cosim")


def distance(rows, exact):
    return max(abs(a - b) for row, right in zip(rows, exact) for a, b in zip(row, right))


def fixed(runs, exact, scheme):
    """Yields (macro step, error, s) of some settings of the subsystems, until two macro steps fail; rows are macro points."""
    n_failed = 0
    for n in DIVISIONS:
        if n_failed == 2:
            return
        n_failed += 1
        step = runs.end / ROWS / n
        subsystems = [["cosim.order=8", f"cosim.rtol={t}", f"cosim.atol={t}"] for t in ("1e-8", "1e-11")]
        if "colloc" not in scheme:
            subsystems.append(["cosim.order=4", f"cosim.micro_step={step!r}"])
        for settings in subsystems:
            found = runs.cosimulate(scheme, [f"cosim.macro_step={step!r}"] + settings, runs.end)
            if found is not None and len(found[0]) == len(exact):
                n_failed = 0
                yield step, distance(found[0], exact), found[1]


def controlled(runs, exact, scheme):
    """Yields (tolerance, error, s); the error is that at the ends of two runs, which are macro points."""
    for tolerance in TOLERANCES:
        control = f"{{method: error, tolerance: {tolerance}, longest: {runs.end / 20!r}}}"
        settings = [f"cosim.macro_step={runs.end / 1000!r}", f"cosim.step_control={control}", "cosim.order=8"]
        parts = [runs.cosimulate(scheme, settings, runs.end * k / 2) for k in (1, 2)]
        if None not in parts:
            error = max(distance(part[0][-1:], [exact[k * ROWS // 2]]) for k, part in enumerate(parts, start=1))
            yield tolerance, error, parts[-1][1]


def measure(seam, name, cases):
    with tempfile.TemporaryDirectory() as directory, open(name, "w", encoding="utf-8") as file:
        file.write("case,scheme,control,setting,error,cpu_ms\n")
        for case in cases or CASES:
            _, model, overrides, end, others = CASES[case]
            runs = Runs(seam, directory, model, overrides, end)
            exact = runs.reference()
            jobs = [(scheme, "fixed", fixed) for scheme in others + STAGES + ["fd-colloc-s3", "dd-colloc-s3"]]
            jobs += [(scheme, "tolerance", controlled) for scheme in STAGES]
            for scheme, control, series in jobs:
                for setting, error, seconds in series(runs, exact, scheme):
                    if error < 1:
                        file.write(f"{case},{scheme},{control},{setting:.3g},{error:.2e},{1e3 * seconds:.3g}\n")
                file.flush()


def read(name):
    """Returns for each series (case, scheme, control) the (error, ms) that no other betters in both, accurate ones last."""
    series = {}
    with open(name, encoding="utf-8") as file:
        for row in csv.DictReader(file):
            series.setdefault((row["case"], row["scheme"], row["control"]), []).append((float(row["error"]), float(row["cpu_ms"])))
    for key, points in series.items():
        best = []
        for error, ms in sorted(points):
            if not best or ms < best[-1][1]:
                best.append((max(error, 1e-12), ms))
        series[key] = best[::-1]
    return series


def label(scheme):
    return scheme.replace("ff-colloc-", "") if scheme.startswith("ff-colloc") else scheme


MARKS = {"s1": 7, "s2": 5, "s3": 9, "s4": 13, "s5": 11}
OTHERS = [(RED, 1, 6), (GREEN, "(12,5)", 4), (PURPLE, "(3,3)", 8), (ORANGE, "(14,4,3,4)", 12), (SKY, "(22,5)", 10), (BLACK, "(6,3)", 6),
          (GREEN, 1, 7), (PURPLE, 1, 5), (BLACK, "(3,6)", 9)]
LARGEST, LEAST = 0.1, 1e-11


def inside(points):
    return [(error, ms) for error, ms in points if LEAST <= error <= LARGEST]


def draw_case(case, series, directory):
    """Draws collocation on the left, its cheapest points as a grey line behind the other schemes on the right."""
    mine = {key[1:]: inside(points) for key, points in series.items() if key[0] == case}
    y_range = decades([ms for points in mine.values() for _, ms in points], 1)
    x_label = "error of positions and angles / m, rad"
    panels = [Panel(title, x_label, "CPU time / ms", (LARGEST, LEAST), y_range, legend)
              for title, legend in (("collocation (ff)", "left top maxrows 5"), ("other schemes, fixed step", "left top maxrows 5"))]
    cheapest_of_all = {}
    for (scheme, control), points in mine.items():
        if not scheme.startswith("ff-colloc"):
            continue
        name = label(scheme)
        is_fixed = control == "fixed"
        panels[0].add(f"{name}, {'fixed step' if is_fixed else 'tolerance'}", points, line(BLUE if is_fixed else RED, 1 if is_fixed else "(9,4)", MARKS[name]))
        for error, ms in points:
            cheapest_of_all[error] = min(ms, cheapest_of_all.get(error, ms))
    best = []
    for error, ms in sorted(cheapest_of_all.items()):
        if not best or ms < best[-1][1]:
            best.append((error, ms))
    panels[1].add("cheapest collocation", best[::-1], line(GREY, 1, None, 4))
    styles = iter(OTHERS)
    for (scheme, _), points in mine.items():
        if not scheme.startswith("ff-colloc") and points:
            panels[1].add(scheme, points, line(*next(styles)))
    draw(os.path.join(directory, f"work_precision_{case}.svg"), CASES[case][0], panels, 17, 9.5)


def price(points, error):
    """Returns ms, by powers between points; None: the series does not reach the error."""
    before = None
    for at, ms in points:
        if at <= error:
            if before is None:
                return ms
            part = math.log(before[0] / error) / math.log(before[0] / at)
            return before[1] * (ms / before[1]) ** part
        before = (at, ms)
    return None


def cheapest(series, case, error, is_kind):
    found = [(price(points, error), scheme, control) for (name, scheme, control), points in series.items() if name == case and is_kind(scheme)]
    found = sorted(entry for entry in found if entry[0] is not None)
    if not found:
        return "none"
    ms, scheme, control = found[0]
    return f"`{scheme}`{', tolerance' if control == 'tolerance' else ''}: {ms:.2g} ms"


def print_table(series):
    print("| mechanism | error | cheapest collocation | cheapest of the others |\n| --- | --- | --- | --- |")
    for case in CASES:
        for error in (1e-4, 1e-6, 1e-8):
            kinds = [cheapest(series, case, error, lambda scheme, own=own: ("colloc" in scheme) == own) for own in (True, False)]
            print(f"| {CASES[case][0]} | {error:.0e} | {kinds[0]} | {kinds[1]} |")


def main():
    arguments = sys.argv[2:]
    stored = os.path.join(HERE, "work_precision.csv")
    if sys.argv[1] == "measure":
        measure(arguments[0], arguments[1], arguments[2:])
        return
    series = read(arguments[0] if arguments else stored)
    if sys.argv[1] == "table":
        print_table(series)
        return
    directory = arguments[1] if len(arguments) > 1 else HERE
    for case in CASES:
        draw_case(case, series, directory)


if __name__ == "__main__":
    main()
