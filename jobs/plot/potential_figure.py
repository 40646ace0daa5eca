"""The static potential of Wilson loops: log W(r, t)/W(r, t+1) against r, a curve for each t."""
import math
import re

import numpy

from drawing import draw_errors, new_figure
from jackknife import jackknife

MOST_TIMES = 6
MARKERS = "osv^D<>"


def potential_figure(file):
    steps = [(name, [int(n) for n in re.findall(r"\d+", name)]) for name in file.get("wilson_loops", {})]
    if not steps:
        return
    distances, values, errors = [], [], []
    for name, step in steps:
        loops = numpy.asarray(file[f"wilson_loops/{name}"])  # configuration, n, t
        value, error = jackknife(numpy.concatenate([numpy.ones_like(loops[..., :1]), loops], axis=-1), _potential)
        distances += [math.dist(step, (0, 0, 0)) * (n + 1) for n in range(loops.shape[1])]
        values += list(value)
        errors += list(error)
    order = numpy.argsort(distances)
    r, value, error = (numpy.asarray(one)[order] for one in (distances, values, errors))
    figure, axes = new_figure(1, 1, (6.4, 4.8))
    for i, t in enumerate(range(min(value.shape[1], MOST_TIMES))):
        draw_errors(axes, r, value[:, t], error[:, t], marker=MARKERS[i], markersize=4, label=f"t = {t + 0.5:g}")
    axes.set_xlabel("r / a")
    axes.set_ylabel(r"$a V(r)$ = log W(r, t - 1/2) / W(r, t + 1/2)")
    axes.legend()
    yield "potential", figure, {"r": r, "t": numpy.arange(value.shape[1]) + 0.5, "potential": value,
                                "potential_error": error}


def _potential(loops):
    with numpy.errstate(all="ignore"):
        ratio = loops[..., :-1] / loops[..., 1:]
        return numpy.where(ratio > 0, numpy.log(ratio), math.nan)
