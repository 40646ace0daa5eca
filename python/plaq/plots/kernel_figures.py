"""Figures of kernel studies, in kind those of Clark et al. 2010: rates (figures 2 to 5), solvers beside their
operator (table 2), accuracy (figure 6)."""
from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import matplotlib.figure
import numpy

from ..analysis.attributes import text
from .drawing import COLORS, Axes, Figure
from .header import lattice
from .page import Figures, Line, Numbers, Panel, summary_page

if TYPE_CHECKING:
    from ..analysis.results import Ensemble, ResultFile

COLOUR = {"18": "C0", "12": "C1", "8": "C2"}
DASHES = ("-", "--", "-.", (0, (1, 1)))
PRECISION_COLOUR = {"double": "C0", "single": "C1", "half": "C2"}
LINKS_DASHES = {"18": "-", "12": "--", "8": ":"}


MOST_RATES = 12  # values of a summary


def pages(ensemble: Ensemble) -> Figures:
    for make in (rate_figures, solver_figure, accuracy_figure):
        yield from make(ensemble.files[0])


def summary(ensemble: Ensemble) -> Figures:
    """The best rate of each operator and storage, solvers beside their operator, accuracy."""
    file = ensemble.files[0]
    panels, values, notes = [], [], []
    if "rates/gflops" in file.file:
        panels.append(_best_rates(file))
        values += _rate_values(file)
        notes.append("Best rates: over extents in time and numbers of right-hand sides.")
    if "solvers/gflops" in file.file:
        numbers, draw = _solvers(file)
        panels.append(Panel(draw, "solvers", numbers))
    if "accuracy/proportion" in file.file:
        numbers, draw = _accuracy(file)
        panels.append(Panel(draw, "accuracy", numbers))
    if not panels:
        return
    machine = file.file["machine"].attrs if "machine" in file.file else {}
    where = ",  ".join(text(machine[name]) for name in ("device", "location") if name in machine and machine[name])
    yield "summary", *summary_page("Kernel study" + (f",  {where}" if where else ""), panels, values, notes)


def _best_rates(file: ResultFile) -> Panel:
    group, gflops = file.file["rates"], file.array("rates/gflops")
    best = gflops.max(axis=(0, 3))  # operator, storage
    operators, storages = _names(group, "operators"), _names(group, "storages")

    def draw(axes: Axes) -> None:
        place, width = numpy.arange(len(operators)), 0.8 / len(storages)
        for s, storage in enumerate(storages):
            axes.bar(place + (s - (len(storages) - 1) / 2) * width, best[:, s], 0.9 * width, label=storage,
                     color=COLORS[s % len(COLORS)])
        axes.set_xticks(place, [name.replace("_", " ") for name in operators], rotation=20 if len(operators) > 3 else 0)
        axes.set_ylabel("GFLOPS of all ranks")
        axes.set_ylim(top=1.25 * best.max())
        axes.grid(axis="x", visible=False)
        axes.set_title("Best rates")
        axes.legend(fontsize=9.5, ncols=4, loc="upper left")

    return Panel(draw, "best-rates", {"operators": numpy.array(operators), "storages": numpy.array(storages), "gflops": best})


def _rate_values(file: ResultFile) -> list[Line]:
    group, gflops, share = file.file["rates"], file.array("rates/gflops"), file.find("rates/share")
    rated: list[tuple[float, Line]] = []
    for o, operator in enumerate(_names(group, "operators")):
        for s, storage in enumerate(_names(group, "storages")):
            at = numpy.unravel_index(numpy.argmax(gflops[:, o, s]), gflops[:, o, s].shape)
            reached = f"{gflops[at[0], o, s, at[1]]:.4g}"
            unit = f"({100 * share[at[0], o, s, at[1]]:.0f}%)" if share is not None else ""
            rated.append((gflops[at[0], o, s, at[1]], (f"{operator}, {storage}", reached, unit, "")))
    made = [one for _, one in sorted(rated, key=lambda one: -one[0])[:MOST_RATES]]
    return [("GFLOPS" + (" (share of bandwidth)" if share is not None else ""), "", "", ""), *made]


def _figure() -> tuple[Figure, Axes]:
    figure = matplotlib.figure.Figure(layout="constrained", figsize=(6.4, 4.8))
    return figure, figure.subplots()


def _names(group: Any, attribute: str) -> list[str]:
    return [text(name) for name in group.attrs[attribute]]


def _extents(numbers: Iterable[int]) -> str:
    return "x".join(str(int(n)) for n in numbers)


def rate_figures(file: ResultFile) -> Figures:
    """One figure for each operator and precision: a curve for each form of links and number of right-hand sides,
    and dotted what the bandwidth of the same run allows."""
    if "rates/gflops" not in file.file:
        return
    group = file.file["rates"]
    gflops = file.array("rates/gflops")  # right_hand_sides, operator, storage, temporal_extent
    share = file.find("rates/share")
    storages, times = _names(group, "storages"), numpy.asarray(group.attrs["temporal_extents"])
    batches = [int(n) for n in group.attrs["right_hand_sides"]]
    for o, operator in enumerate(_names(group, "operators")):
        for precision in dict.fromkeys(storage.split()[0] for storage in storages):
            figure, axes = _figure()
            numbers = {"temporal_extent": times}
            for s, storage in enumerate(storages):
                if storage.split()[0] != precision:
                    continue
                links = storage.split()[1]
                for r, batch in enumerate(batches):
                    style = {"color": COLOUR[links], "linestyle": DASHES[r % len(DASHES)]}
                    label = f"{links} reals, {batch} rhs"
                    axes.plot(times, gflops[r, o, s], marker="o", markersize=4, label=label, **style)
                    numbers[label] = gflops[r, o, s]
                    if share is not None:
                        limit = gflops[r, o, s] / share[r, o, s]
                        axes.axhline(limit.mean(), color=COLOUR[links], linestyle=":", linewidth=0.8)
                        numbers[f"{label}, limit"] = limit
            axes.set_xlabel(f"T of {_extents(group.attrs['spatial_extents'])}xT")
            axes.set_ylabel("GFLOPS of all ranks" + (" (dotted: bandwidth limit)" if share is not None else ""))
            axes.set_ylim(bottom=0)
            axes.set_title(f"{operator}, {precision} precision")
            axes.legend(fontsize="small")
            yield f"rates-{operator}-{precision}", figure, numbers


def solver_figure(file: ResultFile) -> Figures:
    if "solvers/gflops" not in file.file:
        return
    numbers, draw = _solvers(file)
    figure, axes = _figure()
    draw(axes)
    yield "solvers", figure, numbers


def _solvers(file: ResultFile) -> tuple[Numbers, Callable[[Axes], None]]:
    group = file.file["solvers"]
    storages, methods = _names(group, "storages"), _names(group, "methods")
    kernel = text(group.attrs["operator"])
    numbers = {"storage": numpy.array(storages), kernel: file.array("solvers/operator_gflops")}
    for m, method in enumerate(methods):
        numbers[method] = file.array("solvers/gflops")[m]  # method, storage
    extents = lattice(group.attrs["extents"])

    def draw(axes: Axes) -> None:
        place, width = numpy.arange(len(storages)), 0.8 / (1 + len(methods))
        for i, name in enumerate([kernel] + methods):
            axes.bar(place + (i - len(methods) / 2) * width, numbers[name], 0.9 * width, label=name.replace("_", " "))
        axes.set_xticks(place, storages, rotation=30 if len(storages) > 3 else 0)
        axes.set_ylabel("GFLOPS of all ranks")
        axes.set_ylim(top=1.25 * max(numpy.max(numbers[name]) for name in [kernel] + methods))
        axes.grid(axis="x", visible=False)
        axes.set_title(f"Operator and solvers, {extents}")
        axes.legend(fontsize=9.5, ncols=3, loc="upper left")

    return numbers, draw


def accuracy_figure(file: ResultFile) -> Figures:
    if "accuracy/proportion" not in file.file:
        return
    numbers, draw = _accuracy(file)
    figure, axes = _figure()
    draw(axes)
    yield "accuracy", figure, numbers


def _accuracy(file: ResultFile) -> tuple[Numbers, Callable[[Axes], None]]:
    group = file.file["accuracy"]
    epsilon = file.array("accuracy/epsilon")
    proportion = file.array("accuracy/proportion")  # storage, epsilon
    curves = dict(zip(_names(group, "storages"), proportion))
    extents = lattice(group.attrs["extents"])

    def draw(axes: Axes) -> None:
        for storage, curve in curves.items():
            precision, links = storage.split()
            seen = curve > 0
            if seen.any():
                axes.loglog(epsilon[seen], curve[seen], marker=".", markersize=4, label=storage,
                            color=PRECISION_COLOUR[precision], linestyle=LINKS_DASHES[links])
        axes.set_xlabel(r"$\epsilon$")
        axes.set_ylabel(r"$\Delta(\epsilon)$")
        axes.set_title(f"Components off by $\\epsilon$ or more, {extents}")
        axes.legend(fontsize=9.5)

    return {"epsilon": epsilon, **curves}, draw
