"""The generalised eigenvalue problem of a matrix of correlators (Luescher, Wolff, NPB 339 (1990) 222; Blossier et al., 0902.1265).

C(t) v_n = lambda_n C(t0) v_n of the means gives energies lambda_n(t) -> E_n(t). With fixed vectors, those of one time t1,
v_n^T C(t) v_n are correlators of one state each.
"""
from __future__ import annotations

import dataclasses
import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy

from .arrays import Array
from .chosen_window import WindowError
from .correlators import Choice, Correlator, unfolded
from .effective_mass import effective_mass
from .fit import FitError
from .operator_matrices import matrices
from .quantities import Quantity, Settings, quantities
from .ratios import constant
from .spectrum import add_mass, fitted

if TYPE_CHECKING:
    from .blocks import Block
    from .results import Ensemble
    from .windows import Averaged


class EigenvalueProblem:
    """C(t) v = lambda C(t0) v of a matrix of correlators [sink][source] of the same configurations; None stands for the correlator
    with sink and source exchanged. Throws FitError if C(t0) is not positive or t0 is too late."""

    def __init__(self, matrix: Sequence[Sequence[Correlator | None]], t0: int, channel: str = "") -> None:
        size = len(matrix)
        if size < 2 or any(len(row) != size for row in matrix):
            raise FitError("a matrix of two operators or more is needed, with a row and a column for each")
        every = [matrix[i][j] or matrix[j][i] for i in range(size) for j in range(size)]
        known = [one for one in every if one is not None]
        if len(known) < len(every):
            raise FitError("the correlator of two operators is missing with either of them at the sink")
        if len({(tuple(one.chains.replica), tuple(one.chains.number)) for one in known}) > 1:
            raise FitError("the results of the two sources are of different configurations")
        if not all(one.chains.weighs_as(known[0].chains) for one in known):
            raise FitError("the correlators have different weights of the configurations")
        if len({one.samples.shape for one in known}) > 1:
            raise FitError("the correlators have different extents in time")
        symmetries = {one.symmetry for one in known}
        self.first = dataclasses.replace(known[0], symmetry=symmetries.pop() if len(symmetries) == 1 else "none")
        self.t0, self.size, self.chains = t0, size, known[0].chains
        self.channel = channel or self.first.channel
        samples = numpy.array([one.unfolded() for one in known])
        samples = samples.reshape(size, size, *samples.shape[1:])
        self.samples = (samples + samples.swapaxes(0, 1)) / 2  # [sink][source][configuration][t]
        if not numpy.isfinite(self.samples).all():
            raise FitError("some numbers are not finite (NaN or infinite)")
        self.half = self.samples.shape[-1] // 2 + 1
        if not 0 <= t0 < self.half - 2:
            raise FitError(f"t0 = {t0} must lie in the first half of the lattice, two slices or more before its end; choose another by "
                           "--gevp T0")
        self.places = numpy.triu_indices(size)
        self.means = self.chains.mean(self.samples, axis=2)
        self.vectors, self.lower = self._reference()

    def fixed(self, t1: int) -> list[Correlator]:
        """[state]: v^T C(t) v with the vectors v of t = t1, the lowest state first; v is held fixed in errors."""
        vectors = principal_vectors(self.means, (self.t0, t1))
        states = numpy.einsum("ni,ijct,nj->nct", vectors, self.samples, vectors)
        return [dataclasses.replace(self.first, channel=self._state(n), sink="gevp", samples=state) for n, state in enumerate(states)]

    def energies(self) -> list[list[Quantity]]:
        """[state][t] of slices t and t + 1, t < T/2: E_n(t) of the eigenvalues, as effective masses have it: log(lambda_n(t) /
        lambda_n(t + 1)) if nothing comes back around the lattice. NaN before t0."""
        found = quantities(self._parts(), lambda means: self._energies(means).reshape(*means.shape[:-1], -1), self.chains)
        width = self.half - 1
        return [found[n * width:(n + 1) * width] for n in range(self.size)]

    def energy(self, state: int, choice: Choice = Choice(), settings: Settings = Settings()) -> Averaged:
        """A constant in windows of E_n(t), averaged as masses are. Corrections fall as exp(-(E_N - E_n) t) for N operators and
        t <= 2 t0, with E_0 the lowest energy (Blossier et al., 0902.1265). Throws FitError."""
        def of_state(means: Array) -> Array:
            return self._energies(means)[..., state, :]

        found = quantities(self._parts(), of_state, self.chains)
        last = self.t0
        while last + 1 < len(found) and abs(found[last + 1].value) > found[last + 1].gamma(settings).error:
            last += 1
        return constant(self._parts(), of_state, self.chains, self.t0 + 1, last, choice, settings, self._state(state))

    def state_name(self, state: int) -> str:
        """As correlators of one state are called."""
        return dataclasses.replace(self.first, channel=self._state(state), sink="gevp").name()

    def _state(self, n: int) -> str:
        return f"{self.channel} state {n}"

    def _parts(self) -> Array:
        """[configuration][pair of operators, then t]: what eigenvalues are made of."""
        upper = self.samples[self.places][..., :self.half]  # [pair][configuration][t]
        return numpy.moveaxis(upper, 0, 1).reshape(upper.shape[1], -1)

    def _reference(self) -> tuple[Array, Array]:
        """Vectors of the means [t][operator][state] in the basis where C(t0) is 1, and the root L of C(t0) = L L^T. States have
        the order of their size at t0 + 1, and at other times the order of their overlaps with these."""
        scaled, lower, _ = self._scaled(self._upper(self.means))
        if lower is None:
            raise FitError(f"the matrix at t = {self.t0} is not positive; choose another T0 by --gevp T0, or fewer operators by "
                           "--channel and --sink")
        _, vectors = numpy.linalg.eigh(scaled)
        first = vectors[self.t0 + 1][:, ::-1]
        at = _matched(first.T @ vectors)
        return numpy.take_along_axis(vectors, at[:, None, :], axis=-1), lower

    def _upper(self, matrix: Array) -> Array:
        return matrix[self.places][..., :self.half].reshape(-1)

    @functools.cached_property
    def _scale(self) -> Array:
        """[operator]: so that all numbers are about 1."""
        sizes = numpy.sqrt(abs(numpy.einsum("iit->it", self.means)[:, self.t0]))
        return numpy.where(sizes > 0, sizes, 1.0)

    def _scaled(self, means: Array) -> tuple[Array, Array | None, Array]:
        """(L^-1 C(t) L^-T [...][t][i][j], L [...][i][j] of C(t0) or None if it is nowhere positive, where it is [...])."""
        parts = means.reshape(*means.shape[:-1], -1, self.half)
        matrix = numpy.zeros((*means.shape[:-1], self.half, self.size, self.size))
        i, j = self.places
        scaled = numpy.moveaxis(parts / (self._scale[i] * self._scale[j])[:, None], -1, -2)
        matrix[..., i, j] = matrix[..., j, i] = scaled
        start = matrix[..., self.t0, :, :]
        positive = numpy.asarray(numpy.linalg.eigvalsh(start)[..., 0] > 0)
        if not positive.any():
            return matrix, None, positive
        lower = numpy.linalg.cholesky(numpy.where(positive[..., None, None], start, numpy.eye(self.size)))
        inverse = numpy.linalg.inv(lower)[..., None, :, :]
        found = inverse @ matrix @ inverse.swapaxes(-1, -2)
        return (found + found.swapaxes(-1, -2)) / 2, lower, positive

    def _eigenvalues(self, means: Array) -> Array:
        """lambda [...][state][t] of other means [...][number], each state the one that overlaps most with that of the mean, so that they
        do not change places where two eigenvalues cross. NaN if C(t0) is not positive."""
        scaled, lower, positive = self._scaled(means)
        if lower is None:
            return numpy.full((*means.shape[:-1], self.size, self.half), numpy.nan)
        values, vectors = numpy.linalg.eigh(scaled)
        # In the metric of the mean: u^T L^T L'^-T u' of vectors u of the mean and u' of these means.
        turn = self.lower.T @ numpy.linalg.inv(lower).swapaxes(-1, -2)
        overlaps = self.vectors.swapaxes(-1, -2) @ turn[..., None, :, :] @ vectors
        ordered = numpy.take_along_axis(values, _matched(overlaps), axis=-1)
        return numpy.where(positive[..., None, None], ordered.swapaxes(-1, -2), numpy.nan)

    def _energies(self, means: Array) -> Array:
        """[...][state][t], t < T/2."""
        found = effective_mass(unfolded(self._eigenvalues(means), self.first.symmetry), self.first.symmetry)[..., :self.half - 1]
        return numpy.where(numpy.arange(self.half - 1) < self.t0, numpy.nan, found)


def _matched(overlaps: Array) -> Array:
    """[...][state]: the vector of each state, by the largest overlaps |[...][state][vector]| first."""
    left, size = abs(overlaps), overlaps.shape[-1]
    found = numpy.zeros(overlaps.shape[:-1], dtype=int)
    for _ in range(size):
        best = left.reshape(*left.shape[:-2], -1).argmax(axis=-1)
        state, vector = (best // size)[..., None], (best % size)[..., None]
        numpy.put_along_axis(found, state, vector, axis=-1)
        taken = (numpy.arange(size) == state)[..., :, None] | (numpy.arange(size) == vector)[..., None, :]
        left = numpy.where(taken, -1.0, left)
    return found


def add_states(block: Block, group: Sequence[Ensemble], times: tuple[int, ...] | None, choice: Choice, settings: Settings) -> None:
    """Energies of the states of all matrices of one group(), in its last block. times: (t0,), or (t0, t1) for vectors that are fixed at
    t1; None: (2, 4), and of the smearings of each channel alone."""
    used = (2, 4) if times is None else times
    found = matrices(group, choice, interpolators=times is not None)
    if times is not None and len(group) == 1 and not found and block.correlators:
        block.notes.append("gevp: there is no matrix of two operators; it needs a job for each smearing of the source, or channels such as "
                           "proton, proton_12, proton_21 and proton_22")
    facts = []
    for matrix in found:
        try:
            problem = EigenvalueProblem(matrix.correlators, used[0], matrix.channel)
            if len(used) > 1:
                for one in problem.fixed(used[1]):
                    add_mass(block, one, choice, settings)
            else:
                _add_energies(block, problem, choice, settings)
        except WindowError:
            raise
        except FitError as error:
            block.notes.append(f"gevp of {matrix.name()}: {error}")
            continue
        if times is not None:
            facts.append((f"operators of {matrix.channel}", ", ".join(matrix.operators)))
        others = "".join(f"with {one.name()}, " for one in group[:-1])
        facts.append(("gevp", others + f"t0 = {used[0]}, " + (f"vectors of t = {used[1]}" if len(used) > 1 else "vectors of each t")))
    block.facts += dict.fromkeys(facts)


def _add_energies(block: Block, problem: EigenvalueProblem, choice: Choice, settings: Settings) -> None:
    energies = problem.energies()
    for n, effective in enumerate(energies):
        name = f"mass {problem.state_name(n)}"
        block.effective[name] = effective
        fitted(block, name, functools.partial(problem.energy, n, choice, settings))


def principal_correlators(point: Ensemble, smeared: Ensemble, choice: Choice,
                          times: tuple[int, int] = (2, 4)) -> tuple[list[Correlator], list[str]]:
    """(correlators of states 0 and 1 of point and smeared sources and sinks, notes)"""
    made: list[Correlator] = []
    notes = []
    for matrix in matrices([point, smeared], choice, interpolators=False):
        try:
            made += EigenvalueProblem(matrix.correlators, times[0], matrix.channel).fixed(times[1])
        except FitError as error:
            notes.append(f"gevp of {matrix.name()}: {error}")
    return made, notes


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
