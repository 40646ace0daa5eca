"""Ratios of correlators that are constant between source and middle: PCAC and residual masses."""
from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy

from .arrays import Array, Estimate
from .chosen_window import fit_chosen
from .correlators import FIRST, Choice, Correlator
from .fit import FitError
from .quantities import Quantity, Settings, mean_of, quantities
from .windows import Averaged, Data, scan

if TYPE_CHECKING:
    from .chains import Chains
    from .results import Ensemble

PCAC, RESIDUAL = "pcac", "residual"  # names of these fits in a choice of windows


def constant(samples: Array, transform: Estimate, chains: Chains, first: int, last: int, choice: Choice = Choice(),
             settings: Settings = Settings(), name: str = "constant") -> Averaged:
    """The average of constant fits in windows of [first, last] of transform(means), [...][mean] -> [...][t]; or the fit in the
    window that is chosen for `name`."""
    if len(samples) < 2:
        raise FitError("one configuration has no errors, so nothing is fitted")
    if not numpy.isfinite(samples).all():
        raise FitError("some numbers are not finite (NaN or infinite)")
    data = Data(samples, chains, settings, transform)
    window = choice.window_of(name)
    if window is not None:
        return fit_chosen(data, "constant", 0, window, last, name, (1,), choice.kind, signal=False, empty=last + 1)
    return scan(data, "constant", 0, first, data.last_known(first, last), (1,), choice.kind)


def pcac_ratio(means: Array) -> Array:
    """m(t) = (C_AP(t+1) - C_AP(t-1)) / (4 C_PP(t)) of [...][C_AP, then C_PP on 0 .. T/2]; NaN at both ends."""
    half = means.shape[-1] // 2
    axial, pion = means[..., :half], means[..., half:]
    found = numpy.full(axial.shape, numpy.nan)
    with numpy.errstate(all="ignore"):
        found[..., 1:-1] = (axial[..., 2:] - axial[..., :-2]) / (4 * pion[..., 1:-1])
    return found


def plain_ratio(means: Array) -> Array:
    half = means.shape[-1] // 2
    with numpy.errstate(all="ignore"):
        return means[..., :half] / means[..., half:]


def pcac_mass(axial: Correlator, pion: Correlator, choice: Choice = Choice(), settings: Settings = Settings()) -> Averaged:
    """The bare quark mass by the axial Ward identity; slice 1 would have the source's own in its derivative."""
    samples = numpy.concatenate([axial.folded(), pion.folded()], axis=1)
    return constant(samples, pcac_ratio, pion.chains, FIRST + 1, pion.extent() // 2 - 1, choice, settings, PCAC)


def pcac_masses(axial: Correlator, pion: Correlator) -> list[Quantity]:
    """m(t) of each slice, t = 0 .. T/2: quantities, NaN at both ends."""
    return quantities(numpy.concatenate([axial.folded(), pion.folded()], axis=1), pcac_ratio, pion.chains)


def residual_mass(midpoint: Correlator, pion: Correlator, choice: Choice = Choice(),
                  settings: Settings = Settings()) -> Averaged:
    """The mean of C_mid over the mean of C_pion, both sides of the lattice averaged."""
    both = dataclasses.replace(midpoint, symmetry="cosh").folded(), pion.folded()
    return constant(numpy.concatenate(both, axis=1), plain_ratio, pion.chains, FIRST, pion.extent() // 2, choice,
                    settings, RESIDUAL)


def summed_residual_mass(ensemble: Ensemble, chains: Chains) -> Quantity:
    """The mean of what each field and source gives; a ratio of means is not in the file."""
    return mean_of(ensemble.column("residual_mass/summed", chains).mean(axis=1), chains)
