"""What is far from the others."""
from __future__ import annotations

from typing import Any

import numpy

DEVIATIONS = 8  # in standard deviations, as the median absolute deviation has them
OF_MAD = 1.4826
FEWEST = 10


def outliers(values: Any) -> list[int]:
    """Indices."""
    values = numpy.asarray(values, dtype=float)
    if len(values) < FEWEST:
        return []
    middle = numpy.nanmedian(values)
    distance = abs(values - middle)
    width = OF_MAD * numpy.nanmedian(distance)
    return [int(i) for i in numpy.flatnonzero((distance > DEVIATIONS * width) & (width > 0))]
