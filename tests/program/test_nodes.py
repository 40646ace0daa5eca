"""Jobs on several nodes, over a network: the bits of one rank, a table that names the nodes, and an end with an error when a node is
gone, after which other nodes continue the job or the campaign."""
import re

import pytest

from launched import Launched
from nodes import Nodes
from program import GENERATE, PION, PROPAGATOR, same

MISSING = Nodes.missing()
pytestmark = pytest.mark.skipif(MISSING is not None, reason=str(MISSING))

# Works for a while after its first field.
JOB = GENERATE.replace("separation = 2", "separation = 40")

CAMPAIGN = """[ensemble]
files = "field.{trajectory}.nersc"
[task.pion]
job = "propagator.toml"
[workers]
heartbeat = 0.2
lease_timeout = 2
"""
MANY_SOURCES = "[source]\ncount = 8\nshift = [0, 0, 0, 1]\n"  # so that an item takes a while


@pytest.mark.parametrize("count, rate", [(2, None), (4, "200mbit")])
def test_the_bits_of_one_rank(field_box, fields, count, rate):
    """4 ranks on 2 nodes, and on 4 with slow cards."""
    if missing := Nodes.missing(rate):
        pytest.skip(missing)
    field_box.plaq("run propagator.toml --set output.file=alone.h5").succeeded()
    with Nodes(count, rate) as nodes:
        made = field_box.plaq("run generate.toml --set output.prefix=made", 4, launcher=nodes.on()).succeeded()
        field_box.plaq("run propagator.toml --set output.file=nodes.h5", 4, launcher=nodes.on()).succeeded()
    for name, content in fields.items():
        assert field_box.bytes(name.replace("field", "made")) == content, name
    assert same(field_box.numbers("nodes.h5"), field_box.numbers("alone.h5"))
    ranks = "0-1" if count == 2 else "0"
    assert re.search(rf"^  {ranks} +node1 .* eth0$", made.err, re.MULTILINE), made.err
    assert f"and the same on {count - 1} more node" in made.err, made.err
    if count == 2:
        assert "on process grid 1x1x1x4, 1x1x1x2 on a node" in made.err, made.err


@pytest.mark.parametrize("loss", [Nodes.kill, Nodes.cut])
def test_a_lost_node(box, loss):
    """All ranks end, those that the network no longer reaches too, and the job continues on other nodes to the bits of one rank."""
    box.write("generate.toml", JOB)
    with Nodes(3) as nodes:
        with Launched(box, "run generate.toml --set comms.watchdog=2", 4, nodes.on("node1", "node2")) as run:
            run.waits_for(lambda: "wrote field.000002" in run.err(), 0.01)
            loss(nodes, "node2")
            assert run.ends_within(run.age() + 60), run.err()
            err = run.err()
            assert run.code() != 0, err
            assert nodes.end_within(30), err
        if loss is Nodes.cut:
            assert run.code() == 7, err
            assert re.search(r"^E .*\[rank [01]\] has waited for", err, re.MULTILINE), err
        assert box.names("*.nersc") == ["field.000002.nersc"]
        again = box.plaq("run generate.toml", 4, launcher=nodes.on("node3", "node1")).succeeded()
    assert "going on after 2 compound sweeps" in again.err, again
    box.plaq("run generate.toml --set output.prefix=alone").succeeded()
    for number in ("000002", "000042"):
        assert box.bytes(f"field.{number}.nersc") == box.bytes(f"alone.{number}.nersc"), number


def log_of(box, node):
    """What workers on this node have written into the log of their campaign."""
    return "".join(path.read_text() for path in (box / "log").glob(f"{node}.*.jsonl"))


def test_a_worker_on_a_lost_node(field_box):
    """Another node's worker sees no sign of life, takes the item over, and completes the campaign to the numbers of one rank."""
    field_box.write("propagator.toml", PROPAGATOR + MANY_SOURCES)
    field_box.write("campaign.toml", CAMPAIGN)
    with Nodes(2) as nodes:
        with Launched(field_box, "campaign run .", 2, nodes.on("node2")) as lost:
            lost.waits_for(lambda: '"event":"start"' in log_of(field_box, "node2"), 0.005)
            nodes.kill("node2")
            assert lost.ends_within(lost.age() + 60), lost.err()
        assert list((field_box / "leases").glob("pion*")), "it had ended its item"
        field_box.plaq("campaign run .", 2, launcher=nodes.on("node1")).succeeded()
    log = log_of(field_box, "node1")
    assert re.search('"event":"lost".*"node2[.]', log), log
    field_box.plaq("run propagator.toml --set output.file=alone.h5").succeeded()
    joined, alone = field_box.numbers("results/pion.h5"), field_box.numbers("alone.h5")
    assert (joined[PION] == alone[PION]).all()
