"""How a simulation is taken on: the whole under an integrator, or subsystems coupled over macro steps."""
from __future__ import annotations

import math
import struct
from typing import Any, Iterator, Optional

from ._library import NONE, Watch, call, check, create, ffi, lib, notes, raised, text
from .cosimulation import cut, notes_of
from .operating import State

_DOUBLE = 8  # bytes
_USUAL_STEPS = 1e4  # macro steps of a run
_SLACK = 1e-9  # of a macro step: rounding in quotients of times


class Whole:
    """The mechanism under one integrator."""

    is_cut = False

    def __init__(self, model: Any, state: State, end: Optional[float], watch: Watch):
        self.state, self.mechanism = state, state.mechanism
        options = ffi.addressof(lib.seam_model_simulation(model._file).integrator)
        self.integrator = create(
            "mbs_integrator", lib.mbs_integrator_create, lib.mbs_integrator_destroy, self.mechanism, options
        )
        self.stop = math.inf if end is None else float(end)
        self._interrupt = watch.interrupt
        self._event = ffi.new("mbs_event *")
        self._error = ffi.new("seam_error *")

    def begin(self, events: Any) -> None:
        call(lib.mbs_integrator_start, self.integrator, self.state.c)
        if events != ffi.NULL:
            call(lib.mbs_events_start, events, self.state.c)
        self._guard()

    def _guard(self) -> None:
        lib.mbs_integrator_set_stop(self.integrator, self.stop)
        lib.mbs_integrator_set_interrupt(self.integrator, self._interrupt.is_requested, self._interrupt.context)

    def set_inputs(self, events: Any, numbers: Any, values: Any, n: int) -> None:
        call(lib.mbs_integrator_set_inputs, self.integrator, events, numbers, values, n, self.state.c)

    def advance(self, t: float, simulation: "Simulation") -> None:
        """To a time, or to the event that ends the simulation."""
        state, error, events = self.state.c, self._error, simulation.watched
        if events == ffi.NULL:
            status = lib.mbs_integrator_advance(self.integrator, t, state, error)
            if status or raised:
                check(status, error)
            simulation.judge(state)
            return
        while True:
            status = lib.mbs_integrator_advance_to_event(self.integrator, events, t, state, self._event, error)
            if status or raised:
                check(status, error)
            if not _is_event(self._event):
                break
            if simulation.take_event(self._event):
                t = self._event.time
        simulation.judge(state)

    def image(self) -> bytes:
        state = self.state.c
        saved = ffi.new("char[]", lib.mbs_integrator_image_size(self.integrator))
        lib.mbs_integrator_save(self.integrator, saved)
        return struct.pack("d", state.t) + bytes(ffi.buffer(state.q, _DOUBLE * state.n_values)) + bytes(ffi.buffer(saved))

    def restore(self, image: bytes) -> None:
        state = self.state.c
        size = _DOUBLE * (1 + state.n_values)
        call(lib.mbs_integrator_restore, self.integrator, ffi.from_buffer(image[size:]), max(0, len(image) - size))
        self._guard()
        state.t = struct.unpack("d", image[:_DOUBLE])[0]
        ffi.memmove(state.q, image[_DOUBLE:size], size - _DOUBLE)


class Cut:
    """Its subsystems, coupled: macro steps of the length that the model gives, which end at the times asked for."""

    is_cut = True

    def __init__(self, model: Any, state: State, scheme: Optional[str], threads: int, watch: Watch):
        self.state, self.mechanism, self.watch = state, state.mechanism, watch
        self._cut = cut(model, scheme, threads)
        self.builder, self.simulation = self._cut
        self.macro_step = lib.cosim_builder_definition(self.builder).options.macro_step
        self.is_controlled = lib.cosim_builder_definition(self.builder).step_control != ffi.NULL
        self._start = create("mbs_state", lib.mbs_state_create, lib.mbs_state_destroy, self.mechanism)
        self._growth = ffi.new("seam_growth *")
        self._event = ffi.new("mbs_event *")
        self._error = ffi.new("seam_error *")
        self._origin, self._n = 0.0, 0  # of macro steps: the next one begins at origin + n H
        self._has_stopped = False  # the last one was shortened for an event

    def begin(self, events: Any) -> None:
        call(lib.cosim_start, self.simulation, self.state.c)
        lib.mbs_state_copy(self._start, self.state.c)
        self._check_growth()
        self._stops = _StopImages(self.mechanism, self.simulation, events)
        self._origin = self._now().t
        self._show()
        if events != ffi.NULL:
            call(lib.mbs_events_start, events, self._now())

    def _now(self) -> Any:
        return lib.cosim_state(self.simulation)

    def _show(self) -> None:
        lib.mbs_state_copy(self.state.c, self._now())

    def set_inputs(self, events: Any, numbers: Any, values: Any, n: int) -> None:
        call(lib.cosim_set_inputs, self.simulation, events, numbers, values, n)
        self._show()

    def advance(self, t: float, simulation: "Simulation") -> None:
        """To a time, or to the end of the macro step in which an event ends the simulation."""
        near = _SLACK * self.macro_step
        while self.state.c.t < t - near and simulation.ended is None:
            end = t if self.is_controlled else min(t, self._next())
            self._has_stopped = False
            for _ in self._pieces(t if t - end < near else end):
                self._end_piece(simulation)
                if self._has_stopped:
                    break
            if not self._has_stopped and self.state.c.t >= t - near:
                self.state.c.t = t  # sums of macro steps differ by rounding
            self.watch.seldom(self.state.c.t)

    def _next(self) -> float:
        """Multiples of the macro step, not sums."""
        return self._origin + (self._n + 1) * self.macro_step

    def _end_piece(self, simulation: "Simulation") -> None:
        """After a macro step, or a piece of one: its events are those up to the first that ends the simulation."""
        self._has_stopped = self._stops.end_step()
        self._show()
        if self._has_stopped:
            self._origin, self._n = self.state.c.t, 0
        self._check_growth()
        simulation.judge(self._now())
        self._take_events(simulation)

    def _check_growth(self) -> None:
        """Sets the first macro steps in place of the first hundredth of a run, whose end is not known."""
        end = self._start.t + _USUAL_STEPS * self.macro_step
        now = self.state.c.t
        status = lib.seam_growth_check(self._growth, self.mechanism, self._start, self.simulation, now, end, self._error)
        if status:
            check(status, self._error)

    def _pieces(self, end: float) -> Iterator[None]:
        """A macro step, in pieces where kinks or samples are on the way; a shorter one begins new multiples."""
        if self.is_controlled:
            self._stops.save()
            call(lib.cosim_advance_controlled, self.simulation, end)
            yield
            return
        begin = self._now().t
        is_whole = abs(end - self._next()) <= _SLACK * self.macro_step
        H = self.macro_step if is_whole else end - begin
        stop, rest = begin + H, H
        while True:
            self._stops.save()
            status = lib.cosim_advance_smooth(self.simulation, H, rest, self._error)
            if status or raised:
                check(status, self._error)
            yield
            if lib.cosim_has_reached(self.simulation, H, stop):
                break
            rest = stop - self._now().t
        self._n = self._n + 1 if is_whole else 0
        self._origin = self._origin if is_whole else end

    def _take_events(self, simulation: "Simulation") -> None:
        events, event = simulation.watched, self._event
        while events != ffi.NULL:
            call(lib.cosim_next_event, self.simulation, events, event)
            if not _is_event(event):
                return
            simulation.take_event(event)

    def image(self) -> bytes:
        saved = ffi.new("double[]", lib.cosim_image_size(self.simulation) // _DOUBLE + 1)
        lib.cosim_save(self.simulation, saved)
        head = struct.pack("dqd", self._origin, self._n, self.state.c.t)
        return head + bytes(ffi.buffer(self._growth)) + bytes(ffi.buffer(saved))[: lib.cosim_image_size(self.simulation)]

    def restore(self, image: bytes) -> None:
        head, size = struct.calcsize("dqd"), ffi.sizeof("seam_growth")
        rest = image[head + size :]
        aligned = ffi.new("double[]", len(rest) // _DOUBLE + 1)
        ffi.memmove(aligned, rest, len(rest))
        call(lib.cosim_restore, self.simulation, aligned, len(rest))
        self._origin, self._n, t = struct.unpack("dqd", image[:head])
        ffi.memmove(self._growth, image[head : head + size], size)
        self._show()
        self.state.c.t = t

    def signals(self) -> dict[str, int]:
        return {text(lib.cosim_signal_of(self.simulation, i).name) or "": i for i in range(lib.cosim_n_signals(self.simulation))}

    def note(self) -> None:
        for line in notes_of(self.mechanism, self._cut):
            notes.warning("%s", line)


class _StopImages:
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
            if not _is_event(event) or lib.mbs_event_of(self.mechanism, event.number).stops:
                break
        if not _is_event(event):
            call(lib.mbs_events_restore, self.watched, self._events_image, lib.mbs_events_image_size(self.watched))
            return False
        ends = ffi.new("bool *")
        call(lib.cosim_end_at_event, self.simulation, self._image, self.watched, self._events_image, event, ends)
        return bool(ends[0])


def _is_event(event: Any) -> bool:
    """Whether there is one."""
    return event.number != NONE
