"""Modes of the Laplacian as Chroma reads them: files of QDP++'s MapObjectDisk, by time slice and mode ("eigenVecsTimeSlice").

The layout is that of https://github.com/usqcd-software/qdpxx (include/qdp_map_obj_disk.h, qdp_disk_map_slice.h, lib/qdp_io.cc,
qdp_crc32.cc) and of https://github.com/JeffersonLab/chroma (lib/util/ferm/key_timeslice_colorvec.cc,
lib/meas/inline/io/inline_write_timeslice_map_obj_disk.cc). Chroma (colorvec_files), EasyDistillation (EigenvectorTimeSlice) and PyQUDA
read such files. All words are big-endian:

    length and text "XXXXQDPLazyDiskMapObjFileXXXX", version 1, length and XML, position of the map (8 bytes of 0 and 8 bytes)
    for each mode and time slice: [z][y][x][color] of re and im in single precision, CRC-32
    the map: number of records; for each record the length 8 of its key, t and mode, its position; CRC-32
"""
from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy

from ..analysis.arrays import Path
from . import files as foreign

if TYPE_CHECKING:
    from ..interface import LaplacianModes

MAGIC = b"XXXXQDPLazyDiskMapObjFileXXXX"


def write_laplacian_modes(path: Path, modes: LaplacianModes, overwrite: bool = False) -> None:
    """Writes modes of all time slices, those of plaq.laplacian_modes() or plaq.read_laplacian_modes() on a lattice of one rank, with their
    eigenvalues as Weights. One mode of all time slices is in memory at a time. Elementals and perambulators that other programs make of
    the file are between the modes of plaq."""
    lattice = modes.lattice
    if lattice.size > 1:
        raise ValueError(f"modes: they are spread over {lattice.size} ranks; read them on one: plaq.Lattice(extents, comm=MPI.COMM_SELF)")

    def make(temporary: str) -> None:
        with open(temporary, "wb") as stream:
            _write(stream, modes, lattice.extents)

    foreign.write(path, [], overwrite, make)


def _write(stream: BinaryIO, modes: Any, extents: list[int]) -> None:
    header = _text(MAGIC) + struct.pack(">I", 1) + _text(_description(modes, extents))
    stream.write(header + _position(0))
    places = {}
    for mode in range(len(modes)):
        of_slices = numpy.asarray(modes[mode].array("lexicographic"))[0].astype(">c8")
        for t, one in enumerate(of_slices):
            places[t, mode] = stream.tell()
            stream.write(_checked(one.tobytes()))
    end = stream.tell()
    records = b"".join(_text(struct.pack(">ii", *key)) + _position(place) for key, place in places.items())
    stream.write(_checked(struct.pack(">I", len(places)) + records))
    stream.seek(len(header))
    stream.write(_position(end))


def _text(content: bytes) -> bytes:
    return struct.pack(">i", len(content)) + content


def _position(place: int) -> bytes:
    return struct.pack(">QQ", 0, place)


def _checked(content: bytes) -> bytes:
    return content + struct.pack(">I", zlib.crc32(content))


def _description(modes: Any, extents: list[int]) -> bytes:
    weights = "".join(f"<elem>{' '.join(repr(float(one)) for one in of_slices)}</elem>" for of_slices in numpy.asarray(modes.values).T)
    return ('<?xml version="1.0"?>\n<MODMetaData><id>eigenVecsTimeSlice</id>'
            f"<lattSize>{' '.join(map(str, extents))}</lattSize><decay_dir>3</decay_dir><num_vecs>{len(modes)}</num_vecs>"
            f"<Weights>{weights}</Weights></MODMetaData>").encode()
