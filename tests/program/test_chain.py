"""Chains of gauge fields that become longer: the fields, the history and the headers of one long run."""
import pytest

from program import GENERATE, Sandbox


class Chains:
    """One long run, and one that grows."""

    def __init__(self, path):
        self.long, self.grown = Sandbox(path / "long"), Sandbox(path / "grown")
        for box in (self.long, self.grown):
            box.path.mkdir()
            box.write("generate.toml", GENERATE)

    def expect_same_files(self):
        names = self.long.names()
        assert len(names) >= 6  # four fields, the history, the job
        for name in names:
            assert self.grown.bytes(name) == self.long.bytes(name), name


def generate(box, configurations, more="", ranks=1):
    return box.plaq(f"run generate.toml --set update.configurations={configurations} {more}", ranks)


@pytest.fixture
def chains(tmp_path):
    return Chains(tmp_path)


def test_goes_on_with_the_bits_of_one_long_run(chains):
    grown = chains.grown
    generate(chains.long, 4).succeeded()
    generate(grown, 1, "", 2).succeeded()
    first, written = grown.bytes("field.000002.nersc"), (grown / "field.000002.nersc").stat().st_mtime_ns
    for configurations in (2, 4):
        outcome = generate(grown, configurations, "", configurations).succeeded()
        assert f"which goes on to {configurations}" in outcome.err, outcome
    assert grown.bytes("field.000002.nersc") == first
    assert (grown / "field.000002.nersc").stat().st_mtime_ns == written  # not computed again
    chains.expect_same_files()
    generate(grown, 3).failed(5, "field.history.h5 has 4 fields", "can only be raised")
    chains.expect_same_files()
    grown.plaq("plan generate.toml --set update.configurations=5").succeeded()
    # Without its last field the chain goes on from the one before.
    (grown / "field.000008.nersc").unlink()
    generate(chains.long, 5).succeeded()
    again = generate(grown, 5).succeeded()
    assert "field.000008.nersc is missing" in again.err, again
    chains.expect_same_files()


def test_goes_on_where_fields_are_rounded(chains):
    """Fields in single precision are no links to go on from; the checkpoint is."""
    grown, rounded = chains.grown, "--set output.precision=single --set output.rows=3x2 "
    generate(chains.long, 4, rounded).succeeded()
    generate(grown, 2, rounded).succeeded()
    assert grown.exists("field.checkpoint")
    outcome = generate(grown, 4, rounded, 2).succeeded()
    assert "from field.checkpoint" in outcome.err, outcome
    chains.expect_same_files()
    (grown / "field.checkpoint").unlink()
    generate(chains.long, 5, rounded).succeeded()
    outcome = generate(grown, 5, rounded).succeeded()
    assert "starts again" in outcome.err, outcome
    chains.expect_same_files()


def test_numbers_continue_from_a_file(chains):
    """A run from a file counts on from its number, in names, headers and history."""
    grown = chains.grown
    generate(grown, 2).succeeded()
    on = "--set gauge.start=file --set gauge.file=field.000004.nersc --set lattice.extents= --set update.seed=12 "
    generate(grown, 2, on + "--set output.prefix=on").succeeded()
    assert b"SEQUENCE_NUMBER = 6\n" in grown.bytes("on.000006.nersc")
    assert grown.exists("on.000008.nersc")
    assert not grown.exists("on.000002.nersc")
    generate(grown, 3, on + "--set output.prefix=on").succeeded()
    assert grown.exists("on.000010.nersc")
    generate(grown, 3, on + "--set output.prefix=at_once").succeeded()
    assert grown.bytes("on.000010.nersc") == grown.bytes("at_once.000010.nersc")
    grown.plaq("info --json --all on.history.h5").succeeded()
    grown.plaq("analyse on.history.h5").succeeded()


@pytest.mark.parametrize("action", (
    "symanzik --set gauge.beta=4.2", "rectangles --set gauge.c1=-0.2 --set gauge.beta=3 --set gauge.anisotropy=1.5",
    "luscher_weisz --set gauge.u0=0.87 --set gauge.flavours=2 --set gauge.beta=7"))
def test_improved_actions(chains, action):
    """Fields of improved actions, which go on with the bits of one long run on any ranks."""
    more = f"--set gauge.action={action}"
    generate(chains.long, 4, more).succeeded()
    for configurations in (1, 4):
        generate(chains.grown, configurations, more, configurations).succeeded()
    chains.expect_same_files()
    name = action.split()[0].encode()
    assert b"quenched_" + name in chains.grown.bytes("field.000002.nersc")
    chains.grown.plaq(f"plan generate.toml {more} --set output.prefix=other").succeeded()
    # The Wilson action makes other fields.
    generate(chains.grown, 1, "--set output.prefix=wilson").succeeded()
    assert chains.grown.bytes("wilson.000002.nersc") != chains.grown.bytes("field.000002.nersc")


@pytest.mark.parametrize("more, parts", (
    ("--set gauge.action=symanzik --set lattice.extents=[4,4,2,4]", ("'extents'", "at least 4", "4x4x2x4")),
    ("--set gauge.action=rectangles", ("'c1'", "coefficient of rectangles")),
    ("--set gauge.u0=0.9", ("'u0'", "luscher_weisz")),
    ("--set gauge.action=iwasaki2", ("'action'", "iwasaki"))))
def test_wrong_actions(chains, more, parts):
    generate(chains.grown, 1, more).failed(3, *parts)
