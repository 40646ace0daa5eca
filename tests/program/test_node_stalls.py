"""A node whose file server or whose ranks stand still in the middle of a job on two nodes: the others say what they wait for, nothing is
left half-written, and other nodes continue the job to the bits of one rank."""
import re

import pytest

import slow_mount
from launched import Launched
from nodes import Nodes
from program import PROPAGATOR, Sandbox

MISSING = Nodes.missing() or slow_mount.missing()
pytestmark = pytest.mark.skipif(MISSING is not None, reason=str(MISSING))

FIELD, RUN = "field.000002.nersc", "run propagator.toml"
# All files are in a folder that nodes share, below the directory in which programs start.
JOB = PROPAGATOR.replace("field.*", "shared/field.*").replace('"pion.h5"', '"shared/pion.h5"\npropagators = "hdf5"\npropagator_directory = '
                                                              '"shared/quarks"') + "[source]\ncount = 4\n[comms]\nwatchdog = 3\n"
CAMPAIGN = """[ensemble]
files = "field.{trajectory}.nersc"
[task.pion]
job = "pion.toml"
[workers]
heartbeat = 0.1
lease_timeout = 1
"""
# Ranks 0 and 1 are on node1, and rank 0 writes the journal and the result.
STALLS = {
    "reading a field": ("node2", "read", FIELD),
    "writing the journal": ("node1", "write", "pion.h5.journal"),
    "syncing the journal": ("node1", "flush", "pion.h5.journal"),
    "writing propagators": ("node2", "write", ".prop.h5."),
    "writing the result": ("node1", "write", ".pion.h5."),
}


def prepare(box, field):
    (box / "shared/quarks").mkdir(parents=True)
    box.write(f"shared/{FIELD}", field)
    box.write("propagator.toml", JOB)


@pytest.fixture
def job(box, fields):
    prepare(box, fields[FIELD])
    return box


@pytest.fixture(scope="module")
def alone(tmp_path_factory, fields):
    """What one rank makes."""
    box = Sandbox(tmp_path_factory.mktemp("alone"))
    prepare(box, fields[FIELD])
    box.plaq(RUN).succeeded()
    return contents(box)


def contents(box):
    return {str(path.relative_to(box / "shared")): path.read_bytes() for path in (box / "shared").rglob("*") if path.is_file()}


def expect_an_end(job, run, living):
    """Soon, with an error of the ranks that live, and without a result."""
    assert run.ends_within(run.age() + 60), run.err()
    assert run.code() != 0, run.err()
    assert re.search(rf"^E .*\[rank [{living}]\] has waited for", run.err(), re.MULTILINE), run.err()
    assert not job.exists("shared/pion.h5"), run.err()


def expect_other_nodes_to_go_on(job, alone):
    with Nodes(2) as others:
        others.mount(job / "shared", 0.001)
        job.plaq(RUN, 4, launcher=others.on()).succeeded()
    found = contents(job)
    assert sorted(found) == sorted(alone)
    assert [name for name in found if found[name] != alone[name]] == []


@pytest.mark.parametrize("phase", STALLS)
def test_a_file_server_that_stands_still(job, alone, phase):
    with Nodes(2) as nodes:
        nodes.mount(job / "shared", 0.001, stall=STALLS[phase])
        with Launched(job, RUN, 4, nodes.on()) as run:
            run.waits_for(nodes.stalled, 0.01)
            assert not run.ended(), run.err()
            expect_an_end(job, run, "23" if STALLS[phase][0] == "node1" else "01")
    expect_other_nodes_to_go_on(job, alone)


def test_ranks_that_stand_still(job, alone):
    """All of a node's, while they solve."""
    with Nodes(2) as nodes:
        nodes.mount(job / "shared", 0.001)
        with Launched(job, RUN, 4, nodes.on()) as run:
            run.waits_for(lambda: job.exists("shared/pion.h5.journal"), 0.01)
            nodes.stop("node2")
            expect_an_end(job, run, "01")
            assert nodes.end_within(30), run.err()
    expect_other_nodes_to_go_on(job, alone)


def test_signs_of_life_that_stand_still(box, fields):
    """A worker on another node takes the item over, and the first one publishes nothing."""
    for folder in ("alone", "shared"):
        (box / folder).mkdir()
        box.write(f"{folder}/{FIELD}", fields[FIELD])
        box.write(f"{folder}/pion.toml", PROPAGATOR + "[source]\ncount = 4\n")
        box.write(f"{folder}/campaign.toml", CAMPAIGN)
    box.plaq("campaign run alone").succeeded()
    with Nodes(2) as nodes:
        nodes.mount(box / "shared", 0.001, stall=("node1", "setattr", "pion@"))
        with Launched(box, "campaign run shared", launcher=nodes.alone("node1")) as first:
            first.waits_for(nodes.stalled, 0.01)
            box.plaq("campaign run shared", launcher=nodes.alone("node2")).succeeded()
            assert not first.ended(), first.err()
            nodes.kill("node1")  # with its file system, in which the kernel keeps the worker
    (log,) = (box / "shared/log").glob("node2.*.jsonl")
    assert '"event":"lost"' in log.read_text() and '"event":"done"' in log.read_text(), log.read_text()
    for name in ("rows/pion/000002.h5", "results/pion.h5"):
        assert box.bytes(f"shared/{name}") == box.bytes(f"alone/{name}"), name
