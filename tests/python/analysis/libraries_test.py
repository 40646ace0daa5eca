"""The same numbers as pyerrors and lsqfit, and exports that pyerrors and gvar read back. 77: a library is missing."""
import math
import pathlib
import sys
import tempfile
import warnings

warnings.simplefilter("ignore")  # of the libraries
try:
    import gvar
    import h5py  # noqa: F401 - plaq needs it
    import lsqfit
    import numpy
    import pyerrors
except ImportError as error:
    print(f"skipped: {error}; pip install pyerrors gvar lsqfit, and PLAQ_TEST_PYTHON names that Python to CMake")
    sys.exit(77)

import autograd.numpy as anp
from made import autoregressive, noisy, states  # finds the package

import sealed

from plaq.analysis import (Chains, Correlator, Data, EigenvalueProblem, GammaSettings, Request, Settings, analyse, export,
                           gamma_error, mean_of, quantity)
from plaq.analysis.fit import fit, whitening
from plaq.analysis.gamma import NUMPY, PYERRORS, names_and_numbers, observable
from plaq.analysis.shapes import Model
from plaq.analysis.windows import CORRELATED, UNCORRELATED

EXTENT, ROWS = 16, 300
BY_NUMPY = Settings(GammaSettings(library=NUMPY), samples=50)


def close(one, other):
    assert abs(one - other) <= 1e-6 * abs(other) + 1e-15, (one, other)


def chains_of_all_kinds(rng):
    kept = numpy.sort(rng.choice(600, 400, replace=False))
    return (Chains.of_rows(400), Chains(numpy.zeros(400), 10 + 20 * numpy.arange(400)),
            Chains(numpy.zeros(400), 4 * kept), Chains(numpy.arange(400) // 150, 2 * numpy.arange(400)),
            Chains(numpy.arange(400) // 120, 3 * kept))


def as_obs(samples, chains):
    names, numbers = names_and_numbers(chains)
    return pyerrors.Obs([samples[part] for part in chains.parts], names, idl=numbers)


def check_gamma_method():
    rng = numpy.random.default_rng(1)
    for chains in chains_of_all_kinds(rng):
        for factor, tau_exp in ((2.0, 0.0), (1.5, 0.0), (0.0, 0.0), (2.0, 8.0)):
            samples = autoregressive(400, 0.7, rng) + 1
            theirs = as_obs(samples, chains)
            theirs.gamma_method(S=factor, tau_exp=tau_exp)
            for library in (NUMPY, PYERRORS):
                ours = gamma_error(chains.fluctuations(samples), chains, GammaSettings(factor, tau_exp, library))
                assert ours.library == library
                close(ours.error, theirs.dvalue)
                close(ours.error_of_error, theirs.ddvalue)
                close(ours.tau, theirs.e_tauint["ensemble"])
                close(ours.tau_error, theirs.e_dtauint["ensemble"])
                assert ours.window == theirs.e_windowsize["ensemble"]


def check_chains_that_pyerrors_does_not_take():
    """Steps of 2 and 3, and replicas of three rows: numpy has them, and says so."""
    rng = numpy.random.default_rng(2)
    for chains in (Chains(numpy.zeros(60), numpy.cumsum(rng.choice([2, 3], 60))),
                   Chains(numpy.arange(60) // 3, numpy.arange(60))):
        found = gamma_error(chains.fluctuations(rng.normal(size=60)), chains)
        assert found.library == NUMPY and found.error > 0


def check_derived():
    rng = numpy.random.default_rng(3)
    for chains in chains_of_all_kinds(rng):
        samples = 0.1 * autoregressive((400, 2), 0.6, rng) + [3.0, 2.0]
        ours = quantity(samples, lambda m: numpy.log(m[..., 0]) * m[..., 1]**2, chains)
        a, b = (as_obs(samples[:, i], chains) for i in range(2))
        theirs = numpy.log(a) * b**2
        theirs.gamma_method()
        close(ours.value, theirs.value)
        close(ours.gamma(BY_NUMPY).error, theirs.dvalue)


def check_reweighting():
    rng = numpy.random.default_rng(9)
    for chains in chains_of_all_kinds(rng):
        samples = 0.1 * autoregressive((400, 2), 0.6, rng) + [3.0, 2.0]
        weights = numpy.exp(0.5 * autoregressive(400, 0.8, rng))
        a, b = pyerrors.reweight(as_obs(weights, chains), [as_obs(samples[:, i], chains) for i in range(2)])
        theirs = numpy.log(a) * b**2
        theirs.gamma_method()
        chains.weigh(weights)
        ours = quantity(samples, lambda m: numpy.log(m[..., 0]) * m[..., 1]**2, chains)
        close(ours.value, theirs.value)
        close(ours.gamma(BY_NUMPY).error, theirs.dvalue)


def check_eigenvalues():
    """A matrix of pyerrors: correlators by the vectors of one time, and E_n(t) of its eigenvalues."""
    rng, chains = numpy.random.default_rng(10), Chains.of_rows(ROWS)
    couplings = numpy.array([[1.0, 0.7], [0.5, -0.8]])
    falls = numpy.array([states("none", EXTENT, (e,), (1.0,)) for e in (0.3, 0.6)])
    c = [[noisy(numpy.einsum("n,nt->t", couplings[:, i] * couplings[:, j], falls), ROWS, rng, 0.001, a=0.4) for j in range(2)]
         for i in range(2)]
    c[1][0] = c[0][1]
    theirs = pyerrors.Corr(numpy.array([[pyerrors.Corr([as_obs(c[i][j][:, t], chains) for t in range(EXTENT)]) for j in range(2)]
                                        for i in range(2)]))
    problem = EigenvalueProblem([[Correlator("pion", (0, 0, 0), "point", "none", one, chains) for one in row] for row in c], 2)
    for n, vectors in enumerate(theirs.GEVP(2, 4, sort=None)):
        projected = theirs.projected(vectors).m_eff("log")
        ours = problem.fixed(4)[n].effective_masses()
        for t in range(1, EXTENT // 2):
            projected[t].gamma_method()
            close(ours[t].value, projected[t].value)
            close(ours[t].gamma(BY_NUMPY).error, projected[t].dvalue)
    for n in range(2):
        eigenvalues, energies = theirs.Eigenvalue(2, state=n).m_eff("log"), problem.energies()[n]
        for t in range(3, EXTENT // 2):
            close(energies[t].value, eigenvalues[t].value)


def check_effective_mass():
    samples = noisy(states("cosh", EXTENT, (0.4, 1.0), (1.0, 0.6)), ROWS, numpy.random.default_rng(4), a=0.4)
    chains = Chains.of_rows(ROWS)
    one = Correlator("pion", (0, 0, 0), "point", "cosh", samples, chains)
    theirs = pyerrors.Corr([as_obs(samples[:, t], chains) for t in range(EXTENT)]).symmetric().m_eff("cosh")
    for t in range(EXTENT // 2):
        theirs[t].gamma_method()
        close(one.effective_masses()[t].value, theirs[t].value)
        close(one.effective_masses()[t].gamma(BY_NUMPY).error, theirs[t].dvalue)


def two_states(p, t):
    def fall(energy):
        return anp.exp(-energy * t) + anp.exp(-energy * (EXTENT - t))

    return p[0] * fall(anp.exp(p[2])) + p[1] * fall(anp.exp(p[2]) + anp.exp(p[3]))


def check_fits():
    """One window: parameters, chi^2 and errors with autocorrelations of pyerrors; those of lsqfit without."""
    samples = noisy(states("cosh", EXTENT, (0.4, 1.0), (1.0, 0.6)), ROWS, numpy.random.default_rng(5), a=0.4)
    chains, t = Chains.of_rows(ROWS), numpy.arange(1, 9)
    data = Data(samples, chains, BY_NUMPY)
    model, observables = Model("cosh", 2, EXTENT), [as_obs(samples[:, i], chains) for i in t]
    for one in observables:
        one.gamma_method()
    for kind in (CORRELATED, UNCORRELATED):
        covariance = data.covariance(t)
        white = whitening(covariance) if kind == CORRELATED else numpy.diag(1 / data.errors[t])
        ours = fit(model, t, data.means[t], white, [numpy.log([0.4, 0.6])])
        start = ours.parameters * 1.01
        theirs = pyerrors.fits.least_squares(t, observables, two_states, silent=True, method="Levenberg-Marquardt",
                                             initial_guess=list(start), correlated_fit=kind == CORRELATED)
        close_to(ours.chi2, theirs.chisquare, 1e-5)
        for i, parameter in enumerate(theirs.fit_parameters):
            parameter.gamma_method()
            close_to(ours.parameters[i], parameter.value, 1e-5)
            close_to(gamma_error(data.deviations[:, t] @ ours.gradient[i], chains, BY_NUMPY.gamma).error,
                     parameter.dvalue, 1e-4)
        given = covariance if kind == CORRELATED else numpy.diag(data.errors[t]**2)
        theirs = lsqfit.nonlinear_fit(data=(t, gvar.gvar(data.means[t], given)), p0=start, svdcut=False, tol=1e-12,
                                      fcn=gvar_states)
        close_to(ours.chi2, theirs.chi2, 1e-5)
        close_to(ours.parameters[2], theirs.pmean[2], 1e-5)


def gvar_states(t, p):
    def fall(energy):
        return numpy.exp(-energy * t) + numpy.exp(-energy * (EXTENT - t))

    return p[0] * fall(numpy.exp(p[2])) + p[1] * fall(numpy.exp(p[2]) + numpy.exp(p[3]))


def close_to(one, other, relative):
    """Two minimisers agree as far as the flatness of chi^2 lets them."""
    assert abs(one - other) <= relative * max(abs(other), 1e-3), (one, other)


def make_result(path, replicas, gaps):
    rng = numpy.random.default_rng(6)
    number = numpy.arange(60) + (numpy.arange(60) > 20) * gaps
    with sealed.results(path) as file:
        file.attrs["plaq_version"] = "test"
        file.attrs["extents"] = [8, 8, 8, EXTENT]
        file["configurations/trajectory"] = 100 + 10 * number
        if replicas:
            file["configurations/replica"] = numpy.arange(60) // 30
        for channel, kind in (("pion", "cosh"), ("axial_pseudoscalar", "sinh")):
            values = numpy.zeros((60, 2, EXTENT, 2))
            for source in range(2):
                values[:, source, :, 0] = noisy(states(kind, EXTENT, (0.4,), (1.0,)), 60, rng)
            file[f"correlators/{channel}/p_0_0_0/point"] = values
            file[f"correlators/{channel}/p_0_0_0/point"].attrs["symmetry"] = kind
        file["observables/plaquette"] = 0.6 + 0.01 * rng.normal(size=60)


def check_exports(directory):
    for replicas, gaps in ((False, 0), (True, 0), (False, 3)):
        path = directory / f"pion{replicas}{gaps}.h5"
        make_result(path, replicas, gaps)
        blocks = analyse([path], Request(settings=BY_NUMPY))
        results = {result.name: result.quantity for result in blocks[0].results}
        assert {"plaquette", "mass pion p=0,0,0 point", "pcac mass point"} <= set(results), list(results)
        export("pyerrors", directory / "out.json.gz", blocks, BY_NUMPY)
        read = pyerrors.input.json.load_json_dict(str(directory / "out.json.gz"), verbose=False)
        export("pyerrors", directory / "out.obs", blocks, BY_NUMPY)  # a name of another ending is kept
        assert (directory / "out.obs").read_bytes()[:2] == b"\x1f\x8b"
        for name, ours in results.items():
            read[name].gamma_method()
            close(read[name].value, ours.value)
            close(read[name].dvalue, ours.gamma(BY_NUMPY).error)
        assert len(read["plaquette"].names) == 1 + replicas
        export("gvar", directory / "out.gvar.json", blocks, BY_NUMPY)
        read = gvar.gload(str(directory / "out.gvar.json"), method="json")
        for name, ours in results.items():
            close(read[name].mean, ours.value)
            close(read[name].sdev, ours.gamma(BY_NUMPY).error)
        correlation = gvar.evalcorr([read[f"correlator pion p=0,0,0 point t={t}"] for t in (3, 4)])
        assert 0.3 < correlation[0][1] < 0.999, correlation
        check_hadrons(directory / f"hadrons{replicas}{gaps}", blocks, replicas, gaps)


def check_hadrons(folder, blocks, replicas, gaps):
    export("hadrons", folder / "meson", blocks, BY_NUMPY)
    idl = sorted(int(name.name.split(".")[1]) for name in folder.glob("meson*.h5")) if gaps else None
    stems = ["meson_r0", "meson_r1"] if replicas else ["meson"]
    pion = next(one for one in blocks[0].correlators if one.channel == "pion")
    rows = 60 // len(stems)
    for i, stem in enumerate(stems):
        for gammas in (("Gamma5", "Gamma5"), ("GammaTGamma5", "Gamma5")):
            read = pyerrors.input.hadrons.read_meson_hd5(str(folder), stem, "ensemble", gammas=gammas, idl=idl)
            assert read.T == EXTENT
            if gammas[0] == "Gamma5":
                for t in range(EXTENT):
                    close(read[t].value, pion.samples[i * rows:(i + 1) * rows, t].mean())


def check_observable():
    chains = Chains(numpy.arange(100) // 40, numpy.arange(100))
    one = mean_of(autoregressive(100, 0.5, numpy.random.default_rng(8)) + 5, chains)
    made = observable(one.value, one.fluctuations, one.chains)
    made.gamma_method()
    close(made.value, one.value)
    close(made.dvalue, one.gamma(BY_NUMPY).error)
    assert not math.isnan(made.dvalue)


check_gamma_method()
check_chains_that_pyerrors_does_not_take()
check_derived()
check_reweighting()
check_eigenvalues()
check_effective_mass()
check_fits()
check_observable()
with tempfile.TemporaryDirectory() as name:
    check_exports(pathlib.Path(name))
print("ok")
