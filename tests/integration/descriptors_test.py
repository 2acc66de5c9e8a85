"""A daemon with 64 descriptors: it refuses clients with a reason, stays observable, and recovers."""
import os
import resource
import time
import unittest

import redis as redis_library

from harness import FAST, Daemon, eventually


class FewFromTheStart(Daemon):
    def command(self):
        return ["prlimit", "--nofile=64:64", *super().command()]


def cpu_seconds(pid):
    fields = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Descriptors(unittest.TestCase):
    def test_few_from_the_start_keep_room_for_metrics_and_reload(self):
        with FewFromTheStart(FAST) as daemon:
            clients = [daemon.raw() for _ in range(100)]
            eventually(lambda: daemon.metric("server_refused_clients_total") > 0, what="refused clients")
            with self.assertRaises((redis_library.RedisError, OSError)):
                daemon.hotkey("STATS")
            clients.pop(0).close()
            clients.pop(0).close()
            self.assertEqual(eventually(lambda: daemon.hotkey("RELOAD"), what="a reload"), b"OK")
            for client in clients:
                client.close()
            eventually(lambda: daemon.client().ping(), what="a new client")
            self.assertEqual(daemon.terminate(), 0)

    def test_used_up_descriptors_cost_no_processor_and_end_with_the_clients(self):
        with Daemon(FAST) as daemon:
            resource.prlimit(daemon.process.pid, resource.RLIMIT_NOFILE, (64, 64))
            clients = [daemon.raw() for _ in range(100)]
            eventually(lambda: "event=accept_failed" in daemon.log(), what="a line about descriptors")
            before = cpu_seconds(daemon.process.pid)
            time.sleep(1)
            self.assertLess(cpu_seconds(daemon.process.pid) - before, 0.3)
            for client in clients:
                client.close()
            eventually(lambda: daemon.client().ping(), what="a new client")
            eventually(lambda: daemon.metric("server_accept_errors_total") > 0, what="counted errors")


if __name__ == "__main__":
    unittest.main()
