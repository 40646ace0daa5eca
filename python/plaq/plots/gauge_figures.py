"""Figures of generate, hmc and measure jobs: histories, plaquettes, the gradient flow, the topological charge."""
from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy

from ..analysis.arrays import Array
from ..analysis.blocks import Block, Result
from ..analysis.flow import TARGET
from ..analysis.gauge import add_history, add_measurements
from ..analysis.jackknife import jackknife
from ..analysis.notation import with_error
from .drawing import BLUE, GREEN, GREY, RED, Axes, draw_band, integer_axis, new_figure
from .header import title
from .history_panels import SWEEPS, counter_of, history_panels, polyakov_panel
from .page import Figures, Panel, summary_page, value_of
from .potential_figure import potential_panel

if TYPE_CHECKING:
    from ..analysis.chains import Chains
    from ..analysis.results import Ensemble

MOST_PANELS = 4  # of a history beside its numbers


def summary(ensemble: Ensemble) -> Figures:
    """One page of what a history or a measurement holds, with its numbers."""
    block = Block(ensemble)
    add_history(block, None)
    add_measurements(block)
    history = _has_history(ensemble)
    panels = history_panels(ensemble)[:MOST_PANELS] if history else _measured_panels(ensemble, block)
    values = [value_of(result) for result in block.results]
    potential, more, notes = potential_panel(ensemble)
    if potential:
        panels.append(potential)
    values += more
    if not panels and not values:
        return
    if block.chains is not None and len(block.chains) == 1:
        notes = ["One configuration: there are no errors.", *notes]
    notes += [f"{name}: {fact}." for name, fact in block.facts] + [f"{note}." for note in block.notes]
    notes += [f"Warning: {warning}." for warning in block.warnings]
    figure, numbers = summary_page(title(ensemble, _count(ensemble, block, history)), panels, values, notes)
    yield "summary", figure, numbers


def _has_history(ensemble: Ensemble) -> bool:
    return counter_of(ensemble) is not None or ensemble.has("steps/delta_h")


def _count(ensemble: Ensemble, block: Block, history: bool) -> int | None:
    if history:
        numbers = next((f"configurations/{name}" for name in SWEEPS if ensemble.has(f"configurations/{name}")), None)
        return len(ensemble.column(numbers)) if numbers else None
    names = ensemble.group("wilson_loops")
    return len(block.chains) if block.chains is not None else len(ensemble.column(f"wilson_loops/{next(iter(names))}"))


def _measured_panels(ensemble: Ensemble, block: Block) -> list[Panel]:
    made = []
    by_name = {result.name: result for result in block.results}
    times = _times(block.chains) if block.chains is not None else None
    if "plaquette" in by_name:
        made.append(_series_panel("plaquette", "Average plaquette", times, by_name["plaquette"]))
    if ensemble.has("flow/t") and ensemble.has("flow/clover_energy"):
        made.append(_flow_panel(ensemble, by_name.get("t0")))
    if ensemble.has("flow/topological_charge"):
        charge = ensemble.column("flow/topological_charge", block.chains)[:, -1]
        made.append(_charge_panel(times, charge))
        if len(charge) >= 8:
            made.append(Panel(lambda axes: draw_charges(axes, charge), "charge", {"topological_charge": charge}))
    if len(made) < 4 and ensemble.has("observables/polyakov_loop"):
        made.append(polyakov_panel(ensemble.column("observables/polyakov_loop")))
    return made


def _times(chains: Chains) -> Array:
    """Trajectories of one chain; of several, rows."""
    return chains.number if len(chains.parts) == 1 else numpy.arange(len(chains))


def _series_panel(name: str, headline: str, times: Any, result: Result) -> Panel:
    values, gamma = result.quantity.samples[:, 0], result.quantity.gamma()
    numbers = {name: values, "mean": numpy.array(result.quantity.value), "error": numpy.array(gamma.error)}

    def draw(axes: Axes) -> None:
        draw_series(axes, times, values)
        if len(values) > 1:
            draw_band(axes, result.quantity.value, gamma.error, RED, [float(times[0]), float(times[-1])])
        axes.set_ylabel(name)
        axes.set_title(headline)

    return Panel(draw, name, numbers)


def draw_series(axes: Axes, times: Any, values: Array, color: str = BLUE) -> None:
    axes.plot(times, values, "-" if len(values) > 300 else ".-", linewidth=0.7, markersize=5, color=color)
    axes.set_xlabel("trajectory" if len(times) and times[-1] >= len(times) else "configuration")
    if len(times) == 1:
        axes.set_xticks(times)
    else:
        integer_axis(axes.xaxis)


def _charge_panel(times: Any, charge: Array) -> Panel:
    def draw(axes: Axes) -> None:
        draw_series(axes, times, charge, GREEN)
        axes.set_ylabel("Q, end of the flow")
        axes.set_title("Topological charge")

    return Panel(draw, "charge", {"topological_charge": charge})


def draw_charges(axes: Axes, charge: Array) -> None:
    edges = numpy.arange(math.floor(charge.min()) - 1, math.ceil(charge.max()) + 2) + 0.5
    axes.hist(charge, bins=edges, color=GREEN, alpha=0.75, rwidth=0.92)
    axes.set_xlabel("Q, end of the flow")
    axes.set_ylabel("configurations")
    integer_axis(axes.xaxis)
    integer_axis(axes.yaxis)
    axes.set_title("Distribution of Q")
    axes.grid(axis="x", visible=False)


def _flow(ensemble: Ensemble) -> tuple[Array, Array, Array]:
    times = ensemble.column("flow/t")[0]
    energy, chains = ensemble.weighted_column("flow/clover_energy")
    value, error = jackknife(times**2 * energy, chains=chains)
    return times, value, error


def _flow_panel(ensemble: Ensemble, scale: Result | None) -> Panel:
    times, value, error = _flow(ensemble)
    return Panel(lambda axes: draw_flow(axes, ensemble, times, value, error, scale), "flow",
                 {"t": times, "t2E": value, "t2E_error": error})


def draw_flow(axes: Axes, ensemble: Ensemble, times: Any, value: Array, error: Array, scale: Result | None) -> None:
    axes.plot(times, value, color=BLUE, label="clover")
    if numpy.isfinite(error).all():
        axes.fill_between(times, value - error, value + error, color=BLUE, alpha=0.25, linewidth=0)
    if ensemble.has("flow/plaquette_energy"):
        energy, chains = ensemble.weighted_column("flow/plaquette_energy")
        axes.plot(times, jackknife(times**2 * energy, chains=chains)[0], "--", color=GREY, label="plaquette")
    axes.axhline(TARGET, color=GREY, linewidth=0.8)
    if scale is not None:
        gamma = scale.quantity.gamma()
        written = with_error(scale.quantity.value, gamma.error) if math.isfinite(gamma.error) else f"{scale.quantity.value:.5g}"
        axes.plot([scale.quantity.value] * 2, [0, TARGET], color=RED, linewidth=1.2, label=f"$t_0/a^2$ = {written}")
    axes.set_xlabel("$t/a^2$")
    axes.set_ylabel(r"$t^2 \langle E \rangle$")
    axes.set_title("Gradient flow")
    axes.set_ylim(0, 1.45 * max(float(numpy.nanmax(value)), TARGET))  # with room for the legend
    axes.legend(loc="upper left", fontsize=10)


def pages(ensemble: Ensemble) -> Figures:
    """The panels of the summary once more, each on a page of its own."""
    for made in _single_panels(ensemble):
        figure, axes = new_figure(1, 1)
        made.draw(axes)
        figure.suptitle(title(ensemble), x=0.015, ha="left", fontweight="bold", fontsize=12)
        yield made.name, figure, made.numbers


def _single_panels(ensemble: Ensemble) -> Iterator[Panel]:
    block = Block(ensemble)
    add_measurements(block)
    if _has_history(ensemble):
        yield from history_panels(ensemble)
    seen = set()
    for made in _measured_panels(ensemble, block):
        name = made.name if made.name not in seen else f"{made.name}-histogram"
        seen.add(made.name)
        yield Panel(made.draw, name, made.numbers)
