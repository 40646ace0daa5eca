"""Correlators with their effective masses: a page for each channel, or for each correlator; the PCAC mass."""
import re

import numpy

import results
from analyse.effective_mass import cosh_mass, log_mass, sinh_mass
from drawing import draw_errors, new_figure
from jackknife import jackknife

SYMMETRY = {"cosh": cosh_mass, "sinh": sinh_mass, "none": log_mass}
MARKERS = "os^vD"


class Correlator:
    def __init__(self, channel, momentum, sink, dataset):
        samples = results.real_correlator(dataset)
        self.channel, self.momentum, self.sink, self.count = channel, momentum, sink, len(samples)
        self.symmetry = results.text(dataset.attrs.get("symmetry", "none"))
        if self.symmetry not in SYMMETRY:  # as of staggered quarks, where a partner alternates: no mass from two slices
            self.symmetry = "none"
        self.value, self.error = jackknife(samples)
        self.mass, self.mass_error = jackknife(samples, SYMMETRY[self.symmetry])
        self.times = numpy.arange(len(self.value))

    def name(self):
        return f"correlator-{self.channel}-{self.momentum}-{self.sink}"

    def squared_momentum(self):
        return sum(int(p)**2 for p in re.findall(r"-?\d+", self.momentum))

    def numbers(self):
        return {"t": self.times, "correlator": self.value, "correlator_error": self.error,
                "effective_mass": self.mass, "effective_mass_error": self.mass_error}

    def title(self):
        return f"{self.channel}, {self.momentum.replace('_', ' ', 1).replace('_', ',')}, {self.sink} sink"


def correlator_figures(file, every):
    """A page for each channel; for each correlator where the channel has no other, or `every` one is asked for."""
    by_channel = {}
    for found in results.correlators(file):
        by_channel.setdefault(found[0], []).append(found)
    for channel, found in by_channel.items():
        shown = [Correlator(*one) for one in found]
        if len(shown) > 1:
            yield f"correlator-{channel}", _overview(shown), {one.name(): one.numbers() for one in shown}
        for one in shown if every or len(shown) == 1 else []:
            yield one.name(), _page(one), {one.name(): one.numbers()}


def _axes(title, shown):
    figure, (top, bottom) = new_figure(2, 1, (6.4, 6.4), sharex=True)
    if any((numpy.abs(one.value) > 0).any() for one in shown):
        top.set_yscale("log")
    top.set_ylabel(r"$|C(t)|$")
    count, symmetry = shown[0].count, shown[0].symmetry
    top.set_title(f"{title}, {count} configuration{'s' if count > 1 else ''}")
    bottom.set_ylabel(r"$a\,m_{\mathrm{eff}}(t)$" + (f" ({symmetry})" if symmetry != "none" else " (log)"))
    bottom.set_xlabel(r"$t/a$, from the source")
    return figure, top, bottom


def _mark_negative(axes, one, **label):
    negative = one.value < 0
    if negative.any():
        axes.plot(one.times[negative], numpy.abs(one.value[negative]), "o", markersize=7, fillstyle="none",
                  color="C3", **label)


def _page(one):
    figure, top, bottom = _axes(one.title(), [one])
    draw_errors(top, one.times, numpy.abs(one.value), one.error, marker="o", markersize=4)
    _mark_negative(top, one, label="negative")
    if (one.value < 0).any():
        top.legend()
    draw_errors(bottom, one.times[:-1] + 0.5, one.mass, one.mass_error, marker="s", markersize=4, color="C1")
    return figure


def _overview(shown):
    """All correlators of a channel: a color for each squared momentum, a marker for each sink."""
    figure, top, bottom = _axes(shown[0].channel, shown)
    squares = sorted({one.squared_momentum() for one in shown})
    sinks = sorted({one.sink for one in shown})
    named = set()
    for one in shown:
        key = (one.squared_momentum(), one.sink)
        style = {"marker": MARKERS[sinks.index(one.sink) % len(MARKERS)], "markersize": 3,
                 "color": f"C{squares.index(key[0]) % 10}"}
        label = f"$p^2$ = {key[0]}, {one.sink} sink" if key not in named else None
        named.add(key)
        draw_errors(top, one.times, numpy.abs(one.value), one.error, label=label, **style)
        draw_errors(bottom, one.times[:-1] + 0.5, one.mass, one.mass_error, **style)
        _mark_negative(top, one)
    negative = any((one.value < 0).any() for one in shown)
    top.legend(fontsize="x-small", ncol=2, title="open circles: negative" if negative else None,
               title_fontsize="x-small")
    return figure


def pcac_mass(pair):
    """m(t) = (C_AP(t+1) - C_AP(t-1)) / (4 C_PP(t)), t = 1 .. T-2, from means [AP, PP][t]."""
    axial, pion = pair[..., 0, :], pair[..., 1, :]
    return (axial[..., 2:] - axial[..., :-2]) / (4 * pion[..., 1:-1])


def pcac_figures(file):
    found = {(channel, momentum, sink): dataset for channel, momentum, sink, dataset in results.correlators(file)}
    for (channel, momentum, sink), dataset in found.items():
        name, _, quarks = channel.partition(".")  # "axial_pseudoscalar.light_strange"
        pion = found.get((channel.replace("axial_pseudoscalar", "pion"), momentum, sink))
        if name != "axial_pseudoscalar" or momentum != "p_0_0_0" or pion is None:
            continue
        pairs = numpy.stack([results.real_correlator(dataset), results.real_correlator(pion)], axis=1)
        mass, error = jackknife(pairs, pcac_mass)
        times = numpy.arange(1, pairs.shape[-1] - 1)
        figure, axes = new_figure(1, 1, (6.4, 4.8))
        draw_errors(axes, times, mass, error, marker="o", markersize=4)
        axes.set_xlabel(r"$t/a$, from the source")
        axes.set_ylabel(r"$a\,m_{\mathrm{PCAC}}(t)$, bare")
        axes.set_title(f"{quarks + ', ' if quarks else ''}{sink} sink, {len(pairs)} configuration{'s' if len(pairs) > 1 else ''}")
        yield f"pcac-{quarks + '-' if quarks else ''}{sink}", figure, {"t": times, "mass": mass, "mass_error": error}
