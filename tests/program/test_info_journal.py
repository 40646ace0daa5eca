"""plaq info on journals and checkpoints, which unfinished jobs leave."""
import json
import struct
import zlib

import pytest

from hmc_jobs import HMC

JOB = """job = "generate"

[update]
seed = 3
thermalization = 20
separation = 5
configurations = 4
"""


def record(kind, key, payload):
    """As jobs/results/journal.hpp describes it."""
    numbers = struct.pack("<IIQ", kind, len(key), len(payload))
    return numbers + struct.pack("<I", zlib.crc32(numbers)) + key + payload + struct.pack("<I", zlib.crc32(key + payload))


def event(kind, sweep):
    """Of a chain: the step, seven observables, and checksum and bytes of a saved field."""
    return record(kind, b"", struct.pack("<q7dIIIQ", sweep, *[0.5] * 7, 0, 0, 0, 1000))


def journal(*records, layout=1):
    return b"plaqJRNL" + struct.pack("<I", layout) + b"".join(records)


def test_a_chain(box):
    whole = journal(record(0, b"0.3.0", JOB.encode()), event(1, 0), event(1, 10), event(1, 20), event(2, 20), event(1, 23))
    box.write("f.journal", whole)
    shown = box.plaq("info f.journal").succeeded().out
    for part in ("journal of           generate, plaq 0.3.0; the job is not complete", "steps                23 of 35 compound sweeps",
                 "gauge fields         1 saved, the last one after 20 compound sweeps", "verified: 6 records"):
        assert part in shown, shown
    assert "thermalization = 20" not in shown and "note: plaq run with the job file continues this job" in shown
    assert "thermalization = 20" in box.plaq("info --all f.journal").succeeded().out
    box.write("f.journal", whole[:-3])  # a killed run
    shown = box.plaq("info f.journal").succeeded().out
    assert "20 of 35 compound sweeps" in shown and "of a record that was cut off" in shown, shown
    box.write("f.journal", whole[:-3] + b"abc")
    found = json.loads(box.plaq("info --json f.journal").succeeded().out)
    assert found["verified"] is False and found["records"] == 5 and found["chain"]["saved"] == [20], found
    assert found["job"] == JOB and found["chain"]["planned"] == 35 and found["file_bytes"] == len(whole)


def test_results_of_pieces(box):
    job = b'job = "propagator"\n\n[gauge]\nfiles = ["a", "b"]\n'
    pieces = [record(2, name, b"x") for name in (b"field.1", b"field.1", b"field.2")]
    box.write("pion.journal", journal(record(0, b"0.3.0", job), *pieces))
    shown = box.plaq("info pion.journal").succeeded().out
    assert "journal of           propagator, plaq 0.3.0" in shown and "results              2: field.1 to field.2" in shown, shown
    assert json.loads(box.plaq("info --json pion.journal").succeeded().out)["results"] == ["field.1", "field.2"]


@pytest.mark.parametrize("command", ("convert x.journal y.ildg --format ildg", "run measure.toml"))
def test_a_journal_is_no_gauge_field(box, command):
    box.write("x.journal", journal(record(0, b"0.3.0", JOB.encode())))
    box.write("measure.toml", 'job = "measure"\n[gauge]\nfiles = ["x.journal"]\n[output]\nfile = "m.h5"\n')
    box.plaq(command).failed(4, "it seems to be the journal of a job of plaq that is not complete")
    box.write("x.journal", journal(layout=9))
    box.plaq("info x.journal").failed(5, "it is not a journal of this version of plaq")


def test_what_a_job_leaves_that_ends_early(box):
    """Three trajectories fail: two are recorded, with a field after the second one, and the checkpoint before it."""
    box.write("hmc.toml", HMC)
    box.plaq("run hmc.toml --set solver.max_iterations=4 --set output.checkpoint_minutes=0").failed(6, "the chain does not move")
    shown = box.plaq("info field.journal").succeeded().out
    assert "journal of           hmc, plaq " in shown and "2 of 4 trajectories" in shown, shown
    assert "gauge fields         1 saved, the last one after 2 trajectories" in shown, shown
    shown = box.plaq("info field.checkpoint").succeeded().out
    assert "checkpoint           of a chain after 1 step; plaq run continues the job from it" in shown, shown
    assert "verified: checksum, plaquette and link trace" in shown
