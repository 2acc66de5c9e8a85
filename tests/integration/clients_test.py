"""Real clients work against the daemon: redis-cli, redis-benchmark, Python's redis package."""
import subprocess
import unittest

from harness import FAST, HOTKEYCTL, Daemon, eventually, next_event, report


class Clients(unittest.TestCase):
    def tool(self, *command):
        run = subprocess.run(command, capture_output=True, text=True, timeout=60)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        return run.stdout

    def test_python_redis_reports_asks_and_subscribes(self):
        with Daemon(FAST) as daemon:
            client, events = daemon.client(), daemon.events()
            self.assertEqual(client.execute_command(*report(1, ("a", 150), ("b", 20))), 2)
            self.assertEqual(next_event(events, "promoted")["data"]["key"], "a")
            top = client.execute_command("HOTKEY", "TOP", "shop", 5)
            self.assertEqual([row[0] for row in top], [b"a", b"b"])
            pipeline = client.pipeline(transaction=False)
            for _ in range(100):
                pipeline.execute_command("HOTKEY", "HIT", "shop", "piped")
            self.assertEqual(pipeline.execute()[-1], 100)

    def test_python_redis_follows_patterns(self):
        with Daemon(FAST) as daemon:
            subscription = daemon.client().pubsub(ignore_subscribe_messages=True)
            subscription.psubscribe("hotkey:events:*")
            eventually(lambda: daemon.metric("server_subscriptions") == 1)
            daemon.hotkey("HIT", "later", "k", 150)
            self.assertEqual(next_event(subscription, "promoted", "k")["data"]["ns"], "later")

    def test_redis_cli_speaks_both_protocols(self):
        with Daemon(FAST) as daemon:
            for version in ("-2", "-3"):
                cli = ("redis-cli", version, "-s", daemon.socket_path)
                self.assertEqual(self.tool(*cli, "PING").strip(), "PONG")
                self.tool(*cli, "HOTKEY", "HIT", "shop", "product:1", "60")
                self.assertIn("product:1", self.tool(*cli, "HOTKEY", "TOP", "shop", "10"))
                self.assertIn("smallest_threshold", self.tool(*cli, "HOTKEY", "RULES", "shop"))

    def test_hotkeyctl_says_when_its_output_cannot_be_written(self):
        with Daemon(FAST) as daemon, open("/dev/full", "w") as full:
            for verb in (["status"], ["list"], ["top", "-n", "1"], ["pin", "k"], ["--help"]):
                run = subprocess.run([HOTKEYCTL, "--socket", daemon.url, "--ns", "shop", *verb], stdout=full,
                                     stderr=subprocess.PIPE, text=True, timeout=60)
                self.assertEqual((run.returncode, run.stderr), (1, "hotkeyctl: standard output cannot be written\n"), verb)

    def test_redis_benchmark_pipelines(self):
        with Daemon(FAST) as daemon:
            bench = ("redis-benchmark", "-s", daemon.socket_path, "-n", "20000", "-P", "64", "-q")
            self.tool(*bench, "-t", "ping")
            self.tool(*bench, "HOTKEY", "HIT", "shop", "bench:1")
            eventually(lambda: "bench:1" in daemon.hot_keys())


if __name__ == "__main__":
    unittest.main()
