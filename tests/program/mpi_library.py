"""What tests need to know of an MPI library and its launcher beyond `-np`: LIBRARY is the one of MPIRUN, None if nobody here knows it."""
import dataclasses
import subprocess

from program import MPIRUN


@dataclasses.dataclass(frozen=True)
class Library:
    name: str  # as plaq's messages have it
    version: tuple  # one of these is in what `mpiexec --version` prints
    rank: str  # the variable in which a process finds its rank
    size: str  # the one with the number of ranks
    broken: dict  # variables with which MPI does not start
    remote: tuple  # options that name the script in {rsh}, called as rsh NODE COMMAND, and a network card, for TCP alone
    hosts: str  # the option with nodes, each with the number of its ranks: node1:2,node2:2

    def on(self, nodes, rsh, card):
        """Options of MPIRUN that start ranks on these nodes; `nodes`: their names, and the number of ranks on each."""
        return [*(option.format(rsh=rsh, card=card) for option in self.remote),
                self.hosts, ",".join(f"{name}:{ranks}" for name, ranks in nodes.items())]


OPEN_MPI = Library(
    name="Open MPI", version=("Open MPI", "OpenRTE"), rank="OMPI_COMM_WORLD_RANK", size="OMPI_COMM_WORLD_SIZE",
    broken={"OMPI_MCA_pml": "none_such", "OMPI_MCA_btl": "none_such"},
    remote=("--mca", "plm", "rsh", "--mca", "plm_rsh_agent", "{rsh}", "--mca", "pml", "ob1", "--mca", "btl", "self,vader,tcp",
            "--mca", "btl_tcp_if_include", "{card}", "--mca", "oob_tcp_if_include", "{card}"),
    hosts="--host")

# With UCX, as Debian builds it. Ranks of a node have MPICH's own shared memory.
MPICH = Library(
    name="MPICH", version=("HYDRA",), rank="PMI_RANK", size="PMI_SIZE",
    broken={"UCX_TLS": "none_such"},
    remote=("-launcher", "rsh", "-launcher-exec", "{rsh}", "-iface", "{card}", "-genv", "UCX_TLS", "self,tcp",
            "-genv", "UCX_NET_DEVICES", "{card}"),
    hosts="-hosts")

LIBRARIES = (OPEN_MPI, MPICH)


def found():
    version = subprocess.run([MPIRUN[0], "--version"], capture_output=True, text=True, check=False).stdout
    return next((library for library in LIBRARIES if any(word in version for word in library.version)), None)


LIBRARY = found()
