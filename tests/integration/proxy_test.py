"""The SDK and the daemon with a broken connection between them: every count stays exact, and the hot set heals.

The proxy stands between them, so a fault hits the connection and neither program. Cuts fall at chosen bytes: inside
a REPORT, inside its reply, inside the snapshot. What the SDK says was acknowledged, what the proxy saw acknowledged
and what the daemon counted must be one number.
"""
import json
import socket
import unittest

from fault_tools import FaultProxy, Worker, report_accesses
from harness import FAST, STAYS_HOT, Daemon, eventually, tell_until_a_subscriber_is_cut

NEVER_HOT = FAST.replace("100/s", "1000000000/s").replace("70/s", "700000000/s")
KEYS = 50


def broken_socket(daemon):
    return FaultProxy(daemon.url, f"unix://{daemon.dir}/proxy.sock")


class Broken(unittest.TestCase):
    def check_exact(self, daemon, proxy, worker):
        """The SDK, the proxy and the daemon tell the same number; nothing is lost, pending or dropped."""
        self.assertTrue(worker("flush 20000"))
        stats = worker("stats")
        self.assertTrue(stats["balances"], stats)
        self.assertEqual((stats["recorded"], stats["pending"]), (stats["calls"], 0))
        tally = proxy("tally")
        counted, late = report_accesses(daemon)
        self.assertEqual(tally["accesses"], stats["acknowledged"])
        self.assertEqual(counted + late, stats["acknowledged"])
        self.assertEqual(daemon.metric("source_lost_accesses_total"), 0)
        self.assertEqual(daemon.metric("source_lost_batches_total"), 0)
        return stats

    def cut_everywhere(self, way, offsets):
        with Daemon(NEVER_HOT) as daemon, broken_socket(daemon) as proxy, Worker(proxy.url, flush_ms=10) as worker:
            worker("burst 10 10")
            self.assertTrue(worker("flush 20000"))
            for cut, offset in enumerate(offsets, 1):
                proxy(f"cut {way} {offset}" + (" reset" if cut % 2 else ""))
                worker(f"burst 200 {KEYS}")
                eventually(lambda: self.is_cut(proxy, worker, cut))
            stats = self.check_exact(daemon, proxy, worker)
            self.assertEqual(stats["dropped"], 0)
            return proxy("tally")

    @staticmethod
    def is_cut(proxy, worker, cuts):
        """Keeps bytes coming until the cut; one batch at a time, so that none is dropped."""
        if worker("stats")["pending"] != 0:
            return False
        return proxy("stats")["cut"] == cuts or not worker("burst 1 1")

    def test_a_connection_cut_inside_reports(self):
        # A report of 50 keys is about 1700 bytes: the cuts fall into its header, its rows, its options, and the next.
        self.cut_everywhere("up", range(1, 3000, 131))

    def test_a_connection_cut_inside_replies(self):
        tally = self.cut_everywhere("down", range(1, 25))
        self.assertGreater(tally["repeated"], 0)  # It was counted, its answer was lost, and it came again.

    def test_a_connection_cut_inside_the_snapshot(self):
        with Daemon(STAYS_HOT) as daemon, broken_socket(daemon) as proxy:
            keys = [f"key:{number}" for number in range(20)]
            for key in keys:
                daemon.hotkey("PIN", "shop", key)
            with Worker(proxy.url, flush_ms=10) as worker:
                eventually(lambda: worker("hot 0 20") == keys)
                whole = proxy("stats")["bytes_down"]
                worker("traffic 1000 10 500")
                for cut, offset in enumerate(range(1, whole, whole // 12), 1):
                    proxy(f"cut down {offset}")  # Of the next connection, most times.
                    proxy("reset both")
                    eventually(lambda: proxy("stats")["cut"] == cut)
                eventually(lambda: worker("hot 0 20") == keys, what="hot set after the cuts")
                worker("traffic 0 0 0")
                self.check_exact(daemon, proxy, worker)

    def test_every_other_fault_in_each_direction(self):
        with Daemon(NEVER_HOT) as daemon, broken_socket(daemon) as proxy, Worker(proxy.url, flush_ms=10) as worker:
            worker("traffic 0 100 20000")
            for fault in ("delay {} 30", "bytes {}", "reset {}"):
                for way in ("up", "down", "both"):
                    before = worker("stats")["acknowledged"]
                    proxy(fault.format(way))
                    eventually(lambda: worker("stats")["acknowledged"] > before + 2000, what=f"{fault} {way}")
                    proxy("heal")
            proxy("refuse on")
            proxy("reset both")
            eventually(lambda: worker("status") == "connecting")
            proxy("heal")
            eventually(lambda: worker("status") == "connected")
            worker("traffic 0 0 0")
            self.check_exact(daemon, proxy, worker)

    def test_a_stalled_connection_is_given_up_and_its_batches_sent_again(self):
        with Daemon(NEVER_HOT) as daemon:
            proxies = {way: FaultProxy(daemon.url, f"unix://{daemon.dir}/{way}.sock") for way in ("up", "down")}
            with proxies["up"], proxies["down"]:
                workers = {way: Worker(proxy.url, flush_ms=10) for way, proxy in proxies.items()}
                with workers["up"], workers["down"]:
                    for way, worker in workers.items():
                        worker("burst 10 10")
                        self.assertTrue(worker("flush 20000"))
                        proxies[way](f"stall {way}")
                        worker(f"burst 300 {KEYS}")
                    for way, worker in workers.items():  # 10 s without an answer end the connection; the next stalls too.
                        eventually(lambda: worker("status") == "connecting", timeout=20, what=f"stalled {way}")
                        self.assertEqual(worker("stats")["acknowledged"], 10)
                        proxies[way]("heal")
                        self.assertTrue(worker("flush 20000"))
                    acknowledged = 0
                    for way, worker in workers.items():
                        stats = worker("stats")
                        self.assertEqual((stats["acknowledged"], stats["dropped"], stats["balances"]), (310, 0, True))
                        self.assertEqual(proxies[way]("tally")["accesses"], 310)
                        acknowledged += 310
                    self.assertEqual(sum(report_accesses(daemon)), acknowledged)

    def test_events_heal_over_a_broken_connection(self):
        with Daemon(STAYS_HOT) as daemon, broken_socket(daemon) as proxy, Worker(proxy.url) as worker:
            eventually(lambda: worker("status") == "connected")
            for number, fault in enumerate(("delay down 50", "bytes down", "reset down", "cut down 700", "reset up")):
                proxy(fault)
                daemon.hotkey("PIN", "shop", f"key:{number}")
                eventually(lambda: f"key:{number}" in worker("hot 0 10"), timeout=15, what=fault)
                proxy("heal")
            self.assertEqual(set(worker("hot 0 10")), daemon.hot_keys())

    def test_over_tcp_by_host_name(self):
        with Daemon(NEVER_HOT) as daemon:
            with Worker(f"tcp://localhost:{daemon.words['resp_port']}") as worker:
                worker("burst 500 50")
                self.assertTrue(worker("flush 20000"))
                self.assertEqual(worker("stats")["acknowledged"], 500)
                daemon.kill()
                worker("burst 100 50")
                eventually(lambda: worker("status") == "connecting")
                daemon.start()
                self.assertTrue(worker("flush 20000"))
                stats = worker("stats")
                self.assertEqual(stats["acknowledged"] + stats["dropped"], 600)
                self.assertEqual(sum(report_accesses(daemon)), stats["acknowledged"] - 500)

    def test_resets_over_tcp(self):
        with Daemon(NEVER_HOT) as daemon, FaultProxy(f"tcp://127.0.0.1:{daemon.words['resp_port']}") as proxy, \
                Worker(proxy.url, flush_ms=10) as worker:
            for _ in range(10):
                for way in ("up", "down", "both"):
                    worker(f"burst 200 {KEYS}")
                    proxy(f"reset {way}")
            self.check_exact(daemon, proxy, worker)
            eventually(lambda: daemon.metric("server_clients") == 1)

    def test_a_subscriber_behind_a_stalled_connection_is_cut(self):
        with Daemon(STAYS_HOT) as daemon, broken_socket(daemon) as proxy, Worker(proxy.url) as worker:
            eventually(lambda: worker("status") == "connected" and daemon.metric("server_subscriptions") == 1)
            good = daemon.events()
            eventually(lambda: daemon.metric("server_subscriptions") == 2)
            proxy("stall down")
            tell_until_a_subscriber_is_cut(daemon, good)
            daemon.hotkey("PIN", "shop", "key:1")
            proxy("heal")
            eventually(lambda: worker("hot 0 10") == ["key:1"], timeout=15)


if __name__ == "__main__":
    unittest.main()
