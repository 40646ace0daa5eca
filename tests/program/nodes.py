"""Nodes of a cluster on one machine: namespaces of the kernel, each with a network card, a name, shared memory and a loopback of its
own, at one switch. Only the file system is common, as a cluster has it.

    with Nodes(2) as nodes:
        box.plaq("run job.toml", 4, launcher=nodes.on())  # MPI over TCP, with two ranks on each
        nodes.kill("node2")                               # all of its processes

By hand, a command on 4 ranks of 2 nodes: nodes.py 2 4 build/host/tests/test_comms --run=np4
With slow cards: nodes.py 2:100mbit 4 ...

Nothing of them is seen outside, and all of it ends with the processes that hold the namespaces. Needs root, unshare, nsenter,
iproute2 and Open MPI or MPICH: `Nodes.missing()` says what is not here.
"""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from mpi_library import LIBRARIES, LIBRARY, MPICH
from program import MPIRUN, PLAQ

HOLD = "ip link set lo up && echo ready && exec cat"  # until the test ends, however it does
SLOW_MOUNT = str(pathlib.Path(__file__).with_name("slow_mount.py"))
STALLER = os.environ.get("PLAQ_STALL_IN_MESSAGE")  # the library of stall_in_message.cpp
NAMESPACES = ["--net", "--uts", "--ipc", "--mount"]


def ran(*command):
    subprocess.run(command, check=True, capture_output=True, text=True)


class Nodes:
    def __init__(self, count, rate=None, stalls=False):
        """`rate`: of each card, as tc takes it (100mbit). Where nobody answers, TCP gives up after seconds instead of 15 minutes.
        `stalls`: calls of MPI can stand still, too."""
        self.names = [f"node{n + 1}" for n in range(count)]
        self.rate, self.stalls = rate, stalls
        self.held = {}  # name: the process that holds its namespaces
        self.mounts = []  # processes that serve folders

    @staticmethod
    def missing(rate=None):
        """Why there can be no nodes here, with such cards, or None."""
        if os.geteuid() != 0:
            return "nodes in namespaces are made by root"
        for tool in ("unshare", "nsenter", "ip"):
            if not shutil.which(tool):
                return f"{tool} is not installed"
        if LIBRARY is None:
            return f"{MPIRUN[0]} is not the launcher of {' or '.join(library.name for library in LIBRARIES)}"
        if LIBRARY is MPICH:
            return "MPICH 4.0.2 on UCX often does not come back from MPI_Finalize between nodes over TCP"
        try:
            with Nodes(1, rate):
                return None
        except (OSError, subprocess.CalledProcessError, RuntimeError) as error:
            return f"no node can be made of namespaces: {getattr(error, 'stderr', None) or error}"

    def __enter__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="plaq-nodes-"))
        try:
            self.make()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for name in self.names:
            if name in self.held:
                self.kill(name)
        for process in [*self.held.values(), *self.mounts]:
            process.kill()
            process.communicate()
        shutil.rmtree(self.folder, ignore_errors=True)

    def hold(self, name, script):
        self.held[name] = subprocess.Popen(["unshare", *NAMESPACES, "sh", "-c", f"{script} && {HOLD}"], stdin=subprocess.PIPE,
                                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if self.held[name].stdout.readline() != "ready\n":
            raise RuntimeError(self.held[name].communicate()[1].strip())
        return str(self.held[name].pid)

    def make(self):
        address = {name: f"10.77.0.{n + 1}" for n, name in enumerate(self.names)}
        (self.folder / "hosts").write_text("127.0.0.1 localhost\n" + "".join(f"{its} {name}\n" for name, its in address.items()))
        there = f"""nsenter -t "$(cat {self.folder}/$name)" {" ".join(NAMESPACES)} --"""
        self.script("on", f"""exec {there} sh -c 'cd "$0" && exec "$@"' "$PWD" "$@"\n""")
        # Nobody hears that a program has ended on a node whose cable is out.
        self.script("rsh", f"""{there} sh -c "$*"\ncode=$?\nwhile [ -e {self.folder}/$name.cut ]; do sleep 0.1; done\nexit $code\n""")
        switch = self.hold("switch", "ip link add bridge type bridge && ip link set bridge up")
        for name in self.names:
            holder = self.hold(name, f"hostname {name} && mount --bind {self.folder}/hosts /etc/hosts && mount -t tmpfs tmpfs /dev/shm")
            (self.folder / name).write_text(holder)
            inside, at_switch = ["nsenter", "-t", holder, "--net"], ["nsenter", "-t", switch, "--net"]
            ran(*at_switch, "ip", "link", "add", name, "type", "veth", "peer", "name", "eth0", "netns", holder)
            ran(*at_switch, "ip", "link", "set", name, "master", "bridge", "up")
            ran(*inside, "ip", "address", "add", f"{address[name]}/24", "dev", "eth0")
            ran(*inside, "ip", "link", "set", "eth0", "up")
            ran(*inside, "sh", "-c", "echo 3 > /proc/sys/net/ipv4/tcp_retries2")
            if self.rate:
                for side in ([*inside, "tc", "qdisc", "add", "dev", "eth0"], [*at_switch, "tc", "qdisc", "add", "dev", name]):
                    ran(*side, "root", "tbf", "rate", self.rate, "burst", "32kbit", "latency", "50ms")

    def script(self, file, command):
        """A file that is called as FILE NODE COMMAND."""
        (self.folder / file).write_text(f"#!/bin/sh\nname=$1\nshift\n{command}")
        (self.folder / file).chmod(0o755)

    def mount(self, folder, delay=0.02, memory=3):
        """From now on each node sees the folder through a network file system of slow_mount.py."""
        for name in self.names:
            log = self.folder / f"{name}.mount"
            options = ["--delay", str(delay), "--memory", str(memory), "--orders", f"{self.folder}/{name}.stall"]
            with open(log, "w", encoding="utf-8") as out:
                self.mounts.append(subprocess.Popen([f"{self.folder}/on", name, sys.executable, SLOW_MOUNT, folder, *options],
                                                    stdout=out, stderr=out))
            while "ready" not in log.read_text():
                if self.mounts[-1].poll() is not None:
                    raise RuntimeError(log.read_text())
                time.sleep(0.01)

    def stall(self, name, operation, file=""):
        """The next such operation on the node stands still, and stalled() is true once it does: one of slow_mount.py on a file with this
        in its name, or a call of stall_in_message.cpp, with `stalls`, in ranks that on() starts."""
        (self.folder / f"{name}.stall").write_text(f"{operation} {file}" if file else operation)

    def stalled(self):
        orders = list(self.folder.glob("*.stalled"))
        return any(not order.read_text().startswith("MPI_") or self.stopped(order.stem) for order in orders)

    def stopped(self, name):
        """Whether a rank on the node is stopped by a signal."""
        for rank in self.ranks(name):
            try:
                if pathlib.Path(f"/proc/{rank}/stat").read_text().rpartition(")")[2].split()[0] == "T":
                    return True
            except OSError:  # it has ended
                continue
        return False

    def go_on(self):
        """Ends the stall."""
        for order in self.folder.glob("*.stalled"):
            order.unlink()
            for process in self.ranks(order.stem):
                os.kill(process, signal.SIGCONT)

    def alone(self, name):
        """What starts the program on this node without a launcher: `launcher` of program.command()."""
        return lambda ranks: [f"{self.folder}/on", name]

    def on(self, *names):
        """What starts so many ranks on these nodes, by default all, with equal numbers on each: `launcher` of program.command()."""
        names = names or self.names

        def launcher(ranks):
            each, left = divmod(ranks, len(names))
            assert left == 0, (ranks, names)
            preload = ["-x", f"LD_PRELOAD={STALLER}", "-x", f"PLAQ_STALL_ORDERS={self.folder}"] if self.stalls else []
            return [f"{self.folder}/on", names[0], *MPIRUN, *preload, "-np", str(ranks),
                    *LIBRARY.on(dict.fromkeys(names, each), f"{self.folder}/rsh", "eth0")]
        return launcher

    def processes(self, name):
        """Those on this node."""
        if self.held[name].poll() is not None:
            return []
        its = os.readlink(f"/proc/{self.held[name].pid}/ns/net")
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    if os.readlink(entry / "ns/net") == its:
                        found.append(int(entry.name))
                except OSError:  # it has ended
                    continue
        return found

    def ranks(self, name):
        """Processes of the program on this node."""
        found = []
        for process in self.processes(name):
            try:
                if os.readlink(f"/proc/{process}/exe") == os.path.realpath(PLAQ):
                    found.append(process)
            except OSError:  # it has ended
                continue
        return found

    def end_within(self, seconds):
        """Whether no rank is left on any node in time. MPICH's launcher does not wait for ranks of a node that it has lost."""
        until = time.monotonic() + seconds
        while any(self.ranks(name) for name in self.names):
            if time.monotonic() > until:
                return False
            time.sleep(0.05)
        return True

    def kill(self, name):
        """Ends the node as a failure of its power does."""
        for process in self.processes(name):
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                continue
        self.held[name].wait()

    def cut(self, name):
        """Takes the cable out of its card: nobody hears of the node again, unless join() puts it back."""
        (self.folder / f"{name}.cut").touch()
        self.link(name, "down")

    def join(self, name):
        self.link(name, "up")
        (self.folder / f"{name}.cut").unlink()

    def link(self, name, state):
        ran("nsenter", "-t", str(self.held["switch"].pid), "--net", "ip", "link", "set", name, state)


if __name__ == "__main__":
    number, _, card = sys.argv[1].partition(":")
    with Nodes(int(number), card or None) as these:
        sys.exit(subprocess.run([*these.on()(int(sys.argv[2])), *sys.argv[3:]], check=False).returncode)
