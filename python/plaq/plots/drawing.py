"""What figures have in common: fonts, colors, sizes, and how points with errors are drawn."""
from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias

import matplotlib
import matplotlib.axes
import matplotlib.figure
import matplotlib.mathtext
import matplotlib.text
import matplotlib.ticker
import numpy

from ..analysis.arrays import Array

Figure: TypeAlias = matplotlib.figure.Figure
Axes: TypeAlias = matplotlib.axes.Axes

# Colors that are told apart also by those who are colorblind: Okabe, Ito (2008).
BLUE, RED, GREEN, ORANGE, PURPLE, SKY = "#0072B2", "#D55E00", "#009E73", "#E69F00", "#CC79A7", "#56B4E9"
INK, GREY = "#222222", "#8A8A8A"
COLORS = (BLUE, RED, GREEN, PURPLE, ORANGE, SKY, INK, GREY, "#7A5C00", "#4B2E83")
PAGE, PANEL = (12.8, 7.2), (7.2, 5.4)  # inches: a slide, and a figure beside text

STYLE = {
    "axes.prop_cycle": matplotlib.cycler(color=COLORS), "font.size": 12, "axes.labelsize": 13, "axes.titlesize": 13,
    "axes.spines.top": False, "axes.spines.right": False, "axes.edgecolor": INK, "axes.labelcolor": INK,
    "text.color": INK, "xtick.color": INK, "ytick.color": INK, "xtick.labelsize": 11, "ytick.labelsize": 11,
    "axes.axisbelow": True, "axes.grid": True, "grid.color": "#E6E6E6", "grid.linewidth": 0.7,
    "axes.titlelocation": "left", "axes.titlepad": 8, "axes.formatter.useoffset": False,
    "legend.frameon": False, "legend.fontsize": 11, "lines.linewidth": 1.4, "figure.titlesize": 16,
    "svg.hashsalt": "plaq"}


def style() -> Any:
    """A context in which figures look alike. Settings of Matplotlib are as before behind it."""
    return matplotlib.rc_context(STYLE)


def styled(generate: Callable[..., Iterator[Any]]) -> Callable[..., Iterator[Any]]:
    """Each step of a generator of figures, in that context."""
    @functools.wraps(generate)
    def generate_styled(*arguments: Any) -> Iterator[Any]:
        steps = generate(*arguments)
        while True:
            with style():
                made = next(steps, None)
            if made is None:
                return
            yield made

    return generate_styled


def new_figure(rows: int, columns: int, size: tuple[float, float] = PANEL, **axes: Any) -> tuple[Figure, Any]:
    """Without pyplot, which keeps every figure and may look for a display."""
    figure = matplotlib.figure.Figure(layout="constrained", figsize=size)
    figure.get_layout_engine().set(w_pad=0.08, h_pad=0.08)
    return figure, figure.subplots(rows, columns, **axes)


def show_foreign_dollars(figure: Figure) -> None:
    """Makes plain text of each text that is no formula: names in result files may have any letters, also $."""
    for axes in figure.axes:
        axes.get_xticklabels(), axes.get_yticklabels()  # matplotlib makes these texts when they are asked for
    parser = matplotlib.mathtext.MathTextParser("path")
    for text in figure.findobj(matplotlib.text.Text):
        try:
            if "$" in text.get_text():
                parser.parse(text.get_text(), 72, text.get_fontproperties())
        except ValueError:
            text.set_parse_math(False)


def draw_errors(axes: Axes, x: Array, value: Array, error: Array, **style: Any) -> Any:
    """Points with error bars where there are errors; points that are not numbers are left out."""
    good = numpy.isfinite(value)
    bars = numpy.where(numpy.isfinite(error), error, 0.0)
    style = {"capsize": 2, "elinewidth": 1.1, "linestyle": "none", **style}
    return axes.errorbar(numpy.asarray(x)[good], value[good], yerr=bars[good], **style)


def draw_band(axes: Axes, value: float, error: float, color: str, ends: Sequence[float] | None = None, **style: Any) -> None:
    """A mean with its error, over all of x or between two ends."""
    low, high = value - error, value + error
    if ends is None:
        axes.axhline(value, color=color, linewidth=1.2)
        if math.isfinite(error):
            axes.axhspan(low, high, color=color, alpha=0.25, linewidth=0, **style)
        return
    axes.plot(ends, (value, value), color=color, linewidth=1.2)
    if math.isfinite(error):
        axes.fill_between(ends, low, high, color=color, alpha=0.25, linewidth=0, **style)


def integer_axis(axis: Any) -> None:
    """Ticks of a linear axis of counts: whole numbers alone."""
    axis.set_major_locator(matplotlib.ticker.MaxNLocator(nbins="auto", integer=True, steps=[1, 2, 5, 10]))


RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def plain_logarithms(axis: Any) -> None:
    """Numbers of a logarithmic axis without formulas: 200, 0.5, 10⁻¹². Ticks between powers of ten have numbers where the axis has less
    than a decade."""
    def power(value: float, _: object = None) -> str:
        exponent = math.log10(value)
        if abs(exponent - round(exponent)) > 1e-6 or -3 <= round(exponent) <= 4:
            return f"{value:.3g}" if value < 1000 else f"{value:.0f}"
        return "10" + str(round(exponent)).translate(RAISED)

    def between(value: float, _: object = None) -> str:
        low, high = axis.get_view_interval()
        return power(value) if high < 10 * low else ""

    axis.set_major_formatter(matplotlib.ticker.FuncFormatter(power))
    axis.set_minor_formatter(matplotlib.ticker.FuncFormatter(between))


def limits_of(axes: Axes, values: Iterable[float], margin: float = 0.08) -> None:
    """The y axis holds these values, and some space around them."""
    known = numpy.asarray([v for v in values if math.isfinite(v)])
    if len(known):
        space = margin * (known.max() - known.min()) or 0.1 * abs(known[0]) or 1.0
        axes.set_ylim(known.min() - space, known.max() + space)
