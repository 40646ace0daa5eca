"""Where the rows of an ensemble are in its Markov chains, and how much they weigh."""
from __future__ import annotations

import math
from collections.abc import Sequence

import numpy

from .arrays import Array

FEWEST_ROWS = 5  # of a replica whose own mean is taken off


class ChainError(ValueError):
    pass


class Chains:
    """Rows in the order (replica, number in the chain), which `order` makes of the order they came in."""

    def __init__(self, replica: Sequence[int] | Array, number: Sequence[int] | Array) -> None:
        replica, number = numpy.asarray(replica, dtype=int), numpy.asarray(number, dtype=int)
        if len(number) == 0:
            raise ChainError("there are no configurations")
        self.weights: Array | None = None  # [row], of reweighting; None: all are equal
        self.order = numpy.lexsort((number, replica))
        self.replica, self.number = replica[self.order], number[self.order]
        starts = numpy.flatnonzero(numpy.diff(self.replica, prepend=self.replica[0] - 1))
        self.parts = [slice(a, b) for a, b in zip(starts, [*starts[1:], len(number)])]
        for part in self.parts:
            steps = numpy.diff(self.number[part])
            if (steps == 0).any():
                twice = self.number[part][1:][steps == 0][0]
                raise ChainError(f"trajectory {twice} of replica {self.replica[part][0]} is there twice")

    @classmethod
    def of_rows(cls, count: int) -> Chains:
        """One chain without gaps."""
        return cls(numpy.zeros(count), numpy.arange(count))

    def __len__(self) -> int:
        return len(self.number)

    def steps(self) -> Array:
        return numpy.concatenate([numpy.diff(self.number[part]) for part in self.parts])

    def spacing(self) -> int:
        """The largest step of which all others are multiples: the unit of autocorrelation times."""
        return math.gcd(*map(int, self.steps())) or 1

    def has_gaps(self) -> bool:
        steps = self.steps()
        return len(steps) > 0 and bool((steps != steps[0]).any())

    def places(self) -> list[tuple[slice, Array]]:
        """(part, places): where the rows of each replica are on a grid of the spacing, the first at 0."""
        spacing = self.spacing()
        return [(part, (self.number[part] - self.number[part][0]) // spacing) for part in self.parts]

    def weigh(self, weights: Array) -> None:
        """Takes weights [row], for which all means are <w O> / <w>. Throws ChainError where <w> is 0."""
        if weights.sum() == 0:
            raise ChainError("the sum of the weights is 0")
        self.weights = None if (weights == weights[0]).all() else weights / abs(weights).max()

    def has_rows_of(self, other: Chains) -> bool:
        return numpy.array_equal(self.replica, other.replica) and numpy.array_equal(self.number, other.number)

    def weighs_as(self, other: Chains) -> bool:
        if self.weights is None or other.weights is None:
            return self.weights is other.weights
        return numpy.array_equal(self.weights, other.weights)

    def effective(self) -> float:
        """The number of configurations of equal weights with this variance of the weights, <w>^2 / <w^2> of all."""
        return float(len(self) if self.weights is None else self.weights.sum()**2 / (self.weights**2).sum())

    def weighted(self, samples: Array, axis: int = 0) -> Array:
        """w O of samples whose `axis` is the row."""
        if self.weights is None:
            return samples
        return samples * self.weights.reshape(-1, *[1] * (samples.ndim - 1 - axis))

    def mean(self, samples: Array, axis: int = 0) -> Array:
        """<w O> / <w>."""
        found: Array = self.weighted(samples, axis).mean(axis=axis)
        return found if self.weights is None else found / self.weights.mean()

    def sizes(self, bins: list[slice]) -> Array:
        """[bin]: the sum of its weights; its number of rows where all are equal."""
        return numpy.array([b.stop - b.start if self.weights is None else self.weights[b].sum() for b in bins])

    def fluctuations(self, samples: Array) -> Array:
        """samples - their mean: each replica's own where all are long enough, as in pyerrors, else that of all. With weights
        w (samples - mean) / <w>, less its own mean: by how much each row moves <w O> / <w>."""
        samples = numpy.asarray(samples, dtype=float)
        # A mean of equal numbers may be off by rounding.
        with numpy.errstate(invalid="ignore"):
            return numpy.where((samples == samples[0]).all(axis=0), 0.0, self._deviations(self._linear(samples)))

    def _linear(self, samples: Array) -> Array:
        if self.weights is None:
            return samples
        return self.weighted(samples - self.mean(samples)) / self.weights.mean()

    def _deviations(self, samples: Array) -> Array:
        if min(part.stop - part.start for part in self.parts) < FEWEST_ROWS:
            return samples - samples.mean(axis=0)
        return numpy.concatenate([samples[part] - samples[part].mean(axis=0) for part in self.parts])

    def bins(self, length: int) -> list[slice]:
        """Slices of `length` neighbouring rows, or some more: a bin never has rows of two replicas."""
        found = []
        for part in self.parts:
            count = max(1, (part.stop - part.start) // length)
            edges = numpy.linspace(part.start, part.stop, count + 1).round().astype(int)
            found += [slice(a, b) for a, b in zip(edges, edges[1:])]
        return found
