"""The figures of a gaugefix job: functional and theta against sweeps, and the copies' functionals."""
import matplotlib.figure
import numpy

import results

MOST_CURVES = 40  # of copies, in one figure


def gaugefix_figures(file):
    if "copies/functional" not in file or "history/theta" not in file:
        return
    gauge = results.text(file["fixing"].attrs["gauge"]) if "fixing" in file else ""
    yield _history(file, gauge)
    if (numpy.asarray(file["history/temperature"]) > 0).any():
        yield _annealing(file, gauge)
    if file["copies/functional"].shape[1] > 1:
        yield _copies(file, gauge)


def _curves(file):
    """(sweeps, functional, theta, temperature) of copies, without the NaN behind their ends."""
    names = ("sweeps", "functional", "theta", "temperature")
    arrays = [numpy.asarray(file[f"history/{name}"]).reshape(-1, file["history/theta"].shape[-1]) for name in names]
    for rows in zip(*arrays):
        there = numpy.isfinite(rows[0])
        yield tuple(row[there] for row in rows)


def _figure(rows):
    figure = matplotlib.figure.Figure(layout="constrained", figsize=(6.4, 3.2 * rows))
    return figure, figure.subplots(rows, 1, sharex=True)


def _history(file, gauge):
    figure, (top, bottom) = _figure(2)
    numbers = {}
    for i, (sweeps, functional, theta, _) in enumerate(_curves(file)):
        if i == MOST_CURVES:
            break
        top.plot(sweeps, functional, linewidth=0.8)
        bottom.plot(sweeps[theta > 0], theta[theta > 0], linewidth=0.8)
        numbers.update({f"sweeps_{i}": sweeps, f"functional_{i}": functional, f"theta_{i}": theta})
    top.set_ylabel("functional")
    top.set_title(f"{gauge.replace('_', ' ')} gauge")
    bottom.set_yscale("log")
    bottom.set_ylabel(r"$\theta$")
    bottom.set_xlabel("sweeps")
    if "fixing" in file:
        bottom.axhline(float(file["fixing"].attrs["theta"]), color="grey", linewidth=0.8)
    return "fixing", figure, numbers


def _annealing(file, gauge):
    """Schroeck, Vogt 2013, figure 7."""
    figure, (top, bottom) = _figure(2)
    numbers = {}
    for i, (_, functional, theta, temperature) in enumerate(_curves(file)):
        if i == MOST_CURVES:
            break
        hot = temperature > 0
        top.plot(temperature[hot], functional[hot], linewidth=0.8)
        bottom.plot(temperature[hot], theta[hot], linewidth=0.8)
        numbers.update({f"temperature_{i}": temperature[hot], f"functional_{i}": functional[hot],
                        f"theta_{i}": theta[hot]})
    top.set_ylabel("functional")
    top.set_title(f"{gauge.replace('_', ' ')} gauge, annealing")
    bottom.set_ylabel(r"$\theta$")
    bottom.set_yscale("log")
    bottom.set_xlabel("temperature")
    bottom.invert_xaxis()
    return "annealing", figure, numbers


def _copies(file, gauge):
    """Schroeck, Vogt 2013, eq. (34) and figure 8: each field against the best of its own copies."""
    functional = numpy.asarray(file["copies/functional"], dtype=float)
    converged = numpy.asarray(file["copies/converged"]) == 1
    best = numpy.where(converged, functional, -numpy.inf).max(axis=1, keepdims=True)
    relative = ((best - functional) / best)[converged]
    figure = matplotlib.figure.Figure(layout="constrained", figsize=(6.4, 4.8))
    axes = figure.subplots()
    if len(relative):
        axes.hist(relative, bins=min(50, max(10, len(relative) // 4)))
    axes.set_xlabel(r"$(F_{\max} - F) / F_{\max}$")
    axes.set_ylabel("copies")
    sweeps = sum(numpy.asarray(file[f"copies/{name}"]) for name in ("annealing", "stochastic", "overrelaxation"))
    axes.set_title(f"{gauge.replace('_', ' ')} gauge: {converged.sum()} of {converged.size} copies converged")
    return "copies", figure, {"relative": relative, "functional": functional, "converged": converged.astype(int),
                              "sweeps": sweeps}
