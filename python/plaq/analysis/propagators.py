"""Gluon, ghost and quark propagators in momentum space: tables of means over configurations."""
from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy

from .arrays import Array
from .blocks import Block, Table
from .quantities import mean_of, quantities
from .quark_functions import mass, mass_corrected, z_over_tree

if TYPE_CHECKING:
    from .results import Ensemble, ResultFile

GLUON = (("propagator", "D", "a^2"), ("dressing", "p^2 D", ""), ("spatial", "D", "a"), ("temporal", "D_44", "a"))


def add_propagators(block: Block) -> None:
    ensemble = block.ensemble
    if ensemble.has("momenta/p_squared"):
        _add_gluon(block)
        if ensemble.has("ghost/propagator") and ensemble.has("ghost/momentum"):
            _add_ghost(block)
    if ensemble.has("quark_propagator/scalar") and ensemble.has("quark_propagator/vector"):
        _add_quark(block)


def _momenta(ensemble: Ensemble, group: str, squared: str) -> tuple[list[dict[str, Any]], Array]:
    """The columns of a table that say where its rows are, and which of them survive both cuts."""
    first = ensemble.files[0]
    n, square = first.array(f"{group}/n"), first.array(f"{group}/{squared}")
    labels = [{"n": [int(i) for i in one], squared: float(p)} for one, p in zip(n, square)]
    return labels, survives_cuts(first, group)


def survives_cuts(file: ResultFile, group: str) -> Array:
    """[momentum]: whether it is within the cylinder and the cone around the diagonal."""
    return (file.array(f"{group}/in_cylinder") == 1) & (file.array(f"{group}/in_cone") == 1)


def _add_gluon(block: Block) -> None:
    ensemble = block.ensemble
    labels, survives = _momenta(ensemble, "momenta", "p_squared")
    found = [(name, title, unit) for name, title, unit in GLUON if ensemble.has(f"gluon/{name}")]
    if not found:
        return
    block.chains = chains = ensemble.chains(f"gluon/{found[0][0]}")
    table = Table("gluon", labels, shown=survives)
    for name, title, unit in found:
        rows = ensemble.column(f"gluon/{name}", chains)
        table.add(title, [mean_of(samples, chains) for samples in rows.T], unit)
    block.tables.append(table)


def _add_ghost(block: Block) -> None:
    ensemble, chains = block.ensemble, block.chains or block.ensemble.chains("ghost/propagator")
    labels, _ = _momenta(ensemble, "momenta", "p_squared")
    which = ensemble.files[0].array("ghost/momentum")
    table = Table("ghost", [labels[i] for i in which])
    for name, title, unit in (("propagator", "G", "a^2"), ("dressing", "p^2 G", "")):
        rows = ensemble.column(f"ghost/{name}", chains)
        table.add(title, [mean_of(samples, chains) for samples in rows.T], unit)
    block.tables.append(table)


def _add_quark(block: Block) -> None:
    ensemble = block.ensemble
    chains = ensemble.chains("quark_propagator/scalar")
    block.chains = block.chains or chains
    labels, survives = _momenta(ensemble, "quark_propagator", "p_squared")
    first = ensemble.files[0]
    k, k_squared = first.array("quark_propagator/k"), first.array("quark_propagator/k_squared")
    v0, s0 = first.array("quark_propagator/tree_vector"), first.array("quark_propagator/tree_scalar")
    tree_mass = float(first.array("quark_propagator/tree_mass"))
    scalar = ensemble.column("quark_propagator/scalar", chains)[..., 0].mean(axis=1)  # over sources
    vector = ensemble.column("quark_propagator/vector", chains)[..., 1].mean(axis=1)
    away = numpy.flatnonzero(k_squared > 1e-12)  # v is not known elsewhere
    table = Table("quark", [labels[i] for i in away], shown=survives[away])
    made = []
    for i in away:
        samples = numpy.stack([scalar[:, i], -(vector[:, i] @ k[i]) / k_squared[i]], axis=1)
        made.append(quantities(samples, functools.partial(_functions, k_squared[i], v0[i], s0[i], tree_mass), chains))
    for column, (title, unit) in enumerate((("Z", ""), ("M", "a^-1"), ("M corrected", "a^-1"))):
        table.add(title, [row[column] for row in made], unit)
    block.tables.append(table)


def _functions(k_squared: float, v0: float, s0: float, tree_mass: float, means: Array) -> Array:
    s, v = means[..., 0], means[..., 1]
    return numpy.stack([z_over_tree(s, v, k_squared, v0, s0), mass(s, v), mass_corrected(s, v, v0, s0, tree_mass)], axis=-1)
