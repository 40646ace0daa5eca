"""No command runs Python that lies in the current directory. Usage: isolated_test.py PLAQ; exit code 77: skipped."""
import os
import pathlib
import subprocess
import sys
import tempfile

try:
    import matplotlib  # noqa: F401
    import numpy
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
import sealed

PLAQ = os.path.abspath(sys.argv[1])
MODULES = ("h5py", "numpy", "matplotlib", "pyerrors", "importlib", "json", "os", "sitecustomize", "usercustomize", "plaq", "analysis",
           "runpy")


def make_result(path):
    with sealed.results(path) as file:
        file.attrs["plaq_version"], file.attrs["job_type"] = "test", "measure"
        file.attrs["extents"] = [4, 4, 4, 8]
        file["configurations/trajectory"] = numpy.arange(4)
        file["observables/plaquette"] = numpy.array([0.59, 0.592, 0.591, 0.5905])


def check(directory, search):
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    if search is not None:
        environment["PYTHONPATH"] = search
    for command in (("analyse", "o.h5"), ("plot", "o.h5"), ("info", "o.h5")):
        done = subprocess.run([PLAQ, *command], cwd=directory, env=environment, capture_output=True, text=True)
        assert not (directory / "executed").exists(), f"{command}, PYTHONPATH {search}: it ran code of the directory"
        assert done.returncode == 0, (command, search, done.stdout, done.stderr)


with tempfile.TemporaryDirectory() as name:
    directory = pathlib.Path(name)
    make_result(directory / "o.h5")
    for module in MODULES:
        (directory / f"{module}.py").write_text(f"open({str(directory / 'executed')!r}, 'w').close()\n")
    for search in (None, "", ":", ".", f"/nowhere:.:{os.pathsep}"):
        check(directory, search)
    # The test can fail: a folder that the user names is searched.
    environment = {**os.environ, "PYTHONPATH": str(directory)}
    subprocess.run([PLAQ, "analyse", "o.h5"], cwd="/", env=environment, capture_output=True)
    assert (directory / "executed").exists()
print("ok")
