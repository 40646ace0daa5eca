"""Matrix elements and decay constants of pseudoscalar mesons, by one fit of pseudoscalar and axial correlators.

With z_O = <0|O|pi> / sqrt(2 m), states of norm 2 m, C_OO'(t) = z_O z_O' exp(-m t) + ..., and <0|A_t|pi> = m f / Z_A:

    f = Z_A sqrt(2/m) z_A        about 130 MeV of the pion
"""
from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy

from .arrays import Array
from .blocks import Result
from .chosen_window import WindowError
from .correlators import Choice, Correlator, split_channel
from .derived import derived
from .factorised import Ends, fit_together
from .fit import FitError
from .fit_numbers import Number, number_of
from .operator_matrices import source_kind
from .quantities import Settings
from .windows import Averaged

if TYPE_CHECKING:
    from .blocks import Block
    from .results import Ensemble

P_POINT, P_SMEARED, AXIAL = "P point", "P smeared", "A point"
OPERATOR = {"point": P_POINT, "smeared": P_SMEARED}
Z = tuple[float, float]  # value and error


@dataclasses.dataclass
class MatrixElements:
    """Of one meson at rest, in lattice units."""

    fit: Averaged  # its mass
    pseudoscalar: Number | None  # |<0|P|pi>| of the local qbar gamma_5 q, bare; None: without correlators of a point sink
    axial: Number | None  # |<0|A_t|pi>| of the local axial current, bare
    decay_constant: Number | None  # with Z_A = 1


def matrix_elements(found: dict[Ends, Correlator], choice: Choice = Choice(), settings: Settings = Settings()) -> MatrixElements:
    """By one fit of correlators at rest {(operator at the sink, at the source): correlator}, operators P_POINT, P_SMEARED and AXIAL,
    sources of norm 1 at a point. Throws FitError where nothing can be fitted."""
    fit = fit_together(found, choice, settings)
    operators = fit.best().model.operators

    def number(operator: str, function: Callable[[Array, Array], Array]) -> Number | None:
        if operator not in operators:
            return None
        return number_of(fit, lambda model, p: function(model.coupling(operator, p), model.first(p)))

    return MatrixElements(fit, number(P_POINT, lambda z, m: z * numpy.sqrt(2 * m)), number(AXIAL, lambda z, m: z * numpy.sqrt(2 * m)),
                          number(AXIAL, lambda z, m: z * numpy.sqrt(2 / m)))


def operators_of(ensemble: Ensemble, found: list[Correlator], quarks: str) -> dict[Ends, Correlator]:
    """The correlators at rest of one meson that have a place in its fit."""
    source = OPERATOR[source_kind(ensemble)]
    made: dict[Ends, Correlator] = {}
    for one in found:
        base, its_quarks = split_channel(one.channel)
        if any(one.momentum) or its_quarks != quarks:
            continue
        if base == "pion" and one.sink in OPERATOR:
            made[OPERATOR[one.sink], source] = one
        if base == "axial_pseudoscalar" and one.sink == "point":
            made[AXIAL, source] = one
    # The pseudoscalar comes first: its channel chooses the window.
    return dict(sorted(made.items(), key=lambda item: (item[0][0] == AXIAL, item[0][0] != item[0][1])))


def add_matrix_elements(block: Block, ensembles: list[Ensemble], found: list[list[Correlator]], choice: Choice, settings: Settings,
                        z_axial: Z = (1.0, 0.0)) -> None:
    """Of mesons with an axial correlator at rest, in one ensemble, or in two that differ in the smearing of the source."""
    axial = [one for one in found[-1] if split_channel(one.channel)[0] == "axial_pseudoscalar" and not any(one.momentum)]
    together = " of both sources" if len(ensembles) > 1 else ""
    for quarks in dict.fromkeys(split_channel(one.channel)[1] for one in axial):
        meson = "pion" + (f".{quarks}" if quarks else "")
        made: dict[Ends, Correlator] = {}
        for ensemble, some in zip(ensembles, found):
            made.update(operators_of(ensemble, some, quarks))
        made = dict(sorted(made.items(), key=lambda item: (item[0][0] == AXIAL, item[0][0] != item[0][1])))
        why = _why_not(ensembles, made)
        if why:
            if why != ABSENT:
                block.notes.append(f"decay constant {meson}{together}: {why}")
            continue
        try:
            elements = matrix_elements(made, choice, settings)
        except WindowError:
            raise
        except FitError as error:
            block.notes.append(f"decay constant {meson}{together}: {error}")
            continue
        _add(block, meson, together, elements, z_axial)


ABSENT = "absent"


def _why_not(ensembles: list[Ensemble], made: dict[Ends, Correlator]) -> str:
    """Why there is no decay constant; ABSENT: nothing of it is in the file, or the file does not say its source."""
    jobs = [ensemble.job for ensemble in ensembles]
    pseudoscalar = [ends for ends in made if ends[0] != AXIAL]
    if not pseudoscalar or len(pseudoscalar) == len(made) or any(job.get("source", {}).get("type") is None for job in jobs):
        return ABSENT
    if any(job["source"]["type"] != "point" for job in jobs):
        return "it needs a source of type point, whose norm is known"
    if any(float(job.get("action", {}).get("xi", 1.0)) != 1.0 for job in jobs):
        return "the normalisation of anisotropic lattices is not known here"
    if any((source, source) not in made for _, source in made):
        return "a smeared source needs pions of smeared sinks, too: sinks = [\"point\", \"smeared\"] in [correlators]"
    chains = {(tuple(one.chains.replica), tuple(one.chains.number)) for one in made.values()}
    return "the sources are not of the same configurations" if len(chains) > 1 else ""


def _add(block: Block, meson: str, together: str, elements: MatrixElements, z_axial: Z) -> None:
    fit, (z, error) = elements.fit, z_axial
    operators = ", ".join(fit.best().model.operators)
    block.add(f"mass {meson} of operators{together}", fit.quantity, averaged=fit)
    block.facts.append((f"operators{together}", f"{meson}: {operators}; correlators of all in one fit"))
    if elements.pseudoscalar is not None:
        block.results.append(_result(f"matrix element 0|P|{meson}{together}", elements.pseudoscalar))
    if elements.axial is not None and elements.decay_constant is not None:
        block.results.append(_result(f"matrix element 0|A|{meson}{together}", elements.axial))
        renormalised = derived(lambda f: z * f, elements.decay_constant)
        block.results.append(Result(f"decay constant {meson}{together}", renormalised.quantity, systematic=renormalised.systematic,
                                    other_error=error * elements.decay_constant.quantity.value))
        said = f"Z_A = {z:g}" + (f" +- {error:g}" if error else "") + ("" if z != 1 or error else ", bare")
        if ("f = Z_A sqrt(2/m) z_A", said) not in block.facts:
            block.facts.append(("f = Z_A sqrt(2/m) z_A", said))


def _result(name: str, number: Any) -> Result:
    return Result(name, number.quantity, systematic=number.systematic)
