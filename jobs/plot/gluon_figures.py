"""The figures of a gluon job: dressing functions of gluon and ghost, or equal-time propagators, against momentum."""
import numpy

import results
from drawing import draw_errors, new_figure
from jackknife import jackknife


def gluon_figures(file):
    square = results.column(file, "momenta/p_squared")
    if square is None:
        return
    survives = results.column(file, "momenta/in_cylinder") * results.column(file, "momenta/in_cone") == 1
    momentum = numpy.sqrt(square)
    away = square > 0
    for name, title in (("dressing", r"$p^2 D(p^2)$"), ("spatial", r"$|p| D(p)$ at equal times")):
        values = results.column(file, f"gluon/{name}")
        if values is None:
            continue
        scaled = values if name == "dressing" else values * momentum
        yield _figure("gluon", momentum, scaled, [(away & ~survives, "all", "C7"), (away & survives, "after both cuts", "C0")],
                      title)
    which = results.column(file, "ghost/momentum")
    if which is not None:
        everywhere = numpy.ones(len(which), dtype=bool)
        yield _figure("ghost", momentum[which], results.column(file, "ghost/dressing"), [(everywhere, None, "C1")],
                      r"$p^2 G(p^2)$")


def _figure(name, momentum, samples, groups, title):
    value, error = jackknife(samples)
    figure, axes = new_figure(1, 1, (6.4, 4.8))
    for chosen, label, color in groups:
        if chosen.any():
            draw_errors(axes, momentum[chosen], value[chosen], error[chosen], fmt=".", color=color, label=label)
    axes.set_xlabel(r"$a\,|p|$")
    axes.set_ylabel(title)
    if any(label for _, label, _ in groups):
        axes.legend()
    return name, figure, {"p": momentum, "dressing": value, "dressing_error": error}
