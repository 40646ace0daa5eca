"""Figures of scaling studies: time, efficiency and exposed communication against the number of ranks, measured and as
the model expects them."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import matplotlib.figure
import numpy

from ..analysis.arrays import Array
from ..analysis.attributes import text
from .drawing import COLORS, GREY, Axes
from .page import Figures, Numbers, Panel, summary_page

if TYPE_CHECKING:
    from ..analysis.results import Ensemble, ResultFile

Curve = tuple[str, str]  # kind of scaling, lattice

MARKERS = ("o", "s", "^", "D", "v", "P")
PANELS = (("microseconds", "time of an application [us]"), ("efficiency", "efficiency"),
          ("exposed", "exposed communication, share of the time"))


MOST_LATTICES = 4  # of a summary


def summary(ensemble: Ensemble) -> Figures:
    """Efficiency of each lattice, a line for each operator: of its fastest storage, number of right-hand sides and
    transport on the most ranks."""
    file = ensemble.files[0]
    if "scaling/microseconds" not in file.file or "points" not in file.file:
        return
    study = Study(file)
    panels, values = [], []
    for kind, lattice in list(dict.fromkeys(study.curves))[:MOST_LATTICES]:
        curve = (kind, lattice)
        lines = {name: study.best(curve, o) for o, name in enumerate(study.operators)}
        panels.append(_efficiency_panel(study, curve, lines))
        most = study.ranks_of(curve)[-1]
        values.append((f"{kind}, {lattice}, {most} ranks", "", "", ""))
        values += [(name.replace("_", " "), f"{100 * efficiency[-1]:.3g}%", label, "") for name, (label, efficiency) in lines.items()]
    left_out = len(dict.fromkeys(study.curves)) - len(panels)
    notes = ["Efficiency: of strong scaling n0 T0 / (n T), of weak scaling T0 / T; the fastest storage, right-hand sides and transport of "
             "each operator." + (f" {left_out} lattices more with --all." if left_out else "")]
    figure, numbers = summary_page("Scaling study", panels, values, notes)
    yield "summary", figure, numbers


def _efficiency_panel(study: Study, curve: Curve, lines: dict[str, tuple[str, Array]]) -> Panel:
    ranks = study.ranks_of(curve)
    numbers = {"ranks": numpy.array(ranks), **{name: efficiency for name, (_, efficiency) in lines.items()}}

    def draw(axes: Axes) -> None:
        for i, (name, (_, efficiency)) in enumerate(lines.items()):
            axes.plot(ranks, efficiency, marker=MARKERS[i % len(MARKERS)], markersize=5, color=COLORS[i % len(COLORS)],
                      label=name.replace("_", " "))
        axes.axhline(1, color=GREY, linewidth=0.8)
        axes.set_xscale("log", base=2)
        axes.set_xticks(ranks, [str(n) for n in ranks])
        axes.minorticks_off()
        axes.set_ylim(bottom=0)
        axes.set_xlabel("ranks")
        axes.set_ylabel("efficiency")
        axes.set_title(f"Strong scaling, {curve[1]}" if curve[0] == "strong" else f"Weak scaling, {curve[1]} on each rank")
        axes.legend(loc="lower left", fontsize=10)

    return Panel(draw, f"efficiency-{curve[0]}-{curve[1]}", numbers)


def pages(ensemble: Ensemble) -> Figures:
    """One figure for each lattice and operator; a line for each storage, number of right-hand sides and transport. Of
    several process grids of as many ranks the fastest counts."""
    file = ensemble.files[0]
    if "scaling/microseconds" not in file.file or "points" not in file.file:
        return
    study = Study(file)
    for kind, lattice in dict.fromkeys(study.curves):
        for operator, name in enumerate(study.operators):
            figure = matplotlib.figure.Figure(layout="constrained", figsize=(15, 4.8))
            panels = figure.subplots(1, len(PANELS))
            numbers = _draw(panels, study, (kind, lattice), operator)
            figure.suptitle(f"{name}, " + (f"strong scaling of {lattice}" if kind == "strong" else
                                           f"weak scaling, {lattice} on each rank"))
            yield f"scaling-{kind}-{lattice}-{name}", figure, numbers


class Study:
    def __init__(self, file: ResultFile) -> None:
        points, scaling = file.file["points"], file.file["scaling"]
        kinds, transports = ([text(x) for x in points.attrs[name]] for name in ("kinds", "transports"))
        self.ranks = numpy.asarray(points["ranks"])
        self.transports = [transports[i] for i in points["transport"]]
        self.curves = [(kinds[kind], "x".join(str(int(n)) for n in lattice))
                       for kind, lattice in zip(points["kind"], points["lattice"])]
        self.operators, self.storages = ([text(x) for x in scaling.attrs[name]]
                                         for name in ("operators", "storages"))
        self.batches = [int(n) for n in scaling.attrs["right_hand_sides"]]
        self.reference = numpy.asarray(points["reference"])
        self.measured = {"microseconds": file.array("scaling/microseconds"),
                         "efficiency": file.array("scaling/efficiency")}
        self.measured["exposed"] = file.array("scaling/exposed_microseconds") / self.measured["microseconds"]
        self.model = self._model(file)

    def _model(self, file: ResultFile) -> dict[str, Array] | None:
        time = file.find("scaling/predicted_microseconds")
        if time is None:
            return None
        shares = [1 if kind == "weak" else self.ranks[r] / n
                  for (kind, _), n, r in zip(self.curves, self.ranks, self.reference)]
        efficiency = numpy.array([share * time[r] / here for share, here, r in zip(shares, time, self.reference)])
        exposed = file.array("scaling/predicted_exposed_microseconds") / time
        return {"microseconds": time, "efficiency": efficiency, "exposed": exposed}

    def line(self, curve: Curve, transport: str, values: Array, order: Array, at: tuple[int, int, int]) -> Array:
        """By number of ranks: the point whose `order` is least among those of the curve and transport; one without a
        transport, on one rank, stands for all. NaN where there is none."""
        found = []
        for n in self.ranks_of(curve):
            there = [i for i, c in enumerate(self.curves) if c == curve and self.ranks[i] == n
                     and (self.transports[i] == transport or n == 1 and self.transports[i] == "auto")]
            found.append(values[min(there, key=lambda i: order[i][at])][at] if there else numpy.nan)
        return numpy.array(found)

    def best(self, curve: Curve, operator: int) -> tuple[str, Array]:
        """(words, efficiency by ranks) of what is fastest on the most ranks."""
        found = []
        for s, storage in enumerate(self.storages):
            for r, batch in enumerate(self.batches):
                for transport in self.transports_of(curve):
                    at = (operator, s, r)
                    time, efficiency = (self.line(curve, transport, self.measured[name], self.measured["microseconds"], at)
                                        for name in ("microseconds", "efficiency"))
                    if numpy.isfinite(time[-1]):
                        found.append((time[-1] / batch, (f"{storage}, {batch} rhs", efficiency)))
        return min(found, key=lambda one: one[0])[1] if found else ("", numpy.full(len(self.ranks_of(curve)), numpy.nan))

    def ranks_of(self, curve: Curve) -> list[int]:
        return sorted({int(n) for n, c in zip(self.ranks, self.curves) if c == curve})

    def transports_of(self, curve: Curve) -> list[str]:
        all_of_it = dict.fromkeys(t for t, c in zip(self.transports, self.curves) if c == curve)
        others = [t for t in all_of_it if t != "auto"]
        several = any(t == "auto" and c == curve and n > 1
                      for t, c, n in zip(self.transports, self.curves, self.ranks))
        return others if others and not several else list(all_of_it)


def _draw(panels: Any, study: Study, curve: Curve, operator: int) -> Numbers:
    ranks = study.ranks_of(curve)
    numbers = {"ranks": numpy.array(ranks)}
    number = 0
    for s, storage in enumerate(study.storages):
        for r, batch in enumerate(study.batches):
            for t, transport in enumerate(study.transports_of(curve)):
                at, label = (operator, s, r), f"{storage}, {batch} rhs, {transport}"
                style = {"color": f"C{number % 10}", "marker": MARKERS[t % len(MARKERS)], "markersize": 4}
                number += 1
                order = study.measured["microseconds"]
                for axes, (name, _) in zip(panels, PANELS):
                    numbers[f"{label}: {name}"] = study.line(curve, transport, study.measured[name], order, at)
                    axes.plot(ranks, numbers[f"{label}: {name}"], label=label, **style)
                    if study.model is not None:
                        expected = study.line(curve, transport, study.model[name], order, at)
                        numbers[f"{label}: {name}, model"] = expected
                        axes.plot(ranks, expected, linestyle=":", color=style["color"], linewidth=1)
    for axes, (name, label) in zip(panels, PANELS):
        axes.set_xscale("log", base=2)
        axes.set_xticks(ranks, [str(n) for n in ranks])
        axes.set_xlabel("ranks")
        axes.set_ylabel(label + (" (dotted: model)" if study.model is not None else ""))
        if name == "microseconds":
            axes.set_yscale("log")
        else:
            axes.set_ylim(bottom=0)
    panels[1].axhline(1, color="grey", linewidth=0.8)
    panels[0].legend(fontsize="x-small")
    return numbers
