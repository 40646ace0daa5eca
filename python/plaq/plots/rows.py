"""The rows of a study: what was measured, where, and the numbers (docs/result-files.md)."""
from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

import numpy

from ..analysis.attributes import text

Row: TypeAlias = dict[str, Any]

WHAT = ("target", "storage", "right_hand_sides", "mass", "configuration", "source")  # what was measured


def rows_of(file: Any) -> list[Row]:
    """A dictionary for each row; numbers that it does not have are NaN, texts are empty, extents are tuples."""
    if "rows" not in file or "target" not in file["rows"]:
        return []
    columns = {}
    for name, dataset in file["rows"].items():
        values = numpy.asarray(dataset)
        if "names" in dataset.attrs:
            names = [text(name) for name in dataset.attrs["names"]]
            columns[name] = [names[i] for i in values]
        elif values.ndim == 2:
            columns[name] = [tuple(int(n) for n in row) for row in values]
        else:
            columns[name] = values.tolist()
    count = len(columns["target"])
    rows = [{name: column[i] for name, column in columns.items()} for i in range(count)]
    for row in rows:
        row.setdefault("storage", "")
        row.setdefault("transport", "")
        row.setdefault("scaling", "")
        for name in ("mass", "source", "share", "efficiency", "predicted", "flops_per_second"):
            row.setdefault(name, numpy.nan)
    return rows


def is_solve(row: Row) -> bool:
    """Whether it is a whole solve, which has an outcome."""
    return bool(row.get("outcome"))


def is_rate(row: Row) -> bool:
    """Whether it is of an operator, a method or a sweep, which have flops, and on one lattice."""
    return not is_solve(row) and row["target"] != "accuracy" and numpy.isfinite(row["flops_per_second"]) and row["scaling"] != ""


def same(row: Row, other: Row) -> bool:
    """Whether both measured the same, wherever."""
    return all(row.get(name) == other.get(name) or row.get(name) != row.get(name) for name in WHAT)


def unique(values: Iterable[Any]) -> list[Any]:
    """Each once, in the order of their first."""
    return list(dict.fromkeys(values))


def size(extents: tuple[int, ...]) -> str:
    return "x".join(str(n) for n in extents)


def variant(row: Row) -> str:
    """"half 12, 1 rhs"."""
    return f"{row['storage']}, {row['right_hand_sides']} rhs"
