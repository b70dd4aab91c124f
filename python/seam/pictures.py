"""Mechanisms as SVG, still and in motion, and results as a page of a notebook shows them."""
from __future__ import annotations

import base64
import html
import math
import os
import pathlib
from typing import Any, Optional, Union

import numpy as np

from ._library import call, ffi, lib
from .errors import Error

_COORDINATES = ("x", "y", "phi")
_MOST_ROWS = 2000  # of an animation


class Picture:
    """An SVG. A notebook shows it; `save` writes it to a file."""

    def __init__(self, svg: str, alt: str = "a mechanism"):
        self.svg, self._alt = svg, alt

    def save(self, path: "Union[str, os.PathLike[str]]") -> None:
        """Writes it to a file of the ending .svg, which browsers show."""
        target = pathlib.Path(path)
        if target.suffix.lower() != ".svg":
            raise Error(f"pictures are SVG files, but '{target.name}' does not end with .svg; give a name that does")
        target.write_text(self.svg, encoding="utf-8")

    def _repr_html_(self) -> str:
        """As an image, whose styles stay its own."""
        data = base64.b64encode(self.svg.encode()).decode()
        return f'<img alt="{html.escape(self._alt)}" src="data:image/svg+xml;base64,{data}"/>'

    def __repr__(self) -> str:
        return f"<seam.Picture: {len(self.svg)} characters of SVG>"


def _taken(function: Any, *arguments: Any) -> str:
    """A text that the library made."""
    made = ffi.new("char **")
    call(function, *arguments, made)
    try:
        return ffi.string(made[0]).decode()
    finally:
        lib.seam_text_free(made[0])


def drawing(model: Any, values: Any, cuts: bool = True) -> Picture:
    """A model at poses by the names of columns."""
    q = ffi.new("double[]", [float(values[f"{body}.{name}"][0]) for body in model.bodies for name in _COORDINATES] + [0.0])
    return Picture(_taken(lib.seam_drawing_svg, model._file, q, cuts))


def has_motion(results: Any) -> bool:
    """Whether a run has rows to be animated."""
    table, model = results.trajectory, results.model
    if table is None or model is None or len(table) < 2:
        return False
    return all(f"{body}.{name}" in table for body in model.bodies for name in _COORDINATES)


class _Motion:
    """A seam_motion of a run, and what it points to."""

    def __init__(self, results: Any, label: str, bodies: list[str]):
        if not has_motion(results):
            raise Error("there is no motion to animate: the trajectory needs two rows, and x, y, phi of all bodies")
        table = results.trajectory
        rows = np.unique(np.concatenate([np.arange(0, len(table), len(table) // _MOST_ROWS + 1), [len(table) - 1]]))
        times = table["time"][rows]
        rows = rows[np.concatenate([[True], np.diff(times) > 0])]
        self._t = np.ascontiguousarray(table["time"][rows])
        self._q = np.column_stack([table[f"{body}.{name}"][rows] for body in bodies for name in _COORDINATES])
        self._label = ffi.new("char[]", label.encode())
        self.c = ffi.new("seam_motion *")
        self.c.t, self.c.q = (ffi.cast("double *", a.ctypes.data) for a in (self._t, self._q))
        self.c.n, self.c.label = len(self._t), self._label


_UNMARKED = ("accurate", "rough", "not checked")  # what a label need not say


def _label(results: Any) -> str:
    couplings = results.summary.get("cosim", {}).get("couplings", {})
    schemes = {entry["scheme"] for entry in couplings.values()}
    name = "monolithic" if "cosim" not in results.summary else schemes.pop() if len(schemes) == 1 else "co-simulated"
    verdict = results.verdict
    said = verdict.word if verdict.status == "done" else verdict.status
    return f"{name}, {said}" if said not in _UNMARKED else name


def animation(results: Any, ghost: Any, speed: Optional[float], cuts: bool) -> Picture:
    """A run in motion."""
    model = results.model
    if model is None:
        raise Error("these results do not have their model; run the model again")
    bodies = model.bodies
    if ghost is not None and (ghost.model is None or sorted(ghost.model.bodies) != sorted(bodies)):
        raise Error("the ghost is a run of another mechanism, whose bodies have other names; give a run with the same bodies")
    shown = _Motion(results, _label(results), bodies)
    other = _Motion(ghost, _label(ghost), bodies) if ghost is not None else None
    chosen = math.nan if speed is None else float(speed)
    if speed is not None and math.isnan(chosen):
        raise Error("the speed of an animation must be positive and finite, not nan")
    shadow = other.c if other is not None else ffi.NULL
    return Picture(_taken(lib.seam_animation_svg, model._file, shown.c, shadow, cuts, chosen))


def page(results: Any) -> str:
    """What a notebook shows of a run: how it ended, its figures, and how it moves."""
    verdict = results.summary["verdict"]
    statistics, energy = results.summary["statistics"], results.summary.get("energy", {})
    word, _, said = str(results.verdict).partition(":")
    lines = [f"<b>{html.escape(word)}</b>:{html.escape(said)}"]
    facts = [f"{verdict['rows']} rows to t = {verdict['time']:.9g} s", f"{statistics['steps']} steps"]
    if "cosim" in results.summary:
        facts.append(f"{results.summary['cosim']['macro_steps']} macro steps")
    imbalance = energy.get("largest_imbalance")
    if imbalance is not None:
        facts.append(f"energy balance to {imbalance:.3g} J")
    lines.append(html.escape(", ".join(facts)))
    if has_motion(results):
        lines.append(animation(results, None, None, "cosim" in results.summary)._repr_html_())
    return "<div>" + "<br/>\n".join(lines) + "</div>"
