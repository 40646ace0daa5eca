"""What the datasets of plaq's result files look like (docs/result-files.md), checked before any number is used.

A valid checksum trailer says that a file is as it was written, not that plaq wrote it.
"""
from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import h5py
import numpy

Extents = tuple[int | None, ...]

ROW: Extents = (None,)
TABLE: Extents = (None, None)  # extents that may be any number are None
OF_ROWS: dict[str, Extents] = {
    **dict.fromkeys(("plaquette", "plaquette_spatial", "plaquette_temporal", "link_trace", "clover_energy",
                     "topological_charge", "sweep", "trajectory", "replica"), ROW),
    "polyakov_loop": (None, 2),
}
EXTENTS: dict[str, Extents] = {
    **{f"{group}/{name}": extents for group in ("configurations", "history", "observables")
       for name, extents in OF_ROWS.items()},
    **{f"flow/{name}": TABLE for name in ("t", "clover_energy", "plaquette_energy", "topological_charge")},
    **{f"steps/{name}": ROW for name in ("trajectory", "delta_h", "acceptance", "accepted", "iterations")},
    **{f"polyakov_correlators/{name}": TABLE for name in ("r_squared", "separations", "average", "singlet")},
    "flow/t0": ROW,
    "flow/w0": ROW,
}
WHOLE_NUMBERS = ("configurations/trajectory", "configurations/replica", "configurations/sweep", "history/sweep",
                 "history/trajectory", "steps/trajectory")
HAVE_ROWS = ("configurations/", "correlators/", "flow/", "history/", "observables/", "polyakov_correlators/", "steps/")
GROUPS = ("action", "configurations", "correlators", "flow", "gauge", "history", "observables", "polyakov_correlators",
          "solves", "steps")


def fault(file: h5py.File) -> str | None:
    """Why this open file is no result of plaq; None if it may be one. Bytes of datasets are not read."""
    size = os.path.getsize(file.filename)
    found = _extents_of_lattice(file.attrs.get("extents"))
    flows = set()
    for path, item in _objects(file):
        if found is not None:
            break
        if not isinstance(item, h5py.Dataset):
            found = f"{path} is {item}" if isinstance(item, str) else None
        elif path in GROUPS:
            found = f"{path} is a dataset where a group is expected"
        else:
            found = _dataset(path, item, size)
        if found is None and EXTENTS.get(path) == TABLE and path.startswith("flow/"):
            flows.add(item.shape)
    if found is None and len(flows) > 1:
        found = f"the datasets in flow have different extents: {', '.join(map(str, sorted(flows)))}"
    return found


def _objects(group: h5py.Group, seen: set[int] | None = None, at: str = "") -> Iterator[tuple[str, Any]]:
    """Paths, and groups, datasets or what else is found there."""
    seen = {h5py.h5o.get_info(group.id).addr} if seen is None else seen
    for name in group:
        path = at + name
        if not isinstance(group.get(name, getlink=True), h5py.HardLink):
            yield path, "a link to another place"
            continue
        item = group[name]
        if not isinstance(item, (h5py.Group, h5py.Dataset)):
            yield path, "a type where a group or a dataset is expected"
            continue
        yield path, item
        if isinstance(item, h5py.Group) and (address := h5py.h5o.get_info(item.id).addr) not in seen:
            seen.add(address)
            yield from _objects(item, seen, path + "/")


def _dataset(path: str, dataset: h5py.Dataset, size: int) -> str | None:
    kind = dataset.dtype.kind
    if kind not in ("iu" if path in WHOLE_NUMBERS else "iuf"):
        return f"{path} holds {dataset.dtype} where {'whole ' if path in WHOLE_NUMBERS else ''}numbers are expected"
    if dataset.external is not None or dataset.is_virtual:
        return f"{path} has its numbers in another file"
    if dataset.shape is None or dataset.nbytes > size:
        return f"{path} has extents {dataset.shape}, more than the file has bytes for"
    expected = EXTENTS.get(path)
    lacks_rows = not dataset.shape and path.startswith(HAVE_ROWS)
    if lacks_rows or (expected is not None and not _fits(dataset.shape, expected)):
        wanted = "at least one" if expected is None else "(" + ", ".join(str(n or "any") for n in expected) + ")"
        return f"{path} has extents {dataset.shape}, expected {wanted}"
    return None


def _fits(shape: tuple[int, ...], expected: tuple[int | None, ...]) -> bool:
    return len(shape) == len(expected) and all(e is None or n == e for n, e in zip(shape, expected))


def _extents_of_lattice(extents: Any) -> str | None:
    if extents is None:
        return None
    values = numpy.ravel(extents)
    if values.dtype.kind in "iu" and values.shape == (4,) and (values > 0).all():
        return None
    return "the attribute extents is not four whole numbers"
