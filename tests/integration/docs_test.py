"""Commands in the documents are true: each is run as it stands, with the addresses of a private daemon."""
import os
import re
import subprocess
import unittest

from harness import BUILD, FAST, HOTKEYCTL, HOTKEYD, SOURCE, Daemon, RedisServer, eventually

RUNS_ON = re.compile(r"SUBSCRIBE|\bwatch\b|\btop\b")  # Ends only when stopped.
PROGRAMS = ("redis-cli", "hotkeyctl", "hotkeyd --check-config", "curl")


def commands(document):
    for line in (SOURCE / document).read_text().splitlines():
        if line.startswith("    ") and line.strip().startswith(PROGRAMS):
            yield line.strip().split("   #")[0]


class Documents(unittest.TestCase):
    def run_all(self, document, at_least):
        ran = 0
        with Daemon(FAST) as daemon:
            environment = {**os.environ, "HOTKEYD_SOCK": daemon.socket_path, "HOTKEY_ENDPOINT": daemon.url,
                           "PATH": f"{HOTKEYD.parent}:{HOTKEYCTL.parent}:{os.environ['PATH']}"}
            for command in commands(document):
                line = command.replace("/run/hotkeyd/hotkeyd.sock", daemon.socket_path)
                line = line.replace("127.0.0.1:7421", f"127.0.0.1:{daemon.words['http_port']}")
                try:
                    run = subprocess.run(line, shell=True, capture_output=True, text=True, cwd=SOURCE, env=environment,
                                         timeout=2 if RUNS_ON.search(line) else 20)
                except subprocess.TimeoutExpired:
                    self.assertRegex(line, RUNS_ON, f"{document}: this command does not end: {line}")
                else:
                    self.assertEqual(run.returncode, 0, f"{document}: {line}\n{run.stdout}{run.stderr}")
                    self.assertNotIn("ERR ", run.stdout, f"{document}: {line}")
                ran += 1
        self.assertGreaterEqual(ran, at_least, f"commands found in {document}")

    def test_readme(self):
        self.run_all("README.md", 9)

    def test_protocol(self):
        self.run_all("docs/protocol.md", 4)

    def test_hotkeyctl(self):
        self.run_all("docs/hotkeyctl.md", 3)

    def test_every_metric_is_documented(self):
        with RedisServer() as redis:
            with Daemon(FAST + f"publishers: [ {{ type: redis, endpoint: '{redis.endpoint}' }} ]\n") as daemon:
                daemon.hotkey("HIT", "shop", "k", 150)
                daemon.http("/healthz")
                eventually(lambda: "http_responses_total" in daemon.http("/metrics"))
                shown = set(re.findall(r"(?m)^# HELP (\w+)", daemon.http("/metrics")))
        told = set(re.findall(r"(?m)^\| `(\w+_\w+)` \|", (SOURCE / "docs/metrics.md").read_text()))
        self.assertEqual(shown, told)

    def test_files_named_in_documents_exist(self):
        for document in ["README.md", "CONTRIBUTING.md", *(SOURCE / "docs").rglob("*.md")]:
            path = SOURCE / document
            for target in re.findall(r"\]\(([^)#:]+)\)", path.read_text()):
                self.assertTrue((path.parent / target).exists(), f"{document} links to {target}")


if __name__ == "__main__":
    assert BUILD.exists(), f"build first: {BUILD} does not exist"
    unittest.main()
