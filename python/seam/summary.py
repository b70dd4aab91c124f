"""What a run says of itself: summary.json of the command, whose text the library makes."""
from __future__ import annotations

import json
from typing import Any, Sequence

from ._library import call, ffi, lib, texts


def summarise(facts: Any, overrides: Sequence[str]) -> dict[str, Any]:
    """All of a seam_run_facts, by the keys of summary.json."""
    listed, _kept = texts(overrides)
    facts.overrides, facts.n_overrides = listed, len(overrides)
    made = ffi.new("char **")
    call(lib.seam_run_summary, facts, made)
    try:
        return json.loads(ffi.string(made[0]))
    finally:
        lib.seam_text_free(made[0])
