"""What systemd is told, and that the watchdog starves when either thread hangs: a debugger really stops one."""
import time
import unittest
import urllib.error

from harness import FAST, eventually
from notify_tools import CONTROL_THREAD, DATA_THREAD, HeldThread, NotifiedDaemon

TIMEOUT_US = 800_000


class Watchdog(unittest.TestCase):
    def check_starves(self, thread):
        with NotifiedDaemon(FAST, TIMEOUT_US) as daemon:
            eventually(lambda: daemon.feeds() >= 3, what="three feeds")
            with HeldThread(daemon.thread(thread)):
                time.sleep(TIMEOUT_US / 1e6)  # One feed may be under way, another look at a fresh tick.
                starved = daemon.feeds()
                time.sleep(3 * TIMEOUT_US / 1e6)
                self.assertEqual(daemon.feeds(), starved, f"feeds while {thread} hangs")
            eventually(lambda: daemon.feeds() >= starved + 2, what="feeds once it goes on")
            self.assertEqual(daemon.terminate(), 0)

    def test_starves_when_the_data_thread_hangs(self):
        self.check_starves(DATA_THREAD)

    def test_starves_when_the_control_thread_hangs(self):
        self.check_starves(CONTROL_THREAD)

    def test_readiness_ends_while_the_data_thread_hangs(self):
        with NotifiedDaemon(FAST) as daemon:
            self.assertIn("moving", daemon.http("/readyz?verbose"))
            with HeldThread(daemon.thread(DATA_THREAD)):
                eventually(lambda: self.status(daemon) == 503, what="503 from /readyz")
            eventually(lambda: self.status(daemon) == 200, what="200 from /readyz again")

    @staticmethod
    def status(daemon):
        try:
            daemon.http("/readyz")
        except urllib.error.HTTPError as error:
            return error.code
        return 200

    def test_systemd_is_told_of_start_reload_and_stop(self):
        with NotifiedDaemon(FAST + "drain: 3s\n") as daemon:
            daemon.hotkey("RELOAD")
            began = time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000
            self.assertEqual(daemon.terminate(), 0)
            eventually(lambda: "STOPPING=1" in daemon.told, what="STOPPING=1")
            states = [line for line in daemon.told if line in ("READY=1", "RELOADING=1", "STOPPING=1")]
            self.assertEqual(states, ["READY=1", "RELOADING=1", "READY=1", "STOPPING=1"])
            self.assertIn("EXTEND_TIMEOUT_USEC=8000000", daemon.told)
            (at,) = [int(line.split("=")[1]) for line in daemon.told if line.startswith("MONOTONIC_USEC=")]
            self.assertTrue(0 <= began - at < 60_000_000, f"reload at {at}, now {began}")

    def test_a_refused_reload_ends_too(self):
        with NotifiedDaemon(FAST) as daemon:
            daemon.write_config("nonsense: 1\n")
            with self.assertRaisesRegex(Exception, "hotkeyd.yaml:1:1: nonsense"):
                daemon.hotkey("RELOAD")
            eventually(lambda: daemon.told.count("READY=1") == 2, what="the second READY=1")
            self.assertRegex(daemon.told[-1], "^STATUS=.*refused.*nonsense")


if __name__ == "__main__":
    unittest.main()
