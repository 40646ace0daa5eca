"""Checkpoints within trajectories: signals and kills at any moment change no bit, and no damaged checkpoint is taken."""
import json
import resource

import pytest

from hmc_chains import FEW, JOBS, OTHER, copied, expect_kills_change_no_bit, expect_same_chain, expect_signals_change_no_bit
from hmc_jobs import HMC, expect_same, history, seconds
from launched import Launched
from program import Sandbox


@pytest.fixture(params=FEW)
def chain(box, undisturbed, request):
    """A chain that was not disturbed."""
    return copied(undisturbed(request.param, JOBS[request.param]), box)


def test_signals_at_any_moment_change_no_bit(chain):
    expect_signals_change_no_bit(chain)


def test_kills_at_any_moment_change_no_bit(chain):
    expect_kills_change_no_bit(chain)


def test_a_kill_after_a_trajectory_repeats_none_of_it(box):
    """Its links are in no file yet, but the state within it still is."""
    job = JOBS["two"].replace("separation = 1", "separation = 3").replace("configurations = 3", "configurations = 2")
    box.write("hmc.toml", job)
    box.plaq("run hmc.toml").succeeded()
    (box / "other").mkdir()
    with Launched(box, OTHER + " --set hmc.checkpoint_minutes=1e-4") as run:
        run.waits_for(lambda: box.exists("other/field.trajectory"))
    journal = len(box.bytes("other/field.journal"))
    with Launched(box, OTHER) as run:
        run.waits_for(lambda: len(box.bytes("other/field.journal")) > journal)
        assert not run.ended(), run.err()
    told = box.plaq(OTHER).succeeded().err
    assert "going on within trajectory 1, from other/field.trajectory" in told, told
    row = seconds(box, "other/field.seconds")[0]
    assert row["trajectory"] == 1 and row["checkpoint"] > 0, "seconds of the run before are counted too"
    expect_same(history(box), history(box, "other/field.history.h5"))
    assert box.bytes("field.000003.nersc") == box.bytes("other/field.000003.nersc")
    assert not box.exists("other/field.trajectory")


@pytest.fixture(scope="session")
def killed(tmp_path_factory, undisturbed):
    """A chain that was killed within its second trajectory, beside one that was not disturbed."""
    made = copied(undisturbed("two", JOBS["two"]), Sandbox(tmp_path_factory.mktemp("killed")))
    interrupt(made, OTHER, "other")
    return made


@pytest.fixture
def interrupted(box, killed):
    """Copies of both, which the test may change."""
    return copied(killed, box)


def interrupt(box, arguments, folder):
    (box / folder).mkdir()
    with Launched(box, arguments + " --set hmc.checkpoint_minutes=1e-4") as run:
        run.waits_for(lambda: "wrote " + folder + "/field.000001" in run.err())
        run.waits_for(lambda: box.exists(folder + "/field.trajectory"))
        assert not run.ended(), run.err()
    assert box.exists(folder + "/field.trajectory")


def damage(box, change):
    good = box.bytes("other/field.trajectory")
    (box / "other/field.trajectory").write_bytes(change(good))


def flipped(data, at):
    return data[:at] + bytes([data[at] ^ 4]) + data[at + 1:]


@pytest.mark.parametrize("change, part", [
    (lambda data: data[:len(data) // 2], "the file is truncated or damaged"),
    (lambda data: flipped(data, 100), "the head of the file is damaged"),
    (lambda data: flipped(data, len(data) - 70000), "its fields are damaged: expected checksum"),
    (lambda data: b"", "it is not the state of unfinished work")], ids=["truncated", "head", "fields", "empty"])
def test_a_damaged_checkpoint_is_told_and_not_taken(interrupted, change, part):
    damage(interrupted, change)
    told = interrupted.plaq(OTHER).succeeded().err
    assert "other/field.trajectory: " + part in told and "; trajectory 2 is made from its start" in told, told
    assert "going on within" not in told
    expect_same_chain(interrupted)


def test_the_checkpoint_of_another_chain_is_refused_by_name(interrupted):
    mine = interrupted.bytes("other/field.trajectory")
    for more, part in (("update.seed=4", "it is of a job with other settings, chain "), ("action.kappa=0.121", "chain "),
                       ("gauge.beta=5.6", "chain ")):
        folder = more.split("=")[0]
        interrupt(interrupted, f"run hmc.toml --set output.prefix={folder}/field --set {more}", folder)
        (interrupted / "other/field.trajectory").write_bytes(interrupted.bytes(folder + "/field.trajectory"))
        with Launched(interrupted, OTHER) as run:
            run.waits_for(lambda: "is made from its start" in run.err())
            assert "other/field.trajectory: " in run.err() and part in run.err(), run.err()
    (interrupted / "other/field.trajectory").write_bytes(mine)
    assert "going on within trajectory 2, from other/field.trajectory" in interrupted.plaq(OTHER, 2).succeeded().err
    expect_same_chain(interrupted)


def test_the_checkpoint_of_another_trajectory_is_not_taken(interrupted):
    box = interrupted
    second = box.bytes("other/field.trajectory")
    (box / "again").mkdir()
    with Launched(box, "run hmc.toml --set output.prefix=again/field --set hmc.checkpoint_minutes=1e-4") as run:
        run.waits_for(lambda: box.exists("again/field.trajectory"))
    (box / "again/field.trajectory").write_bytes(second)
    told = box.plaq("run hmc.toml --set output.prefix=again/field").succeeded().err
    assert "again/field.trajectory: it is of trajectory 2; trajectory 1 is made from its start" in told, told
    for number in range(3):
        assert box.bytes(f"again/field.{number:06}.nersc") == box.bytes(f"field.{number:06}.nersc")


def test_info_says_whose_state_it_is_and_whether_it_fits(interrupted):
    def told(more=""):
        shown = interrupted.plaq(f"info {more} other/field.trajectory").succeeded().out
        found = json.loads(interrupted.plaq("info --json other/field.trajectory", 2).succeeded().out)
        return shown, found

    shown, found = told()
    for part in ("state within         trajectory 2 of hmc, plaq ", " updates\n", "lattice              4x4x4x8", "seed = 3", "beta = 5.5",
                 "kappa = 0.12, c_sw = 1.2", "twists = [0.5]", ", in field.000001.nersc", "note: it fits its chain: ",
                 "plaq run goes on from here", "verified: numbers with CRC-32"):
        assert part in shown, (part, shown)
    assert found["fits"] is True and found["verified"] is True and found["step"] == "trajectory 2", found
    assert 'job = "hmc"' in told("--all")[0] and 'job = "hmc"' not in shown
    assert found["chain"] in shown and found["links_checksum"] in shown

    def expect(fits, why):
        shown, found = told()
        assert found["fits"] is fits and why in found["fits_why"], found
        assert {True: "it fits its chain", False: "it does NOT fit its chain", None: "it is not known whether it fits"}[fits] in shown
        assert found["verified"] is True

    links, journal = interrupted.bytes("other/field.000001.nersc"), interrupted.bytes("other/field.journal")
    (interrupted / "other/field.000001.nersc").write_bytes(interrupted.bytes("field.000000.nersc"))
    expect(False, "other/field.000001.nersc has other links than those before it, with checksum ")
    (interrupted / "other/field.000001.nersc").unlink()
    expect(None, "other/field.000001.nersc is missing, which had the links before it")
    (interrupted / "other/field.000001.nersc").write_bytes(links)
    (interrupted / "other/field.journal").unlink()
    expect(None, "no other/field.journal of an unfinished chain is beside it")
    (interrupted / "other/field.journal").write_bytes(b"plaq nothing")
    expect(None, "other/field.journal")
    interrupt(interrupted, "run hmc.toml --set output.prefix=third/field --set update.seed=4", "third")
    (interrupted / "other/field.journal").write_bytes(interrupted.bytes("third/field.journal"))
    expect(False, "other/field.journal is of a job with other settings, chain ")
    (interrupted / "other/field.journal").write_bytes(journal)
    expect(True, "the links before it are in other/field.000001.nersc")
    mine = interrupted.bytes("other/field.trajectory")
    interrupted.plaq(OTHER).succeeded()
    (interrupted / "other/field.trajectory").write_bytes(mine)
    expect(None, "no other/field.journal")


def test_info_of_a_damaged_state_fails(interrupted):
    good = interrupted.bytes("other/field.trajectory")
    for data, part in ((flipped(good, len(good) - 70000), "its fields are damaged"), (good[:-5], "the file is truncated or damaged"),
                       (flipped(good, 100), "the head of the file is damaged")):
        (interrupted / "other/field.trajectory").write_bytes(data)
        interrupted.plaq("info other/field.trajectory").failed(4, part)
    interrupted.plaq("convert other/field.trajectory x.ildg --format ildg").failed(4, "other/field.trajectory")


def test_a_full_disk_ends_no_trajectory(box, undisturbed):
    """A limit between the size of a gauge field and that of a checkpoint stands for it."""
    copied(undisturbed("two", JOBS["two"]), box)
    (box / "other").mkdir()
    field = len(box.bytes("field.000000.nersc"))

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (field + 20000, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))

    told = box.plaq(OTHER + " --set hmc.checkpoint_minutes=1e-4", preexec_fn=limit).succeeded().err
    assert "cannot write other/field.trajectory" in told and "File too large" in told, told
    assert "has no checkpoint: a later run would make it from its start" in told
    expect_same_chain(box)


def test_a_key_for_its_minutes(box):
    box.write("hmc.toml", HMC)
    box.plaq("run hmc.toml --set hmc.checkpoint_minutes=0").failed(3, "hmc", "checkpoint_minutes", "greater than 0")
