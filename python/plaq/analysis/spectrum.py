"""What propagator jobs give: masses of all correlators, PCAC and residual masses, and how solves went."""
import numpy

from .correlators import correlators, split_channel
from .fit import FitError
from .ratios import pcac_mass, residual_mass, summed_residual_mass


def add_spectrum(block, choice, settings):
    ensemble = block.ensemble
    if "correlators" not in ensemble.files[0].file:
        return
    found = correlators(ensemble, choice)
    if not found:
        block.notes.append("no correlator is of the channel, momentum and sink that are wanted")
        return
    block.chains = found[0].chains
    _add_solves(block)
    for one in found:
        if one.channel != "midpoint_pion":
            add_mass(block, one, choice, settings)
    _add_ratios(block, found, choice, settings)


def add_mass(block, correlator, choice, settings):
    name = f"mass {correlator.name()}"
    block.correlators.append(correlator)
    block.effective[name] = correlator.effective_masses()
    fitted(block, name, lambda: correlator.mass(choice, settings))


def fitted(block, name, make):
    try:
        averaged = make()
        block.add(name, averaged.quantity, averaged=averaged)
    except FitError as error:
        block.notes.append(f"{name}: {error}")


def _add_ratios(block, found, choice, settings):
    by_name = {(one.channel, one.momentum, one.sink): one for one in found}
    for (channel, momentum, sink), one in by_name.items():
        base, quarks = split_channel(channel)
        of_quarks = f".{quarks}" if quarks else ""
        pion = by_name.get((f"pion{of_quarks}", momentum, sink))
        if momentum != (0, 0, 0) or pion is None:
            continue
        if base == "axial_pseudoscalar":
            fitted(block, f"pcac mass {quarks + ' ' if quarks else ''}{sink}",
                   lambda: pcac_mass(one, pion, choice, settings))
        if channel == "midpoint_pion":
            fitted(block, "residual mass midpoint", lambda: residual_mass(one, pion, choice, settings))
    if block.ensemble.has("residual_mass/summed"):
        block.add("residual mass summed", summed_residual_mass(block.ensemble, block.chains))


def _add_solves(block):
    if not (block.ensemble.has("solves/iterations") and block.ensemble.has("solves/true_residual")):
        return
    iterations = block.ensemble.column("solves/iterations")
    residual = block.ensemble.column("solves/true_residual")
    block.facts.append(("solves", f"{iterations.size}, iterations {iterations.mean():.5g} on average and "
                        f"{iterations.max()} at most, true residual {numpy.max(residual):.2g} at most"))
