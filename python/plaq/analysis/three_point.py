"""Three-point functions: their ratios to two-point functions, constants fitted to these, and the summation method.

R(t) = C3(t) / C(t_s) at q = 0. At other momenta, where the sink has a hadron of momentum p' and the source one of p = p' + q,

    R(t) = C3(t) / C_p'(t_s) sqrt[ C_p(t_s - t) C_p'(t) C_p'(t_s) / (C_p'(t_s - t) C_p(t) C_p(t_s)) ]

Both are <h|J|h'> / (2 sqrt(E' E)) far from source and sink. Summed over 0 < t < t_s, R is c + t_s <h|J|h> / (2 E') up to terms that fall as
exp(-gap t_s) (Maiani et al., Nucl. Phys. B 293 (1987) 420). An operator that takes slices before or behind its own is fitted and summed
where all of them are between source and sink. For one between t and t + 1, C(t) is sqrt[C(t) C(t + 1)] in the square root.
"""
from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy

from .arrays import Array
from .chains import Chains
from .correlators import Choice, Correlator
from .fit import FitError, p_value, whitening
from .insertions import Operator
from .quantities import Quantity, Settings, quantities
from .ratios import constant
from .windows import Averaged, Data, choose_kind

if TYPE_CHECKING:
    from collections.abc import Sequence

RATIO = "ratio"  # the name of these fits in a choice of windows


@dataclasses.dataclass
class ThreePoint:
    """One operator in one hadron, with the two-point functions that it is divided by."""

    insertion: str
    current: str
    momentum: tuple[int, ...]
    sink_time: int
    samples: Array  # [configuration][t] of the part that is wanted
    of_sink: Correlator  # at the sink's momentum
    of_source: Correlator | None  # at the source's; None: it has the correlator of the sink
    chains: Chains
    sink_momentum: tuple[int, ...] = (0, 0, 0)
    operator: Operator = Operator()

    def name(self) -> str:
        return f"{self.insertion} {self.operator}{self.current} {self.kinematics()}"

    def kinematics(self) -> str:
        of_sink = f" p'={','.join(map(str, self.sink_momentum))}" if any(self.sink_momentum) else ""
        return f"q={','.join(map(str, self.momentum))}{of_sink}"

    def inner(self) -> tuple[int, int]:
        """First and last slice where the operator is between source and sink; none where the last is before the first."""
        before, behind = self.operator.reach()
        return 1 + before, self.sink_time - 1 - behind

    def means(self) -> Array:
        """[configuration][number]: all that R is made of."""
        parts = [self.samples[:, :self.sink_time + 1], self.of_sink.samples[:, :self.sink_time + 1]]
        if self.of_source is not None:
            parts.append(self.of_source.samples[:, :self.sink_time + 1])
        return numpy.concatenate(parts, axis=1)

    def ratio(self, means: Array) -> Array:
        """R(t) of other means, [...][number] -> [...][t], t = 0 .. t_s."""
        count = self.sink_time + 1
        three, sink = means[..., :count], means[..., count:2 * count]
        with numpy.errstate(all="ignore"):
            found = three / sink[..., -1:]
            if self.of_source is None:
                return found
            source = means[..., 2 * count:]
            between = self.operator.is_between_slices()
            (sink_at, sink_left), (source_at, source_left) = _at_and_left(sink, between), _at_and_left(source, between)
            square = source_left * sink_at * sink[..., -1:] / (sink_left * source_at * source[..., -1:])
            return found * numpy.where(square > 0, numpy.sqrt(square), numpy.nan)

    def ratios(self) -> list[Quantity]:
        """R(t), t = 0 .. t_s."""
        return quantities(self.means(), self.ratio, self.chains)

    def plateau(self, choice: Choice = Choice(), settings: Settings = Settings()) -> Averaged:
        """A constant in windows between source and sink, averaged as masses are. Throws FitError."""
        first, last = self.inner()
        if last < first:
            raise FitError("no slice has the operator between source and sink")
        return constant(self.means(), self.ratio, self.chains, first, last, choice, settings, RATIO)


def _at_and_left(correlator: Array, between: bool) -> tuple[Array, Array]:
    """C(t) and C(t_s - t) of [...][t], t = 0 .. t_s; or C(t + 1/2) and C(t_s - t - 1/2), not a number at the end."""
    if not between:
        return correlator, correlator[..., ::-1]
    square = correlator[..., :-1] * correlator[..., 1:]
    middle = numpy.where(square > 0, numpy.sqrt(abs(square)), numpy.nan)
    end = numpy.full(middle.shape[:-1] + (1,), numpy.nan)
    return numpy.concatenate([middle, end], axis=-1), numpy.concatenate([middle[..., ::-1], end], axis=-1)


@dataclasses.dataclass
class Summed:
    """The slope of the summed ratio in t_s: <h|J|h> / (2 m)."""

    quantity: Quantity
    sums: list[Quantity]  # of each sink time
    sink_times: list[int]
    kind: str
    chi2: float
    freedom: int

    def p_value(self) -> float:
        return p_value(self.chi2, self.freedom)


def summation(points: Sequence[ThreePoint], choice: Choice = Choice(), settings: Settings = Settings()) -> Summed:
    """By a straight line through the sums of two sink times or more, of the same configurations. Throws FitError."""
    points = sorted(points, key=lambda one: one.sink_time)
    times = numpy.array([one.sink_time for one in points])
    inner = [one.inner() for one in points]
    if len(set(times.tolist())) < 2 or any(last < first for first, last in inner):
        raise FitError("the summation method needs two sink times or more, each with a slice that has the operator between source and sink")
    if len({(tuple(one.chains.replica), tuple(one.chains.number)) for one in points}) > 1:
        raise FitError("the results of the sink times are of different configurations")
    parts = [one.means() for one in points]
    ends = numpy.cumsum([0] + [part.shape[1] for part in parts])

    def sums(means: Array) -> Array:
        return numpy.stack([one.ratio(means[..., a:b])[..., first:last + 1].sum(axis=-1)
                            for one, a, b, (first, last) in zip(points, ends, ends[1:], inner)], axis=-1)

    samples = numpy.concatenate(parts, axis=1)
    data = Data(samples, points[0].chains, settings, sums)
    if not (data.errors > 0).all():
        raise FitError("the sum over t has no error at some sink time")
    every = numpy.arange(len(points))
    kind, _, _ = choose_kind(data, every, choice.kind)
    white = whitening(data.covariance(every)) if kind == "correlated" else numpy.diag(1 / data.errors)
    basis = numpy.stack([numpy.ones(len(times)), times], axis=1)
    response = numpy.linalg.pinv(white @ basis) @ white  # [parameter][sink time]
    made = quantities(samples, lambda means: (sums(means) @ response[1])[..., None], points[0].chains)[0]
    pulls = white @ (data.means - basis @ (response @ data.means))
    return Summed(made, quantities(samples, sums, points[0].chains), times.tolist(), kind, float(pulls @ pulls), len(times) - 2)
