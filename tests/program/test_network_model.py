"""What `plaq bench network` measures between nodes is what the model takes, and the model predicts a study there."""
import json

import pytest

from nodes import Nodes

MISSING = Nodes.missing()
pytestmark = pytest.mark.skipif(MISSING is not None, reason=str(MISSING))

STUDY = """job = "study"
[study]
local_lattices = ["4x4x4x8"]
ranks = [RANKS]
targets = ["hop", "schur", "cg"]
storages = ["double 18"]
iterations = 20
samples = 3
[action]
type = "wilson"
mass = 0.5
[model]
measurements = [FILES]
[output]
file = "NAME.h5"
json = "NAME.json"
[run]
location = "host"
threads = 1
"""


def study(box, name, ranks, files, launcher=None):
    text = STUDY.replace("NAME", name).replace("RANKS", str(ranks)).replace("FILES", ", ".join(f'"{file}"' for file in files))
    box.write(f"{name}.toml", text)
    box.plaq(f"run {name}.toml", ranks, launcher=launcher).succeeded()
    return json.loads(box.bytes(f"{name}.json"))["rows"]


@pytest.mark.parametrize("each, rate", [(1, None), (2, "400mbit")])
def test_a_study_on_two_nodes(box, each, rate):
    if missing := Nodes.missing(rate):
        pytest.skip(missing)
    study(box, "alone", 1, [])
    box.plaq("bench krylov --lattice 4x4x4x8 --rhs 1 --repeats 3 --location host --json krylov.json").succeeded()
    with Nodes(2, rate) as nodes:
        box.plaq("bench network --repeats 1 --json network.json", 2 * each, launcher=nodes.on(), seconds=240).succeeded()
        rows = study(box, "nodes", 2 * each, ["alone.json", "krylov.json", "network.json"], nodes.on())
    measured = json.loads(box.bytes("network.json"))["rows"]
    links = {row["where"]: row["numbers"] for row in measured if row["target"] == "link" and row["numbers"]["faces"] == 0}
    assert set(links) == ({"between nodes"} if each == 1 else {"between nodes", "within a node"})
    if rate:  # two ranks share a card of 50 MB/s
        assert 16e6 < links["between nodes"]["bytes_per_second"] < 28e6, links
    assert [row["target"] for row in rows] == ["wilson_hop", "wilson_schur", "cg"]
    for row in rows:  # of a machine that does other things as well
        assert 0.2 < row["predicted"] / row["seconds"] < 3, row
