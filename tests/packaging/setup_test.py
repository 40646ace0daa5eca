"""./setup with commands in place of cmake, ctest, apt-get and others that note how they are called. Usage: setup_test.py SOURCES"""
import os
import pathlib
import pty
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

SOURCES = pathlib.Path(sys.argv[1])
STEPS = 40  # of the build

# Each notes its name and arguments in $STATE/calls. $STATE/built counts the steps of the build that are done.
COMMANDS = {
    "cmake": f"""
case $1 in
  -S)
    mkdir -p "$4"
    for argument; do case $argument in -DPLAQ_CUDA=*) cuda=${{argument#*=}} ;; esac; done
    for argument; do case $argument in -DMPI_EXECUTABLE_SUFFIX=*) mpi=${{argument#*=}} ;; esac; done
    printf 'CMAKE_HOME_DIRECTORY:INTERNAL=%s\\nCMAKE_GENERATOR:INTERNAL=Ninja\\nPLAQ_CUDA:STRING=%s\\n' "$PWD" "$cuda" >"$4/CMakeCache.txt"
    echo "MPI_EXECUTABLE_SUFFIX:UNINITIALIZED=$mpi" >>"$4/CMakeCache.txt"
    touch "$4/build.ninja"
    echo "-- plaq: without CUDA, as asked for"
    if [[ ${{FAIL:-}} == configure ]]; then echo "Could NOT find HDF5"; exit 1; fi ;;
  --build)
    built=$(cat "$STATE/built" 2>/dev/null || echo 0)
    left=$(({STEPS} - built))
    for ((i = 1; i <= left; i++)); do
      step="$((built + i))"
      if [[ ${{*: -1}} != -n ]]; then
        if [[ $i == 1 ]]; then echo "[0/2] Re-checking globbed directories..."; sleep "${{SLEEP:-0}}"; fi
        sleep "${{SLEEP:-0}}"
        if [[ ${{FAIL:-}} == build && $i == 7 ]]; then
          printf 'FAILED: a.o\\n/usr/bin/c++ a very long command\\na.cpp:3:1: error: this is wrong\\n'
          printf '[%s/%s] Building CXX object b%s.o\\n' 8 "$left" 8
          echo 'ninja: build stopped: subcommand failed.'
          exit 1
        fi
        echo "$step" >"$STATE/built.part"
        mv "$STATE/built.part" "$STATE/built"  # a signal may come at any time
      fi
      echo "[$i/$left] Building CXX object CMakeFiles/plaq.dir/Unity/unity_$step.cxx.o"
    done
    if [[ ${{*: -1}} != -n ]]; then mkdir -p "$2/bin"; cp "$STATE/plaq" "$2/bin/plaq"; fi ;;
esac""",
    "ctest": """
echo "Test project here"
echo "      Start  1: one"
echo " 1/3 Test  #1: one ........   Passed    0.10 sec"
if [[ ${FAIL:-} == tests ]]; then
  echo " 2/3 Test  #2: two ........***Failed    0.10 sec"
  echo "two: 3 is not 4"
else
  echo " 2/3 Test  #2: two ........   Passed    0.10 sec"
fi
echo "      Start  3: three"
echo " 3/3 Test  #3: three ......***Skipped   0.10 sec"
echo "output of three"
echo
echo "66% tests passed"
[[ ${FAIL:-} != tests ]] || exit 8""",
    "dpkg-query": """
[[ " ${MISSING:-} " == *" ${!#} "* ]] || echo installed""",
    "dpkg": "exit 0",
    "apt-get": """
if [[ $1 == -s && ${UPGRADES:-} ]]; then echo 'Inst libc6 [2.36-9] (2.36-10 Debian:12 [amd64])'; fi
if [[ $1 == -s ]]; then echo 'Inst mypy (1.0 Debian:12 [amd64])'; fi""",
    "sudo": '"$@"',
    "nvidia-smi": """
[[ ${GPU:-} ]] || exit 9
case $1 in -L) echo 'GPU 0: a card' ;; *) printf '%s\\n' $GPU ;; esac""",
    "nvcc": "printf 'compute_%s\\n' 75 80 90",
    "nproc": "echo 2",
}
PLAQ = """#!/usr/bin/env bash
echo "plaq $*" >>"$STATE/calls"
case $1 in
  info)
    if [[ $2 == *.h5 ]]; then
      [[ ! ${NO_PYTHON:-} ]] || exit 0
      echo "mass pion p=0,0,0 point    0.6937(65)(55)  0.54(20)"
    fi
    [[ -e $2 ]]; exit ;;
  plot) echo drawn >"$4" ;;
  run)
    case $2 in
      */spectrum/generate.toml) for ((i = 60; i <= 436; i += 8)); do : >"f.000$(printf %03d $i).nersc"; done ;;
      */spectrum/propagator.toml) : >spectrum.h5 ;;
    esac
    echo "I done: $2" ;;
esac
"""


class Clone:
    """A copy of ./setup in a folder with spaces, beside the commands that it finds. files: what it made there."""

    def __init__(self, folder):
        self.home = pathlib.Path(folder) / "a clone with spaces"
        self.state = pathlib.Path(folder) / "state"
        self.commands = pathlib.Path(folder) / "commands"
        for path in (self.home, self.state, self.commands):
            path.mkdir()
        shutil.copy(SOURCES / "setup", self.home)
        shutil.copytree(SOURCES / "packaging/setup", self.home / "packaging/setup")
        (self.home / "examples/spectrum").mkdir(parents=True)
        for name in ("spectrum/generate", "measure", "gaugefix", "spectrum/propagator"):
            shutil.copy(SOURCES / f"examples/{name}.toml", self.home / f"examples/{name}.toml")
        for name, text in COMMANDS.items():
            self.command(self.commands / name, f'#!/usr/bin/env bash\necho "{name} $*" >>"$STATE/calls"\n{text}\n')
        self.command(self.state / "plaq", PLAQ)
        python = self.home / "build/python/bin/python"  # an environment that has all packages
        python.parent.mkdir(parents=True)
        self.command(python, "#!/usr/bin/env bash\n")
        for folder in (self.home / ".ci", python.parents[1]):
            folder.mkdir(exist_ok=True)
        shutil.copy(SOURCES / ".ci/requirements.txt", self.home / ".ci")
        shutil.copy(SOURCES / ".ci/requirements.txt", python.parents[1] / "tools.txt")
        self.log = self.home / "build/setup/setup.log"

    def command(self, path, text):
        path.write_text(text)
        path.chmod(0o755)

    def environment(self, **more):
        return {"PATH": f"{self.commands}:/usr/bin:/bin", "STATE": str(self.state), "HOME": str(self.state), "TERM": "xterm", **more}

    def run(self, *arguments, code=0, before=(), **environment):
        (self.state / "calls").unlink(missing_ok=True)
        done = subprocess.run([*before, str(self.home / "setup"), *arguments], cwd="/", env=self.environment(**environment),
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert done.returncode == code, (done.returncode, done.stdout)
        return done.stdout

    def calls(self, start=""):
        path = self.state / "calls"
        lines = path.read_text().splitlines() if path.exists() else []
        return [line for line in lines if line.startswith(start)]


def test_plan(clone):
    """The time and what is missing are said before anything is done; a dry run does nothing else."""
    before = sorted(clone.home.rglob("*"))
    said = clone.run("test", "--dry-run", MISSING="mypy cmake")
    assert "missing: cmake mypy" in said and "nothing is built yet, 2 at once" in said, said
    for step in ("packages", "build", "test", "together"):
        assert re.search(rf"^{step} .*(\d to \d+ min|a minute)", said, re.M), (step, said)
    assert not clone.calls("apt-get") and not clone.calls("cmake") and sorted(clone.home.rglob("*")) == before

    def minutes(*options):
        return int(re.search(r"^build +(\d+) to", clone.run("demo", "--dry-run", *options), re.M)[1])

    assert minutes("--jobs", "1") > 1.5 * minutes("--jobs=2") and minutes("--cuda") > minutes()
    assert minutes("--jobs", "64") == minutes()  # two cores
    clone.run("demo", "--jobs", "many", code=1)
    clone.run("demo", "--what", code=1)
    clone.run(code=2)
    assert clone.run("packages").split()[:2] == ["g++", "cmake"]


def test_gpus(clone):
    """GPUs are built for where there is one and nvcc, or where they are asked for."""
    def options(*arguments, first=True, **environment):
        if first:
            shutil.rmtree(clone.home / "build/setup", ignore_errors=True)
            (clone.state / "built").unlink(missing_ok=True)
        said = clone.run("demo", *arguments, **environment)
        return said, [word for word in clone.calls("cmake -S")[0].split() if "CUDA" in word]

    said, found = options()
    assert found == ["-DPLAQ_CUDA=OFF"] and "nvcc is here, but no GPU" in said, (found, said)
    assert options(GPU="9.0\n8.0\n9.0\n12.0")[1] == ["-DPLAQ_CUDA=ON", "-DCMAKE_CUDA_ARCHITECTURES=80;90"]
    assert options("-DCMAKE_CUDA_ARCHITECTURES=90", GPU="8.0")[1] == ["-DCMAKE_CUDA_ARCHITECTURES=90", "-DPLAQ_CUDA=ON"]
    assert options("-DPLAQ_CUDA=OFF", GPU="9.0")[1] == ["-DPLAQ_CUDA=OFF"]
    said, found = options(GPU="5.2")
    assert found == ["-DPLAQ_CUDA=OFF"] and "does not build for the GPU here (compute capability 5.2)" in said, (found, said)
    assert options("-DPLAQ_CUDA=AUTO")[1] == ["-DPLAQ_CUDA=AUTO"]
    assert options("--cuda")[1] == ["-DPLAQ_CUDA=ON"]
    said, found = options(first=False)
    assert found == [] and "for GPUs and the host, as when it was first built" in said, (found, said)
    options("-DPLAQ_CUDA=OFF", first=False)
    said, found = options(first=False, GPU="9.0")
    assert found == [] and "for the host alone, as when it was first built (--cuda: for the GPU here" in said, (found, said)


def test_build(clone):
    """All of the output is in the log, and few lines of it on the screen; what is built is not built again."""
    said = clone.run("test", "--jobs", "3", "-DPLAQ_WERROR=ON")
    log = clone.log.read_text()
    assert str(clone.log) in said and f"{STEPS} steps, " in said and "Built in " in said, said
    assert "unity_" not in said and all(f"unity_{i}.cxx.o" in log for i in range(1, STEPS + 1)), said
    assert "--parallel 3 --target all" in clone.calls("cmake --build")[-1] and clone.calls("ctest")[0].endswith("--parallel 3")
    assert "-DPLAQ_WERROR=ON" in clone.calls("cmake -S")[0]
    assert not clone.calls("plaq run")
    assert "66% tests passed" in said and "Start" not in said and "output of three" not in said, said
    again = clone.run("demo")
    jobs = [re.search(r"examples/([\w/]+)", call)[1] for call in clone.calls("plaq run")]
    assert jobs == ["spectrum/generate", "measure", "gaugefix", "spectrum/propagator"], jobs
    assert "I done: " in again, again
    assert "All is built." in again and "all is built, 2 at once" in again, again
    (clone.home / "build/setup/CMakeCache.txt").write_text("CMAKE_HOME_DIRECTORY:INTERNAL=/elsewhere\n")
    assert "was made for /elsewhere" in clone.run("demo", code=1)


def test_demo(clone):
    """The masses and the place of their picture are the last lines. Fields are generated again unless all of them are whole."""
    def jobs():
        return [re.search(r"examples/([\w/]+)", call)[1] for call in clone.calls("plaq run")]

    said = clone.run("demo").splitlines()
    demo = clone.home / "demo"
    assert said[-2:] == ["mass pion p=0,0,0 point    0.6937(65)(55)  0.54(20)",
                         f"The picture of the fits, for a browser: {demo}/spectrum.svg"], said
    assert (demo / "spectrum.svg").read_text() == "drawn\n"
    first = ['--set lattice.extents=[8, 8, 8, 24] --set gauge.files=["f.000060.nersc"]' in call for call in clone.calls("plaq run")]
    assert first == [False, True, True, False], clone.calls("plaq run")
    assert "f.000060.nersc to f.000436.nersc are already here" in clone.run("demo")
    assert jobs() == ["measure", "gaugefix", "spectrum/propagator"]
    (demo / "f.000068.nersc").unlink()
    clone.run("demo")
    assert jobs()[0] == "spectrum/generate"
    said = clone.run("demo", NO_PYTHON="yes").splitlines()
    assert "need Python with h5py, numpy and matplotlib" in said[-3] and said[-2].startswith("  ") and " analyse " in said[-2], said


def test_progress(clone):
    """A line now and then where there is no terminal, and one line in place where there is one."""
    began = time.monotonic()
    said = clone.run("demo", SLEEP="0.05", PLAQ_SETUP_LINE_SECONDS="1")
    seconds = time.monotonic() - began
    lines = re.findall(r"^build: (\d+)%, .* left, step (\d+) of 40$", said, re.M)
    # The shell counts whole seconds, of which one more begins than have passed.
    assert 1 <= len(lines) <= seconds + 1 and all(int(percent) == min(99, 100 * int(step) // STEPS) for percent, step in lines), said
    assert "\r" not in said, said
    (clone.state / "built").unlink()
    shown = b""
    process, terminal = pty.fork()
    if process == 0:
        os.execve(str(clone.home / "setup"), ["setup", "demo"], clone.environment(SLEEP="0.05"))
    while True:
        try:
            shown += os.read(terminal, 10000)
        except OSError:  # the other end is closed
            break
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 0, shown
    text = shown.decode()
    assert len(re.findall(r"\r\x1b\[Kbuild: \d+%, ", text)) >= 2 and "unity_" not in text, text
    assert "\nbuild: " not in text, text


def test_failures(clone):
    """The first failure or the end of the output is shown, with the log and what to do; the exit code is not 0."""
    said = clone.run("demo", FAIL="configure", code=1)
    assert "| Could NOT find HDF5" in said and "docs/installing.md" in said and str(clone.log) in said, said
    said = clone.run("demo", FAIL="build", code=1)
    assert "| FAILED: a.o" in said and "error: this is wrong" in said and "very long command" not in said, said
    assert "what is built stays" in said and f"All of the output: {clone.log}" in said, said
    assert "very long command" in clone.log.read_text()
    said = clone.run("test", FAIL="tests", code=8)
    assert "Test  #2: two" in said and "two: 3 is not 4" in said and "#1: one" not in said and "-R NAME" in said, said


def test_interrupted(clone):
    """Signals end all that was started, and the same command goes on."""
    for number, send in ((signal.SIGINT, os.kill), (signal.SIGINT, os.killpg), (signal.SIGTERM, os.kill), (signal.SIGHUP, os.killpg)):
        (clone.state / "built").unlink(missing_ok=True)
        running = subprocess.Popen([str(clone.home / "setup"), "demo"], env=clone.environment(SLEEP="0.5"), text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        limit = time.monotonic() + 60
        while not (clone.state / "built").exists() and time.monotonic() < limit:
            time.sleep(0.05)
        assert "another ./setup builds" in clone.run("demo", code=1)
        send(running.pid, number)
        said = running.communicate(timeout=60)[0]
        assert running.returncode == -number and "interrupted" in said, (running.returncode, said)
        done = int((clone.state / "built").read_text())
        time.sleep(1.5)
        assert int((clone.state / "built").read_text()) == done < STEPS, "the build went on"
        left = subprocess.run(["ps", "-o", "stat=,args=", "-s", str(running.pid)], stdout=subprocess.PIPE, text=True).stdout
        assert not [line for line in left.splitlines() if not line.startswith("Z")], left
    assert f"{STEPS - done} steps are left" in clone.run("demo", "--dry-run")
    assert f"step {STEPS - done} of" not in clone.run("demo") and (clone.state / "built").read_text().strip() == str(STEPS)


def test_packages(clone):
    """Missing packages alone are installed, and never where that would upgrade others."""
    said = clone.run("demo", MISSING="mypy ninja-build", UPGRADES="yes", code=1)
    assert "libc6 (2.36-9 to 2.36-10)" in said and "--allow-upgrades" in said, said
    assert not [call for call in clone.calls("apt-get") if " install -y" in call], clone.calls()
    clone.run("demo", MISSING="mypy ninja-build")
    installed = [call for call in clone.calls("apt-get") if " install -y" in call]
    assert len(installed) == 1 and installed[0].endswith(" install -y --no-install-recommends --no-remove ninja-build mypy"), installed
    clone.run("demo", "--allow-upgrades", MISSING="mypy", UPGRADES="yes")
    assert clone.calls("apt-get")[-1].endswith(" mypy"), clone.calls()


def test_mpi_libraries(clone):
    """Open MPI unless MPICH is asked for, with the packages and the mpi4py of the one library, and never two in one build."""
    mpich, open_mpi = ["libmpich-dev", "mpich"], ["libopenmpi-dev", "openmpi-bin", "python3-mpi4py"]
    assert clone.run("packages").split()[-3:] == open_mpi
    found = clone.run("packages", "--mpich").split()
    assert found[-2:] == mpich and not set(found) & set(open_mpi), found
    clone.run("demo")
    assert "configured for another MPI library" in clone.run("demo", "--mpich", code=1)
    shutil.rmtree(clone.home / "build/setup")
    (clone.state / "built").unlink()
    shutil.copytree(clone.home / "build/python", clone.home / "build/python.mpich")
    clone.run("configure", "--mpich")
    (call,) = clone.calls("cmake -S")
    assert "-DMPI_EXECUTABLE_SUFFIX=.mpich" in call and "build/python.mpich/bin/python" in call, call
    assert clone.run("packages").split()[-2:] == mpich  # the build knows its library


def test_other_users(clone):
    """Another user than root installs through sudo, and cannot write to a folder of root's."""
    if os.geteuid() != 0 or not shutil.which("setpriv"):
        print("test_other_users: needs root and setpriv")
        return
    nobody = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")
    os.chmod(clone.home.parents[0], 0o755)
    if subprocess.run([*nobody, "test", "-r", str(clone.home / "setup")]).returncode:
        print(f"test_other_users: others than root cannot read {tempfile.gettempdir()}")
        return
    clone.run("demo")
    (clone.state / "calls").touch()
    said = clone.run("demo", before=nobody, code=1)
    assert f"cannot write to {clone.home}/build/setup" in said, said
    subprocess.run(["chown", "-R", "65534:65534", str(clone.home.parents[0])], check=True)
    clone.run("demo", before=nobody, MISSING="mypy")
    assert clone.calls("sudo env DEBIAN_FRONTEND=noninteractive apt-get"), clone.calls()
    (clone.commands / "sudo").unlink()
    if not shutil.which("sudo", path="/usr/bin:/bin"):
        assert "As root: apt-get install --no-install-recommends mypy" in clone.run("demo", before=nobody, MISSING="mypy", code=1)


if not shutil.which("bash") or not shutil.which("ps"):
    print("skipped: bash and ps are needed")
    sys.exit(77)
for name, test in list(globals().items()):
    if name.startswith("test_"):
        with tempfile.TemporaryDirectory() as folder:
            test(Clone(folder))
        print(f"{name}: right")
