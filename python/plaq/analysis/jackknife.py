"""Jackknife errors: of numbers that are made of means without some of the configurations."""
from __future__ import annotations

import math

import numpy

from .arrays import Array, Estimate


def means_without(samples: Array, bins: list[slice]) -> Array:
    """[bin][mean]: means of samples [configuration][mean] without the rows of each bin, a slice."""
    total, count = samples.sum(axis=0), len(samples)
    return numpy.array([(total - samples[b].sum(axis=0)) / (count - (b.stop - b.start)) for b in bins])


def spread(values: Array, bins: int) -> Array:
    """The error by values [value]... of these numbers of bins; some may be missing."""
    return numpy.sqrt((bins - 1) * numpy.mean((values - values.mean(axis=0))**2, axis=0))


def jackknife(samples: Array, estimate: Estimate = lambda mean: mean) -> tuple[Array, Array]:
    """Value and error of estimate(mean of samples), without autocorrelations; the first axis of samples is the configuration.

    `estimate` may be given many means at once, as further axes in front. With one configuration there is no error: NaN.
    """
    samples = numpy.asarray(samples, dtype=float)
    value = numpy.asarray(estimate(samples.mean(axis=0)), dtype=float)
    if len(samples) < 2:
        return value, numpy.full(value.shape, math.nan)
    rows = [slice(i, i + 1) for i in range(len(samples))]
    return value, spread(numpy.asarray(estimate(means_without(samples, rows)), dtype=float), len(samples))
