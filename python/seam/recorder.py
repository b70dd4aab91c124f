"""What a run leaves in memory: rows of its tables, statistics of measures, events, and what its states say of it."""
from __future__ import annotations

import math
from typing import Any, Optional

import numpy as np

from ._library import NONE, c_text, call, check, create, ffi, lib, raised, text
from .errors import Error
from .operating import State
from .results import Column, Table, columns_of

MAX_ROWS = 1e9
LISTED_IMPACTS = 1000  # of each contact: later ones are counted
AT_ONCE = 1 << 20  # rows for which there is room from the beginning
STATISTICS = tuple(text(lib.seam_statistic_name(which)) for which in range(lib.SEAM_N_STATISTICS))


class Rows:
    """Rows that the library writes one behind the other into an array.

    Parameters
    ----------
    table
        seam_table of the columns.
    expected : int
        How many there will be, about.
    keep : bool
        Else each row takes the place of the one before.
    """

    def __init__(self, table: Any, expected: int = 1024, keep: bool = True):
        self.table, self.keep = table, keep
        self.columns = columns_of(table)
        self.count = 0
        self._make(max(16, min(expected, AT_ONCE)) if keep else 1)

    def _make(self, room: int) -> None:
        values = np.empty((room, len(self.columns)))
        if self.count:
            values[: self.count] = self._values[: self.count]
        self._values = values
        self._at = ffi.cast("double *", values.ctypes.data)

    def next(self) -> Any:
        """Where the next row is to be written; it counts once `count` is raised."""
        if not self.keep:
            return self._at
        if self.count == len(self._values):
            self._make(2 * self.count)
        return self._at + self.count * len(self.columns)

    @property
    def values(self) -> np.ndarray:
        """The rows so far, read-only."""
        found = self._values[: self.count]
        if 2 * self.count < len(self._values):
            found = found.copy()
        found.flags.writeable = False
        return found


class Recorder:
    """Rows of a trajectory at multiples of the output step, events, statistics, the record of the verdict.

    Parameters
    ----------
    model
        `Model`.
    state : State
        The assembled start, which moves with the run.
    columns : str, optional
        Of the trajectory, as --columns of the command has them.
    is_whole : bool
        Impacts will be reported, as those inside subsystems are not.
    measured : list of str, optional
        Quantities whose statistics are wanted, while rows are not; default: what the file asks for.
    """

    def __init__(
        self, model: Any, state: State, columns: Optional[str], is_whole: bool, measured: Optional[list[str]] = None
    ):
        simulation = lib.seam_model_simulation(model._file)
        self.model, self.state, self.mechanism = model, state, state.mechanism
        self.begin, self.end, self.output_step = state.c.t, simulation.end, simulation.output_step
        self._check_times()
        self.last_row = math.ceil((self.end - self.begin) / self.output_step - 1e-9)
        self.row, self.rows, self.time = 0, 0, self.begin
        self.error = ffi.new("seam_error *")
        self.record = ffi.new("seam_run_record *")
        self.statistics = ffi.new("mbs_statistics *")
        self._residuals = ffi.new("double[]", 2 * lib.mbs_n_constraints(self.mechanism) + 1)
        has_bodies = lib.mbs_n_bodies(self.mechanism) > 0
        keep = measured is None
        self.trajectory = Rows(_table(self.mechanism, columns), self.last_row + 2, keep) if has_bodies else None
        self._start_events(columns, is_whole)
        self._start_statistics(self._asked() if measured is None else self._find(measured))

    def _check_times(self) -> None:
        if math.isnan(self.end):
            raise Error("the model gives no end time; add 'simulate: {end: ...}', or give an end")
        if self.end / self.output_step > MAX_ROWS:
            raise Error(f"the run has more than {MAX_ROWS:g} rows; give a larger output_step")
        if not self.begin < self.end:
            raise Error(f"the run would begin at t = {self.begin:.9g} s and end at {self.end:.9g} s; give a later end")

    # ---- Events ----

    def _start_events(self, columns: Optional[str], is_whole: bool) -> None:
        mechanism = self.mechanism
        self.watched = ffi.NULL
        self.ended: Any = None  # the event that ended the run
        self.passes_stops = False
        self.contacts = [i for i in range(lib.mbs_n_forces(mechanism)) if lib.mbs_has_impacts(mechanism, i)]
        self.impacts = ffi.new("mbs_impact_record[]", len(self.contacts) + 1)
        self._note_impacts(self.state.c)
        self.lists_impacts = is_whole and bool(self.contacts)
        if lib.mbs_n_events(mechanism) > 0:
            self.watched = create("mbs_events", lib.mbs_events_create, lib.mbs_events_destroy, mechanism)
        has_rows = self.lists_impacts or self.watched != ffi.NULL
        self.events = Rows(_table(mechanism, columns)) if has_rows else None
        self._labels: list[tuple[str, str, float, float, float]] = []
        self._struck = State(self.model, whole=mechanism != self.model._mechanism) if self.lists_impacts else None

    def _note_impacts(self, state: Any) -> None:
        for place, contact in enumerate(self.contacts):
            self.impacts[place] = lib.mbs_impact_record_of(self.mechanism, state, contact)

    def take_event(self, event: Any, state: Any) -> None:
        """A row of the events; one that stops ends the run."""
        stops = not self.passes_stops and lib.mbs_event_stops(self.mechanism, event.number)
        if stops and self.ended is None:
            self.ended = ffi.new("mbs_event *", event[0])
        name = text(lib.mbs_event_name(self.mechanism, event.number)) or ""
        nothing = (math.nan, math.nan, math.nan)
        self._write_event(state, (name, text(lib.mbs_sense_text(event.sense)) or "", *nothing))

    def take_impact(self, impact: Any, state: Any) -> None:
        """The same of an impact, from the state behind it."""
        if impact.count > LISTED_IMPACTS or self._struck is None:
            return
        struck = self._struck
        lib.mbs_state_copy(struck.c, state)
        call(lib.mbs_evaluate, struck.workspace, struck.c)
        name = text(lib.mbs_force_name(self.mechanism, impact.force)) or ""
        self._write_event(struck.c, (name, "impact", impact.normal, impact.tangential, impact.loss))

    def _write_event(self, state: Any, label: tuple[str, str, float, float, float]) -> None:
        self._write(self.events, state)
        self._labels.append(label)

    # ---- Rows ----

    def row_time(self, row: int) -> float:
        """s; the last row is at the end, which need not be a multiple of the output step."""
        return self.begin + row * self.output_step if row < self.last_row else self.end

    def _write(self, rows: Any, state: Any) -> None:
        status = lib.seam_trajectory_row(rows.table, self.state.workspace, state, rows.next(), self.error)
        if status or raised:
            check(status, self.error)
        rows.count += 1

    def write_row(self, state: Any) -> None:
        """A row of the trajectory."""
        self._write(self.trajectory, state)
        lib.seam_over_run_add(self.over_run, self.state.workspace, state)
        self._note_impacts(state)
        self.time = state.t
        self.rows += 1
        self.row += 1

    def judge_state(self, state: Any) -> None:
        """Takes a state that was computed, not interpolated, into the verdict."""
        lib.seam_run_record_add(self.record, self.mechanism, self.state.workspace, state, self._residuals)

    # ---- Statistics ----

    def _asked(self) -> list[tuple[int, int, int]]:
        """Quantities of the measures with statistics."""
        mechanism = self.model._mechanism
        return [
            (lib.MBS_MEASURES, measure, i)
            for measure in range(lib.mbs_n_measures(mechanism))
            if lib.seam_model_over_run(self.model._file, measure)
            for i in range(lib.mbs_n_quantities(mechanism, lib.MBS_MEASURES, measure))
        ]

    def _find(self, names: list[str]) -> list[tuple[int, int, int]]:
        found = ffi.new("mbs_quantity *")
        listed = []
        for name in names:
            call(lib.mbs_find_quantity, self.mechanism, c_text(name, "the quantity"), found)
            listed.append((found.owner, found.element, found.number))
        return listed

    def _start_statistics(self, listed: list[tuple[int, int, int]]) -> None:
        self.quantities = ffi.new("mbs_quantity[]", [*listed, (lib.MBS_MEASURES, 0, 0)])
        self.n_quantities = len(listed)
        made = (self.model._mechanism, self.quantities, len(listed))
        self.over_run = create("seam_over_run", lib.seam_over_run_create, lib.seam_over_run_destroy, *made)

    def read_last(self) -> list[float]:
        """Those quantities in the present state."""
        made = (self.mechanism, self.quantities, self.n_quantities)
        readout = create("mbs_readout", lib.mbs_readout_create, lib.mbs_readout_destroy, *made)
        values = ffi.new("double[]", self.n_quantities + 1)
        lib.mbs_read(readout, self.state.workspace, self.state.c, values)
        return list(values)[: self.n_quantities]

    def follow(self, integrator: Any) -> None:
        """Statistics take their samples in each step of the integrator."""
        lib.seam_over_run_follow(self.over_run, integrator, self.state.workspace, self.output_step)

    # ---- Tables ----

    def library_tables(self) -> dict[int, Any]:
        """Columns of the trajectory and of the events."""
        found = {lib.SEAM_TRAJECTORY_TABLE: self.trajectory, lib.SEAM_EVENTS_TABLE: self.events}
        return {which: rows.table for which, rows in found.items() if rows is not None}

    def tables(self) -> dict[str, Optional[Table]]:
        """Of the trajectory and the events."""
        rows = self.trajectory
        found = {"trajectory": Table(rows.columns, rows.values) if rows is not None else None}
        if self.events is not None:
            found["events"] = self._event_table()
        return found

    def _event_table(self) -> Table:
        rows, labels = self.events, self._labels
        columns, values = rows.columns, rows.values
        if self.lists_impacts:
            columns += _IMPULSES
            impulses = np.array([label[2:] for label in labels]).reshape(len(labels), len(_IMPULSES))
            values = np.hstack([values, impulses])
            values.flags.writeable = False
        texts = {"event": [label[0] for label in labels], "direction": [label[1] for label in labels]}
        return Table(columns, values, texts)


_IMPULSES = (
    Column("impulse", "impact", "impulse", "Ns", "normal impulse"),
    Column("friction_impulse", "impact", "friction_impulse", "Ns", "impulse along the line"),
    Column("energy_lost", "impact", "energy_lost", "J", "energy that the impact takes"),
)


def _table(mechanism: Any, columns: Optional[str]) -> Any:
    if columns is None:
        return create("seam_table", lib.seam_trajectory_table_create, lib.seam_table_destroy, mechanism)
    choose = lib.seam_trajectory_table_choose
    return create("seam_table", choose, lib.seam_table_destroy, mechanism, c_text(columns, "the columns"))


def is_event(event: Any) -> bool:
    """Whether there is one."""
    return event.number != NONE
