"""Eigenvectors from end to end: jobs that find them, and propagators and studies that they deflate."""
import struct

import pytest

from program import PION, PROPAGATOR, same

FIRST, SECOND = "modes/field.000002.nersc.eig.lime", "modes/field.000004.nersc.eig.lime"
BY_MODES = "--set solver.deflation=modes "
JOB = """job = "eigenvectors"
[gauge]
files = ["field.*.nersc"]
[action]
kappa = 0.16
[eigenvectors]
directory = "modes"
modes = 6
[output]
file = "eigenvalues.h5"
[run]
location = "host"
threads = 1
"""
STUDY = """job = "study"
[gauge]
files = ["field.*.nersc"]
[action]
kappas = [0.16]
[study]
targets = []
memory_limit = false
solvers = ["cg, double 18", "cg with deflation(2), double 18",
           "cgne with deflation, single 12 in double 18, reliable updates 0.1"]
deflation = "modes"
[output]
file = "study.h5"
[run]
location = "host"
threads = 1
"""
# NERSC, unit links on 4x4x4x4.
HEADER = """BEGIN_HEADER
HDR_VERSION = 1.0
DATATYPE = 4D_SU3_GAUGE_3x3
DIMENSION_1 = 4
DIMENSION_2 = 4
DIMENSION_3 = 4
DIMENSION_4 = 4
LINK_TRACE = 1.0
PLAQUETTE = 1.0
BOUNDARY_1 = PERIODIC
BOUNDARY_2 = PERIODIC
BOUNDARY_3 = PERIODIC
BOUNDARY_4 = PERIODIC
CHECKSUM = 0
FLOATING_POINT = IEEE64BIG
END_HEADER
"""
LINK = b"".join(struct.pack(">dd", i % 4 == 0, 0) for i in range(9))
FREE = "--set 'gauge.files=[\"unit.nersc\"]' --set action.kappa= --set action.mass=0.1 "


@pytest.fixture
def jobs(propagators):
    """Propagators at a kappa where modes help."""
    (propagators.box / "modes").mkdir()
    propagators.box.write("propagator.toml", PROPAGATOR.replace("0.11", "0.16"))
    propagators.box.write("eigenvectors.toml", JOB)
    propagators.box.write("unit.nersc", HEADER.encode() + LINK * (4 * 4**4))
    return propagators


def eigenvectors(jobs, more="", ranks=1):
    return jobs.box.plaq("run eigenvectors.toml " + more, ranks)


def test_deflate_solves(jobs):
    box = jobs.box
    found = eigenvectors(jobs).succeeded()
    assert "wrote eigenvalues.h5" in found.err, found
    modes = box.numbers("eigenvalues.h5")
    values, bounds = modes["/modes/eigenvalue"], modes["/modes/error_bound"]
    assert values.size == 12
    assert (bounds <= 1e-3 * values).all()
    assert sorted(values.flat[:6]) == list(values.flat[:6])

    alone, deflated = jobs.run("alone", ""), jobs.run("with", BY_MODES)
    few = jobs.run("few", BY_MODES + "--set solver.deflation_modes=2")
    most = {name: one["/solves/iterations"].max() for name, one in (("alone", alone), ("all", deflated), ("few", few))}
    assert most["all"] < most["few"]
    assert most["all"] < 0.9 * most["alone"]
    assert abs(deflated[PION][..., 0] / alone[PION][..., 0] - 1).max() < 1e-6

    # On two ranks the same bits, of files and of what is computed with them.
    file, results = box.bytes(FIRST), box.bytes("eigenvalues.h5")
    eigenvectors(jobs, "--set output.overwrite=true", 2).succeeded()
    assert box.bytes(FIRST) == file
    assert box.bytes("eigenvalues.h5") == results
    assert same(jobs.run("two", BY_MODES, 2), deflated)
    shown = box.plaq(f"info {FIRST}").succeeded()
    assert "eigenvectors, single precision" in shown.out, shown


def free_values(jobs, action, modes):
    """Modes of the free quark of mass 0.1 on unit links have the same bits on two ranks."""
    found = []
    for ranks in (1, 2):
        eigenvectors(jobs, f"{FREE}{action} --set output.overwrite=true --set output.file=free.h5 "
                     f"--set eigenvectors.modes={modes}", ranks).succeeded()
        found.append(jobs.box.bytes("free.h5") + jobs.box.bytes("modes/unit.nersc.eig.lime"))
    assert found[0] == found[1]
    return jobs.box.numbers("free.h5")["/modes/eigenvalue"].flatten()


def test_every_copy_of_degenerate_ones_is_found(jobs):
    """On unit links each eigenvalue has many copies: one Krylov space has one of each, and ends."""
    # Wilson: p = 0 but for p_4 = +-pi/4, +-3 pi/4; the lowest have 2 signs, 4 spins, 3 colors.
    some = free_values(jobs, "", 16)
    assert some.size == 16
    assert abs(some / some[0] - 1).max() < 1e-6
    assert abs(some[0] - 0.1423) < 1e-4
    wilson = free_values(jobs, "", 26)
    assert wilson.size == 26
    assert abs(wilson[:24] / some[0] - 1).max() < 1e-6
    assert wilson[24] > 1.1 * some[0]
    # Staggered: m^2 + sum of sin^2 p, for 8 momenta in space, 4 in time and 3 colors, half of them on even sites.
    staggered = free_values(jobs, "--set action.type=staggered", 50)
    assert staggered.size == 50
    assert abs(staggered[:48] - 0.51).max() < 1e-6
    assert abs(staggered[48:] - 1.51).max() < 1e-6


def test_a_search_for_copies_that_does_not_end_is_no_success(jobs):
    eigenvectors(jobs, FREE + "--set eigenvectors.modes=26 --set eigenvectors.max_applications=400").failed(
        6, "26 of 26 modes", "the search for others as low did not end", "max_applications")


def test_of_other_operators_are_refused(jobs):
    box = jobs.box
    eigenvectors(jobs).succeeded()
    jobs.propagator(BY_MODES + "--set action.kappa=0.155").failed(4, FIRST, "of another operator: mass", "in the file")
    jobs.propagator(BY_MODES + "--set 'action.boundary=[1,1,1,1]'").failed(4, FIRST, "boundary 1 1 1 -1")
    jobs.propagator(BY_MODES + "--set solver.deflation_modes=7").failed(4, "it holds 6 eigenvectors, 7 are to deflate")
    (box / SECOND).rename(box / FIRST)
    jobs.propagator(BY_MODES).failed(4, FIRST, "checksum of the links")
    (box / FIRST).unlink()
    missing = jobs.propagator(BY_MODES)
    missing.failed(4, FIRST, "no such file", "job type eigenvectors")
    assert "links = 18" not in missing.err, missing
    # Keys.
    jobs.propagator(BY_MODES + "--set solver.method=bicgstab").failed(3, "deflation", "\"cg\" and \"cgne\"")
    jobs.propagator("--set solver.deflation_modes=7").failed(3, "deflation")
    eigenvectors(jobs, "--set eigenvectors.basis=7 --set output.overwrite=true").failed(3, "at least 8")
    # Outputs that are there are not replaced unasked.
    eigenvectors(jobs, "--set output.overwrite=true").succeeded()
    (box / "eigenvalues.h5").unlink()
    eigenvectors(jobs).failed(5, FIRST)


def test_are_compared_in_studies(jobs):
    box = jobs.box
    eigenvectors(jobs, "--set eigenvectors.precision=half").succeeded()
    box.write("study.toml", STUDY)
    planned = box.plaq("plan study.toml").succeeded()
    assert "eigenvectors" in planned.out, planned
    box.plaq("run study.toml").succeeded()
    numbers = box.numbers("study.h5")
    assert numbers["/rows/iterations"].size == 6
    for plain, few, every in numbers["/rows/iterations"].reshape(2, 3):
        assert few != plain
        assert every < min(plain, few)
    assert (numbers["/rows/outcome"] == 0).all()  # the first name of all: converged
    box.plaq("run study.toml --set study.deflation= --set output.file=other.h5").failed(3, "deflation", "finds its eigenvectors")
