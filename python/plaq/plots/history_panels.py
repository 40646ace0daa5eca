"""Panels of the history of a Markov chain: its observables, and the trajectories of hmc jobs."""
from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy

from ..analysis.arrays import Array
from ..analysis.trajectories import LARGEST, RMS, UNSTABLE
from .drawing import BLUE, COLORS, GREY, INK, RED, Axes, integer_axis, limits_of, plain_logarithms
from .page import Panel

if TYPE_CHECKING:
    from ..analysis.results import Ensemble

SWEEPS = {"sweep": "compound sweeps", "trajectory": "trajectory"}
WINDOWS = 40  # windows of a running mean in a history
FEWEST_BINS, MOST_BINS = 10, 40
BESIDE = 0.12  # of the width of a panel, for its histogram


def counter_of(ensemble: Ensemble) -> str | None:
    """Name of the numbers of the rows of /history; None: there are no rows."""
    return next((name for name in SWEEPS if ensemble.has(f"history/{name}") and len(ensemble.column(f"history/{name}"))), None)


def history_panels(ensemble: Ensemble) -> list[Panel]:
    """Those of /history, and of /steps where there are such."""
    counter, made = counter_of(ensemble), []
    update, hmc = ensemble.job.get("update", {}), ensemble.job.get("hmc", {})
    skipped = int(update.get("thermalization", 0))
    if counter is not None:
        numbers = ensemble.column(f"history/{counter}")
        behind = numbers - numbers[0] >= skipped
        if ensemble.has("history/plaquette"):
            made.append(_plaquette_panel(numbers, behind, counter, ensemble.column("history/plaquette")))
    if ensemble.has("steps/delta_h") and len(ensemble.column("steps/delta_h")):
        made += _trajectory_panels(ensemble, max(skipped, int(hmc.get("unconditional", 0))))
    if counter is not None and ensemble.has("history/polyakov_loop"):
        made.append(polyakov_panel(ensemble.column("history/polyakov_loop")[behind]))
    return made


def _plaquette_panel(numbers: Array, behind: Array, counter: str, plaquette: Array) -> Panel:
    window = max(1, int(behind.sum()) // WINDOWS)
    middles, means = running_mean(numbers[behind], plaquette[behind], window)

    def draw(axes: Axes) -> None:
        axes.plot(numbers, plaquette, linewidth=0.9, color=BLUE, alpha=0.6 if window > 1 else 1.0)
        _mark_thermalisation(axes, numbers, behind, "thermalisation")
        if window > 1:
            axes.plot(middles, means, linewidth=1.4, color=INK, label=f"mean over {window} rows")
            axes.legend(fontsize=9, loc="lower right", bbox_to_anchor=(1 - BESIDE, 0))
        after = plaquette[behind]
        if len(after):  # the start of a chain is far off
            limits_of(axes, [*after, after.mean() - 6 * after.std(), after.mean() + 6 * after.std()])
        if len(after) >= FEWEST_BINS:
            _histogram_beside(axes, numbers, after)
        axes.set_xlabel(SWEEPS[counter])
        axes.set_ylabel("plaquette")
        integer_axis(axes.xaxis)
        axes.set_title("Average plaquette")

    return Panel(draw, "history", {counter: numbers, "plaquette": plaquette, "running_mean_at": middles, "running_mean": means})


def running_mean(numbers: Array, values: Array, window: int) -> tuple[Array, Array]:
    """(middles, means) of all windows of so many neighbouring rows."""
    if len(values) < window:
        return numpy.zeros(0), numpy.zeros(0)
    weights = numpy.full(window, 1 / window)
    return numpy.convolve(numbers, weights, "valid"), numpy.convolve(values, weights, "valid")


def _histogram_beside(axes: Axes, numbers: Array, values: Array) -> None:
    """On the right edge of the panel, along its y axis, beside the rows."""
    length = float(numbers[-1] - numbers[0])
    axes.set_xlim(numbers[0] - 0.02 * length, numbers[-1] + (BESIDE + 0.02) / (1 - BESIDE) * length)
    beside = axes.inset_axes((1 - BESIDE, 0.0, BESIDE, 1.0))
    beside.hist(values, bins=int(numpy.clip(len(values) // 10, FEWEST_BINS, MOST_BINS)), orientation="horizontal", color=GREY, alpha=0.5)
    beside.set_ylim(axes.get_ylim())
    beside.invert_xaxis()
    beside.set_axis_off()


def _mark_thermalisation(axes: Axes, numbers: Array, behind: Array, word: str = "") -> None:
    if behind.all() or not behind.any():
        return
    axes.axvspan(numbers[0], numbers[behind][0], color=GREY, alpha=0.15, linewidth=0)
    axes.annotate(word, (numbers[0], 0.93), xycoords=("data", "axes fraction"), color=GREY, fontsize=10,
                  xytext=(4, 0), textcoords="offset points")


def _trajectory_panels(ensemble: Ensemble, skipped: int) -> list[Panel]:
    numbers = ensemble.column("steps/trajectory")
    behind = numpy.arange(len(numbers)) >= skipped
    panels = [_energy_panel(ensemble, numbers, behind)]
    if forces := _forces(ensemble):
        panels.append(_force_panel(numbers, behind, forces))
    if ensemble.has("steps/iterations") and ensemble.column("steps/iterations").any():
        panels.append(_iteration_panel(numbers, behind, ensemble.column("steps/iterations")))
    return panels


def _energy_panel(ensemble: Ensemble, numbers: Array, behind: Array) -> Panel:
    delta_h = ensemble.column("steps/delta_h")
    accepted = ensemble.column("steps/accepted") == 1 if ensemble.has("steps/accepted") else numpy.isfinite(delta_h)
    stable = numpy.isfinite(delta_h) & (delta_h < UNSTABLE)

    def draw(axes: Axes) -> None:
        for chosen, color, word in ((stable & accepted, BLUE, "accepted"), (stable & ~accepted, RED, "rejected")):
            if chosen.any():
                axes.plot(numbers[chosen], delta_h[chosen], ".", markersize=4, color=color, label=f"{word} ({(chosen & behind).sum()})")
        _mark_thermalisation(axes, numbers, behind)
        axes.axhline(0, color=GREY, linewidth=0.8)
        limits_of(axes, delta_h[stable & behind], 0.1)
        low, high = axes.get_ylim()
        axes.set_ylim(low, high + 0.3 * (high - low))  # with room for the legend
        if not stable.all():  # those without a place on the axis
            axes.plot(numbers[~stable], numpy.full((~stable).sum(), 0.02), "x", markersize=5, color=RED, clip_on=False,
                      transform=axes.get_xaxis_transform(), label=f"failed or unstable ({(~stable & behind).sum()})")
        axes.set_xlabel("trajectory")
        axes.set_ylabel("dH")
        integer_axis(axes.xaxis)
        kept = accepted[behind]
        axes.set_title("dH" + (f", {100 * kept.mean():.0f}% accepted" if len(kept) else ""))
        axes.legend(fontsize=9, loc="upper right", ncols=2, columnspacing=1.0, handletextpad=0.2)

    return Panel(draw, "delta_h", {"trajectory": numbers, "delta_h": delta_h, "accepted": accepted.astype(int)})


def _forces(ensemble: Ensemble) -> dict[str, Array]:
    """Of each term of the action, its rms and largest force on a link."""
    names = [name for name in ensemble.group("steps") if name.startswith((RMS, LARGEST))]
    found = {name: ensemble.column(f"steps/{name}") for name in names}
    return {name: values for name, values in found.items() if numpy.isfinite(values).any()}


def _force_panel(numbers: Array, behind: Array, forces: dict[str, Array]) -> Panel:
    def draw(axes: Axes) -> None:
        terms = [name[len(RMS):] for name in forces if name.startswith(RMS)]
        for i, term in enumerate(terms):
            color = COLORS[i % len(COLORS)]
            axes.semilogy(numbers, forces[RMS + term], linewidth=1.2, color=color, label=term)
            if LARGEST + term in forces:
                axes.semilogy(numbers, forces[LARGEST + term], linewidth=0.7, linestyle=":", color=color)
        _mark_thermalisation(axes, numbers, behind)
        axes.set_xlabel("trajectory")
        axes.set_ylabel("|F| of a link")
        integer_axis(axes.xaxis)
        plain_logarithms(axes.yaxis)
        low, high = axes.get_ylim()
        axes.set_ylim(low, high * (high / low)**(0.15 + 0.1 * math.ceil(len(terms) / 2)))  # with room for the legend
        axes.set_title("Forces: rms, and largest (dotted)")
        axes.legend(fontsize=9, loc="upper right", ncols=2, columnspacing=1.0, handlelength=1.2)

    return Panel(draw, "forces", {"trajectory": numbers, **forces})


def _iteration_panel(numbers: Array, behind: Array, iterations: Array) -> Panel:
    def draw(axes: Axes) -> None:
        axes.plot(numbers, iterations, linewidth=0.9, color=BLUE)
        _mark_thermalisation(axes, numbers, behind)
        if behind.any():
            axes.axhline(iterations[behind].mean(), color=RED, linewidth=1.0)
            limits_of(axes, iterations[behind], 0.3)
        axes.set_xlabel("trajectory")
        axes.set_ylabel("iterations")
        integer_axis(axes.xaxis)
        axes.set_title("Iterations of a trajectory")

    return Panel(draw, "iterations", {"trajectory": numbers, "iterations": iterations})


def polyakov_panel(loop: Array) -> Panel:
    """The Polyakov loop of each row [real, imaginary] in the complex plane."""
    def draw(axes: Axes) -> None:
        axes.plot(loop[:, 0], loop[:, 1], ".", markersize=4, color=BLUE, alpha=0.7)
        reach = 1.15 * max(abs(loop).max(), 1e-6) if len(loop) else 1
        axes.set_xlim(-reach, reach)
        axes.set_ylim(-reach, reach)
        axes.set_aspect("equal")
        axes.locator_params(nbins=5)
        axes.axhline(0, color=GREY, linewidth=0.6)
        axes.axvline(0, color=GREY, linewidth=0.6)
        axes.set_xlabel("Re L")
        axes.set_ylabel("Im L")
        axes.set_title("Polyakov loop")

    return Panel(draw, "polyakov_loop", {"polyakov_loop": loop})
