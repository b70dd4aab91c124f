"""Stability of the textbook models: single points and maps."""
from __future__ import annotations

from typing import Any, Callable, NamedTuple, Optional

import numpy as np

from ._library import c_text, call, ffi, lib, text
from .errors import Error

Axis = tuple  # (name, from, to, count) or (name, from, to, count, "log")


class StabilityPoint(NamedTuple):
    """Spectral radius of the propagation matrix at one point."""

    rho: float
    uncertainty: float  #: of rho, through rounding
    verdict: str  #: "stable", "unstable", "undecided"


class StabilityMap(NamedTuple):
    """Spectral radii over a grid. All arrays but x and y are (len(y), len(x))."""

    x: np.ndarray
    y: np.ndarray
    rho: np.ndarray
    uncertainty: np.ndarray
    verdict: np.ndarray  #: texts
    x_name: str
    y_name: str


def stability_point(model: str, scheme: str, **parameters: float) -> StabilityPoint:
    """Spectral radius of a scheme at one point of a textbook model.

    Parameters
    ----------
    model
        "constitutive", "constraint" or "mbcorr".
    scheme
        As "ff-k1", "ff-baumgarte(mu=5)-k1"; of mbcorr "hold0" to "hold4-corrected".
    **parameters
        lambda_r, lambda_i, alpha_m21, ...; of mbcorr ck, dk, macro_step. Defaults as those of `stability_map`.
    """
    c = _default(model)
    for name, value in parameters.items():
        c.value[_parameter(model, name)] = value
    point = ffi.new("seam_stability_point *")
    if model == "mbcorr":
        call(lib.seam_mbcorr_stability, ffi.new("seam_mbcorr_model *", list(c.value[0:3])), c_text(scheme, "the scheme"), point)
    else:
        find = lib.seam_constitutive_stability if model == "constitutive" else lib.seam_constraint_stability
        call(find, ffi.new("seam_test_model *", list(c.value[0:7])), c_text(scheme, "the scheme"), point)
    verdict = text(lib.seam_verdict_text(lib.seam_stability_verdict(point))) or ""
    return StabilityPoint(point.rho, point.uncertainty, verdict)


def stability_map(
    model: str,
    scheme: str,
    *,
    x: Optional[Axis] = None,
    y: Optional[Axis] = None,
    values: Optional[dict[str, float]] = None,
    threads: int = 0,
    progress: Optional[Callable[[int], Optional[bool]]] = None,
) -> StabilityMap:
    """Spectral radii of a scheme over a grid of two parameters of a textbook model.

    Parameters
    ----------
    model, scheme
        As for `stability_point`.
    x, y
        (name, from, to, count), or with "log" behind for equal ratios. Default lambda_r from -2 to 0 and lambda_i from
        0 to 10 with 41 values each; of mbcorr ck from 1 to 1e10 and dk from 1 to 1e7, with equal ratios.
    values
        Of other parameters.
    threads
        0: one for each processor. The numbers do not depend on it.
    progress
        Called with the number of points done; True ends the map with KeyboardInterrupt.
    """
    c = _default(model)
    kept = ffi.new("char[]", c_text(scheme, "the scheme"))
    c.scheme, c.threads = kept, threads
    for axis, given in ((c.x, x), (c.y, y)):
        if given is not None:
            _set_axis(model, axis, given)
    for name, value in (values or {}).items():
        c.value[_parameter(model, name)] = value
    shape = (c.y.count, c.x.count)
    points = ffi.new("seam_map_point[]", max(1, shape[0] * shape[1]))
    _find(c, points, progress)
    return _map(model, c, points, shape)


def _default(model: str) -> Any:
    name = ffi.new("char[]", c_text(model, "the model"))
    c = ffi.new("seam_map *")
    call(lib.seam_map_default, name, c)
    return c


def _parameter(model: str, name: str) -> int:
    index = ffi.new("int *")
    call(lib.seam_map_parameter, c_text(model, "the model"), c_text(name, "the parameter").replace(b"_", b"-"), index)
    return index[0]


def _set_axis(model: str, axis: Any, given: Axis) -> None:
    name, start, stop, count, *spacing = given
    if spacing not in ([], ["log"]):
        raise Error(f"an axis is (name, from, to, count) or (name, from, to, count, 'log'), not {given!r}")
    axis.parameter = _parameter(model, name)
    setattr(axis, "from", start)
    axis.to, axis.count, axis.is_geometric = stop, count, bool(spacing)


def _find(c: Any, points: Any, progress: Optional[Callable[[int], Optional[bool]]]) -> None:
    raised: list[BaseException] = []

    def stop(_kind: Any, value: BaseException, trace: Any) -> bool:
        raised.append(value.with_traceback(trace))
        return False

    @ffi.callback("seam_map_progress", error=False, onerror=stop)
    def ask(_data: Any, done: int) -> bool:
        return not (progress is not None and progress(done))

    try:
        call(lib.seam_stability_map, c, points, ask, ffi.NULL)
    except KeyboardInterrupt:
        if raised:
            raise raised[0] from None
        raise


_POINT = np.dtype([("x", float), ("y", float), ("rho", float), ("uncertainty", float), ("n_state", np.uintp),
                   ("verdict", np.int32)], align=True)  # fmt: skip


def _map(model: str, c: Any, points: Any, shape: tuple[int, int]) -> StabilityMap:
    if _POINT.itemsize != ffi.sizeof("seam_map_point"):
        raise ImportError("the library and the Python package seam are of different versions; install the same version of both")
    found = np.frombuffer(ffi.buffer(points), dtype=_POINT).reshape(shape)
    names = np.array([text(lib.seam_verdict_text(i)) for i in range(3)])
    axes = [text(lib.seam_map_parameter_name(c_text(model, "the model"), axis.parameter)) or "" for axis in (c.x, c.y)]
    return StabilityMap(
        found["x"][0].copy(),
        found["y"][:, 0].copy(),
        found["rho"].copy(),
        found["uncertainty"].copy(),
        names[found["verdict"]],
        axes[0].replace("-", "_"),
        axes[1].replace("-", "_"),
    )
