"""plaq analyse of histories of hmc: numbers whose truth is known, and a warning for each thing that can be wrong. 77: skipped."""
import contextlib
import csv
import json
import math
import pathlib
import sys
import tempfile

try:
    import h5py  # noqa: F401 - plaq needs it
    import numpy
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

from made import autoregressive  # finds the package

import sealed
from plaq.analysis import NotAResult
from plaq.analysis.analysis import Request, analyse
from plaq.analysis.brief import brief
from plaq.analysis.chain_warnings import _delta_h
from plaq.analysis.export import export
from plaq.analysis.presentation import numbers_of, text_of
from plaq.analysis.quantities import Settings

LEFT_OUT, COUNT = 100, 800
MEAN = 0.0715  # <dH> of an acceptance of 85%
JOB = """job = "hmc"
[update]
seed = {seed}
thermalization = {left_out}
[hmc]
integrators = ["{integrator}", "leapfrog"]
steps = [10, 4]
unconditional = 3
"""
FAR_OFF = 5.0  # dH of the thermalisation, which no number may contain


def make(directory, change=lambda columns, rows: None, seed=1, integrator="omelyan2", first=0, count=COUNT, mean=MEAN, more=""):
    """A healthy chain: normal dH with <exp(-dH)> = 1, the decisions that follow, and what `change` makes of them."""
    rng = numpy.random.default_rng(seed)
    total = LEFT_OUT + count
    columns = {"delta_h": mean + math.sqrt(2 * mean) * autoregressive(total, 0.0, rng)}
    columns["iterations"] = 3000 + 40 * autoregressive(total, 0.5, rng)
    for term, share in (("quarks", 0.25), ("quarks_ratio_1", 0.75)):
        columns[f"iterations_{term}"] = share * columns["iterations"]
    columns["reversibility_links"] = numpy.where(numpy.arange(1, total + 1) % 20 == 0, 3e-11 * (1 + rng.random(total)), numpy.nan)
    columns["reversibility_links"][total // 20 * 20 - 1] = 7e-11
    columns["reversibility_energy"] = 2 * columns["reversibility_links"]
    for term, size in (("quarks", 2.0), ("gauge", 5.0)):
        columns[f"force_rms_{term}"] = size + 0.01 * rng.normal(size=total)
        columns[f"force_largest_{term}"] = 3 * size * (1 + 0.05 * rng.random(total))
    rows = {"plaquette": 0.59 + 0.002 * autoregressive(total + 1, 0.5, rng)}
    for name in ("delta_h", "iterations"):
        columns[name][:LEFT_OUT] = {"delta_h": FAR_OFF, "iterations": 1e5}[name]
    rows["plaquette"][:LEFT_OUT] = 0.1
    change(columns, rows)
    delta_h = columns["delta_h"]
    stable = numpy.isfinite(delta_h) & (delta_h < 1000)
    columns.setdefault("acceptance", numpy.where(stable, numpy.exp(-numpy.clip(delta_h, 0, 700)), 0.0))
    columns.setdefault("accepted", (rng.random(total) < columns["acceptance"]).astype(float))
    path = directory / f"chain{len(list(directory.iterdir()))}.h5"
    with sealed.results(path) as file:
        file.attrs["plaq_version"], file.attrs["job_type"], file.attrs["extents"] = "test", "hmc", [4, 4, 4, 8]
        file.attrs["job"] = JOB.format(seed=seed, left_out=LEFT_OUT, integrator=integrator) + more
        if rows:
            file["history/trajectory"] = first + numpy.arange(total + 1)
        file["steps/trajectory"] = first + 1 + numpy.arange(total)
        for group, found in (("history", rows), ("steps", columns)):
            for name, values in found.items():
                file[f"{group}/{name}"] = values
    return path


def analysed(*paths, **request):
    block, = analyse(paths, Request(**request))
    return block, text_of(block, Settings(samples=50)), numbers_of(block, Settings(samples=50))


def check_healthy(directory):
    path = make(directory)
    block, text, numbers = analysed(path)
    assert block.warnings == [] and "warning" not in text, text
    found, facts = numbers["results"], numbers["facts"]
    truths = {"<exp(-dH)>": 1, "<dH>": MEAN, "Var dH": 2 * MEAN, "plaquette": 0.59,
              "iterations of solves": 3000, "iterations of quarks": 750, "iterations of quarks_ratio_1": 2250,
              **dict.fromkeys(("acceptance", "<min(1, exp(-dH))>", "erfc(sqrt(<dH>)/2)", "erfc(sqrt(Var dH / 8))"),
                              math.erfc(math.sqrt(MEAN) / 2))}
    assert set(found) == set(truths), set(found)
    for name, truth in truths.items():
        one = found[name]
        assert 0 < one["error"] < 0.1 * truth + 0.02, (name, one)
        assert abs(one["value"] - truth) < 4 * one["error"], (name, one)
    assert 1 < found["plaquette"]["tau_int"] < 2.2 and 1 < found["iterations of solves"]["tau_int"] < 2.2
    # Errors of functions of means, by hand: Var dH of normal numbers has the relative error sqrt(2/N).
    assert abs(found["Var dH"]["error"] / (2 * MEAN * math.sqrt(2 / COUNT)) - 1) < 0.2
    mean = found["<dH>"]["value"]
    slope = math.exp(-mean / 4) / math.sqrt(math.pi) / (2 * math.sqrt(mean))
    assert abs(found["erfc(sqrt(<dH>)/2)"]["error"] / (slope * found["<dH>"]["error"]) - 1) < 1e-3
    accepted = round(found["acceptance"]["value"] * COUNT)
    rejected = f"{COUNT - accepted} rejected by dH; {LEFT_OUT} left out as thermalisation"
    assert facts["chain"] == f"{COUNT} trajectories: {accepted} accepted, {rejected}"
    assert facts["reversibility"] == "links 7e-11, H 1.4e-10 at most, in 40 trajectories", facts
    forces = numbers["tables"]["forces on a link"]
    assert forces["term"] == ["gauge", "quarks"] and abs(forces["rms"]["value"][0] - 5) < 0.01 and 15 < forces["largest"][0] < 15.8
    assert "forces on a link" in text and numbers["warnings"] == []
    glance = json.loads(brief(path))
    assert glance["notes"] == [] and "<exp(-dH)>" in [one["name"] for one in glance["values"]]
    export("csv", directory / "chain.csv", [block], Settings(samples=50))
    with open(directory / "chain.csv", encoding="utf-8") as stream:
        values = {row["name"]: float(row["value"]) for row in csv.DictReader(stream)}
    assert abs(values["acceptance"] - accepted / COUNT) < 1e-12 and "forces on a link rms term=gauge" in values, values


def check_rows(directory):
    """Chosen rows, two chains together, and a chain without a history of its observables."""
    path = make(directory)
    block, text, numbers = analysed(path, skip=301)
    assert numbers["facts"]["chain"].startswith("599 trajectories") and "301 rows" not in numbers["facts"]["history"]
    assert numbers["facts"]["history"] == "600 rows, 301 left out as thermalisation", numbers["facts"]
    assert analysed(path, skip=0)[2]["results"]["<dH>"]["value"] > 0.5
    _, _, both = analysed(path, make(directory, seed=2, first=5000))
    assert both["facts"]["chain"].startswith(f"{2 * COUNT} trajectories") and both["chains"]["replicas"] == 2
    assert both["facts"]["chain"].endswith(f"{2 * LEFT_OUT} left out as thermalisation") and both["warnings"] == []
    alone = make(directory, lambda columns, rows: rows.clear())
    block, text, numbers = analysed(alone)
    assert numbers["facts"]["chain"].startswith(f"{COUNT} trajectories") and "plaquette" not in numbers["results"]
    assert analysed(alone, skip=LEFT_OUT)[2]["results"]["<dH>"]["value"] == numbers["results"]["<dH>"]["value"]
    assert "no trajectory is behind" in analysed(path, skip=1000)[1]
    other = make(directory, lambda columns, rows: columns.update(iterations=numpy.ones(7)))
    with contextlib.suppress(NotAResult):
        analysed(other)
        raise AssertionError("a column of other extents is refused")


def check_gauge_alone(directory):
    """Without quarks there are no solves, and nothing about reversibility where it was not measured."""
    def change(columns, rows):
        columns["iterations"][:] = 0
        columns["reversibility_links"][:] = numpy.nan

    block, _, numbers = analysed(make(directory, change))
    assert "iterations of solves" not in numbers["results"] and block.warnings == []
    assert numbers["facts"]["reversibility"] == "not measured ([hmc] reversibility_every)"


def check_spectrum(directory):
    """Eigenvalues and the range of the rational function of an odd number of flavours."""
    def change(columns, rows):
        low = 0.02 + 0.001 * numpy.arange(LEFT_OUT + COUNT)
        columns.update(eigenvalue_low_quarks=low, eigenvalue_high_quarks=60 + low, range_low_quarks=0.01 + 0 * low,
                       range_high_quarks=numpy.where(low < 0.5, 70.0, 80.0))

    facts = analysed(make(directory, change))[2]["facts"]
    assert facts["spectrum of quarks"] == "eigenvalues from 0.12 to 60.9, range of the rational function 0.01 to 80 at last", facts


def check_time_scales(directory):
    """Steps that the job chose, and the rms of dH as it was predicted."""
    def change(columns, rows):
        count = LEFT_OUT + COUNT
        columns.update(steps_1=numpy.full(count, 4.0), steps_2=numpy.full(count, 3.0), predicted_delta_h_1=numpy.full(count, -0.2),
                       predicted_delta_h_2=0.03 * (-1.0)**numpy.arange(count))

    assert "time scales" not in analysed(make(directory))[2]["facts"]
    facts = analysed(make(directory, change))[2]["facts"]
    assert facts["time scales"] == "4 steps, 0.2; 3 steps, 0.03 (rms of the predicted dH)", facts


def check_seconds(directory):
    """The table beside a history: its trajectories behind the thermalisation, with shares of parts. Rows that were cut off do not count."""
    path = make(directory).rename(directory / "timed.history.h5")
    assert "seconds of a trajectory" not in analysed(path)[2]["facts"]
    head = "# plaq 0: seconds\n# trajectory all files links solves_a solves_b force_gauge force_a new\n"
    rows = "".join(f"{n} {t} {t / 10} 0 {t / 4} {t / 4} {t / 5} {t / 10} {t / 10}\n"
                   for n in range(1, LEFT_OUT + COUNT + 1) for t in [1e3 if n <= LEFT_OUT else 20])
    table = directory / "timed.seconds"
    table.write_text(head + rows, encoding="utf-8")
    words = "20 s: solves 50%, gauge force 20%, other forces 10%, other 10%, files 10%"
    assert analysed(path)[2]["facts"]["seconds of a trajectory"] == words, analysed(path)[2]["facts"]
    assert dict(json.loads(brief(path))["facts"])["seconds of a trajectory"] == words
    table.write_text((head + rows)[:-20], encoding="utf-8")
    assert analysed(path)[2]["facts"]["seconds of a trajectory"] == f"{words}; of {COUNT - 1} trajectories"
    table.write_text("something else\n", encoding="utf-8")
    assert "seconds of a trajectory" not in analysed(path)[2]["facts"]


def check_tolerance(directory):
    """Links that differ by some tolerances of forces are as expected."""
    worst = set_rows("reversibility_links", slice(19, 20), 5e-8)
    assert analysed(make(directory, worst))[0].warnings == []
    block, _, _ = analysed(make(directory, worst, more="[solver]\nforce_tolerance = 1e-10\n"))
    assert len(block.warnings) == 1 and "links differ by up to 5e-08" in block.warnings[0] and "1e-08 is the limit" in block.warnings[0]


def check_steps(directory):
    """Proposed steps change <dH> by the power of the integrator to that of the wanted acceptance."""
    assert abs(_delta_h(0.85) - 0.0715) < 1e-4 and abs(_delta_h(0.9) - 0.0316) < 1e-4
    for integrator, order in (("omelyan2", 2), ("omelyan4", 4)):
        block, text, numbers = analysed(make(directory, integrator=integrator, mean=1.5))  # an acceptance of 39%
        wanted = math.ceil(10 * (_delta_h(numbers["results"]["<min(1, exp(-dH))>"]["value"]) / _delta_h(0.8))**(0.5 / order))
        assert len(block.warnings) == 1 and f"take {wanted} steps in place of 10" in block.warnings[0], block.warnings
        assert f"warning: {block.warnings[0]}" in text
    assert wanted == 14, wanted
    block, _, _ = analysed(make(directory, lambda columns, rows: columns.update(steps_1=numpy.full(LEFT_OUT + COUNT, 20.0)), mean=1.5))
    assert len(block.warnings) == 1 and "steps in place of 20" in block.warnings[0] and "the key acceptance" in block.warnings[0]
    block, _, _ = analysed(make(directory, mean=2e-4))  # 99.2%
    assert len(block.warnings) == 1 and "3 steps in place of 10" in block.warnings[0], block.warnings


def set_rows(name, where, value):
    """A change of the rows of a column after the thermalisation; `where` counts from its end."""
    def change(columns, rows):
        of = columns if name in columns else rows
        of[name][LEFT_OUT:][where] = value(of[name][LEFT_OUT:][where]) if callable(value) else value

    return change


def still(columns, rows):
    columns["acceptance"] = numpy.exp(-numpy.clip(columns["delta_h"], 0, 700))
    columns["accepted"] = (numpy.random.default_rng(8).random(LEFT_OUT + COUNT) < columns["acceptance"]).astype(float)
    columns["accepted"][400:415] = 0


def spikes(columns, rows):
    columns["delta_h"][[300, 500, 700]] = [30.0, -9.0, 12.0]
    columns["force_largest_quarks"][[300, 500, 700]] *= 6


def plain_spikes(columns, rows):
    columns["delta_h"][[300, 700]] = 30.0


WRONG = {
    "failed": (set_rows("delta_h", slice(3, 6), math.nan), ["3 of 800 trajectories failed", "max_iterations"]),
    "unstable": (set_rows("delta_h", slice(3, 5), [math.inf, 1e5]), ["2 of 800 trajectories were unstable", "Take more steps"]),
    "weight": (set_rows("delta_h", slice(None), lambda dh: dh - 0.12), ["<exp(-dH)> = 1.1", "errors from 1", "plaq selftest hmc"]),
    "spikes": (spikes, ["3 of 800 trajectories are far off, up to dH = 30", "the largest force of quarks is 6"]),
    "plain spikes": (plain_spikes, ["2 of 800 trajectories are far off", "the time scales with the largest forces"]),
    "still": (still, ["stood still for", "trajectories, up to trajectory 41"]),
    "reversibility": (set_rows("reversibility_links", slice(19, 20), 2e-6), ["up to 2e-06", "force_tolerance"]),
    "plaquette": (set_rows("plaquette", slice(None, 400), lambda p: p - 0.002), ["the plaquette drifts", "--skip"]),
    "iterations": (set_rows("iterations", slice(400, None), lambda n: n + 400), ["the number of iterations drifts", "thermalization"]),
    "slow": (lambda columns, rows: rows.update(plaquette=0.59 + 0.001 * autoregressive(
        LEFT_OUT + COUNT + 1, 0.98, numpy.random.default_rng(5))), ["autocorrelation times of the plaquette", "continues its chain"]),
}


def check_wrong(directory):
    """Each fault alone: one warning, with what is wrong and what to do."""
    for name, (change, words) in WRONG.items():
        path = make(directory, change)
        block, text, numbers = analysed(path)
        assert len(block.warnings) == 1 and numbers["warnings"] == block.warnings, (name, block.warnings)
        for word in words:
            assert word in block.warnings[0], (name, word, block.warnings)
        assert "Warning" not in text and json.loads(brief(path))["notes"] == block.warnings
    block, _, _ = analysed(make(directory, count=12))
    assert len(block.warnings) == 1 and "12 trajectories behind the thermalisation are too few" in block.warnings[0], block.warnings
    facts = analysed(make(directory, WRONG["failed"][0]))[2]["facts"]
    assert "3 failed" in facts["chain"] and "unstable" not in facts["chain"], facts
    block, _, numbers = analysed(make(directory, WRONG["unstable"][0]))
    assert "2 unstable (dH of 1000 or more)" in numbers["facts"]["chain"], numbers["facts"]
    assert abs(numbers["results"]["<dH>"]["value"] - MEAN) < 0.1  # without these


with tempfile.TemporaryDirectory() as name:
    for check in (check_healthy, check_rows, check_gauge_alone, check_spectrum, check_time_scales, check_seconds, check_tolerance,
                  check_steps, check_wrong):
        check(pathlib.Path(name))
print("ok")
