"""Gauge transformations: applied by plaq convert, shown by plaq info."""
import pytest

import gauge_files
import lattice
import lime
from converting import Converting, flipped

EXTENTS = (4, 4, 4, 8)


def transformation_bytes(g, precision="D", **entries):
    """g [t][z][y][x] as plaq writes it."""
    lines = "".join(f"{key} = {value}\n" for key, value in entries.items())
    return lime.scidac_bytes(g.shape[3::-1], f"QDP_{precision}3_ColorMatrix", lattice.flat(g).reshape(-1, 1, 9),
                             f"<GaugeTransformation><version>1.0</version><info>{lines}</info></GaugeTransformation>", 4, precision)


def lines_of(said):
    """The header in plaq info."""
    return str(said["header"]["entries"])


@pytest.fixture(scope="module")
def g():
    return lattice.random_su3(EXTENTS[::-1], 7)


@pytest.fixture(scope="module")
def links():
    return lattice.random_su3((*EXTENTS[::-1], 4), 8)


@pytest.fixture
def files(box, links):
    entries = [("ENSEMBLE_ID", "test"), ("BETA", "6.0")]
    box.write("field.nersc", gauge_files.nersc_bytes(links, lattice.plaquette(links), lattice.link_trace(links), entries=entries))
    return Converting(box)


def test_are_applied(files, links, g):
    box = files.box
    box.write("g.lime", transformation_bytes(g, GAUGE_FIXED="Landau", GAUGE_THETA="1e-15", NOTE="of g alone"))
    expected = lattice.transformed(links, g)
    assert "g.lime, checksum" in files.make("field.nersc fixed.ildg --format ildg --transform g.lime")
    alone = box.bytes("fixed.ildg")
    files.make("field.nersc fixed.ildg --format ildg --transform g.lime", 4)
    assert box.bytes("fixed.ildg") == alone
    difference = gauge_files.lime_links(alone) - expected
    assert max(abs(difference.real).max(), abs(difference.imag).max()) < 1e-14
    said = files.info("fixed.ildg")
    assert said["verified"] is True
    assert abs(said["links"]["plaquette"] - lattice.plaquette(links)) < 1e-12
    assert abs(said["links"]["link_trace"] - lattice.link_trace(expected)) < 1e-12
    lines = lines_of(said)
    for line in ("BETA = 6.0", "ENSEMBLE_ID = test", "GAUGE_FIXED = Landau", "GAUGE_THETA = 1e-15"):
        assert line in lines, lines
    assert "NOTE" not in lines
    assert ("no place for it: BETA, ENSEMBLE_ID, GAUGE_FIXED, GAUGE_THETA"
            in files.make("field.nersc milc --format milc --transform g.lime"))


@pytest.mark.parametrize("format", ("scidac", "nersc"))
def test_lead_back_in_single_precision(files, links, g, format):
    """Matrices are brought back to SU(3). What the older file said of its gauge is replaced."""
    files.box.write("g.lime", transformation_bytes(g, GAUGE_FIXED="Landau"))
    files.box.write("back.lime", transformation_bytes(lattice.dagger(g), "F", GAUGE_FIXED="none"))
    files.make("field.nersc fixed.ildg --format ildg --transform g.lime")
    files.make(f"fixed.ildg back --transform back.lime --format {format}", 2)
    said = files.info("back")
    assert said["verified"] is True
    assert said["links"]["unitarity_violation"] < 1e-13
    assert abs(said["links"]["plaquette"] - lattice.plaquette(links)) < 1e-12
    assert abs(said["links"]["link_trace"] - lattice.link_trace(links)) < 1e-6
    lines = lines_of(said)
    assert "Landau" not in lines
    assert "GAUGE_FIXED" in lines
    assert "BETA" in lines


@pytest.mark.parametrize("letter, precision", (("D", "double"), ("F", "single")))
def test_are_shown(files, g, letter, precision):
    files.box.write("g.lime", transformation_bytes(g, letter, GAUGE_FIXED="Landau"))
    said = files.info("g.lime")
    assert said["kind"] == "gauge transformation"
    assert said["precision"] == precision
    assert said["extents"] == list(EXTENTS)
    assert said["checksum"] == said["matrices"]["checksum"]
    assert said["entries"][0]["key"] == "GAUGE_FIXED"
    assert said["warnings"] == []
    assert said["verified"] is True
    text = files.show("g.lime", 2)
    assert "verified: the matrices are SU(3)" in text.out, text
    assert "GAUGE_FIXED = Landau" in text.out, text


TO = " new --format nersc --transform "


@pytest.mark.parametrize("arguments, ranks, code, parts", (
    ("field.nersc" + TO + "bad.lime", 2, 4, ("bad.lime", "damaged", "checksum")),
    ("field.nersc" + TO + "small.lime", 2, 4, ("small.lime", "4x4x4x4", "4x4x4x8")),
    ("field.nersc" + TO + "field.nersc", 2, 4, ("field.nersc", "a gauge field (NERSC)", "expected a gauge transformation")),
    ("field.nersc" + TO + "p.lime", 2, 4, ("p.lime", "a propagator", "a gauge transformation")),
    ("field.nersc" + TO + "none.lime", 2, 4, ("none.lime", "No such file")),
    ("p.lime new --format hdf5 --transform g.lime", 2, 2, ("p.lime", "a propagator", "--transform is for gauge fields")),
    ("g.lime" + TO + "g.lime", 2, 2, ("g.lime", "a gauge transformation")),
    ("g.lime new --format scidac", 1, 2, ("g.lime", "a gauge transformation"))))
def test_wrong_files_are_refused(files, g, arguments, ranks, code, parts):
    box, good = files.box, transformation_bytes(g)
    box.write("g.lime", good)
    box.write("small.lime", transformation_bytes(g[:4]))
    box.write("bad.lime", flipped(good, len(good) // 2, 4))
    box.write("p.lime", lime.propagator_bytes(EXTENTS, lattice.random_numbers((512, 12, 12), 3), "F"))
    files.convert(arguments, ranks).failed(code, *parts)
    assert not box.exists("new")


def test_damaged_ones_are_not_verified(files, g):
    good = transformation_bytes(g)
    files.box.write("bad.lime", flipped(good, len(good) // 2, 4))
    assert "NOT VERIFIED" in files.expect_damaged("bad.lime", "damaged", "checksum").out
