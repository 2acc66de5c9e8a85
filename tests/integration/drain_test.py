"""The end under load: what was acknowledged is counted and handed over, within the deadline, whoever hangs."""
import os
import signal
import socket
import threading
import time
import unittest

from harness import STAYS_HOT, Daemon, RedisServer, eventually

SENDERS = 6


def config(server, drain):
    return STAYS_HOT + f"drain: {drain}\npublishers: [ {{ type: redis, endpoint: '{server.endpoint}' }} ]\n"


class Sender(threading.Thread):
    """Makes key after key hot, many commands at a time, until the daemon closes; counts what was acknowledged."""

    BATCH = 20

    def __init__(self, daemon, number, over_tcp):
        super().__init__()
        self.name_of_keys, self.acknowledged = f"s{number}:", 0
        if over_tcp:
            self.connection = socket.create_connection(("127.0.0.1", daemon.words["resp_port"]), timeout=20)
        else:
            self.connection = daemon.raw()

    def run(self):
        sent, replies = 0, b""
        try:
            while self.acknowledged < 1500:
                while sent < self.acknowledged + 2 * self.BATCH:
                    self.connection.sendall(b"".join(b"HOTKEY HIT shop %s%d 200\r\n" % (self.name_of_keys.encode(), n)
                                                     for n in range(sent, sent + self.BATCH)))
                    sent += self.BATCH
                received = self.connection.recv(65536)
                if not received:
                    break
                replies += received
                self.acknowledged = replies.count(b":200\r\n")
        except ConnectionError:
            pass
        finally:
            self.drain_rest(replies)
            self.connection.close()

    def drain_rest(self, replies):
        """What came before the connection broke is acknowledged too."""
        try:
            while received := self.connection.recv(65536):
                replies += received
        except OSError:
            pass
        self.acknowledged = replies.count(b":200\r\n")

    def keys(self):
        return {f"k:{self.name_of_keys}{number}".encode() for number in range(self.acknowledged)}


class Drain(unittest.TestCase):
    def wait_up(self, daemon):
        eventually(lambda: daemon.metric("publisher_up") == 1, what="publisher_up 1")

    def end_under_load(self, daemon, server, over_tcp, meanwhile=lambda: None):
        """SIGTERM while all send; returns (exit code, keys acknowledged, keys that Redis has)."""
        senders = [Sender(daemon, number, over_tcp) for number in range(SENDERS)]
        for sender in senders:
            sender.start()
        eventually(lambda: sum(sender.acknowledged for sender in senders) > 1000, what="a thousand acknowledged")
        daemon.process.terminate()
        meanwhile()
        code = daemon.process.wait(20)
        for sender in senders:
            sender.join()
        acknowledged = set().union(*(sender.keys() for sender in senders))
        return code, acknowledged, set(server.client().hkeys("hotkey:{shop}:state:test-node"))

    def check_nothing_is_lost(self, over_tcp):
        with RedisServer() as server, Daemon(config(server, "10s")) as daemon:
            self.wait_up(daemon)
            code, acknowledged, kept = self.end_under_load(daemon, server, over_tcp)
            self.assertEqual(code, 0, daemon.log())
            self.assertGreater(len(acknowledged), 1000)
            self.assertEqual(acknowledged - kept, set(), "acknowledged, but not handed over")

    def test_nothing_acknowledged_is_lost(self):
        self.check_nothing_is_lost(over_tcp=False)

    def test_nothing_acknowledged_is_lost_over_tcp(self):
        self.check_nothing_is_lost(over_tcp=True)

    def test_a_redis_that_wakes_within_the_deadline_gets_everything(self):
        """Also what was under way on a connection that was given up meanwhile: a snapshot makes up for it."""
        with RedisServer() as server, Daemon(config(server, "30s")) as daemon:
            self.wait_up(daemon)
            server.pause()

            def wake():
                eventually(lambda: "event=redis_lost" in daemon.log(), what="a connection given up")
                server.resume()

            code, acknowledged, kept = self.end_under_load(daemon, server, False, wake)
            self.assertEqual(code, 0, daemon.log())
            self.assertEqual(acknowledged - kept, set(), "acknowledged, but not handed over")

    def test_a_redis_that_hangs_costs_the_deadline_and_no_more(self):
        with RedisServer() as server, Daemon(config(server, "1s")) as daemon:
            self.wait_up(daemon)
            server.pause()
            daemon.hotkey("PIN", "shop", "k")
            began = time.monotonic()
            self.assertEqual(daemon.terminate(), 70)
            self.assertGreaterEqual(time.monotonic() - began, 0.9)
            self.assertIn("event=not_drained", daemon.log())

    def other_clients(self, redis):
        return [client for client in redis.client_list() if client["id"] != str(redis.client_id())]

    def hanging_disk(self, drain):
        """A daemon that stops while its state file cannot be written: who opens a pipe to write waits for a reader."""
        server = self.enterContext(RedisServer())
        daemon = self.enterContext(Daemon(config(server, drain) + "state: '{dir}/state'\n"))
        self.wait_up(daemon)
        pipe = daemon.dir / "state.new"
        os.mkfifo(pipe)
        daemon.hotkey("HIT", "shop", "k", 200)
        daemon.process.terminate()
        redis = server.client()
        eventually(lambda: not self.other_clients(redis), what="the publisher's end")
        self.assertIn(b"k:k", redis.hkeys("hotkey:{shop}:state:test-node"))
        return daemon, pipe

    def test_publishers_do_not_wait_for_a_disk_that_hangs(self):
        daemon, pipe = self.hanging_disk("60s")
        self.assertIsNone(daemon.process.poll(), "the state file is waited for")
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        self.addCleanup(os.close, reader)
        self.assertEqual(daemon.process.wait(15), 0, daemon.log())

    def test_a_disk_that_hangs_costs_the_deadline_and_no_more(self):
        daemon, _ = self.hanging_disk("2s")
        self.assertEqual(daemon.process.wait(15), 70)
        self.assertIn("the disk has not taken the state file", daemon.log())
        self.assertNotIn("a publisher", daemon.log())

    def hanging(self):
        """A daemon that drains for long, since its Redis hangs."""
        server = self.enterContext(RedisServer())
        daemon = self.enterContext(Daemon(config(server, "60s")))
        self.wait_up(daemon)
        server.pause()
        daemon.hotkey("PIN", "shop", "k")
        daemon.process.terminate()
        eventually(lambda: "event=stopping" in daemon.log(), what="the stop")
        return server, daemon

    def test_a_second_sigterm_changes_nothing(self):
        server, daemon = self.hanging()
        daemon.process.send_signal(signal.SIGTERM)
        daemon.process.send_signal(signal.SIGHUP)
        eventually(lambda: "already stopping" in daemon.log(), what="a line about the second signal")
        eventually(lambda: 'event=not_reloaded cause="the daemon is stopping"' in daemon.log(), what="a refused reload")
        server.resume()
        self.assertEqual(daemon.process.wait(20), 0)
        self.assertTrue(server.client().hexists("hotkey:{shop}:state:test-node", "k:k"))
        self.assertNotIn("event=reloaded", daemon.log())

    def test_reloads_that_were_read_before_the_stop_are_all_answered(self):
        with Daemon(STAYS_HOT) as daemon, daemon.raw() as connection:
            connection.sendall(b"HOTKEY RELOAD\r\n" * 500)
            replies = connection.recv(100)
            daemon.process.terminate()
            while received := connection.recv(65536):
                replies += received
            done = replies.count(b"+OK\r\n")
            self.assertEqual(replies, b"+OK\r\n" * done + b"-ERR the daemon is stopping\r\n" * (500 - done))
            self.assertLess(done, 500, "none came after the stop")
            self.assertEqual(daemon.process.wait(20), 0)

    def test_a_second_sigint_ends_at_once(self):
        _, daemon = self.hanging()
        daemon.process.send_signal(signal.SIGINT)
        self.assertEqual(daemon.process.wait(20), 70)

    def test_sigint_is_as_sigterm(self):
        with Daemon(STAYS_HOT) as daemon:
            daemon.process.send_signal(signal.SIGINT)
            self.assertEqual(daemon.process.wait(15), 0)

    def test_a_stopping_daemon_is_not_ready(self):
        _, daemon = self.hanging()
        with self.assertRaisesRegex(Exception, "503"):
            daemon.http("/readyz")
        self.assertIn("ok", daemon.http("/healthz"))


if __name__ == "__main__":
    unittest.main()
