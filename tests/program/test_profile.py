"""plaq run --profile: every application is counted, nothing that is computed changes."""
import json

import pytest

ON_FIRST = "propagator.toml --set gauge.files=field.000002.nersc "
PROFILED = "--profile --profile-json profile.json --set output.overwrite=true"


def run(box, arguments, ranks=1):
    return box.plaq("run " + arguments, ranks).succeeded()


def profile(box):
    return json.loads(box.text("profile.json"))


@pytest.mark.parametrize("ranks", (1, 2, 4))
def test_counts_exchanges_of_updates(field_box, ranks):
    run(field_box, "generate.toml --set output.prefix=plain")
    outcome = run(field_box, "generate.toml --profile-json profile.json --set output.overwrite=true", ranks)
    assert "profile of " in outcome.out, outcome
    assert field_box.bytes("field.000004.nersc") == field_box.bytes("plain.000004.nersc")
    found = profile(field_box)
    assert found["ranks"] == ranks
    if ranks == 1:
        assert "heatbath, extended_halo" not in found["operators"]
        return
    # Four sweeps of eight sets of links; t is split, and 32 links travel to either side.
    halo = found["operators"]["heatbath, extended_halo"]
    assert halo["applications"]["most"] == 32
    assert halo["bytes_sent"]["host"]["most"] == 32 * 2 * 32 * 18 * 8
    assert found["operators"]["overrelaxation, extended_halo"]["applications"]["most"] == 32
    assert halo["gigabytes_per_second"]["most"] > 0
    assert "heatbath, extended_halo" in outcome.out, outcome
    assert halo["seconds"]["exposed"]["most"] <= halo["seconds"]["total"]["most"] <= found["seconds"]["most"]


def test_counts_hopping_terms_of_solves(field_box):
    job = ON_FIRST + "--set solver.mixed=none "
    run(field_box, job)
    plain = field_box.bytes("pion.h5")
    assert plain
    applications = None
    for ranks in (1, 2, 4):
        outcome = run(field_box, job + PROFILED, ranks)
        assert field_box.bytes("pion.h5") == plain
        found = profile(field_box)
        hop, solves = found["operators"]["wilson_hop double 18"], found["solves"]
        applications = applications or hop["applications"]["most"]
        assert applications > 0
        assert hop["applications"]["most"] == hop["applications"]["mean"] == applications
        for step in ("pack", "exposed", "boundary", "moving"):
            assert (hop["seconds"][step]["most"] > 0) == (ranks > 1), step
        assert hop["seconds"]["interior"]["most"] > 0
        assert bool(hop.get("bytes_sent")) == (ranks > 1), hop
        assert solves["count"]["most"] == 1
        assert 0 < solves["operators"]["most"] < solves["seconds"]["most"]
        assert "1 solve(s) in " in outcome.out, outcome


def test_shows_the_lattices_of_multigrid(field_box):
    """Cycles of setups and of solves have lines for each lattice, whose parts add up to the whole."""
    job = ON_FIRST + ("--set solver.preconditioner=multigrid --set multigrid.vectors=[4] "
                      "--set 'multigrid.blocks=[\"2x2x2x2\", \"1x1x2x2\"]' ")
    run(field_box, job)
    plain = field_box.bytes("pion.h5")
    for ranks in (1, 2):
        outcome = run(field_box, job + PROFILED, ranks)
        assert field_box.bytes("pion.h5") == plain
        for occasion in ("setup", "solve"):
            levels = profile(field_box)["levels"][occasion]
            assert len(levels) == 3, levels
            finest, middle, last = levels["0 4x4x4x8"], levels["1 2x2x2x4"], levels["2 2x2x1x2"]
            total = 0
            for part in ("smoothing", "residual", "restriction", "prolongation"):
                # What fits a smoother has none yet.
                times, cycles = finest[part]["times"]["most"], finest["cycle"]["times"]["most"]
                assert times == cycles or (occasion == "setup" and times < cycles), part
                assert middle[part]["seconds"]["most"] > 0, part
                total += finest[part]["seconds"]["most"]
            total += middle["coarse solve"]["seconds"]["most"]
            whole = finest["cycle"]["seconds"]["most"]
            assert 0.5 * whole < total < 2 * whole  # of different ranks
            assert last["coarse solve"]["times"]["most"] == middle["cycle"]["times"]["most"]
            assert "smoothing" not in last
        assert "cycles of multigrid, solve" in outcome.out, outcome
        assert "1     2x2x2x4" in outcome.out, outcome


def test_without_it_nothing_is_printed(field_box):
    outcome = run(field_box, "generate.toml --set output.prefix=other", 2)
    assert "profile" not in outcome.out, outcome
