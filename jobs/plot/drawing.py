"""What figures have in common."""
import matplotlib.figure
import numpy


def new_figure(rows, columns, size, **axes):
    """Without pyplot, which keeps every figure and may look for a display."""
    figure = matplotlib.figure.Figure(layout="constrained", figsize=size)
    return figure, figure.subplots(rows, columns, **axes)


def draw_errors(axes, x, value, error, **style):
    """Points with error bars where there are errors; points that are not numbers are left out."""
    good = numpy.isfinite(value)
    bars = numpy.where(numpy.isfinite(error), error, 0.0)
    axes.errorbar(numpy.asarray(x)[good], value[good], yerr=bars[good], capsize=2, linestyle="none", **style)
