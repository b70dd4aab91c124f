"""Studies as SVG, both axes logarithmic, for pages of a notebook."""
from __future__ import annotations

import math
from html import escape
from typing import Sequence

from .pictures import Picture

_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
_LEFT, _TOP, _WIDTH, _HEIGHT, _LEGEND = 70, 12, 420, 260, 190  # pixels


def _decades(values: Sequence[float]) -> "tuple[int, int]":
    logs = [math.log10(value) for value in values]
    low, high = math.floor(min(logs)), math.ceil(max(logs))
    return low, max(high, low + 1)


def _text(x: float, y: float, text: str, anchor: str = "middle", more: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{more}>{escape(text)}</text>'


def chart(lines: "dict[str, tuple[Sequence[float], Sequence[float]]]", x_label: str, y_label: str) -> Picture:
    """Lines by their names, each x and y; what is not positive or not finite is left out."""
    shown = {
        name: [(float(x), float(y)) for x, y in zip(*line) if 0 < x < math.inf and 0 < y < math.inf] for name, line in lines.items()
    }
    points = [point for line in shown.values() for point in line] or [(1.0, 1.0)]
    (x0, x1), (y0, y1) = _decades([x for x, _ in points]), _decades([y for _, y in points])

    def place(x: float, y: float) -> "tuple[float, float]":
        return (_LEFT + _WIDTH * (math.log10(x) - x0) / (x1 - x0), _TOP + _HEIGHT * (1 - (math.log10(y) - y0) / (y1 - y0)))

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_LEFT + _WIDTH + _LEGEND}" height="{_TOP + _HEIGHT + 48}" '
        'font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="#fff"/>'
    ]
    for k in range(x0, x1 + 1):
        x, _ = place(10.0**k, 10.0**y0)
        parts.append(f'<path d="M{x:.1f} {_TOP}v{_HEIGHT}" stroke="#ddd"/>{_text(x, _TOP + _HEIGHT + 16, f"{10.0**k:g}")}')
    for k in range(y0, y1 + 1):
        _, y = place(10.0**x0, 10.0**k)
        parts.append(f'<path d="M{_LEFT} {y:.1f}h{_WIDTH}" stroke="#ddd"/>{_text(_LEFT - 6, y + 4, f"{10.0**k:g}", "end")}')
    parts.append(f'<rect x="{_LEFT}" y="{_TOP}" width="{_WIDTH}" height="{_HEIGHT}" fill="none" stroke="#000"/>')
    parts.append(_text(_LEFT + _WIDTH / 2, _TOP + _HEIGHT + 36, x_label))
    middle = _TOP + _HEIGHT / 2
    parts.append(_text(14, middle, y_label, more=f' transform="rotate(-90 14 {middle})"'))
    for i, (name, line) in enumerate(shown.items()):
        colour, legend = _COLOURS[i % len(_COLOURS)], _TOP + 10 + 16 * i
        drawn = [place(*point) for point in line]
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in drawn)
        parts.append(f'<g stroke="{colour}" fill="{colour}">' + (f'<path d="M{path}" fill="none"/>' if len(drawn) > 1 else ""))
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3"/>' for x, y in drawn]
        parts.append(f'<circle cx="{_LEFT + _WIDTH + 14}" cy="{legend}" r="3"/></g>')
        parts.append(_text(_LEFT + _WIDTH + 24, legend + 4, name, "start"))
    return Picture("".join([*parts, "</svg>"]), f"{y_label} over {x_label}")
