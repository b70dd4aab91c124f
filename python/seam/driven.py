"""What drives a simulation: inputs of the model, and values of its file that become inputs."""
from __future__ import annotations

import difflib
import math
import re
import weakref
from typing import Any, Iterable, Iterator, Mapping, MutableMapping, NamedTuple, Union

from .errors import Error

Given = Union[Mapping[str, float], Iterable[str], None]

_SECTIONS = ("forces", "joints", "measures", "equations", "events", "cosim")


class Declared(NamedTuple):
    """A model whose inputs are known: the variable of the library and the value of each name."""

    model: Any
    variables: dict[str, str]
    values: dict[str, float]


def declare(model: Any, inputs: Given) -> Declared:
    """The inputs of a model, `fmu: inputs` of its file, and what else is to become one.

    Parameters
    ----------
    inputs
        Values at the start by name, or names alone. "force.torque", "equations.input" or a path of the file: what stands
        there becomes an input.
    """
    given = dict(inputs) if isinstance(inputs, Mapping) else dict.fromkeys(_names(inputs))
    values = {name: _start(entry) for name, entry in _listed(model).items()}
    variables = {name: name for name in values}
    overrides: dict[str, Any] = {}
    for name, start in given.items():
        if name in values:
            values[name] = values[name] if start is None else checked(name, start)
            is_map = isinstance(_listed(model)[name], Mapping)
            overrides[f"fmu.inputs.{name}{'.start' if is_map else ''}"] = values[name]
            continue
        path = path_of(model, name)
        variables[name] = _variable(name, variables.values())
        values[name] = _present(model, name, path) if start is None else checked(name, start)
        overrides[f"fmu.inputs.{variables[name]}"] = values[name]
        overrides[path] = variables[name]
    try:
        return Declared(model.varied(overrides), variables, values)
    except Error as refused:
        made = [name for name, variable in variables.items() if name != variable]
        if not made:
            raise
        names = " or ".join(f"'{name}'" for name in made)
        raise Error(
            f"{names} cannot be an input: an input can drive laws of force elements and equations, not numbers or motions\n{refused}"
        ) from refused


def _names(inputs: Any) -> list[str]:
    return [inputs] if isinstance(inputs, str) else list(inputs or ())


def _listed(model: Any) -> Mapping[str, Any]:
    return (model.effective.get("fmu") or {}).get("inputs") or {}


def _start(entry: Any) -> float:
    return float(entry.get("start", 0) if isinstance(entry, Mapping) else entry)


def checked(name: str, value: Any) -> float:
    """A finite number."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"input '{name}' takes a number, not {type(value).__name__}") from None
    if not math.isfinite(number):
        raise Error(f"input '{name}' is set to {number}, which is not finite")
    return number


def path_of(model: Any, name: str) -> str:
    """Where the value stands in the file."""
    first, *rest = name.split(".")
    effective = model.effective
    if rest and first in _SECTIONS and first in effective:
        return name
    if rest and first in (effective.get("equations") or {}):
        return ".".join(("equations", first, "inputs", *rest))
    for section in ("forces", "joints"):
        if rest and first in (effective.get(section) or {}):
            return f"{section}.{name}"
    known = [*_listed(model), *(effective.get("forces") or {}), *(effective.get("equations") or {})]
    near = difflib.get_close_matches(first, known, 1)
    hint = f"did you mean '{near[0]}'?" if near else "name one under 'fmu: inputs', or ELEMENT.KEY of a force element"
    raise Error(f"the model has no input '{name}'; {hint}")


def _present(model: Any, name: str, path: str) -> float:
    """The number that stands there."""
    at: Any = model.effective
    for key in path.split("."):
        at = at.get(key) if isinstance(at, Mapping) else None
    try:
        return float(at)
    except (TypeError, ValueError):
        raise Error(f"input '{name}' has no number in the file to start from; give one: inputs={{'{name}': 0}}") from None


def _variable(name: str, taken: Iterable[str]) -> str:
    """A name that laws can read."""
    made = "input_" + re.sub(r"\W", "_", name, flags=re.ASCII)
    while made in taken:
        made += "_"
    return made


class Inputs(MutableMapping[str, float]):
    """Values of the inputs of a simulation by name. What is set acts from the present time on."""

    def __init__(self, simulation: Any):
        self._simulation = weakref.proxy(simulation)  # in no circle, so that what it holds is freed at once
        self._values: dict[str, float] = {}
        self._changed: dict[str, float] = {}

    def _take(self, values: Mapping[str, float]) -> None:
        """They are those of the library now."""
        self._values.update(values)
        self._changed.clear()

    def _replace(self, values: Mapping[str, float]) -> None:
        """These are the inputs now, and no others."""
        self._values = dict(values)
        self._changed.clear()

    def __getitem__(self, name: str) -> float:
        if name in self._changed:
            return self._changed[name]
        if name not in self._values:
            raise self._unknown(name)
        return self._values[name]

    def __setitem__(self, name: str, value: float) -> None:
        value = checked(name, value)
        if name not in self._values:
            self._simulation._check_new(name)
        if self._values.get(name) == value:
            self._changed.pop(name, None)
        else:
            self._changed[name] = value

    def __delitem__(self, name: str) -> None:
        raise TypeError("an input of a simulation cannot be deleted; set its value instead")

    def __iter__(self) -> Iterator[str]:
        return iter({**self._values, **self._changed})

    def __len__(self) -> int:
        return len({**self._values, **self._changed})

    def __repr__(self) -> str:
        return f"<seam inputs {({**self._values, **self._changed})!r}>"

    def _unknown(self, name: str) -> Error:
        near = difflib.get_close_matches(name, list(self._values), 1)
        hint = f"did you mean '{near[0]}'?" if near else f"make it one: simulation(inputs={{'{name}': 0}})"
        return Error(f"the simulation has no input '{name}'; {hint}")
