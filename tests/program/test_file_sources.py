"""Sources from files: solved as they are, those of each gauge field and of all, with the results of sources that are made where they have
the same numbers; and what is wrong with files."""
import itertools

import numpy
import pytest

import lime
import reference
from program import PION

EXTENTS = (4, 4, 4, 8)
FROM_FILE = "--set source.type=file --set output.overwrite=true "
ALL_FIELDS = "--set 'gauge.numbering=\"field.{trajectory}.nersc\"' "
ONE_FIELD = "--set gauge.files=field.000002.nersc "
AT = (1, 2, 3, 5)


def gaussians(at=AT, extents=EXTENTS):
    return reference.gaussian_sources(extents, at, 1.5)


def named(*names):
    return FROM_FILE + f"--set 'source.files=[{', '.join(f'{chr(34)}{name}{chr(34)}' for name in names)}]' "


@pytest.fixture
def files(propagators):
    """Propagator jobs, and files of sources: src.2.lime and src.000004.lime."""
    propagators.box.write("src.2.lime", lime.propagator_bytes(EXTENTS, gaussians()))
    propagators.box.write("src.000004.lime", lime.propagator_bytes(EXTENTS, gaussians((3, 0, 1, 3))))
    return propagators


def expect_same(of_files, made):
    """The same but for the checksums of the files."""
    assert of_files.keys() == made.keys() | {"/sources/checksum"}
    for path, numbers in made.items():
        assert numpy.array_equal(of_files[path], numbers), path


def test_are_solved_as_those_that_are_made(files):
    gaussian = "--set source.type=gaussian --set source.width=1.5 --set source.position=[1,2,3,5] "
    first, both = files.run("first", gaussian), files.run("both", gaussian + "--set source.count=2 --set source.shift=[2,2,2,6]")
    # One file for all fields, at a position; then two for each, on two and on one rank.
    expect_same(files.run("one", named("src.2.lime") + "--set source.position=[1,2,3,5] "), first)
    two = named("src.2.lime", "src.?????4.*") + "--set source.position=[1,2,3,5] --set source.shift=[2,2,2,6] "
    expect_same(files.run("two", two, 2), both)
    content = files.box.bytes("two.h5")
    expect_same(files.run("two", two + "--set solver.columns=4"), both)
    files.run("two", two)
    assert files.box.bytes("two.h5") == content, "other bytes on 2 ranks"
    # Each field has its own, and its own time slice.
    own = files.run("own", named("src.{trajectory}.lime") + ALL_FIELDS + "--set source.slice=file ")
    for path, numbers in own.items():
        if path.startswith("/correlators"):
            assert numpy.array_equal(numbers[0, 0], both[path][0, 0]), path
            assert numpy.array_equal(numbers[1, 0], both[path][1, 1]), path
    assert own["/sources/position"].flatten().tolist() == [0, 0, 0, 5, 0, 0, 0, 3]
    assert not numpy.array_equal(*own["/sources/checksum"])
    # What was changed since is computed again; what was not is kept.
    stopped = two + "--set output.overwrite=false --set output.file=kept.h5 "
    files.propagator(stopped).succeeded()
    assert "complete" in files.propagator(stopped).err


def test_of_single_fields(files):
    """Each column has a file of its own, of a single spinor field."""
    box, sources, at = files.box, gaussians(), ONE_FIELD + "--set source.position=[1,2,3,5] "
    for column in range(12):
        box.write(f"column{column}.lime", lime.scidac_bytes(EXTENTS, "USQCD_D3_DiracFermion", sources[:, None, :, column],
                                                                 "<usqcdInfo/>"))
    made = files.run("made", at + "--set source.type=gaussian --set source.width=1.5")
    columns = at + named("column{column}.lime")
    found = files.run("single", columns, 2)
    expect_same(found, made)
    box.write("all.lime", lime.propagator_bytes(EXTENTS, sources))
    together = files.run("together", at + named("all.lime"))
    assert not numpy.array_equal(found["/sources/checksum"], together["/sources/checksum"])
    files.propagator(at + named("column3.lime")).failed(4, "column3.lime", "expected a source of twelve spinors", "one spinor")
    box.write("column7.lime", box.bytes("all.lime"))
    files.propagator(columns).failed(4, "column7.lime", "expected a source of one spinor", "twelve spinors")
    (box / "column7.lime").unlink()
    files.propagator(columns).failed(4, "column7.lime")


def test_are_propagators_of_another_job(files):
    """A propagator of plaq is a source: M times what comes out is what went in."""
    box, written = files.box, ONE_FIELD + "--set solver.tolerance=1e-11 "
    files.run("one", written + "--set output.propagators=hdf5 --set source.position=[1,0,2,3]")
    (box / "out").mkdir()
    found = files.run("two", named("{field}.s0.prop.h5") + written + "--set source.position=[0,0,0,3] "
                      "--set output.propagators=scidac --set output.propagator_directory=out ")
    s = reference.scidac_propagator(box.bytes("out/field.000002.nersc.s0.prop.lime"))
    source = reference.propagator(box / "field.000002.nersc.s0.prop.h5")
    extents, links = reference.read_nersc(box / "field.000002.nersc")
    image = reference.wilson(extents, links, 1 / (2 * 0.11) - 4, s)
    distance = ((abs(image - source)**2).sum(axis=(0, 1)) / (abs(source)**2).sum(axis=(0, 1)))**0.5
    assert distance.max() < 1e-10
    time = numpy.array(reference.sites(extents))[:, 3]
    assert abs(found[PION][0, 0, 1, 0] / (abs(s[time == 4])**2).sum() - 1) < 1e-12


def test_of_staggered_quarks_in_either_order_of_phases(files):
    staggered = "--set action.kappa= --set action.type=staggered --set action.mass=0.3 "
    made = files.run("made", staggered + "--set source.type=box --set source.size=[4,3,2] --set source.stride=2 "
                     "--set source.position=[1,2,3,5]")
    # MILC's phases, which files have that do not say it: a sign at odd x + y + z, since t is odd.
    weights = numpy.zeros(len(reference.sites(EXTENTS)))
    numbers = {coordinates: i for i, coordinates in enumerate(reference.sites(EXTENTS))}
    for i, j, k in itertools.product(range(0, 4, 2), range(0, 3, 2), range(0, 2, 2)):
        x = (1 + i) % 4, (2 + j) % 4, (3 + k) % 4
        weights[numbers[(*x, 5)]] = (-1)**sum(x)
    vectors = weights[:, None, None] * numpy.eye(3)
    files.box.write("src.lime", lime.scidac_bytes(
        EXTENTS, "USQCD_D3_ColorVector", vectors, "<usqcdKSPropInfo><version>1.0</version><info>b &amp; c</info></usqcdKSPropInfo>", 0))
    expect_same(files.run("file", staggered + named("src.lime") + "--set source.position=[1,2,3,5]"), made)
    files.propagator(named("src.lime")).failed(4, "src.lime", "twelve spinors", "three color vectors")


@pytest.fixture
def wrong_files(files):
    box, sources = files.box, gaussians()
    box.write("src.lime", lime.propagator_bytes(EXTENTS, sources))
    without, twice = sources.copy(), sources.copy()
    without[:, :, 4] = 0
    twice[:, :, 4] += gaussians((1, 2, 3, 6))[:, :, 4]
    box.write("zero.lime", lime.propagator_bytes(EXTENTS, without))
    box.write("two.lime", lime.propagator_bytes(EXTENTS, twice))
    box.write("small.lime", lime.propagator_bytes((4, 4, 4, 4), gaussians((0, 0, 0, 0), (4, 4, 4, 4))))
    damaged = bytearray(box.bytes("src.lime"))
    damaged[-2000] ^= 1
    box.write("damaged.lime", bytes(damaged))
    (box / "src.000004.lime").unlink()
    return files


@pytest.mark.parametrize("more, code, parts", (
    (FROM_FILE, 3, ("files", "type = \"file\"")),
    ("--set 'source.files=[\"src.lime\"]'", 3, ("files", "does not belong to type = \"point\"")),
    ("--set source.width=2.0", 3, ("width", "does not belong to type = \"point\"")),
    ("--set source.type=gaussian", 3, ("width", "type = \"gaussian\"")),
    ("--set source.type=box --set source.size=[4,5,4]", 3, ("size", "5", "4x4x4x8")),
    ("--set source.stride=2", 3, ("stride", "does not belong to type")),
    (named("src.lime") + "--set source.count=2", 3, ("count", "as many as")),
    (named("src.{field}.{t}.lime"), 3, ("src.{field}.{t}.lime", "braces of another name")),
    (named("src.{replica}.lime"), 3, ("src.{replica}.lime", "no {trajectory}")),
    (named("none.lime"), 4, ("none.lime",)),
    (named("src.*lime"), 4, ("src.*lime", "stands for 2 files", "must be one")),
    (named("src.{trajectory}.lime") + ALL_FIELDS, 4, ("stands for 0 files with field.000004.nersc",)),
    (named("small.lime"), 4, ("small.lime", "4x4x4x4", "4x4x4x8")),
    (named("field.000002.nersc"), 4, ("field.000002.nersc",)),
    (ONE_FIELD + named("zero.lime") + "--set source.slice=file", 4, ("zero.lime", "column 4", "is 0")),
    (ONE_FIELD + named("damaged.lime") + "--set source.slice=file", 4, ("damaged.lime", "damaged")),
    (ONE_FIELD + named("src.lime"), 3, ("src.lime", "time slice 5", "count from 0", "slice = \"file\"")),
    (ONE_FIELD + named("two.lime") + "--set source.slice=file", 3, ("two.lime", "several time slices"))))
def test_wrong_files_and_keys(wrong_files, more, code, parts):
    wrong_files.propagator(more).failed(code, *parts)
    assert not wrong_files.box.exists("pion.h5")
