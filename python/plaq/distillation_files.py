"""Files of perambulators and elementals that jobs write (docs/result-files.md)."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy

from .analysis import trailer
from .analysis.arrays import Array, Path

Momentum = tuple[int, int, int]


def opened(path: Path) -> Any:
    """The HDF5 file, for a with statement. Raises ValueError if it is no whole result file."""
    import h5py
    if (fault := trailer.fault(path)) is not None:
        raise ValueError(f"{path}: {fault}")
    return h5py.File(path, "r")


def member(file: Any, name: str, path: Path, meaning: str) -> Any:
    """A dataset or group of the file; `meaning` says what it holds."""
    if name not in file:
        raise ValueError(f"{path}: holds no {meaning}")
    return file[name]


def numbers(dataset: Any, at: Any = ()) -> Array:
    """The complex numbers of a dataset, or its part [at]; its last axis is real and imaginary part."""
    return numpy.ascontiguousarray(dataset[at]).view(complex)[..., 0]


def momentum(dataset: Any) -> Momentum:
    x, y, z = (int(n) for n in dataset.attrs["momentum"])
    return x, y, z


def demand_one_subject(paths: Sequence[Path], datasets: Sequence[Any]) -> None:
    """Raises ValueError unless these datasets, one of each path, are of one gauge field, one set of modes and one action."""
    if not paths:
        raise ValueError("files: expected one or more")
    first = datasets[0]
    for path, one in zip(paths, datasets):
        if one.shape != first.shape:
            raise ValueError(f"{path}: its numbers have the extents {one.shape[:-1]}, those of {paths[0]} {first.shape[:-1]}")
        for name, meaning in (("checksum", "links"), ("modes_checksum", "modes")):
            if not numpy.array_equal(*(dataset.file["gauge/000000"].attrs.get(name) for dataset in (first, one))):
                raise ValueError(f"{path}: is of other {meaning} than {paths[0]}")
        if (here := _action(one.file)) != (there := _action(first.file)):
            raise ValueError(f"{path}: has the action {here}, {paths[0]} {there}")


def _action(file: Any) -> str:
    """The keys of [action] and [action_smearing] in the job; empty where there are none."""
    tables = dict(table.split("]\n", 1) for table in f"\n{file.attrs.get('job', '')}\n".split("\n[")[1:])
    return " ".join((tables.get("action", "") + tables.get("action_smearing", "")).split())


def read_perambulator(path: Path) -> tuple[Array, int]:
    """The perambulator [t'][s][s'][i][j] of a file FIELD.sK.peram.h5, and the time slice of its source.

    Of a file FIELD.sK.nV.peram.h5 of noise vector V it is the estimate sum_d X_d rho_d^dagger over the parts of the noise, whose average
    over noise is the perambulator: the quark lines of one correlator need estimates of different noise vectors.
    """
    with opened(path) as file:
        dataset = member(file, "perambulator", path, "perambulator")
        found, time = numbers(dataset), int(dataset.attrs["source_time"])
        if "noise" not in file:
            return found, time
        eta, parts = numbers(file["noise"]), numbers(file["parts"]).real.astype(int)
    # [t'][s][i][s'][j]: each source spin and mode is in one part.
    return numpy.ascontiguousarray(numpy.moveaxis(found[..., parts] * eta.conj(), 3, 2)), time


def read_generalised_perambulators(path: Path) -> tuple[dict[tuple[str, Momentum], Array], int]:
    """The generalised perambulators [t][a][b][s][s'][i][j] of a file FIELD.sK.tF.gperam.h5 by operator and momentum, as G["1", (0, 0, 0)],
    and the time slice of their source. The sink is F slices behind it, as many as t has without the source."""
    with opened(path) as file:
        found: dict[tuple[str, Momentum], Array] = {}
        time = 0
        for operator, momenta in member(file, "generalised_perambulator", path, "generalised perambulators").items():
            for dataset in momenta.values():
                found[operator, momentum(dataset)] = numbers(dataset)
                time = int(dataset.attrs["source_time"])
        return found, time


def read_elementals(path: Path) -> dict[Momentum, Array]:
    """The elementals of a file FIELD.OPERATOR.elem.h5 by their momenta: arrays [t][i][j], or of baryons [t][i][j][k]."""
    with opened(path) as file:
        return {momentum(one): numbers(one) for one in member(file, "elementals", path, "elementals").values()}
