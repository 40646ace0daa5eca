"""Fits against the first time slice of their window: how stable a mass is, and which window describes the data."""
from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy

from ..analysis.channels import channels_of, main_channels, main_sink, read
from ..analysis.correlators import Choice, Correlator
from ..analysis.fit import FitError
from ..analysis.notation import with_error
from ..analysis.windows import Averaged, Window
from . import correlator_data as data
from .drawing import BLUE, GREEN, GREY, RED, Axes, Figure, draw_band, draw_errors, integer_axis, limits_of, new_figure
from .header import title
from .page import Figures, Numbers, write_notes

if TYPE_CHECKING:
    from ..analysis.results import Ensemble

STYLES = {1: (BLUE, "o"), 2: (RED, "s")}  # of fits by their number of states
WORST = 0.5  # relative error of a mass that is drawn
TALLEST = 10.0  # chi^2/dof


def pages(ensemble: Ensemble, wanted: data.Wanted) -> Figures:
    """(name, figure, numbers) of the main channels at rest, or of the correlators that are wanted."""
    for one in _chosen(ensemble, wanted):
        try:
            every = one.mass(Choice(states=wanted.fits.states, kind=wanted.fits.kind))
            used = one.mass(wanted.fits)
        except FitError as error:
            if wanted.fits.window_of(one.channel) is not None:
                raise
            yield name_of(one), _page_without(ensemble, one, str(error)), {}
            continue
        yield name_of(one), *_page(ensemble, one, every, used)


def _chosen(ensemble: Ensemble, wanted: data.Wanted) -> list[Correlator]:
    if wanted.details() or wanted.every:
        return [one for some in data.chosen(ensemble, wanted).values() for one in some]
    channels = channels_of(ensemble)
    return [one for name in (main_channels(channels) if channels else [])
            for one in read(ensemble, name, main_sink(channels[name]), (0, 0, 0))[:1]]


def name_of(one: Correlator) -> str:
    return f"windows-{one.channel}-p_{'_'.join(map(str, one.momentum))}-{one.sink}"


def latest(every: Averaged) -> list[Window]:
    """The windows that end at the last slice of all, by their first slice and states."""
    last = max(window.last for window in every.windows)
    return sorted((window for window in every.windows if window.last == last), key=lambda w: (w.model.states, w.first))


def _page(ensemble: Ensemble, one: Correlator, every: Averaged, used: Averaged) -> tuple[Figure, Numbers]:
    shown = latest(every)
    figure, (above, below) = new_figure(2, 1, sharex=True, height_ratios=(2.2, 1))
    value, error = used.quantity.value, used.total_error()
    draw_band(above, value, error, GREEN, label=("window " + "-".join(map(str, used.best().ends())) if used.chosen else
                                                 "average over windows") + f": {with_error(value, error)}")
    _draw_masses(above, shown, used, value, error)
    _draw_chi2(below, shown)
    above.set_ylabel(r"$a\,m$")
    above.set_title(f"{data.SYMBOLS.get(one.channel, one.channel.replace('_', ' '))}, p = ({', '.join(map(str, one.momentum))}), "
                    f"{one.sink} sink: windows that end at t = {shown[0].last}")
    above.legend(fontsize=10)
    figure.suptitle(title(ensemble, len(one.samples)), x=0.015, ha="left", fontweight="bold", fontsize=12)
    best = used.best()
    write_notes(figure, [f"{every.kind.capitalize()} fits{f' ({every.why})' if every.why else ''}. Error bars: statistical. Dashes: χ²/dof "
                         "expected.",
                         f"Green: {'the chosen window' if used.chosen else 'the average over all windows, with its total error'}.",
                         f"{'This' if used.chosen else 'Its heaviest'} window, {best.first}-{best.last}: {data.reduced(best)}, "
                         f"p = {best.p_value():.2g}."])
    numbers = {"first": [w.first for w in shown], "last": [w.last for w in shown], "states": [w.model.states for w in shown],
               "mass": [w.value for w in shown], "mass_error": [w.error for w in shown], "chi2": [w.fit.chi2 for w in shown],
               "degrees_of_freedom": [w.freedom for w in shown], "p_value": [w.p_value() for w in shown],
               "weight": [w.weight for w in shown], "band": [value, error], "window": list(best.ends())}
    return figure, {name: numpy.array(found) for name, found in numbers.items()}


def _draw_masses(axes: Axes, shown: list[Window], used: Averaged, value: float, error: float) -> None:
    reach = [value - error, value + error]
    for states, (color, marker) in STYLES.items():
        some = [w for w in shown if w.model.states == states and w.error < WORST * abs(w.value)]
        if not some:
            continue
        first, mass, bars = (numpy.array([getattr(w, name) for w in some], dtype=float) for name in ("first", "value", "error"))
        draw_errors(axes, first + 0.12 * (states - 1.5), mass, bars, color=color, marker=marker, markersize=5,
                    label=f"{states} state{'s' if states > 1 else ''}")
        near = abs(mass - value) < 0.5 * abs(value)
        reach += [*(mass - bars)[near], *(mass + bars)[near]]
    best = used.best()
    axes.axvspan(best.first - 0.4, best.first + 0.4, color=GREEN, alpha=0.12, linewidth=0)
    limits_of(axes, reach)
    low, high = axes.get_ylim()
    axes.set_ylim(low, high + 0.25 * (high - low))  # of the legend


def _draw_chi2(axes: Axes, shown: list[Window]) -> None:
    top = 1.5
    for states, (color, marker) in STYLES.items():
        some = [w for w in shown if w.model.states == states]
        if some:
            found = numpy.array([w.fit.chi2 / w.freedom for w in some])
            axes.plot([w.first + 0.12 * (states - 1.5) for w in some], found, color=color, marker=marker, markersize=4.5, linestyle="none")
            axes.plot([w.first + 0.12 * (states - 1.5) for w in some], [w.expected_chi2 / w.freedom for w in some], "_", color=color,
                      markersize=11)
            top = max(top, min(TALLEST, 1.15 * found.max()))
    axes.axhline(1.0, color=GREY, linewidth=0.9)
    axes.set_ylim(0, top if math.isfinite(top) else TALLEST)
    integer_axis(axes.xaxis)
    axes.set_xlabel(r"first slice of the window, $t_{\mathrm{min}}/a$")
    axes.set_ylabel("χ²/dof")


def _page_without(ensemble: Ensemble, one: Correlator, why: str) -> Figure:
    figure, axes = new_figure(1, 1)
    axes.set_axis_off()
    axes.set_title(f"{one.name()}: no fit")
    figure.suptitle(title(ensemble, len(one.samples)), x=0.015, ha="left", fontweight="bold", fontsize=12)
    write_notes(figure, [f"No fit: {why}."])
    return figure
