"""Result files: what jobs have written, as numbers with errors."""
from __future__ import annotations

import itertools
import os
from collections.abc import Iterable, Sequence
from typing import Any

import numpy

from . import analysis as _analysis
from .analysis.arrays import Array, Path
from .analysis.blinding import GivenBlinding, blinding_of
from .analysis.chains import Chains
from .analysis.channels import channels_of
from .analysis.shapes import SHAPES
from .analysis.weights import Given, weights_of
from .values import Field, Value, Values, fields_of

_numbers = itertools.count()  # of correlators whose gauge fields have no names


class Correlator:
    """C(t) on all configurations, averaged over sources and equivalent momenta."""

    def __init__(self, found: _analysis.Correlator, fields: Sequence[Field], blinded: str = "") -> None:
        self.found = found  # of plaq.analysis
        self.blinded = blinded  # the names by which it is blinded; empty: it is not
        self.fields = fields  # a name for the gauge field of each configuration
        self.channel, self.momentum, self.sink = found.channel, found.momentum, found.sink

    @classmethod
    def of_samples(cls, samples: Array, symmetry: str = "cosh", channel: str = "own", *, trajectories: Sequence[int] | None = None,
                   fields: Sequence[Field] | None = None) -> Correlator:
        """A correlator of your own from its samples, a real array [configuration][t] with t = 0 to T - 1 counted from the source.

        symmetry: "cosh", "sinh", "none", "cosh_oscillating", "baryon_oscillating" or "baryon_oscillating_periodic", the shapes of fits.
        trajectories: the place of each configuration in its Markov chain; without them configurations follow one another.
        fields: a name for the gauge field of each configuration. Numbers that name the same fields are correlated; those of plaq.load()
        name them by checksum. Without names the correlator is independent of all others.
        """
        samples = numpy.asarray(samples)
        if numpy.iscomplexobj(samples) or samples.ndim != 2 or samples.shape[1] < 2 or samples.shape[1] % 2 != 0:
            raise ValueError("samples: expected real numbers [configuration][t] of an even number of time slices, found "
                             f"{samples.dtype} of shape {samples.shape}")
        if symmetry not in SHAPES or symmetry == "constant":
            raise ValueError(f"symmetry: expected one of {', '.join(one for one in SHAPES if one != 'constant')}, found {symmetry}")
        rows = len(samples)
        for name, given in (("trajectories", trajectories), ("fields", fields)):
            if given is not None and len(given) != rows:
                raise ValueError(f"{name}: {len(given)} for {rows} configurations")
        chains = Chains(numpy.zeros(rows), numpy.arange(rows) if trajectories is None else trajectories)
        ensemble = f"samples {next(_numbers)}"
        names = [(ensemble, 0, int(row)) if fields is None else fields[row] for row in chains.order]
        found = _analysis.Correlator(channel, (0, 0, 0), "own", symmetry, samples.astype(float)[chains.order], chains)
        return cls(found, names)

    @property
    def samples(self) -> Array:
        """[configuration][t]"""
        return self.found.samples

    def mean(self) -> Values:
        """C(t) with errors."""
        return Values(_analysis.quantities(self.samples, lambda c: c, self.found.chains), fields=self.fields)

    def effective_mass(self) -> Values:
        """a m at t + 1/2, from the slices t and t + 1, up to the middle of the lattice; NaN where no mass solves the equation."""
        return Values(self.found.effective_masses(), fields=self.fields)

    def mass(self, **choice: Any) -> Value:
        """a m as an average of fits over windows; with window = (4, 12), of the fit in these time slices. states: numbers of
        states, for example (1, 2); kind: "auto", "correlated" or "uncorrelated", as in `plaq analyse`. The attribute `fit` of
        the mass has chi2_per_freedom(), p_value() and all windows."""
        found = self.found.mass(_analysis.Choice(**choice))
        mass = Value.of(found.quantity, fields=self.fields)
        mass.fit = found
        return mass

    def amplitude(self, **choice: Any) -> Value:
        """A of C(t) = A [exp(-m t) +- exp(-m (T - t))] + ..., from the fits of mass(), with their correlation."""
        found = _analysis.amplitude(self.found.mass(_analysis.Choice(**choice)))
        return Value.of(found.quantity, fields=self.fields)

    def covariance(self) -> _analysis.Covariance:
        """The covariance matrix of C(t), with its labels and the number of configurations."""
        return _analysis.covariance_of_correlator(self.found)

    def __repr__(self) -> str:
        blinded = f", blinded {self.blinded}" if self.blinded else ""
        return f"<correlator {self.found.name()}: {len(self.samples)} configurations, T = {self.found.extent()}{blinded}>"


class Results:
    """Results of one job, from one or more files."""

    def __init__(self, paths: Iterable[Path], weights: Given | None = None, blind: GivenBlinding | None = None) -> None:
        self.paths = [os.fsdecode(path) for path in paths]
        self.request = _analysis.Request(weights=weights_of(weights), blind=blinding_of(blind))
        found = _analysis.ensembles(self.paths, self.request.weights, self.request.blind)
        if len(found) != 1:
            raise ValueError(f"{', '.join(self.paths)}: results of {len(found)} jobs; load them one by one")
        self.ensemble = found[0]
        self.job, self.job_type = self.ensemble.job, self.ensemble.job_type

    def correlators(self) -> list[Correlator]:
        """All correlators of the results."""
        return [self._correlator(one) for one in _analysis.correlators(self.ensemble)]

    def _correlator(self, found: _analysis.Correlator) -> Correlator:
        return Correlator(found, fields_of(self.ensemble, found.chains), self.ensemble.blinded())

    def correlator(self, channel: str, momentum: tuple[int, ...] = (0, 0, 0), sink: str = "") -> Correlator:
        """The correlator of a channel. `sink` is necessary only if there are several. An unknown one is a KeyError that lists all."""
        # All channels are taken: a proton is averaged with its partner of negative parity.
        choice = _analysis.Choice(momentum=tuple(momentum), sink=sink)
        every = _analysis.correlators(self.ensemble, choice)
        found = [one for one in every if one.channel == channel]
        if len(found) != 1:
            known = ", ".join(sorted({one.found.name() for one in self.correlators()})) or "none"
            asked = f"{channel} p={','.join(map(str, momentum))} {sink}".rstrip()
            raise KeyError(f"{asked}: {len(found)} correlators match, and one is needed; choose among: {known}")
        return self._correlator(found[0])

    def values(self) -> dict[str, Value]:
        """All numbers that `plaq analyse` finds, by name."""
        return {result.name: Value.of(result.quantity, fields=fields_of(block.ensemble, result.quantity.chains))
                for block in _analysis.analyse(self.paths, self.request) for result in block.results}

    def covariance(self) -> _analysis.Covariance:
        """The covariance matrix of all numbers that `plaq analyse` finds, with their names and the number of configurations."""
        block, = _analysis.analyse(self.paths, self.request)
        return block.covariance()

    def dataset(self, name: str) -> Array:
        """A dataset of the result files, [configuration]...; docs/result-files.md lists all datasets."""
        return self.ensemble.column(name)

    def __repr__(self) -> str:
        channels = ", ".join(channels_of(self.ensemble))
        blinded = f"; blinded {self.ensemble.blinded()}" if self.ensemble.blinded() else ""
        return f"<{self.job_type} results: {', '.join(self.paths)}{f'; channels {channels}' if channels else ''}{blinded}>"


def load(*paths: Path, weights: Given | None = None, blind: GivenBlinding | None = None) -> Results:
    """Reads the result files of one job.

    weights: reweighting factors, with which means are <w O> / <w>: "FILE" with lines of trajectory and weight, "FILE:/DATASET" of
    HDF5, {trajectory: weight}, or an array with one for each row.
    blind: a name, or {channel: name}, from which secret factors of correlators follow.
    """
    return Results(paths, weights, blind)
