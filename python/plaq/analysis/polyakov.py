"""Free energies of static quarks at finite temperature, from correlators of Polyakov loops."""
from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy

from .arrays import Array
from .quantities import quantity
from .results import NotAResult

if TYPE_CHECKING:
    from .blocks import Block

GROUP = "polyakov_correlators"
CHANNELS = (("average", "free energy"), ("singlet", "singlet free energy"))


def free_energy(correlator: Array) -> Array:
    """F/T = -log C of means [..., 0]; NaN where noise has made C negative."""
    with numpy.errstate(all="ignore"):
        return numpy.where(correlator[..., 0] > 0, -numpy.log(correlator[..., 0]), math.nan)


def add_free_energies(block: Block) -> None:
    """F(r)/T at whole r up to half of the shortest extent in space, of the average and the singlet."""
    ensemble = block.ensemble
    if not ensemble.has(f"{GROUP}/r_squared"):
        return
    chains = ensemble.chains(f"{GROUP}/r_squared")
    squares = ensemble.column(f"{GROUP}/r_squared", chains)
    if squares.ndim != 2 or (squares != squares[:1]).any():
        raise NotAResult(f"{ensemble.name()}: {GROUP}/r_squared: expected the same lengths on each configuration")
    if block.chains is None:
        block.chains = chains
    extents = ensemble.extents()
    longest = min(extents[:3]) // 2 if extents is not None else math.isqrt(int(squares[0, -1]))
    for name, title in CHANNELS:
        path = f"{GROUP}/{name}"
        if not ensemble.has(path):
            continue
        correlators = ensemble.column(path, chains)
        if correlators.shape != squares.shape:
            raise NotAResult(f"{ensemble.name()}: {path} has extents {correlators.shape}, and r_squared {squares.shape}")
        for r in range(1, longest + 1):
            at = numpy.flatnonzero(squares[0] == r * r)
            if not len(at):
                continue
            found = quantity(correlators[:, at[:1]], free_energy, chains)
            if not math.isfinite(found.value):
                block.notes.append(f"{title} r={r}: the mean of the correlator is not positive")
                break
            block.add(f"{title} r={r}", found, "T")
