"""plaq convert and plaq info on files of one directory."""
import json


def flipped(content, at, mask):
    """With other bits in one byte."""
    content = bytearray(content)
    content[at] ^= mask
    return bytes(content)


class Converting:
    def __init__(self, box):
        self.box = box

    def convert(self, arguments, ranks=1):
        return self.box.plaq("convert " + arguments, ranks)

    def make(self, arguments, ranks=1):
        """Replaces what is there; returns what was said."""
        return self.convert("--overwrite " + arguments, ranks).succeeded().err

    def show(self, arguments, ranks=1):
        return self.box.plaq("info " + arguments, ranks)

    def info(self, arguments):
        return json.loads(self.show("--json " + arguments).succeeded().out)

    def expect_damaged(self, name, *parts):
        """On two ranks, as plaq info sees it."""
        outcome = self.show(name, 2)
        outcome.failed(4, name, *parts)
        return outcome
