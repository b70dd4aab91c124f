"""Simulations step by step: a mechanism, whole or cut, that Python drives through inputs and reads between steps."""
from __future__ import annotations

import math
import threading
import warnings
from typing import Any, NamedTuple, Optional

import numpy as np

from ._library import Watch, c_text, call, create, ffi, lib, raise_kept, raised, text
from .cosimulation import start_of
from .driven import Declared, Given, Inputs, declare, path_of
from .errors import Error, WrongResult
from .operating import State
from .steppers import Cut, Whole
from .verdict import Verdict, judge_steps

_DOUBLE = 8  # bytes


class Event(NamedTuple):
    """An event of the model that a simulation met."""

    name: str
    time: float  #: s
    direction: str  #: "rising" or "falling"


class Saved(NamedTuple):
    """A state of a simulation, as `Simulation.save` returns it; it can be pickled. Images are those of the library."""

    motion: bytes
    events: bytes
    record: bytes
    inputs: dict[str, float]
    starts: dict[str, float]
    met: tuple[Event, ...]


class Simulation:
    """A model on its way: ``advance`` takes it on, ``s["disc.y"]`` reads it, ``s.inputs[...]`` drives it.

    Made by `Model.simulation`. For one thread at a time; different simulations may run in different threads.

    Attributes
    ----------
    inputs : Inputs
        Values of the inputs by name. What is set holds, constant, from the present time up to the next value.
    events : list of Event
        Those that were met.
    ended : Event or None
        The event with `stop: true` at which the last `advance` ended.
    """

    def __init__(self, model: Any, inputs: Given, options: dict[str, Any]):
        self._source, self._options = model, options
        self._lock = threading.Lock()
        self._is_open, self._is_broken, self._has_advanced = True, False, False
        self._watch = Watch()
        self.inputs = Inputs(self)
        self._open(declare(model, inputs))

    # ---- Making, and making anew before the first step ----

    def _open(self, declared: Declared) -> None:
        model, options = declared.model, self._options
        if options["cut"]:
            core: Any = Cut(model, start_of(model), options["scheme"], options["threads"], self._watch)
        else:
            core = Whole(model, State(model), options["end"], self._watch)
        core.state.assemble()
        self._declared, self._core = declared, core
        self.state, self.mechanism = core.state, core.mechanism
        self.watched = ffi.NULL
        if lib.mbs_n_events(self.mechanism) > 0:
            self.watched = create("mbs_events", lib.mbs_events_create, lib.mbs_events_destroy, self.mechanism)
        variables = {name: c_text(variable, "the input") for name, variable in declared.variables.items()}
        self._numbers = {name: lib.mbs_find_variable(self.mechanism, variable) for name, variable in variables.items()}
        self._record = ffi.new("seam_run_record *")
        self._residuals = ffi.new("double[]", 2 * lib.mbs_n_constraints(self.mechanism) + 1)
        self._readouts: dict[Any, Any] = {}
        self._signals = core.signals() if options["cut"] else {}
        self.events: list[Event] = []
        self.ended: Optional[Event] = None
        core.begin(self.watched)
        self.judge(core.state.c)
        self.inputs._take(declared.values)

    def _check_new(self, name: str) -> None:
        """Refuses an input that cannot be made one any more, or at all."""
        if self._has_advanced:
            raise self.inputs._unknown(name)
        path_of(self._source, name)

    def _settle(self) -> None:
        """Gives what was set to the library: before the first step as values of the start."""
        changed = dict(self.inputs._changed)
        if not self._has_advanced:
            self._open(declare(self._source, {**self.inputs._values, **changed}))
            return
        numbers = ffi.new("size_t[]", [self._numbers[name] for name in changed])
        values = ffi.new("double[]", list(changed.values()))
        try:
            self._core.set_inputs(self.watched, numbers, values, len(changed))
        except Error:
            self._is_broken = True
            raise
        self.inputs._take(changed)

    # ---- On the way ----

    def advance(self, dt: float) -> float:
        """Takes the simulation on by `dt` s; see `advance_to`. Sums of steps differ from multiples by rounding."""
        return self.advance_to(self.state.c.t + dt)

    def advance_to(self, t: float) -> float:
        """Takes the simulation on to time `t` in s.

        Returns
        -------
        float
            The time that was reached: `t`, or that of the event that ended the simulation, `ended`. It can be taken on.

        Raises
        ------
        Failure
            The step failed; `restore` an earlier state, or end the simulation.
        """
        self._acquire()
        try:
            now = self.state.c
            if not now.t <= t < math.inf:
                raise Error(f"t = {now.t:.9g} s: a simulation cannot step to t = {t:.9g} s; give a later, finite time, or restore an earlier state")
            if self.inputs._changed:
                self._settle()
            self.ended = None
            self._has_advanced = True
            self._take_on(t)
            return self.state.c.t
        finally:
            self._lock.release()

    def _take_on(self, t: float) -> None:
        try:
            self._core.advance(t, self)
        except KeyboardInterrupt:
            raise  # it can go on
        except BaseException:
            self._is_broken = True
            raise

    def _acquire(self) -> None:
        """Refuses a second thread, and what is closed or has failed. Release the lock afterwards."""
        if not self._lock.acquire(False):
            raise RuntimeError("the simulation is being used by another thread; give each thread one of its own")
        if self._is_open and not self._is_broken:
            return
        self._lock.release()
        if not self._is_open:
            raise Error("the simulation is closed; make another one")
        raise Error("a step of the simulation failed; restore an earlier state, or make another simulation")

    def judge(self, state: Any) -> None:
        """Takes a state into the verdict."""
        lib.seam_run_record_add(self._record, self.mechanism, self.state.workspace, state, self._residuals)

    def take_event(self, event: Any) -> bool:
        """Lists an event; True: it ends the simulation."""
        name = text(lib.mbs_event_of(self.mechanism, event.number).name) or ""
        found = Event(name, event.time, text(lib.mbs_sense_text(event.sense)) or "")
        self.events.append(found)
        stops = bool(lib.mbs_event_of(self.mechanism, event.number).stops)
        if stops and self.ended is None:
            self.ended = found
        return stops

    # ---- Reading ----

    @property
    def time(self) -> float:
        """s"""
        return self.state.c.t

    def __getitem__(self, name: str) -> float:
        """A quantity of the model, or a signal of its co-simulation, at the present time, under the present inputs."""
        return float(self.read(name)[0])

    def read(self, *names: str) -> np.ndarray:
        """Several of them at once."""
        self._acquire()
        try:
            if self.inputs._changed:
                self._settle()
            readout, found, at, signals = self._readouts.get(names) or self._find(names)
            lib.mbs_read(readout, self.state.workspace, self.state.c, at)
            if raised:
                raise_kept()
            for place, signal in signals:
                found[place] = lib.cosim_signal_now(self._core.simulation, signal)
            return found.copy()
        finally:
            self._lock.release()

    def _find(self, names: tuple[str, ...]) -> Any:
        """What reads them: a readout, where it writes, and which places signals have."""
        quantity = ffi.new("mbs_quantity *")
        listed, signals = [], []
        for place, name in enumerate(names):
            if name in self._signals:
                signals.append((place, self._signals[name]))
                listed.append((lib.MBS_WHOLE, 0, 0))
                continue
            call(lib.mbs_find_quantity, self.mechanism, c_text(name, "the quantity"), quantity)
            listed.append((quantity.owner, quantity.element, quantity.number))
        made = (self.mechanism, ffi.new("mbs_quantity[]", listed), len(names))
        readout = create("mbs_readout", lib.mbs_readout_create, lib.mbs_readout_destroy, *made)
        found = np.empty(len(names))
        self._readouts[names] = readout, found, ffi.cast("double *", found.ctypes.data), signals
        return self._readouts[names]

    # ---- States ----

    def save(self) -> Saved:
        """All that the continuation depends on: a simulation of the same model and call that restores it goes on to the
        same bits; "ida" and "cvode" begin anew with order 1, so that two restored ones are equal."""
        self._acquire()
        try:
            if self.inputs._changed:
                self._settle()
            self._has_advanced = True  # its start stays what it is
            record = bytes(ffi.buffer(self._record))
            inputs, starts = dict(self.inputs._values), dict(self._declared.values)
            return Saved(self._core.image(), self._events_image(), record, inputs, starts, tuple(self.events))
        finally:
            self._lock.release()

    def _events_image(self) -> bytes:
        if self.watched == ffi.NULL:
            return b""
        size = lib.mbs_events_image_size(self.watched)
        saved = ffi.new("double[]", size // _DOUBLE + 1)
        lib.mbs_events_save(self.watched, saved)
        return bytes(ffi.buffer(saved))[:size]

    def restore(self, saved: Saved) -> None:
        """Goes back to what `save` returned, of this simulation or of another one of the same model and call; also after
        a step that failed.

        Raises
        ------
        Error
            It is of another model, or damaged; the simulation stays as it was.
        """
        if not isinstance(saved, Saved):
            raise TypeError(f"what save() returned is restored, not {type(saved).__name__}")
        if self._is_open:
            self._is_broken = False
        self._acquire()
        try:
            self._take_back(saved)
        finally:
            self._lock.release()

    def _take_back(self, saved: Saved) -> None:
        made = self
        if saved.starts != self._declared.values:
            made = Simulation(self._source, saved.starts, self._options)
        made._load(saved)
        if made is not self:
            vars(self).update({name: value for name, value in vars(made).items() if name not in ("inputs", "_lock")})
            self.inputs._replace(saved.inputs)

    def _load(self, saved: Saved) -> None:
        size = ffi.sizeof("seam_run_record")
        if len(saved.record) != size or len(saved.events) != len(self._events_image()):
            raise Error("the saved state is of another model; save it again", "the saved state does not belong to this model")
        self._core.restore(saved.motion)
        if self.watched != ffi.NULL:
            call(lib.mbs_events_restore, self.watched, ffi.from_buffer(saved.events), len(saved.events))
        ffi.memmove(self._record, saved.record, size)
        self.inputs._replace(saved.inputs)
        self.events, self.ended, self._has_advanced = list(saved.met), None, True

    # ---- The end ----

    def verdict(self) -> Verdict:
        """What the states so far say by their energies and constraints: "not checked" or "wrong"."""
        bounds = ffi.addressof(lib.seam_model_simulation(self._declared.model._file), "bounds")
        return judge_steps(self._record, self.mechanism, self._core.is_cut, bounds)

    def close(self) -> None:
        """Ends it; `with` does so. Warns where the verdict is "wrong"."""
        if not self._is_open:
            return
        self._is_open = False
        if self._core.is_cut:
            self._core.note()
        verdict = self.verdict()
        if verdict.word == "wrong" and not self._is_broken:
            warnings.warn(verdict.message, WrongResult, stacklevel=3)

    def __enter__(self) -> "Simulation":
        return self

    def __exit__(self, kind: Any, value: Any, trace: Any) -> None:
        if kind is None:
            self.close()
        self._is_open = False

    def __repr__(self) -> str:
        return f"<seam.Simulation of {self._source.name!r} at t = {self.time:.9g} s>"
