"""The package plaq without its compiled part, as `pip install ./python` has it. Usage: plain_test.py PYTHON; 77: skipped."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

try:
    import h5py  # noqa: F401
    import numpy  # noqa: F401
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

SOURCES = pathlib.Path(__file__).resolve().parents[3]
ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "LD_PRELOAD")}


def python(*arguments, path, code=0):
    done = subprocess.run([sys.executable, *arguments], env={**ENVIRONMENT, "PYTHONPATH": str(path)}, cwd="/",
                          capture_output=True, text=True)
    assert done.returncode == code, (arguments, done)
    return done


def check(path):
    """Of the package in the folder `path`."""
    found = python("-c", "import sys, plaq; print(plaq.__file__, 'numpy' in sys.modules)", path=path).stdout.split()
    assert found == [str(path / "plaq/__init__.py"), "False"], found
    python("-c", """
import numpy, plaq
one = plaq.analysis.mean_of(numpy.array([1.0, 2.0, 3.0]), plaq.analysis.Chains.of_rows(3))
assert one.value == 2 and abs(one.gamma().error - 3**-0.5) < 1e-12, one
assert {"analysis", "distillation", "export", "plots", "report"} < set(dir(plaq)) and plaq.distillation.GAMMA_5[3, 3] == -1
assert plaq.export.hadrons and plaq.export.chroma and plaq.export.easy_distillation
assert not hasattr(plaq, "__wrapped__")
""", path=path)
    for use in ("plaq.Lattice", "plaq.__version__", "from plaq import run", "from plaq import *", "import plaq.errors"):
        told = python("-c", f"import plaq; {use}", path=path, code=1).stderr
        assert "no compiled part of plaq" in told and "docs/installing.md" in told, (use, told)
    for part in ("plaq.analysis", "plaq.plots") if has_matplotlib() else ("plaq.analysis",):
        told = python("-m", part, "/nowhere.h5", path=path, code=4).stderr
        assert told == "E /nowhere.h5: cannot be read: No such file or directory\n", told


def has_matplotlib():
    return subprocess.run([sys.executable, "-c", "import matplotlib"], capture_output=True).returncode == 0


def test_a_copy_of_the_sources():
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(SOURCES / "python/plaq", pathlib.Path(folder, "plaq"), ignore=shutil.ignore_patterns("__pycache__"))
        check(pathlib.Path(folder))


def test_both_descriptions_of_the_package_agree():
    whole, plain = ((SOURCES / name).read_text(encoding="utf-8") for name in ("pyproject.toml", "python/pyproject.toml"))
    for key in ("name", "version", "requires-python", "dependencies", "plot"):
        lines = [re.findall(rf"^{key} = .*$", text, re.M) for text in (whole, plain)]
        assert len(lines[0]) == 1 and lines[0] == lines[1], lines
    listed = re.search(r"^packages = \[(.*)\]$", plain, re.M)[1].replace('"', "").split(", ")
    there = [".".join(path.parent.relative_to(SOURCES / "python").parts) for path in
             (SOURCES / "python/plaq").rglob("__init__.py")]
    assert sorted(listed) == sorted(there), (listed, there)


def test_all_files_state_one_version():
    """The files that RELEASING.md names."""
    said = {name: re.findall(pattern, (SOURCES / name).read_text(encoding="utf-8"), re.M) for name, pattern in (
        ("CMakeLists.txt", r"^project\(plaq VERSION (\S+)"), ("core/system/machine.cpp", r'^#define PLAQ_VERSION "(.*)"$'),
        ("pyproject.toml", r'^version = "(.*)"$'), ("python/pyproject.toml", r'^version = "(.*)"$'),
        ("CITATION.cff", r"^version: (\S+)$"))}
    assert len({tuple(found) for found in said.values()}) == 1 and len(said["CMakeLists.txt"]) == 1, said
    version, released = said["CMakeLists.txt"][0], re.findall(r"^date-released: (\S+)$", (SOURCES / "CITATION.cff").read_text(), re.M)
    assert f"## {version} - {released[0]}\n" in (SOURCES / "CHANGELOG.md").read_text(encoding="utf-8"), (version, released)


def test_pip_installs_it(installer):
    """By a Python whose pip and setuptools need no network for it."""
    with tempfile.TemporaryDirectory() as folder:
        copy, path = pathlib.Path(folder, "python"), pathlib.Path(folder, "installed")
        shutil.copytree(SOURCES / "python", copy, ignore=shutil.ignore_patterns("__pycache__", "build", "*.egg-info"))
        done = subprocess.run([installer, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation",
                               "--target", path, copy], env=ENVIRONMENT, capture_output=True, text=True)
        if re.search(r"No module named '?(pip|setuptools|wheel)|invalid command 'bdist_wheel'|BackendUnavailable|"
                     r"No matching distribution found for (setuptools|wheel)|Cannot import 'setuptools", done.stderr):
            print(f"without an installation by pip: {installer} lacks pip, setuptools or wheel")
            return
        assert done.returncode == 0, done
        assert not list(path.rglob("_plaq*")) and (path / "plaq/py.typed").exists()
        check(path)


test_a_copy_of_the_sources()
test_both_descriptions_of_the_package_agree()
test_all_files_state_one_version()
test_pip_installs_it(sys.argv[1])
print("ok")
