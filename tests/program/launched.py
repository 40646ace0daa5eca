"""The program running beside the test, to be killed or signalled with all of its ranks."""
import ctypes
import os
import pathlib
import signal
import subprocess
import tempfile
import time

from program import command, variables

PR_SET_CHILD_SUBREAPER = 36


def descendants_of(ancestor):
    """Children, their children and so on, the youngest generation first."""
    parents = {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                state = (entry / "stat").read_text(errors="replace")
            except OSError:  # it has ended
                continue
            parents[int(entry.name)] = int(state[state.rindex(")") + 1:].split()[1])
    found = [ancestor]
    for parent in found:
        found += [pid for pid, its_parent in parents.items() if its_parent == parent]
    return found[:0:-1]


class Launched:
    """Leftovers of a killed launcher go to the sandbox, too. As a context it kills what still runs at its end."""

    def __init__(self, box, arguments, ranks=1, launcher=None):
        self.path = box.path
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)  # orphans of a killed launcher become ours
        (self.path / ".tmp").mkdir(exist_ok=True)
        folder = tempfile.mkdtemp(dir=self.path / ".tmp")
        environment = variables(folder, {"TMPDIR": folder, "OMP_NUM_THREADS": "1", "OMPI_MCA_btl_vader_backing_directory": folder})
        with open(self.path / ".launched.out", "wb") as out, open(self.path / ".launched.err", "wb") as err:
            self.process = subprocess.Popen(command(arguments, ranks, launcher), cwd=self.path, env=environment, stdin=subprocess.DEVNULL,
                                            stdout=out, stderr=err)
        self.started = time.monotonic()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()

    def age(self):
        """Seconds."""
        return time.monotonic() - self.started

    def ends_within(self, seconds):
        """Waits until `seconds` after the start; true when the program has ended before."""
        while self.process.poll() is None:
            if self.age() >= seconds:
                return False
            time.sleep(0.001)
        return True

    def ended(self):
        return self.process.poll() is not None

    def waits_for(self, condition, pause=0.001):
        """Until the condition holds or the program has ended."""
        while not condition() and not self.ended():
            time.sleep(pause)

    def out(self):
        return (self.path / ".launched.out").read_text(errors="replace")

    def err(self):
        return (self.path / ".launched.err").read_text(errors="replace")

    def code(self):
        """The exit code, once it has ended; below 0 when a signal ended it."""
        return self.process.returncode

    def signal(self, number):
        self.process.send_signal(number)

    def processes(self):
        """Ranks are among them."""
        return descendants_of(self.process.pid)

    def kill(self):
        """SIGKILL for the ranks and their launcher; returns when none is left."""
        if self.ended():
            return
        victims = descendants_of(self.process.pid)
        for victim in [*victims, self.process.pid]:
            try:
                os.kill(victim, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.process.wait()
        for victim in victims:
            while True:
                try:
                    os.waitpid(victim, 0)
                    break
                except ChildProcessError:
                    if not pathlib.Path(f"/proc/{victim}").exists():
                        break
                    time.sleep(0.001)  # not yet our child
