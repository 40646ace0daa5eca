"""plaq convert and plaq info on propagators of both kinds of quarks, in all formats."""
import numpy
import pytest

import lattice
import lime
from converting import Converting, flipped
from lattice import random_numbers

EXTENTS = (4, 4, 4, 8)
SMALL = (2, 2, 4, 4)


def rounded(values):
    return values.astype(numpy.complex64).astype(complex)


def random_propagator(extents):
    """S [site][sink][source]"""
    return random_numbers((numpy.prod(extents), 12, 12), 3)


def random_staggered(extents):
    """[site][color of the source][color of the sink], as files have it."""
    return random_numbers((numpy.prod(extents), 3, 3), 5)


def in_our_phases(columns, extents):
    """Times (-1)^(t (x+y+z))."""
    x, y, z, t = lattice.coordinates(extents).reshape(4, -1)
    return columns * (1 - 2 * (t * (x + y + z) % 2))[:, None, None]


def milc_staggered(extents, columns, precision="D"):
    """Three color vectors a site as MILC writes them: no order of phases."""
    return lime.scidac_bytes(extents, f"USQCD_{precision}3_ColorVector", columns,
                             "<usqcdKSPropInfo><version>1.0</version><info>b &amp; c</info></usqcdKSPropInfo>", 0, precision)


def usqcd_staggered(extents, columns):
    """A KS propagator file of USQCD as MILC writes it: a complex source of one time slice, and a color vector a site for each color."""
    title = ("<usqcdKSPropFile><version>1.0</version><type>USQCD_ColorVector_ScalarSource_ThreeSink</type><info>mass 0.02 < 0.03</info>"
             "</usqcdKSPropFile>")
    slice_bytes = 16 * int(numpy.prod(extents[:3]))
    parts = lime.field_records(extents, "QLA_D_Complex", b"\1" * slice_bytes, 16, 1,
                               "<usqcdSourceInfo><version>1.0</version><info>point</info></usqcdSourceInfo>", 1, title=title,
                               record_type=2)  # a hypercube
    for color in range(3):
        text = f"<usqcdKSPropInfo><version>1.0</version><color>{color}</color><info></info></usqcdKSPropInfo>"
        parts += lime.field_records(extents, "USQCD_D3_ColorVector", lime.in_precision(columns[:, color], "D"), 48, 1, text, 1)[2:]
    return lime.encoded(parts)


@pytest.fixture
def files(box):
    return Converting(box)


def data_of(files, name):
    """The numbers of a SciDAC file."""
    return lime.data(files.box.bytes(name))


SCIDAC, HDF5 = " --format scidac ", " --format hdf5 "


@pytest.fixture
def s(files):
    """A propagator, in others.lime as another program writes it."""
    s = random_propagator(EXTENTS)
    files.box.write("others.lime", lime.propagator_bytes(EXTENTS, s))
    return s


def test_quarks_with_spin(files, s):
    box = files.box
    assert "wrote p.h5: HDF5 propagator, double" in files.make("others.lime p.h5" + HDF5)
    alone = box.bytes("p.h5")
    files.make("others.lime p.h5" + HDF5, 4)
    assert box.bytes("p.h5") == alone
    files.make("p.h5 back.lime" + SCIDAC, 2)
    assert data_of(files, "back.lime") == lime.propagator_data(s)
    files.make("back.lime again.h5" + HDF5)
    assert box.bytes("again.h5") == alone  # the text, too
    files.make("p.h5 single.lime --precision single" + SCIDAC)
    assert data_of(files, "single.lime") == lime.propagator_data(s, "F")
    files.make("single.lime single.h5" + HDF5)  # the precision of the input
    files.make("single.h5 wide.lime --precision double" + SCIDAC)
    assert data_of(files, "wide.lime") == lime.propagator_data(rounded(s))
    for name in ("p.h5", "back.lime", "single.h5", "single.lime"):
        said = files.info(name)
        assert said["kind"] == "propagator"
        assert said["format"] == ("HDF5" if name.endswith("h5") else "SciDAC")
        assert said["precision"] == ("single" if name.startswith("single") else "double")
        assert said["extents"] == list(EXTENTS)
        assert said["checksum"] == said["numbers"]["checksum"]
        assert said["warnings"] == []
        assert said["verified"] is True
        text = files.show(name, 2).out
        assert "verified: the numbers are finite" in text
        assert "<Propagator><a/></Propagator>" in text


def test_wrong_conversions_are_refused(files, s):
    files.make("others.lime p.h5" + HDF5)
    files.convert("p.h5 new --format nersc", 2).failed(2, "p.h5", "propagator", "hdf5, scidac, milc or fnal")
    files.convert("p.h5 new --rows 3x2" + SCIDAC).failed(2, "--rows is for gauge fields")
    files.convert("others.lime new --format hdf5 --phases txyz").failed(2, "others.lime", "--phases is for those of staggered quarks")
    assert not files.box.exists("new")


def test_gauge_fields_are_no_propagators(field_box):
    files, field = Converting(field_box), "field.000002.nersc"
    files.convert(f"{field} new" + HDF5, 2).failed(2, field, "gauge field")
    files.convert(f"{field} new --format milc --phases txyz", 2).failed(2, field, "--phases is for propagators of staggered quarks")
    files.convert(f"{field} new --format fnal").failed(2, field, "--format fnal is for")
    assert not field_box.exists("new")


def expect_damage_is_found(files, content, at):
    files.box.write("bad", flipped(content, at, 4))
    assert "NOT VERIFIED" in files.expect_damaged("bad", "damaged", "checksum").out
    files.convert("bad new" + HDF5, 2).failed(4, "bad", "checksum")


def test_damaged_numbers_are_found(files, s):
    box = files.box
    files.make("others.lime p.h5" + HDF5)
    in_file = numpy.ascontiguousarray(s.swapaxes(1, 2), dtype="<c16").tobytes()  # [source][sink]
    for name, numbers in (("others.lime", lime.propagator_data(s)), ("p.h5", in_file)):
        content = box.bytes(name)
        expect_damage_is_found(files, content, content.index(numbers) + 1000)
    box.write("bad", flipped(box.bytes("p.h5"), 200, 1))  # the structure
    files.expect_damaged("bad", "damaged", "CRC-32")


@pytest.fixture
def columns(files):
    """Staggered columns, in milc.lime as MILC writes them."""
    columns = random_staggered(EXTENTS)
    files.box.write("milc.lime", milc_staggered(EXTENTS, columns))
    return columns


def test_staggered_quarks(files, columns):
    box, ours = files.box, in_our_phases(columns, EXTENTS)
    # The order of phases stays, unless another one is asked for.
    files.make("milc.lime same.lime" + SCIDAC, 2)
    assert data_of(files, "same.lime") == lime.in_precision(columns, "D")
    files.make("milc.lime ours.lime --phases xyzt" + SCIDAC, 4)
    assert data_of(files, "ours.lime") == lime.in_precision(ours, "D")
    files.make("ours.lime p.h5" + HDF5)
    alone = box.bytes("p.h5")
    files.make("same.lime p.h5 --phases xyzt" + HDF5, 2)
    assert box.bytes("p.h5") == alone
    files.make("p.h5 back.lime --phases txyz --precision single" + SCIDAC)
    assert data_of(files, "back.lime") == lime.in_precision(columns, "F")
    for name, phases in (("same.lime", "txyz"), ("ours.lime", "xyzt"), ("p.h5", "xyzt"), ("back.lime", "txyz")):
        said = files.info(name)
        assert (said["kind"], said["quarks"], said["columns"]) == ("propagator", "staggered", 3)
        assert said["staggered_phases"] == phases
        assert "spin_basis" not in said
        assert said["checksum"] == said["numbers"]["checksum"]
        assert said["warnings"] == []
        assert said["text"] == "b & c"
        assert said["verified"] is True
        assert "3: color of the source; staggered quarks" in files.show(name, 2).out
    content = box.bytes("p.h5")
    expect_damage_is_found(files, content, content.index(ours.astype("<c16").tobytes()) + 1000)


def test_staggered_quarks_in_files_of_usqcd(files, columns):
    box = files.box
    box.write("usqcd.lime", usqcd_staggered(EXTENTS, columns))
    files.make("usqcd.lime q.h5 --phases xyzt" + HDF5, 2)
    files.make("q.h5 q.lime --phases txyz" + SCIDAC)
    assert data_of(files, "q.lime") == lime.in_precision(columns, "D")
    said = files.info("usqcd.lime")
    assert said["staggered_phases"] == "txyz"
    assert said["text"] == "mass 0.02 < 0.03"
    assert said["checksum"] == said["numbers"]["checksum"]
    assert said["verified"] is True
    assert len(said["column_offsets"]) == 3
    content = box.bytes("usqcd.lime")
    for color, at in enumerate(said["column_offsets"]):
        assert content[at:at + 48] == lime.in_precision(columns[0, color], "D"), color
    assert "columns from bytes" in files.show("usqcd.lime").out


@pytest.fixture
def small(files):
    """Propagators in single precision: staggered.lime and wilson.lime."""
    files.box.write("staggered.lime", milc_staggered(SMALL, random_staggered(SMALL), "F"))
    files.box.write("wilson.lime", lime.propagator_bytes(SMALL, random_propagator(SMALL), "F"))
    return files


@pytest.mark.parametrize("quarks", ("staggered", "wilson"))
@pytest.mark.parametrize("format", ("milc", "fnal"))
def test_formats_of_milc_and_fnal(small, quarks, format):
    """There, and back through formats that have another spin basis, other phases or no text."""
    box = small.box
    small.make(f"{quarks}.lime there --format {format} --byte-order little", 2)
    small.make("there back.lime" + SCIDAC, 4)
    said = small.info("there")
    assert said["kind"] == "propagator"
    assert said["format"] == {"milc": "MILC v5", "fnal": "FNAL"}[format]
    assert said["byte_order"] == "little-endian"
    assert said["columns"] == (12 if quarks == "wilson" else 3)
    assert said["verified"] is True
    assert len(said["warnings"]) == (0 if format == "milc" else 1)
    if quarks == "wilson":
        assert said["spin_basis"] == format.upper()
    else:
        assert said["staggered_phases"] == "txyz"
    assert ("verified" if format == "milc" else "no checksum") in small.show("there", 2).out
    # FNAL's spinors are sums, which round.
    if (quarks, format) == ("wilson", "fnal"):
        small.make("back.lime again --format fnal --byte-order little")
        assert len(box.bytes("again")) == len(box.bytes("there"))
    else:
        assert data_of(small, "back.lime") == data_of(small, f"{quarks}.lime")


def test_formats_have_what_they_have(small):
    small.convert("wilson.lime new --format milc --precision double").failed(2, "wilson.lime", "single precision only")
    small.convert("staggered.lime new --format fnal --phases xyzt").failed(2, "phases txyz")
    small.convert("wilson.lime new --byte-order little" + SCIDAC).failed(2, "--byte-order")
    assert not small.box.exists("new")


def test_a_single_quark_field(files):
    field = rounded(random_staggered(SMALL)[:, 1])
    content = lime.field_records(SMALL, "USQCD_F3_ColorVector", lime.in_precision(field, "F"), 24, 1, "<title>b</title>", 1, "F")
    files.box.write("one.lime", lime.encoded(content))
    said = files.info("one.lime")
    assert said["columns"] == 1
    assert said["verified"] is True
    assert "a single quark field" in files.show("one.lime").out
    files.make("one.lime two.lime --precision double" + SCIDAC, 2)
    assert data_of(files, "two.lime") == lime.in_precision(field, "D")
    files.convert("one.lime new" + HDF5).failed(2, "one.lime", "not a single quark field")
    assert not files.box.exists("new")
