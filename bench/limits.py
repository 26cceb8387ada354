"""Bounds the processor time of one piece of work at a time, so that the load of the machine does not decide."""

from __future__ import annotations

import signal


class Late(BaseException):
    """The alarm; a BaseException, so that nothing takes it for an answer. It goes off once."""


def _late(*_: object) -> None:
    raise Late


def alarm(seconds: float) -> None:
    """Raise `Late` when this process has worked for so many seconds more; 0 for never."""
    signal.signal(signal.SIGPROF, _late)
    signal.setitimer(signal.ITIMER_PROF, seconds)
