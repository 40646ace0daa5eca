"""Modes of the Laplacian in space from end to end: their eigenvalues by numpy, files and ranks."""
import numpy
import pytest

JOB = """job = "laplacian_modes"
[gauge]
files = ["field.*.nersc"]
[laplacian_modes]
directory = "modes"
modes = 7
tolerance = 1e-9
[output]
file = "modes.h5"
[run]
location = "host"
threads = 1
"""
FIRST, SECOND = "modes/field.000002.nersc.lap.lime", "modes/field.000004.nersc.lap.lime"
SIZE, TIMES = 4, 8
SITES = SIZE**3


@pytest.fixture
def jobs(field_box):
    """The box of two fields on 4x4x4x8, with the job."""
    (field_box / "modes").mkdir()
    field_box.write("modes.toml", JOB)
    return field_box


def links_of(box, name):
    """Links of a NERSC file with three rows, [t][z][y][x][mu][row][column]."""
    header, data = box.bytes(name).split(b"END_HEADER\n", 1)
    order = "<" if b"LITTLE" in header else ">"
    assert b"4D_SU3_GAUGE_3x3" in header
    return numpy.frombuffer(data, order + "c16").reshape(TIMES, SIZE, SIZE, SIZE, 4, 3, 3)


def eigenvalues(links, signs):
    """Eigenvalues of minus the Laplacian of a time slice, links[z][y][x][mu]."""
    matrix = numpy.zeros((SITES, 3, SITES, 3), complex)
    for site in range(SITES):
        x = [site % SIZE, site // SIZE % SIZE, site // SIZE**2]
        matrix[site, :, site, :] += 6 * numpy.eye(3)
        for mu in range(3):
            ahead = list(x)
            ahead[mu] = (x[mu] + 1) % SIZE
            there = ahead[0] + SIZE * (ahead[1] + SIZE * ahead[2])
            link = links[x[2], x[1], x[0], mu] * (signs[mu] if ahead[mu] == 0 else 1)
            matrix[site, :, there, :] -= link
            matrix[there, :, site, :] -= link.conj().T
    return numpy.linalg.eigvalsh(matrix.reshape(3 * SITES, 3 * SITES))


@pytest.mark.parametrize("signs", [[1, 1, 1], [1, -1, 1]])
def test_eigenvalues_are_those_of_the_dense_matrices(jobs, signs):
    jobs.plaq(f"run modes.toml --set 'laplacian_modes.boundary={signs}'").succeeded()
    found = jobs.numbers("modes.h5")
    values, bounds = found["/modes/eigenvalue"], found["/modes/error_bound"]
    assert values.shape == bounds.shape == (2, TIMES, 7)
    assert (bounds <= 1e-9).all()
    for field, name in enumerate(["field.000002.nersc", "field.000004.nersc"]):
        links = links_of(jobs, name)
        for t in range(TIMES):
            exact = eigenvalues(links[t], signs)[:7]
            assert abs(values[field, t] - exact).max() < 1e-11, (name, t)


def test_two_ranks_have_the_same_bits(jobs):
    jobs.plaq("run modes.toml").succeeded()
    kept = [jobs.bytes(name) for name in (FIRST, SECOND, "modes.h5")]
    jobs.plaq("run modes.toml --set output.overwrite=true", 2).succeeded()
    assert [jobs.bytes(name) for name in (FIRST, SECOND, "modes.h5")] == kept
    shown = jobs.plaq(f"info {FIRST}").succeeded()
    assert "modes of the Laplacian in space, single precision" in shown.out, shown
    assert "verified" in shown.out and "7 of each time slice" in shown.out, shown
    jobs.plaq(f"convert {FIRST} other.nersc --format nersc").failed(2, "modes of the Laplacian")
    assert "nothing to do" in jobs.plaq("run modes.toml").succeeded().err


def test_smeared_links_have_lower_eigenvalues(jobs):
    jobs.plaq("run modes.toml").succeeded()
    thin = jobs.numbers("modes.h5")["/modes/eigenvalue"]
    smearing = "--set link_smearing.type=stout --set link_smearing.steps=6 --set link_smearing.spatial=true "
    jobs.plaq(f"run modes.toml {smearing} --set output.overwrite=true").succeeded()
    assert (jobs.numbers("modes.h5")["/modes/eigenvalue"] < thin).all()


def test_what_is_impossible_is_refused(jobs):
    for key, value in (("modes", 193), ("basis", 8), ("boundary", "[1,0,1]"), ("tolerance", 0)):
        jobs.plaq(f"run modes.toml --set 'laplacian_modes.{key}={value}'").failed(3, key)
    jobs.plaq("run modes.toml --set laplacian_modes.max_applications=2").failed(6, "time slices", "tolerance")
