"""hotkeyctl analyze on what MONITOR of a live Redis printed."""
import base64
import json
import re
import socket
import subprocess
import tempfile
import unittest
from pathlib import Path

from harness import HOTKEYCTL, RedisServer

BUSY = b'busy:\xff"] [0 1.2.3.4:5] \r\n</script>'
RULES = "rules:\n  - { name: quick, match: '*', promote: { rate: 100/s }, near_cache: { ttl: 60s } }\n"
READS = 400


def record(server):
    """The bytes that MONITOR sent while 400 reads and one write of BUSY went by, and 20 reads of another key."""
    with socket.create_connection(("127.0.0.1", server.port), 10) as monitor:
        monitor.sendall(b"MONITOR\r\n")
        seen = monitor.recv(5)
        client = server.client()
        for n in range(READS):
            client.get(BUSY)
            if n == 300:
                client.set(BUSY, "value")
            if n < 20:
                client.get("calm")
        client.echo("the end")
        while b'"the end"' not in seen:
            seen += monitor.recv(65536)
    return seen


def analyze(folder, *args, **options):
    (folder / "rules.yaml").write_text(RULES)
    return subprocess.run([HOTKEYCTL, "analyze", "--config", folder / "rules.yaml", *args], capture_output=True, timeout=60,
                          **options)


class Analyze(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="hotkeyd-test-")
        self.addCleanup(folder.cleanup)
        self.dir = Path(folder.name)
        with RedisServer() as server:
            self.dump = record(server)
        (self.dir / "dump").write_bytes(self.dump)

    def test_a_live_dump_is_counted_exactly_and_its_hot_key_found(self):
        run = analyze(self.dir, "--json", "dump", cwd=self.dir)
        self.assertEqual((run.returncode, run.stderr), (0, b""))
        report = json.loads(run.stdout)
        (episode,) = report["episodes"]
        self.assertEqual((episode["key"], base64.b64decode(episode["key_b64"])), (None, BUSY))
        self.assertEqual((episode["rule"], episode["class"]), ("quick", "read"))
        totals = report["totals"]
        self.assertEqual((totals["reads"], totals["writes"], totals["bad_lines"]), (READS + 20, 1, 0))
        # Hot with the 100th read, a load with the 101st, the write behind the 301st: the rest is stale.
        self.assertEqual((episode["saved_reads"], episode["stale_reads"]), (READS - 101, READS - 301))

    def test_halves_as_two_files_and_standard_input_say_the_same(self):
        whole = analyze(self.dir, "--json", "dump", cwd=self.dir).stdout
        lines = self.dump.splitlines(keepends=True)
        (self.dir / "odd").write_bytes(b"".join(lines[1::2]))
        halves = analyze(self.dir, "--json", "odd", "-", cwd=self.dir, input=b"".join(lines[0::2]))
        self.assertEqual(halves.stdout, whole, halves.stderr)

    def test_bad_lines_are_named_and_what_cannot_be_read_fails(self):
        lines = self.dump.splitlines(keepends=True)
        (self.dir / "bad").write_bytes(b"".join(lines[:3] + [b'17.5 [0 127.0.0.1:5] "GET" "cut\n'] + lines[3:]))
        run = analyze(self.dir, "bad", cwd=self.dir)
        self.assertEqual(run.returncode, 0)
        self.assertRegex(run.stderr, rb"^hotkeyctl: bad:4: skipped: .+\n$")
        for content, said in ((b"\xd4\xc3\xb2\xa1", b"packet capture"), (b"no recording\n", b"neither")):
            (self.dir / "other").write_bytes(content)
            run = analyze(self.dir, "other", cwd=self.dir)
            self.assertEqual((run.returncode, run.stdout), (1, b""))
            self.assertIn(said, run.stderr)

    def test_the_page_is_whole_and_holds_nothing_raw(self):
        run = analyze(self.dir, "dump", "--html", "page.html", cwd=self.dir)
        self.assertEqual(run.returncode, 0, run.stderr)
        page = (self.dir / "page.html").read_bytes()
        self.assertTrue(page.startswith(b"<!DOCTYPE html>") and page.endswith(b"</html>\n"))
        self.assertNotIn(b"script>", page)
        self.assertIn(b"busy:\\xff", page)
        self.assertIsNone(re.search(rb"[^\n\x20-\x7e]", page + run.stdout))
        run = analyze(self.dir, "dump", "--html", "no-such-folder/page.html", cwd=self.dir)
        self.assertEqual(run.returncode, 1)

    def test_a_page_never_takes_the_place_of_a_recording(self):
        (self.dir / "link").symlink_to("dump")
        for name in ("dump", "link", "-"):
            with open(self.dir / "dump", "rb") as dump:
                run = analyze(self.dir, name, "--html", "link", cwd=self.dir, stdin=dump)
            self.assertEqual((run.returncode, run.stdout), (1, b""))
            self.assertIn(b"--html", run.stderr)
            self.assertEqual((self.dir / "dump").read_bytes(), self.dump)

    def test_a_recording_that_is_not_in_order_is_told_aloud(self):
        (self.dir / "shuffled").write_bytes(b"9,k\n" * 50 + b"1,k\n" * 50)
        run = analyze(self.dir, "shuffled", cwd=self.dir)
        self.assertEqual(run.returncode, 0)
        self.assertRegex(run.stderr, rb"^hotkeyctl: 50 of 100 accesses .+ sort the recording by time\n$")


if __name__ == "__main__":
    unittest.main()
