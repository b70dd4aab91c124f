"""Runs of a model: monolithic and co-simulated."""
from __future__ import annotations

import warnings
from typing import Any, Callable, Mapping, Optional, Union

from ._library import Watch, lib, notes, short_text
from ._library import check as check_status
from .cosimulation import cut, notes_of, start_of
from .driven import Given
from .errors import WrongResult
from .operating import State
from .recorder import Recorder
from .results import Results
from .stepping import Simulation
from .summary import summarise

Progress = Optional[Callable[[float], Optional[bool]]]


class Runs:
    """What a `Model` can do over time."""

    def run(
        self,
        end: Optional[float] = None,
        *,
        output_step: Optional[float] = None,
        integrator: Optional[str] = None,
        order: Optional[int] = None,
        rtol: Optional[float] = None,
        atol: Optional[float] = None,
        step: Union[str, float, None] = None,
        columns: Optional[str] = None,
        check: str = "auto",
        overrides: Optional[Mapping[str, Any]] = None,
        progress: Progress = None,
    ) -> Results:
        """Integrates the whole mechanism.

        Parameters
        ----------
        end, output_step
            s, instead of the file's.
        integrator, order, rtol, atol, step
            As under `simulate:` of the file.
        columns
            Of the trajectory: "default", "all", elements or quantities between commas.
        check
            Whether the run is compared with a second one, which finds its error: "auto" (as `--check` of the command, see
            docs/cli.md), "always" or "never".
        overrides
            Further values, as for `Model`.
        progress
            Called with the time that was reached, s; True ends the run with KeyboardInterrupt, or leaves it not checked.

        Raises
        ------
        Failure
            The run failed; its `time` says when, its `results` are those up to there.

        Warns
        -----
        WrongResult
            The verdict is "wrong": the error of the run, its energy or its constraints.
        """
        keys = {"end": end, "output_step": output_step, "integrator": integrator, "order": order}
        keys.update(rtol=rtol, atol=atol, step=step)
        model = self._varied_by(overrides, {f"simulate.{key}": value for key, value in keys.items()})
        watch = Watch(progress)
        return _carry_out(Recorder(model, State(model), watch, columns, when=check), watch, progress)

    def cosim(
        self,
        scheme: Optional[str] = None,
        *,
        end: Optional[float] = None,
        macro_step: Optional[float] = None,
        output_step: Optional[float] = None,
        threads: int = 0,
        columns: Optional[str] = None,
        check: str = "auto",
        overrides: Optional[Mapping[str, Any]] = None,
        progress: Progress = None,
    ) -> Results:
        """Cuts the mechanism as the file's section `cosim` says, and couples its parts again.

        Parameters
        ----------
        scheme
            Of all couplings of its kind, at force elements or at joints; default: the file's.
        end, macro_step, output_step
            s, instead of the file's.
        threads
            For the subsystems; 0: chosen by trial. The numbers do not depend on it.
        columns, check, overrides, progress
            As for `run`.

        Raises
        ------
        Failure
            The run failed or became unstable.

        Warns
        -----
        WrongResult
            As for `run`.
        """
        keys = {"simulate.end": end, "simulate.output_step": output_step, "cosim.macro_step": macro_step}
        model = self._varied_by(overrides, keys)
        state, watch = start_of(model), Watch(progress)
        return _carry_out(Recorder(model, state, watch, columns, cut(model, scheme, threads), when=check), watch, progress)

    def simulation(
        self,
        scheme: Optional[str] = None,
        *,
        cut: bool = False,
        inputs: Given = None,
        end: Optional[float] = None,
        macro_step: Optional[float] = None,
        integrator: Optional[str] = None,
        order: Optional[int] = None,
        rtol: Optional[float] = None,
        atol: Optional[float] = None,
        step: Union[str, float, None] = None,
        threads: int = 0,
        overrides: Optional[Mapping[str, Any]] = None,
    ) -> Simulation:
        """Begins a simulation that is taken on step by step, driven and read in between.

        >>> with model.simulation(inputs={"servo.torque": 0}) as s:  # doctest: +SKIP
        ...     while s.time < 5:
        ...         s.inputs["servo.torque"] = -30 * s["rod.phi"]
        ...         s.advance(1e-3)

        Parameters
        ----------
        scheme
            Of all couplings of its kind; the mechanism is cut as the file's section `cosim` says. Default: it is whole.
        cut
            It is cut, under the file's schemes.
        inputs
            Values of inputs at the start by name, or names: those under `fmu: inputs` of the file, "FORCE.KEY" or
            "EQUATIONS.INPUT" in place of what the file has there, or a path of the file. What is set before the first step
            need not be named here.
        end
            s, where the last step of the integrator ends; default: none.
        macro_step
            s, instead of the file's.
        integrator, order, rtol, atol, step
            As for `run`; of the whole.
        threads, overrides
            As for `cosim`.
        """
        keys: dict[str, Any] = {"integrator": integrator, "order": order, "rtol": rtol, "atol": atol, "step": step}
        changes = {f"simulate.{key}": value for key, value in keys.items()}
        model = self._varied_by(overrides, {**changes, "simulate.end": end, "cosim.macro_step": macro_step})
        is_cut = cut or scheme is not None
        return Simulation(model, inputs, {"cut": is_cut, "scheme": scheme, "threads": threads, "end": end})


def _carry_out(recorder: Recorder, watch: Watch, progress: Progress) -> Results:
    """Carries a run out and judges it. Raises what ended it, with the time and the results up to there."""
    ending: Optional[BaseException] = None
    try:
        with watch:
            check_status(recorder.carry_out(), recorder.error)
    except BaseException as raised:  # also what functions and subsystems of the user raise
        ending = raised
        if recorder.error.status == lib.SEAM_OK:  # the run went on
            recorder.error.status = lib.SEAM_INTERRUPTED
            recorder.error.message = short_text(str(raised), 1000)
    facts = recorder.conclude()
    if ending is None and recorder.when != "never":
        end = facts.time  # where the progress stays while the run is checked
        try:
            recorder.find_error(Watch(None if progress is None else lambda _time: progress(end)))
        except BaseException as raised:
            ending = raised
        facts = recorder.conclude()
    results = Results(recorder.tables(), summarise(facts, recorder.model._overrides), recorder.model)
    if recorder.parts is not None and results.verdict.word != "accurate":
        for note in notes_of(recorder.state.mechanism, recorder.parts):
            notes.warning("%s", note)
    if ending is not None:
        vars(ending).update(time=facts.time, results=results)
        raise ending
    if facts.status == lib.SEAM_WRONG:
        warnings.warn(results.message, WrongResult, stacklevel=3)
    return results
