"""Programs without a launcher, as users start them: none of them starts MPI, so that none meets another one."""
import concurrent.futures
import os

import pytest

from mpi_library import LIBRARIES, LIBRARY
from program import GENERATE, MEASURE, PROPAGATOR

NO_MPI = LIBRARY.broken if LIBRARY else {}

CAMPAIGN = """[ensemble]
files = "field.{trajectory}.nersc"
[task.measure]
job = "measure.toml"
"""


class Unprepared:
    """A machine that nobody has prepared, where MPI cannot start; what it would leave goes to `tmp`."""

    def __init__(self, box):
        self.box = box
        box.write("generate.toml", GENERATE)
        box.write("measure.toml", MEASURE)
        box.write("propagator.toml", PROPAGATOR)
        box.plaq("run generate.toml").succeeded()
        (box / "tmp").mkdir()

    def run(self, arguments, **environment):
        folder = str(self.box / "tmp")
        return self.box.plaq(arguments, environment={"TMPDIR": folder, "OMPI_MCA_orte_tmpdir_base": folder, **NO_MPI, **environment},
                             seconds=120)

    def left(self):
        return os.listdir(self.box / "tmp")


@pytest.fixture
def machine(box):
    return Unprepared(box)


@pytest.mark.skipif(LIBRARY is None, reason="nobody knows how to break this MPI library")
def test_mpi_would_fail(machine):
    """The trap is one: with a launcher MPI starts, and fails."""
    for arguments in ("info field.000002.nersc", "plan measure.toml"):
        assert machine.run(arguments, PLAQ_START_MPI="1").code != 0, arguments


@pytest.mark.skipif(LIBRARY is None, reason="nobody knows the launchers of other libraries")
def test_the_launcher_of_another_library(machine):
    """Its ranks do not find each other: none of them does the job of all."""
    for other in LIBRARIES:
        if other is not LIBRARY:
            run = machine.box.plaq("run measure.toml", environment={other.rank: "0", other.size: "2"})
            run.failed(7, "the launcher started 2 ranks, but MPI finds one", LIBRARY.name)
            assert not machine.box.exists("measured.h5")


def test_no_command_starts_mpi(machine):
    machine.box.write("campaign.toml", CAMPAIGN)
    for arguments in (
            "schema generate", "explain 3", "info field.000002.nersc", "convert --format ildg field.000002.nersc field.ildg",
            "info field.ildg --json", "plan measure.toml", "plan generate.toml --ranks 4", "plan generate.toml --cost", "model",
            "run measure.toml", "info measured.h5", "run propagator.toml --set 'comms.force_partition=[\"z\",\"t\"]'",
            "bench wilson_hop --lattice 4x4x4x4 --repeats 1 --precision single --links 12 --rhs 1 --location host",
            "selftest --location host", "campaign run .", "campaign status .", "campaign check .", "campaign audit ."):
        assert machine.run(arguments).code == 0, arguments
    assert machine.run("info missing.nersc").code == 4
    assert machine.run("run measure.toml --set lattice.extents=[4,4]").code == 3
    assert machine.left() == []


def test_faces_travel_within_the_process(machine):
    """What a process exchanges with itself passes through host memory, as between ranks, and results have the same bytes."""
    job = "run propagator.toml --set output.overwrite=true "
    machine.run(job).succeeded()
    plain = machine.box.bytes("pion.h5")
    assert plain
    for transport in ("auto", "host"):
        for checksums in ("true", "false"):
            machine.run(f"{job} --set 'comms.force_partition=[\"x\",\"t\"]' --set comms.transport={transport} "
                        f"--set comms.halo_checksums={checksums}").succeeded()
            assert machine.box.bytes("pion.h5") == plain, f"other bytes by {transport}"
    machine.box.plaq(job, 2).succeeded()
    assert machine.box.bytes("pion.h5") == plain, "other bytes on two ranks"
    refused = machine.run(job + "--set comms.transport=device_mpi")
    assert refused.code == 7, refused
    assert "cannot be used" in refused.out + refused.err, refused


def test_fifty_at_once(machine):
    commands = [("schema", "plan measure.toml", f"run measure.toml --set output.file=measured{i}.h5",
                 f"convert --format ildg field.000002.nersc field{i}.ildg", "info field.000002.nersc")[i % 5] for i in range(50)]
    with concurrent.futures.ThreadPoolExecutor(len(commands)) as users:
        for outcome in users.map(machine.run, commands):
            outcome.succeeded()
    assert machine.left() == []
