"""The figures of a gluon job: dressing functions of gluon and ghost, or equal-time propagators, against momentum."""
from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy

from ..analysis.arrays import Array
from ..analysis.jackknife import jackknife
from ..analysis.notation import with_error
from ..analysis.propagators import survives_cuts
from .drawing import BLUE, GREY, RED, Axes, draw_errors
from .header import title
from .page import Figures, Panel, panel_pages, summary_page

if TYPE_CHECKING:
    from ..analysis.chains import Chains
    from ..analysis.results import Ensemble

GLUON = (("dressing", r"$p^2 D(p^2)$", "Gluon dressing function"),
         ("spatial", r"$|p|\,D(p)$", "Gluon propagator at equal times"))


def summary(ensemble: Ensemble) -> Figures:
    panels = list(_panels(ensemble))
    if not panels:
        return
    count = _count(ensemble)
    values = [(f"{name}, p = {p:.3g}", with_error(value, error) if numpy.isfinite(error) else f"{value:.5g}", "", "")
              for panel in panels for name, p, value, error in _highlights(panel)]
    notes = ["Grey: all momenta; blue: those that survive the cuts by cylinder and cone. Errors are those over configurations, without "
             "autocorrelations."]
    notes += ["One configuration: there are no errors."] if count == 1 else []
    figure, numbers = summary_page(title(ensemble, count), panels, values, notes)
    yield "summary", figure, numbers


def pages(ensemble: Ensemble) -> Figures:
    yield from panel_pages(title(ensemble, _count(ensemble)), _panels(ensemble))


def _count(ensemble: Ensemble) -> int | None:
    name = next((f"gluon/{name}" for name, _, _ in GLUON if ensemble.has(f"gluon/{name}")), "ghost/dressing")
    return len(ensemble.column(name)) if ensemble.has(name) else None


def _highlights(panel: Panel) -> Iterator[tuple[str, float, float, float]]:
    """The maximum, and the largest momentum, of what survives the cuts."""
    p, value, error, shown = (panel.numbers[name] for name in ("p", "dressing", "dressing_error", "survives"))
    at = numpy.flatnonzero((shown == 1) & numpy.isfinite(value) & (p > 0))
    symbol = panel.name
    if not len(at):
        return
    peak, last = at[numpy.argmax(value[at])], at[numpy.argmax(p[at])]
    yield f"{symbol}, peak", p[peak], value[peak], error[peak]
    if last != peak:
        yield symbol, p[last], value[last], error[last]


def _panels(ensemble: Ensemble) -> Iterator[Panel]:
    if not ensemble.has("momenta/p_squared"):
        return
    first = ensemble.files[0]
    square = first.array("momenta/p_squared")
    survives = survives_cuts(first, "momenta")
    momentum, away = numpy.sqrt(square), square > 0
    for name, label, headline in GLUON:
        if ensemble.has(f"gluon/{name}"):
            values, chains = ensemble.weighted_column(f"gluon/{name}")
            scaled = values if name == "dressing" else values * momentum
            yield _panel("gluon", momentum, scaled, [(away & ~survives, "all", GREY), (away & survives, "after both cuts", BLUE)],
                         label, headline, survives, chains)
    which = first.find("ghost/momentum")
    if which is not None and ensemble.has("ghost/dressing"):
        everywhere = numpy.ones(len(which), dtype=bool)
        values, chains = ensemble.weighted_column("ghost/dressing")
        yield _panel("ghost", momentum[which], values, [(everywhere, None, RED)], r"$p^2 G(p^2)$", "Ghost dressing function", everywhere,
                     chains)


def _panel(name: str, momentum: Array, samples: Array, groups: list[tuple[Array, str | None, str]], label: str, headline: str,
           survives: Array, chains: Chains | None) -> Panel:
    value, error = jackknife(samples, chains=chains)

    def draw(axes: Axes) -> None:
        for chosen, of, color in groups:
            if chosen.any():
                draw_errors(axes, momentum[chosen], value[chosen], error[chosen], marker="o", markersize=3.5, color=color, label=of)
        axes.set_xlabel(r"$a\,|p|$")
        axes.set_ylabel(label)
        axes.set_xlim(left=0)
        axes.set_title(headline)
        if any(of for _, of, _ in groups):
            axes.legend(loc="best")

    return Panel(draw, name, {"p": momentum, "dressing": value, "dressing_error": error, "survives": survives.astype(int)})
