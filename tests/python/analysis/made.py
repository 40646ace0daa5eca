"""Markov chains and correlators whose truth is known, and the package under test."""
import contextlib
import io
import pathlib
import sys
import unittest.mock

import numpy

HERE = pathlib.Path(__file__).resolve()
sys.path[:0] = [str(HERE.parents[3] / "python"), str(HERE.parents[2])]


def autoregressive(shape, a, rng):
    """[step]...: x' = a x + noise, of mean 0 and variance 1; tau_int = (1 + a) / (2 (1 - a))."""
    noise = rng.normal(size=shape)
    noise[1:] *= numpy.sqrt(1 - a * a)
    for i in range(1, len(noise)):
        noise[i] += a * noise[i - 1]
    return noise


def states(kind, extent, energies, amplitudes):
    """C(t), t = 0 .. T-1; of "cosh_oscillating" and "baryon_oscillating" the last state alternates."""
    t = numpy.arange(extent)
    back = {"none": 0, "sinh": -1, "baryon_oscillating": -(-1.0)**t}.get(kind, 1)
    parts = [c * (numpy.exp(-e * t) + back * numpy.exp(-e * (extent - t))) for e, c in zip(energies, amplitudes)]
    if kind.endswith("oscillating"):
        parts[-1] = -(-1.0)**t * parts[-1]
    return sum(parts)


def noisy(correlator, count, rng, size=0.01, a=0.0):
    """[configuration][t]: relative noise that neighbouring slices have in common."""
    t = numpy.arange(len(correlator))
    lower = numpy.linalg.cholesky(numpy.exp(-abs(t[:, None] - t) / 3))
    return correlator * (1 + size * autoregressive((count, len(t)), a, rng) @ lower.T)


def analysed(directory, *arguments, code=0):
    """(text, JSON as text) of plaq analyse in this process; (errors, None) where it ends with another code."""
    from plaq.analysis.command import main
    path, out, err = directory / "numbers.json", io.StringIO(), io.StringIO()
    argv = ["analyse", *map(str, arguments), "--samples", "20", "--json", str(path)]
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), unittest.mock.patch("sys.argv", argv):
        try:
            found = main()
        except SystemExit as end:
            found = end.code
    assert found == code and "Traceback" not in err.getvalue(), (arguments, found, err.getvalue())
    return (err.getvalue(), None) if code else (out.getvalue(), path.read_text())
