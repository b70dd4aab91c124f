"""The verdict on a run: its error, its energy and its constraints, in a word and in a sentence."""
from __future__ import annotations

import math
from typing import Any, Mapping, NamedTuple

from ._library import ffi, lib, text

_NAN = math.nan


class Deviation(NamedTuple):
    """How far a run is from the truth: the largest deviation of a quantity, and its share of the quantity's travel."""

    quantity: str = ""  #: "disc.place", "rod.omega"; "" where nothing moves, or nothing was compared
    time: float = _NAN  #: s
    value: float = _NAN  #: in `unit`
    unit: str = ""
    of_travel: float = _NAN  #: share; NaN: not known
    by: str = ""  #: "undivided run", "smaller macro step", "other integrator"; "": the run was not compared
    until: float = _NAN  #: s, judged up to there
    why: str = ""  #: there is no error, or it is limited; "": neither
    relation: str = ""  #: "<": it is below that share; "diverges": smaller macro steps do not approach the run
    confirmed: float = _NAN  #: share to which two truths agree; NaN: there was one alone


class Energy(NamedTuple):
    """The energy that a run made."""

    made: float = _NAN  #: J; negative: lost
    moved: float = _NAN  #: J, what moved
    bound: float = _NAN  #: share of that


class Constraints(NamedTuple):
    """The largest residuals of constraints, and what is allowed."""

    g: float = _NAN  #: m, rad
    g_bound: float = _NAN
    gd: float = _NAN  #: m/s, rad/s
    gd_bound: float = _NAN


class Verdict(NamedTuple):
    """What a run says of itself. As a text it is its sentence."""

    word: str  #: "accurate", "rough", "wrong" or "not checked"; "" of a run that failed
    status: str = "done"  #: or how the run failed
    message: str = ""  #: of a run that is wrong or failed: by what, and what to do
    text: str = ""  #: the sentence
    error: Deviation = Deviation()
    forces: Deviation = Deviation()  #: of reactions, accelerations and measures of them, at macro points
    energy: Energy = Energy()
    constraints: Constraints = Constraints()

    def __str__(self) -> str:
        return self.text or f"{self.status}: {self.message}"


def of_summary(entry: Mapping[str, Any]) -> Verdict:
    """What summary.json has under `verdict`."""

    def taken(kind: Any, key: str) -> Any:
        found = entry.get(key, {})
        values = {name: found[name] for name in kind._fields if name in found}
        return kind(**{name: _NAN if value is None else value for name, value in values.items()})

    return Verdict(
        entry["word"],
        entry["status"],
        entry["message"],
        entry.get("text", ""),
        taken(Deviation, "error"),
        taken(Deviation, "forces"),
        taken(Energy, "energy"),
        taken(Constraints, "constraints"),
    )


def judge_steps(record: Any, mechanism: Any, is_cut: bool, bounds: Any) -> Verdict:
    """The verdict on states that were stepped through, which are not compared with a second run."""
    why = b"a simulation that is stepped by hand has no second run"
    deviation = ffi.new("seam_deviation *", {"of_travel": _NAN, "confirmed": _NAN, "until": _NAN, "why": why})
    found, error, said = ffi.new("seam_run_verdict *"), ffi.new("seam_error *"), ffi.new("char[1024]")
    lib.seam_run_judge(record, mechanism, is_cut, bounds, deviation, ffi.NULL, _NAN, found, error)
    lib.seam_verdict_say(found, said, len(said))
    return Verdict(
        text(lib.seam_word_text(found.word)) or "",
        message=ffi.string(error.message).decode(errors="replace"),
        text=ffi.string(said).decode(errors="replace"),
        error=Deviation(why=why.decode()),
        energy=Energy(found.energy, found.moved, found.bounds.energy),
        constraints=Constraints(found.position, found.position_bound, found.velocity, found.velocity_bound),
    )
