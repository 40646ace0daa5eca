"""Three-point functions of result files (docs/result-files.md)."""
from __future__ import annotations

import dataclasses
from typing import Any

import numpy

from .arrays import Array
from .attributes import text
from .correlators import Choice, Correlator, correlators, numbers_of, representative
from .insertions import AXES, CONSERVED, IMAGINARY, LINE, LOCAL, REAL, Operator, stored
from .results import Ensemble, NotAResult
from .three_point import ThreePoint

# Local currents that do not vanish by symmetry in a hadron at rest, and in which part.
PLAIN = {"scalar": REAL, "vector_t": REAL}
POLARIZED = {"axial_z": IMAGINARY, "tensor_xy": REAL}


def three_points(ensemble: Ensemble, choice: Choice = Choice()) -> list[ThreePoint]:
    """Those of an ensemble that do not vanish by symmetry; of u and d of a proton their difference, too."""
    found = []
    reader = _Reader(ensemble, choice)
    for insertion, operator, gamma in stored(ensemble.group):
        if choice.channels and insertion not in choice.channels and insertion.split("_")[0] not in choice.channels:
            continue
        if operator.group != LOCAL or gamma in _local(insertion):
            found += reader.points(insertion, operator, gamma)
    return found + _isovector(found)


def _is_polarized(insertion: str) -> bool:
    return insertion.endswith("_polarized")


def _local(insertion: str) -> dict[str, int]:
    return POLARIZED if _is_polarized(insertion) else PLAIN


class _Reader:
    def __init__(self, ensemble: Ensemble, choice: Choice) -> None:
        self.ensemble, self.choice = ensemble, choice
        self.read: dict[tuple[str, str], dict[tuple[int, ...], Correlator]] = {}

    def two_points(self, channel: str, sink: str) -> dict[tuple[int, ...], Correlator]:
        """By momentum."""
        if (channel, sink) not in self.read:
            self.read[channel, sink] = {one.momentum: one for one in correlators(self.ensemble, Choice((channel,), (), sink))}
        return self.read[channel, sink]

    def points(self, insertion: str, operator: Operator, gamma: str) -> list[ThreePoint]:
        """Those of a group of momenta, at all sink times."""
        where = operator.path(insertion, gamma)
        names = list(self.ensemble.group(where))
        at_sink = _sink_momentum(self.ensemble, f"{where}/{names[0]}") if names else (0, 0, 0)
        found = []
        for q, paths in self._by_momentum(names, where, _turns(operator, gamma) and not any(at_sink), any(at_sink)):
            found += self._at_momentum(insertion, operator, gamma, q, at_sink, paths)
        return found

    def _by_momentum(self, names: list[str], where: str, turns: bool, moving: bool) -> list[tuple[tuple[int, ...], list[str]]]:
        """The paths of each momentum that is wanted, of all that are equal to it if the operator does not turn with its momentum."""
        groups: dict[tuple[int, ...], list[str]] = {}
        for name in names:
            numbers = numbers_of(name)
            turned = representative(numbers, "", self.ensemble)
            same = turned if turns else numbers
            wanted = self.choice.momentum
            if not wanted or (turned if moving else same) == representative(wanted, "", self.ensemble):
                groups.setdefault(same, []).append(f"{where}/{name}")
        return sorted(groups.items(), key=lambda item: sum(n * n for n in item[0]))

    def _at_momentum(self, insertion: str, operator: Operator, gamma: str, q: tuple[int, ...], at_sink: tuple[int, ...],
                     paths: list[str]) -> list[ThreePoint]:
        ensemble = self.ensemble
        attributes = ensemble.files[0].file[paths[0]].attrs
        if "sink_time" not in attributes:
            raise NotAResult(f"{ensemble.name()}: {paths[0]} has no attribute sink_time")
        parts = [(one, part) for one in _operators(operator, attributes) if (part := _part(one, insertion, gamma, at_sink, q)) is not None]
        two = self.two_points(insertion.split("_")[0], text(attributes.get("sink", "point")))
        of_sink, of_source = [representative(one, "", ensemble) for one in (at_sink, _sum(at_sink, q, ensemble))]
        if not parts or of_sink not in two or of_source not in two:
            return []
        chains = ensemble.chains(paths[0])
        # [configuration]([sink_time])([z])[t][part]
        samples = numpy.mean([ensemble.column(path, chains).mean(axis=1) for path in paths], axis=0) * ensemble.factor(gamma)
        samples = _centered(operator, gamma, q, samples, ensemble)
        times = numpy.atleast_1d(attributes["sink_time"]).tolist()
        inner = samples.shape[-3:] if operator.group == LINE else samples.shape[-2:]
        by_time = numpy.moveaxis(samples.reshape(len(samples), len(times), *inner), 1, 0)
        return [ThreePoint(insertion, gamma, q, int(time), _values(one, of_time)[..., part], two[of_sink],
                           two[of_source] if of_source != of_sink else None, chains, at_sink, one)
                for one, part in parts for time, of_time in zip(times, by_time)]


def _turns(operator: Operator, gamma: str) -> bool:
    """Whether the function is equal at all momenta that reflections and turns make of each other."""
    return gamma in PLAIN and operator.group in (LOCAL, CONSERVED)


def _operators(operator: Operator, attributes: Any) -> list[Operator]:
    """Of lines, the even and odd ones of each length."""
    if operator.group != LINE:
        return [operator]
    longest = max(int(z) for z in attributes["z"])
    return [dataclasses.replace(operator, length=z, odd=odd) for odd in (False, True) for z in range(int(odd), longest + 1)]


def _part(operator: Operator, insertion: str, gamma: str, sink: tuple[int, ...], q: tuple[int, ...]) -> int | None:
    if operator.group == LOCAL:
        return _local(insertion)[gamma]
    return operator.part(gamma, _is_polarized(insertion), sink, q)


def _values(operator: Operator, samples: Array) -> Array:
    """[configuration][t][part] of [configuration]([z])[t][part]."""
    if operator.group != LINE:
        return samples
    middle = samples.shape[1] // 2
    back = samples[:, middle - operator.length]
    return (samples[:, middle + operator.length] + (-back if operator.odd else back)) / 2


def _centered(operator: Operator, gamma: str, q: tuple[int, ...], samples: Array, ensemble: Ensemble) -> Array:
    """[...][part], of conserved currents in space with the phase of their own place, between y and its neighbour."""
    axis, extents = AXES.find(gamma[-1]), ensemble.extents()
    if operator.group != CONSERVED or axis < 0 or not q[axis] or extents is None:
        return samples
    turned = (samples[..., REAL] + 1j * samples[..., IMAGINARY]) * numpy.exp(-1j * numpy.pi * q[axis] / extents[axis])
    return numpy.stack([turned.real, turned.imag], axis=-1)


def _sink_momentum(ensemble: Ensemble, path: str) -> tuple[int, ...]:
    return tuple(int(n) for n in ensemble.attribute("sink_momentum", (0, 0, 0), at=path))


def _sum(one: tuple[int, ...], other: tuple[int, ...], ensemble: Ensemble) -> tuple[int, ...]:
    """Two momenta together, as correlators name them: -L/2 < n <= L/2."""
    together = [a + b for a, b in zip(one, other)]
    extents = ensemble.extents()
    if extents is None:
        return tuple(together)
    return tuple(n % size - size * (n % size > size // 2) for n, size in zip(together, extents))


def _isovector(found: list[ThreePoint]) -> list[ThreePoint]:
    by_name = {(one.name(), one.sink_time): one for one in found}
    made = []
    for one in found:
        if one.insertion.startswith("proton_u"):
            down = by_name.get((one.name().replace("proton_u", "proton_d"), one.sink_time))
            if down is not None:
                made.append(dataclasses.replace(one, insertion=one.insertion.replace("proton_u", "proton_u-d"),
                                                samples=one.samples - down.samples))
    return made
