"""LIME files of fields in SciDAC format, as other programs write them; nothing here sees plaq."""
import struct
import zlib

import numpy

HEAD = '<?xml version="1.0" encoding="UTF-8"?>'
BEGINS, ENDS = 0x8000, 0x4000  # a message


def records(content):
    """[(type, data, flags)]: headers of 144 bytes, big-endian; data filled up to a multiple of 8."""
    found, at = [], 0
    while at < len(content):
        magic, _, flags, size = struct.unpack(">IHHQ", content[at:at + 16])
        assert magic == 0x456789AB
        found.append((content[at + 16:at + 144].rstrip(b"\0"), content[at + 144:at + 144 + size], flags))
        at += 144 + (size + 7) // 8 * 8
    return found


def encoded(parts):
    return b"".join(struct.pack(">IHHQ128s", 0x456789AB, 1, flags, len(data), kind) + data + b"\0" * (-len(data) % 8)
                    for kind, data, flags in parts)


def text_of(content, kind):
    """The text of the first record of this type."""
    return next(data for name, data, _ in records(content) if name == kind.encode()).rstrip(b"\0").decode()


def data(content):
    """The bytes of the field."""
    return next(data for kind, data, _ in records(content) if kind in (b"scidac-binary-data", b"ildg-binary-data"))


def numbers(content, dtype=">c16"):
    return numpy.frombuffer(data(content), dtype).astype(complex)


def scidac_sums(content, site_bytes):
    """The exclusive or of the CRC-32 of the bytes of all sites, rotated left by the number of the site (lexicographic) modulo 29, and
    modulo 31."""
    sums = [0, 0]
    for n in range(len(content) // site_bytes):
        crc = zlib.crc32(content[n * site_bytes:(n + 1) * site_bytes])
        for i, modulus in enumerate((29, 31)):
            by = n % modulus
            sums[i] ^= (crc << by | crc >> (32 - by)) & 0xFFFFFFFF
    return sums


def field_records(extents, datatype, content, size, count, text, spins=0, precision="D", title="<title>a test</title>", record_type=0):
    """The records of one field as QIO writes them, `count` data of `size` bytes at each site."""
    a, b = scidac_sums(content, count * size)
    of_spins = f"<spins>{spins}</spins>" if spins else ""
    texts = (
        f"<scidacFile><version>1.1</version><spacetime>4</spacetime><dims>{' '.join(map(str, extents))} </dims><volfmt>0</volfmt>"
        "</scidacFile>", title,
        f"<scidacRecord><version>1.1</version><date>Thu Apr 14 17:20:32 2022 UTC</date><recordtype>{record_type}</recordtype><datatype>"
        f"{datatype}</datatype><precision>{precision}</precision><colors>3</colors>{of_spins}<typesize>{size}</typesize><datacount>"
        f"{count}</datacount></scidacRecord>", text,
        f"<scidacChecksum><version>1.0</version><suma>{a:x}</suma><sumb>{b:x}</sumb></scidacChecksum>")
    file_xml, title_xml, record_xml, info, checksum = ((HEAD + one).encode() + b"\0" for one in texts)
    return [(b"scidac-private-file-xml", file_xml, BEGINS), (b"scidac-file-xml", title_xml, ENDS),
            (b"scidac-private-record-xml", record_xml, BEGINS), (b"scidac-record-xml", info, 0),
            (b"scidac-binary-data", content, 0), (b"scidac-checksum", checksum, ENDS)]


def in_precision(values, precision):
    """The bytes of complex numbers in double, "D", or single precision, "F"."""
    return numpy.ascontiguousarray(values, dtype={"D": ">c16", "F": ">c8"}[precision]).tobytes()


def scidac_bytes(extents, datatype, values, text, spins=4, precision="D"):
    """A file of one field: values [site][datum][component]."""
    content = in_precision(values, precision)
    size = len(content) // (values.shape[0] * values.shape[1])
    return encoded(field_records(extents, datatype, content, size, values.shape[1], text, spins, precision))


def propagator_data(s, precision="D"):
    """The numbers of a propagator [site][sink][source]: [sink spin][source spin][sink color][source color] at each site."""
    return in_precision(s.reshape(-1, 4, 3, 4, 3).transpose(0, 1, 3, 2, 4), precision)


def propagator_bytes(extents, s, precision="D"):
    """A propagator [site][sink][source] in SciDAC format, as QDP++ writes it."""
    content = propagator_data(s, precision)
    return encoded(field_records(extents, "Lattice", content, len(content) // len(s), 1, "<Propagator><a/></Propagator>", 4, precision))


def sealed(parts):
    """The file of these records and plaq-info behind them: the CRC-32 of all that stands before it but the data of the field."""
    content = encoded([*parts, (b"plaq-info", b"header_crc = 00000000\0", BEGINS | ENDS)])
    digits = content.rindex(b"00000000\0")
    texts = content[:digits].replace(next(data for kind, data, _ in parts if kind == b"scidac-binary-data"), b"", 1)
    return content[:digits] + f"{zlib.crc32(texts):08x}".encode() + content[digits + 8:]
