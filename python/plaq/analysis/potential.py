"""The static potential of Wilson loops: V(r) of their decay in time, and what it is as a function of r."""
from __future__ import annotations

import dataclasses
import functools
import math
import re
from typing import TYPE_CHECKING

import numpy

from .arrays import Array, Estimate
from .chosen_window import WindowError, fit_chosen
from .effective_mass import log_mass
from .fit import Fit, FitError, p_value, whitening
from .gamma import gamma_error
from .notation import per_freedom, quality
from .quantities import Quantity, Settings, mean_of, quantities, quantity
from .results import Ensemble, NotAResult
from .shapes import CORNELL
from .windows import CORRELATED, Averaged, Data, Window, average, choose_kind, scan, weigh

if TYPE_CHECKING:
    from .blocks import Block
    from .chains import Chains
    from .correlators import Choice

SOMMER = 1.65  # r^2 dV/dr at r0
R0 = 0.5  # fm
FEWEST_POINTS = 4  # of a fit with three parameters


@dataclasses.dataclass
class Loops:
    """W(r, t) of one r."""

    r: tuple[int, ...]
    samples: Array  # [configuration][t], t = 0 .. max_t; W(r, 0) = 1
    chains: Chains

    def distance(self) -> float:
        return math.sqrt(sum(x * x for x in self.r))

    def wraps(self, extents: list[int] | None) -> bool:
        """Whether a string in the other direction, around the lattice, is no longer. Loops are averaged over directions."""
        return extents is not None and 2 * max(self.r) >= min(extents[:3])

    def name(self) -> str:
        return f"potential r={','.join(map(str, self.r))}"

    def effective(self) -> list[Quantity]:
        """[t] of V between t and t + 1."""
        return quantities(self.samples, log_mass, self.chains)

    def potential(self, choice: Choice, settings: Settings = Settings()) -> Averaged:
        """V(r), an average over windows as a mass is. Throws FitError where nothing can be fitted."""
        if len(self.samples) < 2:
            raise FitError("one configuration has no errors, so nothing is fitted")
        if not numpy.isfinite(self.samples).all():
            raise FitError("some numbers are not finite (NaN or infinite)")
        data = Data(self.samples, self.chains, settings)
        if not data.errors[1:].any():
            raise FitError("all configurations are the same, so there are no errors")
        longest = self.samples.shape[1] - 1
        window = choice.window_of("potential")
        if window is not None:
            return fit_chosen(data, "none", longest + 1, window, longest, self.name(), choice.chosen_states(), choice.kind)
        return scan(data, "none", longest + 1, 1, data.last_signal(1, longest), choice.scanned_states(), choice.kind)


def wilson_loops(ensemble: Ensemble) -> list[Loops]:
    """Of all r, by their length."""
    found = []
    for name in ensemble.group("wilson_loops"):
        step = re.fullmatch(r"r_(\d+)_(\d+)_(\d+)", name)
        if step is None:
            continue
        chains = ensemble.chains(f"wilson_loops/{name}")
        values = ensemble.column(f"wilson_loops/{name}", chains)
        if values.ndim != 3 or 0 in values.shape:
            raise NotAResult(f"{ensemble.name()}: wilson_loops/{name}: expected configuration, n and t, found extents "
                             f"{values.shape}")
        ones = numpy.ones((len(values), 1))
        for n in range(values.shape[1]):
            r = tuple((n + 1) * int(x) for x in step.groups())
            found.append(Loops(r, numpy.concatenate([ones, values[:, n]], axis=1), chains))
    return sorted(found, key=lambda one: (one.distance(), one.r))


BEGIN, END, NODES, MOMENTA = 1e-7, 3e4, 400, 4096  # of the integrals over s, and over a momentum


def lattice_coulomb(r: tuple[int, ...]) -> float:
    """[1/r] of a lattice, 4 pi times the inverse of the Laplacian at r: 1/r far from the source.

    4 pi int_0^inf ds prod_k exp(-2 s) I_(r_k)(2 s), with the Bessel functions as integrals over momenta. Up to r = 50 off
    by less than 1e-5.
    """
    inner = _nodes()[1] @ numpy.prod([_bessel(abs(n)) for n in r], axis=0) + BEGIN * (sum(r) == 0)
    tail = 2 * (4 * math.pi)**-1.5 / math.sqrt(END) * (1 - sum(n * n for n in r) / (12 * END))
    return float(4 * math.pi * (inner + tail))


@functools.cache
def _nodes() -> tuple[Array, Array]:
    """s and its weights, for integrals over log(s) between BEGIN and END."""
    x, weight = numpy.polynomial.legendre.leggauss(NODES)
    half = (math.log(END) - math.log(BEGIN)) / 2
    s = BEGIN * numpy.exp(half * (x + 1))
    return s, half * weight * s


@functools.cache
def _bessel(n: int) -> Array:
    """exp(-2 s) I_n(2 s) at the nodes. Momenta p and 2 pi - p give the same, so half of them are summed."""
    momentum = 2 * math.pi * (numpy.arange(MOMENTA // 2) + 0.5) / MOMENTA
    return numpy.exp(-2 * _nodes()[0][:, None] * (1 - numpy.cos(momentum))) @ numpy.cos(n * momentum) / (MOMENTA // 2)


@dataclasses.dataclass(frozen=True)
class Cornell:
    """V(r) = V0 - e/r + sigma r, and a number that is made of (V0, e, sigma)."""

    number: Estimate
    shape: str = CORNELL
    states: int = 1

    def places(self, first: int, last: int) -> Array:
        return numpy.arange(first, last + 1)

    def split(self, parameters: Array) -> tuple[Array, Array]:
        return parameters, numpy.zeros(0)

    def first_gradient(self, parameters: Array) -> Array:
        steps = numpy.diag(1e-6 * numpy.maximum(abs(parameters), 1e-3))
        return (self.number(parameters + steps) - self.number(parameters - steps)) / (2 * numpy.diag(steps))


def sommer(parameters: Array, force: float = SOMMER) -> Array:
    """r where r^2 dV/dr = e + sigma r^2 is `force`: Sommer, Nucl. Phys. B 411 (1994) 839. NaN: nowhere."""
    with numpy.errstate(all="ignore"):
        square = (force - parameters[..., 1]) / parameters[..., 2]
        return numpy.where(square > 0, numpy.sqrt(square), math.nan)


NUMBERS: tuple[tuple[str, str, Estimate], ...] = (("r0", "a", sommer), ("a by r0", "fm", lambda p: R0 / sommer(p)),
           ("string tension", "a^-2", lambda p: p[..., 2]), ("coulomb e", "", lambda p: p[..., 1]),
           ("self-energy V0", "a^-1", lambda p: p[..., 0]))


class Points(Data):
    """V(r) as what is fitted: the numbers of several fits, with their correlations."""

    def __init__(self, loops: list[Loops], averaged: list[Averaged], settings: Settings) -> None:
        self.distances = numpy.array([one.distance() for one in loops])
        self.coulomb = numpy.array([lattice_coulomb(one.r) for one in loops])
        self.chains, self.settings = loops[0].chains, settings
        self.samples = numpy.concatenate([one.samples for one in loops], axis=1)
        ends = numpy.cumsum([0] + [one.samples.shape[1] for one in loops])

        def all_of(means: Array) -> Array:
            return numpy.stack([one.quantity.estimate(means[..., a:b])
                                for one, a, b in zip(averaged, ends[:-1], ends[1:])], axis=-1)

        self.fits = all_of
        self.known: dict[bytes, Array] = {}
        self.means = numpy.array([one.quantity.value for one in averaged])
        self.deviations = numpy.stack([one.quantity.fluctuations for one in averaged], axis=1)
        self.systematic = numpy.array([one.systematic for one in averaged])
        self.errors = numpy.array([gamma_error(d, self.chains, settings.gamma).error for d in self.deviations.T])

    def covariance(self, slices: Array) -> Array:
        """With the spread of V(r) between windows in t, which is taken as independent."""
        return super().covariance(slices) + numpy.diag(self.systematic[slices]**2)

    def transform(self, means: Array) -> Array:
        """V(r) of other means [sample][mean]: fits anew, which all numbers share."""
        key = means.tobytes()
        if key not in self.known:
            self.known[key] = self.fits(means)
        return self.known[key]


@dataclasses.dataclass
class Distances(Window):
    """A window in r: `first` and `last` are numbers of points."""

    reach: tuple[float, float] = (math.nan, math.nan)  # r of these

    def ends(self) -> tuple[float, float]:
        return self.reach


def cornell_fits(points: Points, kind: str) -> dict[str, Averaged]:
    """[name]: averages over windows in r. Throws FitError where there are too few points."""
    if len(points.means) < FEWEST_POINTS:
        raise FitError(f"V(r) is known at {len(points.means)} distances, and a fit of three parameters needs {FEWEST_POINTS}")
    every = numpy.arange(len(points.means))
    kind, why, condition = choose_kind(points, every, kind)
    fitted = [_fitted(points, a, b, kind) for b in range(len(every)) for a in range(b + 2 - FEWEST_POINTS)]
    windows = [one for one in fitted if _is_determined(points, one)]
    made = {}
    for name, _, number in NUMBERS:
        of_number = [_of_number(points, one, number) for one in windows]
        known = [one for one in of_number if math.isfinite(one.value) and math.isfinite(one.error)]
        if not known:
            continue
        weigh(known)
        known.sort(key=lambda window: -window.weight)
        made[name] = average(points, known, _number_again, kind, why, condition, len(fitted) - len(known))
    if not made:
        raise FitError("the data determine e and sigma in no window of r")
    return made


def _fitted(points: Points, a: int, b: int, kind: str) -> Distances:
    at = numpy.arange(a, b + 1)
    r = points.distances[at]
    basis = numpy.stack([numpy.ones(len(r)), -points.coulomb[at], r], axis=1)
    covariance = points.covariance(at)
    white = whitening(covariance) if kind == CORRELATED else numpy.diag(numpy.diag(covariance)**-0.5)
    response = numpy.linalg.pinv(white @ basis) @ white  # [parameter][r]
    parameters = response @ points.means[at]
    pulls = white @ (numpy.eye(len(r)) - basis @ response)
    chi2 = float(((pulls @ points.means[at])**2).sum())
    cut = len(points.means) - len(r)
    return Distances(a, b, None, Fit(parameters, chi2, response), len(r) - 3, 0.0, 0.0,
                     float(numpy.trace(pulls @ covariance @ pulls.T)), chi2 + 2 * 3 + 2 * cut,
                     reach=(float(r[0]), float(r[-1])))


def _is_determined(points: Points, window: Distances) -> bool:
    """The force is positive and falls with r (Bachas, Phys. Rev. D 33 (1986) 2723): so are e and sigma, beyond errors."""
    at = numpy.arange(window.first, window.last + 1)
    covariance = window.fit.gradient @ points.covariance(at) @ window.fit.gradient.T
    return bool((window.fit.parameters[1:] > numpy.sqrt(numpy.diag(covariance))[1:]).all())


def _of_number(points: Points, window: Distances, number: Estimate) -> Distances:
    """The window with the value of one number, and its error."""
    at = slice(window.first, window.last + 1)
    model = Cornell(number)
    along = model.first_gradient(window.fit.parameters) @ window.fit.gradient
    error = math.nan
    if numpy.isfinite(along).all():
        error = gamma_error(points.deviations[:, at] @ along, points.chains, points.settings.gamma).error
    return dataclasses.replace(window, model=model, value=float(number(window.fit.parameters)), error=error)


def _number_again(window: Distances, potentials: Array) -> tuple[Array, Array]:
    """For other V(r), [sample][r]."""
    found = window.model.number(potentials[:, window.first:window.last + 1] @ window.fit.gradient.T)
    return found, numpy.isfinite(found)


def creutz_ratios(loops: list[Loops]) -> list[tuple[int, Quantity]]:
    """[(R, ratio)]: -log of W(R,R) W(R-1,R-1) / (W(R,R-1) W(R-1,R)) along the axes, Creutz, Phys. Rev. Lett. 45 (1980)
    313; W(R,0) = W(0,T) = 1. Up to the first that is no number."""
    along = [one for one in loops if one.r[1:] == (0, 0)]
    made = []
    for i, one in enumerate(along):
        size = i + 1
        if one.r[0] != size or one.samples.shape[1] <= size:
            break
        inner = along[i - 1].samples if i else numpy.ones_like(one.samples)
        four = numpy.stack([one.samples[:, size], inner[:, size - 1], one.samples[:, size - 1], inner[:, size]], axis=1)

        def ratio(w: Array) -> Array:
            with numpy.errstate(all="ignore"):
                product = w[..., 0] * w[..., 1] / (w[..., 2] * w[..., 3])
                return numpy.where(product > 0, -numpy.log(product), math.nan)

        found = quantity(four, ratio, one.chains)
        if not math.isfinite(found.value):
            break
        made.append((size, found))
    return made


def add_potential(block: Block, choice: Choice, settings: Settings) -> None:
    loops = wilson_loops(block.ensemble)
    if not loops:
        return
    block.chains = loops[0].chains
    for one in loops:
        if one.r == (1, 0, 0):
            block.add("W(1,1)", mean_of(one.samples[:, 1], one.chains))
    for size, ratio in creutz_ratios(loops):
        block.add(f"creutz ratio {size},{size}", ratio, "a^-2")
    known, averaged = [], []
    for one in loops:
        block.effective[one.name()] = one.effective()
        try:
            found = one.potential(choice, settings)
        except WindowError:
            raise
        except FitError as error:
            block.notes.append(f"{one.name()}: {error}")
            continue
        block.add(one.name(), found.quantity, "a^-1", averaged=found)
        known.append(one)
        averaged.append(found)
    inside = [i for i, one in enumerate(known) if not one.wraps(block.ensemble.extents())]
    if len(inside) < len(known):
        left_out = ", ".join(f"({','.join(map(str, one.r))})" for i, one in enumerate(known) if i not in inside)
        block.notes.append(f"fit of V(r): without r = {left_out}: half the lattice away, a string has two equally short ways")
    if inside:
        _add_cornell(block, Points([known[i] for i in inside], [averaged[i] for i in inside], settings), choice)


def _add_cornell(block: Block, points: Points, choice: Choice) -> None:
    try:
        made = cornell_fits(points, choice.kind)
    except FitError as error:
        block.notes.append(f"fit of V(r): {error}")
        return
    best = next(iter(made.values())).windows[0]
    first, last = best.ends()
    block.facts.append(("V0 - e/r + sigma r", f"best from r = {first:.4g} to {last:.4g}, "
                        f"{quality(best.fit.chi2, best.freedom, p_value(best.fit.chi2, best.freedom))}, chi2/dof "
                        f"{per_freedom(best.expected_chi2, best.freedom)} expected"))
    for name, unit, _ in NUMBERS:
        if name in made:
            block.add(name, made[name].quantity, unit, averaged=made[name])
    if "r0" not in made:
        block.notes.append(f"r0: e + sigma r^2 = {SOMMER} nowhere in V(r) = V0 - e/r + sigma r")
