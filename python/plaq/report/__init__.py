"""One HTML page of all that a campaign found (docs/campaigns.md). Needs h5py, numpy and matplotlib."""
from .report import report_of
