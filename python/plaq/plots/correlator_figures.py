"""Pages of correlators: the summary, one of a channel with all momenta, one of a correlator, and the PCAC mass."""
from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import matplotlib.figure
import numpy

from ..analysis.arrays import Array
from ..analysis.channels import channels_of, main_channels, main_sink, read
from ..analysis.correlators import Choice, Correlator
from ..analysis.fit import FitError
from ..analysis.notation import with_error
from ..analysis.ratios import pcac_mass, pcac_masses
from . import correlator_data as data
from .drawing import COLORS, GREY, INK, PAGE, Axes, Figure, draw_band, draw_errors, integer_axis, limits_of, new_figure
from .header import title
from .page import Figures, Numbers, write_notes

if TYPE_CHECKING:
    from ..analysis.results import Ensemble
    from .correlator_data import Drawn, Wanted

MARKERS = "osD^vPX<>h"
MOST_MOMENTA = 5  # of the dispersion relation in a summary
LEGEND_ROW = 0.055  # of the height, above all points
WORST = 0.3  # relative error of an effective mass that a picture shows
ERRORS = "Errors: statistical, and of the choice of windows, added in quadrature. Bands: the fitted mass in the window that weighs " \
         "most; lines: that fit."


def summary(ensemble: Ensemble, fits: Choice = Choice()) -> Figures:
    """(name, figure, numbers) of the main channels at momentum 0, and the dispersion relation of the first."""
    channels = channels_of(ensemble)
    if not channels:
        return
    shown, noted = [], []
    for channel in main_channels(channels):
        at_rest = read(ensemble, channel, main_sink(channels[channel]), (0, 0, 0))
        shown += [data.Drawn(one, choice=fits) for one in at_rest[:1]]
    if not shown:  # no correlator is at rest: the slowest one of the first channel
        first = main_channels(channels)[0]
        shown = [data.Drawn(read(ensemble, first, main_sink(channels[first]))[0], choice=fits)]
    moving = _moving(ensemble, shown[0])
    figure = _new_page(title(ensemble, shown[0].count))
    grid = figure.add_gridspec(2, 2, width_ratios=(1.35, 1)) if moving else figure.add_gridspec(1, 2, width_ratios=(1.35, 1))
    draw_masses(figure.add_subplot(grid[:, 0]), shown)
    draw_correlators(figure.add_subplot(grid[0, 1]), shown)
    numbers = {one.name(): one.numbers() for one in shown}
    if moving:
        numbers["dispersion"] = draw_dispersion(figure.add_subplot(grid[1, 1]), ensemble, moving)
    noted += [_about_sinks(shown)] + ([ERRORS] if any(one.fit for one in shown) else [])
    noted += _about_failures(shown)
    noted += ["Fits: " + ";  ".join(one.about_fit() for one in shown if one.fit)] if any(one.fit for one in shown) else []
    write_notes(figure, noted)
    yield "summary", figure, numbers


def _moving(ensemble: Ensemble, first: Drawn) -> list[Drawn]:
    """The first channel at its lowest momenta, with fits of one state; empty where fewer than two have one."""
    if first.count < 2:
        return []
    made = read(ensemble, first.channel, first.one.sink)
    if len(made) < 2:
        return []
    drawn = [data.Drawn(one, choice=Choice(states=(1,))) for one in made[:MOST_MOMENTA]]
    known = [one for one in drawn if one.fit]
    return known if len(known) > 1 and ensemble.extents() else []


def _new_page(headline: str) -> Figure:
    figure = matplotlib.figure.Figure(layout="constrained", figsize=PAGE)
    figure.get_layout_engine().set(w_pad=0.12, h_pad=0.08)
    figure.suptitle(headline, x=0.015, ha="left", fontweight="bold", fontsize=15)
    return figure


def _about_sinks(shown: list[Drawn]) -> str:
    first = shown[0]
    said = f"{first.one.sink.capitalize()} sinks, both sides of the lattice averaged."
    if first.count == 1:
        said += " One configuration: there are no errors, and nothing is fitted."
    return said


def _about_failures(shown: list[Drawn]) -> list[str]:
    return [f"{one.symbol()}: no fit, {one.why}." for one in shown if one.why and one.count > 1]


def _style(i: int) -> dict[str, Any]:
    return {"color": COLORS[i % len(COLORS)], "marker": MARKERS[i % len(MARKERS)], "markersize": 5}


def draw_masses(axes: Axes, shown: list[Drawn], labels: list[str] | None = None) -> None:
    """Effective masses with the fitted masses as bands."""
    reach = []
    for i, one in enumerate(shown):
        style, label = _style(i), labels[i] if labels else one.label()
        good = numpy.isfinite(one.mass) & ~(one.mass_error > WORST * abs(one.mass))
        draw_errors(axes, one.mass_times[good], one.mass[good], one.mass_error[good], label=label, **style)
        if one.fit:
            ends = [float(end) for end in one.window()]
            draw_band(axes, one.energy, one.energy_error, style["color"], ends)
            axes.plot(*one.mass_curve(), color=style["color"], linewidth=0.9, alpha=0.8)
            reach += [one.energy - one.energy_error, one.energy + one.energy_error]
        reach += _visible(one, good)
    limits_of(axes, reach)
    low, high = axes.get_ylim()
    axes.set_ylim(low, high + LEGEND_ROW * math.ceil(len(shown) / (1 if len(shown) <= 4 else 2)) * (high - low))
    axes.set_xlim(0, max(len(one.times) for one in shown) - 1)
    axes.set_xlabel("$t/a$")
    integer_axis(axes.xaxis)
    axes.set_ylabel(r"$a\,m_{\mathrm{eff}}(t)$")
    legend = axes.legend(loc="upper right", fontsize=14 if len(shown) <= 4 else 10, handletextpad=0.4,
                         ncols=1 if len(shown) <= 4 else 2)
    legend.set_zorder(5)
    axes.set_title("Effective masses" + (" and fits" if any(one.fit for one in shown) else ""))


def _visible(one: Drawn, good: Array) -> list[float]:
    """Of the contact region as much as leaves room for the plateau."""
    if not good.any():
        return []
    level = one.energy if one.fit else float(numpy.median(one.mass[good]))
    values, errors = one.mass[good], numpy.nan_to_num(one.mass_error[good])
    near = (values < 1.7 * level) & (values > 0.5 * level)
    return [*(values - errors)[near], *(values + errors)[near]]


def draw_correlators(axes: Axes, shown: list[Drawn], labels: list[str] | None = None) -> None:
    negative = False
    for i, one in enumerate(shown):
        style = _style(i)
        sign = one.value < 0
        plotted = numpy.where(one.value != 0, abs(one.value), math.nan)
        # An error bar that reaches 0 would reach the end of a logarithmic axis.
        error = numpy.minimum(numpy.nan_to_num(one.error), 0.95 * abs(one.value))
        draw_errors(axes, one.times[~sign], plotted[~sign], error[~sign], label=labels[i] if labels else None, **style)
        if sign.any():
            negative = True
            draw_errors(axes, one.times[sign], plotted[sign], error[sign], **{**style, "fillstyle": "none"})
        if one.fit:
            first, last = one.window()
            t, curve = one.curve()
            axes.plot(t[first:last + 1], abs(curve[first:last + 1]), color=style["color"], linewidth=1.2)
    if any((one.value != 0).any() for one in shown):
        axes.set_yscale("log")
    axes.set_xlabel("$t/a$")
    integer_axis(axes.xaxis)
    axes.set_ylabel(r"$C(t)$" if not negative else r"$|C(t)|$")
    axes.set_title("Correlators" + (" (open: negative)" if negative else ""))


def draw_dispersion(axes: Axes, ensemble: Ensemble, moving: list[Drawn]) -> Numbers:
    """E^2 against p^2 = sum (2 pi n / L)^2, beside those of the continuum and of a free particle on the lattice."""
    extents = ensemble.extents() or [1] * 4  # _moving gives none without
    scale = float(ensemble.job.get("action", {}).get("xi", 1.0))
    axes.set_title(f"Dispersion of the {moving[0].channel.split('_')[0]}, fits of one state")
    momenta = numpy.array([[2 * math.pi * n / length / scale for n, length in zip(one.momentum, extents)] for one in moving])
    square = (momenta**2).sum(axis=1)
    energy, error = (numpy.array(made) for made in zip(*[(one.energy, one.energy_error) for one in moving]))
    draw_errors(axes, square, energy**2, 2 * energy * error, color=COLORS[0], marker="o", markersize=5, zorder=3)
    rest = energy[0]
    if data.squared(moving[0].momentum) == 0:
        along = numpy.linspace(0, 1.06 * square.max(), 60)
        axes.plot(along, rest**2 + along, color=GREY, linestyle="--", label="$m^2 + p^2$")
        if scale == 1:
            hat = (4 * numpy.sin(momenta / 2)**2).sum(axis=1)
            free = (2 * numpy.arcsinh(numpy.sqrt(numpy.sinh(rest / 2)**2 + hat / 4)))**2
            axes.plot(square, free, "_", color=INK, markersize=16, markeredgewidth=1.4, label="free on the lattice")
        axes.legend(loc="upper left", fontsize=10.5)
    axes.set_xlabel(r"$(a\,p)^2$")
    axes.set_ylabel(r"$(a\,E)^2$")
    return {"momentum": numpy.array([one.momentum for one in moving]), "p_squared": square, "energy": energy,
            "energy_error": error}


def details(ensemble: Ensemble, wanted: Wanted) -> Figures:
    """A page for each channel with several momenta, and one for each correlator."""
    for (channel, sink), some in data.chosen(ensemble, wanted).items():
        if len(some) > 1:
            shown = [data.Drawn(one, fit=False) for one in some[:len(COLORS)]]
            yield f"correlator-{channel}-{sink}", _channel_page(ensemble, shown, len(some)), \
                {one.name(): one.numbers() for one in shown}
        for one in some:
            drawn = data.Drawn(one, choice=wanted.fits)
            yield drawn.name(), _page(ensemble, drawn), {drawn.name(): drawn.numbers()}
    yield from pcac_figures(ensemble, wanted)


def _written(momentum: tuple[int, ...]) -> str:
    return f"p = ({', '.join(map(str, momentum))})"


def _channel_page(ensemble: Ensemble, shown: list[Drawn], count: int) -> Figure:
    first = shown[0]
    figure = _new_page(title(ensemble, first.count))
    left, right = figure.subplots(1, 2, width_ratios=(1.2, 1))
    labels = [_written(one.momentum) for one in shown]
    draw_masses(left, shown, labels)
    draw_correlators(right, shown)
    left.set_title(f"{first.symbol()}: effective masses")
    more = f" The lowest {len(shown)} of {count} momenta." if count > len(shown) else ""
    write_notes(figure, [f"Channel {first.channel}, {first.one.sink} sink; momenta that are equal by symmetry are averaged.{more}"])
    return figure


def _page(ensemble: Ensemble, one: Drawn) -> Figure:
    figure = _new_page(title(ensemble, one.count))
    left, right = figure.subplots(1, 2, width_ratios=(1.2, 1))
    draw_masses(left, [one])
    draw_correlators(right, [one])
    left.set_title(f"{one.symbol()}, {_written(one.momentum)}, {one.one.sink} sink")
    notes = [f"Channel {one.channel}; an average over {one.one.averaged} momenta." if one.one.averaged > 1 else
             f"Channel {one.channel}."]
    notes += [ERRORS, "Fit: " + one.about_fit()] if one.fit else [f"No fit: {one.why}."] if one.why else []
    write_notes(figure, notes)
    return figure


def pcac_figures(ensemble: Ensemble, wanted: Wanted) -> Figures:
    """m(t) = (C_AP(t+1) - C_AP(t-1)) / (4 C_PP(t)) at momentum 0."""
    channels = channels_of(ensemble)
    if wanted.momentum not in ((), (0, 0, 0)) or wanted.square > 0:
        return
    for name in channels:
        base, dot, quarks = name.partition(".")  # "axial_pseudoscalar.light_strange"
        if base != "axial_pseudoscalar" or wanted.channels and not {base, name} & set(wanted.channels):
            continue
        for sink in channels[name]:
            axial, pion = (read(ensemble, one, sink, (0, 0, 0)) for one in (name, "pion" + dot + quarks))
            if axial and pion:
                yield "-".join(["pcac", *([quarks] if quarks else []), sink]), *_pcac_page(ensemble, axial[0], pion[0])


def _pcac_page(ensemble: Ensemble, axial: Correlator, pion: Correlator) -> tuple[Figure, Numbers]:
    points = pcac_masses(axial, pion)[2:-1]  # the source's own slice is in the derivative at 1
    value, error = numpy.array([one.value for one in points]), numpy.array([one.gamma().error for one in points])
    times = numpy.arange(2, len(points) + 2)
    figure, axes = new_figure(1, 1)
    draw_errors(axes, times, value, error, marker="o", markersize=5, color=COLORS[0])
    numbers = {"t": times, "mass": value, "mass_error": error}
    try:
        fit = pcac_mass(axial, pion, Choice())
        numbers["constant"], numbers["constant_error"] = numpy.array(fit.quantity.value), numpy.array(fit.total_error())
        label = f"$a m_{{\\mathrm{{PCAC}}}}$ = {with_error(fit.quantity.value, fit.total_error())}"
        draw_band(axes, fit.quantity.value, fit.total_error(), COLORS[1], [float(t) for t in fit.windows[0].ends()], label=label)
        axes.legend(fontsize=13)
    except FitError as problem:
        write_notes(figure, [f"No fit: {problem}."])
    axes.set_xlabel("$t/a$")
    integer_axis(axes.xaxis)
    axes.set_ylabel(r"$a\,m_{\mathrm{PCAC}}(t)$, bare")
    figure.suptitle(title(ensemble, len(axial.samples)), x=0.015, ha="left", fontweight="bold", fontsize=12)
    axes.set_title(f"PCAC mass, {axial.sink} sink")
    return figure, numbers
