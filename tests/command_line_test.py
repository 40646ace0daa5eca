"""Runs the commands of docs/command-line.md and compares what they print. Usage: command_line_test.py PLAQ SOURCES; exit
code 77: skipped.

In a block, a line "$ COMMAND" is followed by what the command prints, or by nothing where that is not compared. What is
compared, and what "..." stands for: docs/tutorials/shown.py.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

PLAQ, SOURCES = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
sys.path.insert(0, str(SOURCES / "docs" / "tutorials"))
from shown import blocks, difference, normal, same_line  # noqa: E402

MARK = "=== this command has ended with code"


def blocks_of(text, language):
    return [block.text for block in blocks(text) if block.language == language]


def commands(block):
    """(command, the lines shown below it)"""
    found = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif found:
            found[-1][1].append(line)
    return [(command, [line for line in shown if line.strip()]) for command, shown in found]


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
    for block in blocks_of(text, ""):
        for command, shown in commands(block):
            lines, code = shell.run(command)
            if code:
                wrong.append(f"$ {command}\nended with code {code}:\n" + "\n".join(lines[-20:]))
                continue
            shown, printed = normal(shown), normal(lines)
            missing = difference(shown, printed) if shown else None
            if missing is not None:
                wrong.append(f"$ {command}\nthe page shows: {missing}\nprinted:\n" + "\n".join(printed[-60:]))
    return wrong


def check_python(text, directory):
    """A comment behind the last print: what it prints, line by line, "..." for the digits that follow."""
    wrong = []
    for block in blocks_of(text, "python"):
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
    text = (SOURCES / "docs" / "command-line.md").read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as name:
        clone = pathlib.Path(name)
        os.symlink(SOURCES / "examples", clone / "examples")
        (clone / "build").mkdir()
        os.symlink(PLAQ.parent.parent, clone / "build" / "setup")
        wrong = check_console(text, clone) + check_python(text, clone / "first")
    for complaint in wrong:
        print(complaint, end="\n\n")
    print("The page is right" if not wrong else f"{len(wrong)} of its commands print something else")
    return 1 if wrong else 0


sys.exit(main())
