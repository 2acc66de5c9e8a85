"""Commands in the documents are true: each is run as it stands, with the addresses of a private daemon."""
import json
import os
import re
import subprocess
import unittest
from pathlib import Path
from unittest import mock

from harness import BUILD, FAST, HOTKEYCTL, HOTKEYD, SOURCE, STAYS_HOT, Daemon, RedisServer, eventually, next_event

RUNS_ON = re.compile(r"SUBSCRIBE|\bwatch\b|\btop\b")  # Ends only when stopped.
NOT_RUN = {  # By their beginning, with the reason.
    "tools/": "each has a test or a stage of its own",
    "sudo ": "changes the machine; packages_test installs into a root of its own",
    "XDG_RUNTIME_DIR=": "does not end; the harness starts it so",
}

NOT_RUN_DOCUMENTS = {
    "CONTRIBUTING.md": NOT_RUN["tools/"],
    "docs/analyze.md": "its recordings are yours; analyze_test runs each form",
    "docs/commands.md": "tools/command_table has a test; the rest are lines of recordings",
    "docs/install.md": NOT_RUN["sudo "],
    "docs/operations.md": NOT_RUN["sudo "],
    "docs/testing.md": NOT_RUN["tools/"],
    "docs/tuning.md": "a formula",
    "docs/upgrade.md": NOT_RUN["sudo "],
}


def has_block(text):
    """Whether a document has an indented or a shell block."""
    prose = re.sub(r"(?ms)^```(?!sh$).*?^```$", "", text)
    return re.search(r"(?m)^(    \S|```sh$)", prose) is not None


def commands(document):
    """The lines of indented blocks outside fences and lists."""
    fenced = False
    for line in (SOURCE / document).read_text().splitlines():
        fenced ^= line.startswith("```")
        if re.match(r"    \S", line) and not fenced and not line.strip().startswith(tuple(NOT_RUN)):
            yield line.strip().split("   #")[0]


def python_program(document):
    """All fenced python blocks as one program, each at the line where the document has it."""
    lines, inside = [], False
    for line in (SOURCE / document).read_text().splitlines():
        fence = line.startswith("```")
        lines.append(line if inside and not fence else "")
        inside = line == "```python" if fence else inside
    return compile("\n".join(lines), document, "exec")


class Documents(unittest.TestCase):
    def run_all(self, document, at_least):
        ran = 0
        with Daemon(FAST) as daemon:
            environment = {**os.environ, "HOTKEYD_SOCK": daemon.socket_path, "HOTKEY_ENDPOINT": daemon.url,
                           "PATH": f"{HOTKEYD.parent}:{HOTKEYCTL.parent}:{os.environ['PATH']}"}
            for command in commands(document):
                line = command.replace("/run/hotkeyd/hotkeyd.sock", daemon.socket_path).replace("/etc/hotkeyd/", "config/")
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
        self.run_all("README.md", 12)

    def test_the_example_of_analyze_shows_a_hot_key(self):
        (example,) = [line for line in commands("README.md") if "analyze" in line]
        path = f"{HOTKEYCTL.parent}:{os.environ['PATH']}"
        run = subprocess.run(f"{example} --json", shell=True, capture_output=True, text=True, timeout=20,
                             env={**os.environ, "PATH": path}, check=True)
        self.assertEqual([episode["key"] for episode in json.loads(run.stdout)["episodes"]], ["product:1"])

    def test_protocol(self):
        self.run_all("docs/protocol.md", 9)

    def test_the_client_of_the_protocol_document_heals_gaps_and_outlives_its_daemon(self):
        with Daemon(STAYS_HOT) as daemon, mock.patch.dict(os.environ, {"HOTKEYD_SOCK": daemon.socket_path}):
            client = {"print": lambda *_: None}
            exec(python_program("docs/protocol.md"), client)  # pylint: disable=exec-used
            reporter, follower = client["reporter"], client["follower"]
            self.addCleanup(follower.pubsub.close)

            def follows():
                follower.step(0.05)
                return set(follower.hot) == {key.encode() for key in daemon.hot_keys()}

            self.assertEqual(daemon.metric('source_accesses_total{source="report",ns="shop"}'), reporter.recorded)

            daemon.hotkey("PIN", "shop", "pinned")
            next_event(follower.pubsub, "promoted", "pinned")  # Lost to the follower.
            eventually(follows, what="the gap healed")
            self.assertEqual(set(follower.hot), {b"product:1", b"pinned"})

            daemon.pause()
            eventually(lambda: all("(stopped)" in (task / "status").read_text()
                                   for task in Path(f"/proc/{daemon.process.pid}/task").iterdir()), what="stopped")
            reporter.connection = client["redis"].Redis(unix_socket_path=daemon.socket_path, socket_timeout=0.2)
            reporter.record(b"product:2", reads=7)
            reporter.flush()
            self.assertEqual(len(reporter.pending), 1, "no answer: kept")
            daemon.resume()
            eventually(lambda: reporter.flush() or not reporter.pending, what="the batch sent again")
            self.assertEqual(daemon.metric('source_accesses_total{source="report",ns="shop"}'), reporter.recorded)

            reporter.record(b"product:3", reads=-1)
            reporter.record(b"product:4", reads=6)
            reporter.flush()
            self.assertEqual((len(reporter.pending), reporter.refused), (0, 5), "refused")
            dropped = daemon.metric('source_dropped_accesses_total{source="report",reason="overload"}')
            self.assertEqual(dropped, 5, "the number used up by an empty batch, which says what was dropped")

            daemon.kill()
            reporter.record(b"product:2", reads=5)
            reporter.flush()
            self.assertEqual(len(reporter.pending), 1, "no daemon: kept")
            daemon.start()
            eventually(lambda: reporter.flush() or not reporter.pending, what="the batch of the restart sent")
            daemon.hotkey("PIN", "shop", "after")
            eventually(follows, timeout=30, what="the new daemon followed")
            self.assertEqual(set(follower.hot), {b"after"})
            self.assertEqual(daemon.metric("source_lost_accesses_total"), 0)

    def test_hotkeyctl(self):
        self.run_all("docs/hotkeyctl.md", 3)

    def test_overload(self):
        self.run_all("docs/overload.md", 1)

    def test_a_document_with_commands_is_run_or_has_a_reason(self):
        documents = ["README.md", "CONTRIBUTING.md", *sorted(f"docs/{path.name}" for path in (SOURCE / "docs").glob("*.md"))]
        run = re.findall(r'self\.run_all\("(.+?)"', Path(__file__).read_text())
        self.assertEqual({name for name in documents if has_block((SOURCE / name).read_text())},
                         {*run, *NOT_RUN_DOCUMENTS})

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
            for target, anchor in re.findall(r"\]\(([^)#:]*)#?([^):]*)\)", path.read_text()):
                there = path.parent / target if target else path
                self.assertTrue(there.exists(), f"{document} links to {target}")
                headings = re.findall(r"(?m)^#+ (.+)$", there.read_text()) if anchor else []
                anchors = [re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings]
                self.assertIn(anchor, [*anchors, ""], f"{document} links into {there.name}")

    def test_every_document_is_reached_from_the_readme(self):
        linked = set(re.findall(r"\]\((docs/[^)#]+\.md)", (SOURCE / "README.md").read_text()))
        self.assertEqual({f"docs/{path.name}" for path in (SOURCE / "docs").glob("*.md")} - linked, set())


if __name__ == "__main__":
    assert BUILD.exists(), f"build first: {BUILD} does not exist"
    unittest.main()
