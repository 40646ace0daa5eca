"""Clover quarks, mixed precision, fallbacks and tuning in propagator jobs from end to end."""
import pytest

from program import ANISOTROPIC, PION, PROPAGATOR, Propagators, Sandbox, foreign_fields

AGAIN = "--set output.overwrite=true "
ONE_FIELD = "--set gauge.files=field.000002.nersc "
CLOVER = "--set action.type=clover --set action.c_sw=1.1 "
EVERYWHERE = "--set 'comms.force_partition=[\"x\", \"y\", \"z\", \"t\"]' "
HALF = "--set solver.inner_precision=half "

# In single precision, by another program.
PION_OF_OTHERS = (0.588734333, 0.0440054624, 0.0154934270, 0.00913658337, 0.00757904347, 0.00913718635, 0.0155014543, 0.0440099930)
OF_OTHERS = "--set action.type=clover --set action.kappa=0.115 --set action.c_r=0.91 --set action.c_t=1.07 "


@pytest.fixture
def one(propagators):
    """Runs propagator.toml on the first field alone."""
    def run(more, ranks=1):
        return propagators.run("pion", AGAIN + ONE_FIELD + more, ranks)

    run.box, run.propagator = propagators.box, propagators.propagator
    return run


@pytest.fixture(scope="module")
def exact(tmp_path_factory, fields):
    """The pion of CLOVER quarks on the first field, in double precision throughout."""
    box = Sandbox(tmp_path_factory.mktemp("exact"))
    box.write("field.000002.nersc", fields["field.000002.nersc"])
    box.write("propagator.toml", PROPAGATOR)
    return Propagators(box).run("pion", ONE_FIELD + CLOVER + "--set solver.mixed=none --set solver.tolerance=1e-11")[PION]


def expect_solved(found, tolerance):
    residuals = found["/solves/true_residual"]
    assert residuals.size and (residuals <= tolerance * 1.000001).all()


def expect_near(found, exact):
    expect_solved(found, 1e-10)
    assert abs(found[PION][..., 0] / exact[..., 0] - 1).max() < 1e-7


@pytest.mark.skipif(foreign_fields() is None, reason="PLAQ_DATA_DIR is not set")
@pytest.mark.parametrize("kind", (
    "", "--set solver.mixed=none ", HALF + "--set solver.inner_links=8 ",
    HALF + "--set solver.method=bicgstab --set solver.preconditioning=even-odd-asymmetric "))
def test_clover_correlator_of_another_program(propagators, kind):
    """An anisotropic clover action and a smeared source."""
    propagators.box.write("propagator.toml", ANISOTROPIC.format(fields=foreign_fields()))
    alone = None
    for ranks, more in ((1, ""), (2, "")) if kind else ((1, ""), (2, ""), (4, EVERYWHERE)):
        found = propagators.run("pion", AGAIN + OF_OTHERS + kind + more, ranks)
        assert found[PION].shape == (1, 1, 8, 2)
        assert abs(found[PION][0, 0, :, 0] / PION_OF_OTHERS - 1).max() < 5e-6, (ranks, more)
        expect_solved(found, 1e-10)
        assert found["/solves/attempts"].flatten().tolist() == [1]
        alone = alone or propagators.box.bytes("pion.h5")
        assert propagators.box.bytes("pion.h5") == alone, "other bytes"


@pytest.mark.parametrize("method", ("cg", "cgne", "bicgstab", "gcr", "mr"))
@pytest.mark.parametrize("mixed", (
    "reliable --set solver.inner_precision=single", "reliable --set solver.inner_precision=half",
    "defect --set solver.inner_precision=single", "defect --set solver.inner_precision=half", "none"))
def test_every_method_and_scheme_gets_there(one, exact, method, mixed):
    found = one(f"{CLOVER} --set solver.tolerance=1e-10 --set solver.fallback=false --set solver.method={method} "
                f"--set solver.mixed={mixed}")
    expect_near(found, exact)
    assert found["/solves/attempts"].flatten().tolist() == [1]


@pytest.mark.parametrize("preconditioning", ("even-odd", "even-odd-asymmetric", "none"))
@pytest.mark.parametrize("links", ("inner_links=18", "inner_links=8", "links=12", "links=8 --set solver.mixed=none"))
def test_every_storage_and_preconditioning_gets_there(one, exact, preconditioning, links):
    expect_near(one(f"{CLOVER} --set solver.tolerance=1e-10 --set solver.preconditioning={preconditioning} --set solver.{links}"), exact)


def test_same_bytes_on_any_ranks_with_half_inside(one):
    alone = None
    for ranks, comms in ((1, ""), (2, ""), (4, ""), (1, EVERYWHERE + "--set run.threads=2 ")):
        one(CLOVER + comms + HALF + "--set solver.inner_links=8 ", ranks)
        alone = alone or one.box.bytes("pion.h5")
        assert one.box.bytes("pion.h5") == alone, (ranks, comms)


def test_a_missed_tolerance_names_the_outcomes(propagators):
    """Beyond what double precision reaches: every attempt says how it ended."""
    files = ONE_FIELD + "--set solver.tolerance=1e-20 --set solver.max_iterations=300 "
    in_double = " in double 18, reliable updates 0.1: "
    propagators.propagator(files + HALF, 2).failed(
        6, "1e-20", "stagnation", "1: cg, half 12" + in_double, "2: cg, single 12" + in_double,
        "3: cg, double 18" + in_double + "stagnation", "4: cg, single 12 in double 18, defect correction 0.0001: stagnation",
        "5: cg, double 18: ", "was not written")
    alone = propagators.propagator(files + "--set solver.fallback=false")
    alone.failed(6, "1: cg, single 12" + in_double)
    assert "2: cg" not in alone.err


def test_single_precision_is_blamed_for_its_rounding(one):
    """The links are not blamed for it."""
    single = AGAIN + ONE_FIELD + "--set solver.precision=single --set action.kappa=0.16 --set source.type=wall "
    missed = one.propagator(single + "--set solver.tolerance=1e-7")
    missed.failed(6, "rounding of single precision", "precision = \"double\"", "light quarks may miss it")
    assert "SU(3)" not in missed.err, missed
    reached = one.propagator(single + "--set solver.tolerance=1e-5").succeeded()
    assert "light quarks" not in reached.err, reached


def test_fallbacks_are_used_and_said(one):
    """Quarks so light that the spectrum comes near and around zero, where minimal residuals and BiCGstab get lost."""
    light = ONE_FIELD + AGAIN
    lost = light + "--set action.kappa=0.22 --set solver.method=mr --set solver.max_iterations=1000 "
    one.propagator(lost + "--set solver.fallback=false").failed(
        6, "tried 1: mr(1), single 12", "maximum of iterations after 1000")
    found = one.propagator(lost).succeeded()
    for part in ("it took several solvers: 1: mr(1), single 12 in double 18", "2: mr(1), double 18",
                 "3: mr(1), single 12 in double 18, defect", "4: cg, double 18: converged"):
        assert part in found.err, (part, found)
    numbers = one.box.numbers("pion.h5")
    assert numbers["/solves/attempts"].flatten().tolist() == [4]
    expect_solved(numbers, 1e-9)
    one.propagator(light + "--set action.kappa=0.25 --set solver.method=bicgstab --set solver.max_iterations=200").failed(
        6, "tried 1: bicgstab, single 12", "2: bicgstab, double 18", "4: cg, double 18: maximum of iterations after 200")


def test_results_say_what_ran(one):
    one(CLOVER + "--set solver.method=bicgstab " + HALF)
    info = one.box.plaq("info --all pion.h5").succeeded()
    for part in ("bicgstab, half 12 in double 18, reliable updates 0.1", "half 12", "clover_temporal"):
        assert part in info.out, (part, info)


WRONG = {
    "--set action.type=clover": ("c_sw", "missing"),
    "--set action.c_sw=1": ("c_sw", "clover"),
    "--set action.type=clover --set action.c_sw=1 --set action.c_t=1": ("c_sw", "c_t"),
    "--set action.type=clover --set action.c_r=1": ("c_t", "missing"),
    "--set action.type=clover --set action.c_sw=1 --set action.xi=2": ("c_sw", "xi = 1", "c_r and c_t"),
    "--set solver.links=10": ("links", "18, 12 or 8"),
    "--set solver.inner_links=9": ("inner_links", "18, 12 or 8"),
    "--set solver.mixed=none --set solver.inner_precision=half": ("inner_precision", "mixed"),
    "--set solver.precision=single --set solver.tolerance=1e-6 --set solver.inner_precision=double": ("inner_precision", "single"),
    "--set solver.inner_tolerance=0.1": ("inner_tolerance", "defect"),
    "--set solver.omega=2": ("omega",),
    "--set solver.restart=0": ("restart",),
    "--set run.tuning=maybe": ("tuning", "read-only"),
}


@pytest.mark.parametrize("more", WRONG)
def test_each_rule_is_one_error(propagators, more):
    propagators.propagator(more).failed(3, *WRONG[more])
    assert not propagators.box.exists("pion.h5")


def test_a_tuning_file_is_no_reason_to_fail(one):
    """On the host no kernel has a choice yet: nothing is written; but the file is read, and a bad one is no failure."""
    box, file, bad = one.box, "--set run.tuning_file=tuning.jsonl " + ONE_FIELD + AGAIN, b"this is no tuning file\n"
    calm = one.propagator(file).succeeded()
    assert "tuning" not in calm.err, calm
    result = box.bytes("pion.h5")
    box.write("tuning.jsonl", bad)
    for mode, says in (("on", True), ("read-only", True), ("off", False)):
        outcome = one.propagator(f"{file} --set run.tuning={mode}", 2 if says else 1).succeeded()
        assert ("tuning.jsonl" in outcome.err) == says, outcome
        assert box.bytes("pion.h5") == result
        assert box.bytes("tuning.jsonl") == bad
