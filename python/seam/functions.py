"""Functions of Python that expressions of a model file call: laws of one or two arguments, with derivatives or without."""
from __future__ import annotations

import inspect
import math
import zlib
from typing import Any, Callable, Mapping, Optional, Sequence, Union

import numpy as np

from ._library import c_text, ffi, keep_raised
from .errors import Error

Value = Callable[..., float]

_CHECKED = 5  # first evaluations of derivatives, which are compared with differences
_WIDEST = 6e-6  # of an argument, or of 1: first width of differences
_WIDTHS = 10  # each an eighth of the one before
_SETTLED = 1e-2  # of a quotient: where it changes less, the function is smooth over the width
_KINKED = 0.04  # of the second difference before: a corner lets it fall to 1/8, a smooth function to 1/64
_TINY = 5e-324  # in place of 0 as a divisor


class Function:
    """A function with derivatives, for `functions` of `Model`.

    Parameters
    ----------
    value
        f(x) or f(x, y).
    derivatives
        Gradient: of f(x) a number, of f(x, y) two. Without it the library takes differences, about 1e-10 off.
    second
        Second derivatives: a number, or (f_xx, f_xy, f_yy). Without it differences of the gradient.
    kinks
        Whether the function jumps or bends somewhere.

    They are called from several threads at once, and must give the same value for the same arguments each time.
    """

    def __init__(
        self,
        value: Value,
        derivatives: Optional[Callable[..., Any]] = None,
        second: Optional[Callable[..., Any]] = None,
        *,
        kinks: bool = False,
    ):
        if not callable(value):
            raise TypeError(f"a function is needed, not {type(value).__name__}")
        self.value, self.derivatives, self.second, self.kinks = value, derivatives, second, kinks
        self.n_arguments = _count(value)

    def jet(self, x: Sequence[float]) -> tuple[float, list[float], list[float]]:
        """Value, first and second derivatives."""
        n = self.n_arguments
        x = list(x[:n])
        first = _numbers(self.derivatives(*x), n)
        if self.second is not None:
            return float(self.value(*x)), first, _numbers(self.second(*x), 1 if n == 1 else 3)
        columns = [differences(lambda at: _numbers(self.derivatives(*at.tolist()), n), x, i)[0].tolist() for i in range(n)]
        bends = [columns[0][0]] if n == 1 else [columns[0][0], (columns[0][1] + columns[1][0]) / 2, columns[1][1]]
        return float(self.value(*x)), first, bends

    def check(self, name: str, x: Sequence[float], first: list[float]) -> None:
        """Derivatives of a smooth function are near its differences; else they are of another one.

        Raises
        ------
        Error
        """
        x = list(x[: self.n_arguments])
        size = abs(float(self.value(*x)))
        for by, given in enumerate(first):
            found, is_settled = differences(lambda at: float(self.value(*at.tolist())), x, by)
            if is_settled[0]:
                label = f"function '{name}' at {tuple(x)}: its derivative by argument {by + 1}"
                refuse_derivative(label, given, found[0], size)

    def identity(self, name: str) -> int:
        """Equal of equal functions, as far as their code shows."""
        parts = [name]
        for part in (self.value, self.derivatives, self.second):
            code = getattr(part, "__code__", None)
            parts.append(f"{code.co_code!r}{code.co_consts!r}{code.co_names!r}" if code is not None else repr(type(part)))
        return zlib.crc32("".join(parts).encode()) | 1 << 32


def differences(function: Callable[[np.ndarray], Any], x: Sequence[float], by: int) -> tuple[np.ndarray, np.ndarray]:
    """Derivatives of numbers by `x[by]`, and whether quotients have settled on them. Widths of central differences fall, as
    the function may vary over any distance; of the two successive quotients that differ least the wider one is taken.
    Far outside a corner beside `x` quotients hardly change, but are wrong."""
    found = least = last = bend = np.array([])
    middle = np.asarray(function(np.array(x, dtype=float)), dtype=float).reshape(-1)
    for level in range(_WIDTHS):
        right, left = np.array(x, dtype=float), np.array(x, dtype=float)
        width = _WIDEST / 8**level * max(1.0, abs(x[by]))
        right[by] += width
        left[by] -= width
        ends = [np.asarray(function(at), dtype=float).reshape(-1) for at in (right, left)]
        now = (ends[0] - ends[1]) / (right[by] - left[by])
        now_bend = abs(ends[0] - 2 * middle + ends[1])
        if level == 0:
            found, least = now, np.full(now.shape, _SETTLED)
        else:
            change = np.where(now == last, 0.0, abs(now - last) / np.maximum(np.maximum(abs(now), abs(last)), _TINY))
            is_kinked = (now_bend > _SETTLED * abs(ends[0] - ends[1])) & (now_bend > _KINKED * bend)
            change = np.where(is_kinked, 1.0, change)
            found, least = np.where(change < least, last, found), np.fmin(change, least)
            if np.all((change == 0) | ((least < _SETTLED) & (change > 4 * least))):
                break
        last, bend = now, now_bend
    return found, least < _SETTLED


def refuse_derivative(what: str, given: float, found: float, size: float) -> None:
    """Raises an Error where a derivative that was given is far from a difference quotient of something of that size."""
    if abs(given - found) > 1e-3 * max(abs(given), abs(found)) + 1e-6 * (1 + size):
        raise Error(f"{what} is {given:.6g}, but its differences give {found:.6g}; correct the derivative, or leave it out")


def _count(value: Value) -> int:
    """Arguments without defaults; of what has no signature, one."""
    try:
        parameters = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):
        return 1
    positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) and p.default is p.empty]
    if len(positional) not in (1, 2):
        raise TypeError(f"a function for expressions has one or two arguments, not {len(positional)}")
    return len(positional)


def _numbers(found: Any, n: int) -> list[float]:
    listed = [float(found)] if n == 1 and not isinstance(found, Sequence) and not hasattr(found, "__len__") else [float(x) for x in found]
    if len(listed) != n:
        raise TypeError(f"derivatives of a function are {n} numbers here, not {len(listed)}")
    return listed


class GivenFunctions:
    """All of a model, as the library has them; it lives as long as models that were read with it."""

    def __init__(self, functions: Mapping[str, Union[Function, Value]]):
        if not isinstance(functions, Mapping):
            raise TypeError(f"functions must be a dictionary, as {{'grip': f}}, not {type(functions).__name__}")
        self.functions = {name: f if isinstance(f, Function) else Function(f) for name, f in functions.items()}
        self._kept: list[Any] = []
        self.count = len(self.functions)
        self.c = ffi.new("seam_function[]", self.count + 1)
        for entry, (name, function) in zip(self.c, self.functions.items()):
            self._fill(entry, name, function)

    def _fill(self, entry: Any, name: str, function: Function) -> None:
        text = ffi.new("char[]", c_text(name, "the name of a function"))
        value, n = function.value, function.n_arguments
        left = [0 if function.kinks else _CHECKED]

        if n == 1:

            def call(_data: Any, x: Any) -> float:
                return value(x[0])

        else:

            def call(_data: Any, x: Any) -> float:
                return value(x[0], x[1])

        def fill_jet(_data: Any, x: Any, out: Any) -> None:
            out.value = math.nan  # stays where something is raised
            out.d[0] = out.d[1] = out.dd[0] = out.dd[1] = out.dd[2] = math.nan
            at = [x[0], x[1]]
            found, first, bends = function.jet(at)
            if left[0] > 0:
                left[0] -= 1
                function.check(name, at, first)
            out.d[0], out.d[1] = first if n == 2 else (first[0], 0.0)
            out.dd[0], out.dd[1], out.dd[2] = bends if n == 2 else (bends[0], 0.0, 0.0)
            out.value = found

        call_c = ffi.callback("double(*)(const void *, const double *)", call, error=math.nan, onerror=keep_raised)
        entry.name, entry.n_arguments, entry.law.value = text, n, call_c
        self._kept += [text, call_c]
        if function.derivatives is not None:
            jet_c = ffi.callback("void(*)(const void *, const double *, seam_jet *)", fill_jet, onerror=keep_raised)
            entry.law.jet = jet_c
            self._kept.append(jet_c)
        entry.law.has_kinks = function.kinks
        entry.law.identity = function.identity(name)

    def __reduce__(self) -> tuple[Any, ...]:
        return GivenFunctions, (self.functions,)
