"""Result files of plaq (docs/result-files.md), and those of one job taken together."""
from __future__ import annotations

import contextlib
import copy
import json
from collections.abc import Iterable, Iterator
from typing import Any

import h5py
import numpy

from . import layout, trailer
from .arrays import Array, Path
from .attributes import text
from .blinding import Blinding, GivenBlinding, blinding_of, demand_known, family
from .chains import ChainError, Chains
from .insertions import stored
from .same_fields import notes_of_same_fields, sums
from .weights import Given, Weights, weights_of

try:
    import tomllib
except ImportError:  # before Python 3.11
    tomllib = None

DECIDES_NO_NUMBER = (("gauge", "files"), ("gauge", "numbering"), ("output", None), ("update", "configurations"))
CHAIN_ONLY = (("update", "seed"), ("update", "thermalization"))  # two chains of one ensemble may differ by these


class NotAResult(ValueError):
    pass


def members(group: Any) -> Any:
    if isinstance(group, h5py.Dataset):
        raise NotAResult(f"{group.file.filename}: {group.name} is a dataset where a group is expected")
    return group


class ResultFile:
    def __init__(self, path: Path) -> None:
        self.path = str(path)
        try:
            if (fault := trailer.fault(path)) is not None:
                raise NotAResult(f"{path}: {fault}")
            self.file = h5py.File(path, "r")
            fault = layout.fault(self.file)
        except (OSError, RuntimeError) as error:  # h5py has both
            raise NotAResult(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from error
        if fault is not None:
            raise NotAResult(f"{path}: {text(fault)}")
        if "plaq_version" not in self.file.attrs:
            raise NotAResult(f"{path}: has no attribute plaq_version, so it is not a result of plaq")
        self.job_type = text(self.file.attrs.get("job_type", ""))
        self.job = self._job()

    def _job(self) -> dict[str, Any]:
        if tomllib is None or "job" not in self.file.attrs:
            return {}
        try:
            return tomllib.loads(text(self.file.attrs["job"]))
        except tomllib.TOMLDecodeError as error:
            raise NotAResult(f"{self.path}: its attribute job is not valid TOML: {error}") from error

    def key(self, without: tuple[tuple[str, str | None], ...] = ()) -> str | None:
        """Equal for files that belong to one ensemble; None: a file that does not say its job is alone."""
        if not self.job:
            return None
        kept = copy.deepcopy(self.job)
        for table, name in (*DECIDES_NO_NUMBER, *CHAIN_ONLY, *without):
            if name is None:
                kept.pop(table, None)
            else:
                kept.get(table, {}).pop(name, None)
        return json.dumps([self.job_type, kept], sort_keys=True, default=str)

    def array(self, name: str) -> Array:
        """A dataset as an array."""
        dataset = self.file.get(name)
        if not isinstance(dataset, h5py.Dataset):
            raise NotAResult(f"{self.path}: there is no dataset {name}")
        return numpy.asarray(dataset)

    def find(self, name: str) -> Array | None:
        """A dataset as an array, or None."""
        return self.array(name) if name in self.file else None

    def gauge_sums(self) -> list[tuple[Any, ...]]:
        """The checksum of each field, where the file says it; what tells one field from another."""
        group = self.file.get("gauge", {})
        return [tuple(numpy.ravel(field.attrs.get("checksum", ()))) for field in group.values()
                if hasattr(field, "attrs")]

    def fields(self) -> list[Any]:
        """[row]: what is known of its gauge field."""
        group = self.file.get("gauge", {})
        return [field.attrs for _, field in sorted(group.items()) if hasattr(field, "attrs")]


class Ensemble:
    """Rows of one file, or of several of one job, in the order of their Markov chains."""

    def __init__(self, files: list[ResultFile], weights: Weights | None = None, blinding: Blinding | None = None) -> None:
        self.files, self.weights, self.blinding = files, weights, blinding
        self.job, self.job_type = files[0].job, files[0].job_type
        self.notes: list[str] = []

    def name(self) -> str:
        return ", ".join(file.path for file in self.files)

    def families(self) -> set[str]:
        """All channels and currents of three-point functions, without what has one factor of blinding: "pion", "axial_z"."""
        currents = [gamma for _, _, gamma in stored(self.group)]
        return {family(one) for one in [*self.group("correlators"), *currents]}

    def blinded(self) -> str:
        """The names by which correlators or three-point functions of this ensemble are blinded; empty: none is."""
        return str(self.blinding) if self.blinding is not None and self.blinding.is_of(self.families()) else ""

    def factor(self, channel: str) -> float:
        """Multiplies a channel or current; 1 if it is not blinded."""
        return 1.0 if self.blinding is None else self.blinding.factor(channel)

    def attribute(self, name: str, default: Any = None, at: str = "/") -> Any:
        attributes = self.files[0].file[at].attrs if at in self.files[0].file else {}
        return attributes.get(name, default)

    def has(self, name: str) -> bool:
        return all(name in file.file for file in self.files)

    def checksums(self) -> list[str]:
        """[row]: that of its gauge field; "": not known."""
        return [sums(attributes)["checksum"] for file in self.files for attributes in file.fields()]

    def group(self, name: str) -> Any:
        return members(self.files[0].file.get(name, {}))

    def extents(self) -> list[int] | None:
        found = self.attribute("extents")
        return [int(n) for n in found] if found is not None else None

    def column(self, name: str, chains: Chains | None = None) -> Array:
        """[row]..., in the order of `chains`."""
        parts = [file.array(name) for file in self.files]
        if len({part.shape[1:] for part in parts}) > 1:
            raise NotAResult(f"{self.name()}: {name} has different extents in these files; analyse them one by one")
        rows = numpy.concatenate(parts)
        if chains is None:
            return rows
        if len(rows) != len(chains):
            raise NotAResult(f"{self.name()}: {name} has {len(rows)} rows for {len(chains)} configurations")
        return rows[chains.order]

    def chains(self, rows_of: str) -> Chains:
        """Chains of the axis `configuration`, which the dataset `rows_of` has, too, with the weights of the ensemble."""
        for note in notes_of_same_fields([field for file in self.files for field in file.fields()], self.extents()):
            self._note(note)
        counts = [len(file.array(rows_of)) for file in self.files]
        if not sum(counts):
            raise NotAResult(f"{self.name()}: {rows_of} has no rows")
        found = [_numbers(file, count) for file, count in zip(self.files, counts)]
        numbers = [part for part in found if part is not None]
        if len(numbers) < len(found):
            if numbers or "configurations/trajectory" in self.files[0].file:
                self._note("not all trajectories are known: rows are taken as they are, without gaps")
            elif len(self.files) > 1:
                self._note("trajectories are not known: files are one chain, in the order given")
            return self.weighed(Chains.of_rows(sum(counts)), numbered=False)
        replicas = [_replicas(file, count) for file, count in zip(self.files, counts)]
        try:
            chains = Chains(numpy.concatenate(replicas), numpy.concatenate(numbers))
        except ChainError as error:
            chains = self._one_replica_a_file(replicas, numbers, error)
        return self.weighed(chains)

    def weighted_column(self, name: str) -> tuple[Array, Chains | None]:
        """([row]..., chains), in the order of the chains; without weights in the order of the files, and None."""
        chains = self.chains(name) if self.weights is not None else None
        return self.column(name, chains), chains

    def weighed(self, chains: Chains, numbered: bool = True) -> Chains:
        """The chains with the weights of the ensemble, if it has any; `numbered`: their trajectories are known."""
        if self.weights is not None:
            chains.weigh(self.weights.of(chains, numbered, self.name()))
        return chains

    def _one_replica_a_file(self, replicas: list[Array], numbers: list[Array], error: Exception) -> Chains:
        """Files that have the same trajectories are other chains, where fields differ."""
        sums = [set(file.gauge_sums()) - {()} for file in self.files]
        shared = any(a & b for i, a in enumerate(sums) for b in sums[:i])
        if len(self.files) < 2 or shared:
            raise NotAResult(f"{self.name()}: {error}; if these are the same gauge fields, leave one of the files out") from error
        self._note("files have the same trajectories of other fields: each is a replica of its own")
        shifted = [part + i * (1 + max(int(part.max()) for part in replicas)) for i, part in enumerate(replicas)]
        return Chains(numpy.concatenate(shifted), numpy.concatenate(numbers))

    def _note(self, note: str) -> None:
        if note not in self.notes:
            self.notes.append(note)


def _numbers(file: ResultFile, count: int) -> Array | None:
    if "configurations/trajectory" not in file.file:
        return None
    found = file.array("configurations/trajectory").astype(int)
    return found if len(found) == count and (found >= 0).all() else None


def _replicas(file: ResultFile, count: int) -> Array:
    if "configurations/replica" not in file.file:
        return numpy.zeros(count, dtype=int)
    found = file.array("configurations/replica").astype(int)
    if len(found) != count:
        raise NotAResult(f"{file.path}: configurations/replica has {len(found)} rows for {count} configurations")
    return found


def ensembles(paths: Iterable[Path], weights: Given | None = None, blind: GivenBlinding | None = None) -> list[Ensemble]:
    """Files of one job make one; others stand for themselves, in the order given. `weights`: reweighting factors of all; `blind`: a
    name, or {channel or current: name}."""
    of_all, blinding = weights_of(weights), blinding_of(blind)
    found: list[Ensemble] = []
    by_key: dict[str, Ensemble] = {}
    for path in paths:
        file = ResultFile(path)
        key = file.key()
        if key is not None and key in by_key:
            by_key[key].files.append(file)
            continue
        found.append(Ensemble([file], of_all, blinding))
        if key is not None:
            by_key[key] = found[-1]
    demand_known(blinding, [one for ensemble in found for one in ensemble.families()] if blinding else [])
    return found


@contextlib.contextmanager
def open_result(path: Path, weights: Given | None = None, blind: GivenBlinding | None = None) -> Iterator[Ensemble]:
    """The ensemble of one file, which is closed at the end."""
    ensemble = ensembles([path], weights, blind)[0]
    with ensemble.files[0].file:
        yield ensemble
