"""Tables of numbers by the names of their columns, and the results of a run."""
from __future__ import annotations

import difflib
from typing import Any, Iterator, Mapping, NamedTuple, Optional

import numpy as np

from . import pictures
from ._library import ffi, lib, text
from .pictures import Picture
from .verdict import Verdict, of_summary


class Column(NamedTuple):
    """What a column of a table is."""

    name: str  #: "crank.omega"
    element: str  #: body, joint, force element, coupling, bond or signal
    quantity: str  #: "omega"; "" where the element is named alone
    unit: str  #: "rad/s"; "" where there is none
    meaning: str  #: in a few words


def columns_of(table: Any) -> tuple[Column, ...]:
    """The columns of a seam_table."""
    found = []
    for i in range(lib.seam_table_n_columns(table)):
        column = lib.seam_table_column(table, i)
        found.append(Column(*(text(getattr(column, field)) or "" for field in Column._fields)))
    return tuple(found)


def array_at(pointer: Any, shape: tuple[int, ...]) -> np.ndarray:
    """Numbers of the library as a read-only array, without a copy: it lives no longer than they do."""
    count = int(np.prod(shape))
    if count == 0:
        return np.empty(shape)
    data = np.frombuffer(ffi.buffer(pointer, count * ffi.sizeof("double")), dtype=float).reshape(shape)
    data.flags.writeable = False
    return data


class Table:
    """Rows of numbers whose columns have names and units.

    Attributes
    ----------
    values : numpy.ndarray
        (rows, columns), float64, read-only.
    columns : dict
        A `Column` for each name, in their order.
    labels : dict
        Texts of the rows, such as names of events; empty where there are none.
    """

    def __init__(
        self, columns: tuple[Column, ...], values: np.ndarray, labels: Optional[Mapping[str, list[str]]] = None
    ):
        self.columns = {column.name: column for column in columns}
        self.values = values
        self.labels = dict(labels or {})
        self._number = {column.name: i for i, column in enumerate(columns)}

    def __len__(self) -> int:
        return len(self.values)

    def __contains__(self, name: object) -> bool:
        return name in self._number

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __getitem__(self, name: str) -> np.ndarray:
        """A column, as a view."""
        if name in self.labels:
            return np.array(self.labels[name])
        try:
            return self.values[:, self._number[name]]
        except KeyError:
            raise _no_column(name, [*self.labels, *self.columns]) from None

    def __repr__(self) -> str:
        return f"<seam.Table: {len(self)} rows of {len(self.columns)} columns>"

    def to_pandas(self) -> Any:
        """A pandas.DataFrame; the index is the first column, units are in ``attrs["units"]``."""
        import pandas

        names = list(self.columns)
        frame = pandas.DataFrame(self.values, columns=names)
        for place, (label, entries) in enumerate(self.labels.items()):
            frame.insert(place, label, entries)
        frame.attrs["units"] = {name: column.unit for name, column in self.columns.items()}
        return frame.set_index(names[0])

    def to_xarray(self) -> Any:
        """An xarray.Dataset; the first column is the coordinate, units and meanings are attributes."""
        import xarray

        first, *names = self.columns
        data = {name: (first, self[name], self._attributes(name)) for name in names}
        data.update({name: (first, self[name]) for name in self.labels})
        return xarray.Dataset(data, coords={first: (first, self[first], self._attributes(first))})

    def _attributes(self, name: str) -> dict[str, str]:
        column = self.columns[name]
        return {"units": column.unit, "long_name": column.meaning, "element": column.element, "quantity": column.quantity}


def _no_column(name: str, names: list[str]) -> KeyError:
    near = difflib.get_close_matches(name, names, 1)
    hint = f"did you mean '{near[0]}'?" if near else "'columns' has the names"
    return KeyError(f"there is no column '{name}'; {hint}")


class Results:
    """What a run leaves: ``r["disc.y"]`` is a column of whichever table has it.

    Attributes
    ----------
    trajectory : Table or None
        A row for each output time.
    couplings, signals : Table or None
        A row for each macro point of a co-simulated run.
    events : Table or None
        A row for each event and impact.
    summary : dict
        As summary.json of the command: verdict, statistics, energy, residuals, columns, model.
    model : Model or None
        The one that was run, with its overrides.
    """

    def __init__(self, tables: Mapping[str, Optional[Table]], summary: dict[str, Any], model: Any = None):
        self.trajectory = tables.get("trajectory")
        self.couplings = tables.get("couplings")
        self.signals = tables.get("signals")
        self.events = tables.get("events")
        self.summary = summary
        self.model = model

    @property
    def _tables(self) -> list[Table]:
        return [table for table in (self.trajectory, self.couplings, self.signals) if table is not None]

    @property
    def columns(self) -> dict[str, Column]:
        """What each column is; those of the trajectory first."""
        return {name: column for table in reversed(self._tables) for name, column in table.columns.items()}

    @property
    def verdict(self) -> Verdict:
        """How far the run is from the truth: `word`, `error`, `energy`, `constraints`."""
        return of_summary(self.summary["verdict"])

    @property
    def message(self) -> str:
        """What the verdict says beside; "" of a run that is neither wrong nor failed."""
        return self.summary["verdict"]["message"]

    @property
    def time(self) -> np.ndarray:
        """s, of the rows of the trajectory."""
        return self["time"]

    def __getitem__(self, name: str) -> np.ndarray:
        for table in self._tables:
            if name in table:
                return table[name]
        raise _no_column(name, [name for table in self._tables for name in table])

    def __contains__(self, name: object) -> bool:
        return any(name in table for table in self._tables)

    def __len__(self) -> int:
        return len(self._tables[0]) if self._tables else 0

    def __repr__(self) -> str:
        return f"<seam.Results: {self.verdict.word or self.verdict.status}, {len(self)} rows>"

    def to_pandas(self) -> Any:
        """The trajectory as a pandas.DataFrame."""
        return self._tables[0].to_pandas()

    def to_xarray(self) -> Any:
        """The trajectory as an xarray.Dataset."""
        return self._tables[0].to_xarray()

    def animate(self, ghost: "Optional[Results]" = None, *, speed: Optional[float] = None, cuts: bool = True) -> Picture:
        """The mechanism in motion, as `seam animate` draws it.

        Parameters
        ----------
        ghost
            Another run, whose bodies are drawn by dashed lines beside.
        speed
            s of the motion in a second; default: 1, where it lasts 2 to 20 s.
        cuts
            Whether subsystems and couplings are shown.
        """
        return pictures.animation(self, ghost, speed, cuts)

    def _repr_html_(self) -> str:
        return pictures.page(self)
