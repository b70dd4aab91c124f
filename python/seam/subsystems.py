"""Subsystems of a co-simulation that are written in Python: equations, sampled equations, or any code that takes a step."""
from __future__ import annotations

import json
import math
from typing import Any, Callable, Mapping, Optional, Sequence

import numpy as np

from ._library import c_text, call, ffi, keep_raised, lib
from .errors import Error
from .functions import differences, refuse_derivative

_CHECKED = 3  # first evaluations of derivatives, which are compared with differences
_METHODS = {"euler": 0, "symplectic_euler": 1, "rk2": 2, "rk4": 3, "erk": 4}  # cosim_ode_method


class _Named:
    """What all subsystems have."""

    inputs: Sequence[str] = ()
    outputs: Sequence[str] = ()


class Equations(_Named):
    """x' = f(t, x, u), y = g(t, x, u): the library integrates them. Derive a class, and write `rates` and `values`.

    Attributes
    ----------
    inputs, outputs : sequence of str
        Names of u and y.
    states : dict
        Names of x, with their values at the start.
    method : str
        "erk" (error-controlled), "euler", "symplectic_euler", "rk2", "rk4".
    order, rtol, atol
        Of "erk".
    micro_steps : int
        Of the others, in each macro step.
    """

    states: Mapping[str, float] = {}
    method, order, rtol, atol, micro_steps = "erk", 5, 1e-8, 1e-10, 10
    jacobians: Optional[Callable[..., Any]] = None
    """Derivatives, where a class has them: jacobians(t, x, u) returns ∂f/∂x, ∂f/∂u, ∂g/∂x, ∂g/∂u as matrices, in their
    rows what changes. Correctors use them; else they take differences of steps."""

    def rates(self, t: float, x: np.ndarray, u: np.ndarray) -> Any:
        """f"""
        raise NotImplementedError("write rates(self, t, x, u)")

    def values(self, t: float, x: np.ndarray, u: np.ndarray) -> Any:
        """g"""
        raise NotImplementedError("write values(self, t, x, u)")


class Sampled(_Named):
    """At the times k T: x+ = f(t, x, u), y = g(t, x, u); in between both are held. Derive a class, and write `values` and,
    where there are states, `updates`.

    Attributes
    ----------
    inputs, outputs, states
        As of `Equations`.
    period : float
        T in s.
    """

    states: Mapping[str, float] = {}
    period: float = math.nan

    def updates(self, t: float, x: np.ndarray, u: np.ndarray) -> Any:
        """f"""
        raise NotImplementedError("write updates(self, t, x, u)")

    def values(self, t: float, x: np.ndarray, u: np.ndarray) -> Any:
        """g"""
        raise NotImplementedError("write values(self, t, x, u)")


class Held:
    """Inputs of a subsystem over a macro step: polynomials, as the coupling extrapolates them. They may be kept."""

    def __init__(self, step: Any, count: int):
        self._t, self._H, self._count = step.t, step.H, count
        self._signals = ffi.new("cosim_signal[]", max(count, 1))
        ffi.memmove(self._signals, step.inputs, count * ffi.sizeof("cosim_signal"))

    def _at(self, tau: float) -> np.ndarray:
        return np.array([lib.cosim_signal_value(self._signals + i, tau) for i in range(self._count)])

    def __call__(self, t: float) -> np.ndarray:
        """Their values at a time of the step."""
        return self._at((t - self._t) / self._H)

    @property
    def begin(self) -> np.ndarray:
        return self._at(0.0)

    @property
    def end(self) -> np.ndarray:
        return self._at(1.0)


class Subsystem(_Named):
    """Any code that takes a step. Derive a class, and write `advance`.

    Attributes
    ----------
    inputs, outputs : sequence of str
        Names.
    n_state : int or None
        How many numbers its state has. None: it cannot go back, so that only explicit schemes may couple it, and a
        simulation with it cannot be saved.
    state : numpy.ndarray
        (n_state) its state, zeros at first. The library saves and restores it; keep all that changes in it, or override
        `save` and `restore`.
    """

    n_state: Optional[int] = None
    state: np.ndarray

    def first(self) -> Any:
        """Outputs at the start. Default: zeros."""
        return np.zeros(len(self.outputs))

    def advance(self, t: float, h: float, u: Held) -> Any:
        """Takes a step from t to t + h under the inputs `u(time)`; returns the outputs at its end, under `u.end`."""
        raise NotImplementedError("write advance(self, t, h, u)")

    def save(self) -> Any:
        """Its state as `n_state` numbers."""
        return self.state

    def restore(self, state: np.ndarray) -> None:
        """Goes back to such a state."""
        self.state = state  # one that was set by `advance` may be of integers


# ---- Parts of the library ----

_parts: dict[int, "_Part"] = {}  # by the address of their cosim_part, as long as that lives


def _array(pointer: Any, count: int) -> np.ndarray:
    """Numbers of the library, for as long as the callback lasts."""
    if count == 0:
        return np.empty(0)
    return np.frombuffer(ffi.buffer(pointer, 8 * count), dtype=float)


def _copied(pointer: Any, count: int) -> np.ndarray:
    """The same for functions of the user, which may keep or change them."""
    return _array(pointer, count).copy()


def _checked(found: Any, count: int, what: str) -> np.ndarray:
    values = np.asarray(found, dtype=float).reshape(-1)
    if values.shape != (count,):
        raise ValueError(f"{what} returned {values.size} numbers in place of {count}")
    return values


def _failing(status: Any) -> Any:
    """onerror of callbacks that return a status."""

    def keep(kind: Any, value: BaseException, trace: Any) -> Any:
        keep_raised(kind, value, trace)
        return status

    return keep


def _key(base: Any) -> int:
    return int(ffi.cast("uintptr_t", base))


def _fail(error: Any, status: int, message: str) -> int:
    return lib.seam_fail(error, status, b"%s", ffi.new("char[]", message.encode()))


class _Part:
    """A black box as the library has it. Its state is that of the object, and its last outputs."""

    def __init__(self, name: str, box: Subsystem):
        self.name, self.box = name, box
        self.n_inputs, self.n_outputs = len(box.inputs), len(box.outputs)
        self.n_own = box.n_state or 0
        if box.n_state is not None:
            box.state = np.zeros(self.n_own)
        self.last = _checked(box.first(), self.n_outputs, f"{name}.first()").copy()
        n_state = self.n_own + self.n_outputs
        fields = {"ops": _ops if box.n_state is not None else _ops_without_images, "n_inputs": self.n_inputs}
        self.c = ffi.new("cosim_part *", {**fields, "n_outputs": self.n_outputs, "n_state": n_state})
        _parts[_key(self.c)] = self

    def advance(self, step: Any, outputs: Any, error: Any) -> int:
        found = self.box.advance(step.t, step.H, Held(step, self.n_inputs))
        values = _checked(found, self.n_outputs, f"{self.name}.advance()")
        bad = np.flatnonzero(~np.isfinite(values))
        if bad.size:
            at = f"t = {step.t + step.H:.9g} s: output '{self.name}.{self.box.outputs[bad[0]]}' is {values[bad[0]]}"
            return _fail(error, lib.SEAM_NOT_FINITE, at)
        self.last[:] = values
        if self.n_outputs:
            ffi.memmove(outputs, values, 8 * self.n_outputs)
        return lib.SEAM_OK


@ffi.callback(
    "seam_status(*)(cosim_part *, const cosim_step *, double *, double *, seam_error *)",
    error=1,
    onerror=_failing(lib.SEAM_STEP_FAILED),
)
def _advance(base: Any, step: Any, outputs: Any, _derivatives: Any, error: Any) -> int:
    part = _parts[_key(base)]
    try:
        return part.advance(step, outputs, error)
    except BaseException as found:
        _fail(error, lib.SEAM_STEP_FAILED, f"t = {step.t:.9g} s: subsystem '{part.name}': {type(found).__name__}: {found}")
        raise


@ffi.callback("void(*)(cosim_part *, double *)", onerror=keep_raised)
def _get_outputs(base: Any, outputs: Any) -> None:
    part = _parts[_key(base)]
    _array(outputs, part.n_outputs)[:] = part.last


@ffi.callback("void(*)(const cosim_part *, double *)", onerror=keep_raised)
def _save(base: Any, state: Any) -> None:
    part = _parts[_key(base)]
    numbers = _array(state, part.n_own + part.n_outputs)
    numbers[:] = math.nan  # where something is raised
    numbers[: part.n_own] = _checked(part.box.save(), part.n_own, f"{part.name}.save()")
    numbers[part.n_own :] = part.last


@ffi.callback("void(*)(cosim_part *, const double *)", onerror=keep_raised)
def _restore(base: Any, state: Any) -> None:
    part = _parts[_key(base)]
    numbers = _array(state, part.n_own + part.n_outputs)
    part.box.restore(_copied(state, part.n_own))
    part.last[:] = numbers[part.n_own :]


@ffi.callback("void(*)(cosim_part *)", onerror=keep_raised)
def _destroy(base: Any) -> None:
    _parts.pop(_key(base), None)


_ops = ffi.new(
    "cosim_part_ops *",
    {"advance": _advance, "get_outputs": _get_outputs, "save": _save, "restore": _restore, "destroy": _destroy},
)
_ops_without_images = ffi.new("cosim_part_ops *", {"advance": _advance, "get_outputs": _get_outputs, "destroy": _destroy})


# ---- Equations ----


class _Functions:
    """Equations as the library has them: definitions with callbacks, for all parts that are made of them."""

    def __init__(self, name: str, of: Any):
        self.of, self.name = of, name
        self.n = len(of.states), len(of.inputs), len(of.outputs)
        self._kept: list[Any] = [ffi.new("char[]", name.encode())]
        texts = [ffi.new("char[]", c_text(state, "the name of a state")) for state in of.states]
        self._kept += texts
        self.states = ffi.new("const char *[]", texts + [ffi.NULL])
        self.start = ffi.new("double[]", [float(x) for x in of.states.values()] + [0.0])
        self._left = _CHECKED

    def common(self) -> dict[str, Any]:
        n_states, n_inputs, n_outputs = self.n
        numbers = {"n_states": n_states, "n_inputs": n_inputs, "n_outputs": n_outputs}
        return {"name": self._kept[0], "states": self.states, "start": self.start, **numbers}

    def _check(self, t: float, x: np.ndarray, u: np.ndarray, matrices: list[np.ndarray]) -> None:
        """Derivatives are near differences, column by column; else they are of other equations."""
        n_states = self.n[0]
        start = np.concatenate((x, u))
        for kind, (function, what) in enumerate(((self.of.rates, "rates"), (self.of.values, "values"))):
            sizes = abs(np.asarray(function(t, np.array(x), np.array(u)), dtype=float).reshape(-1))
            for by in range(len(start)):
                found, is_settled = differences(lambda at: function(t, at[:n_states], at[n_states:]), start, by)
                of_input = by >= n_states
                column = matrices[2 * kind + of_input][:, by - n_states * of_input]
                for row in np.flatnonzero(is_settled):
                    label = f"subsystem '{self.name}' at t = {t:.9g} s: in jacobians(), row {row + 1}, column {by - n_states * of_input + 1} of {what} by {'xu'[of_input]}"
                    refuse_derivative(label, column[row], found[row], sizes[row])

    def map(self, function: Callable[..., Any], count: int, what: str) -> Any:
        """A C function of (t, x, u) that writes so many numbers."""
        n_states, n_inputs, _ = self.n

        def write(_context: Any, t: float, x: Any, u: Any, to: Any) -> None:
            numbers = _array(to, count)
            numbers[:] = math.nan  # where something is raised
            numbers[:] = _checked(function(t, _copied(x, n_states), _copied(u, n_inputs)), count, what)

        made = ffi.callback("void(*)(const void *, double, const double *, const double *, double *)", write, onerror=keep_raised)
        self._kept.append(made)
        return made

    def along(self, which: int, count: int) -> Any:
        """The derivative of rates (0) or values (2) along (dx, du)."""
        n_states, n_inputs, n_outputs = self.n
        shapes = ((n_states, n_states), (n_states, n_inputs), (n_outputs, n_states), (n_outputs, n_inputs))

        def write(_context: Any, t: float, x: Any, u: Any, dx: Any, du: Any, to: Any) -> None:
            numbers = _array(to, count)
            numbers[:] = math.nan
            found = self.of.jacobians(t, _copied(x, n_states), _copied(u, n_inputs))
            if len(found) != 4:
                raise ValueError(f"{self.name}.jacobians() returns four matrices")
            matrices = [np.asarray(matrix, dtype=float).reshape(shape) for matrix, shape in zip(found, shapes)]
            if self._left > 0:
                self._left -= 1
                self._check(t, _array(x, n_states), _array(u, n_inputs), matrices)
            numbers[:] = matrices[which] @ _array(dx, n_states) + matrices[which + 1] @ _array(du, n_inputs)

        signature = "void(*)(const void *, double, const double *, const double *, const double *, const double *, double *)"
        made = ffi.callback(signature, write, onerror=keep_raised)
        self._kept.append(made)
        return made


class _OdeDefinition(_Functions):
    def __init__(self, name: str, of: Equations):
        super().__init__(name, of)
        if of.method not in _METHODS:
            raise Error(f"subsystem '{name}': '{of.method}' is not a method; take one of {', '.join(_METHODS)}")
        is_controlled = of.method == "erk"
        steps = {"order": of.order, "rtol": of.rtol, "atol": of.atol} if is_controlled else {"micro_steps": of.micro_steps}
        n_states, _, n_outputs = self.n
        functions = {"outputs": self.map(of.values, n_outputs, f"{name}.values()")}
        if n_states:
            functions["rates"] = self.map(of.rates, n_states, f"{name}.rates()")
        if of.jacobians is not None and n_states:
            functions["rates_along"], functions["outputs_along"] = self.along(0, n_states), self.along(2, n_outputs)
        self.c = ffi.new("cosim_ode_def *", {**self.common(), "method": _METHODS[of.method], **steps, **functions})

    def create(self, part: Any) -> None:
        call(lib.cosim_ode_part_create, self.c, part)


class _SampledDefinition(_Functions):
    def __init__(self, name: str, of: Sampled):
        super().__init__(name, of)
        n_states, _, n_outputs = self.n
        updates = self.map(of.updates if n_states else lambda t, x, u: (), n_states, f"{name}.updates()")
        functions = {"outputs": self.map(of.values, n_outputs, f"{name}.values()"), "updates": updates}
        self.c = ffi.new("cosim_sampled_def *", {**self.common(), "period": float(of.period), **functions})

    def create(self, part: Any) -> None:
        call(lib.cosim_sampled_part_create, self.c, part)


# ---- What a model has of them ----


@ffi.callback("seam_status(*)(const void *, cosim_part **, seam_error *)", error=1, onerror=_failing(lib.SEAM_BAD_INPUT))
def _create(context: Any, part: Any, error: Any) -> int:
    given = ffi.from_handle(context)
    try:
        given.create(part)
    except BaseException as found:
        _fail(error, lib.SEAM_BAD_INPUT, f"subsystem '{given.name}': {type(found).__name__}: {found}")
        raise
    return lib.SEAM_OK


class GivenSubsystem:
    """A subsystem of a model: what makes its parts, one for each simulation."""

    def __init__(self, name: str, make: Callable[[], Any]):
        if not callable(make):
            raise TypeError(f"subsystem '{name}': give a class, or a function that makes an object of one, not {type(make).__name__}")
        self.name, self.make = name, make
        one = self._made()
        self.inputs, self.outputs = list(one.inputs), list(one.outputs)
        self._handle = ffi.new_handle(self)
        self._inputs, self._outputs = self._texts(self.inputs), self._texts(self.outputs)
        kinds = {Equations: _OdeDefinition, Sampled: _SampledDefinition}
        definitions = [define for kind, define in kinds.items() if isinstance(one, kind)]
        self._definition = definitions[0](name, one) if definitions else None  # equations have no state of their own
        counts = {"n_inputs": len(self.inputs), "n_outputs": len(self.outputs), "identity": 0}
        made = {"create": _create, "context": self._handle, "inputs": self._inputs[0], "outputs": self._outputs[0]}
        self.c = ffi.new("cosim_user_part *", {**made, **counts})

    def _made(self) -> Any:
        one = self.make()
        if not isinstance(one, (Equations, Sampled, Subsystem)):
            raise TypeError(f"subsystem '{self.name}' must be seam.Equations, seam.Sampled or seam.Subsystem, not {type(one).__name__}")
        return one

    @staticmethod
    def _texts(names: Sequence[str]) -> tuple[Any, list[Any]]:
        kept = [ffi.new("char[]", c_text(name, "the name of a signal")) for name in names]
        return ffi.new("const char *[]", kept + [ffi.NULL]), kept

    def create(self, part: Any) -> None:
        """Fills a cosim_part **."""
        if self._definition is not None:
            self._definition.create(part)
        else:
            part[0] = _Part(self.name, self._made()).c


class GivenSubsystems:
    """All of a model, by name."""

    def __init__(self, subsystems: Mapping[str, Callable[[], Any]]):
        if not isinstance(subsystems, Mapping):
            raise TypeError(f"subsystems must be a dictionary, as {{'motor': Motor}}, not {type(subsystems).__name__}")
        self.makers = dict(subsystems)
        self.parts = [GivenSubsystem(name, make) for name, make in self.makers.items()]

    def overrides(self) -> tuple[str, ...]:
        """What stands for them in the model file, whose signals and couplings name them."""
        found = []
        for part in self.parts:
            entry = {"inputs": part.inputs, "outputs": {name: 0 for name in part.outputs}}
            found.append(f"cosim.subsystems.{part.name}={json.dumps(entry)}")
        return tuple(found)

    def put_into(self, builder: Any) -> None:
        """They take the places of their entries."""
        for part in self.parts:
            call(lib.cosim_replace_user_part, builder, c_text(part.name, "the name of a subsystem"), part.c)

    def __reduce__(self) -> tuple[Any, ...]:
        return GivenSubsystems, (self.makers,)
