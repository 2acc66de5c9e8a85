"""The second half of the demo: processes that read a real Redis through the near cache."""
import subprocess
import unittest

from harness import BUILD, Daemon, RedisServer

SALE = """\
node: test-node
listen: [ "unix://{dir}/hotkeyd.sock" ]
http: off
rules: [ { name: sale, match: "%s", promote: { rate: 200/s } } ]
"""


class NearShop(unittest.TestCase):
    def run_shop(self, pattern):
        with RedisServer() as redis, Daemon(SALE % pattern) as daemon:
            return subprocess.run([BUILD / "bench/near_shop", "--socket", daemon.socket_path, "--redis", str(redis.port),
                                   "--rate", "4000", "--seconds", "1", "--writes", "30", "--values"],
                                  capture_output=True, text=True, timeout=60)

    def test_the_hot_key_leaves_redis_alone_and_writes_come_through(self):
        run = self.run_shop("product:*")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        values = {name: float(value) for name, value in map(str.split, run.stdout.splitlines())}
        self.assertLessEqual(values["redis_percent"], 5)
        self.assertGreater(values["hit_percent"], 95)
        self.assertGreater(values["before_redis_per_second"], 0)
        self.assertEqual(values["went_back"], 0)

    def test_says_so_when_nothing_becomes_hot(self):
        run = self.run_shop("other:*")
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("learned that the product is hot", run.stderr)


if __name__ == "__main__":
    unittest.main()
