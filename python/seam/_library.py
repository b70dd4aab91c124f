"""The library behind the package: where it is, its declarations, and calls whose failures become exceptions."""
from __future__ import annotations

import logging
import os
import pathlib
import threading
from typing import Any, Callable, Optional

from ._declarations import VERSION, ffi
from .errors import Error, raise_status

NAME = "libseam.so"

NONE = 2 ** (8 * ffi.sizeof("size_t")) - 1  # SEAM_NONE
GROUND = NONE - 1  # MBS_GROUND


def _places() -> list[str]:
    """Where the library may be, the first one first."""
    here = pathlib.Path(__file__).parent
    given = os.environ.get("SEAM_LIBRARY")
    if given:
        return [given]
    names = (f"{NAME}.{VERSION}", NAME)
    folders = [here, here.parent.parent]  # an installed wheel; the tree in which Seam was built
    folders += [parent / "lib" for parent in here.parents if parent.name == "lib"]
    for parent in here.parents:  # PREFIX/lib/python3/dist-packages/seam
        if parent.name == "lib":
            folders += [parent, *sorted(parent.glob("*-linux-gnu"))]
    return [str(folder / name) for folder in folders for name in names if (folder / name).exists()] + [names[0]]


def _load() -> Any:
    tried = []
    for place in _places():
        try:
            found = ffi.dlopen(place)
        except OSError as failure:
            tried.append(f"  {failure}")
            continue
        version = ffi.string(found.seam_version()).decode()
        if version.rsplit(".", 1)[0] == VERSION:
            return found
        tried.append(f"  {place}: it is version {version}")
    raise ImportError(
        f"{NAME} {VERSION} cannot be loaded; install Seam, or set SEAM_LIBRARY to the library's path\n" + "\n".join(tried)
    )


lib = _load()

notes = logging.getLogger("seam")


@ffi.callback("void(void *, const char *)")
def _note(_context: Any, text: Any) -> None:
    notes.warning("%s", ffi.string(text).decode(errors="replace"))


lib.seam_set_note_handler(_note, ffi.NULL)


def text(pointer: Any) -> Optional[str]:
    """A text of the library; None where there is none."""
    return None if pointer == ffi.NULL else ffi.string(pointer).decode(errors="replace")


def c_text(value: Any, what: str) -> bytes:
    """A text as C has it, where it would end at a NUL; `what` names it in the message of a refusal."""
    if not isinstance(value, str):
        raise TypeError(f"{what} must be a text, not {type(value).__name__}")
    if "\0" in value:
        raise Error(f"{what} {value!r} has the character NUL in it; remove it", "the input is wrong")
    return value.encode()


def short_text(value: str, size: int) -> bytes:
    """A text for an array of C, cut to its size between characters."""
    return value.encode(errors="replace")[: size - 1].decode(errors="ignore").encode()


def texts(items: Any) -> tuple[Any, list]:
    """A list of texts as C has it; the second object must live as long as the first is used."""
    kept = [ffi.new("char[]", c_text(item, "the override")) for item in items]
    return ffi.new("const char *[]", kept), kept


raised: list[tuple[Optional[int], BaseException]] = []  # in callbacks, by the thread; None: one of the library's


def keep_raised(_kind: Any, value: BaseException, trace: Any) -> None:
    """For callbacks: keeps the first exception of a thread, with its place, until the call into the library returns."""
    is_own = isinstance(threading.current_thread(), threading._DummyThread)
    thread = None if is_own else threading.get_ident()
    if all(other != thread for other, _ in raised):
        raised.append((thread, value.with_traceback(trace)))


def raise_kept(cause: Optional[Error] = None) -> None:
    """Raises what callbacks of this thread, or of the library's threads, raised."""
    for entry in list(raised):
        if entry[0] in (None, threading.get_ident()):
            raised.remove(entry)
            raise entry[1] from cause


def has_raised() -> bool:
    """Whether there is something for raise_kept(), although the call into the library goes on."""
    return any(thread in (None, threading.get_ident()) for thread, _ in raised)


def check(status: int, error: Any, where: Optional[Callable[[Any], None]] = None) -> None:
    """Raises the exception of a status other than SEAM_OK, or what a callback raised; `where` may put a place before the
    message."""
    if raised:
        raise_kept(Error(ffi.string(error.message).decode(errors="replace")) if status else None)
    if status == lib.SEAM_OK:
        return
    if where is not None:
        where(error)
    raise_status(
        text(lib.seam_status_text(status)),
        lib.seam_status_exit(status),
        ffi.string(error.message).decode(errors="replace"),
        ffi.string(error.subject).decode(errors="replace"),
        is_interrupt=status == lib.SEAM_INTERRUPTED,
        is_memory=status == lib.SEAM_NO_MEMORY,
    )


def call(function: Any, *arguments: Any, where: Optional[Callable[[Any], None]] = None) -> None:
    """Calls a function that returns a status and takes an error as its last argument."""
    error = ffi.new("seam_error *")
    check(function(*arguments, error), error, where)


def create(kind: str, function: Any, destroy: Any, *arguments: Any, where: Any = None, keep: Any = None) -> Any:
    """Calls a function whose last argument but the error is where it puts what it makes; frees that with its object, and
    not before it what it is made of, nor what is to be kept."""
    made = ffi.new(f"{kind} **")
    try:
        call(function, *arguments, made, where=where)
    except BaseException:
        if made[0] != ffi.NULL:  # made, but a callback raised something
            destroy(made[0])
        raise
    return ffi.gc(made[0], lambda pointer, kept=(arguments, keep): destroy(pointer))


def lent(pointer: Any, owner: Any) -> Any:
    """A pointer to a piece of its owner, which lives as long."""
    return ffi.gc(pointer, lambda _pointer, kept=owner: None)


class Watch:
    """Asks Python, now and then during a long call, whether to go on: for KeyboardInterrupt and progress.

    Parameters
    ----------
    progress : callable, optional
        Called with the time that was reached, in s. True, or an exception, ends the run.
    """

    def __init__(self, progress: Optional[Callable[[float], Optional[bool]]] = None):
        self.raised: Optional[BaseException] = None
        self._progress = progress
        self._callback = ffi.callback("bool(void *, double)", self._ask, error=True, onerror=self._keep)
        self._seldom = ffi.new("seam_seldom *")
        self._seldom.often.is_requested = self._callback
        self._seldom.interval = 0.05
        self.interrupt = ffi.new("seam_interrupt *")
        self.interrupt.is_requested = ffi.addressof(lib, "seam_interrupt_seldom")
        self.interrupt.context = self._seldom

    def seldom(self, time: float) -> None:
        """What the callback does, for runs whose steps Python takes itself."""
        if lib.seam_interrupt_seldom(self._seldom, time):
            raise self.raised or KeyboardInterrupt(f"interrupted at t = {time:.9g} s")

    def _ask(self, _context: Any, time: float) -> bool:
        return has_raised() or (self._progress is not None and bool(self._progress(time)))

    def _keep(self, _kind: Any, value: BaseException, trace: Any) -> bool:
        self.raised = value.with_traceback(trace)
        return True

    def __enter__(self) -> "Watch":
        return self

    def __exit__(self, kind: Any, value: Any, trace: Any) -> None:
        if self.raised is not None and kind is not None and issubclass(kind, (KeyboardInterrupt, Error)):
            raise self.raised from None


def version() -> str:
    """The version of the library."""
    return text(lib.seam_version()) or ""
