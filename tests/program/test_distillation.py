"""Jobs of distillation from end to end: ranks, files that are missing, what is refused, plans."""
import pytest

import program

GENERATE = program.GENERATE.replace("[4, 4, 4, 8]", "[2, 2, 2, 8]").replace("configurations = 2", "configurations = 1")
COMMON = """
[gauge]
files = ["field.*.nersc"]
[link_smearing]
type = "stout"
steps = 2
spatial = true
[laplacian_modes]
directory = "modes"
{modes}
[output]
file = "{job}.h5"
[run]
location = "host"
threads = 1
"""
MODES = 'job = "laplacian_modes"' + COMMON.format(job="laplacian_modes", modes="modes = 6\ntolerance = 1e-9")
PERAMBULATORS = """job = "perambulators"
[action]
type = "wilson"
mass = 4.0
[solver]
tolerance = 1e-6
[perambulators]
directory = "made"
source_time = 3
count = 2
shift = 4
""" + COMMON.format(job="perambulators", modes="modes = 3")
ELEMENTALS = """job = "elementals"
[elementals]
directory = "made"
operators = ["1", "xy", "baryon"]
max_momentum_squared = 1
""" + COMMON.format(job="elementals", modes="")
FIELD = "field.000002.nersc"
MADE = [f"made/{FIELD}.{part}.peram.h5" for part in ("s0", "s1")]
LINES = [f"made/{FIELD}.{part}" for part in ("s0.peram.h5", "s0.t3.gperam.h5", "s1.t5.gperam.h5")]
OPERATORS = [f"made/{FIELD}.{part}.elem.h5" for part in ("1", "xy", "baryon")]


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    """{name: bytes} of a gauge field and its modes."""
    made = program.Sandbox(tmp_path_factory.mktemp("modes"))
    (made / "modes").mkdir()
    made.write("generate.toml", GENERATE)
    made.write("modes.toml", MODES)
    made.plaq("run generate.toml").succeeded()
    made.plaq("run modes.toml").succeeded()
    return {name: made.bytes(name) for name in (FIELD, f"modes/{FIELD}.lap.lime")}


@pytest.fixture
def jobs(box, stored):
    for folder in ("modes", "made"):
        (box / folder).mkdir()
    for name, content in stored.items():
        box.write(name, content)
    box.write("perambulators.toml", PERAMBULATORS)
    box.write("elementals.toml", ELEMENTALS)
    return box


CURRENTS = """[currents]
sink_times = [3, 5]
operators = ["1", "x"]
"""


@pytest.mark.parametrize("job, files, table", [("perambulators", MADE, ""), ("perambulators", LINES, CURRENTS),
                                               ("elementals", OPERATORS, "")])
def test_ranks_have_the_same_bytes_and_what_is_missing_is_made_again(jobs, job, files, table):
    jobs.write(f"{job}.toml", jobs.text(f"{job}.toml") + table)
    shown = jobs.plaq(f"plan {job}.toml").succeeded().out
    assert "GB of host memory" in shown, shown
    jobs.plaq(f"run {job}.toml").succeeded()
    names = [*files, f"{job}.h5"]
    kept = {name: jobs.bytes(name) for name in names}
    assert "nothing to do" in jobs.plaq(f"run {job}.toml").succeeded().err
    assert job in jobs.plaq(f"info {files[0]}").succeeded().out
    (jobs / files[1]).unlink()
    jobs.plaq(f"run {job}.toml").failed(5, files[1], "missing")
    jobs.plaq(f"run {job}.toml --set output.overwrite=true", 2).succeeded()
    for name in names:
        assert jobs.bytes(name) == kept[name], name


def test_noise_belongs_to_the_trajectory(jobs):
    options = "--set noise.type=z4 --set noise.vectors=2 --set dilution.modes=2 --set perambulators.count=1"
    files = [f"made/{FIELD}.s0.n{vector}.peram.h5" for vector in (0, 1)]

    def noise(*more):
        jobs.plaq(f"run perambulators.toml {options} --set output.overwrite=true {' '.join(more)}").succeeded()
        return [jobs.numbers(name)["/noise"].tolist() for name in files]

    first, second = noise()
    assert first != second and noise() == [first, second]
    found = jobs.numbers(files[0])
    assert found["/perambulator"].shape == (8, 4, 3, 8, 2)
    assert found["/parts"][..., 0].tolist() == [[s, 4 + s, s] for s in range(4)]
    for more in ("--set noise.seed=2", "--set noise.by_trajectory=false", "--set perambulators.source_time=4"):
        assert first not in noise(more), more


def test_what_is_impossible_is_refused(jobs):
    def refused(job, code, *texts, **keys):
        sets = " ".join(f"--set '{name.replace('__', '.')}={value}'" for name, value in keys.items())
        jobs.plaq(f"run {job}.toml {sets}").failed(code, *texts)

    refused("perambulators", 4, "checksum of the links", link_smearing__steps=3)
    refused("perambulators", 4, "boundary", action__boundary="[1,-1,1,-1]")
    refused("perambulators", 4, "6 modes of each time slice", laplacian_modes__modes=7)
    refused("perambulators", 3, "staggered", action__type="staggered")
    refused("perambulators", 3, "time slices 0 to 7", perambulators__source_time=8)
    refused("perambulators", 3, "go around", perambulators__count=3)
    refused("perambulators", 3, "1 to 7", currents__sink_times="[8]")
    refused("perambulators", 3, "must rise", currents__sink_times="[3,2]")
    refused("perambulators", 3, "noise", currents__sink_times="[3]", noise__type="z4")
    refused("perambulators", 3, "twisted-mass", currents__sink_times="[3]", action__twisted_mass=0.1)
    refused("perambulators", 3, "operators", currents__operators='["baryon"]')
    refused("elementals", 3, "twice", elementals__operators='["1","1"]')
    refused("elementals", 3, "operators", elementals__operators='["t"]')
    refused("elementals", 3, "max_momentum_squared", elementals__max_momentum_squared=4)
    (jobs / f"modes/{FIELD}.lap.lime").unlink()
    for job in ("perambulators", "elementals"):
        refused(job, 4, f"{FIELD}.lap.lime")
    jobs.plaq("plan perambulators.toml").succeeded()
    jobs.plaq("plan elementals.toml").failed(3, "[laplacian_modes] modes")
