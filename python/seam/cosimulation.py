"""A co-simulated run: macro steps of equal length, or as the file's step control chooses, as the command takes them.

A monolithic run precedes it: a co-simulation that leaves the bounds of that run is unstable.
"""
from __future__ import annotations

from typing import Any, Optional

from . import scheme_names as schemes
from ._library import NONE, Watch, c_text, call, check, create, ffi, lib, raised, text
from .errors import Error
from .operating import State
from .recorder import Recorder, Rows, is_event

ROUNDING = 1e-12  # of the end, which controlled steps meet but for this
SLACK = 1e-9  # of a macro step: rounding in quotients of times


class Cosimulation:
    """Carries out a run; its rows go to a recorder, and to tables of its own."""

    def __init__(self, recorder: Recorder, scheme: Optional[str], threads: int, watch: Watch):
        model = recorder.model
        self.recorder, self.watch = recorder, watch
        self.builder = builder_of(model, scheme, threads)
        self.options = lib.cosim_options_of(self.builder)
        self.is_controlled = lib.cosim_builder_step_control(self.builder) != ffi.NULL
        self.is_alone = bool(lib.cosim_has_signals(self.builder))
        self.plan = ffi.new("cosim_step_plan *")
        call(lib.cosim_step_plan_make, self.options.macro_step, recorder.end, self.plan)
        self.simulation = create("cosim_simulation", lib.cosim_create, lib.cosim_destroy, self.builder, where=model._place)
        table = create(
            "seam_table", lib.seam_couplings_table_create, lib.seam_table_destroy, recorder.mechanism, self.simulation
        )
        self.couplings = Rows(table, self.plan.count + 1)
        made = (table, self.simulation, ffi.NULL)
        self.peaks = create("seam_peaks", lib.seam_peaks_create, lib.seam_peaks_destroy, *made)
        self.signals: Optional[Rows] = None
        if lib.cosim_n_signals(self.simulation) > 0:
            table = create("seam_table", lib.seam_signals_table_create, lib.seam_table_destroy, self.simulation)
            self.signals = Rows(table, self.plan.count + 1)
        self._near = SLACK * self.options.macro_step
        self._bounds = ffi.new("seam_run_bounds *", {"is_alone": self.is_alone})
        self._event = ffi.new("mbs_event *")
        self._is_watched = self._is_within = self._ends_at_event = self._begins_anew = False
        self._macro_step, self._t, self._end_of_step = 0, 0.0, 0.0
        self._stops = StopImages(recorder.mechanism, self.simulation, recorder.watched)

    def carry_out(self) -> None:
        """To the end, or the event that ends the run."""
        try:
            self._begin()
            while not self._is_done():
                self._advance()
                self.watch.seldom(self._t)
        finally:
            self.recorder.statistics[0] = lib.cosim_statistics_of(self.simulation).integrators

    def notes(self) -> list[str]:
        """What a user should know of the run although nothing has failed."""
        found: list[str] = []

        @ffi.callback("void(void *, const char *)")
        def say(_context: Any, note: Any) -> None:
            found.append(ffi.string(note).decode(errors="replace"))

        lib.cosim_note_run(self.recorder.mechanism, self.builder, self.simulation, say, ffi.NULL)
        return found

    def library_tables(self) -> dict[int, Any]:
        """Their columns."""
        found = {lib.SEAM_COUPLINGS_TABLE: self.couplings.table}
        if self.signals is not None:
            found[lib.SEAM_SIGNALS_TABLE] = self.signals.table
        return found

    # ---- Macro points ----

    def _present_point(self) -> float:
        """Sums of macro steps would not stand at their multiples."""
        t = lib.cosim_state(self.simulation).t
        if self._ends_at_event:
            return t
        if self.is_controlled:
            return self.recorder.end if t >= (1 - ROUNDING) * self.recorder.end else t
        return t if self._is_within else lib.cosim_step_plan_time(self.plan, self._macro_step)

    def _is_done(self) -> bool:
        if self.recorder.ended is not None:
            return True
        return self._t >= self.recorder.end if self.is_controlled else self._macro_step >= self.plan.count

    def _take_step(self) -> None:
        if self.is_controlled:
            call(lib.cosim_advance_controlled, self.simulation, self.recorder.end)
        else:
            self._take_planned()
        self._macro_step += not self._is_within

    def _take_planned(self) -> None:
        """As much of a macro step of the plan as ends at a kink."""
        H = lib.cosim_step_plan_length(self.plan, self._macro_step)
        t = lib.cosim_state(self.simulation).t
        rest = self._end_of_step - t if self._is_within else H
        self._is_within = False
        status = lib.cosim_advance_smooth(self.simulation, H, rest, self.recorder.error)
        if status or raised:
            check(status, self.recorder.error)
        self._end_of_step = t + rest
        self._is_within = not lib.cosim_has_reached(self.simulation, H, self._end_of_step)

    # ---- The run ----

    def _begin(self) -> None:
        state = self.recorder.state.c
        if not self.is_alone:
            self._find_bounds()
        call(lib.cosim_start, self.simulation, state)
        self._judge()
        self._write_rows()

    def _advance(self) -> None:
        before = self._t
        try:
            self._stops.save()
            self._take_step()
            self._ends_at_event = self._stops.end_step()
            self._t = self._present_point()
            self._judge()
        except BaseException:
            self._write_last(before)
            raise
        self._write_rows()
        if self.recorder.ended is not None:
            self._write_last(self._t)

    def _judge(self) -> None:
        recorder = self.recorder
        status = lib.seam_run_bounds_check(
            self._bounds, recorder.mechanism, self.simulation, self._t, recorder.end, recorder.error
        )
        if status:
            check(status, recorder.error)

    def _find_bounds(self) -> None:
        """A monolithic run that fails or is stopped on its way gives the bounds up to there."""
        recorder = self.recorder
        mechanism = recorder.mechanism
        options = ffi.addressof(lib.seam_model_simulation(recorder.model._file).integrator)
        integrator = create("mbs_integrator", lib.mbs_integrator_create, lib.mbs_integrator_destroy, mechanism, options)
        events = create("mbs_events", lib.mbs_events_create, lib.mbs_events_destroy, mechanism)
        state = create("mbs_state", lib.mbs_state_create, lib.mbs_state_destroy, mechanism)
        bounds = ffi.addressof(self._bounds.monolithic)
        lib.mbs_state_copy(state, recorder.state.c)
        status = lib.mbs_integrator_start(integrator, state, recorder.error)
        status = status or lib.mbs_events_start(events, state, recorder.error)
        interrupt = self.watch.interrupt
        lib.mbs_integrator_set_interrupt(integrator, interrupt.is_requested, interrupt.context)
        lib.mbs_integrator_set_stop(integrator, recorder.end)
        lib.seam_bounds_add(bounds, mechanism, state)
        self._event.number = NONE
        row = 1
        while row <= recorder.last_row and status == lib.SEAM_OK and not is_event(self._event):
            status = lib.seam_advance_to_stop(
                mechanism, integrator, events, recorder.row_time(row), state, self._event, recorder.error
            )
            lib.seam_bounds_add(bounds, mechanism, state)
            row += 1
        if status == lib.SEAM_INTERRUPTED:
            check(status, recorder.error)

    # ---- Rows ----

    def _write_rows(self) -> None:
        """The row of the present macro point, and those of the trajectory up to there."""
        recorder, t = self.recorder, self._t
        row = self.couplings.next()
        lib.seam_couplings_row(self.couplings.table, t, row)
        lib.seam_peaks_add(self.peaks, row)
        self.couplings.count += 1
        if self.signals is not None:
            lib.seam_signals_row(self.signals.table, t, self.signals.next())
            self.signals.count += 1
        self._write_events()
        if recorder.trajectory is None:
            recorder.time = t
            return
        recorder.judge_state(lib.cosim_state(self.simulation))
        lib.seam_over_run_note_step(recorder.over_run, t)
        if lib.cosim_has_switched_inside(self.simulation):
            lib.seam_over_run_doubt(recorder.over_run)
        self._write_states(t)
        self._sample_macro_point(t)
        self._begins_anew = self._has_jumped()

    def _write_states(self, t: float) -> None:
        recorder, scratch = self.recorder, self.recorder.state.c
        while recorder.row <= recorder.last_row and recorder.row_time(recorder.row) <= t + self._near:
            at = recorder.row_time(recorder.row)
            self._sample_before(at)
            if at >= t - self._near:
                self._sample_jump(t)
                lib.mbs_state_copy(scratch, lib.cosim_state(self.simulation))
            else:
                lib.cosim_state_between(self.simulation, at, scratch)
            scratch.t = at
            recorder.write_row(scratch)

    def _sample_before(self, t: float) -> None:
        """For statistics, where macro steps are long or a smooth part may be as short as one."""
        recorder, scratch = self.recorder, self.recorder.state.c
        is_seen = lib.cosim_takes_long_steps(self.simulation) or self._begins_anew or self._has_jumped()
        if not recorder.n_quantities:
            return
        at = lib.seam_over_run_next(recorder.over_run, t) if is_seen else t
        while at < t:
            self._probe_before(at)
            lib.cosim_state_between(self.simulation, at, scratch)
            lib.seam_over_run_add(recorder.over_run, recorder.state.workspace, scratch)
            at = lib.seam_over_run_next(recorder.over_run, t)
        self._probe_before(t)

    def _probe_before(self, t: float) -> None:
        recorder = self.recorder
        lib.seam_over_run_probe_cosim(
            recorder.over_run, self.simulation, recorder.state.workspace, t, recorder.state.c
        )

    def _has_jumped(self) -> bool:
        left = lib.cosim_state_before_jump(self.simulation)
        return bool(left != ffi.NULL and left != lib.cosim_state(self.simulation))

    def _sample_jump(self, t: float) -> None:
        """Statistics end left of what jumps at the macro point, and begin right of it."""
        recorder = self.recorder
        left = lib.cosim_state_before_jump(self.simulation)
        if left == ffi.NULL or not recorder.n_quantities:
            return
        self._sample_before(t)
        now = lib.cosim_state(self.simulation)
        lib.seam_over_run_jump(recorder.over_run, recorder.state.workspace, left, now)

    def _sample_macro_point(self, t: float) -> None:
        """The macro point at t, where states are not interpolated, unless it has a row."""
        recorder = self.recorder
        if t > recorder.time + self._near:
            self._sample_before(t)
            self._sample_jump(t)
            lib.seam_over_run_add(recorder.over_run, recorder.state.workspace, lib.cosim_state(self.simulation))

    def _write_events(self) -> None:
        """Of the last macro step."""
        recorder, event, scratch = self.recorder, self._event, self.recorder.state.c
        if recorder.watched == ffi.NULL:
            return
        now = lib.cosim_state(self.simulation)
        if not self._is_watched:
            self._is_watched = True
            call(lib.mbs_events_start, recorder.watched, now)
            return
        while True:
            call(lib.cosim_next_event, self.simulation, recorder.watched, event)
            if not is_event(event):
                return
            if event.time < now.t:
                lib.cosim_state_between(self.simulation, event.time, scratch)
            else:
                lib.mbs_state_copy(scratch, now)
            recorder.take_event(event, scratch)

    def _write_last(self, t: float) -> None:
        """Of a run that ended early: its last macro point, t, is worth a row where there is none."""
        recorder, scratch = self.recorder, self.recorder.state.c
        if recorder.trajectory is not None and t > recorder.time + self._near:
            lib.cosim_state_between(self.simulation, t, scratch)
            recorder.write_row(scratch)


class StopImages:
    """Ends a macro step at the first event of it that stops the run."""

    def __init__(self, mechanism: Any, simulation: Any, watched: Any):
        self.mechanism, self.simulation, self.watched = mechanism, simulation, watched
        self._event = ffi.new("mbs_event *")
        self._image: Any = None
        if lib.seam_has_stops(mechanism):
            self._image = ffi.new("double[]", lib.cosim_image_size(simulation) // 8 + 1)
            self._events_image = ffi.new("double[]", lib.mbs_events_image_size(watched) // 8 + 1)

    def save(self) -> None:
        """Before the macro step."""
        if self._image is not None:
            lib.cosim_save(self.simulation, self._image)
            lib.mbs_events_save(self.watched, self._events_image)

    def end_step(self) -> bool:
        """After it: whether it was shortened. Its events are not taken yet."""
        event = self._event
        if self._image is None:
            return False
        while True:
            call(lib.cosim_next_event, self.simulation, self.watched, event)
            if not is_event(event) or lib.mbs_event_stops(self.mechanism, event.number):
                break
        if not is_event(event):
            call(lib.mbs_events_restore, self.watched, self._events_image, lib.mbs_events_image_size(self.watched))
            return False
        ends = ffi.new("bool *")
        call(lib.cosim_end_at_event, self.simulation, self._image, self.watched, self._events_image, event, ends)
        return bool(ends[0])


def builder_of(model: Any, scheme: Optional[str], threads: int) -> Any:
    """The file's co-simulation; what is given comes on top of the file."""
    given = model._given.subsystems
    section = schemes.section_of(model)
    builder = create("cosim_builder", lib.cosim_builder_copy, lib.cosim_builder_destroy, section, keep=given)
    given.put_into(builder)
    options = ffi.new("cosim_options *", lib.cosim_options_of(builder))
    if threads:
        options.n_threads = threads
    call(lib.cosim_set_options, builder, options)
    if scheme is not None:
        call(lib.cosim_use_scheme, builder, c_text(scheme, "the scheme"))
        key = text(lib.seam_model_left_to_collocation(model._file))
        if key is not None and not lib.cosim_builder_collocates(builder):
            raise Error(f"'{scheme}' needs '{key}', which the file leaves to collocation schemes: give 'cosim.{key}'")
    return builder


def start_of(model: Any) -> State:
    """The assembled start of the mechanism that is cut."""
    schemes.section_of(model)
    return State(model, whole=False)
