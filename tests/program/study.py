"""A directory with the study of a job file, study.toml, and what it leaves behind."""
import json
import struct


class Study:
    def __init__(self, box, job):
        self.box = box
        box.write("study.toml", job)

    def run(self, more="", ranks=1):
        return self.box.plaq("run study.toml " + more, ranks)

    def results(self, name="study.json"):
        return json.loads(self.box.text(name))

    def rows(self, name="study.json"):
        return self.results(name)["rows"]

    def numbers(self):
        return self.box.numbers("study.h5")

    def has_journal(self):
        return self.box.exists("study.h5.journal")

    def outlook(self, more=""):
        return json.loads(self.box.plaq("plan study.toml --json " + more).out)["outlook"]["kind"]

    def forget(self, *more):
        for file in ("study.h5", "study.json", "study.txt", *more):
            (self.box / file).unlink(missing_ok=True)


def journal_records(content):
    """(kind, key, payload) of each whole record; jobs/results/journal.hpp describes the file."""
    found, at = [], 12
    assert content[:8] == b"plaqJRNL"[:len(content)]
    while at + 20 <= len(content):
        kind, key, payload = struct.unpack("<IIQ", content[at:at + 16])
        begin = at + 20
        at = begin + key + payload + 4
        if at <= len(content):
            found.append((kind, content[begin:begin + key].decode(), content[begin + key:begin + key + payload]))
    return found
