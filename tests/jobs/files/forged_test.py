"""Result files with a valid checksum trailer whose contents have another type, rank or size than plaq writes: each command shows what it
can, or ends with one error. No name in them reaches the terminal raw. Usage: forged_test.py PLAQ; exit code 77: skipped.
"""
import contextlib
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import traceback
import unittest.mock

try:
    import h5py
    import numpy
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

HERE = pathlib.Path(__file__).resolve()
sys.path[:0] = [str(HERE.parents[3] / "python"), str(HERE.parents[2])]
import sealed  # noqa: E402
from plaq.analysis.command import main as analyse  # noqa: E402
from plaq.plots.command import main as plot  # noqa: E402

MAIN = {"analyse": analyse, "plot": plot}
PLAQ = os.path.abspath(sys.argv[1])
ESCAPE = "\x1b]0;owned\x07\x1b[31m"
KIND = h5py.special_dtype(enum=("i", {"a": 0, "b": 1}))
PAIR = numpy.dtype([("a", "f8"), ("b", "i4")])


def sound(file):
    file.attrs["plaq_version"], file.attrs["job_type"] = "test", "measure"
    file.attrs["extents"] = [4, 4, 4, 8]
    file["configurations/trajectory"] = numpy.arange(4)
    file["observables/plaquette"] = numpy.array([0.59, 0.592, 0.591, 0.5905])
    file["observables/plaquette"].attrs["axes"] = ["configuration"]


def attributes(path, **values):
    return lambda file: file.require_group(path).attrs.update(values)


def dataset(path, value):
    def make(file):
        if path in file:
            del file[path]
        file[path] = value
    return make


def unallocated(shape, **how):
    return lambda file: file.create_dataset("observables/huge", shape, "f8", **how)


def typed(path, name, value, dtype):
    return lambda file: file.require_group(path).attrs.create(name, value, dtype=dtype)


def many_types(file):
    for name in ("plaq_version", "job_type"):
        del file.attrs[name]
        file.attrs.create(name, 1, dtype=KIND)


FORGED = {
    "number as job type": attributes("/", job_type=3),
    "list as version": attributes("/", plaq_version=["a", "b"]),
    "kinds as version and type": many_types,
    "fixed text as type": typed("/", "job_type", numpy.bytes_(b"measure"), "S7"),
    "text as extents": attributes("/", extents="4x4"),
    "five extents": attributes("/", extents=[4, 4, 4, 8, 2]),
    "reals as extents": attributes("/", extents=[4.5, 4, 4, 8]),
    "two extents": attributes("/", extents=[4, 4]),
    "pair as attribute": typed("/action", "kappa", numpy.zeros((), PAIR), PAIR),
    "number as job": attributes("/", job=1),
    "no TOML as job": attributes("/", job="[[["),
    "list as action": attributes("action", type=["wilson", "clover"], kappa="x"),
    "scalar sweep": dataset("configurations/sweep", 3),
    "table of sweeps": dataset("configurations/sweep", numpy.zeros((2, 3), int)),
    "trajectories as text": dataset("configurations/trajectory", "text"),
    "trajectories of another rank": dataset("configurations/trajectory", numpy.zeros((4, 2))),
    "scalar observable": dataset("observables/plaquette", 0.5),
    "observable of rank 5": dataset("observables/plaquette", numpy.zeros((4, 1, 2, 1, 2))),
    "observable of texts": dataset("observables/plaquette", ["a", "b", "c", "d"]),
    "empty observable": dataset("observables/plaquette", numpy.zeros((0,))),
    "observable of pairs": dataset("observables/plaquette", numpy.zeros(4, PAIR)),
    "observables is a dataset": lambda file: (file.__delitem__("observables"), file.__setitem__("observables", 1.0)),
    "flow of another rank": dataset("flow/t", numpy.zeros((4, 3, 2))),
    "flow of two lengths": lambda file: (dataset("flow/t", numpy.zeros((4, 3)))(file),
                                         dataset("flow/clover_energy", numpy.zeros((4, 5)))(file)),
    "correlator of rank 1": dataset("correlators/pion/p_0_0_0/point", numpy.zeros(4)),
    "correlator of texts": dataset("correlators/pion/p_0_0_0/point", ["a"]),
    "correlator is a group": attributes("correlators/pion/p_0_0_0/point", symmetry="cosh"),
    "number as symmetry": lambda file: (dataset("correlators/pion/p_0_0_0/point", numpy.ones((4, 1, 8, 2)))(file),
                                        file["correlators/pion/p_0_0_0/point"].attrs.update({"symmetry": 3})),
    "gauge is a dataset": dataset("gauge", numpy.zeros(3)),
    "number as file": attributes("gauge/000000", file=3, checksum="x"),
    "more than the file has": unallocated((1 << 20, 1 << 20)),
    "more than memory has": unallocated((1 << 40, 1 << 40)),
    "chunks that are not there": unallocated((1 << 20, 1 << 10), chunks=(16, 16)),
    "numbers of another file": unallocated((4,), external=[("/etc/passwd", 0, 32)]),
    "soft link": lambda file: file.__setitem__("observables/other", h5py.SoftLink("/observables/plaquette")),
    "link to another file": lambda file: file.__setitem__("observables/other", h5py.ExternalLink("x.h5", "/")),
    "loop": lambda file: file.__setitem__("observables/again", file["/"]),
    "escapes": lambda file: (file.attrs.update({ESCAPE: ESCAPE, "job": ESCAPE}),
                             dataset(f"observables/{ESCAPE}", numpy.arange(4.0))(file),
                             dataset(f"correlators/{ESCAPE}/p_0_0_0/point", numpy.ones((4, 1, 8, 2)))(file),
                             attributes("gauge/000000", file=ESCAPE, checksum=ESCAPE)(file)),
}
COMMANDS = (("info",), ("info", "--all"), ("info", "--json"), ("analyse",), ("plot", "--all", "--output", "o.pdf"))
PLAIN = ("info", "--all")  # without Python, so that plain means are seen too


def run(directory, command):
    if command[0] in MAIN:
        return in_process(directory, command)
    environment = {**os.environ, "OMP_NUM_THREADS": "1", **({"PLAQ_PYTHON": "none"} if PLAIN == (command[0], *command[2:]) else {})}
    return subprocess.run([PLAQ, *command], cwd=directory, capture_output=True, timeout=100, text=True, env=environment)


def in_process(directory, command):
    """Helpers in Python, which need not be started and imported each time."""
    out, err = io.StringIO(), io.StringIO()
    here = os.getcwd()
    os.chdir(directory)
    argv = unittest.mock.patch("sys.argv", list(command))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), argv:
        try:
            code = MAIN[command[0]]()
        except Exception:
            traceback.print_exc()
            code = 1
    os.chdir(here)
    return subprocess.CompletedProcess(command, code, out.getvalue(), err.getvalue())


def check(directory, what, command):
    done = run(directory, (command[0], "forged.h5", *command[1:]))
    told = f"{what}: plaq {' '.join(command)}: exit code {done.returncode}\n{done.stdout}{done.stderr}"
    assert done.returncode in (0, 4), told
    assert "Traceback" not in done.stderr and "bug" not in done.stderr, told
    for stream in (done.stdout, done.stderr):
        assert "\x1b" not in stream and "\x07" not in stream, told
    if done.returncode == 0 and "--json" in command:
        json.loads(done.stdout)
    errors = [line for line in done.stderr.splitlines() if line.startswith("E ")]
    assert len(errors) == (done.returncode != 0), told


wrong = []
with tempfile.TemporaryDirectory() as name:
    directory = pathlib.Path(name)
    for what, forge in FORGED.items():
        path = directory / "forged.h5"
        path.unlink(missing_ok=True)
        with sealed.results(path) as file:
            sound(file)
            forge(file)
        for command in COMMANDS:
            try:
                check(directory, what, command)
            except (AssertionError, subprocess.TimeoutExpired) as error:
                wrong.append(str(error))
print("\n\n".join(wrong) or "ok")
sys.exit(bool(wrong))
