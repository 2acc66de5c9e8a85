"""Every count is accounted for, whatever is killed, paused, flooded or cut off (storm.py says what is exact, and why).

    accounting_test.py [--seconds N] [--restarts N] [--stopped N] [--seed S]     the seed is printed

tools/soak runs the full length.
"""
import argparse
import sys
import unittest

from storm_runs import orphan_run, restart_run, stop_run, storm_run, told

OPTIONS = argparse.Namespace(seconds=10, restarts=10, stopped=6, seed=1)


class Accounting(unittest.TestCase):
    def check(self, name, figures):
        print(f"{name}, seed {OPTIONS.seed}: {told(figures)}", file=sys.stderr)
        self.assertEqual(figures["difference"], 0)
        return figures

    def test_a_storm_loses_no_count(self):
        self.check("storm", storm_run(OPTIONS.seed, OPTIONS.seconds))

    def test_a_daemon_killed_and_restarted_under_load(self):
        figures = self.check("restarts", restart_run(OPTIONS.seed, OPTIONS.restarts))
        self.assertEqual(figures["lives"], OPTIONS.restarts + 1)

    def test_batches_of_an_application_that_died_while_they_were_under_way(self):
        figures = self.check("orphans", orphan_run(OPTIONS.seed))
        self.assertGreater(figures["settled"], 0)

    def test_a_daemon_stopped_under_load(self):
        self.check("stop", stop_run(OPTIONS.seed, OPTIONS.stopped))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    for name, default in vars(OPTIONS).items():
        parser.add_argument(f"--{name}", type=int, default=default)
    OPTIONS, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
