"""Runs the commands of README.md and compares what they print. Usage: readme_test.py PLAQ SOURCES; 77: skipped.

In a block, a line "$ COMMAND" is followed by what the command prints, or by nothing where that is not compared. "..."
alone in a line stands for any lines, within a line for any characters. Times of day and seconds are not compared, nor are
numbers of threads, the commit of the version, lines of progress, and what Matplotlib says on its first day.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

PLAQ, SOURCES = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
MARK = "=== this command has ended with code"
PROGRESS = re.compile(r"^[\w ]+: (\d+%|done in |page \d+, )|^Matplotlib ")
PASSING = [(re.compile(r"\b\d\d:\d\d:\d\d\b"), "HH:MM:SS"), (re.compile(r"\b[\d.]+ s\b"), "N s"),
           (re.compile(r"\d+ thread"), "N thread"), (re.compile(r"(plaq \d+\.\d+\.\d+)\+g\w+"), r"\1")]


def blocks(text, language):
    """What stands between fences of this language."""
    found, inside = [], None
    for line in text.splitlines(keepends=True):
        if not line.startswith("```"):
            if inside is not None:
                inside[1].append(line)
        elif inside is None:
            inside = (line[3:].strip(), [])
        else:
            found.append(inside)
            inside = None
    return ["".join(lines) for name, lines in found if name == language]


def commands(block):
    """(command, the lines shown below it)"""
    found = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif found:
            found[-1][1].append(line)
    return [(command, [line for line in shown if line.strip()]) for command, shown in found]


def normal(lines):
    kept = []
    for line in lines:
        line = line.rstrip()
        if not line or PROGRESS.match(line):
            continue
        for pattern, name in PASSING:
            line = pattern.sub(name, line)
        kept.append(line)
    return kept


def same_line(shown, printed):
    return re.fullmatch(".*".join(re.escape(part) for part in shown.split("...")), printed) is not None


def difference(shown, printed):
    """The first line of README.md that does not follow on those before it, or None."""
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


class Shell:
    """One bash for all commands, so that directories and variables last."""

    def __init__(self, directory):
        self.bash = subprocess.Popen(["bash"], cwd=directory, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                     stderr=subprocess.STDOUT)

    def run(self, command):
        self.bash.stdin.write(f"{{ {command}\n}} < /dev/null\necho '{MARK}' $?\n")
        self.bash.stdin.flush()
        lines = []
        for line in self.bash.stdout:
            before, mark, code = line.partition(MARK)
            if mark:
                return lines + ([before] if before else []), int(code)
            lines.append(line.rstrip("\n"))
        raise RuntimeError(f"the shell ended at: {command}")


def check_console(text, directory):
    wrong = []
    shell = Shell(directory)
    for block in blocks(text, ""):
        for command, shown in commands(block):
            lines, code = shell.run(command)
            if code:
                wrong.append(f"$ {command}\nended with code {code}:\n" + "\n".join(lines[-20:]))
                continue
            shown, printed = normal(shown), normal(lines)
            missing = difference(shown, printed) if shown else None
            if missing is not None:
                wrong.append(f"$ {command}\nREADME.md shows: {missing}\nprinted:\n" + "\n".join(printed[-60:]))
    return wrong


def check_python(text, directory):
    """A comment behind the last print: what it prints, line by line, "..." for the digits that follow."""
    wrong = []
    for block in blocks(text, "python"):
        done = subprocess.run([sys.executable, "-c", block], cwd=directory, capture_output=True, text=True)
        shown = re.findall(r"#\s*(.*)$", block.splitlines()[-1])
        expected = shown[0].split(", ") if shown else []
        printed = done.stdout.splitlines()
        printed = printed[1:1 + len(expected)]  # the first line is that of the first print
        if done.returncode or len(printed) < len(expected) or not all(map(same_line, expected, printed)):
            wrong.append(f"{block}\nexpected {expected}, printed:\n{done.stdout}{done.stderr}")
    return wrong


def main():
    try:
        import h5py  # noqa: F401
        import matplotlib  # noqa: F401
    except ImportError as error:
        print(f"skipped: {error}")
        return 77
    text = (SOURCES / "README.md").read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as name:
        clone = pathlib.Path(name)
        os.symlink(SOURCES / "examples", clone / "examples")
        (clone / "build").mkdir()
        os.symlink(PLAQ.parent.parent, clone / "build" / "setup")
        wrong = check_console(text, clone) + check_python(text, clone / "first")
    for complaint in wrong:
        print(complaint, end="\n\n")
    print("README.md is right" if not wrong else f"{len(wrong)} of README.md's commands print something else")
    return 1 if wrong else 0


sys.exit(main())
