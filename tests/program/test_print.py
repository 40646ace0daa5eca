"""schema, explain, plan and bench as users run them: printed once on any number of ranks, with the right exit code."""
import json
import os
import subprocess

import pytest

from program import GENERATE, PLAQ, Outcome


@pytest.mark.parametrize("command", ("schema", "schema generate", "schema measure --example", "explain", "explain 137", "model"))
def test_once_on_any_ranks(box, command):
    alone, three = box.plaq(command).succeeded(), box.plaq(command, 3).succeeded()
    assert alone.out
    assert alone.out == three.out


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
@pytest.mark.parametrize("command", ("info field.000002.nersc", "info field.000002.nersc --json", "info field.history.h5", "schema"))
def test_a_full_disk_is_an_error(box, command):
    """A reader who would miss something is told so."""
    box.write("generate.toml", GENERATE)
    box.plaq("run generate.toml").succeeded()
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run([PLAQ, *command.split()], cwd=box.path, stdout=full, stderr=subprocess.PIPE, text=True)
    Outcome(done.returncode, "", done.stderr).failed(5, "cannot write to standard output", "No space left")


def test_schema_keeps_names_and_texts_apart(box):
    text = box.plaq("schema").out
    assert "\n  multigrid_setup  Compute" in text, text[:1500]


@pytest.mark.parametrize("ranks", (1, 3))
def test_mistakes_once(box, ranks):
    box.plaq("schema genrate", ranks).failed(2, "genrate", "generate")
    box.plaq("explain 77", ranks).failed(2, "77")
    box.plaq("plan none.toml", ranks).failed(4, "none.toml", "No such file")
    box.plaq("paln none.toml", ranks).failed(2, "did you mean 'plan'")


def test_plans_are_for_the_ranks_that_were_started(box):
    box.write("generate.toml", GENERATE)
    alone, two = box.plaq("plan generate.toml --ranks 2 --json").succeeded(), box.plaq("plan generate.toml --json", 2)
    assert alone.out == two.out
    plan = json.loads(two.out)
    assert plan["ranks"] == 2
    assert plan["process_grid"] == [1, 1, 1, 2]
    assert plan["local_lattice"] == [4, 4, 4, 4]
    assert plan["partitioned"] == ["t"]
    assert plan["location"] == "host"
    assert plan["memory_of_a_rank"]["host"]["buffer_bytes"] > 0
    files = plan["files"]
    assert len(files) == 5
    assert (files[0]["name"], files[0]["exists"], files[0]["temporary"]) == ("field.000002.nersc", False, False)
    assert (files[3]["name"], files[3]["temporary"]) == ("field.checkpoint", True)
    assert files[4]["name"] == "field.journal"
    assert plan["outlook"]["kind"] == "begins"
    assert not box.names("*.nersc")

    box.plaq("plan generate.toml --ranks 3").failed(3, "3 ranks", "4x4x4x8")
    box.plaq("run generate.toml").succeeded()
    again = box.plaq("plan generate.toml").succeeded()
    assert "plaq run would do nothing" in again.out, again
    assert "plaq run would stop" in box.plaq("plan generate.toml --set update.seed=99").out
    assert "will be replaced" in box.plaq("plan generate.toml --set output.overwrite=true").out


def rows(box, bench):
    """What a benchmark prints, and its rows."""
    ran = box.plaq(f"bench {bench} --repeats 1 --location host --json out.json").succeeded()
    return ran.out, json.loads(box.text("out.json"))["rows"]


def test_accuracy_of_storages(box):
    """A curve for each storage, that of double precision with 18 reals being where the others are compared to."""
    found = rows(box, "accuracy --lattice 4x4x4x4")[1]
    assert len(found) == 9
    assert found[0]["storage"] == "double 18"
    assert found[8]["storage"] == "half 8"
    for row in found:
        assert row["target"] == "accuracy"
        curve = row["curve"]
        assert len(curve) > 30
        assert curve[-1][1] == 0
        assert (curve[0][1] > 0) == (row != found[0])


@pytest.mark.parametrize("more, ranks, expected", (
    ("", 1, {"restriction N 4": 4, "prolongation N 4": 4, "coarse_schur N 4": 18, "dense_product 128": 2,
             "smoothing_polynomial 4": 2, "smoothing_mr 4": 2, "setup N 4": 1, "galerkin N 4": 1, "cycle N 4": 1}),
    (" --only restriction", 2, {"restriction N 4": 4}),
    (" --only setup", 2, {"setup N 4": 1})))
def test_rows_of_multigrid(box, more, ranks, expected):
    """Every kernel of multigrid has rows, and each was checked."""
    box.plaq("bench multigrid --lattice 4x4x4x8 --vectors 4 --repeats 1 --location host --rhs 2 --untuned --json out.json" + more,
             ranks).succeeded()
    times = {}
    for row in json.loads(box.text("out.json"))["rows"]:
        name = row["target"]
        times[name] = times.get(name, 0) + 1
        assert row["check"], name
        assert row["seconds"] > 0, name
        assert (row["bytes"] > 0) == (not name.startswith("setup")), name
    assert times == expected


@pytest.mark.parametrize("ranks", (1, 2))
def test_forces_of_rows_that_are_wanted(box, ranks):
    """Forces are checked along momenta that no other row has drawn or changed."""
    box.plaq("bench forces --lattice 4x4x4x8 --only stout --repeats 1 --location host --json out.json", ranks).succeeded()
    found = json.loads(box.text("out.json"))["rows"]
    assert [row["target"] for row in found] == ["stout_step", "stout_force"]
    assert all(row["check"] == "derivative" for row in found)


def test_rows_of_all_targets(box):
    """All operators, methods and sweeps have rows, in each storage that they take."""
    def names(more=""):
        found = rows(box, "targets --lattice 4x4x4x4 --precision single --links 12 --rhs 2" + more)[1]
        for row in found:
            assert row["right_hand_sides"] == 2
            assert row["samples"] == 1
            assert row["flops"] > 0
        return [f"{row['target']} {row['storage']}" for row in found]

    expected = ["wilson_hop single", "clover_schur single", "clover_schur_asy single", "gauge_fixing single", "gauge_fixing mixed",
                "gauge_fixing_su2 single", "gauge_fixing_su2 mixed", "cg single", "cgne single", "bicgstab single", "gcr single",
                "mr single"]
    assert names() == [f"{one} 12" for one in expected]
    assert names(" --only schur") == ["clover_schur single 12", "clover_schur_asy single 12"]


def test_drift_of_gauge_fixing(box):
    """A row for each look, and unitarity at rounding in each of six runs."""
    out, found = rows(box, "gaugefix_drift --lattice 4x4x4x4")
    for column in ("largest_violation", "deviation_of_functional", "sweeps"):
        assert column in out
    assert len(found) == 6 * 21
    exact = 0
    for run in range(6):
        row, first, last = found[21 * run], found[21 * run]["numbers"], found[21 * run + 20]["numbers"]
        assert first["largest_violation"] == 0
        assert last["sweeps"] == 400
        assert last["functional"] > first["functional"]
        assert last["largest_violation"] < (1e-5 if row["storage"] == "single 12" else 1e-13)
        assert last["average_violation"] <= last["largest_violation"]
        if (row["storage"], row["target"]) == ("double 12", "as swept"):
            assert last["deviation_of_functional"] == 0
            exact += 1
    assert exact == 1
