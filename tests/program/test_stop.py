"""A signal in the middle of a long solve."""
import signal
import time

from launched import Launched
from program import GENERATE

JOB = """job = "propagator"
[gauge]
files = ["field.000000.nersc"]
[action]
type = "domain_wall"
mass = 1e-4
n_s = 64
m0 = 1.8
[solver]
method = "cg"
columns = 1
tolerance = 1e-13
max_iterations = 1000000
[output]
file = "pion.h5"
[run]
location = "host"
threads = 1
"""


def test_in_the_middle_of_a_source(box):
    box.write("generate.toml", GENERATE)
    box.write("propagator.toml", JOB)
    box.plaq("run generate.toml --set lattice.extents=[8,8,8,8] --set update.thermalization=0 "
             "--set update.configurations=1").succeeded()
    with Launched(box, "run propagator.toml") as run:
        run.waits_for(lambda: "process grid" in run.err(), 0.01)
        time.sleep(3)
        asked = run.age()
        run.signal(signal.SIGTERM)
        assert run.ends_within(asked + 60), run.err()
        assert run.code() == 9, run.err()
        assert "stopped by SIGTERM: this source would have taken about" in run.err(), run.err()
