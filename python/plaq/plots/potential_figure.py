"""The static potential of Wilson loops: log W(r, t)/W(r, t+1) against r, and V(r) with its fit."""
from __future__ import annotations

from typing import TYPE_CHECKING

import numpy

from ..analysis.arrays import Array
from ..analysis.blocks import Block
from ..analysis.correlators import Choice
from ..analysis.potential import add_potential, lattice_coulomb, wilson_loops
from ..analysis.quantities import Settings
from .drawing import BLUE, COLORS, RED, Axes, draw_errors, new_figure
from .header import title
from .page import Figures, Line, Panel, value_of

if TYPE_CHECKING:
    from ..analysis.results import Ensemble

MOST_TIMES = 6
MARKERS = "osv^D<>"


def _effective(ensemble: Ensemble) -> tuple[Array, Array, Array]:
    """r, and V [r][t] with errors between t and t + 1."""
    loops = wilson_loops(ensemble)
    masses = [one.effective() for one in loops]
    shortest = min(map(len, masses))
    value = numpy.array([[m.value for m in one[:shortest]] for one in masses])
    error = numpy.array([[m.gamma().error for m in one[:shortest]] for one in masses])
    return numpy.array([one.distance() for one in loops]), value, error


def pages(ensemble: Ensemble) -> Figures:
    if not ensemble.group("wilson_loops"):
        return
    r, value, error = _effective(ensemble)
    figure, axes = new_figure(1, 1)
    figure.suptitle(title(ensemble), x=0.015, ha="left", fontweight="bold", fontsize=12)
    _draw_effective(axes, r, value, error)
    yield "potential", figure, {"r": r, "t": numpy.arange(value.shape[1]) + 0.5, "potential": value, "potential_error": error}


def _draw_effective(axes: Axes, r: Array, value: Array, error: Array) -> None:
    for i, t in enumerate(range(min(value.shape[1], MOST_TIMES))):
        draw_errors(axes, r, value[:, t], error[:, t], marker=MARKERS[i], markersize=4, color=COLORS[i],
                    label=f"t/a = {t + 0.5:g}")
    axes.set_xlabel("$r/a$")
    axes.set_ylabel(r"$a\,V(r)$")
    axes.set_title("Static potential, log W(r, t - 1/2) / W(r, t + 1/2)")
    axes.legend()


def potential_panel(ensemble: Ensemble) -> tuple[Panel | None, list[Line], list[str]]:
    """(panel, values, notes) of V(r) as the analysis fits it; without a fit of it, of effective potentials."""
    if not ensemble.group("wilson_loops"):
        return None, [], []
    block = Block(ensemble)
    add_potential(block, Choice(), Settings())
    fitted = [result for result in block.results if result.name.startswith("potential r=")]
    values = [value_of(result) for result in block.results if result not in fitted and "creutz" not in result.name]
    notes = [f"{name}: {fact}." for name, fact in block.facts]
    if not fitted:
        r, value, error = _effective(ensemble)
        return Panel(lambda axes: _draw_effective(axes, r, value, error), "potential",
                     {"r": r, "potential": value, "potential_error": error}), values, notes
    steps = {one.name(): one for one in wilson_loops(ensemble)}
    r = numpy.array([steps[result.name].distance() for result in fitted])
    value = numpy.array([result.quantity.value for result in fitted])
    error = numpy.array([result.averaged.total_error() for result in fitted if result.averaged])
    found = {result.name: result.quantity.value for result in block.results}
    cornell = [found[name] for name in ("self-energy V0", "coulomb e", "string tension") if name in found]

    def draw(axes: Axes) -> None:
        draw_errors(axes, r, value, error, marker="o", markersize=5, color=BLUE, label="$V(r)$")
        if len(cornell) == 3:
            v0, e, sigma = cornell
            there = [v0 - e * lattice_coulomb(steps[result.name].r) + sigma * steps[result.name].distance() for result in fitted]
            axes.plot(r, there, "_", color=RED, markersize=14, markeredgewidth=1.4, label=r"$V_0 - e\,[1/r] + \sigma r$")
        axes.set_xlabel("$r/a$")
        axes.set_ylabel(r"$a\,V(r)$")
        axes.set_title("Static potential")
        axes.legend(loc="lower right")

    return Panel(draw, "potential", {"r": r, "potential": value, "potential_error": error}), values, notes
