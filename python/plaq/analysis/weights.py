"""Reweighting factors: a weight for each configuration, with which every mean becomes <w O> / <w>."""
from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from typing import Union

import h5py
import numpy

from .arrays import Array, Path
from .attributes import text
from .chains import Chains

# Text as --weights has it, {trajectory: weight}, {(replica, trajectory): weight}, or one weight for each row.
Given = Union["Weights", Path, Mapping[int, float], Mapping[tuple[int, int], float], Sequence[float], Array]
MOST_NAMED = 3  # trajectories that an error names


class WeightsError(ValueError):
    """Weights that cannot be read, or are not those of the configurations."""


class Weights:
    """Weights by trajectory, by (replica, trajectory), or by row: in the order of the rows of the files."""

    def __init__(self, values: Sequence[float] | Array, numbers: Sequence[int] | Array | None = None,
                 replicas: Sequence[int] | Array | None = None, name: str = "given weights") -> None:
        self.name, self.values = name, numpy.asarray(values, dtype=float)
        self.by_place: dict[tuple[int, ...], float] | None = None
        if self.values.ndim != 1 or not len(self.values):
            raise WeightsError(f"weights {name}: expected one number for each configuration, found extents {self.values.shape}")
        if not numpy.isfinite(self.values).all():
            raise WeightsError(f"weights {name}: weight {int(numpy.argmin(numpy.isfinite(self.values)))} is not finite (NaN or infinite)")
        if numbers is None:
            return
        columns = [numpy.asarray(one, dtype=int).tolist() for one in ([numbers] if replicas is None else [replicas, numbers])]
        places = list(zip(*columns, strict=True))
        self.by_place = dict(zip(places, self.values.tolist(), strict=True))
        if len(self.by_place) < len(places):
            twice = next(place for i, place in enumerate(places) if place in places[:i])
            raise WeightsError(f"weights {name}: trajectory {_written(twice)} is there twice")

    def of(self, chains: Chains, numbered: bool, ensemble: str) -> Array:
        """[row of the chains] for an ensemble of this name; `numbered`: its trajectories are known. Throws WeightsError."""
        found = self._of(chains, numbered, ensemble)
        if found.sum() == 0:
            raise WeightsError(f"weights {self.name}: the sum of the weights of {ensemble} is 0")
        return found

    def _of(self, chains: Chains, numbered: bool, ensemble: str) -> Array:
        if self.by_place is None:
            if len(self.values) != len(chains):
                raise WeightsError(f"weights {self.name}: there are {len(self.values)} for {len(chains)} configurations of {ensemble}")
            return self.values[chains.order]
        if not numbered:
            raise WeightsError(f"weights {self.name}: the trajectories of {ensemble} are not known; give one weight for each row, "
                               "as FILE:/DATASET of a file without configurations/trajectory")
        with_replica = len(next(iter(self.by_place))) == 2
        if len(chains.parts) > 1 and not with_replica:
            raise WeightsError(f"weights {self.name}: {ensemble} has {len(chains.parts)} replicas, so weights need the replica, too: "
                               "lines of REPLICA TRAJECTORY WEIGHT")
        places = [place if with_replica else place[1:] for place in zip(chains.replica.tolist(), chains.number.tolist())]
        missing = [_written(place) for place in places if place not in self.by_place]
        if missing:
            more = f" and {len(missing) - MOST_NAMED} more" if len(missing) > MOST_NAMED else ""
            raise WeightsError(f"weights {self.name}: those of trajectory {', '.join(missing[:MOST_NAMED])}{more} of {ensemble} are "
                               "missing")
        return numpy.array([self.by_place[place] for place in places])


def _written(place: tuple[int, ...]) -> str:
    return str(place[-1]) + (f" of replica {place[0]}" if len(place) > 1 else "")


def weights_of(given: Given | None) -> Weights | None:
    """Weights in any of the forms of Given. Throws WeightsError."""
    if given is None or isinstance(given, Weights):
        return given
    if isinstance(given, (str, os.PathLike)):
        return read_weights(os.fspath(given))
    if isinstance(given, Mapping):
        places = numpy.array(list(given), dtype=int).reshape(len(given), -1)
        columns = (places[:, -1], places[:, 0]) if places.shape[1] == 2 else (places[:, 0], None)
        return Weights(list(given.values()), *columns)
    return Weights(given)


def file_of(written: str) -> str:
    """FILE of FILE or FILE:/DATASET."""
    found = re.fullmatch(r"(.+?):(/.+)", written)
    return found[1] if found and not os.path.exists(written) else written


def read_weights(written: str) -> Weights:
    """FILE:/DATASET of HDF5, or a text file with lines of TRAJECTORY WEIGHT or REPLICA TRAJECTORY WEIGHT. Throws WeightsError."""
    path = file_of(written)
    try:
        return _of_dataset(written, path, written[len(path) + 1:]) if path != written else _of_text(written)
    except OSError as error:
        raise WeightsError(f"weights {written}: cannot be read: {getattr(error, 'strerror', None) or error}") from error


def _of_dataset(name: str, path: str, dataset: str) -> Weights:
    """By the trajectories that the file has as result files do, or by row."""
    with h5py.File(path, "r") as file:
        found = file.get(dataset)
        if not isinstance(found, h5py.Dataset):
            raise WeightsError(f"weights {name}: there is no dataset {dataset}; the file has {', '.join(map(text, file)) or 'nothing'}")
        values = numpy.asarray(found, dtype=float)
        columns = [numpy.asarray(file[at]) if (at := f"configurations/{column}") in file else None for column in ("trajectory", "replica")]
    for column, rows in zip(("trajectory", "replica"), columns):
        if rows is not None and rows.shape != values.shape:
            raise WeightsError(f"weights {name}: extents {values.shape} for {len(rows)} rows of configurations/{column}")
    return Weights(values, columns[0], columns[1] if columns[0] is not None else None, name)


def _of_text(path: str) -> Weights:
    rows = []
    with open(path, encoding="utf-8", errors="backslashreplace") as stream:
        for number, line in enumerate(stream, 1):
            words = line.split("#")[0].split()
            if not words:
                continue
            try:
                rows.append([*map(int, words[:-1]), float(words[-1])])
            except ValueError:
                rows.append([])
            if len(rows[-1]) not in (2, 3) or len(rows[-1]) != len(rows[0]):
                raise WeightsError(f"weights {path}, line {number}: expected TRAJECTORY WEIGHT in each line, or REPLICA TRAJECTORY WEIGHT, "
                                   f"found {text(line.strip())}")
    columns = list(zip(*rows))
    if not columns:
        raise WeightsError(f"weights {path}: there are none")
    return Weights(columns[-1], columns[-2], columns[0] if len(columns) == 3 else None, path)
