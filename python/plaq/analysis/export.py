"""Results and correlators for other programs: pyerrors, gvar, readers of Hadrons files, and tables."""
from __future__ import annotations

import csv
import functools
import importlib.util
import os
import pathlib
import warnings
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import h5py
import numpy

from . import output
from .arrays import Array, Path
from .attributes import text
from .chains import Chains
from .correlators import Correlator, split_channel
from .covariance import covariance_of_correlator
from .gamma import gamma_error, observable

if TYPE_CHECKING:
    from .blocks import Block
    from .covariance import Covariance
    from .quantities import Settings

Named = tuple[str, float, Array, Chains, int]  # name, value, fluctuations, chains, block's number
GAMMAS = {  # channel: (gamma_snk, gamma_src), as Hadrons names them
    "pion": ("Gamma5", "Gamma5"), "a0": ("Identity", "Identity"), "axial_pseudoscalar": ("GammaTGamma5", "Gamma5"),
    "rho_x": ("GammaX", "GammaX"), "rho_y": ("GammaY", "GammaY"), "rho_z": ("GammaZ", "GammaZ"),
}
KINDS = ("pyerrors", "gvar", "hdf5", "hadrons", "csv")
PIP = "is not installed for this Python; pip install {} in a virtual environment gets it"
BEGINNINGS = {"pyerrors": b"\x1f\x8b", "gvar": b"{", "hdf5": b"\x89HDF", "csv": b"file,"}


class ExportError(ValueError):
    pass


def demand(kind: str, path: Path, inputs: Iterable[Path] = ()) -> None:
    """Before anything is computed: is what writes this kind there, and may it write to this path?"""
    if kind not in KINDS:
        raise ExportError(f"--export {kind}: expected {', '.join(KINDS)}")
    if kind in ("pyerrors", "gvar") and importlib.util.find_spec(kind) is None:
        raise ExportError(f"--export {kind}: {kind} {PIP.format(kind)}")
    if kind in BEGINNINGS:
        output.check(path, inputs, BEGINNINGS[kind])


def export(kind: str, path: Path, blocks: Sequence[Block], settings: Settings) -> list[Path]:
    """Writes blocks; returns the paths of files."""
    demand(kind, path)
    if kind == "hadrons":
        return write_hadrons(path, blocks)
    output.write(path, lambda temporary: EXPORTS[kind](temporary, blocks, settings))
    return [path]


def named(blocks: Sequence[Block]) -> Iterator[Named]:
    """(name, value, fluctuations, chains, block's number) of all results, tables and correlators."""
    for i, block in enumerate(blocks):
        prefix = f"{pathlib.Path(block.ensemble.files[0].path).stem}: " if len(blocks) > 1 else ""
        prefix += _blinded(block)
        for result in block.results:
            yield prefix + result.name, result.quantity.value, result.quantity.fluctuations, result.quantity.chains, i
        for table in block.tables:
            for title, column in table.columns.items():
                for labels, one in zip(table.labels, column):
                    where = " ".join(f"{name}={_written(value)}" for name, value in labels.items() if name != "p_squared")
                    yield f"{prefix}{table.name} {title} {where}", one.value, one.fluctuations, one.chains, i
        for correlator in block.correlators:
            chains = correlator.chains
            deviations, means = chains.fluctuations(correlator.samples), chains.mean(correlator.samples)
            for t, value in enumerate(means):
                yield f"{prefix}correlator {correlator.name()} t={t}", float(value), deviations[:, t], chains, i


def _blinded(block: Block) -> str:
    """The beginning of names in files, which says that correlators of the block are blinded."""
    return f"blinded {block.ensemble.blinded()}: " if block.ensemble.blinded() else ""


def _written(value: object) -> object:
    return ",".join(map(str, value)) if isinstance(value, list) else value


def write_pyerrors(path: Path, blocks: Sequence[Block], settings: Settings) -> None:
    """A dictionary of Obs, as pyerrors.input.json.load_json_dict reads it: names without their errors' settings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pyerrors.input.json import dump_dict_to_json
    found = {}
    for name, value, fluctuations, chains, i in named(blocks):
        if len(fluctuations) >= 5 and numpy.isfinite(fluctuations).all():
            found[name] = observable(value, fluctuations, chains, f"plaq{i}" if len(blocks) > 1 else "plaq")
            found[name].tag = name
    if not found:
        raise ExportError("--export pyerrors: there is no result of five configurations or more")
    name = os.fspath(path) if os.fspath(path).endswith(".gz") else os.fspath(path) + ".json.gz"  # pyerrors keeps such names
    dump_dict_to_json(found, name, description="plaq analyse")
    if name != os.fspath(path):
        os.replace(name, path)


def write_gvar(path: Path, blocks: Sequence[Block], settings: Settings) -> None:
    """A dictionary of gvars with their correlations, as gvar.gload(FILE, method="json") reads it."""
    import gvar
    found = [one for one in named(blocks) if len(one[2]) > 1 and numpy.isfinite(one[2]).all()]
    if not found:
        raise ExportError("--export gvar: there is no result with an error")
    made = {}
    for i in sorted({one[4] for one in found}):
        made.update(_correlated(gvar, [one for one in found if one[4] == i], settings))
    with open(path, "w", encoding="utf-8") as stream:
        gvar.gdump(made, stream, method="json")


def _correlated(gvar: Any, found: list[Named], settings: Settings) -> dict[str, Any]:
    """Errors of the gamma method; correlations of configurations."""
    fluctuations = numpy.array([one[2] for one in found])
    errors = numpy.array([gamma_error(one[2], one[3], settings.gamma).error for one in found])
    norms = numpy.sqrt((fluctuations**2).sum(axis=1))
    unit = fluctuations / numpy.where(norms > 0, norms, 1.0)[:, None]
    covariance = unit @ unit.T * numpy.outer(errors, errors)
    return dict(zip([one[0] for one in found], gvar.gvar([one[1] for one in found], covariance)))


def write_hdf5(path: Path, blocks: Sequence[Block], settings: Settings) -> None:
    """A group for each ensemble: results with their covariance matrix and fluctuations, correlators with theirs."""
    with h5py.File(path, "w") as file:
        for i, block in enumerate(blocks):
            group = file.create_group(f"ensemble_{i}")
            group.attrs["files"] = [one.path for one in block.ensemble.files]
            if block.ensemble.blinded():
                group.attrs["blinded"] = block.ensemble.blinded()
            _write_covariance(group.create_group("results"), block.covariance(settings))
            for j, one in enumerate(block.correlators):
                part = group.create_group(f"correlators/correlator_{j}")
                part.attrs["name"], part.attrs["symmetry"] = one.name(), one.symmetry
                _write_covariance(part, covariance_of_correlator(one, settings))
                part["samples"], part["replica"], part["number"] = one.samples, one.chains.replica, one.chains.number
                if one.chains.weights is not None:
                    part["weights"] = one.chains.weights


def _write_covariance(group: h5py.Group, found: Covariance) -> None:
    group["labels"] = numpy.array(found.labels, dtype=h5py.string_dtype())
    group["values"], group["covariance"] = found.values, found.matrix
    group.attrs["configurations"] = found.configurations


def write_csv(path: Path, blocks: Sequence[Block], settings: Settings) -> None:
    with open(path, "w", newline="", encoding="utf-8") as stream:
        table = csv.writer(stream)
        table.writerow(["file", "name", "value", "error", "tau_int", "systematic_error"])
        for block in blocks:
            systematic = {_blinded(block) + r.name: r.systematic_error() for r in block.results if r.averaged or r.systematic}
            for name, value, fluctuations, chains, _ in named([block]):
                gamma = gamma_error(fluctuations, chains, settings.gamma)
                table.writerow([block.ensemble.name(), name, repr(value), repr(float(gamma.error)),
                                repr(float(gamma.tau)), systematic.get(name, "")])


def write_hadrons(path: Path, blocks: Sequence[Block]) -> list[Path]:
    """STEM.NUMBER.h5 a configuration, of replicas STEM_rR.NUMBER.h5, with each meson of one ensemble and momentum."""
    block = next((block for block in blocks if block.correlators), None)
    if block is None:
        raise ExportError("--export hadrons: there are no correlators")
    chosen, blinded = block.correlators, block.ensemble.blinded()
    first = chosen[0]
    if first.chains.weights is not None:
        raise ExportError("--export hadrons: these files have no place for the weights of configurations; leave out --weights")
    mesons = [one for one in chosen if (one.momentum, one.sink) == (first.momentum, first.sink)
              and not split_channel(one.channel)[0].startswith("proton")]
    stem, replicas = pathlib.Path(path), len(first.chains.parts) > 1
    stem.parent.mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    for row, (replica, number) in enumerate(zip(first.chains.replica, first.chains.number)):
        name = stem.with_name(f"{stem.name}{f'_r{replica}' if replicas else ''}.{number}.h5")
        output.check(name, [], b"\x89HDF")
        output.write(name, functools.partial(_write_mesons, mesons, row, blinded))
        written.append(name)
    return written


def _write_mesons(mesons: list[Correlator], row: int, blinded: str, path: Path) -> None:
    with h5py.File(path, "w") as file:
        for i, one in enumerate(mesons):
            group = file.create_group(f"meson/meson_{i}")
            base = split_channel(one.channel)[0]
            sink, source = GAMMAS.get(base, (base, base))
            for name, value in (("gamma_snk", sink), ("gamma_src", source), ("channel", one.channel),
                                ("momentum", " ".join(map(str, one.momentum))), ("sink", text(one.sink)),
                                *([("blinded", blinded)] if blinded else [])):
                group.attrs[name] = numpy.array([value.encode()])
            values = numpy.zeros(one.extent(), dtype=[("re", "<f8"), ("im", "<f8")])
            values["re"] = one.samples[row]
            group["corr"] = values


EXPORTS = {"pyerrors": write_pyerrors, "gvar": write_gvar, "hdf5": write_hdf5, "csv": write_csv}  # hadrons are many files
