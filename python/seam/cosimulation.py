"""What is co-simulated: the co-simulation of a model's file, cut and ready to be started."""
from __future__ import annotations

from typing import Any, NamedTuple, Optional

from . import scheme_names as schemes
from ._library import c_text, call, create, ffi, lib, text
from .errors import Error
from .operating import State


class CutModel(NamedTuple):
    """A builder, and the simulation that it made."""

    builder: Any
    simulation: Any


def cut(model: Any, scheme: Optional[str], threads: int) -> CutModel:
    """Cuts the mechanism as the file says; what is given comes on top of that."""
    builder = builder_of(model, scheme, threads)
    made = create("cosim_simulation", lib.cosim_create, lib.cosim_destroy, builder, where=model._place)
    return CutModel(builder, made)


def notes_of(mechanism: Any, made: CutModel) -> list[str]:
    """What a user should know of a run although nothing has failed."""
    found: list[str] = []

    @ffi.callback("void(void *, const char *)")
    def say(_context: Any, note: Any) -> None:
        found.append(ffi.string(note).decode(errors="replace"))

    lib.cosim_note_run(mechanism, made.builder, made.simulation, say, ffi.NULL)
    return found


def builder_of(model: Any, scheme: Optional[str], threads: int) -> Any:
    """The file's co-simulation; what is given comes on top of the file."""
    given = model._given.subsystems
    section = schemes.section_of(model)
    builder = create("cosim_builder", lib.cosim_builder_copy, lib.cosim_builder_destroy, section, keep=given)
    given.put_into(builder)
    options = ffi.new("cosim_options *", lib.cosim_builder_definition(builder).options)
    if threads:
        options.n_threads = threads
    call(lib.cosim_set_options, builder, options)
    if scheme is not None:
        call(lib.cosim_use_scheme, builder, c_text(scheme, "the scheme"))
        key = text(lib.seam_model_left_to_collocation(model._file))
        if key is not None and not lib.cosim_builder_collocates(builder):
            raise Error(f"scheme '{scheme}' needs '{key}', which the file does not give: add 'cosim.{key}'")
    return builder


def start_of(model: Any) -> State:
    """The assembled start of the mechanism that is cut."""
    schemes.section_of(model)
    return State(model, whole=False)
