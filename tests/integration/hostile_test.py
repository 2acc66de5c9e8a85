"""A key is any bytes: it passes through every surface unharmed and harms none."""
import base64
import json
import re
import unittest

from harness import FAST, STAYS_HOT, Daemon, RedisServer, eventually, report

KEYS = [b"\x00", b"a\x00b", b"a\r\nb", b"\r\n+OK\r\n", b" ", b"\t", b'"', b"'", b"back\\slash", b"$5\r\nhello\r\n",
        b"*1\r\n$4\r\nPING\r\n", b"\x1b[31mred\x1b[0m", b"\x1b]0;title\x07", b"\x9b2J", b"\x7f\x08",
        b"<script>alert(1)</script>", b"&amp;", b"\xff\xfe", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc0\x80",
        b"%s%n%x", b"{}{0}", b"${HOME}", b"$(id)", b"; rm x", b"a|b", b"x\nlevel=error event=fake", b'hot{ns="x"} 1',
        b"null", b"meta", b"k:k", b"\xe2\x80\xaegnp.exe", b"\xc2\x85next", b"a" + b"\xff" * 300, b"*", b"[a-z]", b"--help",
        b"-", b"x" * 65536]
CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\udc80-\udcff]")


def key_of(data):
    return base64.b64decode(data["key_b64"]) if data["key"] is None else data["key"].encode()


def escaped(key):
    named = {0x22: '\\"', 0x5c: "\\\\", 0x0a: "\\n", 0x0d: "\\r", 0x09: "\\t", 0x07: "\\a", 0x08: "\\b"}
    return "".join(named.get(b) or (chr(b) if 0x20 <= b < 0x7f else f"\\x{b:02x}") for b in key)


class HostileKeys(unittest.TestCase):
    def heat(self, daemon):
        self.assertEqual(daemon.client().execute_command(*report(1, *[(key, 150) for key in KEYS])), len(KEYS))
        eventually(lambda: {key_of(json.loads(item)) for item in daemon.hotkey("LIST", "shop")} == set(KEYS))

    def test_every_view_gives_the_key_back(self):
        with Daemon(STAYS_HOT) as daemon:
            self.heat(daemon)
            snapshot = json.loads(daemon.hotkey("SNAPSHOT", "shop"))
            self.assertEqual({key_of(data) for data in snapshot["data"]["keys"]}, set(KEYS))
            self.assertEqual({row[0] for row in daemon.hotkey("TOP", "shop", len(KEYS))}, set(KEYS))
            episodes = [json.loads(item) for item in daemon.hotkey("EPISODES", "shop", 1000)]
            self.assertEqual({base64.b64decode(e["key_b64"]) if e.get("key_b64") else e["key"].encode() for e in episodes},
                             set(KEYS))
            for key in KEYS:
                self.assertEqual(key_of(json.loads(daemon.hotkey("GET", "shop", key))), key)

    def test_redis_holds_the_raw_bytes(self):
        with RedisServer() as redis:
            with Daemon(STAYS_HOT + f"publishers: [ {{ type: redis, endpoint: '{redis.endpoint}' }} ]\n") as daemon:
                self.heat(daemon)
                name = "hotkey:{shop}:state:test-node"
                eventually(lambda: redis.client().hlen(name) == len(KEYS) + 1)
                fields = redis.client().hgetall(name)
                for key in KEYS:
                    self.assertEqual(key_of(json.loads(fields[b"k:" + key])), key)

    def test_hotkeyctl_log_and_metrics_show_nothing_raw(self):
        with Daemon(STAYS_HOT + "log: { level: debug }\n") as daemon:
            self.heat(daemon)
            for key in KEYS:
                self.assertEqual(daemon.hotkey("PIN", "shop", key), b"OK")
            shown = daemon.ctl("list")
            self.assertEqual(shown.returncode, 0, shown.stderr)
            text = shown.stdout.decode("utf-8", "surrogateescape")
            self.assertIsNone(CONTROL.search(text))
            for key in filter(lambda key: len(key) < 100, KEYS):  # A longer one is cut.
                self.assertIn(escaped(key), text)
            items = json.loads(daemon.ctl("list", "--json").stdout)
            self.assertEqual({key_of(item) for item in items}, set(KEYS))
            self.assertNotIn("<script>", daemon.http("/metrics"))
            daemon.terminate()
            self.assertIsNone(CONTROL.search(daemon.log()))
            self.assertNotRegex(daemon.log(), r"(?m)^level=error event=fake")

    def test_long_keys_against_every_kind_of_rule(self):
        rules = """rules:
  - { name: regex, regex: "^(a|b|ab)*c$", promote: { rate: 10/s } }
  - { name: digits, regex: "^stock:[0-9]+$", promote: { rate: 10/s } }
  - { name: stars, match: "*a*a*a*a*a*a*a*b", promote: { rate: 10/s } }
  - { name: rest, match: "*", promote: { rate: 100/s } }
"""
        wanted = {b"a" * 65536: "rest", b"ab" * 32768: "stars", b"stock:" + b"1" * 65000: "digits",
                  b"stock:" + b"1" * 65000 + b"x": "rest", b"a\x00" * 32000: "rest"}
        with Daemon(FAST.split("rules:")[0] + rules) as daemon:
            for key in wanted:
                daemon.hotkey("HIT", "shop", key, 150)
            found = {key_of(data): data["rule"] for data in map(json.loads, daemon.hotkey("LIST", "shop"))}
            self.assertEqual(found, wanted)

    def test_empty_and_oversize_keys_are_counted_and_skipped(self):
        with Daemon(FAST) as daemon:
            rows = [(b"", 300), (b"x" * 65537, 500), (b"fine", 20)]
            self.assertEqual(daemon.client().execute_command(*report(1, *rows)), 1)
            metrics = daemon.http("/metrics")
            self.assertRegex(metrics, r'source_dropped_accesses_total\{.*reason="empty".*\} 300')
            self.assertRegex(metrics, r'source_dropped_accesses_total\{.*reason="oversize".*\} 500')


if __name__ == "__main__":
    unittest.main()
