"""The figures: functions that take a result file and give (name, matplotlib figure, the numbers drawn)."""
import math

import numpy

import results
from correlator_figures import correlator_figures, pcac_figures
from drawing import new_figure
from jackknife import jackknife
from gaugefix_figures import gaugefix_figures
from gluon_figures import gluon_figures
from kernel_figures import kernel_figures
from potential_figure import potential_figure
from quark_figures import quark_figures
from scaling_figures import scaling_figures
from solver_figures import solver_figures


def all_figures(file, every_correlator):
    yield from correlator_figures(file, every_correlator)
    for make in (pcac_figures, history_figure, ensemble_figure, flow_figure, charge_figure, potential_figure,
                 gaugefix_figures, gluon_figures, quark_figures, kernel_figures, scaling_figures, solver_figures):
        yield from make(file)


def history_figure(file):
    sweep, plaquette = results.column(file, "history/sweep"), results.column(file, "history/plaquette")
    if sweep is None or plaquette is None or not len(sweep):
        return
    loop = results.column(file, "history/polyakov_loop")
    figure, axes = new_figure(2 if loop is not None else 1, 1, (6.4, 6.4), squeeze=False)
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
    figure, axes = new_figure(1, 1, (6.4, 4.8))
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
    figure, axes = new_figure(1, 1, (6.4, 4.8))
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
    figure, (left, right) = new_figure(1, 2, (9.6, 4.8))
    left.plot(numpy.arange(len(last)), last, ".-", linewidth=0.5)
    left.set_xlabel("configuration")
    left.set_ylabel("topological charge at the end of the flow")
    edges = numpy.arange(math.floor(last.min()) - 1, math.ceil(last.max()) + 2) + 0.5
    right.hist(last, bins=edges)
    right.set_xlabel("topological charge")
    right.set_ylabel("configurations")
    yield "charge", figure, {"topological_charge": last}
