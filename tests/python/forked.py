"""What the programs of fork_test.py share. No MPI is started here: mpi4py would."""
import os
import signal
import time

import plaq


def plaquette(threads):
    lattice = plaq.Lattice([4, 4, 4, 8], location="host", threads=threads)
    return plaq.random_gauge(lattice, seed=1).plaquette


def attempt(job):
    """What job() gives in a forked child: a word, within 60 s and after no signal."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            job()
            word = b"worked"
        except plaq.UsageError as error:
            word = b"spawn" if "spawn" in str(error) else str(error).encode()
        except BaseException as error:
            word = repr(error).encode()
        os.write(write, word)
        os._exit(0)
    os.close(write)
    for _ in range(600):
        if os.waitpid(child, os.WNOHANG)[0]:
            return os.read(read, 4096).decode()
        time.sleep(0.1)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return "waits for ever"
