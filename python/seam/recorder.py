"""A run of the library, and the rows that it gives to Python."""
from __future__ import annotations

import math
import os
import time
import traceback
from typing import Any, NamedTuple, Optional

import numpy as np

from ._library import Watch, c_text, call, check, create, ffi, keep_raised, lib, notes, raise_kept, short_text, text
from .cosimulation import CutModel
from .errors import Error
from .operating import State
from .results import Column, Table, columns_of

CHECKS = ("auto", "always", "never")  # as seam_check has them
AT_ONCE = 1 << 20  # rows for which there is room from the beginning
STATISTICS = tuple(text(lib.seam_statistic_name(which)) or "" for which in range(lib.SEAM_N_STATISTICS))


class Rows:
    """Rows of numbers one behind the other in an array that grows.

    Parameters
    ----------
    table
        seam_table of the columns.
    expected : int
        How many there will be, about.
    """

    def __init__(self, table: Any, expected: int = 1024):
        self.columns = columns_of(table)
        self.count = 0
        self._size = ffi.sizeof("double") * len(self.columns)
        self._make(max(16, min(expected, AT_ONCE)))

    def _make(self, room: int) -> None:
        values = np.empty((room, len(self.columns)))
        if self.count:
            values[: self.count] = self._values[: self.count]
        self._values = values
        self._at = ffi.cast("char *", values.ctypes.data)

    def append(self, row: Any) -> None:
        """Copies a row of the library."""
        if self.count == len(self._values):
            self._make(2 * self.count)
        ffi.memmove(self._at + self.count * self._size, row, self._size)
        self.count += 1

    @property
    def values(self) -> np.ndarray:
        """The rows so far, read-only."""
        found = self._values[: self.count]
        if 2 * self.count < len(self._values):
            found = found.copy()
        found.flags.writeable = False
        return found


class Assembly:
    """Assembles a start: what that says of the mechanism and changed of the file."""

    def __init__(self, state: State):
        before = create("mbs_state", lib.mbs_state_create, lib.mbs_state_destroy, state.mechanism)
        lib.mbs_state_copy(before, state.c)
        self.report = ffi.new("mbs_assembly *")
        state.assemble(self.report)
        self.changes = lib.seam_start_changes_between(state.file._file, before, state.c)


class _Label(NamedTuple):
    """Of a row of the events."""

    event: str
    direction: str
    impulses: tuple[float, float, float]


class Recorder:
    """A run that the library carries out; its rows are kept here.

    Parameters
    ----------
    model
        `Model`.
    state : State
        The start, which is assembled and moves with the run.
    watch : Watch
        Is asked whether to go on.
    columns : str, optional
        Of the trajectory, as --columns of the command has them.
    parts : CutModel, optional
        What is co-simulated; default: the run is monolithic.
    measured : list of str, optional
        Quantities whose statistics are wanted, while rows are not; default: what the file asks for.
    when : str
        "auto", "always" or "never": the run is compared with a second one.
    """

    def __init__(
        self,
        model: Any,
        state: State,
        watch: Watch,
        columns: Optional[str] = None,
        parts: Optional[CutModel] = None,
        measured: Optional[list[str]] = None,
        when: str = "auto",
    ):
        if when not in CHECKS:
            raise Error(f"check must be auto, always or never, but is {when!r}")
        self.when = when
        self.model, self.state, self.parts = model, state, parts
        self._watch, self._assembly = watch, Assembly(state)
        self._measured = None if measured is None else self._find(measured)
        self.run = self._create()
        if columns is not None:
            call(lib.seam_run_choose_columns, self.run, c_text(columns, "the columns"))
        self._rows: dict[int, Rows] = {}
        self._labels: list[_Label] = []
        if measured is None:
            self._make_rows()
        self._make_sink(keeps_rows=measured is None)
        self.error = ffi.new("seam_error *")  # how the run ended
        self.wall = self.cpu = 0.0  # s, that it took

    def _create(self) -> Any:
        state = self.state
        made = ffi.new("seam_run_def *")
        made.file, made.model, made.workspace, made.state = self.model._file, state.mechanism, state.workspace, state.c
        made.assembly, made.changes = self._assembly.report, self._assembly.changes
        made.check = CHECKS.index(self.when)
        if self.parts is not None:
            made.simulation, made.builder = self.parts.simulation, self.parts.builder
        if self._measured is not None:
            made.quantities, made.n_quantities = self._measured
        keep = (self.model, state, self._assembly, self.parts, self._measured)
        return create("seam_run", lib.seam_run_create, lib.seam_run_destroy, made, keep=keep)

    def _find(self, names: list[str]) -> tuple[Any, int]:
        listed = ffi.new("mbs_quantity[]", len(names) + 1)
        for i, name in enumerate(names):
            call(lib.mbs_find_quantity, self.state.mechanism, c_text(name, "the quantity"), listed + i)
        return listed, len(names)

    # ---- Rows ----

    def _make_rows(self) -> None:
        for which in range(lib.SEAM_N_RUN_TABLES):
            table = lib.seam_run_columns(self.run, which)
            if table != ffi.NULL:
                is_trajectory = which == lib.SEAM_TRAJECTORY_TABLE
                self._rows[which] = Rows(table, lib.seam_run_last_row(self.run) + 2 if is_trajectory else 1024)

    def _make_sink(self, keeps_rows: bool) -> None:
        rows, labels = self._rows, self._labels  # callbacks that knew self would make a circle, which ends in any order

        @ffi.callback(
            "seam_status(void *, seam_run_table, const double *, const seam_run_label *, seam_error *)",
            error=lib.SEAM_INTERRUPTED,
            onerror=keep_raised,
        )
        def take(_context: Any, which: int, row: Any, label: Any, _error: Any) -> int:
            rows[which].append(row)
            if label != ffi.NULL:
                impulses = (label.impulse, label.friction_impulse, label.energy_lost)
                labels.append(_Label(text(label.event) or "", text(label.direction) or "", impulses))
            return lib.SEAM_OK

        @ffi.callback("void(void *, const char *)")
        def note(_context: Any, line: Any) -> None:
            notes.warning("%s", text(line))

        self._kept = take, note
        self._sink = ffi.new("seam_run_sink *")
        self._sink.interrupt, self._sink.note = self._watch.interrupt[0], note
        if keeps_rows:
            self._sink.take = take

    # ---- The run ----

    def carry_out(self) -> int:
        """To its end; how that was is in `error` and, as a status, returned."""
        wall, cpu = time.monotonic(), time.process_time()
        status = lib.seam_run_carry_out(self.run, self._sink, self.error)
        self.wall, self.cpu = time.monotonic() - wall, time.process_time() - cpu
        return status

    def find_error(self, watch: Watch) -> None:
        """Compares a run that is done with a second one. What stops that, or fails in it, leaves the run not checked;
        interrupts of Python are raised."""
        found = ffi.new("seam_error *")
        status = lib.seam_run_find_error(self.run, watch.interrupt, found)
        try:
            raise_kept()
        except Exception as raised:  # of the user's functions, on states that the run did not meet: the verdict has it
            place = traceback.extract_tb(raised.__traceback__)[-1]
            what = f"the second run: {os.path.basename(place.filename)}:{place.lineno}, in {place.name}: {type(raised).__name__}: {raised}"
            why = short_text(" ".join(what.split()), 320)
            unknown = {"of_travel": math.nan, "confirmed": math.nan, "until": math.nan, "why": why}
            lib.seam_run_take_error(self.run, ffi.new("seam_deviation *", unknown))
        if watch.raised is not None:
            raise watch.raised
        if status == lib.SEAM_NO_MEMORY:
            check(status, found)

    def conclude(self) -> Any:
        """Judges the run: what it knows of itself, a seam_run_facts."""
        lib.seam_run_conclude(self.run, self.error)
        facts = ffi.new("seam_run_facts *", lib.seam_run_facts_of(self.run))
        facts.wall, facts.cpu = self.wall, self.cpu
        return facts

    def read_last(self) -> list[float]:
        """The quantities that are measured, in the present state."""
        listed, count = self._measured or (ffi.NULL, 0)
        made = (self.state.mechanism, listed, count)
        readout = create("mbs_readout", lib.mbs_readout_create, lib.mbs_readout_destroy, *made)
        values = ffi.new("double[]", count + 1)
        lib.mbs_read(readout, self.state.workspace, self.state.c, values)
        return list(values)[:count]

    # ---- Tables ----

    def tables(self) -> dict[str, Table]:
        """By the names that `Results` has for them."""
        found = {}
        for which, rows in self._rows.items():
            made = self._event_table(rows) if which == lib.SEAM_EVENTS_TABLE else Table(rows.columns, rows.values)
            found[text(lib.seam_run_table_name(which)) or ""] = made
        return found

    def _event_table(self, rows: Rows) -> Table:
        columns, values, labels = rows.columns, rows.values, self._labels
        if lib.seam_run_lists_impacts(self.run):
            columns += _IMPULSES
            impulses = np.array([label.impulses for label in labels]).reshape(len(labels), len(_IMPULSES))
            values = np.hstack([values, impulses])
            values.flags.writeable = False
        texts = {"event": [label.event for label in labels], "direction": [label.direction for label in labels]}
        return Table(columns, values, texts)


_IMPULSES = (
    Column("impulse", "impact", "impulse", "Ns", "normal impulse"),
    Column("friction_impulse", "impact", "friction_impulse", "Ns", "impulse along the line"),
    Column("energy_lost", "impact", "energy_lost", "J", "energy that the impact takes"),
)
