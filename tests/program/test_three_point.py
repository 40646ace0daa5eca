"""Three-point functions of a job: the scalar current summed over the lattice is minus the derivative of the job's two-point functions
by the mass (Feynman, Hellmann), at point and smeared sinks behind the boundary in time; the same numbers on any number of ranks."""
import pytest

from program import same

MASS, STEP = 0.9, 1e-4
INSERTIONS = "--set 'three_point.insertions=[\"pion\", \"proton_u\", \"proton_d\"]' --set three_point.sink_time=3 "


def of_mass(mass):
    return (f"--set action.kappa={1 / (2 * (4 + mass)):.17g} --set 'gauge.files=[\"field.000004.nersc\"]' "
            "--set solver.tolerance=1e-13 --set solver.precision=double --set source.position=[0,1,2,6] "
            "--set quark_smearing.steps=3 --set quark_smearing.sigma=1.2 --set 'correlators.sinks=[\"point\", \"smeared\"]' "
            "--set 'correlators.channels=[\"pion\", \"proton\"]' ")


def of_time(numbers, path):
    """[t], complex."""
    values = numbers[path][0, 0]
    return values[:, 0] + 1j * values[:, 1]


def test_scalar_currents_are_derivatives_by_the_mass(propagators):
    above, below = propagators.run("above", of_mass(MASS + STEP)), propagators.run("below", of_mass(MASS - STEP))
    for sink in ("point", "smeared"):
        more = of_mass(MASS) + INSERTIONS + ("--set three_point.smeared_sink=true " if sink == "smeared" else "")
        found = propagators.run(sink, more)

        def slope(channel):
            path = f"/correlators/{channel}/p_0_0_0/{sink}"
            return (of_time(above, path)[3] - of_time(below, path)[3]) / (2 * STEP)

        def summed(insertion):
            return of_time(found, f"/three_point/{insertion}/scalar/p_0_0_0").sum()

        assert abs(slope("pion") + 2 * summed("pion").real) < 1e-6 * abs(slope("pion")), sink
        assert abs(slope("proton") + summed("proton_u") + summed("proton_d")) < 1e-6 * abs(slope("proton")), sink
        assert found["/three_point/proton_u/true_residual"][0, 0].size == 12
        if sink == "smeared":
            for ranks in (2, 4):
                assert same(propagators.run(f"{sink}{ranks}", more, ranks), found), ranks


def test_sink_times_and_momenta(propagators):
    """Several sink times have the numbers of each alone, and the sink's momentum is that of the derivative's two-point function."""
    momenta = "--set correlators.max_momentum_squared=1 --set 'three_point.sink_momentum=[0,0,1]' "
    several = of_mass(MASS) + INSERTIONS.replace("three_point.sink_time=3", "'three_point.sink_times=[1,3]'") + momenta
    found = propagators.run("several", several)
    for k, time in enumerate((1, 3)):
        alone = propagators.run(f"alone{time}", several.replace("'three_point.sink_times=[1,3]'", f"three_point.sink_time={time}"))
        paths = [path for path in alone if path.startswith("/three_point")]
        assert len(paths) == 3 * (15 * 7 + 1) and set(paths) == {path for path in found if path.startswith("/three_point")}
        for path in paths:
            assert found[path].shape == (1, 1, 2) + alone[path].shape[2:] and (found[path][:, :, k] == alone[path]).all(), path
    above, below = [propagators.run(name, of_mass(mass) + momenta) for name, mass in (("above", MASS + STEP), ("below", MASS - STEP))]
    slope = [of_time(one, "/correlators/proton/p_0_0_1/point")[[1, 3]] for one in (above, below)]
    slope = (slope[0] - slope[1]) / (2 * STEP)
    scalar = sum(of_sink_times(found, f"/three_point/{one}/scalar/p_0_0_0").sum(axis=1) for one in ("proton_u", "proton_d"))
    assert (abs(slope + scalar) < 1e-6 * abs(slope)).all(), (slope, scalar)
    for ranks in (2, 4):
        assert same(propagators.run(f"several{ranks}", several, ranks), found), ranks


OPERATORS = ("--set three_point.conserved=true --set 'three_point.derivatives=[\"z\",\"tt\"]' "
             "--set 'three_point.line_directions=[\"y\"]' --set three_point.line_length=1 ")


def test_point_split_operators(propagators):
    """The conserved charge jumps by the number of quarks at the sink, on smeared links too; a line of length 0 is the local current."""
    more = of_mass(MASS) + INSERTIONS + OPERATORS
    smeared = "--set action_smearing.type=stout --set action_smearing.rho=0.1 "
    found = propagators.run("split", more + smeared)
    for insertion, channel, charge in (("pion", "pion", 1), ("proton_u", "proton", 2), ("proton_d", "proton", 1)):
        two = of_time(found, f"/correlators/{channel}/p_0_0_0/point")[3]
        v = of_time(found, f"/conserved/{insertion}/vector_t/p_0_0_0") / two
        assert abs(v[:3] - v[0]).max() < 1e-9 and abs(v[3:] - v[3]).max() < 1e-9 and abs(v[0] - v[3] - charge) < 1e-9, (insertion, v)
        line, local = [found[f"/{group}/scalar/p_0_0_0"][0, 0] for group in (f"wilson_line/{insertion}/y", f"three_point/{insertion}")]
        assert line.shape == (3, 8, 2) and abs(line[1] - local).max() < 1e-12 * abs(local).max()
        assert len([path for path in found if path.startswith(f"/derivative/{insertion}/")]) == 2 * 16
    for ranks in (2, 4):
        assert same(propagators.run(f"split{ranks}", more + smeared, ranks), found), ranks
    # Thin links of derivatives and lines change these alone.
    thin = propagators.run("thin", more + smeared + "--set three_point.operator_links=gauge")
    for path in found:
        other = path.startswith(("/derivative", "/wilson_line"))
        if other or path.startswith(("/conserved", "/three_point")):
            assert (found[path] != thin[path]).any() == other, path
    # On links that are not smeared both are the same.
    action, gauge = [propagators.run(links, more + f"--set three_point.operator_links={links}") for links in ("action", "gauge")]
    assert same(action, gauge)


WALLS = ("--set action.type=domain_wall --set action.kappa= --set action.mass=0.6 --set solver.tolerance=1e-11 "
         "--set 'correlators.channels=[\"pion\", \"proton\"]' ")


def test_conserved_currents_of_domain_walls(propagators):
    """The charge, summed over slices, jumps at the sink; the axial current is there, too."""
    walls = WALLS + "--set action.n_s=3 "
    more = walls + INSERTIONS + "--set three_point.conserved=true "
    found = propagators.run("walls", more)
    for insertion, channel, charge in (("pion", "pion", 1), ("proton_u", "proton", 2), ("proton_d", "proton", 1)):
        two = of_time(found, f"/correlators/{channel}/p_0_0_0/point")[3]
        v = of_time(found, f"/conserved/{insertion}/vector_t/p_0_0_0") / two
        assert abs(v[:3] - v[0]).max() < 1e-8 and abs(v[3:] - v[3]).max() < 1e-8 and abs(v[0] - v[3] - charge) < 1e-8, (insertion, v)
        assert found[f"/conserved/{insertion}/axial_z/p_0_0_0"].any()
    assert same(propagators.run("walls4", more, 4), found)
    # Local currents are those of a job without conserved ones.
    plain = propagators.run("plain", walls + INSERTIONS)
    assert all((found[path] == plain[path]).all() for path in plain)
    propagators.propagator(more + "--set action.omega=[1.2,0.7,1.3] --set action.sigma=[0.5,0.1,0.5]").failed(
        3, "three_point.conserved", "gamma5-hermitian")


def test_conserved_currents_of_other_walls(propagators):
    """The charge jumps at the sink, also of approximate solves to the same tolerance; the same numbers on four ranks."""
    rest = WALLS + "--set 'gauge.files=[\"field.000004.nersc\"]' --set 'three_point.insertions=[\"pion\"]' " \
        "--set three_point.sink_time=3 --set three_point.conserved=true "
    more = rest + "--set action.variant=moebius --set action.b5=1.7 --set action.c5=0.4 "

    def charge(numbers, group=""):
        v = of_time(numbers, f"{group}/conserved/pion/vector_t/p_0_0_0") / of_time(numbers, f"{group}/correlators/pion/p_0_0_0/point")[3]
        assert abs(v[:3] - v[0]).max() < 1e-8 and abs(v[3:] - v[3]).max() < 1e-8, v
        return v[0] - v[3]

    for n_s in (1, 2):  # one slice is a wall on both sides, too
        found = propagators.run(f"moebius{n_s}", more + f"--set action.n_s={n_s} ")
        assert abs(charge(found) - 1) < 1e-8
        assert ("/conserved/pion/axial_z/p_0_0_0" in found) == (n_s > 1)
    optimal = propagators.run("optimal", rest + "--set action.n_s=2 --set action.variant=optimal --set action.bounds=[0.5,6]")
    assert abs(charge(optimal) - 1) < 1e-8 and optimal["/conserved/pion/axial_z/p_0_0_0"].any()
    more += "--set action.n_s=2 "
    assert same(propagators.run("moebius4", more, 4), found)
    average = propagators.run("average", more + "--set approximation.exact=1 --set approximation.tolerance=1e-11 "
                              "--set source.positions=random --set source.position_seed=1")
    path = "/conserved/pion/axial_z/p_0_0_0"
    assert abs(charge(average, "/approximate") - 1) < 1e-8
    assert (average["/approximate" + path] == average["/exact" + path]).all() and average["/exact" + path].any()


def of_sink_times(numbers, path):
    """[sink time][t], complex."""
    values = numbers[path][0, 0]
    return values[..., 0] + 1j * values[..., 1]


@pytest.mark.parametrize("more, parts", (
    ("--set 'three_point.insertions=[\"pion\"]' --set three_point.sink_time=3 --set 'three_point.sink_times=[3]'",
     ("sink_times", "sink_time")),
    ("--set 'three_point.insertions=[\"pion\"]' --set 'three_point.sink_times=[3,3]'", ("sink_times", "rise")),
    ("--set 'three_point.insertions=[\"pion\"]' --set 'three_point.sink_times=[3,8]'", ("sink_times", "1 to 7")),
    (INSERTIONS + "--set 'three_point.derivatives=[\"xyzt\"]'", ("derivatives", "letters")),
    (INSERTIONS + "--set 'three_point.line_directions=[\"x\"]'", ("line_length",)),
    (INSERTIONS + "--set 'three_point.line_directions=[\"x\"]' --set three_point.line_length=3", ("line_length", "half")),
    ("--set 'three_point.insertions=[\"pion\"]' --set three_point.sink_time=3 --set 'three_point.sink_momentum=[0,3,0]'",
     ("sink_momentum",)),
    ("--set 'three_point.insertions=[\"pion\"]' --set three_point.sink_time=3 --set 'three_point.sink_momentum=[0,1,0]' "
     "--set source.type=z2 --set source.seed=1", ("sink_momentum", "noise")),
    ("--set 'three_point.insertions=[\"pion\"]' ", ("sink_time", "[three_point]")),
    ("--set 'three_point.insertions=[\"pion\"]' --set three_point.sink_time=8", ("sink_time", "1 to 7")),
    ("--set 'three_point.insertions=[\"pion\"]' --set three_point.sink_time=3 --set three_point.smeared_sink=true",
     ("smeared_sink", "quark_smearing")),
    ("--set 'three_point.insertions=[\"proton_u\"]' --set three_point.sink_time=3 --set source.type=z2 --set source.seed=1",
     ("insertions", "noise"))))
def test_refuses_what_has_no_sink(propagators, more, parts):
    propagators.propagator(more).failed(3, *parts)
