"""What a page shows of a program's output, against what the program prints.

"..." alone in a line stands for any lines, within a line for any characters. Times of day and seconds are not compared, nor
are numbers of threads, the commit of the version, lines of progress, and what Matplotlib says on its first day.
"""
import re

_PROGRESS = re.compile(r"^[\w ]+: (\d+%|done in |page \d+, )|^Matplotlib ")
_PASSING = [(re.compile(r"\b\d\d:\d\d:\d\d\b"), "HH:MM:SS"), (re.compile(r"\b[\d.]+ s\b"), "N s"),
            (re.compile(r"\d+ thread"), "N thread"), (re.compile(r"(plaq \d+\.\d+\.\d+)\+g\w+"), r"\1")]


class Block:
    """What stands between fences: lines begin .. end - 1 of the page, counted from 0, without the fences."""

    def __init__(self, language, begin):
        self.language, self.begin, self.end = language, begin, begin
        self.lines = []

    @property
    def text(self):
        return "".join(line + "\n" for line in self.lines)


def blocks(page):
    """All of them, in order."""
    found, inside = [], None
    for number, line in enumerate(page.splitlines()):
        if not line.startswith("```"):
            if inside is not None:
                inside.lines.append(line)
        elif inside is None:
            inside = Block(line[3:].strip(), number + 1)
        else:
            inside.end = number
            found.append(inside)
            inside = None
    return found


def normal(lines):
    """Lines that are compared, without what differs from run to run."""
    kept = []
    for line in lines:
        line = line.rstrip()
        if not line or _PROGRESS.match(line):
            continue
        for pattern, name in _PASSING:
            line = pattern.sub(name, line)
        kept.append(line)
    return kept


def same_line(shown, printed):
    return re.fullmatch(".*".join(re.escape(part) for part in shown.split("...")), printed) is not None


def difference(shown, printed):
    """The first line that is shown and does not follow on those before it, or None. Both are normal()."""
    at, anywhere = 0, False
    for line in shown:
        if line == "...":
            anywhere = True
            continue
        while at < len(printed) and anywhere and not same_line(line, printed[at]):
            at += 1
        if at == len(printed) or not same_line(line, printed[at]):
            return line
        at, anywhere = at + 1, False
    return None if anywhere or at == len(printed) else f"nothing more, but {printed[at]!r} is printed"
