"""One fit of the correlators of several operators, which have energies and couplings in common."""
from __future__ import annotations

import dataclasses
from collections.abc import Mapping

import numpy

from .arrays import Array
from .chosen_window import WindowError
from .correlators import FIRST, Choice, Correlator
from .fit import FitError
from .quantities import Settings
from .shapes import bounded_exp, reflection
from .windows import Averaged, Data, scan_models

Ends = tuple[str, str]  # operators at sink and source


@dataclasses.dataclass(frozen=True)
class Factorised:
    """C_ij(t) = sum_n z_in z_jn [exp(-E_n t) +- exp(-E_n (T - t))] of operator i at the sink and j at the source.

    Parameters: couplings z_in / scale_i, [operator][state] in a row, then logarithms of the first energy and of gaps. The data are
    C_ij / (scale_i scale_j), one correlator behind the other, `slices` of each.
    """

    operators: tuple[str, ...]
    ends: tuple[tuple[int, int], ...]  # of each correlator, sink and source
    signs: tuple[float, ...]  # of each correlator; 0: nothing comes back around the lattice
    scales: tuple[float, ...]  # of each operator
    states: int
    extent: int
    slices: int
    shape: str = "several operators"

    def energies(self) -> int:
        return self.states

    def amplitudes(self) -> int:
        return len(self.operators) * self.states

    def parameters(self) -> int:
        return self.amplitudes() + self.states

    def power(self) -> float:
        return 0.5

    def places(self, first: int, last: int) -> Array:
        return numpy.concatenate([c * self.slices + numpy.arange(first, last + 1) for c in range(len(self.ends))])

    def split(self, parameters: Array) -> tuple[Array, Array]:
        """(couplings z [...][operator * states + state], energies [...][state])"""
        energies = bounded_exp(parameters[..., self.amplitudes():])
        return parameters[..., :self.amplitudes()] * numpy.repeat(self.scales, self.states), numpy.cumsum(energies, axis=-1)

    def coupling(self, operator: str, parameters: Array) -> Array:
        """|z| of an operator and the lowest state."""
        return abs(self.split(parameters)[0][..., self.operators.index(operator) * self.states])

    def has_weak_state(self, parameters: Array, errors: Array) -> bool:
        """Whether a state above the first is seen by no operator."""
        seen = abs(parameters) > errors
        by_state = seen[:self.amplitudes()].reshape(len(self.operators), self.states)
        return not bool(by_state.any(axis=0).all())

    def _basis(self, energies: Array, places: Array) -> tuple[Array, Array]:
        """[...][place][state]: what a state of coupling 1 gives, and its derivative by the energy."""
        e, t = energies[..., None, :], (places % self.slices)[:, None]
        sign = numpy.asarray(self.signs)[places // self.slices][:, None]
        forward, backward = numpy.exp(-e * t), sign * numpy.exp(-e * (self.extent - t))
        return forward + backward, -t * forward - (self.extent - t) * backward

    def evaluate(self, parameters: Array, places: Array) -> tuple[Array, Array]:
        """Values [...][place] and derivatives [...][place][parameter]."""
        z = parameters[..., :self.amplitudes()].reshape(*parameters.shape[:-1], len(self.operators), self.states)
        _, energies = self.split(parameters)
        basis, slope = self._basis(energies, places)
        sink, source = numpy.asarray(self.ends)[places // self.slices].T
        at_sink, at_source = z[..., sink, :], z[..., source, :]
        values = (basis * at_sink * at_source).sum(axis=-1)
        by_coupling = numpy.stack([(at_source * (sink == i)[:, None] + at_sink * (source == i)[:, None]) * basis
                                   for i in range(len(self.operators))], axis=-2)
        by_logarithm = slope * at_sink * at_source
        by_logarithm = numpy.flip(numpy.cumsum(numpy.flip(by_logarithm, -1), axis=-1), -1)  # a gap moves all states above it
        by_logarithm = by_logarithm * bounded_exp(parameters[..., None, self.amplitudes():])
        return values, numpy.concatenate([by_coupling.reshape(*values.shape, self.amplitudes()), by_logarithm], axis=-1)

    def begin(self, places: Array, data: Array, white: Array, logarithms: Array) -> Array:
        """Parameters where a fit begins: the best amplitude of each correlator and state, and the couplings that make them."""
        energies = numpy.cumsum(bounded_exp(logarithms))
        basis, _ = self._basis(energies, places)
        mine = (places // self.slices)[:, None] == numpy.arange(len(self.ends))
        design = (mine[:, :, None] * basis[:, None, :]).reshape(len(places), -1)
        found = numpy.linalg.lstsq(white @ design, white @ data, rcond=None)[0].reshape(len(self.ends), self.states)
        z = numpy.full((len(self.operators), self.states), numpy.nan)
        for amplitude, (sink, source) in sorted(zip(found, self.ends), key=lambda one: one[1][0] != one[1][1]):
            known = source if numpy.isfinite(z[source]).all() else sink
            other = sink if known == source else source
            if sink == source and numpy.isnan(z[sink]).any():
                z[sink] = numpy.sqrt(numpy.maximum(abs(amplitude), 1e-12))
            elif numpy.isnan(z[other]).any():
                z[other] = amplitude / z[known]
        return numpy.concatenate([numpy.nan_to_num(z, nan=0.1).ravel(), logarithms])

    def first(self, parameters: Array) -> Array:
        return bounded_exp(parameters[..., self.amplitudes()])

    def first_gradient(self, parameters: Array) -> Array:
        gradient = numpy.zeros(self.parameters())
        gradient[self.amplitudes()] = self.first(parameters)
        return gradient


def fit_together(found: Mapping[Ends, Correlator], choice: Choice, settings: Settings = Settings()) -> Averaged:
    """The lowest energy of correlators {(operator at the sink, operator at the source): correlator} of the same configurations,
    each operator at a source also at a sink. An average over windows, or the window that is chosen for the first correlator's
    channel. Throws FitError."""
    ends, members = list(found), list(found.values())
    first, half = members[0], members[0].extent() // 2 + 1
    if len(first.samples) < 2:
        raise FitError("one configuration has no errors, so nothing is fitted")
    samples = [one.folded() for one in members]
    if not all(numpy.isfinite(part).all() for part in samples):
        raise FitError("some numbers are not finite (NaN or infinite)")
    operators = tuple(dict.fromkeys(name for pair in ends for name in pair))
    scales = _scales(operators, {pair: float(part[:, FIRST + 1].mean()) for pair, part in zip(ends, samples)})
    places = [operators.index(sink) for sink, _ in ends], [operators.index(source) for _, source in ends]
    data = Data(numpy.concatenate([part / (scales[i] * scales[j]) for part, i, j in zip(samples, *places)], axis=1), first.chains,
                settings)
    signs = tuple(float(reflection(one.symmetry, 0) or 0.0) for one in members)
    window = choice.window_of(first.channel)
    states = choice.scanned_states() if window is None else choice.chosen_states()
    models = [Factorised(operators, tuple(zip(*places)), signs, scales, n, first.extent(), half) for n in states]
    end = min(one.last_slice() for one in members)
    if window is not None:
        where, last = f"window {window[0]}:{window[1]} of {first.channel} with all its operators", min(window[1], end)
        if not 0 <= window[0] or last - window[0] + 1 <= 2 * max(states):
            raise WindowError(f"{where}: {max(states)} states need {2 * max(states) + 1} slices or more within 0 to {end}")
        try:
            return scan_models(data, models, window[0], last, choice.kind, chosen=True)
        except FitError as error:
            raise WindowError(f"{where}: {error}") from error
    last = min(data.last_signal(c * half + FIRST, c * half + one.last_slice()) - c * half for c, one in enumerate(members))
    if last <= FIRST:
        raise FitError("there are fewer than two time slices with a signal")
    return scan_models(data, models, FIRST, last, choice.kind)


def _scales(operators: tuple[str, ...], sizes: Mapping[Ends, float]) -> tuple[float, ...]:
    """Of each operator, so that all data are about 1."""
    made: dict[str, float] = {sink: abs(size)**0.5 for (sink, source), size in sizes.items() if sink == source}
    for (sink, source), size in sizes.items():
        known, other = (source, sink) if source in made else (sink, source)
        if known not in made:
            raise FitError(f"no correlator has operator {source} at both ends")
        made.setdefault(other, abs(size) / made[known])
    if not all(made[name] > 0 for name in operators):
        raise FitError("a correlator is 0 near its source")
    return tuple(made[name] for name in operators)
