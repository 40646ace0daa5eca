"""Numbers made of means over configurations, which may have weights, with errors by the gamma method, jackknife and bootstrap."""
from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Callable
from typing import Any, TypeVar

import numpy

from .arrays import Array, Estimate
from .chains import Chains
from .gamma import GammaError, GammaSettings, gamma_error
from .jackknife import means_without, spread

Found = TypeVar("Found")

FEWEST_BINS = 8
MOST_KNOWN = 0.9  # of the bins: so many must have the number, which a fit may miss here and there
ONE_SIGMA = (0.158655, 0.841345)  # quantiles


@dataclasses.dataclass(frozen=True)
class Settings:
    gamma: GammaSettings = GammaSettings()
    bins: int = 0  # 0: as long as autocorrelations want
    samples: int = 500  # of the bootstrap
    seed: int = 1


def kept(method: Callable[[Quantity, Settings], Found]) -> Callable[..., Found]:
    """An error is computed once for its settings: fits on all samples take their time."""
    def find(self: Quantity, settings: Settings = Settings()) -> Found:
        key = method.__name__, settings
        if key not in self.found:
            self.found[key] = method(self, settings)
        return self.found[key]

    return find


@dataclasses.dataclass
class Quantity:
    """A function of means: its value, and by how much each configuration moves it."""

    value: float
    fluctuations: Array  # [configuration]
    chains: Chains
    samples: Array  # [configuration][mean]
    estimate: Estimate  # [...][mean] -> [...]
    found: dict[tuple[str, Settings], Any] = dataclasses.field(default_factory=dict, repr=False)  # errors that are known

    @kept
    def gamma(self, settings: Settings) -> GammaError:
        return gamma_error(self.fluctuations, self.chains, settings.gamma)

    def bin_length(self, settings: Settings = Settings()) -> int:
        """So long that bins miss about a tenth of the variance; but some bins must be left."""
        rows = len(self.samples)
        if settings.bins:
            return max(1, rows // settings.bins)
        tau = self.gamma(settings).tau
        wanted = math.ceil(10 * (tau - 0.5)) if math.isfinite(tau) else 1
        return max(1, min(wanted, rows // FEWEST_BINS))

    @kept
    def jackknife_samples(self, settings: Settings) -> Array:
        """[bin]: the number without the rows of each bin; NaN where there is none."""
        bins = self.chains.bins(self.bin_length(settings))
        return self.estimate(means_without(self.samples, bins, self.chains)) if len(bins) > 1 else numpy.zeros(0)

    @kept
    def jackknife(self, settings: Settings) -> float:
        values = self.jackknife_samples(settings)
        known = values[numpy.isfinite(values)]
        if len(values) < 2 or len(known) < MOST_KNOWN * len(values):
            return math.nan
        return float(spread(known, len(values)))

    def jackknife_bias(self, settings: Settings = Settings()) -> float:
        """How much larger this number is on average than that of infinitely many configurations, by the jackknife."""
        if not math.isfinite(self.jackknife(settings)):
            return math.nan
        values = self.jackknife_samples(settings)
        return float((len(values) - 1) * (values[numpy.isfinite(values)].mean() - self._repeated()))

    def _repeated(self) -> float:
        """The number as samples have it: fits in windows of hardly any weight are not repeated for these."""
        return float(self.estimate(self.chains.mean(self.samples)[None])[0])

    @kept
    def bootstrap_samples(self, settings: Settings) -> Array:
        """[sample]: the number on bins that are drawn; those that are no numbers are left out."""
        bins = self.chains.bins(self.bin_length(settings))
        if len(bins) < 2:
            return numpy.zeros(0)
        weighted, sizes = self.chains.weighted(self.samples), self.chains.sizes(bins)
        sums = numpy.array([weighted[b].sum(axis=0) for b in bins])
        drawn = numpy.random.default_rng(settings.seed).multinomial(
            len(bins), numpy.full(len(bins), 1 / len(bins)), size=settings.samples)
        with numpy.errstate(divide="ignore", invalid="ignore"):  # weights that are drawn may sum to 0
            means = drawn @ sums / (drawn @ sizes)[:, None]
        values = self.estimate(means)
        return values[numpy.isfinite(values)]

    @kept
    def bootstrap(self, settings: Settings) -> float:
        values, bins = self.bootstrap_samples(settings), len(self.chains.bins(self.bin_length(settings)))
        if bins < 2 or len(values) < settings.samples / 2:
            return math.nan
        # Half of what holds 68% of the samples: some may be far off where a fit has little to hold on to. Bins deviate
        # from their own mean: (B - 1)/B of the variance is seen.
        low, high = numpy.quantile(values, ONE_SIGMA)
        return float((high - low) / 2 * math.sqrt(bins / (bins - 1)))

    def bootstrap_bias(self, settings: Settings = Settings()) -> float:
        """The median of the samples less the number: the same bias by the bootstrap."""
        if not math.isfinite(self.bootstrap(settings)):
            return math.nan
        return float(numpy.median(self.bootstrap_samples(settings)) - self._repeated())


def quantity(samples: Array, estimate: Estimate, chains: Chains, gradient: Array | None = None) -> Quantity:
    """One number of the means of samples [configuration][mean]; `gradient` [mean] where it is known."""
    return quantities(samples, lambda means: estimate(means)[..., None], chains,
                      None if gradient is None else gradient[:, None])[0]


def quantities(samples: Array, estimate: Estimate, chains: Chains, gradient: Array | None = None) -> list[Quantity]:
    """Many: estimate makes [...][number] of [...][mean]."""
    samples = numpy.asarray(samples, dtype=float)
    means = chains.mean(samples)
    values = estimate(means)
    deviations = chains.fluctuations(samples)
    if gradient is None:
        gradient = _gradient(estimate, means, deviations)
    fluctuations = _projected(deviations, gradient)
    return [Quantity(float(value), fluctuations[:, i], chains, samples, functools.partial(_number_of, estimate, i))
            for i, value in enumerate(values)]


def _number_of(estimate: Estimate, i: int, means: Array) -> Array:
    return estimate(means)[..., i]


def mean_of(samples: Array, chains: Chains) -> Quantity:
    """The mean of one number a configuration."""
    return quantity(numpy.asarray(samples, dtype=float)[:, None], lambda means: means[..., 0], chains,
                    numpy.ones(1))


def _gradient(estimate: Estimate, means: Array, deviations: Array) -> Array:
    """[mean][number], by differences that are small against the errors of the means."""
    steps = 1e-4 * abs(deviations).mean(axis=0) / math.sqrt(len(deviations))
    steps = numpy.where(steps > 1e-13 * abs(means), steps, 0.0)
    used = numpy.diag(steps)
    with numpy.errstate(all="ignore"):
        change = estimate(means + used) - estimate(means - used)
        return numpy.where(steps[:, None] > 0, change / (2 * steps[:, None]), 0.0)


def _projected(deviations: Array, gradient: Array) -> Array:
    """A mean that a number does not depend on adds nothing, not even where it is not a number."""
    fluctuations = numpy.zeros((len(deviations), gradient.shape[1]))
    for deviation, of_mean in zip(deviations.T, gradient):
        used = of_mean != 0
        fluctuations[:, used] += deviation[:, None] * of_mean[used]
    return fluctuations
