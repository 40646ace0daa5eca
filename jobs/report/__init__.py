"""One HTML page of all that a campaign found (docs/campaigns.md). Needs h5py, numpy, matplotlib and the package analyse."""
