"""Workers of a campaign that are killed or stopped at any moment."""
import json
import os
import random
import shutil
import signal
import time

import pytest

from launched import Launched
from program import GENERATE, MEASURE, Sandbox

LEFT_OUT = 10  # exit code: of the fields that are damaged
KILLS = int(os.environ.get("PLAQ_CAMPAIGN_KILLS", "8"))
FIELDS = 40 if KILLS > 20 else 8
DAMAGED = ("000006", "000012")
TASKS = ("measure", "pion")

PION = """job = "propagator"
[gauge]
files = ["x"]
[action]
kappa = 0.11
[source]
count = 4
shift = [0, 0, 0, 2]
[solver]
tolerance = 1e-9
max_iterations = 60
[output]
file = "x.h5"
[run]
location = "host"
threads = 1
tuning = "off"
"""
CAMPAIGN = """[ensemble]
files = "field.{trajectory}.nersc"
[task.measure]
job = "measure.toml"
[task.pion]
job = "pion.toml"
[workers]
heartbeat = 0.2
lease_timeout = 2
[retry]
lost = 1000
"""


@pytest.fixture(scope="module")
def calm(tmp_path_factory):
    """What one undisturbed worker makes."""
    box = Sandbox(tmp_path_factory.mktemp("calm"))
    box.write("generate.toml", GENERATE)
    box.plaq(f"run generate.toml --set update.configurations={FIELDS}").succeeded()
    for name in DAMAGED:
        content = bytearray(box.bytes(f"field.{name}.nersc"))
        content[-100] ^= 4
        box.write(f"field.{name}.nersc", bytes(content))
    box.write("measure.toml", MEASURE)
    box.write("pion.toml", PION)
    box.write("campaign.toml", CAMPAIGN)
    assert box.plaq("campaign run .").code == LEFT_OUT
    return box


@pytest.fixture
def ensemble(box, calm):
    """The same fields and jobs, before anything is done."""
    for name in (*calm.names("*.toml"), *calm.names("field.*")):
        if name != "quarantine.toml":
            shutil.copy(calm / name, box / name)
    return box


def events_of(box):
    for file in (box / "log").glob("*.jsonl"):
        for line in file.read_text(errors="replace").splitlines():
            try:
                event = json.loads(line)
            except ValueError:  # cut when its worker was killed
                continue
            if isinstance(event, dict):
                yield event


def test_leave_no_lease_of_an_item_that_is_left_out(ensemble):
    """Another worker has found the field damaged, so that nobody takes the item over."""
    with Launched(ensemble, "campaign run .") as run:
        run.waits_for(lambda: os.path.isdir(ensemble / "leases") and os.listdir(ensemble / "leases"), 0.01)
        time.sleep(0.1)  # until its words are in it
        name = os.listdir(ensemble / "leases")[0]
        text = ensemble.text(f"leases/{name}")
        run.kill()
    assert '"process"' in text, text
    assert ensemble.plaq("campaign run .").code == LEFT_OUT
    ensemble.write(f"leases/pion@{DAMAGED[0]}.0", text)
    assert ensemble.plaq("campaign run .").code == LEFT_OUT
    assert not os.listdir(ensemble / "leases")


def test_leave_what_one_undisturbed_worker_makes(ensemble, calm):
    box, chosen = ensemble, random.Random(7)
    running, killed = [None] * 4, 0
    try:
        while killed < KILLS:
            running = [one or Launched(box, "campaign run .") for one in running]
            time.sleep(0.01 + 0.25 * chosen.random())
            i = chosen.randrange(len(running))
            if running[i].ended():  # one that ended of itself is started again
                assert running[i].code() in (0, LEFT_OUT), running[i].err()
            else:
                killed += 1
                running[i].kill()
            running[i] = None
            # All is done before the kills are: some of it is undone.
            if box.exists("results/pion.h5"):
                for task in TASKS:
                    for name in ("000002.h5", "000004.h5", "000008.h5"):
                        (box / f"rows/{task}/{name}").unlink(missing_ok=True)
                (box / "results/pion.h5").unlink(missing_ok=True)
    finally:
        for one in running:
            if one:
                one.kill()
    last = box.plaq("campaign run .")
    assert last.code == LEFT_OUT, last

    rows = 0
    for task in TASKS:
        assert box.bytes(f"results/{task}.h5") == calm.bytes(f"results/{task}.h5")
        for row in os.listdir(calm / f"rows/{task}"):
            rows += 1
            assert box.bytes(f"rows/{task}/{row}") == calm.bytes(f"rows/{task}/{row}"), row
    assert rows == 2 * (FIELDS - len(DAMAGED))
    quarantine = box.text("quarantine.toml")
    for name in DAMAGED:
        assert f"[all.{name}]" in quarantine, quarantine
    assert not os.listdir(box / "leases")
    # What is left in work/ is of nothing that is done.
    for path in (box / "work").rglob("*"):
        assert path.is_dir() or any(name in str(path) for name in DAMAGED), path


def test_compute_nothing_twice_but_what_was_in_hand(ensemble):
    """Each item has one start that was neither lost nor failed nor stopped."""
    running = [Launched(ensemble, "campaign run .") for _ in range(4)]
    try:
        time.sleep(0.3)
        running[1].kill()
        for one in running:
            assert one.ends_within(60), one.err()
    finally:
        for one in running:
            one.kill()
    later = ensemble.plaq("campaign run .")
    assert later.code == LEFT_OUT, later
    counts = {}
    for event in events_of(ensemble):
        kind = "excused" if event["event"] in ("lost", "failed", "stopped") else event["event"]
        of_item = counts.setdefault(event.get("item", ""), {})
        of_item[kind] = of_item.get(kind, 0) + 1
    for item, found in counts.items():
        if "start" in found:
            assert found.get("done", 0) <= 1, item
            assert found["start"] == found.get("done", 0) + found.get("excused", 0), item


def test_one_that_sleeps_does_no_harm(ensemble, calm):
    with Launched(ensemble, "campaign run . --task pion") as sleeper:
        sleeper.waits_for(lambda: ensemble.exists("rows/pion/000002.h5"), 0.005)

        def tell(number):
            for process in sleeper.processes():
                os.kill(process, number)
            sleeper.signal(number)

        tell(signal.SIGSTOP)
        other = ensemble.plaq("campaign run . --task pion")
        assert other.code == LEFT_OUT, other
        # What it had in hand is taken over when it gave no sign of life for two seconds.
        time.sleep(2.5)
        assert ensemble.plaq("campaign run . --task pion").code == LEFT_OUT
        tell(signal.SIGCONT)
        assert sleeper.ends_within(sleeper.age() + 60)
        said = sleeper.err()
    assert ensemble.plaq("campaign run .").code == LEFT_OUT
    assert ensemble.bytes("results/pion.h5") == calm.bytes("results/pion.h5"), said
    assert ensemble.bytes("results/measure.h5") == calm.bytes("results/measure.h5")
    assert not os.listdir(ensemble / "leases")
