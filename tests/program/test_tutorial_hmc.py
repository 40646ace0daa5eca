"""The commands of docs/tutorials/hmc.md, on a smaller lattice and with few trajectories."""
import sys

import pytest

import program

sys.path.insert(0, str(program.SOURCES / "docs" / "tutorials"))
from shown import blocks

PAGE = program.SOURCES / "docs" / "tutorials" / "hmc.md"
SMALL = ("--set lattice.extents=[4,4,4,8] --set update.thermalization=2 --set update.separation=1 --set hmc.unconditional=2 "
         "--set gauge.start=cold")  # where dH is positive
HOST = "--set run.location=host --set run.threads=1"
CONFIGURATIONS, SKIPPED = ["4", "6"], "3"  # in place of those that the page asks for


def labels(block):
    """Names of the numbers that a block of plaq analyse shows."""
    rows = [line for line in block.lines if line.startswith("  ") and line[2:3].strip()]
    return [line.split("  ")[1] for line in rows if not line.startswith(("  ...", "  note:", "  warning:"))]


def test_the_commands_of_the_page_give_what_it_shows(box):
    pytest.importorskip("matplotlib")
    wanted = iter(CONFIGURATIONS)
    output, runs = "", 0
    for block in blocks(PAGE.read_text(encoding="utf-8")):
        if block.language == "toml":
            box.write(block.lines[0].split()[1], block.text)  # "# hmc.toml"
        elif block.language == "sh":
            for line in block.lines:
                words = line.split()
                assert words[0] == "plaq", line
                if words[1:3] == ["run", "hmc.toml"]:
                    words = [*words[:3], SMALL, HOST, f"--set update.configurations={next(wanted)}"]
                elif words[1] == "run":
                    words.append(HOST)
                elif "--skip" in words:
                    words[-1] = SKIPPED
                done = box.plaq(" ".join(words[1:])).succeeded()
                output, runs = done.out + done.err, runs + 1
        elif block.language == "text":
            assert output and block.lines
            for name in labels(block):
                assert any(f"{line} ".startswith(f"  {name} ") for line in output.splitlines()), (name, output)
    assert runs >= 6 and next(wanted, None) is None
    assert box.exists("chain.svg") and box.exists("pion.h5")
