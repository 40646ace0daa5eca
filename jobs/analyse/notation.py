"""How numbers are written: 0.5966(18)."""
import math


def with_error(value, *errors):
    """Two digits of the smallest error that is not 0; more errors stand in parentheses of their own."""
    if not math.isfinite(value):
        return "nan"
    known = [error for error in errors if math.isfinite(error) and error > 0]
    if not known:
        marks = "".join("(0)" if error == 0 else "(?)" for error in errors)
        return f"{value:.8g}{marks}"
    digits = 1 - math.floor(math.log10(min(known)))
    if round(min(known) * 10**digits) == 100:  # 0.0996 is 0.10
        digits -= 1
    if digits > 12 or abs(value) >= 1e6 or (value and abs(value) < 1e-4):
        return f"{value:.8g} +- " + " +- ".join(f"{error:.2g}" for error in errors)
    return f"{value:.{max(0, digits)}f}" + "".join(_mark(error, digits) for error in errors)


def _mark(error, digits):
    if not math.isfinite(error):
        return "(?)"
    if digits <= 0 or error >= 1:
        return f"({error:.{max(0, digits)}f})"
    return f"({round(error * 10**digits)})"
