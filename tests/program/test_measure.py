"""Measure jobs with smearing, clover and flow, and the formats of generated fields, from end to end."""
import json

import numpy
import pytest

from program import GENERATE, MEASURE, foreign_fields, same

EVERY = ("--set 'measure.observables=[\"plaquette\", \"link_trace\", \"polyakov_loop\", \"unitarity\", \"clover\", \"flow\", "
         "\"wilson_loops\", \"polyakov_correlators\"]' ")


class Measuring:
    """A directory with both fields, what `run` printed last in `out`."""

    def __init__(self, box):
        self.box, self.out = box, ""

    def generate(self, more=""):
        self.box.plaq("run generate.toml " + more).succeeded()

    def run(self, more, ranks=1):
        self.out = self.box.plaq("run measure.toml --set output.overwrite=true " + more, ranks).succeeded().out
        return self.box.numbers("measured.h5")


@pytest.fixture
def jobs(box):
    """Without fields."""
    box.write("generate.toml", GENERATE)
    box.write("measure.toml", MEASURE)
    return Measuring(box)


@pytest.fixture
def measuring(field_box):
    return Measuring(field_box)


def expect_one_step(found):
    """A loop of one step is the plaquette."""
    loops = found["/wilson_loops/r_1_0_0"]
    one = loops.reshape(len(loops), -1)[:, 0]
    assert abs(one - found["/observables/plaquette_temporal"]).max() < 1e-14


def energy_of(plaquette):
    """The energy of the flow at time 0: E = 2 sum over six planes of Re tr(1 - P)."""
    return 2 * 6 * 3 * (1 - plaquette)


def expect_lines(found):
    """One color matrix has no distance from itself, and |tr L|^2 is the sum over all distances of the average."""
    lengths, counts = found["/polyakov_correlators/r_squared"][0], found["/polyakov_correlators/separations"][0]
    assert lengths[0] == 0 and (numpy.diff(lengths) > 0).all() and counts[0] == 1
    assert abs(found["/polyakov_correlators/singlet"][:, 0] - 1).max() < 1e-12
    loop = found["/observables/polyakov_loop"]
    assert abs((counts * found["/polyakov_correlators/average"]).sum(axis=1) / counts.sum()
               - (loop**2).sum(axis=1)).max() < 1e-14


def test_same_files_on_any_ranks(measuring):
    more = EVERY + ("--set link_smearing.type=stout --set link_smearing.steps=2 --set flow.t_max=0.5 "
                    "--set 'wilson_loops.directions=[\"100\", \"110\"]' ")
    alone = None
    for ranks, comms in ((1, ""), (2, ""), (4, ""), (4, "--set comms.process_grid=[2,2,1,1] --set comms.halo_checksums=true"),
                         (1, "--set 'comms.force_partition=[\"x\", \"y\", \"z\", \"t\"]'")):
        found = measuring.run(more + comms, ranks)
        assert len(found) == 5 + 1 + 2 + 6 + 2 + 1 + 4
        assert found["/wilson_loops/r_1_1_0"].shape == (2, 2, 4)
        expect_lines(found)
        made = measuring.box.bytes("measured.h5"), measuring.out
        alone = alone or made
        assert made == alone, (ranks, comms)


@pytest.mark.parametrize("format, more, says", (
    ("nersc", "", True), ("ildg", "", True), ("scidac", "", True), ("milc", " --set output.precision=single", False),
    ("openqcd", " --set output.byte_order=little", False), ("ddalphaamg", "", False)))
def test_rows_say_their_trajectory(jobs, format, more, says):
    """By headers where they say it, else by names."""
    jobs.generate(f"--set output.format={format} --set output.prefix={format}_r3{more}")
    files = f"--set 'gauge.files=[\"{format}_r3.*.{format}\"]' "
    plain = jobs.run(files)
    assert ("/configurations/trajectory" in plain) == says
    assert "/configurations/replica" not in plain
    if says:
        assert plain["/configurations/trajectory"].tolist() == [2, 4]
    named = jobs.run(files + "--set 'gauge.numbering=\"*_r{replica}.00000{trajectory}.*\"'")
    assert named["/configurations/trajectory"].tolist() == [2, 4]
    assert named["/configurations/replica"].tolist() == [3, 3]


def test_names_without_a_trajectory(jobs):
    jobs.generate("--set output.prefix=nersc_r3")
    jobs.run("--set 'gauge.files=[\"nersc_r3.*.nersc\"]'")
    jobs.box.plaq("run measure.toml --set output.overwrite=true --set 'gauge.files=[\"nersc*\"]' --set "
                  "'gauge.numbering=\"a{trajectory}\"'").failed(3, "measure.toml", "nersc_r3.000002.nersc", "'numbering' in [gauge]")


def test_the_flow_begins_where_the_field_is(measuring):
    flow = "--set flow.step=0.05 --set flow.t_max=1.01 --set flow.measure_every=8"
    found = measuring.run(EVERY + flow)
    for file in range(2):
        def of(name):
            return found[name][file]

        assert of("/flow/t") == pytest.approx([0, 0.4, 0.8, 1.0], rel=0, abs=1e-12)  # and the last point
        assert abs(of("/flow/plaquette_energy")[0] - energy_of(of("/observables/plaquette"))) < 1e-12
        assert of("/flow/clover_energy")[0] == of("/observables/clover_energy")
        assert of("/flow/topological_charge")[0] == of("/observables/topological_charge")
        for energy in ("/flow/plaquette_energy", "/flow/clover_energy"):
            assert (numpy.diff(of(energy)) < 0).all(), energy
    # The flow of a job that measures nothing else is the same.
    alone = measuring.run("--set 'measure.observables=[\"flow\"]' " + flow, 2)
    assert len(alone) == 6 + 1
    for path, numbers in alone.items():
        if not numpy.isnan(numbers.flat[0]):
            assert numpy.array_equal(numbers, found[path]), path


def test_scales_lie_between_points_of_the_flow(measuring):
    found = measuring.run(EVERY + "--set flow.t_max=1.5")
    for file in range(2):
        t, energy, t0, w0 = (found[f"/flow/{name}"][file] for name in ("t", "clover_energy", "t0", "w0"))
        # t^2 E(t) goes through 0.3 between two points.
        assert numpy.isfinite(t0)
        i = min(max(int(numpy.searchsorted(t, t0)) - 1, 0), len(t) - 2)
        assert t[i]**2 * energy[i] <= 0.3 <= t[i + 1]**2 * energy[i + 1]
        assert numpy.isfinite(w0)
        assert w0**2 < 1.5


def test_smeared_links_are_measured(measuring):
    bare = measuring.run(EVERY)
    expect_one_step(bare)
    nothing = measuring.run(EVERY + "--set link_smearing.type=ape --set link_smearing.steps=0")
    assert same(nothing, bare)
    before = bare["/observables/plaquette"][-1]
    for smearing in ("--set link_smearing.rho=0.05", "", "--set link_smearing.steps=3", "--set link_smearing.steps=12"):
        found = measuring.run(f"{EVERY} --set link_smearing.type=stout {smearing}")
        plaquette = found["/observables/plaquette"][-1]
        assert plaquette > before, smearing
        before = plaquette
        expect_one_step(found)
        for other in ("clover_energy", "polyakov_loop"):
            assert not numpy.array_equal(found[f"/observables/{other}"], bare[f"/observables/{other}"]), other
        assert found["/observables/unitarity_violation"][-1] < 1e-13
        assert abs(found["/flow/plaquette_energy"][1, 0] - energy_of(plaquette)) < 1e-12
    # In space alone: the links in time, and so the Polyakov loop, stay.
    spatial = measuring.run(EVERY + "--set link_smearing.type=ape --set link_smearing.spatial=true")
    assert numpy.array_equal(spatial["/observables/polyakov_loop"], bare["/observables/polyakov_loop"])
    assert not numpy.array_equal(spatial["/observables/plaquette_spatial"], bare["/observables/plaquette_spatial"])


LOOPS = "--set measure.observables=wilson_loops --set wilson_loops."


@pytest.mark.parametrize("action", ("wilson", "symanzik", "zeuthen"))
def test_flows_of_other_actions_and_adaptive_steps(measuring, action):
    flow = ("--set 'measure.observables=[\"flow\"]' --set flow.t_max=0.4 --set flow.measure_every=10 "
            f"--set flow.action={action} ")
    fixed = measuring.run(flow)
    adaptive = measuring.run(flow + "--set flow.tolerance=1e-4")
    written = measuring.box.bytes("measured.h5")
    # Zeuthen's action has the terms of both others.
    for ranks, grid in ((2, ""), (4, "--set comms.process_grid=[2,1,2,1]"))[:2 if action == "zeuthen" else 1]:
        measuring.run(flow + f"--set flow.tolerance=1e-4 {grid}", ranks)
        assert measuring.box.bytes("measured.h5") == written, ranks
    assert numpy.array_equal(fixed["/flow/t"], adaptive["/flow/t"])
    for energy in ("/flow/plaquette_energy", "/flow/clover_energy"):
        assert (numpy.diff(fixed[energy], axis=1) < 0).all(), energy
        assert abs(adaptive[energy] / fixed[energy] - 1).max() < 1e-3, energy
        assert not numpy.array_equal(adaptive[energy], fixed[energy]), energy
    other = measuring.run(flow.replace(action, "symanzik" if action == "wilson" else "wilson"))
    assert abs(other["/flow/clover_energy"][:, -1] / fixed["/flow/clover_energy"][:, -1] - 1).min() > 1e-3


@pytest.mark.parametrize("more, ranks, parts", (
    ("--set link_smearing.type=hex", 2, ("type", "stout")),
    ("--set flow.step=0.3", 2, ("step", "0.157")),
    ("--set 'measure.observables=[\"flow\"]' --set flow.action=symanzik --set flow.step=0.1", 1, ("'step'", "0.0942")),
    ("--set flow.tolerance=0", 1, ("'tolerance'", "greater than 1e-12")),
    (LOOPS + "max_r=5", 2, ("'max_r'", "5 is above 4", "in space")),
    (LOOPS + "max_t=9", 1, ("'max_t'", "9 is above 8", "in time")),
    (LOOPS + "max_r=1 --set wilson_loops.directions=210", 1, ("'directions'", "210", "max_r = 1"))))
def test_wrong_jobs(field_box, more, ranks, parts):
    field_box.plaq("run measure.toml " + more, ranks).failed(3, *parts)


@pytest.mark.skipif(foreign_fields() is None, reason="PLAQ_DATA_DIR is not set")
def test_flow_of_real_fields(jobs):
    def of(name):
        return f"--set gauge.files={foreign_fields()}/{name} "

    alone = None
    for ranks in (1, 4):
        found = jobs.run(EVERY + of("l4444_coulomb.nersc") + "--set flow.t_max=2", ranks)
        alone = alone or jobs.box.bytes("measured.h5")
        assert jobs.box.bytes("measured.h5") == alone, ranks
        assert abs(found["/observables/plaquette"][-1] - 0.594850159) < 2e-9
        expect_one_step(found)
        assert abs(found["/flow/plaquette_energy"].flat[0] - energy_of(0.594850159)) < 1e-7
    # Gauge copies: Coulomb gauge and none.
    fixed, free = jobs.run(EVERY + of("l4444_coulomb.nersc")), jobs.run(EVERY + of("lat.sample.l4444.ildg"))
    for path in ("/flow/clover_energy", "/flow/topological_charge"):
        assert abs(fixed[path] - free[path]).max() < 1e-5, path
    # Nearly free fields do not reach the scales.
    weak = jobs.run(EVERY + of("weak_field.lime"))
    assert numpy.isnan(weak["/flow/t0"][-1])
    assert numpy.isnan(weak["/flow/w0"][-1])
    assert "t0 nan  w0 nan" in jobs.out
    assert abs(weak["/observables/plaquette"][-1] - 0.994804132267) < 1e-12
    unit = jobs.run(EVERY + of("unity.lime"))
    for path in ("/flow/clover_energy", "/flow/plaquette_energy", "/flow/topological_charge"):
        assert abs(unit[path]).max() < 1e-13, path


def test_generated_formats_have_the_same_links(jobs):
    box, first = jobs.box, None
    for name, keys, exact in (("nersc", "", True), ("ildg", "", True), ("scidac", "", True),
                              ("openqcd", "--set output.byte_order=little ", True), ("milc", "--set output.precision=single ", False)):
        jobs.generate(f"--set output.format={name} {keys}")
        said = json.loads(box.plaq(f"info --json field.000004.{name}").succeeded().out)
        assert said["verified"] is True
        # The links are equal to the last bit, as another format shows.
        box.plaq(f"convert field.000004.{name} as.{name} --format nersc --precision double --ensemble-id same").succeeded()
        data = box.bytes(f"as.{name}").split(b"END_HEADER", 1)[1]
        # A chain that starts there.
        jobs.generate(f"--set gauge.start=file --set gauge.file=field.000004.{name} --set lattice.extents= --set update.seed=12 "
                      f"--set update.thermalization=1 --set update.configurations=1 --set output.prefix=on_{name}")
        on = box.bytes(f"on_{name}.000005.nersc")
        first = first or (said["links"], data, on)
        for value in ("plaquette", "link_trace"):
            ours, theirs = said["links"][value], first[0][value]
            assert ours == theirs if exact else abs(ours - theirs) < 1e-6, (name, value)
        if exact:
            assert data == first[1], name
        assert (on == first[2]) == exact, name
        (box / "field.history.h5").unlink()
