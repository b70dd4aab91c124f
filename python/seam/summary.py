"""What a run says of itself: summary.json of the command, whose text the library makes."""
from __future__ import annotations

import json
import time
from typing import Any, Optional

from ._library import call, create, ffi, lib, text, texts
from .cosimulation import Cosimulation
from .errors import Error
from .recorder import Recorder


class Clock:
    """Wall and CPU time of a run."""

    def __init__(self) -> None:
        self._wall, self._cpu = time.monotonic(), time.process_time()

    def read(self) -> tuple[float, float]:
        """Both, in s."""
        return time.monotonic() - self._wall, time.process_time() - self._cpu


class Assembly:
    """Assembles a start: what that says of the mechanism and changed of the file."""

    def __init__(self, state: Any):
        mechanism = state.mechanism
        before = create("mbs_state", lib.mbs_state_create, lib.mbs_state_destroy, mechanism)
        lib.mbs_state_copy(before, state.c)
        self.report = ffi.new("mbs_assembly *")
        state.assemble(self.report)
        self.changes = ffi.new("seam_start_changes *", lib.seam_start_changes_between(state.file._file, before, state.c))


class Verdict:
    """How a run ended: done, suspect, or failed with an exception.

    Attributes
    ----------
    code : int
        seam_status
    message : str
    exit_status : int
    found
        seam_run_verdict; NULL of a monolithic run that has no row.
    """

    def __init__(self, recorder: Recorder, options: Any, simulation: Any, ending: Optional[BaseException]):
        self.code, self.exit_status, self.message = _ending(ending)
        self.found = ffi.NULL
        if simulation is not None and ending is None:
            lib.seam_run_record_couplings(recorder.record, simulation)
        if recorder.rows == 0 and simulation is None:
            return
        self.found, error = ffi.new("seam_run_verdict *"), ffi.new("seam_error *")
        status = lib.seam_run_judge(recorder.record, recorder.mechanism, options, recorder.statistics, self.found, error)
        if ending is None and status:
            self.code, self.exit_status = status, lib.seam_status_exit(status)
            self.message = ffi.string(error.message).decode(errors="replace")


def _ending(ending: Optional[BaseException]) -> tuple[int, int, str]:
    if ending is None:
        return lib.SEAM_OK, 0, ""
    if isinstance(ending, Error):
        codes = {text(lib.seam_status_text(code)): code for code in range(lib.SEAM_SUSPECT + 1)}
        return codes.get(ending.status, lib.SEAM_BAD_INPUT), ending.exit_status, ending.message
    return lib.SEAM_INTERRUPTED, 1, str(ending)


def summarise(
    recorder: Recorder, verdict: Verdict, clock: Clock, assembly: Assembly, cosimulation: Optional[Cosimulation]
) -> dict[str, Any]:
    """All of it, by the keys of summary.json."""
    wall, cpu = clock.read()
    message = ffi.new("char[]", verdict.message.encode())
    overrides, _kept = texts(recorder.model._overrides)
    facts = ffi.new("seam_run_facts *")
    facts.file, facts.model = recorder.model._file, recorder.mechanism
    facts.assembly, facts.changes = assembly.report, assembly.changes
    facts.overrides, facts.n_overrides = overrides, len(recorder.model._overrides)
    facts.status, facts.message, facts.exit_status = verdict.code, message, verdict.exit_status
    facts.verdict, facts.time, facts.rows, facts.wall, facts.cpu = verdict.found, recorder.time, recorder.rows, wall, cpu
    facts.record, facts.statistics = recorder.record, recorder.statistics
    facts.watched, facts.ended, facts.impacts = recorder.watched, recorder.ended or ffi.NULL, recorder.impacts
    facts.over_run, facts.quantities = recorder.over_run, recorder.quantities
    facts.n_quantities = recorder.n_quantities
    facts.assumes_macro_step = lib.seam_model_assumes_macro_step(recorder.model._file)
    tables = recorder.library_tables()
    if cosimulation is not None:
        facts.simulation, facts.builder, facts.peaks = cosimulation.simulation, cosimulation.builder, cosimulation.peaks
        tables.update(cosimulation.library_tables())
    for which, table in tables.items():
        facts.tables[which] = table
    made = ffi.new("char **")
    call(lib.seam_run_summary, facts, made)
    try:
        return json.loads(ffi.string(made[0]))
    finally:
        lib.seam_text_free(made[0])
