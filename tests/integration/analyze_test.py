"""hotkeyctl analyze on what MONITOR of a live Redis printed."""
import base64
import json
import re
import socket
import subprocess
import tempfile
import unittest
from html.parser import HTMLParser
from pathlib import Path

from harness import HOTKEYCTL, RedisServer

BUSY = b'busy:\xff"] [0 1.2.3.4:5] \r\n</script>'
RULES = "rules:\n  - { name: quick, match: '*', promote: { rate: 100/s }, near_cache: { ttl: 60s } }\n"
READS = 400
HOSTILE = [b"</title><script>document.body.remove()</script>", b"\"'><img src=x onerror=document.body.remove()>", b"<!--",
           b"]]></style><style>*{display:none}", b"&lt;b&gt;", b"\x1b[2J\xff\xe2\x80\xae", b"k" * 65536]
PAGE_TAGS = set("html head meta title style body h1 h2 p dl div dt dd small i span svg rect line circle polyline text table "
                "thead tbody tr th td".split())


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


class Dom(HTMLParser):
    """What a browser made of a page: its elements, the keys of the timeline and the text of the keys in the table."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.handlers, self.rows, self.bars, self.cells, self.inside = set(), [], [], [], [], None
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.handlers += [name for name, _ in attrs if name.startswith("on") or name in ("src", "href", "style")]
        attrs = dict(attrs)
        if tag == "rect":
            self.bars.append(float(attrs["width"]))
        self.inside = {("span", "key"): self.rows, ("td", "key"): self.cells}.get((tag, attrs.get("class")))
        if self.inside is not None:
            self.inside.append("")

    def handle_endtag(self, tag):
        self.inside = None

    def handle_data(self, data):
        if self.inside is not None:
            self.inside[-1] += data


def browse(page):
    """The DOM of the page after Chromium has run all that it would run. The page is ours, and no container has a sandbox."""
    with tempfile.TemporaryDirectory(prefix="hotkeyd-test-", ignore_cleanup_errors=True) as profile:
        run = subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                              f"--user-data-dir={profile}", "--dump-dom", page.as_uri()],
                             capture_output=True, timeout=60, check=True)
    return Dom(run.stdout.decode())


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

    def test_a_browser_shows_hostile_keys_as_text(self):
        quoted = [b'"' + key.replace(b'"', b'""') + b'"' for key in HOSTILE]
        (self.dir / "trace").write_bytes(b"".join(b"%d.%03d,%s\n" % (100 + n, ms, quoted[n])
                                                  for n in range(len(HOSTILE)) for ms in range(0, 1000, 5)))
        run = analyze(self.dir, "trace", "--html", "page.html", cwd=self.dir)
        self.assertEqual(run.returncode, 0, run.stderr)
        dom = browse(self.dir / "page.html")
        self.assertEqual((dom.tags - PAGE_TAGS, dom.handlers), (set(), []))
        keys = [row for row in dom.rows if row != "time (UTC)"]
        self.assertEqual((len(keys), len(dom.cells), len(dom.bars)), (len(HOSTILE),) * 3)
        self.assertGreater(min(dom.bars), 0)
        shown = {'</title><script>document.body.remove()</script>', r'\x1b[2J\xff\xe2\x80\xae', '<!--', '&lt;b&gt;'}
        self.assertLessEqual(shown, set(keys))
        self.assertLessEqual(shown, set(dom.cells))
        self.assertIn("... (65536 bytes)", max(keys, key=len))

    def test_a_page_never_takes_the_place_of_a_recording(self):
        (self.dir / "link").symlink_to("dump")
        for name in ("dump", "link", "-"):
            with open(self.dir / "dump", "rb") as dump:
                run = analyze(self.dir, name, "--html", "link", cwd=self.dir, stdin=dump)
            self.assertEqual((run.returncode, run.stdout), (1, b""))
            self.assertIn(b"--html", run.stderr)
            self.assertEqual((self.dir / "dump").read_bytes(), self.dump)
        run = analyze(self.dir, "dump", "--html", "rules.yaml", cwd=self.dir)
        self.assertEqual(run.returncode, 1)
        self.assertEqual((self.dir / "rules.yaml").read_text(), RULES)

    def test_a_recording_that_is_not_in_order_is_told_aloud(self):
        (self.dir / "shuffled").write_bytes(b"9,k\n" * 50 + b"1,k\n" * 50)
        run = analyze(self.dir, "shuffled", cwd=self.dir)
        self.assertEqual(run.returncode, 0)
        self.assertRegex(run.stderr, rb"^hotkeyctl: 50 of 100 accesses .+ sort the recording by time\n$")


if __name__ == "__main__":
    unittest.main()
