"""Figures of the scaling of a study: time, efficiency and exposed communication against the number of ranks, measured and as the
model expects them."""
from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import matplotlib.figure
import numpy

from ..analysis.arrays import Array
from .drawing import COLORS, GREY, Axes
from .page import Figures, Numbers, Panel, summary_page
from .rows import Row, is_rate, rows_of, size, unique, variant

if TYPE_CHECKING:
    from ..analysis.results import Ensemble

MARKERS = ("o", "s", "^", "D", "v", "P")
PANELS = (("seconds", "time of an application [s]"), ("efficiency", "efficiency"),
          ("exposed", "exposed communication, share of the time"))

MOST_LATTICES = 4  # of a summary

Curve = tuple[str, tuple[int, ...]]


def summary(ensemble: Ensemble) -> Figures:
    """Efficiency of each lattice, a line for each target: of its fastest storage, number of right-hand sides and transport on the
    most ranks."""
    study = Study(ensemble.files[0].file)
    if not study.curves:
        return
    panels, values = [], []
    for curve in study.curves[:MOST_LATTICES]:
        lines = {target: study.best(curve, target) for target in study.targets(curve)}
        panels.append(_efficiency_panel(study, curve, lines))
        values.append((f"{curve[0]}, {size(curve[1])}, {study.ranks(curve)[-1]} ranks", "", "", ""))
        values += [(name.replace("_", " "), f"{100 * efficiency[-1]:.3g}%", label, "") for name, (label, efficiency) in lines.items()]
    left_out = len(study.curves) - len(panels)
    notes = ["Efficiency: of strong scaling n0 T0 / (n T), of weak scaling T0 / T; the fastest storage, right-hand sides and transport of "
             "each target." + (f" {left_out} lattices more with --all." if left_out else "")]
    figure, numbers = summary_page("Scaling study", panels, values, notes)
    yield "summary", figure, numbers


def _title(curve: Curve) -> str:
    return f"Strong scaling, {size(curve[1])}" if curve[0] == "strong" else f"Weak scaling, {size(curve[1])} on each rank"


def _efficiency_panel(study: Study, curve: Curve, lines: dict[str, tuple[str, Array]]) -> Panel:
    ranks = study.ranks(curve)

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
        axes.set_title(_title(curve))
        axes.legend(loc="lower left", fontsize=10)

    numbers = {"ranks": numpy.array(ranks), **{name: efficiency for name, (_, efficiency) in lines.items()}}
    return Panel(draw, f"efficiency-{curve[0]}-{size(curve[1])}", numbers)


def pages(ensemble: Ensemble) -> Figures:
    """One figure for each lattice and target; a line for each storage, number of right-hand sides and transport. Of several process
    grids of as many ranks the fastest counts."""
    study = Study(ensemble.files[0].file)
    for curve in study.curves:
        for target in study.targets(curve):
            figure = matplotlib.figure.Figure(layout="constrained", figsize=(15, 4.8))
            numbers = _draw(figure.subplots(1, len(PANELS)), study, curve, target)
            figure.suptitle(f"{target}, {_title(curve)}")
            yield f"scaling-{curve[0]}-{size(curve[1])}-{target}", figure, numbers


class Study:
    """Rows on several numbers of ranks, by curve: strong or weak, and the lattice that the job names."""

    def __init__(self, file: Any) -> None:
        self.rows = [row for row in rows_of(file) if is_rate(row)]
        self.curves: list[Curve] = [curve for curve in unique(_curve_of(row) for row in self.rows) if len(self.ranks(curve)) > 1]
        self.has_model = any(numpy.isfinite(row["predicted"]) for row in self.rows)

    def of(self, curve: Curve) -> list[Row]:
        return [row for row in self.rows if _curve_of(row) == curve]

    def ranks(self, curve: Curve) -> list[int]:
        return sorted({row["ranks"] for row in self.of(curve)})

    def targets(self, curve: Curve) -> list[str]:
        return unique(row["target"] for row in self.of(curve))

    def transports(self, curve: Curve) -> list[str]:
        """A point on one rank, where nothing travels, stands for all transports."""
        moving = unique(row["transport"] for row in self.of(curve) if row["ranks"] > 1)
        return moving or ["auto"]

    def line(self, curve: Curve, target: str, what: str, transport: str, value: Callable[[Row], float]) -> Array:
        """By number of ranks: of the fastest row; NaN where there is none."""
        found = []
        for n in self.ranks(curve):
            there = [row for row in self.of(curve) if row["ranks"] == n and row["target"] == target and variant(row) == what
                     and (row["transport"] == transport or (n == 1 and row["transport"] == "auto"))]
            found.append(value(min(there, key=lambda row: row["seconds"])) if there else numpy.nan)
        return numpy.array(found)

    def lines(self, curve: Curve, target: str) -> list[tuple[str, str]]:
        """(storage and right-hand sides, transport) of each."""
        variants = unique(variant(row) for row in self.of(curve) if row["target"] == target)
        return [(what, transport) for what in variants for transport in self.transports(curve)]

    def best(self, curve: Curve, target: str) -> tuple[str, Array]:
        """(words, efficiency by ranks) of what is fastest on the most ranks."""
        found = []
        for what, transport in self.lines(curve, target):
            time = self.line(curve, target, what, transport, lambda row: row["seconds"] / row["right_hand_sides"])
            if numpy.isfinite(time[-1]):
                found.append((time[-1], (what, self.line(curve, target, what, transport, lambda row: row["efficiency"]))))
        return min(found, key=lambda one: one[0])[1] if found else ("", numpy.full(len(self.ranks(curve)), numpy.nan))

    def values(self, curve: Curve, target: str, what: str, transport: str, name: str, model: bool) -> Array:
        def line(value: Callable[[Row], float]) -> Array:
            return self.line(curve, target, what, transport, value)

        if name == "seconds":
            return line(lambda row: row["predicted" if model else "seconds"])
        if name == "exposed":
            return line(lambda row: row["predicted_exposed"] / row["predicted"] if model else row.get("exposed", 0) / row["seconds"])
        if not model:
            return line(lambda row: row["efficiency"])
        time, ranks = line(lambda row: row["predicted"]), numpy.array(self.ranks(curve))
        first = numpy.flatnonzero(numpy.isfinite(time))
        share = ranks[first[0]] / ranks if len(first) and curve[0] == "strong" else 1
        return share * (time[first[0]] if len(first) else numpy.nan) / time


def _curve_of(row: Row) -> Curve:
    lattice = row["lattice"] if row["scaling"] == "strong" else tuple(n // r for n, r in zip(row["lattice"], row["process_grid"]))
    return row["scaling"], lattice


def _draw(panels: Any, study: Study, curve: Curve, target: str) -> Numbers:
    ranks = study.ranks(curve)
    numbers: Numbers = {"ranks": numpy.array(ranks)}
    transports = study.transports(curve)
    for number, (what, transport) in enumerate(study.lines(curve, target)):
        label = f"{what}, {transport}"
        style: dict[str, Any] = {"color": f"C{number % 10}", "marker": MARKERS[transports.index(transport) % len(MARKERS)], "markersize": 4}
        for axes, (name, _) in zip(panels, PANELS):
            numbers[f"{label}: {name}"] = study.values(curve, target, what, transport, name, False)
            axes.plot(ranks, numbers[f"{label}: {name}"], label=label, **style)
            if study.has_model:
                numbers[f"{label}: {name}, model"] = study.values(curve, target, what, transport, name, True)
                axes.plot(ranks, numbers[f"{label}: {name}, model"], linestyle=":", color=style["color"], linewidth=1)
    for axes, (name, label) in zip(panels, PANELS):
        axes.set_xscale("log", base=2)
        axes.set_xticks(ranks, [str(n) for n in ranks])
        axes.set_xlabel("ranks")
        axes.set_ylabel(label + (" (dotted: model)" if study.has_model else ""))
        if name == "seconds":
            axes.set_yscale("log")
        else:
            axes.set_ylim(bottom=0)
    panels[1].axhline(1, color="grey", linewidth=0.8)
    panels[0].legend(fontsize="x-small")
    return numbers
