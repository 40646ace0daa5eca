"""The generalised eigenvalue problem of point and smeared sources and sinks (Luescher, Wolff, NPB 339 (1990) 222).

C(t1) v = lambda C(t0) v is solved for the means once; v^T C(t) v are correlators of one state each.
"""
from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy

from .arrays import Array
from .correlators import Choice, Correlator, correlators
from .fit import FitError

if TYPE_CHECKING:
    from .results import Ensemble

KINDS = ("point", "smeared")


def source_kind(ensemble: Ensemble) -> str:
    smearing = ensemble.job.get("quark_smearing", {})
    return "smeared" if smearing.get("source") and smearing.get("steps", 0) else "point"


def pairs(found: list[Ensemble]) -> list[tuple[Ensemble, Ensemble]]:
    """(point, smeared): ensembles of jobs that differ in the smearing of the source alone."""
    made = []
    for i, one in enumerate(found):
        for other in found[i + 1:]:
            keys = [e.files[0].key((("quark_smearing", "source"),)) for e in (one, other)]
            if keys[0] is not None and keys[0] == keys[1] and source_kind(one) != source_kind(other):
                made.append((one, other) if source_kind(one) == "point" else (other, one))
    return made


def principal_correlators(point: Ensemble, smeared: Ensemble, choice: Choice,
                          times: tuple[int, int] = (2, 4)) -> tuple[list[Correlator], list[str]]:
    """(correlators of states 0 and 1, notes)"""
    choice = dataclasses.replace(choice, sink="")
    by_name = [{(c.channel, c.momentum, c.sink): c for c in correlators(e, choice)} for e in (point, smeared)]
    made: list[Correlator] = []
    notes = []
    for channel, momentum in dict.fromkeys((name[0], name[1]) for name in by_name[0]):
        if any((channel, momentum, sink) not in side for sink in KINDS for side in by_name):
            continue
        matrix = [[side[channel, momentum, sink] for sink in KINDS] for side in by_name]
        try:
            made += _solve(matrix, times)
        except FitError as error:
            notes.append(f"gevp of {channel} p={','.join(map(str, momentum))}: {error}")
    return made, notes


def _solve(matrix: list[list[Correlator]], times: tuple[int, int]) -> list[Correlator]:
    first = matrix[0][0]
    numbers = {(tuple(one.chains.replica), tuple(one.chains.number)) for row in matrix for one in row}
    if len(numbers) > 1:
        raise FitError("the results of the two sources are of different configurations")
    samples = numpy.array([[one.unfolded() for one in row] for row in matrix])  # source, sink, configuration, t
    samples = (samples + samples.swapaxes(0, 1)) / 2
    vectors = principal_vectors(samples.mean(axis=2), times)
    states = numpy.einsum("ni,ijct,nj->nct", vectors, samples, vectors)
    return [dataclasses.replace(first, channel=f"{first.channel} state {n}", sink="gevp", samples=state)
            for n, state in enumerate(states)]


def principal_vectors(means: Array, times: tuple[int, int]) -> Array:
    """[state][operator], the lowest state first, with v^T C(t0) v = 1."""
    t0, t1 = times
    if not 0 <= t0 < t1 <= means.shape[-1] // 2:
        raise FitError(f"times {t0} and {t1} must lie in the first half of the lattice; choose others by --gevp T0,T1")
    scale = numpy.sqrt(abs(numpy.einsum("ii->i", means[..., t0])))
    scaled = means / numpy.outer(scale, scale)[..., None]
    try:
        lower = numpy.linalg.cholesky(scaled[..., t0])
    except numpy.linalg.LinAlgError as error:
        raise FitError(f"the matrix at t = {t0} is not positive; choose another T0 by --gevp T0,T1") from error
    inverse = numpy.linalg.inv(lower)
    _, vectors = numpy.linalg.eigh(inverse @ scaled[..., t1] @ inverse.T)
    return (inverse.T @ vectors[:, ::-1]).T / scale
