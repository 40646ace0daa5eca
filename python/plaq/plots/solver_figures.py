"""The figures of a solver study: iterations, time to solution and speed-up against the quark mass."""
from __future__ import annotations

from typing import Any

import matplotlib.figure
import numpy

from ..analysis.arrays import Array
from ..analysis.attributes import text
from ..analysis.results import Ensemble, NotAResult
from .drawing import COLORS, Axes, Figure
from .header import title
from .page import Figures, Line, Numbers, Panel, summary_page

MARKERS = "os^Dvp"
SCHEMES = (("none", "one precision"), ("defect correction", "defect correction"),
           ("reliable updates", "reliable updates"))


class Study:
    """Averages [mass][solver], masses ascending; NaN where some right-hand side did not converge."""

    def __init__(self, file: Any) -> None:
        outcome = numpy.asarray(file["solves/outcome"])  # configuration, mass, solver, source
        if outcome.ndim != 4:
            raise NotAResult(f"/solves/outcome: expected axes configuration, mass, solver, source, found "
                                     f"{outcome.ndim} axes")
        masses = numpy.asarray(file["action"].attrs["masses"], dtype=float)
        order = numpy.argsort(masses)
        attributes = file["study"].attrs
        self.masses = masses[order]
        self.kappas = numpy.asarray(file["action"].attrs["kappas"], dtype=float)[order]
        self.solvers = [text(name) for name in attributes["solvers"]]
        self.schemes = [text(name) for name in attributes["schemes"]]
        self.baseline = text(attributes["baseline"])
        self.converged = (outcome == 0).all(axis=(0, 3))[order]
        mixed = numpy.array([scheme != "none" for scheme in self.schemes])
        # Restarts and reliable updates count as iterations, as in tables 4 and 5 of Clark et al. 2010.
        counted = numpy.asarray(file["solves/iterations"]) + numpy.asarray(file["solves/updates"]) * mixed[:, None]
        self.iterations = self._average(counted, order)
        self.seconds = self._average(file["solves/seconds"], order)
        self.speedup = self.seconds[:, [self.solvers.index(self.baseline)]] / self.seconds

    def _average(self, dataset: Any, order: Array) -> Array:
        mean = numpy.asarray(dataset, dtype=float).mean(axis=(0, 3))[order]
        return numpy.where(self.converged, mean, numpy.nan)

    def fastest(self) -> list[int]:
        """Solvers by their time at the lightest mass where they converge; those that converge nowhere are last."""
        def key(i: int) -> tuple[int, float]:
            there = numpy.flatnonzero(numpy.isfinite(self.seconds[:, i]))
            return (there[0], self.seconds[there[0], i]) if len(there) else (len(self.masses), 0.0)

        return sorted(range(len(self.solvers)), key=key)

    def numbers(self, values: Array) -> Numbers:
        """By the name of the solver, beside the masses."""
        return {"mass": self.masses, "kappa": self.kappas,
                **{solver: values[:, i] for i, solver in enumerate(self.solvers)}}


MOST_SOLVERS = 6  # of a summary


def summary(ensemble: Ensemble) -> Figures:
    """The fastest solvers beside the baseline, and their speed-up at the lightest mass where they converge."""
    file = ensemble.files[0].file
    if "study" not in file or "solves/outcome" not in file:
        return
    study = Study(file)
    order = study.fastest()
    base = study.solvers.index(study.baseline)
    shown = ([base] + [i for i in order if i != base])[:MOST_SOLVERS]
    panels = [_summary_panel(study, study.seconds, shown, "seconds", "Time to solution [s]", True),
              _summary_panel(study, study.iterations, shown, "iterations", "Iterations", True),
              _summary_panel(study, study.speedup, shown, "speedup", "Speed-up against the baseline", False)]
    lightest = f"mass {study.masses[0]:.6g}, κ {study.kappas[0]:.6g}"
    values: list[Line] = [(f"Seconds (speed-up) at {lightest}", "", "", "")]
    for number, i in enumerate(shown):
        line = f"{study.seconds[0, i]:.3g} s ({study.speedup[0, i]:.3g})" if numpy.isfinite(study.seconds[0, i]) else "not converged"
        values.append((_shorter(study.solvers[i]), line + (", the baseline" if i == base else ""), COLORS[number]))
    more = len(study.solvers) - len(shown)
    notes = [f"{more} solvers more with --all."] if more else []
    figure, numbers = summary_page(title(ensemble, len(file["solves/outcome"])), panels, values, notes)
    yield "summary", figure, {f"solvers-{name}": found for name, found in numbers.items()}


def _summary_panel(study: Study, values: Array, shown: list[int], name: str, headline: str, logarithmic: bool) -> Panel:
    def draw(axes: Axes) -> None:
        for number, i in enumerate(shown):
            axes.plot(study.masses, values[:, i], marker=MARKERS[number], markersize=5, color=COLORS[number])
        if logarithmic and numpy.isfinite(values[:, shown]).any():
            axes.set_yscale("log")
        axes.set_xlabel("bare quark mass")
        axes.locator_params(axis="x", nbins=6)
        axes.set_title(headline)

    return Panel(draw, name, study.numbers(values))


def _shorter(solver: str) -> str:
    return solver.replace("reliable updates", "reliable").replace("defect correction", "defect")


def pages(ensemble: Ensemble) -> Figures:
    file = ensemble.files[0].file
    if "study" not in file or "solves/outcome" not in file:
        return
    study = Study(file)
    for name, values, label in (("iterations", study.iterations, "iterations"),
                                ("seconds", study.seconds, "time to solution [s]"),
                                ("speedup", study.speedup, f"speed-up against {study.baseline}")):
        yield f"solvers-{name}", _panels(study, values, label), study.numbers(values)


def _panels(study: Study, values: Array, label: str) -> Figure:
    """One panel a scheme, one curve a solver; a cross at the top where a solver did not converge."""
    schemes = [scheme for scheme in SCHEMES if scheme[0] in study.schemes]
    figure = matplotlib.figure.Figure(layout="constrained", figsize=(1.0 + 5.4 * len(schemes), 5.6))
    panels = figure.subplots(1, len(schemes), sharey=True, squeeze=False)[0]
    for axes, (scheme, headline) in zip(panels, schemes):
        for number, i in enumerate(i for i, its in enumerate(study.schemes) if its == scheme):
            _curve(axes, study, i, values[:, i], number)
        axes.set_title(headline)
        axes.set_xlabel("bare quark mass")
        axes.legend(fontsize="x-small", loc="upper center", bbox_to_anchor=(0.5, -0.12))
    panels[0].set_ylabel(label)
    if not label.startswith("speed-up") and numpy.isfinite(values).any():
        panels[0].set_yscale("log")
    return figure


def _curve(axes: Axes, study: Study, solver: int, values: Array, number: int) -> None:
    style = {"color": f"C{number % 10}", "linestyle": "-" if number < 10 else "--"}
    axes.plot(study.masses, values, marker="o", markersize=4, label=study.solvers[solver], **style)
    failed = study.masses[~study.converged[:, solver]]
    if len(failed):
        axes.plot(failed, numpy.full(len(failed), 0.97), "x", color=style["color"], markersize=7,
                  transform=axes.get_xaxis_transform())
