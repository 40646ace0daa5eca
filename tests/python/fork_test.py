"""Children of fork(): they work where the parent has no threads, or are told to use spawn; and signals end them."""
import multiprocessing
import unittest

import support
from forked import plaquette

# Each in an interpreter of its own, whose history is known.
HISTORIES = {
    "imported alone": ("", "worked"),
    "one thread": ("plaquette(1)", "worked"),
    "two threads": ("plaquette(2)", "spawn"),
    "two threads, then one": ("plaquette(2), plaquette(1)", "spawn"),
}


@support.alone
class Forks(unittest.TestCase):
    def run_alone(self, program):
        return support.run_without_mpi("from forked import *\n" + program).split()

    def test_a_child_works_or_is_told_to_be_spawned(self):
        for name, (history, word) in HISTORIES.items():
            program = history + "\nprint(attempt(lambda: plaquette(2)), attempt(lambda: plaquette(1)))"
            self.assertEqual(self.run_alone(program), [word, word], name)

    def test_fields_of_the_parent(self):
        for threads, word in ((1, "worked"), (2, "spawn")):
            self.assertEqual(self.run_alone(f"""
q = plaq.point_source(plaq.Lattice([4, 4, 4, 8], location="host", threads={threads}), (0, 0, 0, 0))
numbers = q.array()
for job in (q.array, lambda: q.set(numbers), q.norm2, lambda: 2 * q):
    print(attempt(job))
"""), [word] * 4)

    def test_a_child_of_a_child(self):
        self.assertEqual(self.run_alone("plaquette(2)\nprint(attempt(lambda: print(attempt(lambda: plaquette(1)))))"),
                         ["spawn", "worked"])

    def test_objects_of_the_parent_go_in_the_child(self):
        program = "L = [plaq.Lattice([4, 4, 4, 8], location='host', threads=2)]\nprint(attempt(lambda: L.clear()))"
        self.assertEqual(self.run_alone(program), ["worked"])

    def test_a_child_of_a_source_function_ends_by_sigterm(self):
        program = """
L = plaq.Lattice([4, 4, 4, 8], location="host", threads=2)
children = []
def fill(batch, first):
    child = os.fork()
    if child == 0:
        time.sleep(60)
        os._exit(0)
    os.kill(child, signal.SIGTERM)
    children.append(os.waitpid(child, 0)[1])
    raise ZeroDivisionError
try:
    plaq.solve(plaq.Wilson(plaq.unit_gauge(L), mass=1.0), fill)
except ZeroDivisionError:
    print(*[os.WTERMSIG(status) == signal.SIGTERM for status in children])
"""
        self.assertEqual(self.run_alone(program), ["True"])

    def test_a_child_that_is_forked_during_a_call(self):
        program = """
import threading
D = plaq.Wilson(plaq.unit_gauge(plaq.Lattice([4, 4, 4, 8], location="host", threads=1)), mass=1.0)
within, over = threading.Event(), threading.Event()
def solve(fill):
    try:
        plaq.solve(D, fill)
    except ZeroDivisionError:
        pass
def fork_here(batch, first):
    print(attempt(lambda: plaquette(1)))
    raise ZeroDivisionError
def wait_here(batch, first):
    within.set()
    over.wait()
    raise ZeroDivisionError
solve(fork_here)
thread = threading.Thread(target=lambda: (plaquette(1), solve(wait_here)))
thread.start()
within.wait()
print(attempt(lambda: plaquette(1)))
over.set()
thread.join()
print(attempt(lambda: plaquette(1)))
"""
        self.assertEqual(self.run_alone(program), ["spawn", "spawn", "worked"])

    def test_a_pool_that_is_spawned(self):
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            self.assertEqual(pool.map(plaquette, [2, 1]), [plaquette(2)] * 2)


if __name__ == "__main__":
    support.main()
