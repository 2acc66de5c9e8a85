"""What happens to processes: descriptors run out, the clock is set back, applications fork, sockets are left behind."""
import contextlib
import json
import os
import resource
import subprocess
import threading
import time
import unittest
from pathlib import Path

from fault_tools import Worker, report_accesses
from harness import STAYS_HOT, Daemon, eventually, next_event

FAKETIME = next(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"), None)
DESCRIPTORS = 64


class FewDescriptors(Daemon):
    def command(self):
        return ["/usr/bin/prlimit", f"--nofile={DESCRIPTORS}:{DESCRIPTORS}", *super().command()]


class OtherClock(Daemon):
    """A daemon whose wall clock can be set; the monotonic one runs on, as when an operator sets the time."""

    def __init__(self, *args, **words):
        super().__init__(*args, **words)
        self.set_clock(0)

    def set_clock(self, seconds):
        (self.dir / "clock.new").write_text(f"{seconds:+d}\n")
        (self.dir / "clock.new").rename(self.dir / "clock")

    def command(self):
        return ["/usr/bin/env", f"LD_PRELOAD={FAKETIME}", f"FAKETIME_TIMESTAMP_FILE={self.dir}/clock", "FAKETIME_NO_CACHE=1",
                "FAKETIME_DONT_FAKE_MONOTONIC=1", *super().command()]


class ProcessFaults(unittest.TestCase):
    def test_descriptors_run_out(self):
        with FewDescriptors(STAYS_HOT) as daemon, Worker(daemon.url) as worker, contextlib.ExitStack() as stack:
            worker("burst 10 10")
            self.assertTrue(worker("flush 20000"))
            client, events = daemon.client(), daemon.events()
            client.ping()
            crowd = [stack.enter_context(daemon.raw()) for _ in range(2 * DESCRIPTORS)]  # The rest waits in the backlog.
            before = cpu_seconds(daemon)
            worker("traffic 0 5 5000")
            next_event(events, "promoted")
            client.execute_command("HOTKEY", "PIN", "shop", "pinned")
            next_event(events, "promoted", "pinned")
            time.sleep(0.5)
            self.assertLess(cpu_seconds(daemon) - before, 0.4, "seconds of processor time: the accept loop spins")
            for connection in crowd:
                connection.close()
            eventually(lambda: daemon.client().ping())
            worker("traffic 0 0 0")
            self.assertTrue(worker("flush 20000"))
            self.assertEqual(sum(report_accesses(daemon)), worker("stats")["acknowledged"])
            self.assertRegex(daemon.log(), "event=(client_refused|accept_failed)")
            self.assertEqual(daemon.terminate(), 0)

    def test_an_application_runs_out_of_descriptors(self):
        with Daemon(STAYS_HOT) as daemon, Worker(daemon.url) as worker:
            worker("burst 100 10")
            self.assertTrue(worker("flush 20000"))
            limit_descriptors(worker, 3)  # Those it has stay open, new ones are refused.
            daemon.kill()
            eventually(lambda: worker("status") == "connecting")
            daemon.start()
            worker("burst 100 10")
            with self.assertRaises(AssertionError):
                eventually(lambda: worker("status") == "connected", timeout=0.5)
            limit_descriptors(worker, 1024)
            self.assertTrue(worker("flush 20000"))
            stats = worker("stats")
            self.assertEqual((stats["acknowledged"], stats["dropped"], stats["balances"]), (200, 0, True))
            self.assertEqual(sum(report_accesses(daemon)), 100)

    @unittest.skipUnless(FAKETIME, "Debian's package faketime is not installed")
    def test_the_clock_is_set_back_an_hour(self):
        with OtherClock(STAYS_HOT) as daemon, Worker(daemon.url) as worker:
            worker("traffic 0 5 5000")
            hot = [f"key:{number}" for number in range(5)]
            eventually(lambda: worker("hot 0 5") == hot)
            events = daemon.events()
            first = events.first["data"]
            for hours in (-1, 0, 1, 0):
                daemon.set_clock(3600 * hours)
                eventually(lambda: abs(wall_clock(daemon) - time.time() - 3600 * hours) < 60, what="the clock set")
                self.assertEqual(changes(events, seconds=0.7), [], f"after the clock was set to {hours:+d} h")
                self.assertEqual(worker("hot 0 5"), hot)
            daemon.hotkey("PIN", "shop", "after")
            self.assertEqual(next_event(events, "promoted", "after")["data"]["epoch"], first["epoch"])
            worker("traffic 0 0 0")
            self.assertTrue(worker("flush 20000"))
            stats = worker("stats")
            self.assertEqual((sum(report_accesses(daemon)), stats["dropped"]), (stats["calls"], 0))

    @unittest.skipUnless(FAKETIME, "Debian's package faketime is not installed")
    def test_a_daemon_restarted_an_hour_earlier_is_followed(self):
        with OtherClock(STAYS_HOT + 'state: "{dir}/state"\n') as daemon, Worker(daemon.url) as worker:
            worker("traffic 0 5 5000")
            hot = [f"key:{number}" for number in range(5)]
            eventually(lambda: worker("hot 0 5") == hot)
            before = worker("epoch")
            daemon.kill()
            daemon.set_clock(-3600)
            daemon.start()
            eventually(lambda: worker("epoch") > before and worker("hot 0 5") == hot)

    def test_an_application_forks(self):
        with Daemon(STAYS_HOT) as daemon, Worker(daemon.url) as worker:
            worker("burst 100 10")
            child = worker("fork")
            self.assertEqual((child["exit"], child["acknowledged"], child["dropped"]), (0, 100, 0))
            self.assertTrue(worker("flush 20000"))
            self.assertEqual(worker("stats")["acknowledged"], 100)
            self.assertEqual(sum(report_accesses(daemon)), 200)

    def test_an_application_forks_while_a_thread_waits_in_flush(self):
        with Daemon(STAYS_HOT) as daemon, Worker(daemon.url) as worker:
            worker("burst 100 10")
            self.assertTrue(worker("flush 20000"))
            daemon.pause()
            worker("burst 100 10")
            waker = threading.Timer(1, daemon.resume)
            waker.start()
            child = worker("fork 3000")  # In the child nobody waits any more; in the parent the wait goes on.
            waker.join()
            self.assertEqual((child["exit"], child["acknowledged"], child["dropped"]), (0, 100, 0))
            self.assertTrue(worker("flush 20000"))
            self.assertEqual(worker("stats")["acknowledged"], 200)
            counted, late = report_accesses(daemon)
            self.assertEqual(counted + late, 300)

    def test_the_socket_of_a_dead_daemon_is_left_behind(self):
        with Daemon(STAYS_HOT) as daemon:
            daemon.kill()
            with Worker(daemon.url) as worker:  # Starts while the file is there and nobody serves it.
                worker("burst 10 10")
                eventually(lambda: worker("status") == "connecting")
                daemon.start()
                self.assertTrue(worker("flush 20000"))
                self.assertEqual(worker("status"), "connected")

    def test_a_socket_file_that_is_none_is_left_alone_and_named(self):
        with Daemon(STAYS_HOT) as daemon:
            daemon.terminate()
            Path(daemon.socket_path).write_text("precious")
            run = subprocess.run(daemon.command(), capture_output=True, text=True, timeout=20)
            self.assertEqual(run.returncode, 78)
            self.assertIn("hotkeyd.sock", run.stderr)
            self.assertEqual(Path(daemon.socket_path).read_text(), "precious")


def changes(events, seconds):
    """The changes of the hot set that come within that time."""
    seen, deadline = [], time.monotonic() + seconds
    while time.monotonic() < deadline:
        message = events.get_message(timeout=0.1)
        event = json.loads(message["data"]) if message else {"type": "hotkey.heartbeat"}
        if event["type"] not in ("hotkey.heartbeat", "hotkey.snapshot"):
            seen.append(event)
    return seen


def limit_descriptors(server, count):
    resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, (count, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))


def wall_clock(daemon):
    return json.loads(daemon.hotkey("SNAPSHOT", "shop"))["data"]["as_of_ms"] / 1000


def cpu_seconds(server):
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    unittest.main()
