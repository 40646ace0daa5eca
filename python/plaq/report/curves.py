"""Figures of the report, small and without formulas."""
from __future__ import annotations

from collections.abc import Sequence

import numpy

from ..analysis.arrays import Array
from ..plots.drawing import Axes, Figure, draw_band, draw_errors, new_figure
from .web_page import style

MOST_POINTS = 2000  # in SVG


def _small_figure(height: float = 2.6) -> tuple[Figure, Axes]:
    return new_figure(1, 1, (4.8, height))


@style()
def history(x: Array, y: Array, name: str, unit: str = "", marked: Sequence[int] = ()) -> Figure:
    """Values against trajectory, with their mean; `marked`: indices of outliers."""
    drawn, axes = _small_figure()
    drawn.many_points = len(x) > MOST_POINTS
    axes.plot(x, y, "-" if len(x) > 200 else ".-", linewidth=0.6, markersize=3)
    axes.axhline(numpy.nanmean(y), color="C7", linewidth=0.8, linestyle="--")
    axes.plot(numpy.asarray(x)[list(marked)], numpy.asarray(y)[list(marked)], "o", color="C3", fillstyle="none")
    axes.set_xlabel("trajectory")
    axes.set_ylabel(f"{name} [{unit}]" if unit else name)
    return drawn


@style()
def by_node(nodes: Sequence[str], values: Sequence[float], name: str) -> Figure:
    """A row of points for each node."""
    drawn, axes = _small_figure(max(1.6, 0.9 + 0.22 * len(set(nodes))))
    names = sorted(set(nodes))
    places = {node: i for i, node in enumerate(names)}
    drawn.many_points = len(nodes) > MOST_POINTS
    axes.plot(values, [places[node] for node in nodes], "|", markersize=8)
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(-0.6, len(names) - 0.4)
    axes.set_xlabel(name)
    return drawn


@style()
def logarithmic_points(x: Array, y: Array, name: str, limit: float | None = None) -> Figure:
    """Values against trajectory on a logarithmic axis, with a line at `limit`."""
    drawn, axes = _small_figure()
    drawn.many_points = numpy.size(y) > MOST_POINTS
    axes.semilogy(x, y, ".", markersize=3)
    if limit:
        axes.axhline(limit, color="C3", linewidth=0.8)
    axes.set_xlabel("trajectory")
    axes.set_ylabel(name)
    return drawn


@style()
def correlator(values: Array, errors: Array) -> Figure:
    """|C(t)| with errors."""
    drawn, axes = _small_figure()
    good = values != 0
    draw_errors(axes, numpy.arange(len(values))[good], abs(values[good]), errors[good], marker=".")
    axes.set_yscale("log")
    axes.set_xlabel("t/a")
    axes.set_ylabel("|C(t)|")
    return drawn


@style()
def effective_masses(times: Sequence[float], values: Array, errors: Array, mass: tuple[float, float] | None = None,
                     windows: Sequence[tuple[float, float]] = ()) -> Figure:
    """m(t) with the band of an averaged mass (value, error), and the windows (first, last) that weigh most."""
    drawn, axes = _small_figure()
    good = errors < numpy.nanmax([3 * abs(numpy.nanmedian(values)), 1e-12])
    draw_errors(axes, numpy.asarray(times)[good], values[good], errors[good], marker=".")
    if mass:
        draw_band(axes, *mass, "C1")
    for first, last in windows:
        axes.axvspan(first, last, color="C7", alpha=0.08, linewidth=0)
    axes.set_xlabel("t/a")
    axes.set_ylabel("a m_eff(t)")
    return drawn
