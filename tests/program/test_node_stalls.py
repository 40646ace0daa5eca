"""A file server, a rank or a link between nodes that stands still in each phase of a job on two nodes: the others say what they wait for,
nothing is left half-written, and other nodes continue the job to the bits of one rank. After a short time nobody has noticed."""
import os
import re
import time

import pytest

import slow_mount
from launched import Launched
from nodes import STALLER, Nodes
from program import GENERATE, PROPAGATOR, Sandbox

SANITIZED = os.environ.get("PLAQ_SANITIZE") and "a sanitizer must be loaded before all others"
MISSING = Nodes.missing() or slow_mount.missing() or SANITIZED or (None if STALLER else "PLAQ_STALL_IN_MESSAGE is not set")
pytestmark = pytest.mark.skipif(MISSING is not None, reason=str(MISSING))

FIELD, RUN = "field.000002.nersc", "run propagator.toml"
# All files are in a folder that nodes share, below the directory in which programs start.
JOB = PROPAGATOR.replace("field.*", "shared/field.*").replace('"pion.h5"', '"shared/pion.h5"\npropagators = "hdf5"\npropagator_directory = '
                                                              '"shared/quarks"') + "[source]\ncount = 4\n[comms]\nwatchdog = 2\n"
CAMPAIGN = """[ensemble]
files = "field.{trajectory}.nersc"
[task.pion]
job = "pion.toml"
[workers]
heartbeat = 0.1
lease_timeout = 1
watchdog = 2
"""
# For Nodes.stall(), in the order of a job. Ranks 0 and 1 are on node1, and rank 0 writes the journal and the result.
STALLS = {
    "reading a field": ("node2", "read", FIELD),
    "exchanging halos": ("node2", "MPI_Start"),
    "summing over ranks": ("node2", "MPI_Allreduce"),
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


def stall(nodes, run, where):
    """Returns when the program is in the middle of this. Messages are those after a field was read: before, no job says how long ranks
    wait."""
    if where[1].startswith("MPI_"):
        run.waits_for(lambda: "plaquette" in run.err(), 0.01)
    nodes.stall(*where)
    run.waits_for(nodes.stalled, 0.01)
    assert not run.ended(), run.err()


def expect_an_end(run, living):
    """Soon, with an error of the ranks that live."""
    assert run.ends_within(run.age() + 60), run.err()
    assert run.code() != 0, run.err()
    assert re.search(rf"^E .*\[rank [{living}]\] has waited for", run.err(), re.MULTILINE), run.err()


def expect_the_same(found, alone):
    assert sorted(found) == sorted(alone)
    assert [name for name in found if found[name] != alone[name]] == []


def expect_other_nodes_to_go_on(job, alone):
    with Nodes(2) as others:
        others.mount(job / "shared", 0.001)
        job.plaq(RUN, 4, launcher=others.on()).succeeded()
    expect_the_same(contents(job), alone)


@pytest.mark.parametrize("phase", STALLS)
def test_a_file_server_or_a_rank_that_stands_still(job, alone, phase):
    with Nodes(2, stalls=True) as nodes:
        nodes.mount(job / "shared", 0.001)
        with Launched(job, RUN, 4, nodes.on()) as run:
            stall(nodes, run, STALLS[phase])
            expect_an_end(run, "23" if STALLS[phase][0] == "node1" else "01")
            assert not job.exists("shared/pion.h5"), run.err()
    expect_other_nodes_to_go_on(job, alone)


def test_links_that_come_back(job, alone):
    """One job, whose link goes down for a while in each phase."""
    with Nodes(2, stalls=True) as nodes:
        nodes.mount(job / "shared", 0.001)
        with Launched(job, RUN + " --set comms.watchdog=30", 4, nodes.on()) as run:
            for where in STALLS.values():
                stall(nodes, run, where)
                nodes.cut("node2")
                nodes.go_on()
                time.sleep(0.7)
                nodes.join("node2")
            assert run.ends_within(run.age() + 60), run.err()
            assert run.code() == 0, run.err()
            assert "has waited" not in run.err(), run.err()
    expect_the_same(contents(job), alone)


def test_links_that_are_gone(job, alone):
    """One job, each of whose phases ends on nodes that lose each other, and goes on on others."""
    for phase in (phase for phase in STALLS if phase != "syncing the journal"):
        with Nodes(2, stalls=True) as nodes:
            nodes.mount(job / "shared", 0.001)
            with Launched(job, RUN, 4, nodes.on()) as run:
                stall(nodes, run, STALLS[phase])
                nodes.cut("node2")
                nodes.go_on()
                expect_an_end(run, "01")
                assert run.code() == 7, (phase, run.err())
                assert not any(nodes.ranks(name) for name in nodes.names), (phase, run.err())
    expect_other_nodes_to_go_on(job, alone)


def test_a_link_that_is_gone_while_fields_are_written(box, fields):
    (box / "shared").mkdir()
    box.write("generate.toml", GENERATE.replace('"field"', '"shared/field"') + "[comms]\nwatchdog = 2\n")
    with Nodes(2) as nodes:
        nodes.mount(box / "shared", 0.001)
        with Launched(box, "run generate.toml", 4, nodes.on()) as run:
            stall(nodes, run, ("node2", "write", FIELD))
            nodes.cut("node2")
            nodes.go_on()
            expect_an_end(run, "01")
    with Nodes(2) as others:
        others.mount(box / "shared", 0.001)
        box.plaq("run generate.toml", 4, launcher=others.on()).succeeded()
    for name, content in fields.items():
        assert box.bytes(f"shared/{name}") == content, name


def prepare_campaign(box, fields):
    for folder in ("alone", "shared"):
        (box / folder).mkdir()
        box.write(f"{folder}/{FIELD}", fields[FIELD])
        box.write(f"{folder}/pion.toml", PROPAGATOR + "[source]\ncount = 2\n[comms]\nwatchdog = 2\n")
        box.write(f"{folder}/campaign.toml", CAMPAIGN)
    box.plaq("campaign run alone").succeeded()


def expect_the_same_campaign(box, events):
    """And that the worker on node3 has these in its log."""
    (log,) = (box / "shared/log").glob("node3.*.jsonl")
    assert all(f'"event":"{event}"' in log.read_text() for event in events), log.read_text()
    for name in ("rows/pion/000002.h5", "results/pion.h5"):
        assert box.bytes(f"shared/{name}") == box.bytes(f"alone/{name}"), name


@pytest.mark.parametrize("lost", ["the leader", "the link"])
def test_a_worker_that_takes_an_item(box, fields, lost):
    """The ranks of a worker on two nodes end, and another worker does the item."""
    prepare_campaign(box, fields)
    with Nodes(3) as nodes:
        nodes.mount(box / "shared", 0.001)
        with Launched(box, "campaign run shared", 2, nodes.on("node1", "node2")) as run:
            stall(nodes, run, ("node1", "write", "pion@"))
            if lost == "the link":
                nodes.cut("node2")
                nodes.go_on()
            assert run.ends_within(run.age() + 60), run.err()
            assert run.code() == 7, run.err()
            if lost == "the leader":
                assert re.search(r"^E .*\[rank 1\] has waited for .*: what the group is to do next", run.err(), re.MULTILINE), run.err()
        box.plaq("campaign run shared", launcher=nodes.alone("node3")).succeeded()
    expect_the_same_campaign(box, ["done"])


def test_signs_of_life_that_stand_still(box, fields):
    """A worker on another node takes the item over, and the first one publishes nothing."""
    prepare_campaign(box, fields)
    with Nodes(3) as nodes:
        nodes.mount(box / "shared", 0.001)
        with Launched(box, "campaign run shared", launcher=nodes.alone("node1")) as first:
            stall(nodes, first, ("node1", "setattr", "pion@"))
            box.plaq("campaign run shared", launcher=nodes.alone("node3")).succeeded()
            assert not first.ended(), first.err()
            nodes.kill("node1")  # with its file system, in which the kernel keeps the worker
    expect_the_same_campaign(box, ["lost", "done"])
