"""Result files with the seal of plaq, which its readers ask for. The seal is made here by its description."""
import contextlib
import struct
import zlib

import h5py

SEAL = 20


def seal(path):
    with open(path, "r+b") as stream:
        content = stream.read()
        stream.write(b"plaqSEAL" + struct.pack("<QI", len(content), zlib.crc32(content)))


def unseal(path):
    with open(path, "r+b") as stream:
        content = stream.read()
        assert content[-SEAL:].startswith(b"plaqSEAL")
        stream.truncate(len(content) - SEAL)


@contextlib.contextmanager
def results(path, mode="w"):
    """A file of HDF5 to be filled, "w", or changed, "r+"; it is sealed at the end."""
    if mode == "r+":
        unseal(path)
    with h5py.File(path, mode) as file:
        yield file
    seal(path)
