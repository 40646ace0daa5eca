"""Mistakes of users: one message whatever the number of ranks, the exit code of its kind, nothing left behind."""
import os
import resource

import h5py
import pytest

from program import GENERATE, MEASURE

ON_THREE_RANKS = 3


@pytest.fixture
def jobs(box):
    """A directory without fields."""
    box.write("generate.toml", GENERATE)
    box.write("measure.toml", MEASURE)
    return box


@pytest.mark.parametrize("ranks", (1, ON_THREE_RANKS))
def test_unknown_key(jobs, ranks):
    jobs.write("bad.toml", GENERATE + "thread = 2\n")
    jobs.plaq("run bad.toml", ranks).failed(3, "bad.toml", "'thread'", "'threads'")


def test_job_file(jobs):
    jobs.plaq("run none.toml", ON_THREE_RANKS).failed(4, "none.toml", "No such file")
    jobs.plaq("run generate.toml --set update.sed=3", ON_THREE_RANKS).failed(3, "'sed'", "'seed'")
    jobs.plaq("run generate.toml --set update.heatbath=1000 --set update.configurations=1000000 --set update.separation=9"
              ).failed(3, "[update]", "2147483647")
    # 4x4x4x8 cannot be cut in 3 parts of even extent.
    jobs.plaq("run generate.toml", ON_THREE_RANKS).failed(3, "3", "4x4x4x8")


def test_strict_binding(jobs):
    for ranks in (1, 2):  # more threads than there are cores
        jobs.plaq("run generate.toml --strict-binding --set run.threads=4096", ranks).failed(
            2, "strict binding", "nothing is done", "more ranks times threads than cores", f"{4096 * ranks} thread(s)")
        jobs.plaq("run generate.toml --set run.strict_binding=true --set run.threads=4096", ranks).failed(2, "strict binding")
    assert not [name for name in os.listdir(jobs.path) if "field" in name]
    outcome = jobs.plaq("run generate.toml", 2).succeeded()  # warns at most
    assert "who runs where" in outcome.err, outcome


def test_missing_input(jobs, fields):
    jobs.plaq("run measure.toml", 2).failed(4, "field.*.nersc", "no file matches")
    jobs.plaq("run measure.toml --set gauge.files=none.nersc", 2).failed(4, "none.nersc", "No such file")
    jobs.plaq("info none.nersc", 2).failed(4, "none.nersc", "No such file")
    jobs.plaq("info .", 2).failed(4, ".")
    jobs.plaq("run generate.toml").succeeded()
    jobs.plaq("run measure.toml --set 'gauge.files=[\"field.*\", \"none.nersc\"]'").failed(4, "field.history.h5")
    jobs.plaq("run measure.toml --set 'gauge.files=[\"field.*.nersc\", \"none.nersc\"]'").failed(4, "none.nersc")
    jobs.plaq("run measure.toml --set lattice.extents=[4,4,4,4]", 2).failed(3, "4x4x4x4", "4x4x4x8")
    assert not jobs.exists("measured.h5")


def test_files_larger_than_is_allowed(field_box):
    """The size limit of files that batch systems set."""
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (100 << 10, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))

    before = set(os.listdir(field_box.path))
    field_box.plaq("convert field.000002.nersc out.ildg --format ildg", preexec_fn=limit).failed(5, "out.ildg", "File too large")
    assert set(os.listdir(field_box.path)) == before
    field_box.plaq("run generate.toml --set output.prefix=other", preexec_fn=limit).failed(5, "other", "File too large")
    assert not [name for name in os.listdir(field_box.path) if ".part" in name]


def test_info_of_what_is_no_field(jobs):
    jobs.write("garbage", "not a gauge field at all")
    jobs.write("empty", "")
    jobs.plaq("info garbage", 2).failed(4, "garbage", "NERSC")
    jobs.plaq("info empty --json", 2).failed(4, "empty")
    jobs.write("damaged.h5", b"\x89HDF\r\n\x1a\n and no more")
    jobs.plaq("info damaged.h5", 2).failed(4, "damaged.h5", "HDF5")
    h5py.File(jobs / "foreign.h5", "w").close()
    jobs.plaq("info foreign.h5", 2).failed(4, "foreign.h5", "plaq did not write it", "checksum trailer")


def test_damaged_fields(field_box):
    good = field_box.bytes("field.000002.nersc")
    field_box.write("short.nersc", good[:-100])
    field_box.plaq("info short.nersc", 2).failed(4, "short.nersc", "truncated by 100 bytes")

    bad = bytearray(good)
    bad[-1000] ^= 1
    field_box.write("flipped.nersc", bytes(bad))
    outcome = field_box.plaq("info flipped.nersc", 2)
    outcome.failed(4, "flipped.nersc", "checksum")
    assert "NOT VERIFIED" in outcome.out, outcome
    field_box.plaq("run measure.toml --set gauge.files=flipped.nersc", 2).failed(4, "flipped.nersc", "checksum")
    assert not field_box.exists("measured.h5")

    bad = bytearray(good)
    at = good.index(b"PLAQUETTE = 0.") + 14
    bad[at:at + 1] = b"2" if good[at:at + 1] == b"1" else b"1"
    field_box.write("lies.nersc", bytes(bad))
    outcome = field_box.plaq("info lies.nersc --json", 2)
    outcome.failed(4, "lies.nersc", "plaquette")
    assert '"verified": false' in outcome.out, outcome


def test_output_is_checked_before_the_work(jobs):
    begun = "process grid"  # what is said once work begins
    jobs.write("field.000004.nersc", "precious")
    outcome = jobs.plaq("run generate.toml", 2)
    outcome.failed(5, "field.000004.nersc", "exists", "overwrite")
    assert begun not in outcome.err, outcome
    assert jobs.bytes("field.000004.nersc") == b"precious"
    assert not jobs.exists("field.000002.nersc")
    jobs.plaq("run generate.toml --set output.overwrite=true").succeeded()

    jobs.write("measured.h5", "precious")
    outcome = jobs.plaq("run measure.toml", 2)
    outcome.failed(5, "measured.h5", "exists", "overwrite")
    assert begun not in outcome.err, outcome
    assert jobs.bytes("measured.h5") == b"precious"
    for journal in ("field.journal", "measured.h5.journal"):
        assert not jobs.exists(journal), journal


def test_directories_that_take_no_file(jobs):
    jobs.plaq("run generate.toml --set output.prefix=nowhere/field", 2).failed(5, "nowhere/field.history.h5")
    directory = "/proc"  # the superuser may write everywhere but there
    if os.geteuid() != 0:
        (jobs / "locked").mkdir(mode=0o555)
        directory = str(jobs / "locked")
    jobs.plaq(f"run generate.toml --set output.prefix={directory}/field", 2).failed(5, f"{directory}/field.history.h5")
