"""The programs of examples/python print what they say, on any number of ranks."""
import contextlib
import io
import pathlib
import re
import runpy
import unittest

import support

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "examples/python"
NUMBER = re.compile(r"\d+\.\d+")


class Examples(unittest.TestCase):
    def test_they_print_what_they_say(self):
        programs = sorted(FOLDER.glob("*.py"))
        self.assertTrue(programs)
        for path in programs:
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                program = runpy.run_path(str(path), run_name="__main__")
            if support.RANK > 0:
                self.assertEqual(printed.getvalue(), "")
                continue
            shown = program["__doc__"].partition("It prints\n\n")[2].splitlines()
            lines = printed.getvalue().splitlines()
            self.assertEqual(len(lines), len(shown))
            for line, expected in zip(lines, shown):
                self.assertEqual(NUMBER.sub("#", line), NUMBER.sub("#", expected.strip()))
                for a, b in zip(NUMBER.findall(line), NUMBER.findall(expected)):
                    self.assertAlmostEqual(float(a), float(b), delta=1e-3 * float(b) + 1e-12)


if __name__ == "__main__":
    support.main()
