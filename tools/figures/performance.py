#!/usr/bin/env python3
"""Draws the figures of docs/performance.md and renews its tables: tools/figures/performance.py [DIR], default docs.

DIR/figures/performance.csv comes from tools/bench.sh; performance_7bbb34f.csv from the same benchmarks in a tree of commit 7bbb34f.
"""
import csv
import math
import os
import re
import sys

from diagram import BLACK, BLUE, GREEN, GREY, RED, SKY, Panel, decades, draw, line
from figures import Figure

CASES = {
    "four_bar_rigid": "Rigid four-bar, 10 s",
    "four_bar_bushing": "Four-bar with bushing, 10 s",
    "chain_10": "Chain of 10 rods, 1 s",
    "chain_100": "Chain of 100 rods, 1 s",
    "chain_1000": "Chain of 1000 rods, 0.2 s",
}
PEER_CASES = {
    "double_pendulum": "Double pendulum, 3 s",
    **{case: title for case, title in CASES.items() if case != "four_bar_rigid"},
}
PEERS = ("by hand, order 8", "by hand, CVODE", "MuJoCo, RK4", "Simbody")
ERRORS = (1e-4, 1e-6, 1e-8)
METHODS = {
    "erk 4": line(BLUE, "(3,3)", 7),
    "erk 5": line(BLUE, "(12,5)", 5),
    "erk 8": line(BLUE, 1, 9),
    "rk4": line(BLACK, 1, 13),
}
EARLIER, ABSOLUTE, MINIMAL = "Seam 7bbb34f", "EXUDYN absolute", "EXUDYN minimal"
OTHERS = {EARLIER: line(GREY, "(12,5)", 7), ABSOLUTE: line(GREEN, "(12,5)", 4), MINIMAL: line(RED, "(12,5)", 6)}
LOOPS = {"four_bars": "four-bars in series", "grid": "grid of squares, a side", "hub": "hub with pendulums"}
BODIES = {"chain": lambda n: n, "four_bars": lambda n: 2 * n + 1, "grid": lambda n: 2 * n * (n + 1), "hub": lambda n: n + 1}


class Results:
    """Spreads (median, least, most) by (case, quantity, series), each a dictionary over x."""

    def __init__(self, name):
        self.found, self.head = {}, []
        with open(name, encoding="utf-8") as file:
            lines = file.read().splitlines()
        self.head = [line[2:] for line in lines if line.startswith("#")]
        for row in csv.DictReader(line for line in lines if not line.startswith("#")):
            key = (row["case"], row["quantity"], row["series"])
            spread = tuple(float(row[name]) for name in ("median", "least", "most"))
            self.found.setdefault(key, {})[float(row["x"])] = spread

    def over(self, case, quantity, series):
        return self.found.get((case, quantity, series), {})

    def at(self, case, quantity, series, x):
        return self.over(case, quantity, series).get(x)

    def series(self, case, quantity):
        return [key[2] for key in self.found if key[:2] == (case, quantity)]


def short(value):
    """Returns three digits, without an exponent."""
    digits = max(0, 2 - math.floor(math.log10(abs(value)))) if value else 0
    return f"{float(f'{value:.3g}'):.{digits}f}"


def best_of(points):
    """Returns the points that no other betters in both, accurate ones last."""
    best = []
    for error, cost in sorted(points):
        if not best or cost < best[-1][1]:
            best.append((error, cost))
    return best[::-1]


def precision(case, now, then, directory):
    curves = {s: [(e, t[0]) for e, t in now.over(case, "setting", s).items() if 1e-11 <= e <= 0.1] for s in METHODS}
    curves.update({s: [(e, t[0]) for e, t in now.over(case, "run", s).items()] for s in (ABSOLUTE, MINIMAL)})
    curves[EARLIER] = [(e, t[0]) for e, t in then.over(case, "run", "Seam").items()]
    costs = [cost for points in curves.values() for _, cost in points]
    panel = Panel("", "error of positions at the end / m", "CPU time / U", (0.1, 1e-11), decades(costs, 1), "left top maxrows 3")
    for series, points in curves.items():
        panel.add(series, best_of(points), {**METHODS, **OTHERS}[series])
    draw(os.path.join(directory, f"performance_{case}.svg"), CASES[case], [panel])


def a_body(results, case, quantity, series, evaluations=1):
    """Returns (bodies, multiple of the limit code's cost of a body, U/1000)."""
    points = results.over(case, quantity, series)
    return [(BODIES[case](n), 1000 * points[n][0] / BODIES[case](n) / evaluations) for n in sorted(points)]


def scaling(now, then, directory):
    panel = Panel("", "number of bodies", "CPU time a body / 10^{-3} U", (10, 1e5), (0.1, 1e6), "left top maxrows 5")
    words = {"chain": ("chain", BLUE, 7), "four_bars": ("four-bars", BLACK, 5), "grid": ("grid", GREEN, 9), "hub": ("hub", RED, 13)}
    for results, dash in ((now, 1), (then, "(12,5)")):
        for case, (name, colour, mark) in words.items():
            panel.add(name + ("" if dash == 1 else ", 7bbb34f"), a_body(results, case, "evaluation", "Seam"), line(colour, dash, mark))
    panel.add("chain, in rk4", a_body(now, "chain", "rk4 step", "Seam", 4), line(SKY, "(3,3)", 6))
    panel.add("limit code, in rk4", a_body(now, "chain", "rk4 step", "limit", 4), line(GREY, "(3,3)", 4))
    draw(os.path.join(directory, "performance_scaling.svg"), "An evaluation; the limit code takes 10^{-3} U a body", [panel])


def stages(now):
    """Draws the stages of a chain of 1000, in multiples of the limit code's evaluation."""
    limit = now.at("chain", "stage", "limit code", 1000)[0]
    bars = [(name, now.at("chain", "stage", name, 1000)[0] / limit) for name in now.series("chain", "stage")]
    left, right = 260, 690
    scale = (right - left) / max(length for _, length in bars)
    f = Figure(760, 70 + 32 * len(bars), "Where the time of an evaluation goes")
    f.text(30, 32, "An evaluation of a chain of 1000 rods, times that of the limit code", "text bold", "start")
    for i, (name, length) in enumerate(bars):
        y = 52 + 32 * i
        style = "other" if name == "limit code" else "plain" if name.startswith("KLU") else "body"
        f.text(left - 12, y + 16, name, "note small", "end")
        f.rect(left, y, max(length * scale, 1), 22, style, 2)
        f.text(left + length * scale + 8, y + 16, short(length), "note small", "start")
    return f


def beside_exudyn(now, then, case, series, x):
    """Returns EXUDYN's cost in units, and over ours: by the unit, and by the earlier Seam, which was measured in both hours."""
    found, ours = now.at(case, "run", series, x), now.at(case, "run", "Seam", x)
    if found is None:
        return ""
    carried = then.at(case, "run", "Seam", x)[0] / now.at(case, "run", EARLIER, x)[0]
    return f"{short(found[0])} ({short(found[0] / ours[0])}; {short(found[0] * carried / ours[0])})"


def spread(values):
    return f"{short(values[0])} ({short(values[1])}, {short(values[2])})"


def price_table(now, then):
    yield "| mechanism | error | Seam, U | EXUDYN absolute | EXUDYN minimal |"
    yield "| --- | --- | --- | --- | --- |"
    for case, title in CASES.items():
        for error in ERRORS:
            ours = now.at(case, "run", "Seam", error)
            cells = [beside_exudyn(now, then, case, series, error) for series in (ABSOLUTE, MINIMAL)]
            yield f"| {title} | {error:.0e} | {spread(ours)} | {' | '.join(cells)} |"


def peers_table(now, _):
    names = [name for name in PEERS if any(now.over(case, "run", name) for case in PEER_CASES)]
    yield f"| mechanism | error | Seam, U | {' | '.join(names)} |"
    yield "| --- " * (3 + len(names)) + "|"
    for case, title in PEER_CASES.items():
        for error in ERRORS:
            ours = now.at(case, "run", "Seam", error)
            theirs = [now.at(case, "run", name, error) for name in names]
            cells = [short(found[0] / ours[0]) if found else "" for found in theirs]
            yield f"| {title} | {error:.0e} | {spread(ours)} | {' | '.join(cells)} |"


def states_table(now, _):
    yield "| mechanism | Seam |"
    yield "| --- | --- |"
    for case, title in CASES.items():
        yield f"| {title} | {spread(now.at(case, '1001 states / 1', 'Seam', 1e-6))} |"


def chain_table(now, _):
    yield "| rods | evaluation, U | a body, U/1000 | rk4 step, U | an evaluation in it, a body, U/1000 | limit code, rk4 step, U |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for n in sorted(now.over("chain", "evaluation", "Seam")):
        one, step, limit = (now.at("chain", *key, n) for key in (("evaluation", "Seam"), ("rk4 step", "Seam"), ("rk4 step", "limit")))
        a_rod = [short(1000 * one[0] / n), short(250 * step[0] / n)]
        yield f"| {n:.0f} | {spread(one)} | {a_rod[0]} | {spread(step)} | {a_rod[1]} | {spread(limit)} |"
    exponents = [now.at("chain", "exponent", what, 1e5)[0] for what in ("evaluation", "rk4 step")]
    yield f"\nThe time grows with the power {exponents[0]:.2f} (evaluation) and {exponents[1]:.2f} (step) of the length from 1000 to 100000 rods."


def loop_table(now, then):
    yield "| mechanism | bodies | evaluation, U | a body, U/1000 | run, U | EXUDYN absolute |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for case, title in LOOPS.items():
        for n in sorted(now.over(case, "evaluation", "Seam")):
            one, run = now.at(case, "evaluation", "Seam", n), now.at(case, "run", "Seam", n)
            bodies = BODIES[case](n)
            cells = [spread(one), short(1000 * one[0] / bodies), spread(run), beside_exudyn(now, then, case, ABSOLUTE, n)]
            yield f"| {title}: {n:.0f} | {bodies:.0f} | {' | '.join(cells)} |"


def conditions(now, _):
    yield from (f"* {line}" for line in now.head)


TABLES = {"conditions": conditions, "price": price_table, "peers": peers_table, "states": states_table, "chains": chain_table, "loops": loop_table}


def renew_tables(page, now, then):
    with open(page, encoding="utf-8") as file:
        text = file.read()
    for name, table in TABLES.items():
        lines = "\n".join(table(now, then))
        text = re.sub(rf"(<!-- {name} -->\n).*?(<!-- end -->)", lambda found, lines=lines: f"{found[1]}{lines}\n{found[2]}", text, flags=re.S)
    with open(page, "w", encoding="utf-8") as file:
        file.write(text)


def main():
    docs = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs")
    figures = os.path.join(docs, "figures")
    now, then = (Results(os.path.join(figures, name)) for name in ("performance.csv", "performance_7bbb34f.csv"))
    for case in CASES:
        precision(case, now, then, figures)
    scaling(now, then, figures)
    stages(now).save(figures, "performance_stages.svg")
    renew_tables(os.path.join(docs, "performance.md"), now, then)


if __name__ == "__main__":
    main()
