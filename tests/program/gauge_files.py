"""Gauge files and their checksums by the descriptions of their formats; nothing here sees plaq. Links are U[t][z][y][x][mu]."""
import struct

import numpy

import lattice
import lime


def nersc_checksum(content):
    return sum(numpy.frombuffer(content, ">u4").tolist()) & 0xFFFFFFFF


def nersc_data(content):
    return content.split(b"END_HEADER\n", 1)[1]


def nersc_bytes(links, plaquette, link_trace, rows=3, entries=()):
    """The first `rows` rows of each link in big-endian double precision."""
    content = numpy.ascontiguousarray(links[..., :rows, :], dtype=">c16").tobytes()
    lines = ["BEGIN_HEADER", "HDR_VERSION = 1.0", f"DATATYPE = 4D_SU3_GAUGE{'_3x3' if rows == 3 else ''}",
             *(f"DIMENSION_{mu + 1} = {length}" for mu, length in enumerate(links.shape[3::-1])), f"LINK_TRACE = {link_trace:.15g}",
             f"PLAQUETTE = {plaquette:.15g}", *(f"BOUNDARY_{mu} = PERIODIC" for mu in range(1, 5)),
             *(f"{key} = {value}" for key, value in entries), f"CHECKSUM = {nersc_checksum(content):x}", "FLOATING_POINT = IEEE64BIG",
             "END_HEADER", ""]
    return "\n".join(lines).encode() + content


def unit_field(extents):
    """A NERSC file of unit links."""
    return nersc_bytes(numpy.broadcast_to(numpy.eye(3), (*extents[::-1], 4, 3, 3)), 1, 1)


def milc_sums(content, order=">"):
    """The exclusive or of all words, rotated left by their numbers modulo 29 and modulo 31."""
    sums = [0, 0]
    for i, word in enumerate(numpy.frombuffer(content, f"{order}u4").tolist()):
        for k, modulus in enumerate((29, 31)):
            by = i % modulus
            sums[k] ^= (word << by | word >> (32 - by)) & 0xFFFFFFFF
    return sums


def milc_bytes(links, time_stamp):
    content = numpy.ascontiguousarray(links, dtype=">c8").tobytes()
    return struct.pack(">5i64s3I", 20103, *links.shape[3::-1], time_stamp.encode(), 0, *milc_sums(content)) + content


def lime_records(links, text, title):
    """The records of links in ILDG format, without those that follow."""
    extents = links.shape[3::-1]
    content = lime.in_precision(links, "D")
    field = lime.field_records(extents, "QDP_D3_ColorMatrix", content, 144, 4, text, title=title)
    sizes = "".join(f"<{name}>{length}</{name}>" for name, length in zip(("lx", "ly", "lz", "lt"), extents))
    about = (f"{lime.HEAD}<ildgFormat xmlns=\"http://www.lqcd.org/ildg\"><version>1.0</version><field>su3gauge</field>"
             f"<precision>64</precision>{sizes}</ildgFormat>")
    return [*field[:4], (b"ildg-format", about.encode() + b"\0", 0), (b"ildg-binary-data", *field[4][1:]), *field[5:]]


def lime_extents(content):
    dims = lime.text_of(content, "scidac-private-file-xml").split("<dims>")[1].split("</dims>")[0]
    return tuple(map(int, dims.split()))


def lime_links(content):
    """Links of a LIME file in double precision."""
    return lattice.on_grid(lime.numbers(content).reshape(-1, 4, 3, 3), lime_extents(content))


def checksum_of_links(content, kind):
    """The checksum of all links as a file of this format stores them, in hexadecimal digits."""
    if kind == "nersc":
        return f"{nersc_checksum(nersc_data(content)):08x}"
    if kind == "milc":
        sums = milc_sums(content[96:], ">" if content.startswith(struct.pack(">i", 20103)) else "<")
    elif kind in ("ildg", "scidac"):
        numbers = lime.data(content)
        sums = lime.scidac_sums(numbers, len(numbers) // int(numpy.prod(lime_extents(content))))
    else:
        return "none"
    return " ".join(f"{one:08x}" for one in sums)
