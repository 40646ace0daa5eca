"""loops jobs from end to end: full dilution against the inverse of a dense matrix, noise against its exact variance, the same files on
any ranks and grown."""
import numpy
import pytest

import reference
from program import GENERATE, same
from test_source_kinds import seed_of

LOOPS = """job = "loops"
[gauge]
files = ["field.*.nersc"]
[action]
kappa = 0.13
[noise]
seed = 7
vectors = 4
[dilution]
time = 2
even_odd = true
[solver]
tolerance = 1e-9
[output]
file = "loops.h5"
[run]
location = "host"
threads = 1
"""
EXTENTS = (2, 2, 2, 4)
MASS = 1 / (2 * 0.13) - 4
FULLY = "--set dilution.time=4 --set dilution.space=[2,2,2] --set dilution.even_odd=false "


@pytest.fixture
def jobs(field_box):
    field_box.write("loops.toml", LOOPS)
    return field_box


@pytest.fixture
def small(box):
    """A directory with one field of 2x2x2x4."""
    box.write("generate.toml", GENERATE)
    box.write("loops.toml", LOOPS)
    box.plaq("run generate.toml --set lattice.extents=[2,2,2,4] --set update.configurations=1").succeeded()
    return box


def links_of(box):
    extents, links = reference.read_nersc(box / "field.000002.nersc")
    assert extents == EXTENTS
    return links


def run(box, more="", ranks=1):
    box.plaq("run loops.toml --set output.overwrite=true " + more, ranks).succeeded()
    return box.numbers("loops.h5")


def gammas():
    """{name of a current: its matrix}"""
    gamma, five = reference.GAMMA, reference.GAMMA5
    found = {"scalar": reference.UNIT, "pseudoscalar": five}
    for mu, name in enumerate("xyzt"):
        found[f"vector_{name}"], found[f"axial_{name}"] = gamma[mu], gamma[mu] @ five
        for nu in range(mu + 1, 4):
            found[f"tensor_{name}{'xyzt'[nu]}"] = 0.5j * (gamma[mu] @ gamma[nu] - gamma[nu] @ gamma[mu])
    return found


# All 16 Hadamard vectors part x, y, z modulo 2; the time slices are apart by themselves.
PROBED = "--set dilution.time=4 --set dilution.space=[1,1,1] --set dilution.probing=16 --set dilution.even_odd=false "


@pytest.mark.parametrize("noise, parts, solves", (("z2", FULLY, 384), ("u1", FULLY, 384), ("z3", FULLY, 384), ("z4", PROBED, 768)))
def test_full_dilution_is_exact(small, noise, parts, solves):
    inverse = numpy.linalg.inv(reference.wilson_matrix(EXTENTS, links_of(small), MASS)).reshape(-1, 4, 3, 32, 4, 3)
    local = numpy.einsum("xaixbi->xab", inverse)  # of each site, a trace over colors
    found = run(small, parts + "--set dilution.spin=true --set dilution.color=true --set noise.vectors=1 "
                f"--set loops.max_momentum_squared=1 --set solver.tolerance=1e-13 --set noise.type={noise}")
    assert found["/solves/true_residual"].shape == (1, 1, solves)
    assert len(gammas()) == 16
    x = numpy.array(reference.sites(EXTENTS))
    for name, gamma in gammas().items():
        traces = numpy.einsum("ab,xba->x", gamma, local)  # tr[Gamma M^-1(x, x)]
        for n in ((0, 0, 0), (0, 1, 0), (0, 0, 1)):
            phase = numpy.exp(-2j * numpy.pi * (x[:, :3] * n / EXTENTS[:3]).sum(axis=1))
            expected = numpy.bincount(x[:, 3], (phase * traces).real) + 1j * numpy.bincount(x[:, 3], (phase * traces).imag)
            path = f"{name}/p_{n[0]}_{n[1]}_{n[2]}"
            values = found[f"/noise/{path}"][0, 0]
            assert numpy.array_equal(values, found[f"/loops/{path}"][0]), path
            assert values.shape == (4, 2)
            assert abs(values[:, 0] + 1j * values[:, 1] - expected).max() < 1e-10, path
            if name == "scalar" and n == (0, 0, 0):
                assert abs(found["/loops/condensate"].flat[0] - expected.real.sum() / 32) < 1e-12
    assert "/noise/squared" not in found


def field_of(box, extents):
    box.write("generate.toml", GENERATE)
    box.write("loops.toml", LOOPS)
    box.plaq(f"run generate.toml --set lattice.extents={extents} --set update.configurations=1").succeeded()


@pytest.mark.parametrize("extents, orders", (("[2,2,2,4]", (1, 2)), ("[4,4,4,4]", (4,))))
def test_hopping_expansion_is_exact(box, extents, orders):
    """With all of the dilution the exact terms and the traces with H^n together are those of the inverse."""
    field_of(box, extents)
    space = extents[:-3] + "]"
    exact = (f"--set dilution.time=4 --set dilution.space={space} --set dilution.even_odd=false --set dilution.spin=true "
             "--set dilution.color=true --set noise.vectors=1 --set solver.tolerance=1e-9 --set loops.max_momentum_squared=1 "
             "--set action.kappa=0.08 ")
    plain = run(box, exact)
    names = [path for path in plain if path.startswith("/loops/")]
    assert len(names) > 16
    for order in orders:
        found = run(box, exact + f"--set loops.hopping={order}")
        for path in names:
            assert abs(found[path] - plain[path]).max() < 1e-6, path
        assert any((found[path] != plain[path]).any() for path in names)


def test_hopping_expansion_takes_noise_away(box):
    """The noise vectors are those of the job without expansion, and their variance is less."""
    field_of(box, "[4,4,4,4]")
    more = "--set noise.vectors=6 --set dilution.spin=true --set dilution.color=true "
    plain, found = run(box, more), run(box, more + "--set loops.hopping=4")
    scalar = [one["/noise/scalar/p_0_0_0"][0, :, :, 0] for one in (plain, found)]  # [vector][t]
    error = numpy.sqrt(scalar[0].var(axis=0, ddof=1) / 6 + scalar[1].var(axis=0, ddof=1) / 6)
    assert (abs(scalar[0].mean(axis=0) - scalar[1].mean(axis=0)) < 5 * error).all()
    assert scalar[1].var(axis=0).sum() < scalar[0].var(axis=0).sum()
    one = "--set noise.vectors=1 --set loops.hopping=4 "
    assert same(run(box, one, 4), run(box, one))


TWISTED = 0.1
ONE_END = f"--set action.twisted_mass={TWISTED} --set loops.one_end=true "


def difference_of_flavours(links):
    """M(mu)^-1 - M(-mu)^-1, a dense matrix."""
    plain = reference.wilson_matrix(EXTENTS, links, MASS)
    twist = 1j * TWISTED * numpy.kron(numpy.eye(32), numpy.kron(reference.GAMMA5, numpy.eye(3)))
    return numpy.linalg.inv(plain + twist) - numpy.linalg.inv(plain - twist)


def test_one_end_trick_is_exact(small):
    """Full dilution leaves no noise: the difference of both flavours of dense inverses."""
    difference = difference_of_flavours(links_of(small)).reshape(-1, 4, 3, 32, 4, 3)
    local = numpy.einsum("xaixbi->xab", difference)
    found = run(small, FULLY + ONE_END + "--set dilution.spin=true --set dilution.color=true --set noise.vectors=1 "
                "--set loops.max_momentum_squared=1 --set solver.tolerance=1e-13")
    x = numpy.array(reference.sites(EXTENTS))
    largest = {}
    for name, gamma in gammas().items():
        traces = numpy.einsum("ab,xba->x", gamma, local)
        for n in ((0, 0, 0), (0, 1, 0)):
            terms = numpy.exp(-2j * numpy.pi * (x[:, :3] * n / EXTENTS[:3]).sum(axis=1)) * traces
            expected = numpy.bincount(x[:, 3], terms.real) + 1j * numpy.bincount(x[:, 3], terms.imag)
            values = found[f"/loops/{name}/p_{n[0]}_{n[1]}_{n[2]}"][0]
            assert abs(values[:, 0] + 1j * values[:, 1] - expected).max() < 1e-10, (name, n)
            largest[name] = abs(expected).max()
    assert largest["pseudoscalar"] > 0.01, largest
    assert "/loops/condensate" not in found


def test_one_end_trick_has_no_bias_and_less_noise(small):
    """Means over many vectors are those of dense inverses, and at equal numbers of solves their variance is less than that of the
    difference of two loops of the same noise."""
    difference = difference_of_flavours(links_of(small)).reshape(32, 12, 32, 12)
    slices, vectors = numpy.array(reference.sites(EXTENTS))[:, 3], 200
    many = f"--set noise.vectors={vectors} --set dilution.time=1 --set dilution.even_odd=false --set solver.tolerance=1e-7 "
    found = run(small, many + ONE_END)
    up, down = [run(small, many + f"--set action.twisted_mass={mu}") for mu in (TWISTED, -TWISTED)]
    assert found["/solves/true_residual"].shape == (1, vectors, 1)

    def loops(numbers, name):
        values = numbers[f"/noise/{name}/p_0_0_0"][0]
        return values[..., 0] + 1j * values[..., 1]  # [vector][t]

    for name in ("scalar", "pseudoscalar", "vector_t", "axial_z"):
        gamma = numpy.kron(gammas()[name], numpy.eye(3))
        traces = numpy.einsum("ab,xbxa->x", gamma, difference)
        expected = numpy.array([traces[slices == t].sum() for t in range(4)])
        one, plain = loops(found, name), loops(up, name) - loops(down, name)
        error = one.std(axis=0, ddof=1) / vectors**0.5
        assert (abs(one.mean(axis=0) - expected) < 4 * error).all() and (error > 0).all(), name
        # One solve for each vector, and two.
        assert one.var(axis=0).sum() / 2 < 0.7 * plain.var(axis=0).sum(), name


def test_one_end_trick_on_ranks_and_truncated(box):
    field_of(box, "[4,4,4,4]")
    more = ONE_END + "--set noise.vectors=3 "
    alone = run(box, more)
    assert same(run(box, more, 4), alone)
    # The corrected mean is that of the blocks.
    found = run(box, more + "--set approximation.exact=1 --set approximation.iterations=3")
    approximate, exact = [found[f"/{group}/noise/pseudoscalar/p_0_0_0"][0] for group in ("approximate", "exact")]
    expected = approximate.mean(axis=0) + exact[0] - approximate[0]
    assert abs(found["/loops/pseudoscalar/p_0_0_0"][0] - expected).max() < 1e-12 * abs(expected).max()
    assert numpy.array_equal(exact[0], alone["/noise/pseudoscalar/p_0_0_0"][0, 0]) and abs(approximate[0] - exact[0]).max() > 0


def test_one_end_trick_refuses_other_quarks(small):
    small.plaq("run loops.toml --set loops.one_end=true").failed(3, "one_end", "twisted_mass")
    small.plaq("run loops.toml --set loops.susceptibility=true " + ONE_END).failed(3, "susceptibility", "one_end")


def test_hopping_refuses_small_lattices_and_other_quarks(small):
    small.plaq("run loops.toml --set loops.hopping=4").failed(3, "hopping", "at least 4")
    small.plaq("run loops.toml --set loops.hopping=2 --set action.type=clover --set action.c_sw=1").failed(3, "hopping", "Wilson quarks")
    small.plaq("run loops.toml --set loops.hopping=2 --set action.twisted_mass=0.1").failed(3, "hopping", "Wilson quarks")


def squared_by_slices(inverse):
    """sum_x tr M^-2(x, x) of each slice; rows of the inverse by site, 32 of them, and what a site has."""
    diagonal = numpy.diagonal(inverse @ inverse).reshape(32, -1).sum(axis=1)
    x = numpy.array(reference.sites(EXTENTS))
    return numpy.bincount(x[:, 3], diagonal.real) + 1j * numpy.bincount(x[:, 3], diagonal.imag)


def test_squared_is_exact(small):
    exact = FULLY + "--set dilution.color=true --set solver.tolerance=1e-13 --set noise.vectors=1 --set loops.susceptibility=true "
    wilson = run(small, exact + "--set dilution.spin=true")
    expected = squared_by_slices(numpy.linalg.inv(reference.wilson_matrix(EXTENTS, links_of(small), MASS)))
    small.write("loops.toml", LOOPS.replace("kappa = 0.13\n", ""))
    staggered = run(small, exact + "--set action.type=staggered --set action.mass=0.2")
    one_spin = squared_by_slices(numpy.linalg.inv(reference.staggered(EXTENTS, links_of(small), 0.2)))
    probed = run(small, exact + PROBED + "--set action.type=staggered --set action.mass=0.2")
    for found, traces in ((wilson, expected), (staggered, one_spin), (probed, one_spin)):
        assert found["/noise/squared"].shape == (1, 1, 4, 2)
        values = found["/noise/squared"][0, 0]
        assert abs(values[:, 0] + 1j * values[:, 1] - traces).max() < 1e-10 * max(1, abs(traces).max())
        assert abs(found["/loops/squared"].flat[0] - traces.real.sum() / 32) < 1e-12 * max(1, abs(traces).max())


def test_staggered_condensate_is_exact(small):
    inverse = numpy.linalg.inv(reference.staggered(EXTENTS, links_of(small), 0.2))
    staggered = "--set action.type=staggered --set action.mass=0.2 --set noise.vectors=1 "
    small.write("loops.toml", LOOPS.replace("kappa = 0.13\n", ""))
    found = run(small, staggered + FULLY + "--set dilution.color=true --set solver.tolerance=1e-13")
    assert abs(found["/loops/condensate"].flat[0] - numpy.trace(inverse).real / 32) < 1e-12
    assert "/noise/vector_x/p_0_0_0" not in found
    small.plaq("run loops.toml --set dilution.spin=true " + staggered).failed(3, "spin")


def test_errors_fall_with_the_number_of_vectors(small):
    """Z2: the variance of eta^T A eta is half the sum over i != j of (A_ij + A_ji)^2, of the real part of A; A is the scalar loop's
    M^-1. Means of 16 vectors have a sixteenth of it."""
    a = numpy.linalg.inv(reference.wilson_matrix(EXTENTS, links_of(small), MASS)).real
    both = a + a.T
    mean, variance = numpy.trace(a), (both[numpy.tril_indices(len(a), -1)]**2).sum()
    vectors = 768
    found = run(small, "--set noise.type=z2 --set dilution.time=1 --set dilution.even_odd=false "
                f"--set 'loops.currents=[\"scalar\"]' --set noise.vectors={vectors}")
    assert found["/noise/scalar/p_0_0_0"].shape == (1, vectors, 4, 2)
    traces = found["/noise/scalar/p_0_0_0"][0, :, :, 0].sum(axis=1)
    assert abs(traces.mean() - mean) < 5 * (variance / vectors)**0.5
    assert variance**0.5 > 1e-2 * mean
    for together in (1, 16):
        count = vectors // together
        spread = ((traces - mean).reshape(count, together).mean(axis=1)**2).mean()
        assert abs(spread * together / variance - 1) < 5 * (2 / count)**0.5, together


def test_probing_removes_the_noise_of_near_sites(small):
    """Z2 with both signs of the parity: sites at odd distances have no noise, and the variance is that of the others."""
    a = numpy.linalg.inv(reference.wilson_matrix(EXTENTS, links_of(small), MASS)).real
    parity = numpy.repeat(numpy.array(reference.sites(EXTENTS)).sum(axis=1) % 2, 12)
    both = (a + a.T) * (parity[:, None] == parity)
    mean, variance = numpy.trace(a), (both[numpy.tril_indices(len(a), -1)]**2).sum()
    vectors = 512
    found = run(small, "--set noise.type=z2 --set dilution.time=1 --set dilution.even_odd=false --set dilution.probing=2 "
                f"--set 'loops.currents=[\"scalar\"]' --set noise.vectors={vectors}")
    traces = found["/noise/scalar/p_0_0_0"][0, :, :, 0].sum(axis=1)
    assert abs(traces.mean() - mean) < 5 * (variance / vectors)**0.5
    assert abs(((traces - mean)**2).mean() / variance - 1) < 5 * (2 / vectors)**0.5


def test_noise_by_trajectory(jobs):
    more = "--set noise.type=normal --set 'loops.currents=[\"scalar\"]' --set dilution.probing=2 --set dilution.even_odd=false "
    path = "/noise/scalar/p_0_0_0"
    found = run(jobs, more + "--set noise.by_trajectory=true", 2)
    for place, trajectory in enumerate((2, 4)):
        alone = run(jobs, more + f"--set noise.seed={seed_of(7, trajectory)} --set gauge.files=field.00000{trajectory}.nersc")
        assert numpy.array_equal(found[path][place], alone[path][0]), trajectory
    jobs.write("nameless.nersc", jobs.bytes("field.000002.nersc").replace(b"SEQUENCE_NUMBER", b"SEQUENCE_NOTHIN"))
    jobs.plaq("run loops.toml --set noise.by_trajectory=true --set gauge.files=nameless.nersc --set output.file=no.h5").failed(
        3, "nameless.nersc", "trajectory", "numbering")


def test_same_files_on_any_ranks_in_any_batch_and_grown(jobs):
    keys = "--set loops.max_momentum_squared=1 --set noise.type=u1 --set loops.susceptibility=true "
    alone = None
    for ranks, more in ((1, ""), (2, ""), (4, "--set comms.process_grid=[2,1,1,2]"),
                        (1, "--set 'comms.force_partition=[\"x\", \"y\", \"z\", \"t\"]'")):
        found = run(jobs, keys + more, ranks)
        alone = alone or jobs.bytes("loops.h5")
        assert jobs.bytes("loops.h5") == alone, (ranks, more)
        assert found["/noise/tensor_zt/p_0_0_1"].shape == (2, 4, 8, 2)
        assert found["/loops/tensor_zt/p_0_0_1"].shape == (2, 8, 2)
        assert found["/solves/true_residual"].shape == (2, 4, 4)
        assert found["/loops/condensate"].shape == (2,)
    # A field that comes later is added, and the first one not solved again; averages are there of both.
    run(jobs, keys + "--set 'gauge.files=[\"field.000002.nersc\"]'")
    jobs.plaq("run loops.toml " + keys).succeeded()
    assert jobs.bytes("loops.h5") == alone, "a result that has grown has other bytes"
    whole, parts = run(jobs, keys), run(jobs, keys + "--set solver.columns=1")
    for path in ("/noise/scalar/p_0_0_0", "/loops/axial_t/p_1_0_0", "/noise/squared"):
        assert numpy.array_equal(whole[path], parts[path]), path


def test_exact_vectors_correct_approximate_ones(small):
    """The truncated solver method: after 2 iterations the scalar loop is far off, and corrected it is the trace of the inverse."""
    inverse = numpy.linalg.inv(reference.wilson_matrix(EXTENTS, links_of(small), MASS))
    truth, vectors, exact = numpy.trace(inverse).real, 512, 64
    keys = f"--set dilution.time=1 --set 'loops.currents=[\"scalar\"]' --set noise.vectors={vectors} --set approximation.exact={exact} "
    found = run(small, keys + "--set approximation.iterations=2")
    path = "/noise/scalar/p_0_0_0"
    a, e = (found[block + path][0, :, :, 0].sum(axis=1) for block in ("/approximate", "/exact"))
    assert a.shape == (vectors,) and e.shape == (exact,)
    corrected = found["/loops/scalar/p_0_0_0"][0, :, 0].sum()
    assert abs(corrected - a.mean() - (e - a[:exact]).mean()) < 1e-12 * truth
    assert abs(found["/loops/condensate"].flat[0] - corrected / 32) < 1e-14 * truth
    error = (a.var() / vectors + (e - a[:exact]).var() / exact)**0.5
    assert abs(corrected - truth) < 4 * error, (corrected, truth, error)
    assert abs(a.mean() - truth) > 10 * error, "the approximation has no bias that could be seen"
    assert error < 0.8 * (e.var() / exact)**0.5, "no gain"
    assert (found["/approximate/solves/iterations"] == 2).all()
    assert found["/approximate/solves/residual"].shape == (1, vectors, 2) and found["/approximate/solves/residual"].min() > 1e-6
    assert found["/solves/true_residual"].shape == (1, exact, 2) and found["/solves/true_residual"].max() < 1.01e-9
    assert path not in found


def by_modes(matrix, modes):
    """The part of the inverse in low modes: those v of S^dagger S, S of even sites, x_e = sum v (v, S^dagger b'_e) / l."""
    even = numpy.repeat(numpy.array(reference.sites(EXTENTS)).sum(axis=1) % 2 == 0, 12)
    ee, eo, oe, oo = (matrix[numpy.ix_(rows, columns)] for rows in (even, ~even) for columns in (even, ~even))
    s = numpy.eye(len(ee)) - numpy.linalg.solve(ee, eo) @ numpy.linalg.solve(oo, oe)
    values, vectors = numpy.linalg.eigh(s.conj().T @ s)
    assert values[modes] > 1.001 * values[modes - 1], "the last mode is not alone"
    v = vectors[:, :modes]
    b = numpy.eye(len(matrix), dtype=complex)
    reduced = numpy.linalg.solve(ee, b[even] - eo @ numpy.linalg.solve(oo, b[~even]))
    found = numpy.zeros_like(b)
    found[even] = v @ ((v.conj().T @ (s.conj().T @ reduced)) / values[:modes, None])
    found[~even] = numpy.linalg.solve(oo, b[~even] - oe @ found[even])
    return found


def test_low_modes_alone(small):
    """Low-mode averaging: approximate loops are those of the modes, and one exact vector with full dilution corrects them."""
    matrix, modes = reference.wilson_matrix(EXTENTS, links_of(small), MASS), 10
    expected = numpy.diagonal(by_modes(matrix, modes)).reshape(32, -1).sum(axis=1)
    (small / "modes").mkdir()
    small.write("eigenvectors.toml", """job = "eigenvectors"
[gauge]
files = ["field.*.nersc"]
[action]
kappa = 0.13
[eigenvectors]
directory = "modes"
modes = 10
tolerance = 1e-7
[output]
file = "eigenvalues.h5"
[run]
location = "host"
threads = 1
""")
    small.plaq("run eigenvectors.toml").succeeded()
    found = run(small, FULLY + "--set dilution.spin=true --set dilution.color=true --set noise.vectors=2 --set solver.tolerance=1e-12 "
                "--set solver.deflation=modes --set approximation.exact=1 --set approximation.modes=true")
    times = numpy.array(reference.sites(EXTENTS))[:, 3]
    by_slices = numpy.bincount(times, expected.real)
    values = found["/approximate/noise/scalar/p_0_0_0"][0, :, :, 0]
    assert abs(values - by_slices).max() < 1e-4 * abs(by_slices).max(), (values, by_slices)
    truth = numpy.trace(numpy.linalg.inv(matrix)).real
    assert abs(by_slices.sum() - truth) > 1e-2 * truth, "modes are all of the inverse"
    assert abs(found["/loops/condensate"].flat[0] - truth / 32) < 1e-9 * truth
    assert (found["/approximate/solves/iterations"] == 0).all()
    assert 1e-3 < found["/approximate/solves/residual"].max() < 10


def test_blocks_of_vectors_on_two_ranks_in_any_batch_and_grown(jobs):
    keys = "--set 'loops.currents=[\"scalar\",\"axial_t\"]' --set loops.max_momentum_squared=1 "
    plain = run(jobs, keys + "--set noise.vectors=2")
    keys += "--set approximation.exact=2 --set approximation.tolerance=1e-2 "
    whole = run(jobs, keys)
    alone = jobs.bytes("loops.h5")
    for path in ("scalar/p_0_0_0", "axial_t/p_0_1_0"):
        assert numpy.array_equal(whole["/exact/noise/" + path], plain["/noise/" + path]), "exact vectors have other bits"
        assert whole["/approximate/noise/" + path].shape == (2, 4, 8, 2)
        assert not numpy.array_equal(whole["/approximate/noise/" + path][:, :2], plain["/noise/" + path])
    assert (whole["/approximate/solves/residual"] < 1.01e-2).all() and (whole["/approximate/solves/residual"] > 1e-6).all()
    run(jobs, keys, 2)
    assert jobs.bytes("loops.h5") == alone
    run(jobs, keys + "--set 'gauge.files=[\"field.000002.nersc\"]'")
    jobs.plaq("run loops.toml " + keys).succeeded()
    assert jobs.bytes("loops.h5") == alone, "a result that has grown has other bytes"
    parts = run(jobs, keys + "--set solver.columns=1")
    for path in whole:
        assert numpy.array_equal(whole[path], parts[path]), path


def test_equal_tolerances_correct_nothing(small):
    inverse = numpy.linalg.inv(reference.wilson_matrix(EXTENTS, links_of(small), MASS))
    found = run(small, FULLY + "--set dilution.spin=true --set dilution.color=true --set noise.vectors=2 --set solver.tolerance=1e-13 "
                "--set approximation.exact=1 --set approximation.tolerance=1e-13")
    assert abs(found["/loops/condensate"].flat[0] - numpy.trace(inverse).real / 32) < 1e-12
    assert numpy.array_equal(found["/approximate/noise/scalar/p_0_0_0"][:, :1], found["/exact/noise/scalar/p_0_0_0"])


@pytest.mark.parametrize("more, parts", (
    ("--set approximation.exact=5 --set approximation.iterations=3", ("exact", "vectors is 4")),
    ("--set approximation.exact=1", ("iterations", "iterations = 50")),
    ("--set approximation.exact=1 --set approximation.iterations=3 --set loops.susceptibility=true", ("susceptibility", "exact solves")),
    ("--set dilution.probing=3 --set dilution.even_odd=false", ("probing", "power of 2")),
    ("--set dilution.probing=4", ("probing", "leave out space and even_odd")),
    ("--set dilution.probing=512 --set dilution.even_odd=false", ("probing", "8 divides")),
    ("--set dilution.time=3", ("3 does not divide", "dilution")),
    ("--set dilution.space=[2,2,2]", ("even_odd",)),
    ("--set lattice.extents=[4,4,4,8] --set dilution.space=[3,1,1]", ("does not divide",)),
    ("--set 'loops.currents=[\"pion\"]'", ("currents",))))
def test_refuses_what_does_not_fit(jobs, more, parts):
    jobs.plaq("run loops.toml " + more).failed(3, *parts)
