"""A folder that nodes share through a slow network file system, where none of them sees at once what another one changes: campaigns do
each item once, and nothing is lost."""
import json
import os

import pytest

import slow_mount
from launched import Launched
from nodes import Nodes
from program import GENERATE, MEASURE, PROPAGATOR, Sandbox

MISSING = Nodes.missing() or slow_mount.missing()
pytestmark = pytest.mark.skipif(MISSING is not None, reason=str(MISSING))

FIELDS = 2
# A worker counts as lost long before the file system forgets what it knows of leases.
CAMPAIGN = """[ensemble]
files = "fields/f.{trajectory}.nersc"
[task.measure]
job = "measure.toml"
[task.pion]
job = "pion.toml"
ladder = ["solver.max_iterations=500"]
[workers]
heartbeat = 0.2
lease_timeout = 1
"""
MEMORY = 40  # seconds for which a node remembers names and attributes


@pytest.fixture(scope="module")
def calm(tmp_path_factory):
    """A campaign, and what one worker makes of it with nobody else there. The first settings of the pion fail."""
    box = Sandbox(tmp_path_factory.mktemp("calm"))
    box.write("generate.toml", GENERATE)
    (box / "fields").mkdir()
    box.plaq(f"run generate.toml --set update.configurations={FIELDS} --set output.prefix=fields/f").succeeded()
    box.write("measure.toml", MEASURE)
    box.write("pion.toml", PROPAGATOR.replace("tolerance", "max_iterations = 1\ntolerance"))
    box.write("campaign.toml", CAMPAIGN)
    box.plaq("campaign run .").succeeded()
    return box


@pytest.fixture
def shared(box, calm):
    """The campaign, of which nothing is done yet, below the directory in which programs start."""
    shared = Sandbox(box / "shared")
    (shared / "fields").mkdir(parents=True)
    for name in ("measure.toml", "pion.toml", "campaign.toml", *(f"fields/{name}" for name in os.listdir(calm / "fields"))):
        if name.endswith((".toml", ".nersc")):
            shared.write(name, calm.bytes(name))
    return shared


@pytest.fixture
def nodes(shared):
    with Nodes(2) as nodes:
        nodes.mount(shared.path, 0.001, MEMORY)
        yield nodes


def histories_of(box):
    """What happened to each item, in the order of time: [(event, number of the settings)]."""
    events = [json.loads(line) for path in (box / "log").glob("*.jsonl") for line in path.read_text().splitlines()]
    found = {}
    for event in sorted(events, key=lambda event: event["at"]):
        if "item" in event:
            found.setdefault(event["item"], []).append((event["event"], event.get("rung", 0)))
    return found


def test_workers_do_each_item_once(box, shared, nodes, calm):
    with Launched(box, "campaign run shared", launcher=nodes.alone("node1")) as one:
        box.plaq("campaign run shared", launcher=nodes.alone("node2")).succeeded()
        assert one.ends_within(one.age() + 60), one.err()
        assert one.code() == 0, one.err()
    found = histories_of(shared)
    for n in range(FIELDS):
        field = f"{2 * n + 2:06}"
        assert found.pop(f"measure/{field}") == [("start", 0), ("done", 0)], field
        assert found.pop(f"pion/{field}") == [("start", 0), ("failed", 0), ("start", 1), ("done", 1)], field
    assert not found
    for name in (name for task in ("measure", "pion") for name in (f"results/{task}.h5", f"rows/{task}/000002.h5")):
        assert shared.bytes(name) == calm.bytes(name), name
    assert not os.listdir(shared / "leases")
    assert not [path for path in (shared / "work").rglob("*") if not path.is_dir()]


def test_a_worker_that_lives_keeps_its_item(box, shared, nodes):
    """Another node, which waits for the item, asks for signs of life that it would not see otherwise."""
    shared.write("campaign.toml", CAMPAIGN.replace('"measure.toml"', '"measure.toml"\nafter = ["pion"]'))
    (shared / "fields/f.000004.nersc").unlink()
    shared.write("pion.toml", PROPAGATOR + "[source]\ncount = 24\nshift = [1, 1, 1, 1]\n")
    with Launched(box, "campaign run shared --task pion", launcher=nodes.alone("node1")) as one:
        one.waits_for(lambda: list((shared / "leases").glob("pion*")), 0.02)
        box.plaq("campaign run shared", launcher=nodes.alone("node2")).succeeded()
        assert one.ends_within(one.age() + 60), one.err()
    assert histories_of(shared) == dict.fromkeys(("pion/000002", "measure/000002"), [("start", 0), ("done", 0)]), one.err()


def test_what_another_node_tells_is_heard(box, shared, nodes):
    """Events of a worker that goes on, and fields that both nodes leave out."""
    def on(node, arguments):
        return box.plaq(f"campaign {arguments}", launcher=nodes.alone(node)).succeeded().out

    with Launched(box, "campaign run shared", launcher=nodes.alone("node1")) as one:
        one.waits_for(lambda: list((shared / "leases").glob("*@*")), 0.02)
        on("node2", "status shared")
        assert one.ends_within(one.age() + 60), one.err()
    here, there = (json.loads(on(node, "status shared --json")) for node in ("node1", "node2"))
    assert here == there
    on("node1", "quarantine shared 000002 --reason one")
    on("node2", "quarantine shared 000004 --reason two")
    text = shared.text("quarantine.toml")
    assert "[all.000002]" in text and "[all.000004]" in text, text
