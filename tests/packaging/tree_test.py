"""Installs a build, moves the tree, and looks at what it carries and whether it works there. Usage:
tree_test.py CMAKE BUILD [PYTHON]; 77: skipped, without objdump. PYTHON: that of the Python module, where there is one."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import cpp_programs

# Libraries that plaq itself links. HDF5 needs libsz and libaec.
CARRIED = re.compile(r"lib(plaq|fmt|spdlog|pugixml|z|hdf5\w*|sz|aec|gomp|omp|stdc\+\+|gcc_s|c\+\+|c\+\+abi|unwind|cudart)\.so")


def dynamic(path):
    """The dynamic section of a file: (needed, run paths, old run paths)."""
    text = subprocess.run(["objdump", "-p", path], stdout=subprocess.PIPE, text=True, check=True).stdout
    return [re.findall(rf"^ +{name} +(\S+)$", text, re.M) for name in ("NEEDED", "RUNPATH", "RPATH")]


def run(*command, **environment):
    for name in ("LD_LIBRARY_PATH", "PYTHONPATH"):
        environment.setdefault(name, "")
    done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{command} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def check_analysis(tree):
    """plaq analyse finds its package in the tree, by an interpreter that has what it needs."""
    done = subprocess.run([tree / "bin/plaq", "analyse", "/nowhere.h5"], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": "", "PYTHONDONTWRITEBYTECODE": "1"})
    if "needs Python 3 with h5py and numpy, and none was found" in done.stderr:
        print("without plaq analyse: no Python has h5py and numpy")
        return
    assert done.returncode == 4 and "E /nowhere.h5: cannot be read" in done.stderr, done


def main():
    cmake, build, python = sys.argv[1], sys.argv[2], sys.argv[3:]
    if not shutil.which("objdump"):
        print("skipped: there is no objdump")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        first, tree = pathlib.Path(folder, "first"), pathlib.Path(folder, "moved", "tree")
        run(cmake, "--install", build, "--prefix", str(first))
        tree.parent.mkdir()
        first.rename(tree)
        files = [tree / "bin/plaq", *(tree / "lib").glob("*.so*"), *(tree / "lib/python").glob("**/*.so")]
        wrong = []
        total = 0
        carried = {path.name for path in (tree / "lib").glob("*.so*")}
        for path in files:
            needed, run_paths, old = dynamic(path)
            size = path.stat().st_size
            total += size
            print(f"{path.relative_to(tree)}: {size / 1e6:.2f} MB, RUNPATH {run_paths}")
            if old:
                wrong.append(f"{path.name} has an RPATH: {old}")
            if "" in ":".join(run_paths).split(":") and run_paths:
                wrong.append(f"{path.name} looks for libraries in the working directory: {run_paths}")
            if path.parent == tree / "lib" and not CARRIED.match(path.name):
                wrong.append(f"{path.name} is carried, and plaq does not link it")
            if path.name == "libplaq.so" and carried - set(needed) - {path.name}:
                wrong.append(f"libplaq does not need {carried - set(needed) - {path.name}} itself")
            if path.name != "libplaq.so" and path.name not in carried and size > 20e6:
                wrong.append(f"{path.name} has {size} bytes: it should share libplaq")
        foreign = [line for line in run("objdump", "-TC", str(tree / "lib/libplaq.so")).splitlines()
                   if re.match(r"[0-9a-f]{8,} ", line) and "*UND*" not in line and "plaq::" not in line]
        if foreign:
            wrong.append(f"libplaq.so shows {len(foreign)} names that are not plaq's, such as {foreign[0]}")
        print(f"{len(files)} files, {total / 1e6:.1f} MB")
        if wrong:
            sys.exit("\n".join(wrong))
        assert "plaq" in run(str(tree / "bin/plaq"), "--version")
        check_analysis(tree)
        loaded = run("ldd", str(tree / "bin/plaq"))
        assert f"{tree}/bin/../lib/libplaq.so" in loaded.replace(f"{tree}/lib/", f"{tree}/bin/../lib/"), loaded
        for name in carried - {"libplaq.so"}:
            assert re.search(rf"{re.escape(name)} => {re.escape(str(tree))}/", loaded), (name, loaded)
        if python:
            text = run(python[0], "-c", "import plaq; plaq.version(); print(plaq.__file__); print(open('/proc/self/maps').read())",
                       PYTHONPATH=str(tree / "lib/python"), PYTHONDONTWRITEBYTECODE="1")
            assert text.startswith(str(tree)), text
            assert f"{tree}/lib/libplaq.so" in text, text
        cpp_programs.check(cmake, tree, pathlib.Path(folder, "programs"))
    return 0


sys.exit(main())
