"""What the formats of other programs have in common."""
from __future__ import annotations

import os
from collections.abc import Callable, Iterable

import numpy

from ..analysis import output
from ..analysis.arrays import Array, Path


def complex_type(precision: str) -> str:
    """The type of NumPy, little-endian."""
    if precision not in ("single", "double"):
        raise ValueError(f'precision is "single" or "double", not {precision!r}')
    return "<c8" if precision == "single" else "<c16"


def write(path: Path, inputs: Iterable[Path], overwrite: bool, make: Callable[[str], object]) -> None:
    """Calls make(temporary name), then gives the file its name. Raises OutputError if the file exists, unless `overwrite`, if it is one
    of the inputs, or has no directory."""
    output.check(path, inputs, b"")
    if os.path.lexists(path) and not overwrite:
        raise output.OutputError(f"{path} exists; choose another name, or overwrite=True to replace it")
    output.write(path, make)


def write_array(path: Path, shape: tuple[int, ...], kind: str, parts: Iterable[Array]) -> None:
    """An array of NumPy, whose numbers are those of the parts in turn; one part is in memory at a time."""
    with open(path, "wb") as stream:
        numpy.lib.format.write_array_header_1_0(stream, {"descr": kind, "fortran_order": False, "shape": shape})
        for part in parts:
            stream.write(numpy.ascontiguousarray(part, kind).data)
