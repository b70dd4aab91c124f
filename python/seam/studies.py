"""Co-simulations beside the monolithic run: comparisons, convergence, stable macro steps."""
from __future__ import annotations

import math
import operator
import warnings
from dataclasses import dataclass, field
from html import escape
from typing import Any, Callable, Mapping, NamedTuple, Optional, Union

import numpy as np

from . import scheme_names as of_schemes
from ._library import Watch, call, check, create, ffi, lib, text
from .charts import chart
from .errors import Error, WrongResult
from .operating import State, measured, operating_point
from .pictures import Picture
from .results import array_at
from .scheme_names import Schemes

Progress = Optional[Callable[[float], Optional[bool]]]


class Records:
    """Rows of a study: ``rows["error_position"]`` is a column, ``rows[0]`` a dictionary.

    Attributes
    ----------
    columns : dict
        Arrays by name.
    """

    def __init__(self, rows: list[dict[str, Any]], names: tuple[str, ...]):
        self.columns = {name: np.array([row[name] for row in rows]) for name in names}
        self._length = len(rows)

    def __getitem__(self, key: Union[str, int]) -> Any:
        if isinstance(key, str):
            return self.columns[key]
        if not -self._length <= key < self._length:
            raise IndexError(key)
        return {name: column[key].item() for name, column in self.columns.items()}

    def __len__(self) -> int:
        return self._length

    def __repr__(self) -> str:
        return f"<seam.Records: {self._length} rows of {', '.join(self.columns)}>"

    def _repr_html_(self) -> str:
        cells = [[f"{cell:.4g}" if isinstance(cell, float) else str(cell) for cell in self[i].values()] for i in range(len(self))]
        rows = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in cells)
        return f"<table><tr>{''.join(f'<th>{escape(name)}</th>' for name in self.columns)}</tr>{rows}</table>"

    def to_pandas(self) -> Any:
        """A pandas.DataFrame."""
        import pandas

        return pandas.DataFrame(self.columns)


_RUN = ("scheme", "macro_step", "verdict", "error_position", "error_velocity", "max_g", "max_gd", "max_gdd", "energy_drift",
        "macro_steps", "cpu_s", "cpu_monolithic_s", "error", "quantity", "time", "why", "tolerance", "limit")  # fmt: skip
_LARGEST_OF_ORDER = 0.1  # error of positions from which on a run has no order
_ERROR = ("scheme", "column", "nrmse", "largest")
_ORDER = ("scheme", "error", "macro_steps", "count", "order", "interval")


@dataclass
class Comparison:
    """Co-simulated runs beside the monolithic one.

    Attributes
    ----------
    runs : Records
        A row for each scheme, as compare.csv has them: verdict, error (of the travel of `quantity`, at `time`),
        error_position, error_velocity; why: the cause of a run that did not finish.
    errors : Records
        Of every single column, as errors.csv has them.
    agreement : float
        Share of travel to which a second monolithic run confirms the reference; NaN: there was none.
    until : float
        s, up to where the reference is believed, and errors are judged.
    message : str
        Why the reference is not believed; "": it is.
    """

    runs: Records
    errors: Records = field(repr=False)
    agreement: float
    until: float
    message: str

    def picture(self) -> Picture:
        """Work and precision: the error of each scheme over its processor time."""
        return chart({row["scheme"]: ([row["cpu_s"]], [row["error"]]) for row in self.runs}, "CPU time, s", "error, of the travel")

    def _repr_html_(self) -> str:
        return self.runs._repr_html_() + self.picture()._repr_html_() + escape(self.message)


@dataclass
class Convergence:
    """Errors over macro steps.

    Attributes
    ----------
    runs : Records
        A row for each scheme and macro step, as converge.csv has them.
    orders : Records
        Slopes of the errors over all and over the three smallest macro steps, as orders.csv has them.
    message : str
        Why the reference is not believed; "": it is.
    """

    runs: Records
    orders: Records
    message: str

    def picture(self) -> Picture:
        """Errors of positions over the macro step; those of all quantities where nothing has a position."""
        runs = self.runs
        error = "error_position" if np.isfinite(runs["error_position"]).any() else "error"
        of = {scheme: runs["scheme"] == scheme for scheme in dict.fromkeys(runs["scheme"])}
        return chart({name: (runs["macro_step"][rows], runs[error][rows]) for name, rows in of.items()}, "macro step, s", error)

    def _repr_html_(self) -> str:
        return self.runs._repr_html_() + self.orders._repr_html_() + self.picture()._repr_html_() + escape(self.message)


class Interval(NamedTuple):
    """Macro steps under which a scheme is stable, s."""

    start: float
    stop: float
    has_undecided: bool  #: some points are undecided


@dataclass
class SchemeStability:
    """Stability and error of one scheme over the macro steps of a study: arrays of their length.

    Attributes
    ----------
    rho, uncertainty, error : numpy.ndarray
        Spectral radius; its uncertainty through rounding; predicted error, NaN where there is none.
    verdict : numpy.ndarray
        "stable", "unstable", "undecided".
    intervals : list of Interval
        Stable macro steps.
    macro_step, least_error : float
        The largest macro step (s) up to which the wanted error is kept, at most a tenth of the slowest period, and its
        error; NaN: none.
    """

    scheme: str
    rho: np.ndarray = field(repr=False)
    uncertainty: np.ndarray = field(repr=False)
    error: np.ndarray = field(repr=False)
    verdict: np.ndarray = field(repr=False)
    intervals: list[Interval]
    macro_step: float
    least_error: float


@dataclass
class MechanismStability:
    """Which macro steps are stable for the schemes of a mechanism, linearised about a state.

    Attributes
    ----------
    macro_steps : numpy.ndarray
        s.
    schemes : dict
        A `SchemeStability` by the name of each scheme.
    recommended : str or None
        The scheme that is accurate enough up to the largest macro step, a tenth of the slowest period at most, for small
        motions about the state; try it on the motion with `Model.try_macro_step`.
    advice : str
        Why none is recommended; "" where one is.
    """

    macro_steps: np.ndarray = field(repr=False)
    schemes: dict[str, SchemeStability]
    recommended: Optional[str]
    advice: str

    def __getitem__(self, scheme: str) -> SchemeStability:
        return self.schemes[scheme]

    def picture(self) -> Picture:
        """Predicted errors over the macro step, where a scheme is stable."""
        lines = {name: (self.macro_steps, np.where(of.verdict == "stable", of.error, np.nan)) for name, of in self.schemes.items()}
        return chart(lines, "macro step, s", "error over one period")

    def _repr_html_(self) -> str:
        names = ("scheme", "macro_step", "least_error", "stable")
        rows = [
            (name, of.macro_step, of.least_error, ", ".join(f"{i.start:.4g} to {i.stop:.4g}" for i in of.intervals))
            for name, of in self.schemes.items()
        ]
        table = Records([dict(zip(names, row)) for row in rows], names)
        return table._repr_html_() + self.picture()._repr_html_() + escape(self.advice)


class Trial(NamedTuple):
    """What became of a macro step on the model's motion."""

    macro_step: float  #: s, the first that is stable and accurate enough; NaN: none
    error: float
    first_error: float  #: with the macro step that was wanted; NaN: that run failed
    why: str  #: it is not stable; "": it is
    end: float  #: s, of what was tried
    n_runs: int
    rests: bool  #: nothing moves: no error can be found


class Studies:
    """What a `Model` can say about its co-simulations."""

    def compare(
        self,
        schemes: Schemes = None,
        *,
        end: Optional[float] = None,
        macro_step: Optional[float] = None,
        overrides: Optional[Mapping[str, Any]] = None,
        progress: Progress = None,
    ) -> Comparison:
        """Sets co-simulations beside the monolithic run at 100 times tighter tolerances.

        Parameters
        ----------
        schemes
            Names, "all" that are possible, or the file's own (default).
        end, macro_step
            s, instead of the file's.
        overrides
            Further values, as for `Model`.
        progress
            Called with the time that a run has reached, s; True ends the study with KeyboardInterrupt.

        Warns
        -----
        WrongResult
            A second monolithic run does not confirm the reference: no errors are judged.
        """
        model = self._varied_by(overrides, {"simulate.end": end, "cosim.macro_step": macro_step})
        start, whole = _begin(model)
        names = of_schemes.possible(model, schemes, start)
        H = lib.cosim_builder_definition(of_schemes.builder_of(model)).options.macro_step
        with Watch(progress) as watch:
            reference = _reference(model, whole, H, _end(model, whole, watch), watch)
            message, agreement, until = _confirm(reference, watch)
            runs: list[dict[str, Any]] = []
            errors: list[dict[str, Any]] = []
            for scheme in names:
                name = scheme or of_schemes.name_of_file(model)
                comparison = _compare(reference, of_schemes.use(model, scheme, controlled=True), watch)
                runs.append(_run(name, H, comparison))
                errors += _errors(model, name, comparison)
        _warn(message)
        return Comparison(Records(runs, _RUN), Records(errors, _ERROR), agreement, until, message)

    def converge(
        self,
        schemes: Schemes = None,
        *,
        macro_steps: tuple[float, float, int],
        end: Optional[float] = None,
        overrides: Optional[Mapping[str, Any]] = None,
        progress: Progress = None,
    ) -> Convergence:
        """Errors over the macro step, and their order.

        Parameters
        ----------
        schemes
            As for `compare`.
        macro_steps
            (from, to, count), s, in geometric progression, moved so that they divide the end.
        end, overrides, progress
            As for `compare`.
        """
        model = self._varied_by(overrides, {"simulate.end": end})
        start, whole = _begin(model)
        names = of_schemes.possible(model, schemes, start)
        runs: list[dict[str, Any]] = []
        message = ""
        with Watch(progress) as watch:
            last = _end(model, whole, watch)
            steps = _series(*_range(macro_steps), last)
            for i, H in enumerate(steps):
                reference = _reference(model, whole, H, last, watch)
                if i == 0 or message:
                    message, confirmed, _ = _confirm(reference, watch)
                for scheme in names:
                    comparison = _compare(reference, of_schemes.use(model, scheme), watch)
                    runs.append(_run(scheme or of_schemes.name_of_file(model), H, comparison))
        _warn(message)
        orders = [order for name in dict.fromkeys(run["scheme"] for run in runs) for order in _orders(name, runs, confirmed)]
        return Convergence(Records(runs, _RUN), Records(orders, _ORDER), message)

    def stability(
        self,
        schemes: Schemes = None,
        *,
        macro_steps: Optional[tuple[float, float, int]] = None,
        error: float = 1e-3,
        at: Union[str, float, None] = None,
        overrides: Optional[Mapping[str, Any]] = None,
        progress: Progress = None,
    ) -> MechanismStability:
        """Stable macro steps of schemes for the mechanism linearised about a state.

        Parameters
        ----------
        schemes
            As for `compare`.
        macro_steps
            (from, to, count), s, in a geometric sequence; default: a tenth to 100 times the file's, 61 of them.
        error
            The wanted one, relative to the amplitude of small motions.
        at
            As for `modes`.
        """
        model = self._varied_by(overrides, {})
        _check_linearisable(model, schemes)
        has_signals = _has_signals(model)
        state = operating_point(model, at) if has_signals else operating_point(model, at, whole=False)
        names = of_schemes.possible(model, schemes, None if has_signals else state)
        usual = lib.cosim_builder_definition(of_schemes.builder_of(model)).options.macro_step
        first, last, count = _range((usual / 10, usual * 100, 61) if macro_steps is None else macro_steps)
        with Watch(progress) as watch:
            found = [_study(model, state, scheme, (first, last, count), error, watch) for scheme in names]
        return _recommended(model, state, found)

    def try_macro_step(
        self,
        scheme: Optional[str],
        macro_step: float,
        *,
        error: float = 1e-3,
        overrides: Optional[Mapping[str, Any]] = None,
        progress: Progress = None,
    ) -> Trial:
        """Runs a scheme (None: the file's) beside the monolithic run, with shorter macro steps until the error is kept."""
        model = self._varied_by(overrides, {})
        whole = State(model).assemble()
        builder = of_schemes.use(model, scheme)
        trial = ffi.new("seam_trial *")
        with Watch(progress) as watch:
            simulation = lib.seam_model_simulation(model._file)
            definition = ffi.new(
                "seam_trial_def *",
                {
                    "model": whole.mechanism,
                    "start": whole.c,
                    "integrator": ffi.addressof(simulation.integrator),
                    "builder": builder,
                    "macro_step": macro_step,
                    "end": simulation.end,
                    "wanted": error,
                    "interrupt": watch.interrupt,
                },
            )
            call(lib.seam_try_macro_step, definition, trial)
        why = ffi.string(trial.why).decode()
        return Trial(trial.macro_step, trial.error, trial.first_error, why, trial.end, trial.n_runs, bool(trial.rests))


def _begin(model: Any) -> tuple[State, State]:
    """The assembled starts of the mechanism that is cut and of the whole."""
    of_schemes.builder_of(model)
    if math.isnan(lib.seam_model_simulation(model._file).end):
        raise Error("the model gives no end time; add 'simulate: {end: ...}', or give an end")
    return State(model, whole=False).assemble(), State(model).assemble()


def _end(model: Any, whole: State, watch: Watch) -> float:
    """The end of the file, or where an event stops the monolithic run before."""
    simulation = lib.seam_model_simulation(model._file)
    event = ffi.new("mbs_event *")
    options = ffi.addressof(simulation.integrator)
    call(lib.seam_find_stop, whole.mechanism, whole.c, options, watch.interrupt, simulation.end, event)
    return event.time


def _reference(model: Any, whole: State, H: float, end: float, watch: Watch) -> Any:
    options = ffi.addressof(lib.seam_model_simulation(model._file).integrator)
    return create(
        "seam_reference", lib.seam_reference_create, lib.seam_reference_destroy,
        whole.mechanism, whole.c, options, H, end, watch.interrupt,
    )  # fmt: skip


def _confirm(reference: Any, watch: Watch) -> tuple[str, float, float]:
    """Why the reference is not believed, how far a second run is from it, and up to where it is believed."""
    agreement = ffi.new("seam_agreement *")
    error = ffi.new("seam_error *")
    status = lib.seam_reference_check(reference, watch.interrupt, agreement, error)
    if status == lib.SEAM_WRONG:
        return ffi.string(error.message).decode(), agreement.share, agreement.until
    check(status, error)
    return "", agreement.share, agreement.until


def _warn(message: str) -> None:
    if message:
        warnings.warn(message, WrongResult, stacklevel=3)


def _compare(reference: Any, builder: Any, watch: Watch) -> Any:
    return create(
        "seam_comparison", lib.seam_comparison_create, lib.seam_comparison_destroy,
        reference, builder, watch.interrupt, ffi.NULL,
    )  # fmt: skip


def _run(scheme: str, H: float, run: Any) -> dict[str, Any]:
    """A row of compare.csv."""
    is_finished = run.outcome == lib.SEAM_RUN_FINISHED
    found = {name: getattr(run, name) for name in _RUN[3:10]}
    found.update(scheme=scheme, macro_step=H if math.isnan(run.tolerance) else math.nan)
    found.update(verdict=text(lib.seam_comparison_text(run)), has_order=is_finished and run.error_position <= _LARGEST_OF_ORDER)
    found.update(cpu_s=run.cpu, cpu_monolithic_s=run.cpu_monolithic, tolerance=run.tolerance)
    found.update(error=run.error.of_travel, quantity=ffi.string(run.error.quantity).decode())
    found.update(time=run.error.time if is_finished else run.time)
    found.update(why=ffi.string(run.why).decode(), limit=ffi.string(run.limit).decode())
    return found


def _errors(model: Any, scheme: str, run: Any) -> list[dict[str, Any]]:
    """Rows of errors.csv."""
    if run.columns == ffi.NULL:
        return []
    places = [f"{body}.{q}" for q_of in (("x", "y", "phi"), ("vx", "vy", "omega")) for body in model.bodies for q in q_of]
    names = places + measured(model._mechanism)
    return [
        {"scheme": scheme, "column": name, "nrmse": run.columns[i].nrmse, "largest": run.columns[i].largest}
        for i, name in enumerate(names)
    ]


def _range(macro_steps: Any) -> tuple[float, float, int]:
    """What is given as (from, to, count)."""
    try:
        first, last, count = macro_steps
        is_right = 0 < first < math.inf and 0 < last < math.inf and operator.index(count) >= 2
    except (TypeError, ValueError):
        is_right = False
    if not is_right:
        raise Error(f"macro_steps are (from, to, count), two positive times and a number from 2 on, not {macro_steps!r}")
    return first, last, count


def _series(first: float, last: float, count: int, end: float) -> list[float]:
    """Macro steps in geometric progression that divide the end, in descending order."""
    largest = max(first, last)
    if largest > end:
        raise Error(f"the macro step of {largest:g} s is longer than the run of {end:g} s; take shorter ones")
    ratio = min(first, last) / largest
    found: list[float] = []
    for i in range(count):
        wanted = end / (largest * ratio ** (i / (count - 1)))
        H = end / (math.floor(wanted) + (wanted - math.floor(wanted) >= 0.5))
        if not found or H < found[-1]:
            found.append(H)
    return found


def _orders(scheme: str, runs: list[dict[str, Any]], confirmed: float) -> list[dict[str, Any]]:
    """Rows of orders.csv."""
    mine = [run for run in runs if run["scheme"] == scheme]
    found = []
    floor = 0 if math.isnan(confirmed) else confirmed
    for kind in ("error_position", "error_velocity"):
        errors = ffi.new("double[]", [run[kind] if run["has_order"] else math.nan for run in mine])
        steps = ffi.new("double[]", [run["macro_step"] for run in mine])
        floors = ffi.new("double[]", [floor for _ in mine])
        orders = lib.seam_orders_fit(steps, errors, floors, len(mine))
        for name in ("all", "fine"):
            order = getattr(orders, name)
            entry = {"scheme": scheme, "error": kind, "macro_steps": name}
            found.append({**entry, "count": order.n, "order": order.slope, "interval": order.interval})
    return found


# ---- Stability ----


def _has_signals(model: Any) -> bool:
    return lib.cosim_has_signals(of_schemes.builder_of(model))


def _check_linearisable(model: Any, schemes: Schemes) -> None:
    if not model.bodies:
        raise Error("the model has no bodies to linearise, only user equations; give a model with bodies")
    builder = create(
        "cosim_builder", lib.cosim_builder_copy, lib.cosim_builder_destroy, of_schemes.builder_of(model)
    )
    if schemes is not None:
        lib.cosim_clear_couplings(builder)
    call(lib.seam_linearised_check, builder)


def _study(
    model: Any, state: State, scheme: Optional[str], steps: tuple[float, float, int], wanted: float, watch: Watch
) -> tuple[SchemeStability, Any, np.ndarray]:
    builder = of_schemes.use(model, scheme)
    linear = create(
        "seam_linearised", lib.seam_linearised_create_of, lib.seam_linearised_destroy, state.mechanism, state.c, builder
    )
    first, last, count = steps
    points, errors = ffi.new("seam_scheme_point[]", max(count, 1)), ffi.new("double[]", max(count, 1))
    study = ffi.new("seam_scheme_study *")
    call(lib.seam_linearised_study, linear, first, last, count, wanted, watch.interrupt, points, errors, study)
    intervals = [
        Interval(getattr(interval, "from"), interval.to, bool(interval.has_undecided))
        for interval in study.interval[0 : study.n_intervals]
    ]
    found = SchemeStability(
        scheme or _name_of_couplings(model),
        np.array([point.rho for point in points]),
        np.array([point.uncertainty for point in points]),
        array_at(errors, (count,)).copy(),
        np.array([text(lib.seam_verdict_text(point.verdict)) for point in points]),
        intervals,
        study.macro_step,
        study.error,
    )
    return found, study, np.array([point.macro_step for point in points])


_ADVICE = {
    "SEAM_TAKE_SCHEME": "",
    "SEAM_STATE_MOVES": "the state moves or accelerates: errors are predicted for small motions about an equilibrium",
    "SEAM_DIRECTION_TURNS": "the direction of a cut joint turns under load, which the linearisation leaves out",
    "SEAM_NONE_STABLE": "no scheme is stable with any of the macro steps",
    "SEAM_NO_PREDICTION": "no error can be predicted",
    "SEAM_NONE_ACCURATE": "no scheme reaches the wanted error with these macro steps",
}


def _simulation(model: Any) -> Any:
    builder = of_schemes.use(model, None)
    return create("cosim_simulation", lib.cosim_create, lib.cosim_destroy, builder, where=model._place)


def _name_of_couplings(model: Any) -> str:
    """The scheme of all couplings; "as in the file" where it has several, or none."""
    simulation = _simulation(model)
    used = {text(lib.cosim_coupling_of(simulation, k).scheme) for k in range(lib.cosim_n_couplings(simulation))}
    return used.pop() or "" if len(used) == 1 else "as in the file"


def _turns(model: Any, state: State) -> bool:
    """Whether the direction of a cut joint turns under load."""
    simulation = _simulation(model)
    joints = [
        lib.cosim_coupling_of(simulation, k).element
        for k in range(lib.cosim_n_couplings(simulation))
        if lib.cosim_coupling_of(simulation, k).is_joint
    ]
    return any(not lib.mbs_joint_of(state.mechanism, joint).is_affine for joint in joints)


def _recommended(model: Any, state: State, found: list[tuple[SchemeStability, Any, np.ndarray]]) -> MechanismStability:
    studies = ffi.new("seam_scheme_study[]", len(found))
    for i, (_, study, _) in enumerate(found):
        studies[i] = study[0]
    best = lib.seam_recommend(state.mechanism, state.c, _turns(model, state), studies, len(found))
    advice = _ADVICE[ffi.string(ffi.cast("seam_advice", best.advice))]
    names = [entry.scheme for entry, _, _ in found]
    return MechanismStability(
        found[0][2],
        {entry.scheme: entry for entry, _, _ in found},
        names[best.scheme] if advice == "" else None,
        advice,
    )
