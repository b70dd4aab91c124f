"""Coupling schemes of a model: which are meant, which are possible, co-simulations under them."""
from __future__ import annotations

from typing import Any, Iterable, Optional, Union

from ._library import c_text, call, create, ffi, lent, lib, text
from .errors import Error

Schemes = Union[str, Iterable[str], None]


def names(*, joints: Optional[bool] = None) -> list[str]:
    """Names of all coupling schemes with one corrector and usual options.

    Parameters
    ----------
    joints : bool, optional
        True: those of cut joints; False: of cut force elements; default: all.
    """
    kinds: Iterable[bool] = (False, True) if joints is None else (joints,)
    found: dict[str, None] = {}
    for kind in kinds:
        count = lib.seam_scheme_names(kind, ffi.NULL, 0)
        listed = ffi.new("seam_scheme_name[]", count)
        lib.seam_scheme_names(kind, listed, count)
        found.update((ffi.string(entry.text).decode(), None) for entry in listed)
    return list(found)


def builder_of(model: Any) -> Any:
    """What the file says under `cosim:`, of a model that is also a whole."""
    model._check_whole()
    return section_of(model)


def section_of(model: Any) -> Any:
    """What the file says under `cosim:`."""
    builder = lib.seam_model_cosim(model._file)
    if builder == ffi.NULL:
        raise Error("the model has no section 'cosim'; add 'cosim: {subsystems: ..., macro_step: ...}'")
    return lent(builder, model._file)


def use(model: Any, scheme: Optional[str], *, controlled: bool = False) -> Any:
    """A builder of the file's co-simulation under a scheme (None: the file's own).

    controlled: collocation schemes to which the file leaves their macro steps choose them; else macro steps are of
    equal length.
    """
    builder = create(
        "cosim_builder", lib.cosim_builder_copy, lib.cosim_builder_destroy, builder_of(model), where=model._place
    )
    if scheme is not None:
        call(lib.cosim_use_scheme, builder, c_text(scheme, "the scheme"))
    chooses = text(lib.seam_model_left_to_collocation(model._file)) == "macro_step"
    if not (controlled and chooses and lib.cosim_builder_collocates(builder)):
        call(lib.cosim_set_step_control, builder, ffi.NULL)
    return builder


def name_of_file(model: Any) -> str:
    """The file's only scheme; "file" where it has several."""
    builder = builder_of(model)
    options = lib.cosim_builder_definition(builder).options
    forces, joints = lib.cosim_has_couplings(builder, False), lib.cosim_has_couplings(builder, True)
    only = text(options.constitutive_scheme if forces else options.constraint_scheme)
    several = (forces and joints) or lib.cosim_builder_definition(builder).n_coupling_options > 0
    return "file" if several or only is None else only


def possible(model: Any, schemes: Schemes, state: Any) -> list[Optional[str]]:
    """The schemes that are meant; None stands for the file's own.

    Of "all" those that fit the couplings and can be started from a state (seam.operating.State; None: not started);
    explicit ones where a subsystem cannot repeat macro steps.
    Names that are impossible are refused.
    """
    builder = builder_of(model)
    is_all = isinstance(schemes, str) and schemes == "all"
    if schemes is None:
        wanted: list[Optional[str]] = [None]
    elif is_all:
        wanted = [name for kind in (False, True) if lib.cosim_has_couplings(builder, kind) for name in names(joints=kind)]
    else:
        wanted = list(dict.fromkeys([schemes] if isinstance(schemes, str) else schemes))
    kept: list[Optional[str]] = []
    for scheme in wanted:
        tried = [scheme, f"{scheme}-explicit"] if is_all else [scheme]
        kept += next(([name] for name in tried if _check(model, builder, name, state, is_all)), [])
    if not kept:
        raise Error("no scheme fits the couplings of this model" if is_all else "no scheme is named; leave 'schemes' out for those of the file")
    return kept


def _check(model: Any, builder: Any, scheme: Optional[str], state: Any, is_all: bool) -> bool:
    start = ffi.NULL if state is None else state.c
    name = ffi.NULL if scheme is None else c_text(scheme, "the scheme")
    try:
        call(lib.seam_scheme_check, start, builder, name, where=model._place if scheme is None else None)
    except Error:
        if not is_all:
            raise
        return False
    return True
