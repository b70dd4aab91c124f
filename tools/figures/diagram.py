"""Diagrams of measurements in logarithmic axes, drawn by gnuplot in the style of all pictures (app/plots/style.gp)."""
import math
import os
import subprocess

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
BLUE, RED, GREEN, PURPLE, ORANGE, SKY, BLACK, GREY = (
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999999")
PIXELS_A_CM = 96 / 2.54


def line(colour, dash=1, points=None, width=1.5):
    """Returns the style of a series; dash and points are gnuplot's numbers or texts."""
    with_points = f"linespoints pointtype {points} pointsize 0.5" if points else "lines"
    return f"with {with_points} linecolor rgb '{colour}' dashtype {dash} linewidth {width}"


class Panel:
    def __init__(self, title, x_label, y_label, x_range, y_range, legend="right top maxrows 4"):
        self.title, self.labels, self.ranges, self.legend, self.series = title, (x_label, y_label), (x_range, y_range), legend, []

    def add(self, title, points, style):
        if points:
            self.series.append((title, points, style))

    def script(self, number, is_first):
        lines = [f"$series{number}_{i} << END\n" + "".join(f"{x:.6g} {y:.6g}\n" for x, y in points) + "END" for i, (_, points, _) in enumerate(self.series)]
        lines.append(f"set title '{self.title}' offset 0,-0.7 font ',9'\nset xlabel '{self.labels[0]}'")
        lines.append(f"set ylabel '{self.labels[1] if is_first else ''}'\nset format y '{'10^{%L}' if is_first else ''}'")
        for axis, (low, high) in zip("xy", self.ranges):
            minor = "default" if abs(math.log10(high / low)) < 7 else "1"
            lines.append(f"set {axis}range [{low:g}:{high:g}]\nset m{axis}tics {minor}")
        lines.append(f"set key {self.legend}")
        plots = [f"$series{number}_{i} {style} title '{title}'" for i, (title, _, style) in enumerate(self.series)]
        return "\n".join(lines) + "\nplot " + ", \\\n  ".join(plots) + "\n"


def draw(path, heading, panels, width=16, height=9):
    """Draws panels side by side with one y axis; lengths in cm."""
    left, right, bottom, top, gap = 1.9, 0.5, 1.5, 1.6, 0.5
    script = f"""load '{ROOT}/app/plots/style.gp'
set terminal svg enhanced font 'Helvetica,Arial,sans-serif,9' fontscale 1.33 background rgb 'white' size {width * PIXELS_A_CM:.0f},{height * PIXELS_A_CM:.0f}
set output '{path}'
set logscale xy
set format x '10^{{%L}}'
set key Left reverse font ',8' samplen 2.5
set label 1 '{{/:Bold {heading}}}' at screen 0.5,{1 - 0.4 / height:.4f} center font ',10'
set multiplot layout 1,{len(panels)} margins {left / width:.4f},{1 - right / width:.4f},{bottom / height:.4f},{1 - top / height:.4f} spacing {gap / width:.4f},0
"""
    for i, panel in enumerate(panels):
        script += panel.script(i, i == 0) + "unset label\n"
    subprocess.run(["gnuplot"], input=script + "unset multiplot\n", text=True, check=True)


def decades(values, above=0):
    """Returns the range of whole decades around the values, and `above` more for the legend."""
    return 10.0 ** math.floor(math.log10(min(values))), 10.0 ** (math.ceil(math.log10(max(values))) + above)
