"""vertices jobs from end to end: against the inverse of a dense matrix, the tree level on unit links, the same files on any ranks and
for vertices alone, and jobs that are wrong."""
import numpy
import pytest

import gauge_files
import reference
from program import GENERATE, LANDAU, Sandbox
from test_loops import gammas

VERTICES = """job = "vertices"
[gauge]
files = ["landau.field.*.nersc"]
[action]
mass = 0.4
[vertices]
momenta = ["0,0,0,0 -> 0,1,0,1", "1,0,0,-1", "0, 1, 0, 1 -> 1,0,0,-1"]
[solver]
tolerance = 1e-12
[output]
file = "vertices.h5"
[run]
location = "host"
threads = 1
"""
MOMENTA = (((0, 0, 0, 0), (0, 1, 0, 1)), ((1, 0, 0, -1), (1, 0, 0, -1)), ((0, 1, 0, 1), (1, 0, 0, -1)))
EXTENTS = (2, 2, 2, 4)
BOUNDARY = (1, 1, 1, -1)


@pytest.fixture(scope="module")
def fixed_fields(tmp_path_factory):
    """{name: bytes} of two fields of 2x2x2x4 in Landau gauge, and of one that is not."""
    made = Sandbox(tmp_path_factory.mktemp("fixed"))
    made.write("generate.toml", GENERATE)
    made.write("fix.toml", LANDAU)
    made.plaq("run generate.toml --set lattice.extents=[2,2,2,4]").succeeded()
    made.plaq("run fix.toml").succeeded()
    return {name: made.bytes(name) for name in ("landau.field.000002.nersc", "landau.field.000004.nersc", "field.000002.nersc")}


@pytest.fixture
def jobs(box, fixed_fields):
    for name, content in fixed_fields.items():
        box.write(name, content)
    box.write("vertices.toml", VERTICES)
    return box


def run(box, more="", ranks=1):
    box.plaq("run vertices.toml --set output.overwrite=true " + more, ranks).succeeded()
    return box.numbers("vertices.h5")


def complex_of(numbers):
    return numbers[..., 0] + 1j * numbers[..., 1]


def four_quark(vertices):
    """{name: [colors][a][b][c][d]}, colors joined or crossed, of V(x) [site][row][column] by current, summed over sites."""
    found = {}
    for name in ("scalar", "pseudoscalar", "vector", "axial", "tensor"):
        split = [v.reshape(-1, 4, 3, 4, 3) for current, v in vertices.items() if current.split("_")[0] == name]
        found[name] = sum(numpy.stack([numpy.einsum("xaibi,xckdk->abcd", v, v), numpy.einsum("xaibk,xckdi->abcd", v, v)]) for v in split)
    return found


def wave(extents, n, boundary=BOUNDARY):
    """exp(i p x), [site]"""
    return numpy.exp(1j * numpy.array(reference.sites(extents)) @ reference.momentum(extents, n, boundary))


def test_are_those_of_the_dense_inverse(jobs):
    found = run(jobs, "--set vertices.four_quark=true")
    assert found["/solves/true_residual"].shape == (2, 3, 2, 12)
    volume = numpy.prod(EXTENTS)
    for k, name in enumerate(("landau.field.000002.nersc", "landau.field.000004.nersc")):
        extents, links = reference.read_nersc(jobs / name)
        assert extents == EXTENTS
        inverse = numpy.linalg.inv(reference.wilson_matrix(EXTENTS, links, 0.4)).reshape(volume, 12, volume, 12)
        for vertex, (n_in, n_out) in enumerate(MOMENTA):
            of_in, of_out = wave(EXTENTS, n_in), wave(EXTENTS, n_out)
            to = numpy.einsum("xiyj,y->xij", inverse, of_in)  # M^-1 exp(i p_in y)
            back = numpy.einsum("z,zixj->xij", of_out.conj(), inverse)  # exp(-i p_out z) M^-1
            for which, s in (("in", numpy.einsum("x,xij->ij", of_in.conj(), to)), ("out", numpy.einsum("y,yij->ij", of_out, back))):
                assert abs(complex_of(found[f"/propagators/{which}"][k, vertex]) - s / volume).max() < 1e-11
            at_sites = {current: numpy.einsum("x,xij,jk,xkl->xil", of_in.conj() * of_out, back, numpy.kron(gamma, numpy.eye(3)), to)
                        for current, gamma in gammas().items()}
            for current, values in at_sites.items():
                error = complex_of(found[f"/vertices/{current}"][k, vertex]) - values.sum(axis=0) / volume
                assert abs(error).max() < 1e-11, (current, vertex)
            for name, values in four_quark(at_sites).items():
                error = complex_of(found[f"/four_quark/{name}"][k, vertex]) - values / volume
                assert abs(error).max() < 1e-11 * abs(values).max(), (name, vertex)
    for which, side in (("in", 0), ("out", 1)):
        assert numpy.array_equal(found[f"/momenta/n_{which}"], [pair[side] for pair in MOMENTA])
        expected = [reference.momentum(EXTENTS, pair[side], BOUNDARY) for pair in MOMENTA]
        assert abs(found[f"/momenta/p_{which}"] - expected).max() < 1e-14


@pytest.mark.parametrize("boundary, ranks", (((1, 1, 1, -1), 1), ((-1, 1, 1, 1), 2)))
def test_on_unit_links_are_gamma(box, boundary, ranks):
    extents, pair = (4, 4, 4, 8), ((0, 1, 1, -2), (1, 0, -1, 3))
    box.write("unit.nersc", gauge_files.unit_field(extents))
    box.write("vertices.toml", VERTICES)
    text = " -> ".join(",".join(map(str, n)) for n in pair)
    found = run(box, f"--set 'gauge.files=[\"unit.nersc\"]' --set 'vertices.momenta=[\"{text}\"]' --set vertices.four_quark=true "
                f"--set 'action.boundary={list(boundary)}'", ranks)
    s_in, s_out = (numpy.linalg.inv(reference.wilson_symbol(reference.momentum(extents, n, boundary), 0.4)) for n in pair)
    for which, s in (("in", s_in), ("out", s_out)):
        assert abs(complex_of(found[f"/propagators/{which}"][0, 0]) - numpy.kron(s, numpy.eye(3))).max() < 1e-11
    trees = {current: numpy.kron(s_out @ gamma @ s_in, numpy.eye(3)) for current, gamma in gammas().items()}
    for current, expected in trees.items():
        assert abs(complex_of(found[f"/vertices/{current}"][0, 0]) - expected).max() < 1e-11, current
    for name, expected in four_quark(trees).items():
        assert abs(complex_of(found[f"/four_quark/{name}"][0, 0]) - expected).max() < 1e-11 * abs(expected).max(), name


def test_same_files_on_any_ranks_and_for_a_vertex_alone(box):
    box.write("generate.toml", GENERATE)
    box.write("fix.toml", LANDAU)
    box.write("vertices.toml", VERTICES)
    box.plaq("run generate.toml --set update.configurations=1").succeeded()
    box.plaq("run fix.toml").succeeded()
    keys = "--set action.type=clover --set action.c_sw=1.0 --set solver.tolerance=1e-8 --set vertices.four_quark=true "
    several, alone = run(box, keys), box.bytes("vertices.h5")
    for ranks, comms in ((2, ""), (4, "--set comms.process_grid=[2,2,1,1]")):
        run(box, keys + comms, ranks)
        assert box.bytes("vertices.h5") == alone, f"{ranks}: other bytes"
    # Quark fields that a vertex shares with those before it, solved for again.
    single = run(box, keys + "--set 'vertices.momenta=[\"0,1,0,1 -> 1,0,0,-1\"]'")
    for current in gammas():
        assert numpy.array_equal(single[f"/vertices/{current}"][:, 0], several[f"/vertices/{current}"][:, 2]), current


@pytest.mark.parametrize("more, parts", (
    ("--set 'vertices.momenta=[\"1,0,0\"]'", ("vertices.momenta", "1,0,0", "neither")),
    ("--set 'vertices.momenta=[\"1,0,0,0 - 1,0,0,0\"]'", ("vertices.momenta", "neither")),
    ("--set 'vertices.momenta=[]'", ("vertices.momenta",)),
    ("--set 'vertices.momenta=[\"0,0,0,1\", \"0,0,0,1\"]'", ("vertices.momenta", "twice")),
    ("--set 'vertices.momenta=[\"0,0,0,2\"]'", ("[vertices] momenta", "n_t = 2", "must be -2 to 1")),
    ("--set 'vertices.momenta=[\"0,0,0,2\"]' --set lattice.extents=[2,2,2,4]", ("vertices.momenta", "must be -2 to 1")),
    ("--set action.twisted_mass=0.1", ("twisted_mass", "gamma5-hermitian")),
    ("--set action.type=staggered", ("action.type", "staggered"))))
def test_wrong_jobs(jobs, more, parts):
    jobs.plaq("run vertices.toml " + more).failed(3, *parts)


def test_fields_that_are_not_fixed_are_refused(jobs):
    jobs.plaq("run vertices.toml --set 'gauge.files=[\"field.000002.nersc\"]'").failed(
        4, "field.000002.nersc", "theta of Landau gauge", "max_theta", "[vertices]")
