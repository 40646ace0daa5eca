"""The figures of the solves of a study: iterations, time to solution and speed-up against the quark mass."""
from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import matplotlib.figure
import numpy

from ..analysis.arrays import Array
from .drawing import COLORS, Axes, Figure, plain_logarithms
from .header import title
from .page import Figures, Line, Numbers, Panel, summary_page
from .rows import Row, is_solve, rows_of, unique

if TYPE_CHECKING:
    from ..analysis.results import Ensemble

MARKERS = "os^Dvp"
SCHEMES = (("none", "one precision"), ("defect correction", "defect correction"),
           ("reliable updates", "reliable updates"))


def _scheme_of(solver: str) -> str:
    return next((scheme for scheme, _ in SCHEMES if scheme in solver), "none")


class Study:
    """Averages [mass][solver] over gauge fields and sources, masses ascending; NaN where some right-hand side did not converge. The
    first solver is the baseline."""

    def __init__(self, rows: list[Row]) -> None:
        self.masses = numpy.array(sorted({row["mass"] for row in rows}))
        self.kappas = 1 / (2 * (4 + self.masses))
        self.solvers = unique(row["target"] for row in rows)
        self.schemes = [_scheme_of(solver) for solver in self.solvers]
        self.baseline = self.solvers[0]
        self.count = len({row.get("configuration", "") for row in rows})
        there = [[[row for row in rows if row["mass"] == mass and row["target"] == solver] for solver in self.solvers]
                 for mass in self.masses]
        self.converged = numpy.array([[bool(found) and all(row["outcome"] == "converged" for row in found) for found in line]
                                      for line in there])
        # Restarts and reliable updates count as iterations, as in tables 4 and 5 of Clark et al. 2010.
        self.iterations = self._average(there, lambda row: row["iterations"]
                                        + (row["updates"] if _scheme_of(row["target"]) != "none" else 0))
        self.seconds = self._average(there, lambda row: row["seconds_least"])
        self.speedup = self.seconds[:, [0]] / self.seconds

    def _average(self, there: list[list[list[Row]]], value: Callable[[Row], float]) -> Array:
        mean = numpy.array([[numpy.mean([value(row) for row in found]) if found else numpy.nan for found in line] for line in there])
        return numpy.where(self.converged, mean, numpy.nan)

    def fastest(self) -> list[int]:
        """Solvers by their time at the lightest mass where they converge; those that converge nowhere are last."""
        def key(i: int) -> tuple[int, float]:
            there = numpy.flatnonzero(numpy.isfinite(self.seconds[:, i]))
            return (int(there[0]), float(self.seconds[there[0], i])) if len(there) else (len(self.masses), 0.0)

        return sorted(range(len(self.solvers)), key=key)

    def numbers(self, values: Array) -> Numbers:
        """By the name of the solver, beside the masses."""
        return {"mass": self.masses, "kappa": self.kappas,
                **{solver: values[:, i] for i, solver in enumerate(self.solvers)}}


MOST_SOLVERS = 6  # of a summary


def summary(ensemble: Ensemble) -> Figures:
    """The fastest solvers beside the baseline, and their speed-up at the lightest mass where they converge."""
    rows = [row for row in rows_of(ensemble.files[0].file) if is_solve(row)]
    if not rows:
        return
    study = Study(rows)
    order = study.fastest()
    base = study.solvers.index(study.baseline)
    shown = ([base] + [i for i in order if i != base])[:MOST_SOLVERS]
    panels = [_summary_panel(study, study.seconds, shown, "seconds", "time [s]", "Time to solution", True),
              _summary_panel(study, study.iterations, shown, "iterations", "iterations", "Iterations", True),
              _summary_panel(study, study.speedup, shown, "speedup", "speed-up", "Speed-up against the baseline", False)]
    lightest = f"mass {study.masses[0]:.6g}, κ {study.kappas[0]:.6g}"
    values: list[Line] = [(f"Seconds (speed-up) at {lightest}", "", "", "")]
    for number, i in enumerate(shown):
        line = f"{study.seconds[0, i]:.3g} s ({study.speedup[0, i]:.3g})" if numpy.isfinite(study.seconds[0, i]) else "not converged"
        values.append((_shorter(study.solvers[i]), line + (", the baseline" if i == base else ""), COLORS[number]))
    more = len(study.solvers) - len(shown)
    notes = [f"{more} solvers more with --all."] if more else []
    figure, numbers = summary_page(title(ensemble, study.count), panels, values, notes)
    yield "summary", figure, {f"solvers-{name}": found for name, found in numbers.items()}


def _summary_panel(study: Study, values: Array, shown: list[int], name: str, label: str, headline: str,
                   logarithmic: bool) -> Panel:
    def draw(axes: Axes) -> None:
        for number, i in enumerate(shown):
            axes.plot(study.masses, values[:, i], marker=MARKERS[number], markersize=5, color=COLORS[number])
        if logarithmic and numpy.isfinite(values[:, shown]).any():
            axes.set_yscale("log")
            plain_logarithms(axes.yaxis)
        axes.set_xlabel("bare quark mass, $a\\,m$")
        axes.set_ylabel(label)
        axes.locator_params(axis="x", nbins=6)
        axes.set_title(headline)

    return Panel(draw, name, study.numbers(values))


def _shorter(solver: str) -> str:
    return solver.replace("reliable updates", "reliable").replace("defect correction", "defect")


def pages(ensemble: Ensemble) -> Figures:
    rows = [row for row in rows_of(ensemble.files[0].file) if is_solve(row)]
    if not rows:
        return
    study = Study(rows)
    for name, values, label in (("iterations", study.iterations, "iterations"),
                                ("seconds", study.seconds, "time to solution [s]"),
                                ("speedup", study.speedup, f"speed-up against {study.baseline}")):
        yield f"solvers-{name}", _panels(study, values, label), study.numbers(values)


def _panels(study: Study, values: Array, label: str) -> Figure:
    """One panel a scheme, one curve a solver; a cross at the top where a solver did not converge."""
    schemes = [scheme for scheme in SCHEMES if scheme[0] in study.schemes]
    figure = matplotlib.figure.Figure(layout="constrained", figsize=(1.0 + 5.4 * len(schemes), 5.6))
    panels = figure.subplots(1, len(schemes), sharey=True, squeeze=False)[0]
    for axes, (scheme, heading) in zip(panels, schemes):
        for number, i in enumerate(i for i, its in enumerate(study.schemes) if its == scheme):
            _curve(axes, study, i, values[:, i], number)
        axes.set_title(heading)
        axes.set_xlabel("bare quark mass, $a\\,m$")
        axes.legend(fontsize="x-small", loc="upper center", bbox_to_anchor=(0.5, -0.12))
    panels[0].set_ylabel(label)
    if not label.startswith("speed-up") and numpy.isfinite(values).any():
        panels[0].set_yscale("log")
        plain_logarithms(panels[0].yaxis)
    return figure


def _curve(axes: Axes, study: Study, solver: int, values: Array, number: int) -> None:
    style = {"color": f"C{number % 10}", "linestyle": "-" if number < 10 else "--"}
    axes.plot(study.masses, values, marker="o", markersize=4, label=study.solvers[solver], **style)
    failed = study.masses[~study.converged[:, solver]]
    if len(failed):
        axes.plot(failed, numpy.full(len(failed), 0.97), "x", color=style["color"], markersize=7,
                  transform=axes.get_xaxis_transform())
