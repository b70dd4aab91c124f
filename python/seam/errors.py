"""What can go wrong, as exceptions: input that is wrong, runs that fail, results that are wrong."""
from __future__ import annotations

import operator
import re
from typing import Any, Optional

_PLACE = re.compile(r"^(?P<path>[^\n]*?):(?P<line>\d+):(?P<column>\d+): error: ")


class Error(Exception):
    """The input is wrong, or the mechanism cannot be assembled.

    Attributes
    ----------
    status : str
        In a few words: "the input is wrong".
    exit_status : int
        With which the command would end: 2 of wrong input, 1 of a failed run.
    subject : str
        The element of the model that the message is about; "" where there is none.
    path, line, column
        Place in the model file; None where the message has none. The message shows the line, with a caret.
    """

    def __init__(self, message: str, status: str = "", exit_status: int = 2, subject: str = ""):
        super().__init__(message)
        self.status = status
        self.exit_status = exit_status
        self.subject = subject
        place = _PLACE.match(message)
        self.path: Optional[str] = place["path"] if place else None
        self.line: Optional[int] = int(place["line"]) if place else None
        self.column: Optional[int] = int(place["column"]) if place else None

    @property
    def message(self) -> str:
        return str(self.args[0])


class Failure(Error):
    """A run failed or became unstable.

    Attributes
    ----------
    time : float or None
        s, reached; None of what is no run.
    results : Results or None
        What was computed up to there.
    """

    time: Optional[float] = None
    results: Any = None


class WrongResult(UserWarning):
    """A result is not to be believed: a run is wrong, a reference is not confirmed, an equilibrium is not stable. The message
    says by what. Its name up to version 0.2, `SuspectResult`, is understood by 0.3 too."""


SuspectResult = WrongResult


def whole_number(name: str, value: Any) -> int:
    """A whole number that is not negative."""
    try:
        number = operator.index(value)
    except TypeError:
        number = -1
    if number < 0:
        raise Error(f"{name} must be a whole number, at least 0, but is {value!r}")
    return number


def raise_status(
    status: Optional[str], exit_status: int, message: str, subject: str, is_interrupt: bool, is_memory: bool
) -> None:
    """Raises what a status of the library means."""
    if is_interrupt:
        raise KeyboardInterrupt(message)
    if is_memory:
        raise MemoryError(message)
    kind = Failure if exit_status == 1 else Error
    raise kind(message, status or "", exit_status, subject)
