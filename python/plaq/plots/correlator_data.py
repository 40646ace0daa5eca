"""Which correlators are drawn, and what is drawn of them: means, effective masses, fits, by plaq.analysis."""
from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING

import numpy

from ..analysis.arrays import Array
from ..analysis.channels import channels_of, main_channels, read
from ..analysis.chosen_window import WindowError
from ..analysis.correlators import Choice, Correlator
from ..analysis.effective_mass import effective_mass
from ..analysis.fit import FitError
from ..analysis.gamma import gamma_error
from ..analysis.notation import per_freedom, with_error
from ..analysis.results import Ensemble, NotAResult
from ..analysis.windows import Averaged, Window

if TYPE_CHECKING:
    from .page import Numbers

SYMBOLS = {"pion": "π", "pion_ps": "π", "pion_sc": "π (sc)", "rho": "ρ", "rho_vt": "ρ (vt)", "rho_pv": "ρ (pv)",
           "rho_x": "ρ$_x$", "rho_y": "ρ$_y$", "rho_z": "ρ$_z$", "proton": "N", "nucleon": "N", "delta": "Δ",
           "lambda": "Λ", "a0": "a$_0$", "a1": "a$_1$", "b1": "b$_1$"}


def reduced(window: Window) -> str:
    """chi^2 of a fit for each degree of freedom, in words; beside its expectation where that is not 1, in fits without correlations."""
    if window.freedom < 1:
        return "no degrees of freedom"
    found, expected = (per_freedom(number, window.freedom) for number in (window.fit.chi2, window.expected_chi2))
    return f"χ²/dof = {found}" + (f" ({expected} expected)" if expected != "1.00" else "") + f", {window.freedom} dof"


class NothingChosen(NotAResult):
    pass


@dataclasses.dataclass
class Wanted:
    """What --channel, --momentum, --window, --windows and --all ask for."""

    channels: tuple = ()
    momentum: tuple = ()  # (x, y, z)
    square: int = -1  # of the momentum; -1: any
    every: bool = False
    fits: Choice = dataclasses.field(default_factory=Choice)  # how they are fitted: --window
    stability: bool = False  # fits against the first slice of their window, and nothing else

    def details(self) -> bool:
        return bool(self.channels or self.momentum or self.square >= 0)

    def has(self, one: Correlator) -> bool:
        return self.square in (-1, squared(one.momentum))


def squared(momentum: tuple[int, ...]) -> int:
    return sum(n * n for n in momentum)


class Drawn:
    """A correlator with errors: what a picture of it shows."""

    def __init__(self, one: Correlator, fit: bool = True, choice: Choice = Choice()) -> None:
        self.one, self.channel, self.momentum = one, one.channel, one.momentum
        folded = one.folded()
        self.count, self.times = len(folded), numpy.arange(folded.shape[1])
        self.value = one.chains.mean(folded)
        deviations = one.chains.fluctuations(folded)
        self.error = numpy.array([gamma_error(d, one.chains).error for d in deviations.T])
        masses = one.effective_masses()
        self.mass_times = numpy.arange(len(masses)) + 0.5
        self.mass = numpy.array([m.value for m in masses])
        self.mass_error = numpy.array([m.gamma().error for m in masses])
        self.energy = self.energy_error = math.nan
        self.fit: Averaged | None = None
        self.why = ""
        if fit:
            self._fit(choice)

    def _fit(self, choice: Choice) -> None:
        try:
            self.fit = fit = self.one.mass(choice)
        except WindowError:
            raise
        except FitError as error:
            self.why = str(error)
            return
        self.energy, self.energy_error = fit.quantity.value, fit.total_error()

    def best(self) -> Window:
        """The window of the fit that weighs most; there is one where `fit` is."""
        assert self.fit is not None
        return self.fit.windows[0]

    def symbol(self) -> str:
        return SYMBOLS.get(self.channel, self.channel.replace("_", " "))

    def written(self) -> str:
        return with_error(self.energy, self.energy_error) if self.fit else ""

    def label(self) -> str:
        return f"{self.symbol()}   {self.written()}".rstrip()

    def name(self) -> str:
        return f"correlator-{self.channel}-p_{'_'.join(map(str, self.momentum))}-{self.one.sink}"

    def window(self) -> tuple[int, int]:
        """First and last slice of the fit that weighs most."""
        return self.best().first, self.best().last

    def curve(self) -> tuple[Array, Array]:
        """(t, C(t)) of that fit."""
        best, t = self.best(), numpy.arange(self.one.extent())
        return t, best.model.evaluate(best.fit.parameters, t)[0]

    def mass_curve(self) -> tuple[Array, Array]:
        """(t, m(t)) of that fit, in its window."""
        first, last = self.window()
        t = numpy.arange(first, last)
        return t + 0.5, effective_mass(self.curve()[1], self.one.symmetry)[first:last]

    def about_fit(self) -> str:
        assert self.fit is not None
        best = self.best()
        return (f"{self.symbol()}: t = {best.first} to {best.last}, {best.model.states} state{'s'[:best.model.states - 1]}, "
                f"{reduced(best)}, {self.fit.kind}, "
                f"{'the chosen window' if self.fit.chosen else f'{len(self.fit.windows)} windows'}")

    def numbers(self) -> Numbers:
        made = {"t": self.times, "correlator": self.value, "correlator_error": self.error, "effective_mass_t": self.mass_times,
                "effective_mass": self.mass, "effective_mass_error": self.mass_error}
        if self.fit:
            made.update({"energy": numpy.array(self.energy), "energy_error": numpy.array(self.energy_error),
                         "window": numpy.array(self.window())})
        return made


def chosen(ensemble: Ensemble, wanted: Wanted) -> dict[tuple[str, str], list[Correlator]]:
    """Averaged correlators by channel and sink, as `wanted` has them. Throws NothingChosen."""
    channels = channels_of(ensemble)
    unknown = [name for name in wanted.channels if name not in channels]
    if unknown:
        raise NothingChosen(f"{ensemble.name()}: there is no channel {unknown[0]}; there are {', '.join(channels) or 'none'}")
    names = wanted.channels or (channels if wanted.every else main_channels(channels))
    made = {}
    for channel in names:
        for sink in channels[channel]:
            some = [one for one in read(ensemble, channel, sink, wanted.momentum) if wanted.has(one)]
            if some:
                made[channel, sink] = some
    if not made and wanted.details():
        raise NothingChosen(f"{ensemble.name()}: there is no correlator with this momentum; --all draws all momenta of all channels")
    return made
