"""Propagator jobs from end to end: the numbers of another program, the same files on any ranks, sources and configurations alone and
together, and what is wrong with a job."""
import numpy
import pytest

from program import ANISOTROPIC, EVERYTHING, PION, foreign_fields

# In single precision, by another program.
PION_OF_OTHERS = (0.749881744, 0.127559099, 0.0488181504, 0.0261706815, 0.0205313155, 0.0261869591, 0.0488589315, 0.127618686)


@pytest.mark.skipif(foreign_fields() is None, reason="PLAQ_DATA_DIR is not set")
def test_correlator_of_another_program(propagators):
    """An anisotropic action and a smeared source."""
    propagators.box.write("propagator.toml", ANISOTROPIC.format(fields=foreign_fields()))
    everywhere = "--set 'comms.force_partition=[\"x\", \"y\", \"z\", \"t\"]' "
    alone = None
    for ranks, more in ((1, ""), (1, everywhere), (2, ""), (4, everywhere)):
        found = propagators.run("pion", more + "--set output.overwrite=true", ranks)
        assert found[PION].shape == (1, 1, 8, 2)
        ratio = found[PION][0, 0] / numpy.array(PION_OF_OTHERS)[:, None]
        assert abs(ratio[:, 0] - 1).max() < 5e-6 and abs(ratio[:, 1]).max() < 1e-15, (ranks, more)
        assert (found["/solves/true_residual"] <= 1.000001e-10).all()
        alone = alone or propagators.box.bytes("pion.h5")
        assert propagators.box.bytes("pion.h5") == alone, "other bytes"


def test_same_files_on_any_ranks(propagators):
    more = EVERYTHING + ("--set source.position=[1,2,3,5] --set source.count=2 --set source.shift=[1,0,2,3] "
                         "--set output.overwrite=true ")
    alone = None
    for ranks, comms in ((1, ""), (2, ""), (4, ""), (4, "--set comms.process_grid=[2,1,2,1]"),
                         (1, "--set 'comms.force_partition=[\"y\", \"t\"]' --set run.threads=2")):
        found = propagators.run("pion", more + comms, ranks)
        # Eleven channels, seven momenta, two sinks; residuals, iterations, updates and attempts; trajectories; positions.
        assert len(found) == 11 * 7 * 2 + 4 + 1 + 1
        alone = alone or propagators.box.bytes("pion.h5")
        assert propagators.box.bytes("pion.h5") == alone, (ranks, comms)


def test_sources_and_configurations_alone_are_the_same(propagators):
    at = EVERYTHING + "--set source.position="
    every = propagators.run("all", at + "[3,0,1,6] --set source.count=3 --set source.shift=[2,1,-2,3]", 2)
    for i, file in enumerate(("field.000002.nersc", "field.000004.nersc")):
        for source, position in enumerate(("[3,0,1,6]", "[1,1,3,1]", "[3,2,1,4]")):
            one = propagators.run(f"one{i}{source}", f"{at}{position} --set gauge.files={file}")
            assert len(one) == len(every)
            for path, numbers in every.items():
                if not path.startswith("/configurations/"):
                    assert numpy.array_equal(numbers[i, source], one[path][0, 0]), (path, file, position)
    assert not numpy.array_equal(every[PION][0, 0], every[PION][0, 1])
    assert not numpy.array_equal(every[PION][0], every[PION][1])


def test_channels_hang_together(propagators):
    found = propagators.run("all", EVERYTHING)

    def c(channel, p="0_0_0", sink="point"):
        """[configuration, source and t], complex."""
        values = found[f"/correlators/{channel}/p_{p}/{sink}"].reshape(-1, 2)
        return values[:, 0] + 1j * values[:, 1]

    point, smeared, moving, back = c("pion"), c("pion", sink="smeared"), c("pion", "1_0_0"), c("pion", "-1_0_0")
    rho, x, y, z = (c(channel) for channel in ("rho", "rho_x", "rho_y", "rho_z"))
    assert len(point) == 2 * 8
    size = point.real
    assert (point.real > 0).all() and (smeared.real > 0).all()
    assert abs(point.imag / size).max() < 1e-15
    assert (point.real != smeared.real).all()
    assert (abs(moving) < size).all()  # the same positive terms, with phases
    assert (abs(rho.real - (x + y + z).real / 3) <= 1e-14 * size).all()
    assert (abs(x.real) <= size * (1 + 1e-12)).all()  # Weingarten's inequality
    assert (abs(back - moving.conj()).real <= 1e-13 * size).all()  # |S|^2 is real


@pytest.mark.parametrize("more", (
    "--set solver.precision=single --set solver.tolerance=1e-6",
    "--set solver.precision=single --set solver.tolerance=1e-6 --set solver.method=bicgstab",
    "--set solver.method=bicgstab", "--set solver.preconditioning=none"))
def test_single_precision_and_other_methods(propagators, more):
    exact, found = propagators.run("exact", ""), propagators.run("other", more, 2)
    single = "single" in more
    assert (found["/solves/true_residual"] <= 1.000001 * (1e-6 if single else 1e-9)).all()
    assert not numpy.array_equal(found[PION], exact[PION])
    assert abs(found[PION][..., 0] / exact[PION][..., 0] - 1).max() < (1e-4 if single else 1e-7)


def test_a_missed_tolerance_keeps_what_was_found(propagators):
    """The field that takes fewer iterations first; the other one misses by one."""
    box = propagators.box
    most = [int(of_field.max()) for of_field in propagators.run("calm", "")["/solves/iterations"]]
    assert most[0] != most[1]
    first, second = sorted(("field.000002.nersc", "field.000004.nersc"), reverse=most[0] > most[1])
    files = f"--set 'gauge.files=[\"{first}\", \"{second}\"]' "
    enough, short_of = (f"--set solver.max_iterations={max(most) - less} " for less in (0, 1))
    propagators.run("pion", files + enough)
    calm = box.bytes("pion.h5")
    (box / "pion.h5").unlink()
    propagators.propagator(files + short_of, 2).failed(6, second, "1e-09", "1 of 2 fields are done", "goes on")
    assert not box.exists("pion.h5")
    assert box.exists("pion.h5.journal")
    propagators.propagator(files + enough + "--set action.kappa=0.12").failed(5, "pion.h5.journal", "kappa")
    on = propagators.propagator(files + enough).succeeded()
    assert "going on: 1 of 2 fields" in on.err, on
    assert box.bytes("pion.h5") == calm
    assert not box.exists("pion.h5.journal")
    # The very first: nothing is left.
    propagators.propagator("--set output.file=none.h5 --set solver.max_iterations=2", 2).failed(6, "after 2 iterations")
    assert not box.exists("none.h5")
    assert not box.exists("none.h5.journal")


def test_a_missing_propagator_is_computed_again(propagators):
    """The results say that the job is complete, and a propagator is missing: the way out that the error names is one."""
    box, stored, missing = propagators.box, "--set output.propagators=hdf5 ", "field.000004.nersc.s0.prop.h5"
    propagators.run("pion", stored)
    calm = box.bytes(missing)
    assert calm
    (box / missing).unlink()
    propagators.propagator(stored).failed(5, missing, "overwrite = true")
    propagators.propagator(stored + "--set output.overwrite=true").succeeded()
    assert box.bytes(missing) == calm


WRONG = {
    "--set action.kappa=": ("mass", "kappa", "missing"),
    "--set source.position=[0,0,0,8]": ("position", "outside the lattice"),
    "--set correlators.max_momentum_squared=9": ("|n| = 3", "L/2 = 2", "set it to 8 or less"),
    "--set source.type=momentum --set 'source.momentum=[0,3,0]'": ("n_y = 3", "n_y = -1", "4x4x4x8"),
    "--set lattice.extents=[4,4,4,4]": ("extents", "4x4x4x4", "4x4x4x8"),
    "--set comms.process_grid=[3,1,1,1] --set lattice.extents=[4,4,4,8]": ("process_grid", "3"),
    "--set gauge.file=field.000002.nersc": ("'file'", "[gauge]"),
}


@pytest.mark.parametrize("more", WRONG)
def test_each_rule_is_one_error(propagators, more):
    propagators.propagator(more).failed(3, *WRONG[more])
    assert not propagators.box.exists("pion.h5")
    assert not propagators.box.exists("pion.h5.journal")


def test_errors_on_two_ranks(propagators):
    propagators.propagator("--set source.type=z2", 2).failed(3, "seed")
    propagators.propagator("--set gauge.files=none.nersc", 2).failed(4, "none.nersc")
    assert not propagators.box.exists("pion.h5")
    assert not propagators.box.exists("pion.h5.journal")
