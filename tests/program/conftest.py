"""Fixtures of the tests of the program."""
import pytest

pytest.register_assert_rewrite("converting", "hmc_chains", "launched", "program", "study")

import program  # noqa: E402


@pytest.fixture
def box(tmp_path):
    """An empty directory."""
    return program.Sandbox(tmp_path)


@pytest.fixture(scope="session")
def fields(tmp_path_factory):
    """{name: bytes} of the two fields of program.GENERATE."""
    made = program.Sandbox(tmp_path_factory.mktemp("fields"))
    made.write("generate.toml", program.GENERATE)
    made.plaq("run generate.toml").succeeded()
    return {name: made.bytes(name) for name in ("field.000002.nersc", "field.000004.nersc")}


@pytest.fixture
def field_box(box, fields):
    """A directory with both fields, and with jobs that measure and compute propagators on them."""
    for name, content in fields.items():
        box.write(name, content)
    box.write("generate.toml", program.GENERATE)
    box.write("measure.toml", program.MEASURE)
    box.write("propagator.toml", program.PROPAGATOR)
    return box


@pytest.fixture
def propagators(field_box):
    """Runs propagator.toml on both fields."""
    return program.Propagators(field_box)


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory):
    """A function of the name and the text of a job: the directory of its chain, which runs once. Tests work on copies of it."""
    made = {}

    def chain_of(name, job):
        if name not in made:
            made[name] = program.Sandbox(tmp_path_factory.mktemp(name))
            made[name].write("hmc.toml", job)
            made[name].plaq("run hmc.toml").succeeded()
        return made[name]
    return chain_of
