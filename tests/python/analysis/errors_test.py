"""Errors of chains whose autocorrelations are known, by gamma method, jackknife and bootstrap. 77: skipped."""
import math
import sys

try:
    import numpy
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

from made import autoregressive
from plaq.analysis import ChainError, Chains, GammaSettings, Settings, gamma_error, mean_of, quantity
from plaq.analysis.gamma import NUMPY
from plaq.analysis.notation import with_error

TRIALS = 500
SETTINGS = Settings(GammaSettings(library=NUMPY), samples=200)


def near(found, expected, relative):
    assert abs(found / expected - 1) < relative, (found, expected)


def check_autoregressive(a, rows):
    """Of 500 chains: the mean error against the truth, tau, how often the truth is covered, and the other errors."""
    rng = numpy.random.default_rng(int(100 * a) + 1)
    chains = autoregressive((rows, TRIALS), a, rng).T
    tau = (1 + a) / (2 * (1 - a))
    # The exact variance of the mean of a finite chain.
    k = numpy.arange(1, rows)
    truth = math.sqrt((1 + 2 * ((1 - k / rows) * a**k).sum()) / rows)
    made = [mean_of(chain, Chains.of_rows(rows)) for chain in chains]
    gammas = [one.gamma(SETTINGS) for one in made]
    near(numpy.mean([g.error for g in gammas]), truth, 0.1)
    near(numpy.mean([g.tau for g in gammas]), tau, 0.1)
    near(numpy.std([one.value for one in made]), truth, 0.1)
    near(numpy.mean([one.jackknife(SETTINGS) for one in made]), truth, 0.1)
    near(numpy.mean([one.bootstrap(SETTINGS) for one in made[:100]]), truth, 0.1)
    covered = numpy.mean([abs(one.value) < g.error for one, g in zip(made, gammas)])
    assert abs(covered - 0.68) < 0.07, covered
    scatter = numpy.std([g.error for g in gammas])
    near(numpy.mean([g.error_of_error for g in gammas]), scatter, 0.4)


def check_gaps_and_replicas():
    """A third of the rows is missing, steps are 10, and three replicas are of different lengths."""
    rng, a, errors, means, taus = numpy.random.default_rng(7), 0.7, [], [], []
    for _ in range(TRIALS):
        values, replica, number = [], [], []
        for r, rows in enumerate((300, 500, 400)):
            kept = numpy.sort(rng.choice(rows, 2 * rows // 3, replace=False))
            values.append(autoregressive(rows, a, rng)[kept])
            replica.append(numpy.full(len(kept), r))
            number.append(10 * kept + 3)
        values, replica, number = map(numpy.concatenate, (values, replica, number))
        mixed = rng.permutation(len(values))
        chains = Chains(replica[mixed], number[mixed])
        assert chains.spacing() == 10 and chains.has_gaps() and len(chains.parts) == 3
        one = mean_of(values[mixed][chains.order], chains)
        gamma = one.gamma(SETTINGS)
        errors.append(gamma.error)
        taus.append(gamma.tau)
        means.append(one.value)
    near(numpy.mean(taus), (1 + a) / (2 * (1 - a)), 0.1)
    # Rows in between are missing: the mean varies less than 2 tau times the variance over the rows there are.
    assert numpy.std(means) < numpy.mean(errors) * 1.1, (numpy.std(means), numpy.mean(errors))
    near(numpy.mean(errors), numpy.std(means), 0.35)


def check_derived():
    """A function of means: its error by all methods against its spread over trials."""
    rng, values, errors, others = numpy.random.default_rng(11), [], [], []
    for _ in range(TRIALS):
        samples = autoregressive((400, 2), 0.5, rng) * 0.3 + [3.0, 2.0]
        one = quantity(samples, lambda m: numpy.log(m[..., 0]) * m[..., 1]**2, Chains.of_rows(400))
        values.append(one.value)
        errors.append(one.gamma(SETTINGS).error)
        others.append(one.jackknife(SETTINGS))
    near(numpy.mean(errors), numpy.std(values), 0.1)
    near(numpy.mean(others), numpy.std(values), 0.1)


def check_slow_modes():
    """With the tail of a mode whose tau_exp is known."""
    rng, tau_exp = numpy.random.default_rng(5), 20.0
    a = math.exp(-1 / tau_exp)
    settings, chains, taus = GammaSettings(library=NUMPY, tau_exp=tau_exp), Chains.of_rows(3000), []
    for chain in autoregressive((3000, 60), a, rng).T:
        taus.append(gamma_error(chains.fluctuations(chain), chains, settings).tau)
    near(numpy.mean(taus), (1 + a) / (2 * (1 - a)), 0.1)


def check_limits():
    of = Chains.of_rows
    constant = mean_of(numpy.full(50, 0.1 + 0.2), of(50))
    assert constant.gamma(SETTINGS).error == 0 and constant.jackknife(SETTINGS) < 1e-15
    assert constant.bootstrap(SETTINGS) < 1e-15
    alone = mean_of(numpy.array([2.0]), of(1))
    assert alone.value == 2 and math.isnan(alone.gamma(SETTINGS).error)
    assert math.isnan(alone.jackknife(SETTINGS)) and math.isnan(alone.bootstrap(SETTINGS))
    two = mean_of(numpy.array([1.0, 3.0]), of(2))  # the standard error, without autocorrelations
    assert abs(two.gamma(SETTINGS).error - 1) < 1e-12 and two.gamma(SETTINGS).tau == 0.5
    broken = mean_of(numpy.array([1.0, numpy.nan, 2.0, 3.0]), of(4))
    assert math.isnan(broken.value) and math.isnan(broken.gamma(SETTINGS).error)
    single = mean_of(numpy.arange(4.0), Chains([0, 1, 2, 3], [5, 5, 5, 5]))  # replicas of a row each
    assert abs(single.gamma(SETTINGS).error - numpy.std(numpy.arange(4.0), ddof=1) / 2) < 1e-12
    for replica, number in (([0, 0], [3, 3]), ([], [])):
        try:
            Chains(replica, number)
            raise AssertionError("no error")
        except ChainError:
            pass
    seeds = [mean_of(numpy.arange(30.0), of(30)).bootstrap(Settings(SETTINGS.gamma, seed=s)) for s in (1, 1, 2)]
    assert seeds[0] == seeds[1] != seeds[2], seeds
    assert mean_of(numpy.arange(30.0), of(30)).bin_length(Settings(SETTINGS.gamma, bins=10)) == 3


def check_bins():
    chains = Chains([0] * 7 + [1] * 5, [*range(7), *range(5)])
    bins = chains.bins(3)
    assert [(b.start, b.stop) for b in bins][-1] == (7, 12) and bins[0].start == 0, bins
    assert sum(b.stop - b.start for b in bins) == 12 and all(b.stop <= 7 or b.start >= 7 for b in bins), bins


def check_notation():
    for numbers, written in (((0.59663, 0.00184), "0.5966(18)"), ((0.5, 0.0996), "0.50(10)"),
                             ((12.3, 1.26), "12.3(1.3)"), ((1234.5, 15.0), "1234(15)"),
                             ((1.25e-7, 2e-9), "1.250(20)e-07"),
                             ((0.4, 0.0), "0.4(0)"), ((0.4, math.nan), "0.4(?)"), ((math.nan, 1.0), "nan"),
                             ((0.5, 0.0018, 0.0007), "0.5000(18)(7)"), ((-3.14159, 0.002), "-3.1416(20)"),
                             ((0.0, 0.5), "0.00(50)")):
        assert with_error(*numbers) == written, (numbers, with_error(*numbers))


check_autoregressive(0.0, 500)
check_autoregressive(0.6, 2000)
check_autoregressive(0.8, 4000)
check_gaps_and_replicas()
check_derived()
check_slow_modes()
check_limits()
check_bins()
check_notation()
print("ok")
