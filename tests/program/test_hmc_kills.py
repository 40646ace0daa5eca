"""Signals and kills within trajectories of all sea quarks that test_hmc_checkpoints.py leaves out."""
import pytest

from hmc_chains import FEW, JOBS, copied, expect_kills_change_no_bit, expect_signals_change_no_bit


@pytest.fixture(params=[name for name in JOBS if name not in FEW])
def chain(box, undisturbed, request):
    """A chain that was not disturbed."""
    return copied(undisturbed(request.param, JOBS[request.param]), box)


def test_signals_at_any_moment_change_no_bit(chain):
    expect_signals_change_no_bit(chain)


def test_kills_at_any_moment_change_no_bit(chain):
    expect_kills_change_no_bit(chain)
