"""How numbers and fits are written: 0.5966(18), chi2/dof 0.83 (4 dof)."""
from __future__ import annotations

import math
import re
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


def value_and_error(written: str, signed: bool = False) -> tuple[float, float]:
    """(0.1465, 0.0021) of "0.1465(21)", error 0 of "0.1465"; also "1.5(2)e-3". Throws ValueError. `signed` allows 0 and minus."""
    found = re.fullmatch(r"([+-]?\d+(?:\.(\d*))?)(?:\((\d+)\))?(?:e([+-]?\d{1,3}))?", written.strip())
    power = f"e{found[4] or 0}" if found else ""
    if found is None or not math.isfinite(float(found[1] + power)) or not (signed or float(found[1]) > 0):
        raise ValueError(f"{written}: expected a number such as 0.1465 or 0.1465(21)")
    return float(found[1] + power), float((found[3] or "0") + power) * math.pow(10, -len(found[2] or ""))


def per_freedom(chi2: float, freedom: int) -> str:
    """chi^2 for each degree of freedom; "-" where there are none."""
    return f"{chi2 / freedom:.2f}" if freedom > 0 else "-"


def quality(chi2: float, freedom: int, p_value: float) -> str:
    """How well a fit describes its data, in words."""
    return f"chi2/dof {per_freedom(chi2, freedom)} ({freedom} dof), p {p_value:.2g}" if freedom > 0 else "no degrees of freedom"


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
