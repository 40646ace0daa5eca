"""Figures of the report, small and without formulas."""
from __future__ import annotations

from collections.abc import Sequence

import numpy

from ..analysis.arrays import Array
from ..plots.drawing import BLUE, GREY, RED, Axes, Figure, draw_band, draw_errors, integer_axis, new_figure, plain_logarithms
from .web_page import style

MOST_POINTS = 2000  # in SVG


def _small_figure(height: float = 2.6) -> tuple[Figure, Axes]:
    return new_figure(1, 1, (4.8, height))


@style()
def history(x: Array, y: Array, name: str, unit: str = "", marked: Sequence[int] = (), counts: bool = False) -> Figure:
    """Values against trajectory, with their mean; `marked`: indices of outliers; `counts`: the values are whole numbers."""
    drawn, axes = _small_figure()
    drawn.many_points = len(x) > MOST_POINTS
    axes.plot(x, y, "-" if len(x) > 200 else ".-", linewidth=0.6, markersize=3, color=BLUE)
    axes.axhline(numpy.nanmean(y), color=GREY, linewidth=0.8, linestyle="--")
    axes.plot(numpy.asarray(x)[list(marked)], numpy.asarray(y)[list(marked)], "o", color=RED, fillstyle="none")
    axes.set_xlabel("trajectory")
    axes.set_ylabel(f"{name} [{unit}]" if unit else name)
    integer_axis(axes.xaxis)
    if counts:
        integer_axis(axes.yaxis)
    return drawn


@style()
def by_node(nodes: Sequence[str], values: Sequence[float], name: str, unit: str) -> Figure:
    """A row of points for each node."""
    drawn, axes = _small_figure(max(1.6, 0.9 + 0.22 * len(set(nodes))))
    names = sorted(set(nodes))
    places = {node: i for i, node in enumerate(names)}
    drawn.many_points = len(nodes) > MOST_POINTS
    axes.plot(values, [places[node] for node in nodes], "|", markersize=8, color=BLUE)
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(-0.6, len(names) - 0.4)
    axes.set_xlabel(f"{name} [{unit}]")
    axes.set_ylabel("node")
    return drawn


@style()
def logarithmic_points(x: Array, y: Array, name: str, limit: float | None = None) -> Figure:
    """Values against trajectory on a logarithmic axis, with a line at `limit`."""
    drawn, axes = _small_figure()
    drawn.many_points = numpy.size(y) > MOST_POINTS
    axes.semilogy(x, y, ".", markersize=3, color=BLUE)
    if limit:
        axes.axhline(limit, color=RED, linewidth=0.8)
    axes.set_xlabel("trajectory")
    axes.set_ylabel(name)
    integer_axis(axes.xaxis)
    plain_logarithms(axes.yaxis)
    return drawn


@style()
def correlator(values: Array, errors: Array) -> Figure:
    """|C(t)| with errors; open points are negative."""
    drawn, axes = _small_figure()
    for chosen, fill in ((values > 0, "full"), (values < 0, "none")):
        # An error bar that reaches 0 would reach the end of a logarithmic axis.
        size = abs(values[chosen])
        draw_errors(axes, numpy.arange(len(values))[chosen], size, numpy.minimum(numpy.nan_to_num(errors[chosen]), 0.95 * size),
                    marker="o", markersize=3, color=BLUE, fillstyle=fill)
    axes.set_yscale("log")
    plain_logarithms(axes.yaxis)
    axes.set_xlabel("t/a")
    axes.set_ylabel("|C(t)|" if (values < 0).any() else "C(t)")
    integer_axis(axes.xaxis)
    return drawn


@style()
def effective_masses(times: Sequence[float], values: Array, errors: Array, mass: tuple[float, float] | None = None,
                     window: tuple[float, float] | None = None) -> Figure:
    """m(t), with an averaged mass (value, error) as a band over the window (first, last) of the fit that weighs most."""
    drawn, axes = _small_figure()
    good = errors < numpy.nanmax([3 * abs(numpy.nanmedian(values)), 1e-12])
    draw_errors(axes, numpy.asarray(times)[good], values[good], errors[good], marker="o", markersize=3, color=BLUE)
    if mass and window:
        draw_band(axes, *mass, RED, window)
    axes.set_xlim(0, max(times, default=1) + 0.5)
    axes.set_xlabel("t/a")
    axes.set_ylabel("a m_eff(t)")
    integer_axis(axes.xaxis)
    return drawn
