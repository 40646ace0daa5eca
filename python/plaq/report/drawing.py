"""Figures of the report."""
import matplotlib
import matplotlib.figure
import numpy

MOST_POINTS = 2000  # in SVG

# No text here is a formula, so a $ in the name of a node or a quantity is a $.
matplotlib.rcParams.update({"svg.hashsalt": "plaq", "svg.fonttype": "none", "font.size": 9, "text.parse_math": False})


def new_figure(height=2.6):
    drawn = matplotlib.figure.Figure(layout="constrained", figsize=(4.8, height))
    return drawn, drawn.subplots()


def history(x, y, name, unit="", marked=()):
    """Values against trajectory, with their mean; `marked`: indices of outliers."""
    drawn, axes = new_figure()
    drawn.many_points = len(x) > MOST_POINTS
    axes.plot(x, y, "-" if len(x) > 200 else ".-", linewidth=0.6, markersize=3)
    axes.axhline(numpy.nanmean(y), color="C7", linewidth=0.8, linestyle="--")
    axes.plot(numpy.asarray(x)[list(marked)], numpy.asarray(y)[list(marked)], "o", color="C3", fillstyle="none")
    axes.set_xlabel("trajectory")
    axes.set_ylabel(f"{name} [{unit}]" if unit else name)
    return drawn


def by_node(nodes, values, name):
    """A row of points for each node."""
    drawn, axes = new_figure(max(1.6, 0.9 + 0.22 * len(set(nodes))))
    names = sorted(set(nodes))
    places = {node: i for i, node in enumerate(names)}
    drawn.many_points = len(nodes) > MOST_POINTS
    axes.plot(values, [places[node] for node in nodes], "|", markersize=8)
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(-0.6, len(names) - 0.4)
    axes.set_xlabel(name)
    return drawn


def logarithmic_points(x, y, name, limit=None):
    drawn, axes = new_figure()
    drawn.many_points = numpy.size(y) > MOST_POINTS
    axes.semilogy(x, y, ".", markersize=3)
    if limit:
        axes.axhline(limit, color="C3", linewidth=0.8)
    axes.set_xlabel("trajectory")
    axes.set_ylabel(name)
    return drawn


def correlator(values, errors):
    drawn, axes = new_figure()
    times, values, errors = numpy.arange(len(values)), numpy.array(values, float), numpy.array(errors, float)
    good = numpy.isfinite(values) & (values != 0)
    axes.errorbar(times[good], abs(values[good]), yerr=numpy.where(numpy.isfinite(errors[good]), errors[good], 0), fmt=".",
                  capsize=2)
    axes.set_yscale("log")
    axes.set_xlabel("t/a")
    axes.set_ylabel("|C(t)|")
    return drawn


def effective_masses(times, values, errors, mass=None, windows=()):
    """With the band of an averaged mass, and the windows that weigh most."""
    drawn, axes = new_figure()
    times, values, errors = (numpy.array(one, float) for one in (times, values, errors))
    good = numpy.isfinite(values) & (errors < numpy.nanmax([3 * abs(numpy.nanmedian(values)), 1e-12]))
    axes.errorbar(times[good], values[good], yerr=errors[good], fmt=".", capsize=2)
    if mass:
        axes.axhspan(mass[0] - mass[1], mass[0] + mass[1], color="C1", alpha=0.3, linewidth=0)
    for first, last in windows:
        axes.axvspan(first, last, color="C7", alpha=0.08, linewidth=0)
    axes.set_xlabel("t/a")
    axes.set_ylabel("a m_eff(t)")
    return drawn
