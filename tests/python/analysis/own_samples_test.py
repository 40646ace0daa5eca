"""Correlators of samples that no file has: plaq.Correlator.of_samples(). 77: a library is missing."""
import sys

try:
    import h5py  # noqa: F401  the package reads with it
    import numpy
    import uncertainties  # noqa: F401
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

from made import noisy, states  # finds the package
from plaq import Correlator
from plaq.analysis import Chains, EigenvalueProblem, quantity

EXTENT, ROWS, MASS = 16, 100, 0.4


def correlator(rng):
    return noisy(states("cosh", EXTENT, (MASS,), (1.0,)), ROWS, rng, 0.01, a=0.3)


def check_numbers():
    """Mass, effective mass and mean, as those of the same numbers in plaq.analysis."""
    samples = correlator(numpy.random.default_rng(1))
    own = Correlator.of_samples(samples, channel="mine")
    assert abs(own.mass().value - MASS) < 4 * own.mass().error < 0.1 and own.channel == "mine"
    assert own.mean().value.tolist() == samples.mean(axis=0).tolist()
    third = quantity(samples, lambda c: c[..., 3], Chains.of_rows(ROWS))
    assert abs(own.mean()[3].error / third.gamma().error - 1) < 1e-12
    ratio = own.mean()[3] / own.mean()[3]
    assert ratio.value == 1 and ratio.error < 1e-12


def check_order():
    """Rows are put in the order of their trajectories, with their fields."""
    samples = correlator(numpy.random.default_rng(2))
    mixed = numpy.random.default_rng(3).permutation(ROWS)
    names = [f"field {10 * k}" for k in range(ROWS)]
    straight = Correlator.of_samples(samples, trajectories=10 * numpy.arange(ROWS), fields=names)
    other = Correlator.of_samples(samples[mixed], trajectories=10 * mixed, fields=[names[k] for k in mixed])
    assert (other.samples == samples).all()
    assert abs((other.mass() - straight.mass()).error) < 1e-12 < straight.mass().error
    gaps = Correlator.of_samples(samples[::2], trajectories=numpy.arange(0, 10 * ROWS, 20), fields=names[::2])
    assert gaps.found.chains.spacing() == 20
    # Without names nothing is known of the fields.
    assert (Correlator.of_samples(samples).mass() - Correlator.of_samples(samples).mass()).error > straight.mass().error


def check_eigenvalues():
    """Matrices of them are eigenvalue problems, real parts of complex numbers too."""
    rng = numpy.random.default_rng(4)
    one, two = (states("none", EXTENT, (e,), (1.0,)) for e in (0.3, 0.7))
    operators = ((1.0, 0.5), (0.6, -0.9))
    parts = [[noisy(one * a * b + two * c * d, ROWS, rng, 0.001) for b, d in operators] for a, c in operators]
    problem = EigenvalueProblem([[Correlator.of_samples((part + 0j).real, "none").found for part in row] for row in parts], t0=1)
    for n, energy in enumerate((0.3, 0.7)):
        found = problem.energy(n).quantity
        assert abs(found.value - energy) < 5 * found.gamma().error < 0.2, (n, found.value)


def check_errors():
    samples = correlator(numpy.random.default_rng(5))
    for change, word in (({"samples": samples + 0j}, "real numbers"), ({"samples": samples[:, :5]}, "even number of time slices"),
                         ({"samples": samples[0]}, "shape (16,)"), ({"symmetry": "constant"}, "expected one of cosh"),
                         ({"trajectories": [1, 2]}, "trajectories: 2 for 100"), ({"fields": ["a"]}, "fields: 1 for 100"),
                         ({"trajectories": [7] * ROWS}, "trajectory 7 of replica 0 is there twice"),
                         ({"samples": samples[:0]}, "no configurations")):
        try:
            Correlator.of_samples(**{"samples": samples, **change})
        except ValueError as error:
            assert word in str(error), (word, error)
        else:
            raise AssertionError(word)


check_numbers()
check_order()
check_eigenvalues()
check_errors()
print("ok")
