"""Figures of the rates of a study, in kind those of Clark et al. 2010: rates against the extent in time (figures 2 to 5), methods
beside their operator (table 2), accuracy (figure 6)."""
from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import matplotlib.figure
import numpy

from ..analysis.attributes import text
from .drawing import COLORS, Axes, Figure
from .page import Figures, Numbers, Panel, summary_page
from .rows import Row, is_rate, rows_of, size, unique, variant

if TYPE_CHECKING:
    from ..analysis.results import Ensemble

COLOUR = {"18": "C0", "12": "C1", "8": "C2"}
DASHES = ("-", "--", "-.", (0, (1, 1)))
PRECISION_COLOUR = {"double": "C0", "single": "C1", "half": "C2"}
LINKS_DASHES = {"18": "-", "12": "--", "8": ":"}
METHODS = ("cg", "cgne", "bicgstab", "gcr", "mr", "gcr_multigrid")

MOST_RATES = 12  # values of a summary


def summary(ensemble: Ensemble) -> Figures:
    """The best rate of each target and storage, methods beside their operator, accuracy."""
    file = ensemble.files[0].file
    rows = [row for row in rows_of(file) if is_rate(row)]
    panels, values, notes = [], [], []
    if rows and not several_ranks(rows):
        panels.append(_best_rates(rows))
        values += _rate_values(rows)
        notes.append("Best rates: over lattices and numbers of right-hand sides.")
        panels += list(_methods(rows))
    panels += list(_accuracy(file))
    if not panels:
        return
    machine = file["machine"].attrs if "machine" in file else {}
    where = ",  ".join(text(machine[name]) for name in ("device", "location") if name in machine and machine[name])
    figure, numbers = summary_page("Study" + (f",  {where}" if where else ""), panels, values, notes)
    yield "summary", figure, numbers


def pages(ensemble: Ensemble) -> Figures:
    file = ensemble.files[0].file
    rows = [row for row in rows_of(file) if is_rate(row)]
    yield from rate_figures(rows)
    for panel in [*(_methods(rows) if not several_ranks(rows) else ()), *_accuracy(file)]:
        figure, axes = _figure()
        panel.draw(axes)
        yield panel.name, figure, panel.numbers


def several_ranks(rows: list[Row]) -> bool:
    return len({row["ranks"] for row in rows}) > 1


def _figure() -> tuple[Figure, Axes]:
    figure = matplotlib.figure.Figure(layout="constrained", figsize=(6.4, 4.8))
    return figure, figure.subplots()


def _best(rows: list[Row], target: str, storage: str) -> Row | None:
    there = [row for row in rows if row["target"] == target and row["storage"] == storage]
    return max(there, key=lambda row: row["flops_per_second"]) if there else None


def _best_rates(rows: list[Row]) -> Panel:
    targets = unique(row["target"] for row in rows)
    storages = unique(row["storage"] for row in rows)
    best = numpy.array([[1e-9 * row["flops_per_second"] if (row := _best(rows, target, storage)) else numpy.nan
                         for storage in storages] for target in targets])

    def draw(axes: Axes) -> None:
        place, width = numpy.arange(len(targets)), 0.8 / len(storages)
        for s, storage in enumerate(storages):
            axes.bar(place + (s - (len(storages) - 1) / 2) * width, best[:, s], 0.9 * width, label=storage,
                     color=COLORS[s % len(COLORS)])
        axes.set_xticks(place, [name.replace("_", " ") for name in targets], rotation=20 if len(targets) > 3 else 0)
        axes.set_ylabel("GFLOPS of all ranks")
        axes.set_ylim(top=1.25 * numpy.nanmax(best))
        axes.grid(axis="x", visible=False)
        axes.set_title("Best rates")
        axes.legend(fontsize=9.5, ncols=4, loc="upper left")

    return Panel(draw, "best-rates", {"targets": numpy.array(targets), "storages": numpy.array(storages), "gflops": best})


def _rate_values(rows: list[Row]) -> list[tuple[str, str, str, str]]:
    shares = any(numpy.isfinite(row["share"]) for row in rows)
    made = []
    for target in unique(row["target"] for row in rows):
        for storage in unique(row["storage"] for row in rows):
            row = _best(rows, target, storage)
            if row:
                share = f"({100 * row['share']:.0f}%)" if numpy.isfinite(row["share"]) else ""
                made.append((row["flops_per_second"], (f"{target}, {storage}", f"{1e-9 * row['flops_per_second']:.4g}", share, "")))
    made = sorted(made, key=lambda one: -one[0])[:MOST_RATES]
    return [("GFLOPS" + (" (share of bandwidth)" if shares else ""), "", "", ""), *[one for _, one in made]]


def rate_figures(rows: list[Row]) -> Figures:
    """One figure for each target, extents in space and precision, where there are several extents in time: a curve for each form of
    links and number of right-hand sides, and dotted what the bandwidth of the same run allows."""
    kinds = unique((row["target"], row["lattice"][:3], row["ranks"], row["storage"].split()[0]) for row in rows)
    for target, space, ranks, precision in kinds:
        there = [row for row in rows if (row["target"], row["lattice"][:3], row["ranks"]) == (target, space, ranks)
                 and row["storage"].split()[0] == precision]
        times = sorted({row["lattice"][3] for row in there})
        if len(times) < 2:
            continue
        figure, axes = _figure()
        numbers: Numbers = {"temporal_extent": numpy.array(times)}
        batches = unique(row["right_hand_sides"] for row in there)
        for storage, batch in unique((row["storage"], row["right_hand_sides"]) for row in there):
            curve = {row["lattice"][3]: row for row in there if (row["storage"], row["right_hand_sides"]) == (storage, batch)}
            links = storage.split()[-1]
            color, dashes = COLOUR.get(links, "C3"), DASHES[batches.index(batch) % len(DASHES)]
            label = f"{links} reals, {batch} rhs"
            rate = numpy.array([1e-9 * curve[t]["flops_per_second"] if t in curve else numpy.nan for t in times])
            share = numpy.array([curve[t]["share"] if t in curve else numpy.nan for t in times])
            axes.plot(times, rate, marker="o", markersize=4, label=label, color=color, linestyle=dashes)
            numbers[label] = rate
            if numpy.isfinite(share).any():
                numbers[f"{label}, limit"] = rate / share
                axes.axhline(numpy.nanmean(rate / share), color=color, linestyle=":", linewidth=0.8)
        axes.set_xlabel(f"T of {size(space)}xT")
        axes.set_ylabel("GFLOPS of all ranks (dotted: bandwidth limit)")
        axes.set_ylim(bottom=0)
        axes.set_title(f"{target}, {precision} precision")
        axes.legend(fontsize="small")
        yield f"rates-{target}-{precision}", figure, numbers


def _methods(rows: list[Row]) -> Iterator[Panel]:
    """Methods beside the symmetric even-odd operator, on the largest lattice that has both."""
    methods = [name for name in unique(row["target"] for row in rows) if name in METHODS]
    operators = [name for name in unique(row["target"] for row in rows) if name.endswith("_schur")]
    if not methods or not operators:
        return
    of_method = [row for row in rows if row["target"] in methods]
    lattice = max((row["lattice"] for row in of_method), key=numpy.prod)
    variants = unique(variant(row) for row in of_method)
    numbers: Numbers = {"storage": numpy.array(variants)}
    for name in [operators[0], *methods]:
        found = {variant(row): 1e-9 * row["flops_per_second"] for row in rows
                 if row["target"] == name and row["lattice"] == lattice}
        numbers[name] = numpy.array([found.get(one, numpy.nan) for one in variants])

    def draw(axes: Axes) -> None:
        names = [operators[0], *methods]
        place, width = numpy.arange(len(variants)), 0.8 / len(names)
        for i, name in enumerate(names):
            axes.bar(place + (i - len(methods) / 2) * width, numbers[name], 0.9 * width, label=name.replace("_", " "))
        axes.set_xticks(place, variants, rotation=20 if len(variants) > 2 else 0)
        axes.set_ylabel("GFLOPS of all ranks")
        axes.set_ylim(top=1.25 * max(numpy.nanmax(numbers[name]) for name in names))
        axes.grid(axis="x", visible=False)
        axes.set_title(f"Operator and methods, {size(lattice)}")
        axes.legend(fontsize=9.5, ncols=3, loc="upper left")

    yield Panel(draw, "methods", numbers)


def _accuracy(file: Any) -> Iterator[Panel]:
    if "accuracy/proportion" not in file:
        return
    rows = rows_of(file)
    epsilon = numpy.asarray(file["accuracy/epsilon"])
    proportion = numpy.asarray(file["accuracy/proportion"])
    curves = {rows[int(i)]["storage"]: curve for i, curve in zip(numpy.asarray(file["accuracy/row"]), proportion)}
    lattice = rows[int(file["accuracy/row"][0])]["lattice"]

    def draw(axes: Axes) -> None:
        for storage, curve in curves.items():
            precision, links = storage.split()
            seen = curve > 0
            if seen.any():
                axes.loglog(epsilon[0][seen], curve[seen], marker=".", markersize=4, label=storage,
                            color=PRECISION_COLOUR[precision], linestyle=LINKS_DASHES[links])
        axes.set_xlabel(r"$\epsilon$")
        axes.set_ylabel(r"share off by $\epsilon$ or more")
        axes.set_title(f"Accuracy of components, {size(lattice)}")
        axes.legend(fontsize=9.5)

    yield Panel(draw, "accuracy", {"epsilon": epsilon[0], **curves})
