"""A producer that floods the daemon costs the others nothing, and every access of it is counted or named."""
import subprocess
import time
import unittest

from harness import BUILD, FAST, Daemon, eventually


def figures(output):
    """The "name value" lines of our load programs; a value may be a word."""
    return dict(line.split(" ", 1) for line in output.splitlines() if " " in line)


def number(lines, name):
    return float(lines[name])


class Overload(unittest.TestCase):
    def test_a_flooding_producer_costs_the_others_at_most_one_percent(self):
        with Daemon(FAST.replace('match: "*"', 'match: "hot:*"')) as daemon:
            flood = subprocess.Popen([BUILD / "bench/report_load", "--socket", daemon.socket_path, "--ns", "flood",
                                      "--offer", "100000000", "--seconds", "6"], stdout=subprocess.PIPE, text=True)
            steady = subprocess.run([BUILD / "bench/steady_load", "--socket", daemon.socket_path, "--seconds", "4"],
                                    capture_output=True, text=True, timeout=120)
            flooded, _ = flood.communicate(timeout=120)
            self.assertEqual(steady.returncode, 0, steady.stderr)
            small, big = figures(steady.stdout), figures(flooded)

            self.assertGreater(number(big, "dropped"), number(big, "acknowledged"), "more was offered than taken")
            self.assertLessEqual(number(small, "worst_missing_percent"), 1)
            self.assertEqual(number(small, "pending"), 0)
            self.assertEqual(daemon.metric('source_accesses_total{source="report",ns="steady"}'),
                             number(small, "acknowledged"))
            self.assertEqual(daemon.metric('source_accesses_total{source="report",ns="flood"}'),
                             number(big, "acknowledged"))
            self.assertEqual(daemon.metric('source_dropped_accesses_total{source="report",reason="overload"}'),
                             number(small, "dropped") + number(big, "dropped"))
            self.assertEqual(daemon.metric("source_lost_accesses_total"), 0)

    def test_what_was_dropped_during_a_stop_makes_no_cold_key_hot(self):
        """500 keys at 60 a second each, threshold 100; the SDK gives up after 10 s without an answer, and drops."""
        with Daemon(FAST) as daemon:
            load = subprocess.Popen([BUILD / "bench/steady_load", "--socket", daemon.socket_path, "--clients", "2",
                                     "--rate", "15000", "--seconds", "17"], stdout=subprocess.PIPE, text=True)
            eventually(lambda: (daemon.metric("source_accesses_total") or 0) > 10_000)
            daemon.pause()
            time.sleep(12)
            daemon.resume()
            small = figures(load.communicate(timeout=60)[0])
            self.assertGreater(number(small, "dropped"), 100_000)
            self.assertEqual(daemon.metric('source_dropped_accesses_total{source="report",reason="overload"}'),
                             number(small, "dropped"))
            self.assertEqual(daemon.metric("detector_decisions_total"), 0)


if __name__ == "__main__":
    unittest.main()
