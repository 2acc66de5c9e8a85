"""The near cache of real applications against a real daemon: what it says of itself reaches the daemon's metrics."""
import subprocess
import unittest

from harness import BUILD, FAST, Daemon, RedisServer, eventually


class NearCacheFigures(unittest.TestCase):
    def test_hits_and_loads_of_all_processes_appear_in_the_metrics(self):
        with RedisServer() as redis, Daemon(FAST) as daemon:
            run = subprocess.run([BUILD / "bench/near_shop", "--socket", daemon.socket_path, "--redis", str(redis.port),
                                  "--rate", "4000", "--seconds", "1", "--writes", "10", "--values"],
                                 capture_output=True, text=True, timeout=60)
            self.assertEqual((run.returncode, run.stderr), (0, ""))
            eventually(lambda: daemon.metric('near_cache_hits_total{ns="shop"}') >= 2000)
            loads = daemon.metric('near_cache_loads_total{ns="shop"}')
            local_hits = daemon.metric('detector_accesses_total{ns="shop",kind="local_hit"}')
        self.assertGreater(loads, 10)
        self.assertGreaterEqual(local_hits, 2000)


if __name__ == "__main__":
    unittest.main()
