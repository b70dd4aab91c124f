"""Sweeps: many runs of one model, each with other values in its file."""
from __future__ import annotations

import json
import math
import os
import threading
import warnings
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from typing import Any, Callable, Iterable, Mapping, Optional, Union

import numpy as np

from ._library import Watch, c_text, call, check, create, ffi, lib, text, texts
from .cosimulation import cut, start_of
from .errors import Error, WrongResult, whole_number
from .operating import State
from .recorder import STATISTICS, Recorder
from .studies import Records

Variations = Mapping[str, Union[str, Iterable[Any]]]


@dataclass
class Sweep:
    """What a sweep found.

    Attributes
    ----------
    runs : Records
        A row for each run: ``run`` from 1 on, what varies, ``NAME.STATISTIC`` and ``NAME.STATISTIC.uncertainty``, ``status``,
        the exit status of the command, and ``imbalance``, J. Figures of a run that failed are NaN.
    messages : dict
        What wrong and failed runs said, by their number.
    """

    runs: Records
    messages: dict[int, str] = field(repr=False)

    def __getitem__(self, name: str) -> np.ndarray:
        return self.runs[name]

    def __len__(self) -> int:
        return len(self.runs)

    def to_pandas(self) -> Any:
        """A pandas.DataFrame of the runs."""
        return self.runs.to_pandas().set_index("run")


def sweep(
    model: Any,
    vary: Variations,
    measure: Union[str, Iterable[str], None] = None,
    *,
    cosim: bool = False,
    scheme: Optional[str] = None,
    end: Optional[float] = None,
    output_step: Optional[float] = None,
    sample: str = "grid",
    count: int = 0,
    seed: int = 0,
    threads: int = 0,
    overrides: Optional[Mapping[str, Any]] = None,
    progress: Optional[Callable[[int, int], Optional[bool]]] = None,
) -> Sweep:
    """Runs a model many times, each time with other values.

    Parameters
    ----------
    model
        `Model`.
    vary
        What each value of the file takes, by its path: a list or array, or a text as of --vary of the command, as
        "1e2:1e5:31:log" or "normal(200, 10)".
    measure
        ``NAME.STATISTIC``, one or several: min, max, mean, integral or rms of a quantity over the run, or its value at the
        end, last.
        Default: what `over_run` of the file's measures asks for.
    cosim, scheme
        Co-simulate, as `Model.cosim`.
    sample, count, seed
        "grid" of all combinations, the last one fastest; "lhs", a Latin hypercube, or "random", of `count` runs.
    threads
        Runs at a time; 0: one for each processor. The numbers do not depend on it.
    progress
        Called with how many runs are done, and of how many; True ends the sweep with KeyboardInterrupt.

    Raises
    ------
    Error
        Values make the file wrong: nothing is run.

    Warns
    -----
    WrongResult
        Some runs are wrong by their energies or constraints: the runs of a sweep are not compared with second ones.
    """
    sampling = (sample, whole_number("count", count), whole_number("seed", seed))
    jobs = whole_number("threads", threads) or os.cpu_count() or 1
    figures = [measure] if isinstance(measure, str) else measure
    plan = _Plan(model, vary, figures, cosim, scheme, end, output_step, sampling, overrides)
    for run in range(plan.n_runs):
        plan.check(run)
    rows, messages = _carry_out(plan, jobs, progress)
    wrong = [run for run in messages if rows[run - 1]["status"] == 3]
    if wrong:
        said = f"{len(wrong)} of {plan.n_runs} runs are wrong; the first is run {wrong[0]}: {messages[wrong[0]]}"
        warnings.warn(said, WrongResult, stacklevel=2)
    return Sweep(Records(rows, tuple(plan.names)), messages)


def _values_text(values: Union[str, Iterable[Any]]) -> str:
    if isinstance(values, str):
        return values
    return json.dumps([value.tolist() if hasattr(value, "tolist") else value for value in values])


class _Plan:
    """Which runs, and what is measured of each."""

    def __init__(
        self,
        model: Any,
        vary: Variations,
        measure: Optional[Iterable[str]],
        is_cosim: bool,
        scheme: Optional[str],
        end: Optional[float],
        output_step: Optional[float],
        sampling: tuple[str, int, int],
        overrides: Optional[Mapping[str, Any]],
    ):
        self.model = model._varied_by(overrides, {"simulate.end": end, "simulate.output_step": output_step})
        self.is_cosim, self.scheme = is_cosim or scheme is not None, scheme
        self.design = _design(vary, *sampling)
        self.n_runs = lib.seam_design_n_runs(self.design)
        self.keys = [text(lib.seam_design_key(self.design, i)) or "" for i in range(len(vary))]
        self.figures = [_figure(name) for name in (measure if measure is not None else _asked(self.model))]
        if not self.figures:
            raise Error("nothing is measured; give NAME.STATISTIC, or 'over_run' to a measure of the file")
        if len(set(self.figures)) < len(self.figures):
            raise Error("a figure is measured twice; name it once")
        self.quantities = list(dict.fromkeys(quantity for quantity, _ in self.figures))
        self.names = ["run", *self.keys, *self._figure_names(), "status", "imbalance"]

    def _figure_names(self) -> list[str]:
        found = []
        for quantity, statistic in self.figures:
            name = f"{quantity}.{statistic}"
            found += [name] if statistic == "last" else [name, f"{name}.uncertainty"]
        return found

    def varied(self, run: int) -> Any:
        """The model of a run."""
        made = []
        for i in range(len(self.keys)):
            size = lib.seam_design_override(self.design, run, i, ffi.NULL, 0) + 1
            buffer = ffi.new("char[]", size)
            lib.seam_design_override(self.design, run, i, buffer, size)
            made.append(ffi.string(buffer).decode())
        return self.model.with_texts(made)

    def check(self, run: int) -> None:
        """What the run's values make of the model, before anything is computed."""
        try:
            model = self.varied(run)
            _check_quantities(model._mechanism if self.is_cosim else model._whole(), self.quantities)
        except Error as error:
            message = f"run {run + 1} of {self.n_runs}: {error.message}"
            raise Error(message, error.status, error.exit_status, error.subject) from None

    def carry_out(self, run: int, watch: Watch) -> tuple[dict[str, Any], str]:
        """The row of a run, and what it said where it is wrong or failed."""
        row = dict.fromkeys(self.names, math.nan)
        row["run"] = run + 1
        row.update((key, lib.seam_design_value(self.design, run, i)) for i, key in enumerate(self.keys))
        try:
            model = self.varied(run)
            parts = cut(model, self.scheme, 1) if self.is_cosim else None
            state = start_of(model) if self.is_cosim else State(model)
            recorder = Recorder(model, state, watch, parts=parts, measured=self.quantities)
            with watch:
                check(recorder.carry_out(), recorder.error)
        except Error as error:
            row["status"] = error.exit_status
            return row, error.message
        facts = recorder.conclude()
        row["status"] = facts.exit_status
        self._fill(row, recorder, facts)
        return row, text(facts.message) or ""

    def _fill(self, row: dict[str, Any], recorder: Recorder, facts: Any) -> None:
        last = recorder.read_last()
        for quantity, statistic in self.figures:
            i = self.quantities.index(quantity)
            if statistic == "last":
                row[f"{quantity}.last"] = last[i]
                continue
            found = lib.seam_over_run_of(facts.over_run, i, STATISTICS.index(statistic))
            row[f"{quantity}.{statistic}"] = found.value
            row[f"{quantity}.{statistic}.uncertainty"] = found.uncertainty
        row["imbalance"] = abs(facts.record.imbalance)


def _design(vary: Variations, sample: str, count: int, seed: int) -> Any:
    kinds = {"grid": lib.SEAM_GRID, "lhs": lib.SEAM_LATIN_HYPERCUBE, "random": lib.SEAM_RANDOM}
    if sample not in kinds:
        raise Error(f"sample must be grid, lhs or random, but is '{sample}'")
    if not vary:
        raise Error("nothing varies; give {KEY: VALUES}")
    items, _kept = texts(f"{key}={_values_text(values)}" for key, values in vary.items())
    options = ffi.new("seam_design_options *", (kinds[sample], count, seed))
    return create("seam_design", lib.seam_design_create, lib.seam_design_destroy, items, len(vary), options)


def _figure(name: str) -> tuple[str, str]:
    quantity, _, statistic = name.rpartition(".")
    if statistic not in (*STATISTICS, "last") or not quantity:
        raise Error(f"'{name}' does not end with a statistic; write NAME.min, .max, .mean, .integral, .rms or .last")
    return quantity, statistic


def _asked(model: Any) -> list[str]:
    """What `over_run` of the file's measures asks for."""
    found: list[str] = []
    listed = ffi.new("mbs_quantity[]", lib.seam_asked_quantities(model._file, ffi.NULL) + 1)
    for quantity in listed[0 : lib.seam_asked_quantities(model._file, listed)]:
        asked = lib.seam_model_over_run(model._file, quantity.element)
        info = lib.mbs_quantity_of(model._mechanism, quantity)
        name = ".".join(part for part in (text(info.element), text(info.name)) if part)
        found += [f"{name}.{which}" for s, which in enumerate(STATISTICS) if asked >> s & 1]
    return found


def _check_quantities(mechanism: Any, names: list[str]) -> None:
    found = ffi.new("mbs_quantity *")
    for name in names:
        call(lib.mbs_find_quantity, mechanism, c_text(name, "the quantity"), found)


def _carry_out(
    plan: _Plan, threads: int, progress: Optional[Callable[[int, int], Optional[bool]]]
) -> tuple[list[dict[str, Any]], dict[int, str]]:
    stop = threading.Event()
    rows: list[Any] = [None] * plan.n_runs
    messages: dict[int, str] = {}

    def work(run: int) -> tuple[int, dict[str, Any], str]:
        if stop.is_set():
            raise KeyboardInterrupt
        return (run, *plan.carry_out(run, Watch(lambda t: stop.is_set())))

    with ThreadPoolExecutor(min(threads, plan.n_runs)) as pool:
        jobs: list[Future] = [pool.submit(work, run) for run in range(plan.n_runs)]
        try:
            for done, job in enumerate(as_completed(jobs), 1):
                run, rows[run], message = job.result()
                if message:
                    messages[run + 1] = message
                if progress is not None and progress(done, plan.n_runs):
                    raise KeyboardInterrupt(f"interrupted after {done} of {plan.n_runs} runs")
        except BaseException:
            stop.set()
            for job in jobs:
                job.cancel()
            raise
    return rows, dict(sorted(messages.items()))
