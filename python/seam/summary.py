"""What a run says of itself, as summary.json of the command has it."""
from __future__ import annotations

import math
import time
from typing import Any, Optional

import numpy as np

from ._library import ffi, lib, text
from .cosimulation import Cosimulation, largest
from .errors import Error
from .recorder import STATISTICS, Recorder
from .results import Table

_COORDINATES = (("x", "m", 0), ("y", "m", 0), ("phi", "rad", 1), ("vx", "m/s", 2), ("vy", "m/s", 2), ("omega", "rad/s", 3))
_NOTICEABLE = 1e-6  # m, rad, m/s or rad/s


def number(value: float) -> Optional[float]:
    """None for what is not finite, as in JSON."""
    return value if math.isfinite(value) else None


class Clock:
    """Wall and CPU time of a run."""

    def __init__(self) -> None:
        self._wall, self._cpu = time.monotonic(), time.process_time()

    def read(self) -> dict[str, float]:
        return {"wall_s": time.monotonic() - self._wall, "cpu_s": time.process_time() - self._cpu}


class Verdict:
    """How a run ended: done, suspect, or failed with an exception.

    Attributes
    ----------
    status, message : str
    exit_status : int
    criteria : dict
        Figure and bound of each; empty of a monolithic run that has no row.
    """

    def __init__(self, recorder: Recorder, options: Any, simulation: Any, ending: Optional[BaseException]):
        self.status, self.exit_status, self.message = _ending(ending)
        self.criteria: dict[str, dict[str, Optional[float]]] = {}
        if simulation is not None and ending is None:
            lib.seam_run_record_couplings(recorder.record, simulation)
        if recorder.rows == 0 and simulation is None:
            return
        found, error = ffi.new("seam_run_verdict *"), ffi.new("seam_error *")
        status = lib.seam_run_judge(recorder.record, recorder.mechanism, options, recorder.statistics, found, error)
        for i in range(lib.SEAM_N_CRITERIA):
            name = text(lib.seam_criterion_name(i)) or ""
            self.criteria[name] = {"figure": number(found.figure[i]), "bound": number(found.bound[i])}
        if ending is None and status:
            self.status = text(lib.seam_status_text(status)) or ""
            self.exit_status = lib.seam_status_exit(status)
            self.message = ffi.string(error.message).decode(errors="replace")


def _ending(ending: Optional[BaseException]) -> tuple[str, int, str]:
    if ending is None:
        return "done", 0, ""
    if isinstance(ending, Error):
        return ending.status, ending.exit_status, ending.message
    return "interrupted", 1, str(ending)


def summarise(
    recorder: Recorder,
    verdict: Verdict,
    clock: dict[str, float],
    assembly: dict[str, Any],
    cosimulation: Optional[Cosimulation],
    tables: dict[str, Optional[Table]],
) -> dict[str, Any]:
    """All of it, by the keys of summary.json."""
    found: dict[str, Any] = {"versions": {"seam": text(lib.seam_version()), "summary": 2}}
    found["verdict"] = {
        "status": verdict.status,
        "exit_status": verdict.exit_status,
        "message": verdict.message,
        "time": recorder.time,
        "rows": recorder.rows,
        "criteria": verdict.criteria,
    }
    found.update(_events(recorder))
    found["overrides"] = list(recorder.model._overrides)
    found["statistics"] = {**integrator_statistics(recorder.statistics), **clock}
    found.update(assembly)
    found.update(_quality(recorder))
    if cosimulation is not None:
        found["cosim"] = _cosim(cosimulation)
    found["measures"] = _measures(recorder)
    found["columns"] = {
        name: {column.name: {**column._asdict()} for column in table.columns.values()}
        for name, table in tables.items()
        if table is not None
    }
    for columns in found["columns"].values():
        for column in columns.values():
            del column["name"]
    found["model"] = recorder.model.effective
    return found


def integrator_statistics(statistics: Any) -> dict[str, Any]:
    """Of a run, by name."""
    counts = {name: getattr(statistics, name) for name in ("steps", "rejected", "evaluations", "factorisations")}
    return {**counts, "smallest_step": number(statistics.smallest_step), "largest_step": number(statistics.largest_step)}


def _events(recorder: Recorder) -> dict[str, Any]:
    mechanism, found = recorder.mechanism, {}
    if recorder.ended is not None:
        event, t = recorder.ended
        found["ended"] = {"event": text(lib.mbs_event_name(mechanism, event)), "t": t}
    found["events"] = {}
    for i in range(lib.mbs_n_events(mechanism)):
        record = lib.mbs_event_record_of(recorder.watched, i)
        times = {"first": record.first, "last": record.last} if record.count else {}
        found["events"][text(lib.mbs_event_name(mechanism, i))] = {"count": record.count, **times}
    if recorder.contacts:
        found["impacts"] = {
            text(lib.mbs_force_name(mechanism, force)): _impacts(record)
            for force, record in zip(recorder.contacts, recorder.impacts)
        }
    return found


def _impacts(record: Any) -> dict[str, Any]:
    if not record.count:
        return {"count": 0}
    found = {"count": record.count, "first": record.first, "last": record.last}
    return {**found, "impulse": record.normal, "friction_impulse": record.tangential, "energy_lost": record.loss}


# ---- Assembly ----


def assemble(state: Any) -> dict[str, Any]:
    """Assembles a start; what that says of the mechanism and changed of the file."""
    before = ffi.new("double[]", list(state.c.q[0 : 3 * len(state.file.bodies)]) + [0.0])
    rates = ffi.new("double[]", list(state.c.v[0 : 3 * len(state.file.bodies)]) + [0.0])
    report = ffi.new("mbs_assembly *")
    state.assemble(report)
    mechanism = {
        "degrees_of_freedom": report.degrees_of_freedom,
        "redundant_constraints": report.n_redundant,
        "reactions": "least norm" if report.n_redundant > 0 else "unique",
    }
    return {"mechanism": mechanism, "assembly": _changes(state, before, rates)}


def _changes(state: Any, q: Any, v: Any) -> list[dict[str, Any]]:
    """The largest in m, rad, m/s and rad/s. A rate that was zero is none that the file gives: it follows from others."""
    largest_of: list[Optional[dict[str, Any]]] = [None] * 4
    for b, body in enumerate(state.file.bodies):
        for i, (name, unit, kind) in enumerate(_COORDINATES):
            at = 3 * b + i % 3
            old, new = (q[at], state.c.q[at]) if i < 3 else (v[at], state.c.v[at])
            is_given = not lib.seam_model_is_rough(state.file._file, b) if i < 3 else old != 0
            most = largest_of[kind]
            size = _NOTICEABLE if most is None else max(_NOTICEABLE, abs(most["after"] - most["before"]))
            if is_given and abs(new - old) > size:
                largest_of[kind] = {"body": body, "coordinate": name, "before": old, "after": new, "unit": unit}
    return [change for change in largest_of if change is not None]


# ---- Quality ----


def _quality(recorder: Recorder) -> dict[str, Any]:
    record, mechanism = recorder.record, recorder.model._mechanism
    kinetic = record.largest_kinetic
    imbalance = abs(record.imbalance)
    relative = np.float64(imbalance)
    with np.errstate(all="ignore"):
        relative = relative / np.float64(kinetic)
    return {
        "residuals": {"g": _residual(record.position, mechanism), "gd": _residual(record.velocity, mechanism)},
        "energy": {
            "initial_total": number(record.initial_energy),
            "largest_kinetic": number(kinetic),
            "largest_exchange": number(lib.seam_run_record_exchange(record)),
            "largest_imbalance": number(imbalance),
            "relative_imbalance": number(float(relative)),
        },
    }


def _residual(seen: Any, mechanism: Any) -> dict[str, Any]:
    found: dict[str, Any] = {"largest": number(seen.value)}
    if seen.value > 0:
        found["joint"] = text(lib.mbs_joint_name(mechanism, lib.mbs_constraint_joint(mechanism, seen.constraint)))
        found["constraint"] = text(lib.mbs_constraint_name(mechanism, seen.constraint))
        found["time"] = number(seen.time)
    return found


def _measures(recorder: Recorder) -> dict[str, Any]:
    """Statistics over the run that the file asks for."""
    mechanism, found = recorder.model._mechanism, {}
    for i in range(recorder.n_quantities):
        info = lib.mbs_quantity_of(mechanism, recorder.quantities[i])
        name = ".".join(part for part in (text(info.element), text(info.name)) if part)
        asked = lib.seam_model_over_run(recorder.model._file, recorder.quantities[i].element)
        found[name] = {"unit": text(info.unit)}
        for s, which in enumerate(STATISTICS):
            if asked >> s & 1:
                figure = lib.seam_over_run_of(recorder.over_run, i, s)
                parts = ("value", "uncertainty") if math.isnan(figure.time) else ("value", "time", "uncertainty")
                found[name][which] = {part: number(getattr(figure, part)) for part in parts}
    return found


# ---- Co-simulation ----

_COUNTS = ("macro_steps", "repeated", "with_kinks", "law_kinks", "switches", "switches_inside", "part_events",
           "part_events_inside", "shortened", "hidden_events")
_FIGURES = ("law_kink_error", "law_speed", "contact_energy", "reaction_error", "largest_reaction", "shortest", "longest")


def _cosim(run: Cosimulation) -> dict[str, Any]:
    simulation = run.simulation
    statistics = lib.cosim_statistics_of(simulation)
    found: dict[str, Any] = {"macro_step": number(run.options.macro_step)}
    if lib.seam_model_assumes_macro_step(run.recorder.model._file):
        found["macro_step_note"] = (
            "assumed, not checked: neither the system nor its FMUs say one; set it by --macro-step"
        )
    found["sequence"] = "gauss-seidel" if run.options.sequence == lib.COSIM_GAUSS_SEIDEL else "jacobi"
    found.update({name: getattr(statistics, name) for name in _COUNTS})
    found.update({name: number(getattr(statistics, name)) for name in _FIGURES})
    is_long = lib.cosim_takes_long_steps(simulation)
    found["reactions_between_macro_points"] = ("evaluated" if is_long else "interpolated") + ", not checked"
    steps = statistics.macro_steps
    found["mean"] = number(lib.cosim_state(simulation).t / steps) if steps else 0
    if run.is_controlled:
        found["step_control"] = _control(run)
    found["corrections"], found["interface_matrices"] = statistics.corrections, statistics.refreshes
    found.update(_watched(simulation))
    found.update(_interfaces(run))
    return found


def _control(run: Cosimulation) -> dict[str, Any]:
    control = lib.cosim_builder_step_control(run.builder)
    first = min(max(run.options.macro_step, control.shortest), control.longest)
    return {
        "method": text(lib.cosim_step_indicator_name(control.indicator)),
        "tolerance": number(control.tolerance),
        "first": None if control.chooses_first else number(first),
        "shortest": number(control.shortest),
        "longest": number(control.longest),
    }


def _watched(simulation: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    hold, limit = ffi.new("cosim_hold_error *"), ffi.new("cosim_limit_reached *")
    if lib.cosim_worst_hold(simulation, hold):
        found["worst_signal"] = {
            "to": text(hold.name),
            "order": hold.order,
            "miss": number(hold.share),
            "better_order": hold.better,
            "better_miss": number(hold.better_share),
        }
    if lib.cosim_most_limited(simulation, limit):
        reached = {"limit": number(limit.limit), "macro_steps": limit.reached}
        found["limited_correction"] = {"of": text(limit.name), **reached}
    return found


def _interfaces(run: Cosimulation) -> dict[str, Any]:
    simulation, rows = run.simulation, Table(run.couplings.columns, run.couplings.values)
    times = rows["time"]
    couplings = {
        text(lib.cosim_coupling_name(simulation, k)): _coupling(run, rows, k)
        for k in range(lib.cosim_n_couplings(simulation))
    }
    for k in range(lib.cosim_n_part_couplings(simulation)):
        name = text(lib.cosim_part_coupling(simulation, k).name) or ""
        couplings[name] = _part_coupling(simulation, k, largest(rows[f"{name}.residual_power"], times))
    bonds = {}
    for i in range(lib.cosim_n_bonds(simulation)):
        name = text(lib.cosim_bond_name(simulation, i)) or ""
        energy = lib.cosim_bond_energy_of(simulation, i).residual_energy
        bonds[name] = _energy(energy, largest(rows[f"{name}.residual_power"], times))
    total = lib.seam_interface_energy_of(simulation)
    power = largest(np.array(run.powers), times)
    together = {**_energy(total.residual_energy, power), "created_energy": number(total.created)}
    return {"couplings": couplings, "bonds": bonds, "total": together}


def _energy(energy: float, power: dict[str, Any]) -> dict[str, Any]:
    return {"residual_energy": number(energy), "residual_power": _peak(power)}


def _peak(peak: dict[str, Any]) -> dict[str, Any]:
    return {name: number(value) for name, value in peak.items()}


def _coupling(run: Cosimulation, rows: Table, k: int) -> dict[str, Any]:
    simulation, times = run.simulation, rows["time"]
    name = text(lib.cosim_coupling_name(simulation, k)) or ""
    sides = ffi.new("size_t[2]")
    lib.cosim_coupling_subsystems(simulation, k, sides)
    is_joint = lib.cosim_coupling_is_joint(simulation, k)
    found: dict[str, Any] = {
        "kind": "constraint" if is_joint else "constitutive",
        "scheme": text(lib.cosim_coupling_scheme(simulation, k)),
        "by": "exchange" if lib.cosim_coupling_is_exchanged(simulation, k) else "master",
        "subsystems": [text(lib.cosim_builder_subsystem(run.builder, side).name) for side in sides],
    }
    for level in ("g", "gd", "gdd") if is_joint else ():
        found[level] = _peak(_largest_of(rows, name, level, times))
    energy = lib.cosim_coupling_energy(simulation, k).residual_energy
    found.update(_energy(energy, largest(rows[f"{name}.residual_power"], times)))
    found["created_energy"] = number(lib.cosim_coupling_created(simulation, k))
    return found


def _part_coupling(simulation: Any, k: int, power: dict[str, Any]) -> dict[str, Any]:
    """Of user parts, FMUs, or the mechanism with one of these."""
    definition = lib.cosim_part_coupling(simulation, k)
    energy = lib.cosim_part_coupling_energy(simulation, k, ffi.NULL, ffi.NULL).residual_energy
    return {
        "kind": "constraint" if definition.is_rigid else "constitutive",
        "by": "master",
        "subsystems": [text(side.subsystem) for side in definition.side],
        **_energy(energy, power),
        "created_energy": number(energy),
        "inside_of_subsystems": "not checked",
    }


def _largest_of(rows: Table, name: str, level: str, times: np.ndarray) -> dict[str, Any]:
    """Over all columns of a level: row by row, then column by column, the first of equal ones."""
    places = [c.name for c in rows.columns.values() if c.element == name and c.quantity.startswith(f"{level}_")]
    if not places:
        return {"largest": 0.0, "time": 0.0}
    together = np.column_stack([rows[place] for place in places])
    return largest(together.ravel(), np.repeat(times, len(places)))
