"""What breaks around the daemon does not break it, and is named."""
import random
import signal
import subprocess
import threading
import time
import unittest

from harness import (FAST, HOTKEYD, STAYS_HOT, Daemon, eventually, next_event, report,
                     tell_until_a_subscriber_is_cut)

MALFORMED = [b"*01\r\n$4\r\nPING\r\n", b"*abc\r\n", b"*1\r\n$+4\r\nPING\r\n", b"*1\r\n$-1\r\n", b"*1\r\n:1\r\n",
             b"*1\r\n$99999999999\r\n", b"*1\r\n$x\r\n", b"*1\r\n*1\r\n$4\r\nPING\r\n", b'ECHO "abc\r\n',
             b"*2147483648\r\n", b"*99999999999999999999\r\n", b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"\xff" * 3000,
             b"*3\r\n$6\r\nHOTKEY\r\n$3\r\nHIT\r\n", b"x" * 70000]


class Faults(unittest.TestCase):
    def test_a_second_daemon_on_the_same_socket_harms_nothing(self):
        with Daemon(FAST) as first, Daemon(FAST) as other:
            other.terminate()
            run = subprocess.run([HOTKEYD, "--config", first.dir / "hotkeyd.yaml"], capture_output=True, text=True, timeout=20)
            self.assertEqual(run.returncode, 78, run.stderr)
            self.assertIn("hotkeyd.sock", run.stderr)
            self.assertTrue(first.client().ping())

    def test_a_stale_socket_is_replaced(self):
        with Daemon(FAST) as daemon:
            daemon.kill()
            daemon.start()
            self.assertTrue(daemon.client().ping())

    def test_malformed_requests_from_a_thousand_connections(self):
        dice = random.Random(7)
        with Daemon(FAST) as daemon:
            before = daemon.rss_kib()
            for number in range(1000):
                with daemon.raw() as connection:
                    data = MALFORMED[number % len(MALFORMED)] if number % 2 else dice.randbytes(dice.randrange(1, 3000))
                    try:
                        connection.sendall(data)
                    except ConnectionError:
                        pass
            self.assertTrue(eventually(lambda: daemon.client().ping()))
            self.assertLess(daemon.rss_kib() - before, 64 * 1024)
            eventually(lambda: daemon.metric("server_protocol_errors_total") >= 300)

    def test_a_paused_daemon_fires_nothing_on_waking(self):
        with Daemon(FAST.replace("after: 1s", "after: 2s")) as daemon:
            events, stop = daemon.events(), threading.Event()

            def traffic():
                client, seq = daemon.client(), 0
                while not stop.is_set():
                    seq += 1
                    client.execute_command(*report(seq, ("busy", 10)))
                    stop.wait(0.05)

            thread = threading.Thread(target=traffic)
            thread.start()
            try:
                next_event(events, "promoted", "busy")
                daemon.pause()
                time.sleep(3.5)
                daemon.resume()
                with self.assertRaises(AssertionError):
                    next_event(events, "demoted", timeout=2)
            finally:
                daemon.process.send_signal(signal.SIGCONT)
                stop.set()
                thread.join()

    def test_a_subscriber_that_does_not_read_is_cut_and_others_miss_nothing(self):
        with Daemon(STAYS_HOT) as daemon:
            slow, good = daemon.raw(), daemon.events()
            slow.sendall(b"SUBSCRIBE hotkey:events:shop\r\n")
            eventually(lambda: daemon.metric("server_subscriptions") == 2)
            tell_until_a_subscriber_is_cut(daemon, good)
            slow.close()

    def test_duplicated_and_reordered_batches_count_once(self):
        dice = random.Random(3)
        numbers = [n for n in range(2, 400) for _ in range(dice.choice([1, 1, 2]))]
        order = sorted(numbers, key=lambda n: n + dice.uniform(0, 50))
        with Daemon(FAST.replace("100/s", "1000000000/s")) as daemon:
            client = daemon.client()
            counted = sum(client.execute_command(*report(seq, ("k", 3, 1), ("other", 2))) for seq in [1, *order])
            self.assertEqual(counted, 2 * 399)
            self.assertEqual(daemon.metric("source_accesses_total"), 6 * 399)
            self.assertEqual(daemon.metric("source_lost_batches_total"), 0)

    def test_memory_stays_flat_under_new_keys(self):
        with Daemon(FAST) as daemon:
            client = daemon.client()

            def send(batches, start):
                pipeline = client.pipeline(transaction=False)
                for seq in range(start, start + batches):
                    pipeline.execute_command(*report(seq, *[(f"new:{seq}:{n}", 1) for n in range(500)]))
                pipeline.execute()

            send(100, 1)
            before = daemon.rss_kib()
            for start in range(101, 601, 100):
                send(100, start)
            self.assertLess(daemon.rss_kib() - before, 4 * 1024)

    def test_sigterm_ends_cleanly_with_clients_connected(self):
        with Daemon(FAST) as daemon, daemon.raw() as half:
            half.sendall(b"*3\r\n$6\r\nHOTKEY\r\n")
            events = daemon.events()
            daemon.hotkey("HIT", "shop", "k", 150)
            next_event(events, "promoted", "k")
            self.assertEqual(daemon.terminate(), 0)


if __name__ == "__main__":
    unittest.main()
