"""The figures: functions that take a result file and give (name, matplotlib figure, the numbers drawn)."""
import math

import matplotlib.figure
import numpy

import results
from jackknife import cosh_mass, jackknife, log_mass, sinh_mass
from gaugefix_figures import gaugefix_figures
from kernel_figures import kernel_figures
from scaling_figures import scaling_figures
from solver_figures import solver_figures

SYMMETRY = {"cosh": cosh_mass, "sinh": sinh_mass, "none": log_mass}


def all_figures(file):
    for make in (correlator_figures, pcac_figures, history_figure, ensemble_figure, flow_figure, charge_figure,
                 gaugefix_figures, kernel_figures, scaling_figures, solver_figures):
        yield from make(file)


def _figure(rows, columns, size, **axes):
    """Without pyplot, which keeps every figure and may look for a display."""
    figure = matplotlib.figure.Figure(layout="constrained", figsize=size)
    return figure, figure.subplots(rows, columns, **axes)


def _errors(axes, x, value, error, **style):
    """Points with error bars where there are errors; points that are not numbers are left out."""
    good = numpy.isfinite(value)
    bars = numpy.where(numpy.isfinite(error), error, 0.0)
    axes.errorbar(numpy.asarray(x)[good], value[good], yerr=bars[good], capsize=2, linestyle="none", **style)


def correlator_figures(file):
    for channel, momentum, sink, dataset in results.correlators(file):
        samples = results.real_correlator(dataset)
        symmetry = results.text(dataset.attrs.get("symmetry", "none"))
        if symmetry not in SYMMETRY:  # as of staggered quarks, where a partner alternates: no mass from two slices
            symmetry = "none"
        mass_of = SYMMETRY[symmetry]
        value, error = jackknife(samples)
        mass, mass_error = jackknife(samples, mass_of)
        times = numpy.arange(len(value))
        figure, (top, bottom) = _figure(2, 1, (6.4, 6.4), sharex=True)
        _errors(top, times, numpy.abs(value), error, marker="o", markersize=4)
        negative = value < 0
        if negative.any():
            top.plot(times[negative], numpy.abs(value[negative]), "o", markersize=7, fillstyle="none", color="C3",
                     label="negative")
            top.legend()
        if (numpy.abs(value) > 0).any():
            top.set_yscale("log")
        top.set_ylabel(r"$|C(t)|$")
        shown = f"{channel}, {momentum.replace('_', ' ', 1).replace('_', ',')}, {sink} sink"
        top.set_title(f"{shown}, {len(samples)} configuration{'s' if len(samples) > 1 else ''}")
        _errors(bottom, times[:-1] + 0.5, mass, mass_error, marker="s", markersize=4, color="C1")
        bottom.set_ylabel(r"$a\,m_{\mathrm{eff}}(t)$" + (f" ({symmetry})" if symmetry != "none" else " (log)"))
        bottom.set_xlabel(r"$t/a$, from the source")
        numbers = {"t": times, "correlator": value, "correlator_error": error, "effective_mass": mass,
                   "effective_mass_error": mass_error}
        yield f"correlator-{channel}-{momentum}-{sink}", figure, numbers


def pcac_mass(pair):
    """m(t) = (C_AP(t+1) - C_AP(t-1)) / (4 C_PP(t)), t = 1 .. T-2, from means [AP, PP][t]."""
    axial, pion = pair
    return (axial[2:] - axial[:-2]) / (4 * pion[1:-1])


def pcac_figures(file):
    found = {(channel, momentum, sink): dataset for channel, momentum, sink, dataset in results.correlators(file)}
    for (channel, momentum, sink), dataset in found.items():
        pion = found.get(("pion", momentum, sink))
        if channel != "axial_pseudoscalar" or momentum != "p_0_0_0" or pion is None:
            continue
        pairs = numpy.stack([results.real_correlator(dataset), results.real_correlator(pion)], axis=1)
        mass, error = jackknife(pairs, pcac_mass)
        times = numpy.arange(1, pairs.shape[-1] - 1)
        figure, axes = _figure(1, 1, (6.4, 4.8))
        _errors(axes, times, mass, error, marker="o", markersize=4)
        axes.set_xlabel(r"$t/a$, from the source")
        axes.set_ylabel(r"$a\,m_{\mathrm{PCAC}}(t)$, bare")
        axes.set_title(f"{sink} sink, {len(pairs)} configuration{'s' if len(pairs) > 1 else ''}")
        yield f"pcac-{sink}", figure, {"t": times, "mass": mass, "mass_error": error}


def history_figure(file):
    sweep, plaquette = results.column(file, "history/sweep"), results.column(file, "history/plaquette")
    if sweep is None or plaquette is None or not len(sweep):
        return
    loop = results.column(file, "history/polyakov_loop")
    figure, axes = _figure(2 if loop is not None else 1, 1, (6.4, 6.4), squeeze=False)
    top = axes[0][0]
    top.plot(sweep, plaquette, linewidth=0.8)
    top.set_xlabel("compound sweeps")
    top.set_ylabel("average plaquette")
    top.set_title(f"{results.text(file.attrs.get('action', ''))} beta = {file.attrs.get('beta', math.nan):g}")
    if loop is not None:
        bottom = axes[1][0]
        bottom.plot(loop[:, 0], loop[:, 1], ".", markersize=3)
        bottom.set_aspect("equal", adjustable="datalim")
        bottom.set_xlabel("Re Polyakov loop")
        bottom.set_ylabel("Im Polyakov loop")
    yield "history", figure, {"sweep": sweep, "plaquette": plaquette}


def ensemble_figure(file):
    plaquette = results.column(file, "observables/plaquette")
    if plaquette is None or not len(plaquette):
        return
    value, error = jackknife(plaquette)
    figure, axes = _figure(1, 1, (6.4, 4.8))
    axes.plot(numpy.arange(len(plaquette)), plaquette, ".-", linewidth=0.5)
    axes.axhline(float(value), color="C1")
    if math.isfinite(error):
        axes.axhspan(float(value - error), float(value + error), color="C1", alpha=0.3, linewidth=0)
    axes.set_xlabel("configuration")
    axes.set_ylabel("average plaquette")
    axes.set_title(f"mean {float(value):.8g}" + (f" +- {float(error):.2g}" if math.isfinite(error) else ""))
    yield "plaquette", figure, {"plaquette": plaquette, "mean": value, "error": error}


def flow_figure(file):
    times, energy = results.column(file, "flow/t"), results.column(file, "flow/clover_energy")
    if times is None or energy is None:
        return
    times = times[0] if times.ndim == 2 else times
    value, error = jackknife(times**2 * energy)
    figure, axes = _figure(1, 1, (6.4, 4.8))
    axes.plot(times, value, label=r"clover")
    if numpy.isfinite(error).all():
        axes.fill_between(times, value - error, value + error, alpha=0.3, linewidth=0)
    plain = results.column(file, "flow/plaquette_energy")
    if plain is not None:
        axes.plot(times, (times**2 * plain).mean(axis=0), "--", label="plaquette")
    axes.axhline(0.3, color="grey", linewidth=0.8)
    axes.set_xlabel(r"$t/a^2$")
    axes.set_ylabel(r"$t^2 \langle E \rangle$")
    axes.legend()
    scale = results.column(file, "flow/t0")
    if scale is not None and numpy.isfinite(scale).any():
        mean, spread = jackknife(scale[numpy.isfinite(scale)])
        axes.set_title(rf"$t_0/a^2$ = {float(mean):.6g}" +
                       (f" +- {float(spread):.2g}" if math.isfinite(spread) else ""))
    yield "flow", figure, {"t": times, "t2E": value, "t2E_error": error}


def charge_figure(file):
    charge = results.column(file, "flow/topological_charge")
    if charge is None:
        return
    last = charge[:, -1]
    figure, (left, right) = _figure(1, 2, (9.6, 4.8))
    left.plot(numpy.arange(len(last)), last, ".-", linewidth=0.5)
    left.set_xlabel("configuration")
    left.set_ylabel("topological charge at the end of the flow")
    edges = numpy.arange(math.floor(last.min()) - 1, math.ceil(last.max()) + 2) + 0.5
    right.hist(last, bins=edges)
    right.set_xlabel("topological charge")
    right.set_ylabel("configurations")
    yield "charge", figure, {"topological_charge": last}
