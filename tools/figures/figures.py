#!/usr/bin/env python3
"""Draws the figures of docs/theory.md, and signs.svg of docs/model-file.md: tools/figures/figures.py [DIR], default docs/figures. Needs Python's standard library only."""
import math
import os
import re
import sys
from xml.sax.saxutils import escape

STYLE = """
.card{fill:#ffffff}.ink{stroke:#1f2328}.text{fill:#1f2328}.faint{stroke:#8c959f}.note{fill:#59636e}
.body{fill:#dbe9fb;stroke:#1f2328}.other{fill:#fde8cf;stroke:#1f2328}.plain{fill:#f3f4f6;stroke:#1f2328}
.blue{stroke:#0072b2}.blueText{fill:#0072b2}.red{stroke:#c24e00}.redText{fill:#c24e00}
@media (prefers-color-scheme:dark){
.card{fill:#161b22}.ink{stroke:#e6edf3}.text{fill:#e6edf3}.faint{stroke:#7d8590}.note{fill:#9ea7b3}
.body{fill:#1c3550;stroke:#e6edf3}.other{fill:#4d3417;stroke:#e6edf3}.plain{fill:#262c36;stroke:#e6edf3}
.blue{stroke:#56b4e9}.blueText{fill:#56b4e9}.red{stroke:#e69f00}.redText{fill:#e69f00}}
text{font-family:sans-serif;font-size:15px}.it{font-style:italic}.bold{font-weight:bold}.small{font-size:13px}.sub{font-size:11px}
"""


def number(value):
    return f"{value:.1f}".rstrip("0").rstrip(".")


class Figure:
    """An SVG of a given size (px); y points down."""

    def __init__(self, width, height, title):
        self.items = []
        self.head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">\n'
            f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n"
            f'<rect class="card" width="{width}" height="{height}" rx="8"/>\n'
        )

    def add(self, item):
        self.items.append(item)

    def path(self, d, style="ink", width=1.6, dash=""):
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self.add(f'<path class="{style}" fill="none" stroke-width="{width}"{dashes} d="{d}"/>')

    def line(self, x1, y1, x2, y2, style="ink", width=1.6, dash=""):
        self.path(f"M{number(x1)} {number(y1)}L{number(x2)} {number(y2)}", style, width, dash)

    def arrow(self, x1, y1, x2, y2, style="ink", width=1.6, dash=""):
        self.line(x1, y1, x2, y2, style, width, dash)
        angle = math.atan2(y2 - y1, x2 - x1)
        ends = [(x2 - 10 * math.cos(angle + turn), y2 - 10 * math.sin(angle + turn)) for turn in (-0.4, 0.4)]
        d = f"M{number(ends[0][0])} {number(ends[0][1])}L{number(x2)} {number(y2)}L{number(ends[1][0])} {number(ends[1][1])}"
        self.path(d, style, width)

    def curve(self, points, style="ink", width=1.8, dash=""):
        self.path("M" + "L".join(f"{number(x)} {number(y)}" for x, y in points), style, width, dash)

    def rect(self, x, y, width, height, style="plain", radius=6):
        self.add(f'<rect class="{style}" stroke-width="1.4" x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}" rx="{radius}"/>')

    def dot(self, x, y, style="ink", filled=True, radius=4.5):
        fill = {"ink": "text", "blue": "blueText", "red": "redText"}[style] if filled else "card"
        self.add(f'<circle class="{fill} {style}" stroke-width="1.6" cx="{number(x)}" cy="{number(y)}" r="{radius}"/>')

    def text(self, x, y, content, style="text", anchor="middle"):
        """*...* is italic; _ and ^ shift the next character or {group}."""
        out, italic, position = [], False, 0
        for token in re.findall(r"\*|[_^](?:\{[^}]*\}|.)|[^*_^]+", content):
            if token == "*":
                italic = not italic
                continue
            shift = {"_": 4, "^": -5}.get(token[0], 0)
            body = token[1:].strip("{}") if shift else token
            classes = " ".join(name for name, on in (("it", italic), ("sub", shift)) if on)
            attributes = (f' class="{classes}"' if classes else "") + (f' dy="{shift - position}"' if shift != position else "")
            out.append(f"<tspan{attributes}>{escape(body)}</tspan>")
            position = shift
        self.add(f'<text class="{style}" text-anchor="{anchor}" x="{number(x)}" y="{number(y)}" xml:space="preserve">{"".join(out)}</text>')

    def box(self, x, y, width, height, lines, style="plain"):
        """Draws a rectangle with centred lines; the first one is bold."""
        self.rect(x, y, width, height, style)
        top = y + height / 2 - 9 * (len(lines) - 1) + 5
        for i, content in enumerate(lines):
            self.text(x + width / 2, top + 18 * i, content, "text bold" if i == 0 else "note small")

    def save(self, directory, name):
        with open(os.path.join(directory, name), "w", encoding="utf-8") as file:
            file.write(self.head + "\n".join(self.items) + "\n</svg>\n")


def bar(figure, x, y, length, angle, style):
    """Draws a rod with its centre of mass at (x, y); angle in degrees, counter-clockwise."""
    figure.add(
        f'<rect class="{style}" stroke-width="1.4" x="{number(-length / 2)}" y="-17" width="{number(length)}" height="34" rx="17" '
        f'transform="translate({number(x)} {number(y)}) rotate({number(-angle)})"/>'
    )


def along(x, y, length, angle):
    return x + length * math.cos(math.radians(angle)), y - length * math.sin(math.radians(angle))


def spring(figure, x1, y, x2, style="ink"):
    n, lead = 8, 8
    step = (x2 - x1 - 2 * lead) / n
    points = [(x1, y), (x1 + lead, y)]
    points += [(x1 + lead + (i + 0.5) * step, y + (7 if i % 2 else -7)) for i in range(n)]
    figure.curve(points + [(x2 - lead, y), (x2, y)], style, 1.6)


def joint():
    f = Figure(640, 310, "Two bodies, their markers and the gap between them")
    c1, c2, angle1, angle2 = (180, 200), (470, 180), 20, -25
    bar(f, *c1, 240, angle1, "body")
    bar(f, *c2, 240, angle2, "other")
    p1, p2 = along(*c1, 98, angle1), along(*c2, -98, angle2)
    f.arrow(40, 280, 84, 280)
    f.arrow(40, 280, 40, 236)
    f.text(96, 285, "*x*")
    f.text(40, 228, "*y*")
    for x, y in (c1, c2):
        f.arrow(40, 280, x - 6, y + 4, "faint", 1.4)
        f.dot(x, y)
    f.text(88, 236, "*r*_1", "note")
    f.text(310, 246, "*r*_2", "note")
    f.arrow(*c1, *p1, "blue")
    f.arrow(*c2, *p2, "blue")
    f.text(205, 148, "*a*_1", "blueText")
    f.text(446, 122, "*a*_2", "blueText")
    f.arrow(p1[0], p1[1], p2[0], p2[1], "red", 2)
    f.dot(*p1, "red")
    f.dot(*p2, "red")
    f.text(320, 118, "*d = p*_2* - p*_1", "redText")
    f.text(p1[0] + 26, p1[1] + 30, "*p*_1", "redText")
    f.text(p2[0] - 22, p2[1] + 34, "*p*_2", "redText")
    f.line(*c1, c1[0] + 70, c1[1], "faint", 1.2, "4 4")
    f.text(c1[0] + 84, c1[1] + 6, "*φ*_1", "note")
    f.text(150, 285, "first body", "note small", "start")
    f.text(590, 285, "second body", "note small", "end")
    f.text(320, 34, "A revolute joint holds *d* = 0; a bushing pulls along *d*.", "text")
    f.text(320, 58, "*r*: centre of mass,  *a*: marker in the body,  *p = r + a*", "note small")
    return f


def cut():
    f = Figure(720, 346, "A bushing between two bodies, and the same bushing cut")
    f.text(360, 28, "The whole", "text bold")
    f.rect(70, 48, 200, 66, "body")
    f.rect(450, 48, 200, 66, "other")
    f.text(170, 87, "first body")
    f.text(550, 87, "second body")
    spring(f, 270, 81, 450)
    f.dot(270, 81)
    f.dot(450, 81)
    f.text(360, 64, "*λ = c Δ + d Δ̇*")
    f.text(360, 116, "*Δ = x*_2* - x*_1", "note")
    f.line(30, 146, 690, 146, "faint", 1.2, "5 5")
    f.text(360, 172, "Cut: side 1 and side 2 of the coupling", "text bold")
    f.rect(30, 190, 200, 110, "body", 12)
    f.rect(490, 190, 200, 110, "other", 12)
    f.text(130, 236, "subsystem 1", "text bold")
    f.text(590, 236, "subsystem 2", "text bold")
    f.text(130, 258, "first body", "note small")
    f.text(590, 258, "second body", "note small")
    f.dot(230, 245, "red")
    f.dot(490, 245, "red")
    f.arrow(230, 245, 290, 245, "red", 2)
    f.arrow(490, 245, 430, 245, "red", 2)
    f.text(262, 234, "+*λ*", "redText")
    f.text(458, 234, "-*λ*", "redText")
    f.text(360, 248, "markers", "note small")
    f.text(244, 284, "*x*_1*, v*_1", "blueText", "start")
    f.text(476, 284, "*x*_2*, v*_2", "blueText", "end")
    f.text(360, 330, "A joint is cut in the same way: *g = x*_2* - x*_1* = 0* takes the place of the force law.", "note small")
    return f


def decompositions():
    f = Figure(760, 400, "Decompositions: force/force, force/displacement, displacement/displacement")
    rows = [
        ("ff", "force/force", "force *λ*", "force *-λ*", "*λ = W*(*Δ, Δ̇*)  or  *g* = 0"),
        ("fd", "force/displacement", "force *λ*", "motion *x̃, ṽ*", "*λ* = force of side 2,  *x̃ = x*_1"),
        ("dd", "displacement/displacement", "motion *x̃*_2", "motion *x̃*_1", "*x̃*_1* = x*_1,  *x̃*_2* = x*_2"),
    ]
    f.text(255, 30, "side 1 receives", "note small")
    f.text(485, 30, "side 2 receives", "note small")
    for i, (name, words, first, second, condition) in enumerate(rows):
        y = 48 + 112 * i
        f.text(20, y + 34, name, "text bold", "start")
        f.text(20, y + 54, words.split("/")[0] + "/", "note small", "start")
        f.text(20, y + 71, words.split("/")[1], "note small", "start")
        f.box(150, y, 90, 80, ["1"], "body")
        f.box(500, y, 90, 80, ["2"], "other")
        f.arrow(330, y + 30, 242, y + 30, "red", 2)
        f.arrow(410, y + 30, 498, y + 30, "red", 2)
        f.text(288, y + 20, first, "redText small")
        f.text(452, y + 20, second, "redText small")
        f.text(370, y + 66, condition, "blueText small")
        notes = {"ff": ("conditions contain", "the law"), "fd": ("side 2 evaluates", "the element"), "dd": ("both sides evaluate", "the element")}[name]
        f.text(604, y + 36, notes[0], "note small", "start")
        f.text(604, y + 54, notes[1], "note small", "start")
    f.text(360, 386, "At a joint a displacement-driven side has its acceleration *ã* prescribed; its multiplier is the force.", "note small")
    return f


def macro_step():
    f = Figure(760, 410, "One macro step: predictor, corrector and nodes")
    left, right, base = 60, 730, 310
    points = {-2: 110, -1: 260, 0: 410, 1: 560}
    f.arrow(left, base, right, base)
    f.text(right - 4, base + 22, "*t*")
    f.arrow(left, base, left, 50)
    f.text(left + 22, 58, "*λ*")
    names = {-2: "*T*_{N-2}", -1: "*T*_{N-1}", 0: "*T*_N", 1: "*T*_{N+1}"}
    for tau, x in points.items():
        f.line(x, base - 5, x, base + 5)
        f.text(x, base + 24, names[tau])
    f.text(485, base + 24, "*T*_{N+1/2}", "note")
    f.line(485, base - 4, 485, base + 4)
    for i in range(1, 12):
        f.line(410 + 12.5 * i, base - 4, 410 + 12.5 * i, base, "faint", 1)

    def course(x):
        return 262 - 150 * math.sin((x - 110) / 270)

    f.curve([(x, course(x)) for x in range(110, 701, 5)], "faint", 1.6, "2 4")
    past = [(points[tau], course(points[tau])) for tau in (-2, -1, 0)]
    (xa, ya), (xb, yb) = past[1], past[2]
    predicted, corrected, node = yb + (yb - ya) / (xb - xa) * (points[1] - xb), course(points[1]), (485, course(485))
    f.line(points[0], 64, points[0], base, "faint", 1, "3 5")
    f.line(points[1], 40, points[1], base, "faint", 1, "3 5")
    f.line(xa, ya, points[1], predicted, "red", 2, "7 5")
    f.line(xb, yb, points[1], corrected, "blue", 2.4)
    f.curve([(xb, yb), node, (points[1], corrected)], "blue", 1.3, "2 3")
    for x, y in past:
        f.dot(x, y)
    f.dot(points[1], predicted, "red", False)
    f.dot(points[1], corrected, "blue")
    f.dot(*node, "blue", False, 4)
    f.text(574, predicted + 6, "1. predictor", "redText small", "start")
    f.text(574, predicted + 23, "through the past", "note small", "start")
    f.text(574, corrected + 34, "3. corrector", "blueText small", "start")
    f.text(574, corrected + 51, "through the new value", "note small", "start")
    f.text(300, 100, "inner node of an extension", "note small")
    f.line(388, 97, 480, node[1] - 3, "faint", 1)
    f.text(714, course(690) - 16, "true course", "note small")
    f.path(f"M{points[1]} {base + 36}C{points[1] - 30} {base + 62} {points[0] + 30} {base + 62} {points[0]} {base + 40}", "ink", 1.6)
    f.path(f"M{points[0] + 14} {base + 42}L{points[0]} {base + 40}L{points[0] + 8} {base + 52}", "ink", 1.6)
    f.text(485, base + 78, "2. solve the conditions at *T*_{N+1}, go back to *T*_N and repeat", "text small")
    f.text(485, base - 12, "micro steps", "note small")
    return f


def engines():
    f = Figure(720, 430, "The master repeats macro steps, the exchange never goes back")
    f.text(185, 32, "Master", "text bold")
    f.text(535, 32, "Exchange", "text bold")
    f.text(185, 52, "schemes ...-explicit, ...-semi, ...-implicit", "note small")
    f.text(535, 52, "schemes ...-exchange, signals, corrections", "note small")
    f.line(374, 20, 374, 416, "faint", 1.2, "5 5")
    master = ["predict coupling variables", "save; advance all subsystems to *T+H*", "residuals of the conditions at *T+H*", "one sparse Newton step", "next macro step"]
    exchange = ["extrapolate inputs (hold)", "advance each subsystem by its own *H*", "publish outputs", "correct next inputs, choose next *H*", "next macro step"]
    for i in range(5):
        y = 72 + 68 * i
        style = "plain" if i == 4 else "body"
        f.rect(35, y, 280, 40, style)
        f.text(175, y + 25, master[i], "text small")
        style = "plain" if i == 4 else "other"
        f.rect(395, y, 280, 40, style)
        f.text(535, y + 25, exchange[i], "text small")
        if i < 4:
            f.arrow(175, y + 42, 175, y + 66)
            f.arrow(535, y + 42, 535, y + 66)
    f.path("M315 296L337 296L337 160L319 160", "red", 1.8)
    f.path("M328 154L318 160L328 166", "red", 1.8)
    f.add('<g transform="rotate(-90 353 228)">')
    f.text(353, 228, "restore, repeat", "redText small")
    f.add("</g>")
    f.text(185, 404, "needs save and restore; derivatives help", "note small")
    f.text(535, 404, "needs only advance and outputs: black boxes", "note small")
    return f


def layers():
    f = Figure(720, 630, "The folders and who may use whom")
    f.box(200, 18, 320, 50, ["app/", "the command: commands/, results/, plots/"], "plain")
    f.box(60, 88, 280, 50, ["runs/", "run loops, what a run says of itself"], "plain")
    f.box(380, 88, 130, 50, ["drawing/", "pictures, SVG"], "plain")
    f.box(530, 88, 130, 50, ["fmu/", "export of FMUs"], "plain")
    f.box(60, 168, 280, 50, ["analysis/", "textbook/, linearised/"], "plain")
    f.box(380, 168, 280, 50, ["models/", "model files: expression/, sections/"], "plain")
    f.rect(40, 248, 640, 214, "plain")
    f.text(56, 272, "cosim/", "text bold", "start")
    f.box(220, 260, 280, 48, ["mechanism/", "cuts a mechanism and runs it"], "body")
    f.box(70, 332, 270, 48, ["master/", "schemes; repeats macro steps"], "body")
    f.box(380, 332, 270, 48, ["exchange/", "holds; never goes back"], "body")
    f.box(220, 404, 280, 48, ["parts/", "what is coupled"], "body")
    f.box(120, 488, 326, 28, ["mbs/   planar multibody dynamics"], "other")
    f.box(120, 534, 326, 28, ["solvers/   integrators, linear algebra"], "other")
    f.box(460, 534, 140, 28, ["fmi/   FMU files"], "other")
    f.box(120, 580, 480, 28, ["base/   status, memory, tables, threads"], "other")
    for arrow in ((300, 68, 200, 86), (400, 68, 440, 86), (470, 68, 580, 86), (200, 138, 200, 166), (320, 138, 420, 166),
                  (445, 138, 480, 166), (595, 138, 560, 166), (200, 218, 200, 246), (520, 218, 520, 246),
                  (300, 308, 230, 330), (420, 308, 490, 330), (230, 380, 300, 402), (490, 380, 420, 402),
                  (275, 462, 275, 486), (275, 516, 275, 532), (275, 562, 275, 578), (535, 462, 535, 532),
                  (535, 562, 535, 578)):
        f.arrow(*arrow)
    f.text(18, 590, "an arrow:", "note small", "start")
    f.text(18, 606, "may include", "note small", "start")
    return f


def eliminate(rows, n):
    """Solves the first n columns of rows for the others (Gauss, with pivoting)."""
    for i in range(n):
        pivot = max(range(i, n), key=lambda j: abs(rows[j][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for j in range(n):
            if j != i:
                rows[j] = [x - rows[j][i] * y for x, y in zip(rows[j], rows[i])]
    return [row[n:] for row in rows]


def forced(omega, k, tau, derivative):
    """Returns x or x' of x'' + omega^2 x = tau^k from rest."""
    term = 1 / ((k + 1) * (k + 2)) if derivative == 0 else 1 / (k + 1)
    total, power = 0, k + 2 - derivative
    for j in range(12):
        total += term * tau**power
        power += 2
        term *= -omega * omega / (power * (power - 1))
    return total


def free(omega, tau, derivative):
    """Returns x or x' of the free motion from a unit of position and of velocity."""
    c, s = math.cos(omega * tau), math.sin(omega * tau)
    return [c, s / omega] if derivative == 0 else [-omega * s, c]


def spectral_radius(matrix):
    """Returns the spectral radius, by repeated squaring."""
    exponent, growth = 1, 0
    for _ in range(20):
        norm = max(sum(abs(x) for x in row) for row in matrix)
        growth += math.log(norm) / exponent
        matrix = [[x / norm for x in row] for row in matrix]
        matrix = [[sum(a * b for a, b in zip(row, column)) for column in zip(*matrix)] for row in matrix]
        exponent *= 2
    return math.exp(growth)


def growth_of_collocation(nodes, turns, omegas=(0.3, 0.2)):
    """Returns rho - 1 of ff-colloc-sS between two unit masses on springs, H = 1, at H Omega = turns pi, without damping."""
    n, stiffness = len(nodes) + 2, (turns * math.pi) ** 2 / 2

    def motion(tau, derivative):
        """Returns the rows of (x1, x2) over (n coefficients of the force, x1, v1, x2, v2)."""
        force = [[sign * forced(w, k, tau, derivative) for k in range(n)] for w, sign in zip(omegas, (1, -1))]
        return force[0] + free(omegas[0], tau, derivative) + [0, 0], force[1] + [0, 0] + free(omegas[1], tau, derivative)

    def condition(tau, derivative):
        own = [tau**k if derivative == 0 else k * tau ** max(k - 1, 0) for k in range(n)] + 4 * [0]
        first, second = motion(tau, derivative)
        return [(f - stiffness * (b - a)) / (1 + stiffness) for f, a, b in zip(own, first, second)]

    solved = eliminate([condition(tau, 0) for tau in nodes + [1]] + [condition(1, 1)], n)
    rows = [motion(1, derivative)[side] for side in (0, 1) for derivative in (0, 1)]
    step = [[row[n + i] - sum(row[k] * solved[k][i] for k in range(n)) for i in range(4)] for row in rows]
    return spectral_radius(step) - 1


def bands():
    f = Figure(720, 330, "Growth of a macro step over the stiffness of an undamped spring, collocation with 2 to 5 stages")
    nodes = [[0.25], [0.1225148226554415, 0.5441518440112253], [0.0729940240731497, 0.3470037660383518, 0.7050022098884984]]
    nodes.append([0.04850054944699733, 0.2386007375518623, 0.5170472951043675, 0.7958514178967729])
    left, base, unit, height = 70, 270, 100, 220
    f.arrow(left, base, left + 6.2 * unit, base)
    f.arrow(left, base, left, 26)
    f.text(left + 6.1 * unit, base + 40, "*H Ω / π*")
    f.text(left + 14, 34, "*ρ* - 1, growth a macro step", "text", "start")
    for i in range(7):
        f.line(left + i * unit, base, left + i * unit, base + 5)
        f.text(left + i * unit, base + 22, str(i), "note small")
    for i in range(1, 5):
        f.line(left - 5, base - i * height / 5, left, base - i * height / 5)
        f.text(left - 10, base - i * height / 5 + 5, f"{i / 5:.1f}", "note small", "end")
    labels = [(0.97, 0.11), (2.03, 0.35), (3.22, 0.65), (4.6, 0.91)]
    for s, (inner, (turns, top)) in enumerate(zip(nodes, labels), start=2):
        style, dash = ("red", "blue")[s % 2], "7 4" if s in (3, 4) else ""
        n = 600
        points = [(x, growth_of_collocation(inner, x)) for x in (0.02 + 5.9 * i / n for i in range(n + 1))]
        shown = [i for i, p in enumerate(points) if p[1] > 1e-5]
        piece = []
        for i, (x, y) in enumerate(points):
            if any(abs(i - j) < 2 for j in shown):
                piece.append((left + x * unit, base - max(y, 0) * height))
            elif piece:
                f.curve(piece, style, 1.8, dash)
                piece = []
        f.text(left + turns * unit, base - top * height - 8, f"*s* = {s}", style + "Text small")
    f.text(left + 0.4 * unit, base - 8, "*s* = 1: none", "note small")
    return f


def signs():
    f = Figure(640, 400, "Signs: angles, relative quantities, forces and torques, reactions")

    def pair(x, y, *, coil=True):
        for style, left, name in (("body", x, "1"), ("other", x + 190, "2")):
            f.rect(left, y - 22, 66, 44, style)
            f.text(left + 33, y + 5, f"body {name}", "text small")
        if coil:
            spring(f, x + 66, y, x + 190)

    def turn(x, y, radius, first, last, style):
        """Draws an arrow along an arc, degrees counter-clockwise."""
        points = [along(x, y, radius, first + (last - first) * i / 24) for i in range(25)]
        f.curve(points, style, 1.8)
        f.arrow(*points[-2], *points[-1], style, 1.8)

    # Pose: the angle of a body.
    f.text(24, 30, "Pose: *φ* counter-clockwise", "text bold", "start")
    bar(f, 150, 110, 170, 28, "body")
    f.arrow(150, 110, 262, 110, "ink")
    f.text(270, 115, "*x*", "text", "start")
    f.arrow(150, 110, 150, 44, "ink")
    f.text(136, 52, "*y*")
    f.line(150, 110, *along(150, 110, 112, 28), "blue")
    turn(150, 110, 70, 0, 27, "blue")
    f.text(232, 96, "*φ*", "blueText")
    f.dot(150, 110)
    # Relative quantities: second less first.
    f.text(344, 30, "Relative: second body less first", "text bold", "start")
    bar(f, 420, 124, 120, 0, "body")
    bar(f, 528, 96, 120, 32, "other")
    f.dot(474, 124, filled=False)
    f.text(400, 129, "1")
    f.text(520, 108, "2")
    f.line(474, 124, 570, 124, "faint", 1.4, "4 4")
    turn(474, 124, 82, 0, 31, "red")
    f.text(566, 112, "*φ*_2 - *φ*_1", "redText", "start")
    f.text(344, 170, "also stretch, slide and their rates", "note small", "start")
    # Laws and the quantities of the same name.
    f.text(24, 218, "*force* > 0 pushes apart", "text bold", "start")
    pair(32, 266)
    f.arrow(98, 244, 62, 244, "blue", 2)
    f.arrow(222, 244, 258, 244, "blue", 2)
    f.text(24, 330, "*torque* > 0 increases *φ*_2 - *φ*_1", "text bold", "start")
    f.text(24, 356, "laws and columns alike (seam: 2)", "note small", "start")
    # Reactions and coupling forces.
    f.text(344, 218, "Reactions and *λ*: on body 1", "text bold", "start")
    pair(352, 290, coil=False)
    f.line(418, 290, 542, 290, "faint", 1.4, "4 4")
    f.dot(418, 290)
    f.dot(542, 290)
    f.arrow(418, 290, 462, 254, "red", 2)
    f.text(470, 250, "*f*_{x}, *f*_{y}", "redText", "start")
    turn(418, 290, 30, 300, 360 + 40, "red")
    f.text(396, 336, "torque", "redText small", "start")
    f.arrow(542, 290, 506, 319, "faint", 2)
    f.text(608, 336, "the opposite on body 2", "note small", "end")
    return f


def main():
    directory = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "..", "..", "docs", "figures")
    os.makedirs(directory, exist_ok=True)
    for draw in (joint, cut, decompositions, macro_step, engines, layers, bands, signs):
        draw().save(directory, draw.__name__ + ".svg")


if __name__ == "__main__":
    main()
