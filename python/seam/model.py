"""Models: files, texts, dictionaries or names of the catalogue, with values changed."""
from __future__ import annotations

import difflib
import json
import os
import pathlib
from typing import Any, Callable, Mapping, NamedTuple, Optional, Sequence, Union

from ._library import c_text, call, create, ffi, lent, lib, text, texts
from .errors import Error
from .functions import Function, GivenFunctions, Value
from .operating import OperatingPoints, State
from .pictures import Picture, drawing
from .runs import Runs
from .studies import Studies
from .subsystems import GivenSubsystems

Source = Union[str, "os.PathLike[str]", Mapping[str, Any]]
Overrides = Mapping[str, Any]

_LARGEST = 50 * 1000 * 1000  # bytes of a text that the library reads


def catalogue() -> list[str]:
    """Names of the models that the library brings along."""
    return [text(lib.seam_catalogue_name(i)) or "" for i in range(lib.seam_catalogue_size())]


def catalogue_text(name: str) -> str:
    """The file of a model of the catalogue.

    Raises
    ------
    Error
        There is no such model.
    """
    found = text(lib.seam_catalogue_text(c_text(name, "the name of a model")))
    if found is None:
        raise _no_such(name, "the name of a model")
    return found


def _no_such(name: str, what: str) -> Error:
    near = difflib.get_close_matches(name, catalogue(), 1)
    hint = f"did you mean '{near[0]}'?" if near else "seam.catalogue() lists the catalogue"
    return Error(f"'{name}' is neither {what} nor a model of the catalogue; {hint}", "the file cannot be read or written")


def value_text(value: Any) -> str:
    """A value as model files have it; numbers read back to the bit."""
    if isinstance(value, str):
        return value
    return json.dumps(value, default=_plain)


def _override_texts(overrides: Overrides) -> tuple[str, ...]:
    if not isinstance(overrides, Mapping):
        raise TypeError(f"overrides must be a dictionary, as {{'parameters.k': 1e4}}, not {type(overrides).__name__}")
    return tuple(f"{key}={value_text(value)}" for key, value in overrides.items())


def _plain(value: Any) -> Any:
    """Numbers and lists of NumPy as those of Python."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"a model file cannot contain a value of the type {type(value).__name__}")


class Given(NamedTuple):
    """What Python gives to a model file."""

    functions: GivenFunctions
    subsystems: GivenSubsystems


class Model(Runs, Studies, OperatingPoints):
    """A mechanism as a model file describes it. It does not change, and any number of threads may use it.

    Parameters
    ----------
    source
        Path of a model file; name of a model of the catalogue, where there is no such file; text of a model file, which
        has more than one line; or a dictionary of the same structure.
    overrides
        Values in place of the file's by their path, as ``{"parameters.k": 1e4}``.
    name
        Stands for the path in messages about a text or dictionary.
    functions
        Functions of Python that expressions of the file may call, by name: f(x) or f(x, y), or a `Function` with
        derivatives.
    subsystems
        Subsystems of `cosim` that are written in Python, by name: classes derived from `Equations`, `Sampled` or
        `Subsystem`, or functions that make an object of one. Signals and couplings of the file name them.

    Raises
    ------
    Error
        The model is wrong; the message shows the line.
    """

    def __init__(
        self,
        source: Source,
        overrides: Optional[Overrides] = None,
        *,
        name: Optional[str] = None,
        functions: Optional[Mapping[str, Union[Function, Value]]] = None,
        subsystems: Optional[Mapping[str, Callable[[], Any]]] = None,
    ):
        self._path, self._text = _read(source, name)
        self._given = Given(GivenFunctions(functions or {}), GivenSubsystems(subsystems or {}))
        self._open(_override_texts(overrides or {}))

    def _open(self, overrides: tuple[str, ...]) -> None:
        self._overrides = overrides
        self._file = self._parse()
        self._mechanism = lent(lib.seam_model_mechanism(self._file), self._file)
        self._effective: Optional[dict[str, Any]] = None

    def _parse(self) -> Any:
        overrides = (*self._given.subsystems.overrides(), *self._overrides)
        items, _kept = texts(overrides)
        count = len(overrides)
        path = c_text(self._path, "the path")
        if self._text is None:  # the library says why the file cannot be read
            if self._given.functions.count > 0:
                raise Error(f"{self._path}: 'functions' can be given only with a model file (.yaml)")
            return create("seam_model_file", lib.seam_model_file_read, lib.seam_model_file_destroy, path, items, count)
        text_of_file = (self._text, len(self._text))
        functions = (self._given.functions.c, self._given.functions.count)
        made = (path, *text_of_file, items, count, *functions)
        parse = lib.seam_model_file_parse_with
        return create("seam_model_file", parse, lib.seam_model_file_destroy, *made, keep=self._given)

    def varied(self, overrides: Overrides) -> "Model":
        """The same model with other values, on top of those that it has."""
        return self.with_texts(_override_texts(overrides))

    def with_texts(self, overrides: Sequence[str]) -> "Model":
        """The same of texts KEY=VALUE, as --set of the command has them."""
        if not overrides:
            return self
        return _restored(type(self), self._path, self._text, (*self._overrides, *overrides), self._given)

    def __reduce__(self) -> tuple[Any, ...]:
        """For other processes, which read the text again."""
        return _restored, (type(self), self._path, self._text, self._overrides, self._given)

    def _varied_by(self, overrides: Optional[Overrides], keys: Mapping[str, Any]) -> "Model":
        """The same with overrides, and with those keys that have a value."""
        return self.varied({**(overrides or {}), **{key: value for key, value in keys.items() if value is not None}})

    def draw(self, *, cuts: bool = True) -> Picture:
        """The assembled start, as `seam draw` draws it; `cuts`: with subsystems and couplings."""
        state = State(self, whole=False).assemble()
        return drawing(self, state.row(), cuts)

    def __repr__(self) -> str:
        return f"<seam.Model {self.name!r}: {len(self.bodies)} bodies, {len(self.joints)} joints, {len(self.forces)} force elements>"

    @property
    def name(self) -> str:
        """As the file names it."""
        return text(lib.seam_model_name(self._file)) or ""

    @property
    def bodies(self) -> list[str]:
        """Names of the bodies, without the ground."""
        return self._names(lib.mbs_n_bodies, lib.mbs_body_of)

    @property
    def joints(self) -> list[str]:
        """Names of the joints."""
        return self._names(lib.mbs_n_joints, lib.mbs_joint_of)

    @property
    def forces(self) -> list[str]:
        """Names of the force elements."""
        return list(dict.fromkeys(self._names(lib.mbs_n_forces, lib.mbs_force_of)))

    @property
    def effective(self) -> dict[str, Any]:
        """The model with overrides applied and all numbers evaluated."""
        if self._effective is None:
            found = text(lib.seam_model_json(self._file))
            if found is None:
                raise MemoryError
            self._effective = json.loads(found)
        return self._effective

    @property
    def parameters(self) -> dict[str, float]:
        """Values of the parameters."""
        return dict(self.effective.get("parameters", {}))

    def _names(self, count: Any, info: Any) -> list[str]:
        return [text(info(self._mechanism, i).name) or "" for i in range(count(self._mechanism))]

    def _place(self, error: Any) -> None:
        """Puts the place in the file before the message of a refusal."""
        lib.seam_model_place(self._file, error)

    def _check_whole(self) -> None:
        """What is written in Python is a part of co-simulations only."""
        for name in self._given.subsystems.makers:
            raise Error(
                f"subsystem '{name}' is written in Python, so that the model can be neither integrated nor linearised "
                "as a whole; co-simulate it with cosim() or simulation(cut=True)"
            )

    def _whole(self) -> Any:
        """The mechanism with user equations and signals in it, which is integrated as a whole."""
        self._check_whole()
        if lib.mbs_n_bodies(self._mechanism) == 0:
            raise Error("the model has no bodies, only user equations; run it with cosim()")
        made = ffi.new("const mbs_model **")
        call(lib.seam_model_whole, self._file, made)
        return lent(made[0], self._file)


def _restored(
    kind: type, path: str, text_of_file: Optional[bytes], overrides: tuple[str, ...], given: Given
) -> "Model":
    """A model of a text that was read before."""
    made = object.__new__(kind)
    made._path, made._text, made._given = path, text_of_file, given
    made._open(overrides)
    return made


def _read(source: Source, name: Optional[str]) -> tuple[str, Optional[bytes]]:
    """The name and the text of a model; None where there is no text, but a path that the library shall read."""
    if isinstance(source, Mapping):
        return name or "model", json.dumps(source, default=_plain).encode()
    if isinstance(source, os.PathLike):
        return _read_file(os.fsdecode(source))
    if not isinstance(source, str):
        raise TypeError(f"a model is a path, a name of the catalogue, a text or a dictionary, not {type(source).__name__}")
    if "\n" in source:
        return name or "model", source.encode()
    found = lib.seam_catalogue_text(c_text(source, "the name of a model"))
    path = pathlib.Path(source)
    if path.exists() and not (found != ffi.NULL and path.is_dir()):
        return _read_file(source)
    if found == ffi.NULL:
        raise _no_such(source, "a file")
    return name or source, ffi.string(found)


def _read_file(path: str) -> tuple[str, Optional[bytes]]:
    """Its text, which stays the same when the model is varied; of more than the library reads only so much that it says
    so. A system of FMUs (.ssp) is an archive."""
    if path.endswith(".ssp"):
        return path, None
    try:
        with open(path, "rb") as file:
            return path, file.read(_LARGEST + 1)
    except (OSError, ValueError):  # a NUL in the path is not the system's error
        return path, None
