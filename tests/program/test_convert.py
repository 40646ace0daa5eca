"""plaq convert and the antiperiodic sign, as users meet them."""
import types

import pytest

import gauge_files
import lattice
import lime
from converting import Converting, flipped
from program import GENERATE, MEASURE, Sandbox, foreign_fields

EXTENTS = (4, 4, 4, 8)
FORMATS = {"nersc": "NERSC", "ildg": "ILDG", "scidac": "SciDAC", "milc": "MILC v5", "openqcd": "openQCD", "ddalphaamg": "DDalphaAMG"}


@pytest.fixture(scope="module")
def gauge(tmp_path_factory):
    """Random links, and files of them: field.nersc, as plaq writes it, and with the antiperiodic sign in three rows and in two."""
    links = lattice.random_su3((*EXTENTS[::-1], 4), 8)
    signed = links.copy()
    signed[-1, ..., 3, :, :] *= -1
    numbers = lattice.plaquette(links), lattice.link_trace(links)
    entries = [("ENSEMBLE_ID", "test"), ("BETA", "6.0")]
    box = Sandbox(tmp_path_factory.mktemp("gauge"))
    box.write("by_hand.nersc", gauge_files.nersc_bytes(links, *numbers, entries=entries))
    Converting(box).make("by_hand.nersc field.nersc --format nersc")
    files = {"field.nersc": box.bytes("field.nersc"), "signed.nersc": gauge_files.nersc_bytes(signed, *numbers, entries=entries),
             "signed2.nersc": gauge_files.nersc_bytes(signed, *numbers, 2, entries)}
    return types.SimpleNamespace(links=links, plaquette=numbers[0], link_trace=numbers[1], files=files)


@pytest.fixture
def files(box, gauge):
    for name, content in gauge.files.items():
        box.write(name, content)
    box.write("measure.toml", MEASURE)
    return Converting(box)


def test_links_in_nersc_format_are_written_as_they_are(gauge):
    field = gauge.files["field.nersc"]
    assert gauge_files.nersc_data(field) == lime.in_precision(gauge.links, "D")
    for line in (b"ENSEMBLE_ID = test\n", b"BETA = 6.0\n"):
        assert line in field


@pytest.mark.parametrize("format, precision, rows, order", (
    ("nersc", "double", 3, "big"), ("nersc", "double", 2, "big"), ("nersc", "single", 3, "big"), ("nersc", "single", 2, "big"),
    ("ildg", "double", 3, "big"), ("ildg", "single", 3, "big"), ("scidac", "double", 3, "big"), ("scidac", "single", 3, "big"),
    ("milc", "single", 3, "big"), ("milc", "single", 3, "little"), ("openqcd", "double", 3, "little"),
    ("ddalphaamg", "double", 3, "big"), ("ddalphaamg", "double", 3, "little")))
def test_every_format_there_and_back(files, gauge, format, precision, rows, order):
    box, alone = files.box, None
    for ranks in (1, 4):
        said = files.make(f"field.nersc there --format {format} --precision {precision}" + (" --rows 3x2" if rows == 2 else "")
                          + (" --byte-order little" if order == "little" else ""), ranks)
        assert "wrote there" in said
        alone = alone or box.bytes("there")
        assert box.bytes("there") == alone
    said = files.info("there")
    assert said["verified"] is True
    assert (said["precision"], said["rows"]) == (precision, rows)
    assert abs(said["links"]["plaquette"] - gauge.plaquette) < 1e-6
    files.make("there back --format nersc --ensemble-id test")
    # Without loss, and with what the format can hold: the first file again.
    if (format, precision, rows) == ("nersc", "double", 3):
        assert box.bytes("back") == box.bytes("field.nersc")


def ildg_file(links, user_record, lines=()):
    """A file as another program may write it; `lines`: plaq-info has what the user record does not."""
    parts = gauge_files.lime_records(links, user_record, "<any>thing</any>")
    more = [(b"ildg-data-lfn", b"lfn://test/1\0"), (b"xlf-info", b"beta = 6\nkappa = 0.1\n\0")]
    if lines:
        more.append((b"plaq-info", "".join(f"{line}\n" for line in lines).encode() + b"\0"))
    return lime.encoded([*parts, *((kind, data, lime.BEGINS | lime.ENDS) for kind, data in more)])


LABELS = ("ENSEMBLE_ID = test", "ENSEMBLE_LABEL = a label", "KEY = value")
USQCD = ("<usqcdInfo><version>1.0</version><plaq>{plaquette}</plaq><linktr>{link_trace}</linktr><info>" + "\n".join(LABELS)
         + "\n</info></usqcdInfo>")


@pytest.fixture
def with_metadata(files, gauge):
    """Files with all that their formats can say."""
    entries = [("ENSEMBLE_ID", "id & <name>"), ("ENSEMBLE_LABEL", "a = label"), ("SEQUENCE_NUMBER", "17"), ("CREATOR", "somebody"),
               ("BETA", "6.0")]
    usqcd = USQCD.format(plaquette=gauge.plaquette, link_trace=gauge.link_trace)
    by_hand = {
        "lines.nersc": gauge_files.nersc_bytes(gauge.links, gauge.plaquette, gauge.link_trace, entries=entries),
        "stamped.milc": gauge_files.milc_bytes(gauge.links, "Sat Nov 21 12:00:00 2026"),
        "texts.ildg": ildg_file(gauge.links, usqcd),
        "others.ildg": ildg_file(gauge.links, "<szin><a>1</a></szin>", LABELS)}
    for name, content in by_hand.items():
        files.box.write("by_hand", content)
        assert "left out" not in files.make(f"by_hand {name} --format {name.split('.')[1]}"), name
    assert files.box.bytes("stamped.milc") == by_hand["stamped.milc"]
    for line in (f"{key} = {value}\n" for key, value in entries):
        assert line.encode() in files.box.bytes("lines.nersc")
    return files


@pytest.mark.parametrize("name, by", (("lines.nersc", "ildg"), ("lines.nersc", "scidac"), ("stamped.milc", "ildg"),
                                      ("stamped.milc", "nersc"), ("texts.ildg", "scidac"), ("others.ildg", "scidac")))
def test_metadata_come_back(with_metadata, name, by):
    for arguments in (f"{name} between --format {by}", f"between back --format {name.split('.')[1]}"):
        assert "left out" not in with_metadata.make(arguments)
    assert with_metadata.box.bytes("back") == with_metadata.box.bytes(name)


def test_texts_that_only_lime_holds_are_named_once(with_metadata):
    said = with_metadata.make("others.ildg lines --format nersc")
    assert ("left out, since NERSC files have no place for it: scidac-file-xml, scidac-record-xml, xlf-info, ildg-data-lfn\n"
            in said), said
    for line in (b"ENSEMBLE_LABEL = a label\n", b"KEY = value\n"):
        assert line in with_metadata.box.bytes("lines")


@pytest.mark.skipif(foreign_fields() is None, reason="PLAQ_DATA_DIR is not set")
@pytest.mark.parametrize("format", FORMATS)
def test_real_files_into_every_format(files, format):
    texts = ("scidac-file-xml", "scidac-record-xml", "ildg-data-lfn", "xlf-info")
    for path in sorted(foreign_fields().iterdir()):
        files.make(f"{path} out --format {format}")
        source, made = files.info(str(path)), files.info("out")
        assert made["format"] == FORMATS[format]
        if format in ("ildg", "scidac") and source["format"] in ("ILDG", "SciDAC"):
            kept = [entry for entry in source["header"]["entries"] if entry["key"] in texts]
            assert all(entry in made["header"]["entries"] for entry in kept), path


def test_says_what_is_left_out(files):
    said = files.make("field.nersc out --format openqcd")
    for part in ("left out", "BETA", "ENSEMBLE_ID"):
        assert part in said, said
    files.make("field.nersc single --format milc")  # what MILC has
    assert files.info("single")["precision"] == "single"
    assert files.info("single")["checksum_kind"] == "MILC"
    # The precision of the input, where the format has it.
    files.make("single again --format nersc")
    assert files.info("again")["precision"] == "single"
    files.make("single wide --format openqcd")
    assert files.info("wide")["precision"] == "double"


def test_refusals(files):
    box = files.box
    box.write("out", "precious")
    files.convert("field.nersc out --format nersc", 2).failed(5, "out", "exists", "--overwrite")
    assert box.text("out") == "precious"
    box.write("bad.nersc", flipped(box.bytes("field.nersc"), -10, 4))
    for arguments, ranks, code, parts in (
            ("none.nersc new --format nersc", 2, 4, ("none.nersc", "No such file")),
            ("field.nersc new --format milc --precision double", 2, 2, ("single precision only",)),
            ("field.nersc none/new --format milc", 2, 5, ("none/new",)),
            ("field.nersc new --format nersc", 3, 3, ("3", "4x4x4x8")),
            ("bad.nersc new --format nersc", 2, 4, ("bad.nersc", "checksum"))):
        files.convert(arguments, ranks).failed(code, *parts)
        assert not box.exists("new")


def test_antiperiodic_sign(files):
    strip = " --strip-antiperiodic --format nersc"
    files.convert("signed.nersc out --format nersc", 2).failed(4, "signed.nersc", "determinant -1", "--strip-antiperiodic")
    files.convert("signed2.nersc out --format nersc", 2).failed(4, "signed2.nersc", "plaquette", "--strip-antiperiodic")
    for name in ("signed2.nersc", "signed.nersc"):
        assert "off 64 links" in files.make(f"{name} out {strip}", 2), name
    assert files.box.bytes("out") == files.box.bytes("field.nersc")
    # Two rows without the sign: the plaquette shows that stripping was wrong.
    files.make("field.nersc two --format nersc --rows 3x2")
    files.convert("--overwrite two out" + strip).failed(4, "two", "plaquette", "without antiperiodic")


def test_jobs_strip_the_antiperiodic_sign(files):
    job = "run measure.toml --set gauge.files=signed.nersc"
    files.box.plaq(job, 2).failed(4, "signed.nersc", "antiperiodic = \"strip\" in [gauge]")
    files.box.plaq(job + " --set gauge.antiperiodic=yes").failed(3, "antiperiodic", "\"strip\"")
    files.box.plaq(job + " --set gauge.antiperiodic=strip", 2).succeeded()


UNITS = {"nersc": "NERSC checksum", "ildg": "SciDAC checksum", "scidac": "SciDAC checksum", "milc": "MILC checksum",
         "openqcd": None, "ddalphaamg": None}


@pytest.mark.parametrize("format", FORMATS)
def test_jobs_say_the_checksums_of_files(files, format):
    box, field = files.box, f"{format}.000002.{format}"
    box.write("generate.toml", GENERATE)
    more = {"milc": " --set output.precision=single", "openqcd": " --set output.byte_order=little"}
    box.plaq(f"run generate.toml --set update.configurations=1 --set output.prefix={format} --set output.format={format}"
             + more.get(format, "")).succeeded()
    box.plaq(f"run measure.toml --set gauge.files={field}").succeeded()

    def objects(file):
        return {one["path"]: one for one in files.info(file)["objects"]}

    history = objects(f"{format}.history.h5").get("/configurations/checksum")
    if UNITS[format]:
        assert history["attributes"]["units"] == UNITS[format]
        assert history["extents"] == ([1] if format == "nersc" else [1, 2])
    else:
        assert history is None
    expected = gauge_files.checksum_of_links(box.bytes(field), format)
    assert objects("measured.h5")["/gauge/000000"]["attributes"]["checksum"] == expected
    assert files.info(field)["links"]["checksum"] == expected


def expect_accepted(files, name, numbers, stated, out):
    """`stated` is the file's own checksum, `numbers` says that of what is there."""
    refused = files.expect_damaged(name, "damaged", "--accept-checksum")
    accept = " --accept-checksum '" + refused.err.split("--accept-checksum \"")[1].split('"')[0] + "'"
    text = files.show(name + accept, 2).succeeded()
    for part in ("accepted", "verified but for the checksum"):
        assert part in text.out, text
    said = files.info(name + accept)
    assert said["verified"] is True
    assert said["accepted_checksum"] == said[numbers]["checksum"]
    assert said["accepted_checksum"] != stated(said)
    files.convert(f"{name} {out} --accept-checksum 12345678", 2).failed(4, name, "damaged")
    files.convert(f"{name} {out} {accept}", 2).succeeded()
    written = files.info(out.split()[0])
    assert written["verified"] is True
    assert "accepted_checksum" not in written


def test_stale_checksums_of_propagators_are_accepted(files):
    """Numbers that a file's own checksum does not fit are shown and converted where that of the numbers is named."""
    extents = (2, 2, 2, 4)
    good = lime.propagator_bytes(extents, lattice.random_numbers((32, 12, 12), 3))
    files.box.write("bad.lime", flipped(good, good.index(lime.data(good)) + 1007, 1))
    expect_accepted(files, "bad.lime", "numbers", lambda said: said["checksum"], "out.h5 --format hdf5")


def test_stale_checksums_of_gauge_fields_are_accepted(files):
    good = files.box.bytes("field.nersc")
    files.box.write("bad.nersc", flipped(good, good.index(gauge_files.nersc_data(good)) + 7, 1))  # the last bits of a number
    expect_accepted(files, "bad.nersc", "links", lambda said: said["header"]["checksum"], "out.nersc --format nersc")
    files.show("bad.nersc --accept-checksum tea").failed(2, "tea", "hexadecimal")
