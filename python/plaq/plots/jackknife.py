"""Means with jackknife errors over configurations."""
import math

import numpy


def jackknife(samples, estimate=lambda mean: mean):
    """Value and error of estimate(mean of samples); the first axis of samples is the configuration.

    `estimate` may be given many means at once, as further axes in front. With one configuration there is no error: NaN.
    """
    samples = numpy.asarray(samples, dtype=float)
    count = len(samples)
    value = numpy.asarray(estimate(samples.mean(axis=0)), dtype=float)
    if count < 2:
        return value, numpy.full(value.shape, math.nan)
    resampled = numpy.asarray(estimate((samples.sum(axis=0) - samples) / (count - 1)), dtype=float)
    spread = resampled - resampled.mean(axis=0)
    return value, numpy.sqrt((count - 1) / count * (spread**2).sum(axis=0))
