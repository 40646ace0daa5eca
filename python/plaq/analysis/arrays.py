"""Names of types that the analysis has everywhere."""
from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, Union

import numpy.typing

Array = numpy.typing.NDArray[Any]
Estimate = Callable[[Array], Array]  # [...][mean] -> [...], or [...][number]
Path = Union[str, "os.PathLike[str]"]
