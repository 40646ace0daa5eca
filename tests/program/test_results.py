"""generate, measure and info from end to end: the same files on any ranks, and what they say."""
import json
import os

import pytest

from program import GENERATE, MEASURE, Sandbox, foreign_fields


@pytest.fixture
def jobs(box):
    box.write("generate.toml", GENERATE)
    box.write("measure.toml", MEASURE)
    return box


def info(box, file, **how):
    return json.loads(box.plaq(f"info --json {file}", **how).succeeded().out)


def outputs(path, ranks):
    """What both jobs write and print, and what plaq info says of it."""
    box = Sandbox(path)
    box.path.mkdir()
    box.write("generate.toml", GENERATE)
    box.write("measure.toml", MEASURE)
    found = {job: box.plaq(f"run {job}.toml", ranks).succeeded().out for job in ("generate", "measure")}
    for file in ("field.000002.nersc", "field.000004.nersc", "field.history.h5", "measured.h5"):
        found[file] = box.bytes(file)
        assert found[file], file
        outcome = box.plaq(f"info {file}", ranks).succeeded()
        assert not outcome.err, outcome
        found[f"info {file}"] = outcome.out
    assert not [name for name in os.listdir(box.path) if name.endswith(".part")]
    return found


def test_same_files_on_any_ranks(tmp_path):
    alone = outputs(tmp_path / "1", 1)
    for ranks in (2, 4):
        found = outputs(tmp_path / str(ranks), ranks)
        for name, content in found.items():
            assert content == alone[name], (ranks, name)


def test_results_say_what_they_are(jobs):
    jobs.plaq("run generate.toml").succeeded()
    jobs.plaq("run measure.toml").succeeded()
    field, history, measured = (info(jobs, file) for file in ("field.000004.nersc", "field.history.h5", "measured.h5"))
    assert field["extents"] == [4, 4, 4, 8]
    assert field["verified"] is True
    assert field["header"]["checksum"] == field["links"]["checksum"]
    assert field["links"]["unitarity_violation"] < 1e-14
    assert history["job_type"] == "generate"
    assert history["seed"] == 11
    assert history["beta"] == 5.7
    assert measured["job_type"] == "measure"
    objects = {one["path"]: one for file in (history, measured) for one in file["objects"]}
    assert objects["/history/plaquette"]["extents"] == [5]  # sweeps 0 to 4
    assert objects["/configurations/sweep"]["extents"] == [2]
    assert objects["/observables/polyakov_loop"]["extents"] == [2, 2]
    second = objects["/gauge/000001"]["attributes"]
    assert second["file"] == "field.000004.nersc"
    assert second["checksum"] == field["links"]["checksum"]
    assert second["plaquette"] == field["links"]["plaquette"]


def plaquette_of(results):
    return next(one for one in results["values"] if one["name"].endswith("plaquette"))


def test_info_of_results_shows_values_first(field_box):
    """What was computed of what, and the plaquette with its error; where there is no Python, its plain mean."""
    field_box.plaq("run measure.toml").succeeded()
    a, b = (info(field_box, f"field.00000{n}.nersc")["links"]["plaquette"] for n in (2, 4))
    mean = (a + b) / 2
    usual = plaquette_of(info(field_box, "measured.h5")["results"])
    assert abs(usual["value"] - mean) < 1e-14, usual
    text = field_box.plaq("info measured.h5").out
    assert text.startswith("file                 measured.h5\nresult of            measure, plaq "), text
    for part in ("lattice              4x4x4x8", "gauge fields         2: field.000002.nersc to field.000004.nersc",
                 "verified: "):
        assert part in text, text
    assert "/observables/plaquette" not in text
    assert text.index(usual["written"]) < text.index("verified: "), text
    every = field_box.plaq("info measured.h5 --all").out
    assert every.index(usual["written"]) < every.index("/observables/plaquette"), every
    assert "The job file:" in every


def test_info_without_python_shows_plain_means(jobs):
    jobs.plaq("run generate.toml").succeeded()
    jobs.plaq("run measure.toml").succeeded()
    a, b = (info(jobs, f"field.00000{n}.nersc")["links"]["plaquette"] for n in (2, 4))
    without = {"PLAQ_PYTHON": "none"}
    plain = info(jobs, "measured.h5", environment=without)["results"]
    assert plain["by"] == "plain means"
    assert plaquette_of(plain)["name"] == "observables/plaquette"
    assert abs(plaquette_of(plain)["value"] - (a + b) / 2) < 1e-14, plain
    assert abs(plaquette_of(plain)["error"] - abs(a - b) / 2) < 1e-14, plain
    saved = jobs.plaq("info field.history.h5", environment=without).out
    assert "configurations/plaquette " in saved
    assert "errors without autocorrelations" in saved


def test_overrides_take_their_place(jobs):
    jobs.plaq("run generate.toml --set gauge.start=cold --set update.thermalization=0 --set update.configurations=1 "
              "--set output.prefix=cold --set lattice.extents=[4,6,4,4]").succeeded()
    cold = info(jobs, "cold.000000.nersc")
    assert cold["extents"] == [4, 6, 4, 4]
    assert cold["links"]["plaquette"] == 1.0
    assert cold["links"]["polyakov_loop"] == [1.0, 0.0]


def test_goes_on_from_a_file_in_any_format_of_links(jobs):
    jobs.plaq("run generate.toml --set output.precision=single --set output.rows=3x2 --set output.byte_order=little").succeeded()
    start = info(jobs, "field.000004.nersc")
    assert start["rows"] == 2
    assert start["precision"] == "single"
    assert start["byte_order"] == "little-endian"
    on = ("run generate.toml --set gauge.start=file --set gauge.file=field.000004.nersc --set lattice.extents= "
          "--set output.prefix=on ")
    jobs.plaq(on).failed(3, "'seed' in [update]", "field.000004.nersc", "another seed")
    jobs.plaq(on + "--set update.seed=12", 2).succeeded()
    assert info(jobs, "on.000006.nersc")["links"]["unitarity_violation"] < 1e-14
    one = jobs.bytes("on.000008.nersc")
    jobs.plaq(on + "--set update.seed=12 --set output.overwrite=true").succeeded()
    assert jobs.bytes("on.000008.nersc") == one


@pytest.mark.parametrize("ranks", (1, 2, 3, 4))
def test_selftest(box, ranks):
    outcome = box.plaq("selftest --location host", ranks).succeeded()
    assert "all 10 checks passed" in outcome.out, outcome
    assert "FAILED" not in outcome.out, outcome


def test_selftest_of_molecular_dynamics(box):
    """On one rank: tests of each term of the action have its force on several."""
    outcome = box.plaq("selftest hmc --location host", seconds=300).succeeded()
    assert "all 34 checks passed" in outcome.out and "FAILED" not in outcome.out, outcome
    box.plaq("selftest hmcc").failed(2, "hmcc")


# Plaquettes and link traces that an independent program found, and how many warnings there are.
KNOWN = {
    "lat.sample.l4444": (0.594850159, 0.646758737, 0),
    "lat.sample.l4444.ildg": (0.594850159, 0.646758737, 0),
    "lat.sample.l4444.scidac": (0.594850159, 0.646758737, 0),
    "lat.sample.l4444.nersc": (0.594850158, 0.646758737, 2),
    "l4444_coulomb.nersc": (0.594850159, 0.856127640, 0),
    "lat.sample.l4448.gf": (0.569055726, 0.751466184, 0),
    "lat.sample.l4448.scidac": (0.569055724, 0.069216590, 0),
    "purgaug.nersc": (0.902263119, 0.734640951, 0),
    "purgaug_coulomb.scidac": (0.902263125, 0.971148275, 1),
    "unity.lime": (1, 1, 1),
    "weak_field.lime": (0.994804132267, 0.379449349, 1),
    "conf.00200": (0.571077111695, -0.004703155, 6),
    "lat.sample.l6666b650m010m050": (0.549692612, 0.075177486, 0),
}
needs_fields = pytest.mark.skipif(foreign_fields() is None, reason="PLAQ_DATA_DIR is not set")


@needs_fields
@pytest.mark.parametrize("name", KNOWN)
def test_fields_of_others(box, name):
    plaquette, link_trace, warnings = KNOWN[name]
    found = info(box, foreign_fields() / name)
    assert found["verified"] is True
    assert abs(found["links"]["plaquette"] - plaquette) <= 2e-9
    assert abs(found["links"]["link_trace"] - link_trace) <= 2e-9
    assert len(found["warnings"]) == warnings, found["warnings"]


@needs_fields
def test_fields_of_others_are_measured_once(jobs):
    def measure(names, more=""):
        return jobs.plaq(f"run measure.toml {more} --set 'gauge.files=[\"{foreign_fields()}/{names}\"]'", 2)

    # One field in four formats.
    measure("lat.sample.l4444*").failed(3, "lat.sample.l4444.scidac", "same links", "lat.sample.l4444.ildg", "twice")
    measured = measure("lat.sample.l4448.*").succeeded()
    assert measured.out.count("\n") == 2, measured
    measure("*.nersc", "--set output.file=x.h5").failed(4, "purgaug.nersc", "4x4x4x8", "4x4x4x4", "one lattice")
