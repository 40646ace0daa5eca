"""Commands find a Python that can import what they need, and say what is missing. Usage: found_test.py PLAQ; exit code 77: skipped."""
import os
import pathlib
import subprocess
import sys
import tempfile

SYSTEM = "/usr/bin/python3"
if subprocess.run([SYSTEM, "-c", "import h5py, numpy"], stderr=subprocess.DEVNULL).returncode:
    print(f"skipped: {SYSTEM} has no h5py or no numpy")
    sys.exit(77)

PLAQ = os.path.abspath(sys.argv[1])


def interpreter(folder, line):
    """A Python that is first in PATH: a script that begins with the line."""
    folder.mkdir()
    script = folder / "python3"
    script.write_text(f"#!/bin/sh\n{line}\n")
    script.chmod(0o755)
    return script


def run(*command, **environment):
    kept = {name: value for name, value in os.environ.items() if name != "PLAQ_PYTHON"}
    return subprocess.run([PLAQ, *command], env={**kept, **environment}, capture_output=True, text=True)


def expect_missing(python, command, modules):
    done = run(command, "/nowhere.h5", PLAQ_PYTHON=str(python))
    assert done.returncode == 2 and f"needs Python 3 with {modules}, and none was found ({python})" in done.stderr, done
    assert len(done.stderr.splitlines()) == 1, done


with tempfile.TemporaryDirectory() as name:
    directory = pathlib.Path(name)
    plain = interpreter(directory / "plain", f'exec {SYSTEM} -S "$@"')  # without packages of the site
    broken = interpreter(directory / "broken", f'PYTHONPATH={directory}/broken exec {SYSTEM} "$@"')
    (directory / "broken/numpy.py").write_text("raise RuntimeError('of another machine')\n")
    killed = interpreter(directory / "killed", f'PYTHONPATH={directory}/killed exec {SYSTEM} "$@"')
    (directory / "killed/numpy.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGILL)\n")
    for python in (plain, broken, killed):
        expect_missing(python, "analyse", "h5py and numpy")
        done = run("analyse", "/nowhere.h5", PATH=f"{python.parent}:{os.environ['PATH']}")
        assert done.returncode == 4 and done.stderr.startswith("E /nowhere.h5: cannot be read"), done
    expect_missing(plain, "plot", "h5py and matplotlib")
    expect_missing("none", "analyse", "h5py and numpy")
print("ok")
