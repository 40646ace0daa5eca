"""plaq info on setups of multigrid, in both precisions of files; io/multigrid/multigrid_file.hpp describes them."""
import json

import numpy
import pytest

import lattice
import lime
from converting import Converting, flipped

EXTENTS, VECTORS = (2, 4, 2, 4), 5

# Numbers that a decimal representation of few digits would lose.
SETUP = {
    "plaq_version": "1.2.3", "lattice": EXTENTS, "sites": "even", "vectors": VECTORS,
    "levels": [{"block": [2, 4, 3, 2], "vectors": 24, "smoothing_steps": 4, "coarse_tolerance": 0.2, "coarse_iterations": 16},
               {"block": [1, 1, 2, 2], "vectors": 32, "smoothing_steps": 3, "coarse_tolerance": 1 / 7, "coarse_iterations": 20}],
    "slices": 1, "operator": {"type": "clover", "mass": repr(-0.4125 / 3), "clover_temporal": "1e-17", "boundary": "1 -1 1 -1"},
    "links_checksum": "ffffffff 00000010", "seed": 0xFEDCBA9876543210, "filter_iterations": 12, "coarse_filter_iterations": 11,
    "omega": 0.85, "rounds": 2, "finished": False, "reductions": [0.7, 0.5 / 3, 1e-300],
    "entries": {"NOTE": "a < b & \"c\" = d", "LONG": "#" * 2000}}


def vectors_in(precision):
    """Random vectors, one after the other at each even site: floats, or the largest magnitude and integers of 16 bits."""
    numbers = lattice.random_numbers((int(numpy.prod(EXTENTS)) // 2, VECTORS, 12), 5).view(float).astype(">f4")
    if precision == "single":
        return numbers.tobytes()
    most = abs(numbers).max(axis=2, keepdims=True).astype(">f4")
    integers = numpy.rint(numbers / most * 32767).astype(">i2")
    return b"".join(m.tobytes() + n.tobytes() for m, n in zip(most.reshape(-1, 1), integers.reshape(-1, 24)))


def setup_bytes(precision):
    """The file, and the checksum of its numbers."""
    content, size = vectors_in(precision), {"single": 96, "half": 52}[precision]
    text = json.dumps(SETUP | {"precision": precision}).replace("&", "&amp;").replace("<", "&lt;")
    half = (EXTENTS[0] // 2, *EXTENTS[1:])
    parts = lime.field_records(half, f"PLAQ_{precision[0].upper().replace('S', 'F')}_NearNullVector", content, size, VECTORS,
                               f"<MultigridSetup><version>1.1</version><info>{text}</info></MultigridSetup>", 4, "F")
    return lime.sealed(parts), " ".join(f"{one:08x}" for one in lime.scidac_sums(content, VECTORS * size))


@pytest.mark.parametrize("precision", ("half", "single"))
def test_setups_are_shown(box, precision):
    files = Converting(box)
    content, checksum = setup_bytes(precision)
    box.write("setup", content)
    said = files.info("setup")
    assert said["kind"] == "multigrid setup"
    assert said["precision"] == precision
    assert said["extents"] == list(EXTENTS)
    assert said["vectors"] == VECTORS
    assert said["checksum"] == checksum
    assert said["setup"]["operator"] == SETUP["operator"]
    assert said["setup"]["levels"][1]["block"] == [1, 1, 2, 2]
    assert said["verified"] is True
    text = files.show("setup", 2).out
    for part in (f"multigrid setup, {precision} precision", "2x4x2x4", checksum, "5 near-null vectors on the even sites",
                 "level 0     blocks of 2x4x3x2, 24 vectors, 4 smoothing steps; below to 0.2 or 16 iterations",
                 "rounds      2, more to come", "operator    boundary = 1 -1 1 -1", "NOTE = a < b & \"c\" = d",
                 "verified: the numbers are finite"):
        assert part in text, (part, text)
    files.convert("setup new --format scidac", 2).failed(2, "setup", "a multigrid setup")


@pytest.mark.parametrize("precision", ("half", "single"))
def test_damaged_setups_are_not_verified(box, precision):
    files, (content, _) = Converting(box), setup_bytes(precision)
    box.write("bad", flipped(content, content.index(vectors_in(precision)) + 100, 4))
    assert "NOT VERIFIED" in files.expect_damaged("bad", "damaged", "checksum").out
    box.write("bad", content[:len(content) // 2])
    files.expect_damaged("bad", "truncated")
