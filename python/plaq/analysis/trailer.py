"""The checksum trailer at the end of plaq's result files, which shows damage before HDF5 reads it.

The last 20 bytes are "plaqSEAL", the number of bytes before the trailer (64 bits) and their CRC-32 (32 bits), little-endian.
HDF5 ignores them.
"""
from __future__ import annotations

import os
import stat
import struct
import zlib
from typing import BinaryIO

from .arrays import Path

MAGIC, FORMAT = b"plaqSEAL", "<8sQI"
BYTES = struct.calcsize(FORMAT)
HDF5 = b"\x89HDF\r\n\x1a\n"
CHUNK = 1 << 22


def fault(path: Path) -> str | None:
    """Why this file is no whole result file; None if it is one. Throws OSError if it cannot be read."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)  # a pipe is not waited for
    with open(descriptor, "rb") as stream:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            return "it is not a regular file"
        if stream.read(len(HDF5)) != HDF5:
            return "it is not an HDF5 file"
        before = status.st_size - BYTES
        stream.seek(max(before, 0))
        last = stream.read(BYTES)
        if not last.startswith(MAGIC) or len(last) < BYTES:
            return ("this HDF5 file does not end with the checksum trailer of plaq's result files: plaq did not write it, or it is "
                    "not whole")
        _, size, crc = struct.unpack(FORMAT, last)
        if size != before:
            return f"it is damaged: its checksum trailer says {size} bytes, and there are {before}"
        stream.seek(0)
        if (found := _crc(stream, before)[1]) != crc:
            return f"it is damaged: its checksum trailer says CRC-32 {crc:08x}, and its bytes have {found:08x}"
    return None


def _crc(stream: BinaryIO, size: int) -> tuple[int, int]:
    read = crc = 0
    while read < size and (chunk := stream.read(min(CHUNK, size - read))):
        read, crc = read + len(chunk), zlib.crc32(chunk, crc)
    return read, crc
