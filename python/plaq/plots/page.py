"""A summary page: panels on the left, a list of values with errors on the right."""
from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import matplotlib.figure

from ..analysis.arrays import Array
from ..analysis.notation import with_error
from ..analysis.quantities import Settings
from .drawing import GREY, INK, PAGE, Axes, Figure, new_figure

if TYPE_CHECKING:
    from ..analysis.blocks import Result

Numbers: TypeAlias = dict[str, Array]  # that a figure shows, by their names
Figures: TypeAlias = Iterator[tuple[str, Figure, Any]]  # name, figure, and its Numbers, or those of each curve by its name
Line: TypeAlias = tuple[Any, ...]  # (name, number, unit, tau_int), or (name, text), or (name, text, color of a line)

NOTE_LETTERS = 180  # of a line below the panels
MOST_VALUES = 24


class Panel:
    """draw(axes) draws it; numbers are those that it shows."""

    def __init__(self, draw: Callable[[Axes], object], name: str = "", numbers: Numbers | None = None) -> None:
        self.draw, self.name, self.numbers = draw, name, numbers or {}


def value_of(result: Result, settings: Settings = Settings()) -> Line:
    """(name, value with its error, unit, tau_int) of a result of the analysis."""
    gamma = result.quantity.gamma(settings)
    errors = [math.hypot(gamma.error, result.systematic_error())]
    errors += [result.other_error] if result.other_error else []
    alone = not math.isfinite(gamma.error)
    written = f"{result.quantity.value:.6g}" if alone else with_error(result.quantity.value, *errors)
    tau = with_error(gamma.tau, gamma.tau_error) if math.isfinite(gamma.tau) and gamma.error > 0 else ""
    return result.name, written, result.unit, tau


def panel_pages(title: str, panels: Iterable[Panel]) -> Figures:
    """A page for each."""
    for panel in panels:
        figure, axes = new_figure(1, 1)
        panel.draw(axes)
        figure.suptitle(title, x=0.015, ha="left", fontweight="bold", fontsize=12)
        yield panel.name, figure, panel.numbers


def summary_page(title: str, panels: Sequence[Panel], values: Sequence[Line],
                 notes: Sequence[str] = ()) -> tuple[Figure, dict[str, Numbers]]:
    """values: (name, number, unit, tau_int), or (name, text), or (name, text, color of a line). Returns (figure, numbers)."""
    figure = matplotlib.figure.Figure(layout="constrained", figsize=PAGE)
    figure.get_layout_engine().set(w_pad=0.12, h_pad=0.1)
    figure.suptitle(title, x=0.015, ha="left", fontweight="bold", fontsize=15)
    outer = figure.add_gridspec(1, 2, width_ratios=(2.0, 1.0)) if values and panels else figure.add_gridspec(1, 1)
    for panel, place in zip(panels, _places(outer[0], len(panels)) if panels else ()):
        panel.draw(figure.add_subplot(place))
    if values:
        _write_values(figure.add_subplot(outer[-1]), values)
    write_notes(figure, notes)
    return figure, {panel.name: panel.numbers for panel in panels if panel.name}


def write_notes(figure: Figure, notes: Sequence[str]) -> None:
    if notes:
        figure.supxlabel("\n".join(_wrapped(note) for note in notes), x=0.015, ha="left", fontsize=9.5, color=GREY)


def _wrapped(note: str) -> str:
    lines = [""]
    for word in note.split():
        if len(lines[-1]) + len(word) > NOTE_LETTERS:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + word
    return "\n".join(lines)


def _places(outer: Any, count: int) -> list[Any]:
    """Up to two panels above each other, then rows of two or three; of an odd number the first is as wide as a row."""
    columns = 1 if count <= 2 else 2 if count <= 4 else 3
    rows = math.ceil(count / columns)
    grid = outer.subgridspec(rows, columns)
    wide = rows * columns - count + 1
    return [grid[0, :wide], *(grid[(i + wide) // columns, (i + wide) % columns] for i in range(count - 1))]


def _write_values(axes: Axes, values: Sequence[Line]) -> None:
    axes.set_axis_off()
    axes.set_xlim(0, 1)
    shown = values[:MOST_VALUES]
    step = min(0.062, 1.0 / (len(shown) + 2))
    size = 11.5 if len(shown) <= 16 else 9.5
    y = 1.0
    if any(len(value) > 3 and value[3] for value in shown):
        axes.text(1.0, y, r"$\tau_{\mathrm{int}}$", ha="right", va="top", color=GREY, fontsize=size)
        y -= step
    for value in shown:
        name, number, unit, tau = (*value, "", "")[:4]
        if len(value) < 4:  # a fact: name above, text below
            axes.text(0, y, ("■ " if unit else "") + name, va="top", color=unit or GREY, fontsize=size - 1.5)
            lines = _lines(number, 42)
            axes.text(0, y - 0.68 * step, "\n".join(lines), va="top", color=INK, fontsize=size, linespacing=1.25)
            y -= (0.95 + 0.55 * len(lines)) * step
            continue
        axes.text(0, y, _short(name), va="top", color=INK, fontsize=size)
        axes.text(0.79, y, f"{number} {_unit(unit)}".rstrip(), ha="right", va="top", fontweight="bold", fontsize=size)
        axes.text(1.0, y, tau, ha="right", va="top", color=GREY, fontsize=size)
        y -= step
    axes.set_ylim(min(0.0, y), 1.0)


def _lines(words: str, width: int) -> list[str]:
    lines = [""]
    for word in words.split():
        if lines[-1] and len(lines[-1]) + len(word) >= width:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + word
    return lines


SHORT = {"topological charge, end of flow": r"$\langle Q \rangle$", "its square": r"$\langle Q^2 \rangle$",
         "topological susceptibility": r"$\chi_{\mathrm{top}}$", "t0": r"$t_0$", "w0": r"$w_0$",
         "a by t0": r"$a$ by $t_0$", "a by w0": r"$a$ by $w_0$", "r0": r"$r_0$", "a by r0": r"$a$ by $r_0$",
         "string tension": r"$\sigma$", "coulomb e": r"$e$", "self-energy V0": r"$V_0$",
         "polyakov_loop real": "Re L", "polyakov_loop imaginary": "Im L", "polyakov_loop modulus": "|L|",
         "clover_energy": "E, clover", "topological_charge": "Q, no flow"}


def _short(name: str) -> str:
    return SHORT.get(name, name.replace("_", " "))


def _unit(unit: str) -> str:
    power = {"a^2": "a²", "a^-4": "a⁻⁴", "a^-2": "a⁻²", "a^-1": "a⁻¹", "a^-3": "a⁻³"}
    return power.get(unit, unit)
