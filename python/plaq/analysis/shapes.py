"""What correlators are fitted with: sums of states, and constants."""
from __future__ import annotations

import dataclasses
from typing import Any

import numpy

from .arrays import Array

ALTERNATING = "cosh_oscillating"
# Shapes of three staggered quarks, and the sign of their boundary in time: C(T - t) = sign (-1)^t C(t).
BARYONS = {"baryon_oscillating": -1.0, "baryon_oscillating_periodic": 1.0}
CORNELL = "V0 - e/r + sigma r"  # of the static potential, in r
SHAPES = ("cosh", "sinh", "none", ALTERNATING, *BARYONS, "constant")  # `none`: one exponential a state


def alternates(shape: str) -> bool:
    """Whether there is a partner of other parity, whose signs alternate in time."""
    return shape == ALTERNATING or shape in BARYONS


def reflection(shape: str, t: Any) -> Any:
    """The sign of C(T - t) over C(t), [t] or one for all; None: there is none."""
    if shape in BARYONS:
        return BARYONS[shape] * (-1.0)**t
    return {"none": None, "sinh": -1.0}.get(shape, 1.0)


def bounded_exp(logarithms: Array) -> Array:
    """Of energies that a search may drive anywhere: a state of energy e^30 is gone as well as any."""
    return numpy.exp(numpy.minimum(numpy.maximum(logarithms, -30.0), 30.0))


@dataclasses.dataclass(frozen=True)
class Model:
    """Parameters: amplitudes, linear, and logarithms of the first energy, of gaps, and of a partner's energy."""

    shape: str
    states: int
    extent: int  # of time

    def energies(self) -> int:
        return 0 if self.shape == "constant" else self.states + alternates(self.shape)

    def amplitudes(self) -> int:
        return max(1, self.energies())

    def parameters(self) -> int:
        return self.energies() + self.amplitudes()

    def power(self) -> float:
        """Amplitudes grow with this power of the data."""
        return 1.0

    def places(self, first: int, last: int) -> Array:
        """Of the slices of a window in the data, which are the slices."""
        return numpy.arange(first, last + 1)

    def has_weak_state(self, parameters: Array, errors: Array) -> bool:
        """Whether a state above the first, or a partner, could as well be absent."""
        others = slice(1, self.amplitudes())
        return bool((abs(parameters[others]) < errors[others]).any())

    def begin(self, t: Array, data: Array, white: Array, logarithms: Array) -> Array:
        """Parameters where a fit begins: the best amplitudes for given energies."""
        _, energies = self.split(numpy.concatenate([numpy.zeros(self.amplitudes()), logarithms]))
        basis, _ = self.basis(energies, t)
        return numpy.concatenate([numpy.linalg.lstsq(white @ basis, white @ data, rcond=None)[0], logarithms])

    def split(self, parameters: Array) -> tuple[Array, Array]:
        """(amplitudes, energies), each [...][state]; the partner of other parity is the last."""
        energies = bounded_exp(parameters[..., self.amplitudes():])
        for state in range(1, self.states):
            energies[..., state] += energies[..., state - 1]
        return parameters[..., :self.amplitudes()], energies

    def basis(self, energies: Array, t: Array) -> tuple[Array, Array]:
        """Each state's [...][t][state] and its derivative by the energy; amplitudes are left out."""
        if self.shape == "constant":
            return numpy.ones(energies.shape[:-1] + (len(t), 1)), numpy.zeros(energies.shape[:-1] + (len(t), 1))
        e, here = energies[..., None, :], t[:, None]
        value = numpy.exp(-e * here)
        slope = -here * value
        sign = reflection(self.shape, here)
        if sign is not None:
            there = self.extent - here
            backward = sign * numpy.exp(-e * there)
            value += backward
            slope -= there * backward
        if alternates(self.shape):
            sign = -(-1.0)**t
            value[..., -1] *= sign
            slope[..., -1] *= sign
        return value, slope

    def evaluate(self, parameters: Array, t: Array) -> tuple[Array, Array]:
        """Values [...][t] and derivatives [...][t][parameter]."""
        amplitudes, energies = self.split(parameters)
        basis, slope = self.basis(energies, t)
        values = (basis * amplitudes[..., None, :]).sum(axis=-1)
        if self.shape == "constant":
            return values, basis
        by_logarithm = slope * amplitudes[..., None, :]
        for state in range(self.states - 1, 0, -1):  # a gap moves its own state and all above it
            by_logarithm[..., state - 1] += by_logarithm[..., state]
        by_logarithm *= bounded_exp(parameters[..., None, self.amplitudes():])
        return values, numpy.concatenate([basis, by_logarithm], axis=-1)

    def first(self, parameters: Array) -> Array:
        """What is wanted: the lowest energy, or the constant."""
        if self.shape == "constant":
            return parameters[..., 0]
        return bounded_exp(parameters[..., self.amplitudes()])

    def first_gradient(self, parameters: Array) -> Array:
        gradient = numpy.zeros(self.parameters())
        if self.shape == "constant":
            gradient[0] = 1
        else:
            gradient[self.amplitudes()] = self.first(parameters)
        return gradient
