"""States about which a mechanism is looked at: the assembled start, equilibria, points of its motion; modes there."""
from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import Any, Union

import numpy as np

from ._library import Watch, call, create, ffi, lib, text
from .errors import Error, WrongResult
from .results import Table, array_at, columns_of


class State:
    """A state of a mechanism, with the memory that evaluations need. For one thread at a time.

    Parameters
    ----------
    model
        `Model` that it belongs to.
    whole : bool
        With user equations and signals of the co-simulation in it.
    """

    def __init__(self, model: Any, whole: bool = True):
        self.file = model  # texts and elements belong to it
        self.mechanism = model._whole() if whole else model._mechanism
        if lib.seam_model_start_from(model._file) != ffi.NULL:
            raise Error("'start: {from: ...}' takes the state of earlier results, which only the command 'seam' reads; use 'seam run'")
        self.workspace = create("mbs_workspace", lib.mbs_workspace_create, lib.mbs_workspace_destroy, self.mechanism)
        self.c = create("mbs_state", lib.mbs_state_create, lib.mbs_state_destroy, self.mechanism)

    def assemble(self, report: Any = ffi.NULL) -> "State":
        """Makes positions, velocities, accelerations and multipliers consistent; fills an mbs_assembly."""
        call(lib.mbs_assemble, self.workspace, self.c, report, ffi.NULL, where=self.file._place)
        return self

    def row(self) -> Table:
        """The default columns of a trajectory, as one row."""
        table = create("seam_table", lib.seam_trajectory_table_create, lib.seam_table_destroy, self.mechanism)
        columns = columns_of(table)
        values = np.empty((1, len(columns)))
        call(lib.seam_trajectory_row, table, self.workspace, self.c, ffi.cast("double *", values.ctypes.data))
        return Table(columns, values)


@dataclass
class Equilibrium:
    """A static equilibrium.

    Attributes
    ----------
    values : dict
        Coordinates, reactions, energies and measures there, by the names of trajectories.
    degrees_of_freedom : int
        0: a locked mechanism, which only has reactions.
    redundant : int
        Constraints that follow from others: reactions are those of least norm.
    steps : int
        That the search took.
    neutral : list of str
        Bodies that move in motions that no force resists.
    acceleration, rate, gap : float
        What is left of accelerations (m/s², rad/s²), rates of states (1/s) and residuals (m, rad).
    growth : float
        1/s, of the motion about it that grows fastest; 0: none does.
    frequency : float
        Hz, of that motion.
    is_decided : bool
        Whether growth is known.
    """

    values: dict[str, float] = field(repr=False)
    degrees_of_freedom: int
    redundant: int
    steps: int
    neutral: list[str]
    acceleration: float
    rate: float
    gap: float
    growth: float
    frequency: float
    is_decided: bool

    def __getitem__(self, name: str) -> float:
        return self.values[name]


@dataclass
class Modes:
    """Motions Re(shape e^(s t)) of the linearised mechanism, in the order of abs(s).

    Attributes
    ----------
    s : numpy.ndarray
        (n) complex, 1/s; of a conjugate pair the one with the positive imaginary part.
    frequency : numpy.ndarray
        (n) Hz.
    damping_ratio : numpy.ndarray
        (n)
    neutral : numpy.ndarray
        (n) bool: no force resists the motion nor drives it.
    shapes, states, measures : dict
        (n) complex, what each mode does to coordinates ("rod.x"), states of force elements and variables, and measures.
    """

    s: np.ndarray
    frequency: np.ndarray
    damping_ratio: np.ndarray
    neutral: np.ndarray
    shapes: dict[str, np.ndarray] = field(repr=False)
    states: dict[str, np.ndarray] = field(repr=False)
    measures: dict[str, np.ndarray] = field(repr=False)

    def __len__(self) -> int:
        return len(self.s)


class OperatingPoints:
    """What a `Model` can say about single states."""

    def start(self) -> dict[str, float]:
        """The assembled start: coordinates, reactions, energies and measures by the names of trajectories."""
        return _values(State(self).assemble())

    def static(self, *, at: float = 0.0) -> Equilibrium:
        """The stable equilibrium that the mechanism would approach from its start under strong damping.

        Parameters
        ----------
        at
            s, at which laws of time are frozen.

        Warns
        -----
        WrongResult
            A motion about the equilibrium grows.
        """
        state = State(self)
        if at:
            state.c.t = at
        report = ffi.new("mbs_equilibrium *")
        neutral = ffi.new("bool[]", lib.mbs_n_bodies(state.mechanism) + 1)
        call(lib.mbs_find_equilibrium, state.workspace, state.c, report, neutral)
        rest = ffi.new("seam_equilibrium_stability *")
        call(lib.seam_equilibrium_stability_find, state.mechanism, state.c, rest)
        if rest.growth > 0:
            message = (
                "the equilibrium is not stable, because with inertia, damping and states a motion about it grows by "
                f"{rest.growth:.6g} 1/s at {rest.frequency:.6g} Hz; modes() shows this motion"
            )
            warnings.warn(message, WrongResult, stacklevel=2)
        moving = [i for i in range(lib.mbs_n_bodies(state.mechanism)) if neutral[i] and report.n_neutral > 0]
        return Equilibrium(
            values=_values(state),
            degrees_of_freedom=report.degrees_of_freedom,
            redundant=report.n_redundant,
            steps=report.steps,
            neutral=[text(lib.mbs_body_of(state.mechanism, i).name) or "" for i in moving],
            acceleration=report.acceleration,
            rate=report.rate,
            gap=report.gap,
            growth=rest.growth,
            frequency=rest.frequency,
            is_decided=bool(rest.is_found) or lib.mbs_n_variables(state.mechanism) == 0,
        )

    def modes(self, *, at: Union[str, float, None] = None) -> Modes:
        """Eigenvalues and shapes of the mechanism linearised about a state.

        Parameters
        ----------
        at
            "equilibrium" (default), "initial", or a time of the motion from the start, s.
        """
        state = operating_point(self, at)
        modes = create("seam_modes", lib.seam_modes_create, lib.seam_modes_destroy, state.mechanism, state.c)
        return _modes(state, modes)


def _values(state: State) -> dict[str, float]:
    row = state.row()
    return {name: float(row.values[0, i]) for i, name in enumerate(row.columns)}


def operating_point(model: Any, at: Union[str, float, None], whole: bool = True) -> State:
    """The state that `at` says: "equilibrium" (also None), "initial", or a time of the monolithic run."""
    state = State(model, whole)
    if at is None or at == "equilibrium":
        call(lib.mbs_find_equilibrium, state.workspace, state.c, ffi.NULL, ffi.NULL)
        return state
    state.assemble()
    if isinstance(at, str) and at != "initial":
        raise Error(f"'{at}' is not a state; give 'initial', 'equilibrium' or a time")
    if not isinstance(at, str):
        _run_to(model, state, at)
    return state


def _run_to(model: Any, state: State, time: float) -> None:
    options = ffi.addressof(lib.seam_model_simulation(model._file).integrator)
    integrator = create("mbs_integrator", lib.mbs_integrator_create, lib.mbs_integrator_destroy, state.mechanism, options)
    call(lib.mbs_integrator_start, integrator, state.c)
    lib.mbs_integrator_set_stop(integrator, time)
    with Watch() as watch:
        lib.mbs_integrator_set_interrupt(integrator, watch.interrupt.is_requested, watch.interrupt.context)
        call(lib.mbs_integrator_advance, integrator, time, state.c)


def _modes(state: State, modes: Any) -> Modes:
    mechanism, entries = state.mechanism, [modes.mode[i] for i in range(modes.n)]
    bodies = [text(lib.mbs_body_of(mechanism, i).name) for i in range(lib.mbs_n_bodies(mechanism))]
    return Modes(
        s=np.array([complex(entry.s[0], entry.s[1]) for entry in entries]),
        frequency=np.array([entry.frequency for entry in entries]),
        damping_ratio=np.array([entry.damping_ratio for entry in entries]),
        neutral=np.array([entry.neutral for entry in entries], dtype=bool),
        shapes=_amplitudes(entries, "shape", [f"{body}.{c}" for body in bodies for c in ("x", "y", "phi")]),
        states=_amplitudes(entries, "states", [_state_name(mechanism, i) for i in range(lib.mbs_n_states(mechanism))]),
        measures=_amplitudes(entries, "measures", measured(mechanism)),
    )


def measured(mechanism: Any) -> list[str]:
    """Names of all quantities of the measures."""
    quantities = ffi.new("mbs_quantity[]", lib.seam_measured_quantities(mechanism, ffi.NULL) + 1)
    found = []
    for i in range(lib.seam_measured_quantities(mechanism, quantities)):
        info = lib.mbs_quantity_of(mechanism, quantities[i])
        found.append(".".join(part for part in (text(info.element), text(info.name)) if part))
    return found


def _state_name(mechanism: Any, state: int) -> str:
    name = ffi.new("char[]", 256)
    lib.mbs_state_text(mechanism, state, name, 256)
    return ffi.string(name).decode()


def _amplitudes(entries: list, part: str, names: list[str]) -> dict[str, np.ndarray]:
    """Complex amplitudes of all modes by name; what has no name is left out."""
    count = len(names)
    found = np.empty((len(entries), count), dtype=complex)
    for k, entry in enumerate(entries):
        real, imaginary = getattr(entry, part)
        if count:
            found[k].real = array_at(real, (count,))
            found[k].imag = array_at(imaginary, (count,))
    return {name: found[:, i] for i, name in enumerate(names) if name}
