"""What a report is made of."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from ..analysis.blocks import Block

Campaign: TypeAlias = dict[str, Any]  # what the program says of it: jobs/campaign/report_campaign.cpp
Blocks: TypeAlias = Sequence[tuple[str, Block]]  # the name of a task, and what is found in its results
