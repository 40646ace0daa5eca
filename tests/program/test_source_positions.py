"""Sites of sources: random ones, by random numbers of Philox made here, grids, and beginnings at random sites."""
import numpy
import pytest

EXTENTS = (4, 4, 4, 8)  # of the fields of trajectories 2 and 4
TRAJECTORIES = (2, 4)
PURPOSE = 10  # source_position in core/algebra/random.hpp


def philox(key, counter):
    """Philox4x32-10 of Salmon et al. 2011: four words of 32 bits."""
    low, high = key & 0xFFFFFFFF, key >> 32
    a, b, c, d = counter
    for _ in range(10):
        first, second = 0xD2511F53 * a, 0xCD9E8D57 * c
        a, b, c, d = second >> 32 ^ b ^ low, second & 0xFFFFFFFF, first >> 32 ^ d ^ high, first & 0xFFFFFFFF
        low, high = low + 0x9E3779B9 & 0xFFFFFFFF, high + 0xBB67AE85 & 0xFFFFFFFF
    return a, b, c, d


def random_site(seed, trajectory, number, replica=0):
    words = philox(seed, (trajectory & 0xFFFFFFFF, trajectory >> 32 | PURPOSE << 16, number, replica))
    return [word * extent >> 32 for word, extent in zip(words, EXTENTS)]


def positions(propagators, name, more, ranks=1):
    return propagators.run(name, "--set solver.tolerance=1e-3 " + more, ranks)["/sources/position"].tolist()


def test_philox_is_that_of_its_authors():
    """Known answers of Random123 (kat_vectors)."""
    assert philox(0, (0, 0, 0, 0)) == (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)


def test_random_sites(propagators):
    more = "--set source.positions=random --set source.position_seed=5 --set source.count=3 "
    expected = [[random_site(5, trajectory, k) for k in range(3)] for trajectory in TRAJECTORIES]
    assert expected[0] == [[1, 1, 1, 6], [3, 0, 0, 0], [3, 1, 0, 6]], "never to change"
    assert positions(propagators, "random", more) == expected
    # They belong to the field, not to its place in the job, and not to the ranks.
    other = positions(propagators, "other", more + """--set 'gauge.files=["field.000004.nersc","field.000002.nersc"]'""", 2)
    assert other == expected[::-1]
    # Numbers of names go before those of headers: a copy of trajectory 4 that is called 7, of replica 3.
    propagators.box.write("run3.7.nersc", propagators.box.bytes("field.000004.nersc"))
    named = more + "--set gauge.files=run3.7.nersc --set gauge.numbering=run{replica}.{trajectory}.nersc "
    assert positions(propagators, "named", named) == [[random_site(5, 7, k, 3) for k in range(3)]]
    # A correlator is that of the site.
    first = propagators.run("first", "--set solver.tolerance=1e-3 --set gauge.files=field.000002.nersc --set source.position=[3,0,0,0]")
    found = propagators.run("found", "--set solver.tolerance=1e-3 --set gauge.files=field.000002.nersc " + more)
    pion = "/correlators/pion/p_0_0_0/point"
    assert numpy.array_equal(found[pion][:, 1], first[pion][:, 0])


def test_grids_and_random_origins(propagators):
    grid = "--set source.positions=grid --set source.grid=[2,1,1,4] "
    sites = [[x, 0, 0, t] for t in (0, 2, 4, 6) for x in (0, 2)]
    assert positions(propagators, "grid", grid) == [sites, sites]
    moved = positions(propagators, "moved", grid + "--set source.random_origin=true --set source.position_seed=7", 2)
    for trajectory, found in zip(TRAJECTORIES, moved):
        origin = random_site(7, trajectory, 0xFFFFFFFF)
        assert found == [[(a + b) % extent for a, b, extent in zip(site, origin, EXTENTS)] for site in sites]


@pytest.mark.parametrize("more, parts", (
    ("positions=random", ("position_seed", "seed")),
    ("position_seed=1", ("position_seed", "leave the key out")),
    ("positions=random --set source.position_seed=1 --set source.position=[1,0,0,0]", ("'position'", "random")),
    ("positions=grid --set source.grid=[3,1,1,1] --set lattice.extents=[4,4,4,8]", ("grid", "equal distances")),
    ("positions=grid --set source.grid=[3,1,1,1]", ("grid", "equal distances")),
    ("positions=grid --set source.count=2", ("count", "as many sources as sites")),
    ("grid=[2,1,1,1]", ("grid", "positions")),
    ("positions=random --set source.position_seed=1 --set source.shift=[1,0,0,0]", ("shift", "leave the key out")),
    ("positions=grid --set source.grid=[2,0,1,1]", ("grid", "1 to 4096"))))
def test_wrong_keys_are_one_error(propagators, more, parts):
    propagators.propagator("--set source." + more).failed(3, *parts)


def test_fields_without_a_trajectory_are_refused(propagators):
    box = propagators.box
    nameless = box.bytes("field.000002.nersc").replace(b"SEQUENCE_NUMBER", b"SEQUENCE_NOTHIN")
    box.write("nameless.nersc", nameless)
    more = "--set gauge.files=nameless.nersc --set source.positions=random --set source.position_seed=5 --set solver.tolerance=1e-3 "
    propagators.propagator(more, 2).failed(3, "nameless.nersc", "trajectory", "numbering")
    assert not box.exists("pion.h5")
