"""One gauge field under two names: jobs, results join and campaigns do not count it twice in silence."""
import shutil

FIRST = "field.000002.nersc"
CAMPAIGN = """[ensemble]
files = "field.{trajectory}.nersc"
[task.measure]
job = "measure.toml"
[task.even]
job = "measure.toml"
every = 2
"""


def measure(box, files, more="", ranks=1):
    return box.plaq(f"run measure.toml --set 'gauge.files=[{files}]' {more}", ranks)


def copy(box, to):
    shutil.copy(box / FIRST, box / to)


def convert(box, to, how):
    box.plaq(f"convert {FIRST} {to} {how}").succeeded()


def test_copies_are_refused(field_box):
    """Before a field is read."""
    copy(field_box, "field.000003.nersc")
    for ranks in (1, 2):
        outcome = measure(field_box, '"field.*.nersc"', "", ranks)
        outcome.failed(3, "measure.toml", "'files' in [gauge]", "field.000003.nersc", "the same links as", FIRST, "count twice",
                       "leave one of them out")
        assert "plaquette 0." not in outcome.err, outcome
    measure(field_box, f'"{FIRST}", "field.000004.nersc"').succeeded()
    # The output would grow by a copy.
    measure(field_box, '"field.*.nersc"').failed(3, "the same links as", "count twice")


def test_other_formats_are_named(field_box):
    """Their headers do not tell: the links do. Both are measured."""
    for file, how in (("b.ildg", "--format ildg"), ("c.nersc", "--format nersc --precision single"),
                      ("d.nersc", "--format nersc --rows 3x2")):
        convert(field_box, file, how)
        for again in ("--set output.overwrite=true", ""):  # a complete output is not looked at
            outcome = measure(field_box, f'"field.*.nersc", "{file}"', again, 2).succeeded()
            named = f"{file} has the plaquette and the link trace of {FIRST}" in outcome.err
            assert named == bool(again), outcome
            assert "field.000004.nersc: where both" not in outcome.err, outcome
    # What is in the output already is compared, too.
    grown = measure(field_box, '"field.*.nersc", "d.nersc", "b.ildg"').succeeded()
    assert "b.ildg has the plaquette and the link trace of d.nersc" in grown.err, grown


def test_are_not_joined(field_box):
    copy(field_box, "copy.nersc")
    convert(field_box, "b.ildg", "--format ildg")
    for name in (FIRST, "field.000004.nersc", "copy.nersc", "b.ildg"):
        measure(field_box, f'"{name}"', f"--set output.file={name}.h5").succeeded()
    field_box.plaq(f"results join two.h5 {FIRST}.h5 field.000004.nersc.h5").succeeded()
    field_box.plaq("results join all.h5 two.h5 copy.nersc.h5").failed(
        4, "copy.nersc in copy.nersc.h5", f"the same links as {FIRST} in two.h5", "count twice", "leave one of the files out")
    assert not field_box.exists("all.h5")
    alike = field_box.plaq("results join all.h5 two.h5 b.ildg.h5").succeeded()
    assert "b.ildg in b.ildg.h5 has the plaquette and the link trace of" in alike.err, alike


def test_a_campaign_does_not_join_them(field_box):
    """Rows of both are kept; people say which of them counts."""
    copy(field_box, "field.000003.nersc")
    convert(field_box, "field.000005.nersc", "--format nersc --precision single")
    field_box.write("campaign.toml", CAMPAIGN)
    check = field_box.plaq("campaign check .")
    assert "000002 and 000003 have the same links" in check.out, check
    assert "000002 and 000005 have the same plaquette and link trace" in check.out, check
    field_box.plaq("campaign run .").failed(4, "field.000003.nersc in rows/measure/000003.h5", f"the same links as {FIRST}",
                                            "plaq campaign quarantine . FIELD")
    assert not field_box.exists("results/measure.h5")
    assert field_box.exists("results/even.h5")
    field_box.plaq("campaign quarantine . 000003").succeeded()
    outcome = field_box.plaq("campaign run .")
    assert field_box.exists("results/measure.h5"), outcome
    assert "rows/measure/000005.h5 has the plaquette" in outcome.err, outcome
