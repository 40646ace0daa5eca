"""Covariance matrices of numbers, with their labels and the number of configurations.

C_ij = rho_ij s_i s_j: s_i is the error by the gamma method, rho_ij the correlation of fluctuations on the same configuration.
"""
from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping

import numpy

from .arrays import Array
from .correlators import Correlator
from .quantities import Quantity, Settings, quantities


@dataclasses.dataclass
class Covariance:
    labels: list[str]
    values: Array  # [number]
    matrix: Array  # [number][number]
    configurations: int  # that at least one of the numbers is of

    def errors(self) -> Array:
        return numpy.sqrt(numpy.diag(self.matrix))

    def correlation(self) -> Array:
        """[number][number], 1 on the diagonal; 0 for a number without an error."""
        errors = self.errors()
        scale = numpy.where(errors > 0, errors, 1.0)
        made = self.matrix / numpy.outer(scale, scale)
        numpy.fill_diagonal(made, 1.0)
        return made


def covariance(numbers: Mapping[str, Quantity], settings: Settings = Settings()) -> Covariance:
    """The covariance matrix of numbers of one ensemble. Numbers of other configurations of it (replica and number in the chain)
    are correlated by those that they share."""
    chosen = list(numbers.values())
    fluctuations = _on_all_configurations(chosen)
    norms = numpy.sqrt((fluctuations**2).sum(axis=1))
    unit = fluctuations / numpy.where(norms > 0, norms, 1.0)[:, None]
    errors = numpy.array([one.gamma(settings).error for one in chosen])
    correlation = unit @ unit.T
    numpy.fill_diagonal(correlation, 1.0)
    return Covariance(list(numbers), numpy.array([one.value for one in chosen]), correlation * numpy.outer(errors, errors),
                      fluctuations.shape[1])


def _on_all_configurations(chosen: Iterable[Quantity]) -> Array:
    """[number][configuration]: what each configuration changes; 0 where a number has no such configuration."""
    places: dict[tuple[int, int], int] = {}
    found = []
    for one in chosen:
        keys = zip(one.chains.replica.tolist(), one.chains.number.tolist())
        found.append((one, [places.setdefault(key, len(places)) for key in keys]))
    made = numpy.zeros((len(found), len(places)))
    for row, (one, at) in zip(made, found):
        row[at] = one.fluctuations
    return made


def covariance_of_correlator(one: Correlator, settings: Settings = Settings()) -> Covariance:
    """That of C(t) at t = 0 .. T-1, both sides of the lattice apart."""
    found = quantities(one.samples, lambda means: means, one.chains, numpy.eye(one.extent()))
    return covariance({f"t={t}": quantity for t, quantity in enumerate(found)}, settings)
