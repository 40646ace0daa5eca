"""What goes wrong, as exceptions: one class for each exit code of the program."""
from __future__ import annotations

from . import _plaq

_KNOWN = {code: (name, meaning, remedy) for code, name, meaning, remedy in _plaq.exit_codes()}


class Error(RuntimeError):
    """An error of plaq. `code` is the exit code of the program, `meaning` and `remedy` are the texts of `plaq explain`."""

    code = 1

    @property
    def meaning(self) -> str:
        return _KNOWN[self.code][1]

    @property
    def remedy(self) -> str:
        return _KNOWN[self.code][2]


class InternalError(Error):
    """A bug in plaq, a failing machine, or out of memory on the host."""

    code = 1


class UsageError(Error, ValueError):
    """Wrong arguments, or arguments that contradict each other."""

    code = 2


class JobFileError(Error, ValueError):
    """A wrong key or value, of a job file or of keyword arguments; a lattice that does not split over the ranks."""

    code = 3


class InputFileError(Error):
    """A file that cannot be read, or is not what it claims to be."""

    code = 4


class OutputFileError(Error):
    """A file that cannot be written, or that exists and must not be replaced."""

    code = 5


class NotConverged(Error):
    """A solve missed its tolerance."""

    code = 6


class CommunicationError(Error):
    """MPI or a transport failed."""

    code = 7


class DeviceError(Error):
    """CUDA failed, or the GPU that was asked for is not there."""

    code = 8


class Stopped(Error, KeyboardInterrupt):
    """A signal stopped the call, Ctrl-C included. Jobs keep what they have finished."""

    code = 9


class Incomplete(Error):
    """All that could be done is done, and some of it is left out."""

    code = 10


_CLASSES = {one.code: one for one in (InternalError, UsageError, JobFileError, InputFileError, OutputFileError,
                                      NotConverged, CommunicationError, DeviceError, Stopped,
                                      Incomplete)}


def of_code(code: int, message: str) -> Error:
    return _CLASSES.get(code, InternalError)(message)
