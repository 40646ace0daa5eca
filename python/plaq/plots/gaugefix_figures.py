"""The figures of a gaugefix job: functional and theta against sweeps, and the copies' functionals."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy

from ..analysis.arrays import Array
from ..analysis.attributes import text
from ..analysis.blocks import Block
from ..analysis.gauge import add_fixing
from .drawing import BLUE, COLORS, GREY, Axes, Figure, integer_axis, new_figure
from .header import title
from .page import Figures, Numbers, Panel, summary_page, value_of

if TYPE_CHECKING:
    from ..analysis.results import Ensemble

MOST_CURVES = 40  # of copies, in one figure


def summary(ensemble: Ensemble) -> Figures:
    if not is_there(ensemble):
        return
    block = Block(ensemble)
    add_fixing(block)
    panels = [_functional_panel(ensemble), _theta_panel(ensemble)]
    if ensemble.column("copies/functional").shape[1] > 1:
        panels.append(_copies_panel(ensemble))
    alone = ensemble.column("copies/functional").shape[1] == 1
    said = ("gauge", "copies below the best") if alone else ("gauge",)
    values = [value_of(result) for result in block.results] + [fact for fact in block.facts if fact[0] not in said]
    figure, found = summary_page(_title(ensemble), panels, values, block.notes)
    numbers = {"fixing": {**found.pop("functional"), **found.pop("theta")}, **found}
    yield "summary", figure, numbers


def pages(ensemble: Ensemble) -> Figures:
    if not is_there(ensemble):
        return
    yield _page(ensemble, "fixing", (_functional_panel(ensemble), _theta_panel(ensemble)))
    if (ensemble.column("history/temperature") > 0).any():
        yield _page(ensemble, "annealing", _annealing(ensemble))
    if ensemble.column("copies/functional").shape[1] > 1:
        yield _page(ensemble, "copies", (_copies_panel(ensemble),))


def is_there(ensemble: Ensemble) -> bool:
    return ensemble.has("copies/functional") and ensemble.has("history/theta")


def _title(ensemble: Ensemble) -> str:
    gauge = text(ensemble.attribute("gauge", "", "fixing")).replace("_", " ").capitalize()
    return f"{gauge} gauge,  " + title(ensemble, len(ensemble.column("copies/functional"))).split(",  ", 1)[-1]


def _page(ensemble: Ensemble, name: str, panels: Sequence[Panel]) -> tuple[str, Figure, Numbers]:
    figure, axes = new_figure(len(panels), 1, (7.2, 3.6 + 2.4 * (len(panels) - 1) + 0.8), squeeze=False)
    for panel, place in zip(panels, axes[:, 0]):
        panel.draw(place)
    figure.suptitle(_title(ensemble), x=0.015, ha="left", fontweight="bold", fontsize=12)
    numbers = {}
    for panel in panels:
        numbers.update(panel.numbers)
    return name, figure, numbers


def _curves(ensemble: Ensemble) -> Iterator[tuple[Array, ...]]:
    """(sweeps, functional, theta, temperature) of copies, without the NaN behind their ends."""
    names = ("sweeps", "functional", "theta", "temperature")
    arrays = [ensemble.column(f"history/{name}") for name in names]
    rows = [array.reshape(-1, array.shape[-1])[:MOST_CURVES] for array in arrays]
    for curve in zip(*rows):
        there = numpy.isfinite(curve[0])
        yield tuple(row[there] for row in curve)


def _numbers(ensemble: Ensemble, *names: str) -> Numbers:
    at = {"sweeps": 0, "functional": 1, "theta": 2}
    return {f"{name}_{i}": curve[at[name]] for i, curve in enumerate(_curves(ensemble)) for name in names}


def _style(i: int) -> dict[str, Any]:
    return {"linewidth": 0.9, "color": COLORS[i % len(COLORS)], "alpha": 0.8}


def _functional_panel(ensemble: Ensemble) -> Panel:
    def draw(axes: Axes) -> None:
        lowest = []
        for i, (sweeps, functional, _, _) in enumerate(_curves(ensemble)):
            axes.plot(sweeps, functional, **_style(i))
            lowest += list(functional[len(functional) // 10:])
        if lowest:  # the start is far below
            low, high = numpy.quantile(lowest, (0.02, 1.0))
            axes.set_ylim(low - 0.1 * (high - low) - 1e-12, high + 0.1 * (high - low) + 1e-12)
        axes.set_xlabel("sweeps")
        axes.set_ylabel("F")
        integer_axis(axes.xaxis)
        axes.set_title("Functional F of each copy")

    return Panel(draw, "functional", _numbers(ensemble, "sweeps", "functional"))


def _theta_panel(ensemble: Ensemble) -> Panel:
    asked = ensemble.attribute("theta", None, "fixing")

    def draw(axes: Axes) -> None:
        for i, (sweeps, _, theta, _) in enumerate(_curves(ensemble)):
            axes.plot(sweeps[theta > 0], theta[theta > 0], **_style(i))
        axes.set_yscale("log")
        if asked is not None:
            axes.axhline(float(asked), color=GREY, linewidth=1)
            axes.annotate("asked for", (0.01, float(asked)), xycoords=("axes fraction", "data"), color=GREY, fontsize=10,
                          xytext=(0, 3), textcoords="offset points")
        axes.set_xlabel("sweeps")
        axes.set_ylabel(r"$\theta$")
        integer_axis(axes.xaxis)
        axes.set_title("Precision of each copy")

    return Panel(draw, "theta", _numbers(ensemble, "theta"))


def _annealing(ensemble: Ensemble) -> tuple[Panel, Panel]:
    """Schroeck, Vogt 2013, figure 7."""
    hot = [(t[t > 0], f[t > 0], theta[t > 0]) for _, f, theta, t in _curves(ensemble)]
    numbers = {}
    for i, (temperature, functional, theta) in enumerate(hot):
        numbers.update({f"temperature_{i}": temperature, f"functional_{i}": functional, f"theta_{i}": theta})

    def draw(axes: Axes, which: int, symbol: str, headline: str, scale: str) -> None:
        for i, curve in enumerate(hot):
            axes.plot(curve[0], curve[which], **_style(i))
        axes.set_yscale(scale)
        axes.set_xlabel("temperature")
        axes.set_ylabel(symbol)
        axes.set_title(headline)
        axes.invert_xaxis()

    return (Panel(lambda axes: draw(axes, 1, "F", "Functional F while annealing", "linear"), "functional", numbers),
            Panel(lambda axes: draw(axes, 2, r"$\theta$", "Precision while annealing", "log"), "theta"))


def _copies_panel(ensemble: Ensemble) -> Panel:
    """Schroeck, Vogt 2013, eq. (34) and figure 8: each field against the best of its own copies."""
    functional = numpy.asarray(ensemble.column("copies/functional"), dtype=float)
    converged = ensemble.column("copies/converged") == 1
    best = numpy.where(converged, functional, -numpy.inf).max(axis=1, keepdims=True)
    relative = ((best - functional) / best)[converged]
    sweeps = numpy.sum([ensemble.column(f"copies/{name}") for name in ("annealing", "stochastic", "overrelaxation")], axis=0)

    def draw(axes: Axes) -> None:
        if len(relative):
            axes.hist(relative, bins=min(50, max(10, len(relative) // 4)), color=BLUE, alpha=0.75, rwidth=0.92)
        axes.set_xlabel(r"$(F_{\max} - F) / F_{\max}$")
        axes.set_ylabel("copies")
        integer_axis(axes.yaxis)
        axes.set_title("Copies below the best of their field")

    return Panel(draw, "copies", {"relative": relative, "functional": functional, "converged": converged.astype(int),
                                  "sweeps": sweeps})
