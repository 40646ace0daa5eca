"""How numbers are written: 0.5966(18)."""
from __future__ import annotations

import math
from collections.abc import Sequence


def with_error(value: float, *errors: float) -> str:
    """Two digits of the largest error; further errors stand in parentheses of their own, with the same last digit."""
    if not math.isfinite(value):
        return "nan"
    known = [error for error in errors if math.isfinite(error) and error > 0]
    if not known:
        marks = "".join("(0)" if error == 0 else "(?)" for error in errors)
        return f"{value:.8g}{marks}"
    power = _power(max(abs(value), max(known)))
    if -4 <= power < 6:
        return _fixed(value, errors, known)
    scaled = [number / 10**power for number in (value, *errors)]
    return _fixed(scaled[0], scaled[1:], [one / 10**power for one in known]) + f"e{power:+03d}"


def _power(number: float) -> int:
    return math.floor(math.log10(number))


def _fixed(value: float, errors: Sequence[float], known: Sequence[float]) -> str:
    digits = 1 - _power(max(known))
    if round(max(known) * 10**digits) == 100:  # 0.0996 is 0.10
        digits -= 1
    digits = min(12, digits)
    return f"{value:.{max(0, digits)}f}" + "".join(_mark(error, digits, max(known)) for error in errors)


def _mark(error: float, digits: int, largest: float) -> str:
    if not math.isfinite(error):
        return "(?)"
    if digits <= 0 or largest >= 1:
        return f"({error:.{max(0, digits)}f})"
    return f"({round(error * 10**digits)})"
