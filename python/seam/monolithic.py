"""A run of the whole mechanism by one integrator: as the command carries it out, row by row."""
from __future__ import annotations

from typing import Any

from ._library import Watch, call, check, create, ffi, lib, raised
from .recorder import Recorder, is_event


class Monolithic:
    """Carries out a run; its rows go to a recorder."""

    def __init__(self, recorder: Recorder, watch: Watch):
        self.recorder, self.watch = recorder, watch
        self.options = ffi.addressof(lib.seam_model_simulation(recorder.model._file).integrator)
        self.integrator = create(
            "mbs_integrator", lib.mbs_integrator_create, lib.mbs_integrator_destroy, recorder.mechanism, self.options
        )
        self._event = ffi.new("mbs_event *")
        self._raised: list[BaseException] = []

    def carry_out(self) -> None:
        """To the end, or the event that ends the run; the last good state of one that fails has a row."""
        recorder, state = self.recorder, self.recorder.state.c
        self._listen()
        try:
            self._begin()
            while recorder.row <= recorder.last_row and recorder.ended is None:
                self._advance()
            call(lib.seam_over_run_end, recorder.over_run, state.t)
        except BaseException:
            lib.seam_over_run_end(recorder.over_run, state.t, ffi.NULL)
            if recorder.rows and state.t > recorder.time:
                self._write_row()
            raise
        finally:
            recorder.statistics[0] = lib.mbs_integrator_statistics(self.integrator)

    def _listen(self) -> None:
        if not self.recorder.lists_impacts:
            return

        def keep(_kind: Any, value: BaseException, _trace: Any) -> int:
            self._raised.append(value)
            return lib.SEAM_INTERRUPTED

        @ffi.callback(
            "seam_status(void *, const mbs_impact_event *, const mbs_state *, seam_error *)",
            error=lib.SEAM_INTERRUPTED,
            onerror=keep,
        )
        def hear(_context: Any, impact: Any, state: Any, _error: Any) -> int:
            self.recorder.take_impact(impact, state)
            return lib.SEAM_OK

        self._hear = hear
        lib.mbs_integrator_set_impact_listener(self.integrator, hear, ffi.NULL)

    def _begin(self) -> None:
        recorder, state = self.recorder, self.recorder.state.c
        call(lib.mbs_integrator_start, self.integrator, state)
        call(lib.mbs_begin_friction, recorder.state.workspace, state)
        if recorder.watched != ffi.NULL:
            call(lib.mbs_events_start, recorder.watched, state)
        self._write_row()
        recorder.follow(self.integrator)
        lib.mbs_integrator_set_stop(self.integrator, recorder.end)
        interrupt = self.watch.interrupt
        lib.mbs_integrator_set_interrupt(self.integrator, interrupt.is_requested, interrupt.context)

    def _advance(self) -> None:
        """To the time of the next row."""
        recorder, state = self.recorder, self.recorder.state.c
        self._advance_to(recorder.row_time(recorder.row))
        if state.t > recorder.time:
            self._write_row()

    def _write_row(self) -> None:
        self.recorder.write_row(self.recorder.state.c)
        self.recorder.judge_state(self.recorder.state.c)

    def _advance_to(self, t: float) -> None:
        """To a time, or to the event that ends the run. Others at its time count too."""
        recorder, state, error = self.recorder, self.recorder.state.c, self.recorder.error
        if recorder.watched == ffi.NULL:
            self._check(lib.mbs_integrator_advance(self.integrator, t, state, error))
            return
        event = self._event
        while True:
            end = t if recorder.ended is None else recorder.ended.time
            advance = lib.mbs_integrator_advance_to_event
            self._check(advance(self.integrator, recorder.watched, end, state, event, error))
            if not is_event(event):
                return
            recorder.take_event(event, state)

    def _check(self, status: int) -> None:
        if self._raised:
            raise self._raised[0]
        if status or raised:
            check(status, self.recorder.error)
