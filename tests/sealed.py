"""Result files with the trailer of plaq, which its readers ask for. The trailer is made here by its description."""
import contextlib
import struct
import zlib

import h5py

BYTES = 20


def add_trailer(path):
    with open(path, "r+b") as stream:
        content = stream.read()
        stream.write(b"plaqSEAL" + struct.pack("<QI", len(content), zlib.crc32(content)))


def remove_trailer(path):
    with open(path, "r+b") as stream:
        content = stream.read()
        assert content[-BYTES:].startswith(b"plaqSEAL")
        stream.truncate(len(content) - BYTES)


@contextlib.contextmanager
def results(path, mode="w"):
    """A file of HDF5 to be filled, "w", or changed, "r+"; it gets its trailer at the end."""
    if mode == "r+":
        remove_trailer(path)
    with h5py.File(path, mode) as file:
        yield file
    add_trailer(path)
