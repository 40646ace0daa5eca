"""The figures of a result: each a name, a figure of matplotlib, and the numbers that are drawn."""
from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from . import (correlator_figures, gauge_figures, gaugefix_figures, gluon_figures, kernel_figures,
               potential_figure, quark_figures, scaling_figures, solver_figures, stability_figures)
from .drawing import styled
from .page import Figures

if TYPE_CHECKING:
    from ..analysis.results import Ensemble
    from .correlator_data import Wanted

# One page that shows all of each kind of results, and the pages of details.
KINDS: dict[str, tuple[Callable[..., Figures], ...]] = {"correlators": (correlator_figures.summary,),
         "gauge": (gauge_figures.summary, gauge_figures.pages, potential_figure.pages),
         "fixing": (gaugefix_figures.summary, gaugefix_figures.pages),
         "gluon": (gluon_figures.summary, gluon_figures.pages),
         "quark": (quark_figures.summary, quark_figures.pages),
         "kernels": (kernel_figures.summary, kernel_figures.pages),
         "scaling": (scaling_figures.summary, scaling_figures.pages),
         "solvers": (solver_figures.summary, solver_figures.pages)}


@styled
def all_figures(ensemble: Ensemble, wanted: Wanted) -> Figures:
    """The summaries; with `wanted.every` all else; where channels or momenta are wanted, the pages of these alone."""
    if wanted.stability:
        yield from stability_figures.pages(ensemble, wanted)
        return
    if wanted.details():
        yield from correlator_figures.details(ensemble, wanted)
        return
    there = 0
    for kind, (summary, *_) in KINDS.items():
        made = summary(ensemble, wanted.fits) if kind == "correlators" else summary(ensemble)
        for name, figure, numbers in made:
            yield (f"{name}-{kind}" if there else name), figure, numbers
            there += 1
    if wanted.every:
        yield from correlator_figures.details(ensemble, wanted)
        for _, *pages in KINDS.values():
            for make in pages:
                yield from make(ensemble)
