"""Starts the built programs and real servers in private folders, and looks at them as a user would.

    with Daemon(FAST) as daemon, RedisServer() as redis: ...

HOTKEYD_BUILD names the build folder (default build/release). Nothing here guesses times: `eventually` polls.
"""
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.request
from pathlib import Path

import redis as redis_library

SOURCE = Path(os.environ.get("HOTKEYD_SOURCE", Path(__file__).resolve().parents[2]))
BUILD = Path(os.environ.get("HOTKEYD_BUILD", SOURCE / "build/release"))
HOTKEYD = BUILD / "daemon/hotkeyd"
HOTKEYCTL = BUILD / "cli/hotkeyctl"

BASE = """\
node: test-node
listen: [ "unix://{dir}/hotkeyd.sock", "tcp://127.0.0.1:{resp_port}" ]
http: { listen: 127.0.0.1:{http_port} }
"""
FAST = BASE + 'rules: [ { name: rest, match: "*", promote: { rate: 100/s }, demote: { rate: 70/s, after: 1s } } ]\n'
STAYS_HOT = FAST.replace("after: 1s", "after: 60s")


def eventually(look, timeout=10.0, what="condition"):
    """The first true value of `look`; an AssertionError or OSError inside counts as "not yet"."""
    deadline, seen = time.monotonic() + timeout, None
    while time.monotonic() < deadline:
        try:
            seen = look()
            if seen:
                return seen
        except (AssertionError, OSError, redis_library.RedisError) as error:
            seen = error
        time.sleep(0.02)
    raise AssertionError(f"{what} not met within {timeout:g} s; last seen: {seen!r}")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """A process in a private folder, always ended."""

    passed = ()  # Descriptors that it inherits, by the same numbers.

    def __init__(self):
        self.dir = Path(tempfile.mkdtemp(prefix="hotkeyd-test-"))
        self.process = None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.kill()
        shutil.rmtree(self.dir, ignore_errors=True)

    def start(self):
        with open(self.dir / "log", "ab") as log:
            self.process = subprocess.Popen(self.command(), stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                            cwd=self.dir, pass_fds=self.passed)
        eventually(self.is_ready, what=f"{type(self).__name__} serving ({self.log()[-500:]})")

    def log(self):
        path = self.dir / "log"
        return path.read_bytes().decode("utf-8", "surrogateescape") if path.exists() else ""

    def terminate(self):
        self.process.terminate()
        return self.process.wait(15)

    def kill(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def pause(self):
        self.process.send_signal(signal.SIGSTOP)

    def resume(self):
        self.process.send_signal(signal.SIGCONT)

    def rss_kib(self):
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0])


class Daemon(Server):
    def __init__(self, config=FAST, **words):
        super().__init__()
        self.words = {"dir": self.dir, "resp_port": free_port(), "http_port": free_port(), **words}
        self.socket_path = str(self.dir / "hotkeyd.sock")
        self.url = f"unix://{self.socket_path}"
        self.write_config(config)

    def write_config(self, config):
        for name, value in self.words.items():
            config = config.replace("{%s}" % name, str(value))
        (self.dir / "hotkeyd.yaml").write_text(config)

    def command(self):
        return [HOTKEYD, "--config", self.dir / "hotkeyd.yaml"]

    def is_ready(self):
        assert self.process.poll() is None, f"hotkeyd ended: {self.log()}"
        return self.client().ping()

    def client(self, **options):
        """A connection of Python's redis package; replies are bytes."""
        return redis_library.Redis(unix_socket_path=self.socket_path, socket_timeout=10, **options)

    def hotkey(self, *args):
        return self.client().execute_command("HOTKEY", *args)

    def raw(self):
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(10)
        connection.connect(self.socket_path)
        return connection

    def hot_keys(self, ns="shop"):
        return {item["key"] for item in map(json.loads, self.hotkey("LIST", ns))}

    def events(self, ns="shop"):
        """A subscription in force, its first snapshot read (`first`): what is decided from now on comes as an event of
        its own, never within that snapshot. See `next_event`."""
        subscription = self.client().pubsub(ignore_subscribe_messages=True)
        subscription.subscribe(f"hotkey:events:{ns}")
        subscription.first = next_event(subscription, "snapshot")
        return subscription

    def http(self, path):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.words['http_port']}{path}", timeout=10) as reply:
            return reply.read().decode()

    def metric(self, name):
        """The sum of the samples whose line begins with hotkeyd_<name> followed by a label or a blank."""
        values = [float(line.rsplit(" ", 1)[1]) for line in self.http("/metrics").splitlines()
                  if line.startswith((f"hotkeyd_{name} ", f"hotkeyd_{name}{{"))]
        return sum(values) if values else None

    def ctl(self, *args, **options):
        return subprocess.run([HOTKEYCTL, "--socket", self.url, "--ns", "shop", *args], capture_output=True, timeout=60,
                              **options)


class RedisServer(Server):
    def __init__(self, *options):
        super().__init__()
        self.port, self.options = free_port(), options
        self.endpoint = f"redis://127.0.0.1:{self.port}"

    def command(self):
        return ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self.dir), "--save", "",
                *self.options]

    def is_ready(self):
        return self.client().ping()

    def client(self, **options):
        return redis_library.Redis(port=self.port, socket_timeout=10, **options)


def next_event(subscription, kind, key=None, timeout=10):
    """The next event of that type (and key): skips others."""
    deadline = time.monotonic() + timeout
    while time.monotonic() < deadline:
        message = subscription.get_message(timeout=0.2)
        if message is None:
            continue
        event = json.loads(message["data"])
        if event["type"] == f"hotkey.{kind}" and key in (None, event["data"].get("key")):
            return event
    raise AssertionError(f"no {kind} event of {key!r} within {timeout} s")


def tell_until_a_subscriber_is_cut(daemon, good):
    """18 MB of events: more than a subscriber may have pending. `good`, which reads, misses none; the other is cut."""
    for _ in range(15):
        for _ in range(20):
            daemon.hotkey("INVALIDATE", "shop", "x" * 60_000)
        for _ in range(20):
            next_event(good, "invalidated")
    eventually(lambda: daemon.metric("server_cut_subscribers_total") == 1)


def report(seq, *rows, ns="shop", producer="test:1", options=()):
    """The arguments of a HOTKEY REPORT; a row may end early, the rest is 0."""
    fields = [field for row in rows for field in (*row, *(0,) * (6 - len(row)))]
    return ["HOTKEY", "REPORT", ns, producer, 1, seq, len(rows), *fields, *options]
