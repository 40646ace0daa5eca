"""Text that files have, for terminals and pages."""
from __future__ import annotations


def text(value: object) -> str:
    """Text of a file, which no terminal takes for orders: what is not printable as \\xHH or \\uHHHH."""
    found = value.decode(errors="backslashreplace") if isinstance(value, bytes) else str(value)
    return "".join(c if c.isprintable() or c in "\n\t" else c.encode("unicode_escape").decode() for c in found)
