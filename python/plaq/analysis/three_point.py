"""Three-point functions: their ratios to two-point functions, constants fitted to these, and the summation method.

R(t) = C3(t) / C(t_s) at q = 0. At other momenta, where the sink has a hadron of momentum p' and the source one of p = p' + q,

    R(t) = C3(t) / C_p'(t_s) sqrt[ C_p(t_s - t) C_p'(t) C_p'(t_s) / (C_p'(t_s - t) C_p(t) C_p(t_s)) ]

Both are <h|J|h'> / (2 sqrt(E' E)) far from source and sink. Summed over 0 < t < t_s, R is c + t_s <h|J|h> / (2 E') up to terms that fall as
exp(-gap t_s) (Maiani et al., Nucl. Phys. B 293 (1987) 420).
"""
from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy

from .arrays import Array
from .blocks import Block, Table
from .chains import Chains
from .chosen_window import WindowError
from .correlators import Choice, Correlator, correlators, numbers_of, representative
from .fit import FitError, p_value, whitening
from .notation import quality
from .quantities import Quantity, Settings, quantities
from .ratios import constant
from .results import Ensemble, NotAResult, members
from .windows import Averaged, Data, choose_kind

if TYPE_CHECKING:
    from collections.abc import Sequence

REAL, IMAGINARY = 0, 1
# What does not vanish by symmetry in a hadron at rest, and in which part (docs/result-files.md).
PLAIN = {"scalar": REAL, "vector_t": REAL}
POLARIZED = {"axial_z": IMAGINARY, "tensor_xy": REAL}
RATIO = "ratio"  # the name of these fits in a choice of windows
KEY = (("three_point", "sink_time"), ("three_point", "sink_times"))


@dataclasses.dataclass
class ThreePoint:
    """One current in one hadron, with the two-point functions that it is divided by."""

    insertion: str
    current: str
    momentum: tuple[int, ...]
    sink_time: int
    samples: Array  # [configuration][t] of the part that is wanted
    of_sink: Correlator  # at the sink's momentum
    of_source: Correlator | None  # at the source's; None: it has the correlator of the sink
    chains: Chains
    sink_momentum: tuple[int, ...] = (0, 0, 0)

    def name(self) -> str:
        of_sink = f" p'={','.join(map(str, self.sink_momentum))}" if any(self.sink_momentum) else ""
        return f"{self.insertion} {self.current} q={','.join(map(str, self.momentum))}{of_sink}"

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
            square = source[..., ::-1] * sink * sink[..., -1:] / (sink[..., ::-1] * source * source[..., -1:])
            return found * numpy.where(square > 0, numpy.sqrt(square), numpy.nan)

    def ratios(self) -> list[Quantity]:
        """R(t), t = 0 .. t_s."""
        return quantities(self.means(), self.ratio, self.chains)

    def plateau(self, choice: Choice = Choice(), settings: Settings = Settings()) -> Averaged:
        """A constant in windows of 0 < t < t_s, averaged as masses are. Throws FitError."""
        return constant(self.means(), self.ratio, self.chains, 1, self.sink_time - 1, choice, settings, RATIO)


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
    if len(set(times.tolist())) < 2 or times[0] < 2:
        raise FitError("the summation method needs two sink times or more, each of two slices or more")
    if len({(tuple(one.chains.replica), tuple(one.chains.number)) for one in points}) > 1:
        raise FitError("the results of the sink times are of different configurations")
    parts = [one.means() for one in points]
    ends = numpy.cumsum([0] + [part.shape[1] for part in parts])

    def sums(means: Array) -> Array:
        return numpy.stack([one.ratio(means[..., a:b])[..., 1:-1].sum(axis=-1) for one, a, b in zip(points, ends, ends[1:])], axis=-1)

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


def three_points(ensemble: Ensemble, choice: Choice = Choice()) -> list[ThreePoint]:
    """Those of an ensemble that do not vanish by symmetry; of u and d of a proton their difference, too."""
    found = []
    for insertion, currents in ensemble.group("three_point").items():
        if choice.channels and insertion not in choice.channels and insertion.split("_")[0] not in choice.channels:
            continue
        for current, part in (POLARIZED if insertion.endswith("_polarized") else PLAIN).items():
            found += _of_current(ensemble, choice, insertion, current, part, members(currents).get(current, {}))
    return found + _isovector(found)


def _of_current(ensemble: Ensemble, choice: Choice, insertion: str, current: str, part: int, momenta: object) -> list[ThreePoint]:
    groups: dict[tuple[int, ...], list[str]] = {}
    moving = _sink_momentum(ensemble, [f"three_point/{insertion}/{current}/{momentum}" for momentum in members(momenta)])
    for momentum in members(momenta):
        numbers = numbers_of(momentum)
        # Components of vectors and tensors turn with their momentum, these do not, unless the sink has a momentum.
        turned = representative(numbers, "", ensemble)
        same = turned if current in PLAIN and not any(moving) else numbers
        if not choice.momentum or (turned if any(moving) else same) == representative(choice.momentum, "", ensemble):
            groups.setdefault(same, []).append(f"three_point/{insertion}/{current}/{momentum}")
    made = []
    for momentum, paths in sorted(groups.items(), key=lambda item: sum(n * n for n in item[0])):
        attributes = ensemble.files[0].file[paths[0]].attrs
        if "sink_time" not in attributes:
            raise NotAResult(f"{ensemble.name()}: {paths[0]} has no attribute sink_time")
        sink = attributes.get("sink", "point")
        sink = sink.decode() if isinstance(sink, bytes) else str(sink)
        chains = ensemble.chains(paths[0])
        # [configuration]([sink_time])[t]
        samples = numpy.mean([ensemble.column(path, chains)[..., part].mean(axis=1) for path in paths], axis=0) * ensemble.factor(current)
        two = {one.momentum: one for one in correlators(ensemble, Choice((insertion.split("_")[0],), (), sink))}
        at_sink, at_source = [representative(one, "", ensemble) for one in (moving, _sum(moving, momentum, ensemble))]
        if at_sink not in two or at_source not in two:
            continue
        times = numpy.atleast_1d(attributes["sink_time"]).tolist()
        for time, of_time in zip(times, numpy.moveaxis(samples.reshape(len(samples), len(times), -1), 1, 0)):
            made.append(ThreePoint(insertion, current, momentum, int(time), of_time, two[at_sink],
                                   two[at_source] if at_source != at_sink else None, chains, moving))
    return made


def _sink_momentum(ensemble: Ensemble, paths: Sequence[str]) -> tuple[int, ...]:
    found = ensemble.attribute("sink_momentum", (0, 0, 0), at=paths[0]) if paths else (0, 0, 0)
    return tuple(int(n) for n in found)


def _sum(one: tuple[int, ...], other: tuple[int, ...], ensemble: Ensemble) -> tuple[int, ...]:
    """Two momenta together, as correlators name them: -L/2 < n <= L/2."""
    together = [a + b for a, b in zip(one, other)]
    extents = ensemble.extents()
    if extents is None:
        return tuple(together)
    return tuple(n % size - size * (n % size > size // 2) for n, size in zip(together, extents))


def _isovector(found: list[ThreePoint]) -> list[ThreePoint]:
    by_name = {(one.insertion, one.current, one.momentum, one.sink_time): one for one in found}
    made = []
    for one in found:
        if one.insertion.startswith("proton_u"):
            down = by_name.get((one.insertion.replace("proton_u", "proton_d"), one.current, one.momentum, one.sink_time))
            if down is not None:
                made.append(dataclasses.replace(one, insertion=one.insertion.replace("proton_u", "proton_u-d"),
                                                samples=one.samples - down.samples))
    return made


def add_three_points(block: Block, choice: Choice, settings: Settings) -> None:
    """R(t) as tables, and constants fitted to it."""
    found = three_points(block.ensemble, choice)
    for one in found:
        block.chains = block.chains or one.chains
        table = Table(f"{one.name()} sink_time {one.sink_time}", [{"t": t} for t in range(one.sink_time + 1)])
        table.add("R", one.ratios())
        block.tables.append(table)
        name = f"ratio {one.name()} sink_time {one.sink_time}"
        try:
            fit = one.plateau(choice, settings)
            block.add(name, fit.quantity, averaged=fit)
        except WindowError:
            raise
        except FitError as error:
            block.notes.append(f"{name}: {error}")


def add_summation(blocks: list[Block], choice: Choice, settings: Settings) -> None:
    """Of several sink times, in one ensemble or in those that differ in their sink times alone, to the first of them."""
    groups: dict[str, list[Block]] = {}
    for block in blocks:
        if block.ensemble.has("three_point"):
            groups.setdefault(block.ensemble.files[0].key(KEY) or f"alone {len(groups)}", []).append(block)
    for together in groups.values():
        by_name: dict[str, list[ThreePoint]] = {}
        for block in together:
            for one in three_points(block.ensemble, choice):
                by_name.setdefault(one.name(), []).append(one)
        for name, points in by_name.items():
            if len(together) == 1 and len(points) == 1:
                continue
            try:
                found = summation(points, choice, settings)
            except FitError as error:
                together[0].notes.append(f"summed {name}: {error}")
                continue
            together[0].add(f"summed {name}", found.quantity)
            together[0].facts.append((f"summed {name}", f"sink times {', '.join(map(str, found.sink_times))}, {found.kind}, "
                                      f"{quality(found.chi2, found.freedom, found.p_value())}"))
