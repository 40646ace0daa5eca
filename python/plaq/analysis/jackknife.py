"""Jackknife errors: of numbers that are made of means without some of the configurations."""
from __future__ import annotations

import math

import numpy

from .arrays import Array, Estimate
from .chains import Chains


def means_without(samples: Array, bins: list[slice], chains: Chains | None = None) -> Array:
    """[bin][mean]: means of samples [configuration][mean] without the rows of each bin, a slice, by the weights of `chains`."""
    chains = Chains.of_rows(len(samples)) if chains is None else chains
    samples = chains.weighted(samples)
    total, count = samples.sum(axis=0), chains.sizes([slice(0, len(samples))])[0]
    with numpy.errstate(divide="ignore", invalid="ignore"):  # weights of the others may sum to 0
        return numpy.array([(total - samples[b].sum(axis=0)) / (count - size) for b, size in zip(bins, chains.sizes(bins))])


def spread(values: Array, bins: int) -> Array:
    """The error by values [value]... of these numbers of bins; some may be missing."""
    return numpy.sqrt((bins - 1) * numpy.mean((values - values.mean(axis=0))**2, axis=0))


def jackknife(samples: Array, estimate: Estimate = lambda mean: mean, chains: Chains | None = None) -> tuple[Array, Array]:
    """Value and error of estimate(mean of samples), without autocorrelations; the first axis of samples is the configuration. Means are
    by the weights of `chains`.

    `estimate` may be given many means at once, as further axes in front. With one configuration there is no error: NaN.
    """
    samples = numpy.asarray(samples, dtype=float)
    chains = Chains.of_rows(len(samples)) if chains is None else chains
    value = numpy.asarray(estimate(chains.mean(samples)), dtype=float)
    if len(samples) < 2:
        return value, numpy.full(value.shape, math.nan)
    rows = [slice(i, i + 1) for i in range(len(samples))]
    return value, spread(numpy.asarray(estimate(means_without(samples, rows, chains)), dtype=float), len(samples))
