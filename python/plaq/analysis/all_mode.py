"""All-mode averaging: approximate values A of all sources, corrected by exact ones E of a few (docs/result-files.md)."""
from __future__ import annotations

from typing import TYPE_CHECKING

import numpy

from .arrays import Array
from .insertions import GROUPS

if TYPE_CHECKING:
    from .blocks import Block
    from .chains import Chains
    from .results import Ensemble


def all_mode_blocks(ensemble: Ensemble, name: str, chains: Chains | None = None) -> tuple[Array, Array]:
    """(A [row][source]..., E [row][exact]...) of a dataset such as "correlators/pion/p_0_0_0/point", in the order of `chains`, and
    blinded as the ensemble is."""
    parts = name.strip("/").split("/")
    factor = ensemble.factor(parts[-2] if parts[0] in GROUPS else parts[1])
    return factor * ensemble.column(f"approximate/{name}", chains), factor * ensemble.column(f"exact/{name}", chains)


def all_mode_average(approximate: Array, exact: Array, weight: Array | float = 1.0) -> Array:
    """[row]...: the mean of E plus `weight` times (mean of A over all sources - mean of A over the exact ones), of blocks
    [row][source]... and [row][exact]...; without bias for any weight that is chosen beforehand. 1: the mean of result files."""
    return exact.mean(axis=1) + weight * _difference(approximate, exact)


def best_weight(approximate: Array, exact: Array) -> Array:
    """[...]: the weight by which all_mode_average() has the least variance over the rows; 1 where A of all sources and of the exact
    ones do not differ. Found of the rows themselves, it has a bias of one over their number."""
    difference, means = _difference(approximate, exact), exact.mean(axis=1)
    difference, means = difference - difference.mean(axis=0), means - means.mean(axis=0)
    variance = (difference**2).sum(axis=0)
    different = variance > 0
    return numpy.where(different, -(means * difference).sum(axis=0) / numpy.where(different, variance, 1.0), 1.0)


def _difference(approximate: Array, exact: Array) -> Array:
    return approximate.mean(axis=1) - approximate[:, :exact.shape[1]].mean(axis=1)


def add_all_mode_average(block: Block) -> None:
    ensemble = block.ensemble
    if not (ensemble.has("approximate/solves/residual") and ensemble.has("solves/true_residual")):
        return
    residual = ensemble.column("approximate/solves/residual")
    iterations = ensemble.column("approximate/solves/iterations")
    exact = ensemble.column("solves/true_residual").shape[1]
    what = "noise vectors" if ensemble.has("approximate/noise") else "sources"
    block.facts.append(("all-mode averaging", f"{residual.shape[1]} approximate {what} a configuration, {exact} of them exact too; "
                        f"approximate solves: {iterations.max()} iterations at most, residual {residual.max():.2g} at most"))
