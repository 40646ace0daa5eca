"""Correlators averaged over sources, equivalent momenta and both sides of the lattice, and their masses."""
from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy

from .arrays import Array
from .attributes import text
from .chosen_window import Slices, WindowError, fit_chosen, is_window, window_of
from .effective_mass import effective_mass
from .fit import FitError
from .quantities import Quantity, Settings, quantities
from .results import Ensemble, NotAResult, members
from .shapes import ALTERNATING, BARYONS, reflection
from .windows import AUTO, CORRELATED, UNCORRELATED, Averaged, Data, scan

if TYPE_CHECKING:
    from .chains import Chains

SYMMETRIES = ("cosh", "sinh", ALTERNATING, *BARYONS, "none")
FIRST = 1  # slice of windows: the source's own has contact terms


@dataclasses.dataclass
class Choice:
    """What is analysed of a file, and how."""

    channels: tuple[str, ...] = ()  # empty: all
    momentum: tuple[int, ...] = ()  # empty: all
    sink: str = ""  # empty: all
    states: tuple[int, ...] = ()  # empty: one and two in all windows, one in a window that is chosen
    kind: str = AUTO
    window: Slices | None = None  # first and last slice of every fit in t; None: an average over windows
    windows: Mapping[str, Slices] = dataclasses.field(default_factory=dict)  # {channel: its own window}

    def __post_init__(self) -> None:
        """Throws WindowError for a window that is no pair of integers, and ValueError for an unknown kind of fits."""
        for window in (self.window, *self.windows.values()):
            if window is not None and not is_window(window):
                raise WindowError(f"window {window!r}: expected the first and the last time slice, for example (4, 12)")
        if self.kind not in (AUTO, CORRELATED, UNCORRELATED):
            raise ValueError(f"kind {self.kind!r}: expected {AUTO!r}, {CORRELATED!r} or {UNCORRELATED!r}")

    def wants(self, channel: str, sink: str) -> bool:
        """A channel without quarks stands for it with any."""
        named = not self.channels or channel in self.channels or split_channel(channel)[0] in self.channels
        return named and (not self.sink or sink == self.sink)

    def window_of(self, channel: str) -> Slices | None:
        return window_of(channel, self.window, self.windows)

    def scanned_states(self) -> tuple[int, ...]:
        """Numbers of states in an average over windows."""
        return self.states or (1, 2)

    def chosen_states(self) -> tuple[int, ...]:
        """Numbers of states in a window that is chosen."""
        return self.states or (1,)


@dataclasses.dataclass
class Correlator:
    channel: str
    momentum: tuple[int, ...]  # of those that are averaged, the one that comes last in order
    sink: str
    symmetry: str
    samples: Array  # [configuration][t], t = 0 .. T-1
    chains: Chains
    averaged: int = 1  # momenta

    def name(self) -> str:
        return f"{self.channel} p={','.join(map(str, self.momentum))} {self.sink}"

    def extent(self) -> int:
        return self.samples.shape[-1]

    def folded(self) -> Array:
        """[configuration][t], t = 0 .. T/2, both sides averaged; T is even."""
        sign = reflection(self.symmetry, numpy.arange(self.extent()))
        half = self.extent() // 2 + 1
        if sign is None:
            return self.samples[:, :half]
        back = numpy.roll(self.samples[:, ::-1], 1, axis=1)
        return ((self.samples + sign * back) / 2)[:, :half]

    def unfolded(self) -> Array:
        """The average of both sides on all of [0, T)."""
        return self.samples if reflection(self.symmetry, 0) is None else unfolded(self.folded(), self.symmetry)

    def effective_masses(self) -> list[Quantity]:
        """[t] of slices t and t + 1, for t < T/2: quantities; NaN where there is none."""
        half = self.extent() // 2
        if self.symmetry == "none":
            return quantities(self.folded(), lambda c: effective_mass(c, "none"), self.chains)
        return quantities(self.unfolded(), lambda c: effective_mass(c, self.symmetry)[..., :half], self.chains)

    def mass(self, choice: Choice = Choice(), settings: Settings = Settings()) -> Averaged:
        """The lowest energy, an average over windows or of the window that is chosen. Throws FitError where nothing can be
        fitted, WindowError in a chosen window."""
        folded = self.folded()
        if len(folded) < 2:
            raise FitError("one configuration has no errors, so nothing is fitted")
        if not numpy.isfinite(folded).all():
            raise FitError("some numbers are not finite (NaN or infinite)")
        data = Data(folded, self.chains, settings)
        if not data.errors[FIRST:].any():
            raise FitError("all configurations are the same, so there are no errors")
        end = self.last_slice()
        window = choice.window_of(self.channel)
        if window is not None:
            return fit_chosen(data, self.symmetry, self.extent(), window, end, self.name(), choice.chosen_states(), choice.kind,
                              empty=self.extent() // 2)
        last = data.last_signal(FIRST, end)
        return scan(data, self.symmetry, self.extent(), FIRST, last, choice.scanned_states(), choice.kind)

    def last_slice(self) -> int:
        """The end of the slices that can be fitted; a sinh is 0 in the middle."""
        return self.extent() // 2 - (self.symmetry == "sinh")


def unfolded(half: Array, symmetry: str) -> Array:
    """[...][t] on [0, T) of a folded [...][t], t = 0 .. T/2; itself where nothing comes back around the lattice."""
    sign = reflection(symmetry, numpy.arange(half.shape[-1]))
    return half if sign is None else numpy.concatenate([half, (sign * half)[..., -2:0:-1]], axis=-1)


def split_channel(channel: str) -> tuple[str, str]:
    """("pion", "light_strange") of "pion.light_strange", ("pion", "") of "pion": a channel and its quarks."""
    name, _, quarks = channel.partition(".")
    return name, quarks


def numbers_of(momentum: str) -> tuple[int, ...]:
    """(1, 0, -1) of "p_1_0_-1"."""
    found = tuple(int(n) for n in re.findall(r"-?\d+", momentum))
    if len(found) != 3:
        raise NotAResult(f"{momentum}: expected a momentum such as p_0_0_1")
    return found


def representative(momentum: tuple[int, ...], channel: str, ensemble: Ensemble) -> tuple[int, ...]:
    """The same for momenta whose correlators are equal on average."""
    if ensemble.job.get("source", {}).get("type") == "momentum":
        return momentum
    sizes = [abs(n) for n in momentum]
    if re.search(r"_[xyz]$", split_channel(channel)[0]):  # of a direction: turns change it, reflections do not
        return tuple(sizes)
    extents = ensemble.extents() or [0] * 4
    boundary = ensemble.job.get("action", {}).get("boundary", [1] * 4)
    axes = [(extents[i], boundary[i]) for i in range(3)]
    made = list(sizes)
    for kind in set(axes):
        at = [i for i in range(3) if axes[i] == kind]
        for i, size in zip(at, sorted(sizes[i] for i in at)):
            made[i] = size
    return tuple(made)


def correlators(ensemble: Ensemble, choice: Choice = Choice()) -> list[Correlator]:
    """Those that are chosen, in the file's order, and by momentum."""
    found: dict[tuple[str, str, tuple[int, ...]], list[tuple[str, str]]] = {}
    for channel, momenta in ensemble.group("correlators").items():
        if split_channel(channel)[0].endswith("_matrix"):  # of spins: no correlator of one state
            continue
        for momentum, sinks in members(momenta).items():
            for sink, dataset in members(sinks).items():
                if not choice.wants(channel, sink):
                    continue
                same = representative(numbers_of(momentum), channel, ensemble)
                if choice.momentum and same != representative(choice.momentum, channel, ensemble):
                    continue
                symmetry = text(dataset.attrs.get("symmetry", "none"))
                symmetry = symmetry if symmetry in SYMMETRIES else "none"
                found.setdefault((channel, sink, same), []).append((momentum, symmetry))
    ordered = sorted(found.items(), key=lambda item: sum(n * n for n in item[0][2]))
    made = [_averaged(ensemble, channel, sink, same, parts) for (channel, sink, same), parts in ordered]
    return _with_both_parities(made)


def _averaged(ensemble: Ensemble, channel: str, sink: str, same: tuple[int, ...], parts: list[tuple[str, str]]) -> Correlator:
    paths = [f"correlators/{channel}/{momentum}/{sink}" for momentum, _ in parts]
    chains = ensemble.chains(paths[0])
    samples = numpy.mean([_over_sources(ensemble, path, chains) for path in paths], axis=0) * ensemble.factor(channel)
    return Correlator(channel, same, sink, parts[0][1], samples, chains, len(parts))


def _over_sources(ensemble: Ensemble, path: str, chains: Chains) -> Array:
    values = ensemble.column(path, chains)
    if values.ndim != 4 or values.shape[-1] != 2 or 0 in values.shape:
        raise NotAResult(f"{ensemble.name()}: {path}: expected configuration, source, t, real and imaginary part, "
                         f"found extents {values.shape}")
    return values[..., 0].mean(axis=1)


def _with_both_parities(made: list[Correlator]) -> list[Correlator]:
    """A proton goes back around the lattice as what proton_minus is, times -1: the average of both."""
    by_name = {(one.channel, one.momentum, one.sink): one for one in made}
    for one in made:
        name, quarks = split_channel(one.channel)
        minus = "proton_minus" + (f".{quarks}" if quarks else "")
        other = by_name.get((minus, one.momentum, one.sink))
        if name == "proton" and other is not None:
            back = numpy.roll(other.samples[:, ::-1], 1, axis=1)
            one.samples = (one.samples - back) / 2
    return made
