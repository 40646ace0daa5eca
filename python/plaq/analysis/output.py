"""Files that appear when they are whole, and never take the place of a file of another kind."""
from __future__ import annotations

import os
import pathlib
import tempfile
from collections.abc import Callable, Iterable

from .arrays import Path


class OutputError(OSError):
    pass


def check(path: Path, inputs: Iterable[Path], beginning: bytes) -> None:
    """Refuses an output that is an input, or that exists and does not begin as this kind of file does."""
    path = pathlib.Path(path)
    if any(os.path.realpath(path) == os.path.realpath(one) for one in inputs):
        raise OutputError(f"{path} is one of the inputs; choose another name")
    if path.is_dir():
        raise OutputError(f"{path} is a directory; write the name of a file")
    if not path.parent.is_dir():
        raise OutputError(f"{path}: the directory {path.parent} does not exist")
    if path.is_file() and path.stat().st_size > 0:
        with open(path, "rb") as stream:
            if not stream.read(len(beginning)).startswith(beginning):
                raise OutputError(f"{path} exists and is another kind of file; choose another name, or delete it")


def write(path: Path, make: Callable[[str], object]) -> None:
    """Calls make(temporary name), then gives the file its name. The temporary is beside it, has the same extension (which
    libraries look at), and a name that nobody can guess, so that no link of somebody else's can stand there."""
    path = pathlib.Path(path)
    descriptor, temporary = tempfile.mkstemp(prefix=f".{path.stem}.", suffix=f".part{path.suffix}", dir=path.parent)
    try:
        mask = os.umask(0)
        os.umask(mask)
        os.fchmod(descriptor, 0o666 & ~mask)
        os.close(descriptor)
        make(temporary)
        os.replace(temporary, path)
    finally:
        if os.path.exists(temporary):
            os.remove(temporary)


def write_text(path: Path, text: str) -> None:
    def make(temporary: str) -> None:
        pathlib.Path(temporary).write_text(text, encoding="utf-8")

    write(path, make)
