"""Broken connections and applications for the fault tests: the programs of tests/support as objects.

    with Daemon(...) as daemon, FaultProxy(daemon.url, daemon.dir / "proxy.sock") as proxy, Worker(proxy.url) as worker:
        proxy("cut up 100"); worker("burst 1000 10"); assert worker("flush 10000")

Calling one sends a command (see tests/support/program) and returns the JSON of its answer.
"""
import json
import socket
import subprocess
import threading
import time

import redis

from harness import BUILD, Server


class Program(Server):
    """A server that takes commands on its standard input; lives in the folder of a test."""

    def __init__(self, *command):
        super().__init__()
        self.arguments = [str(word) for word in command]
        self.hello = None

    def start(self):
        with open(self.dir / "log", "ab") as log:
            self.process = subprocess.Popen(self.arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log,
                                            text=True)
        self.hello = self.read()

    def read(self):
        line = self.process.stdout.readline()
        assert line, f"{self.arguments[0]} ended with {self.process.wait(5)}: {self.log()[-2000:]}"
        return json.loads(line)

    def __call__(self, command):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        answer = self.read()
        assert not (isinstance(answer, dict) and "error" in answer), answer
        return answer

    def quit(self):
        """Ends as a program that has nothing more to do; returns its exit code."""
        self.process.stdin.close()
        return self.process.wait(15)

    def __exit__(self, *details):
        super().__exit__(*details)
        self.process.stdin.close()
        self.process.stdout.close()


class FaultProxy(Program):
    def __init__(self, server, listen="tcp://127.0.0.1:0"):
        super().__init__(BUILD / "tests/support/fault_proxy", listen, server)
        self.listen = listen

    @property
    def url(self):
        return self.listen if self.listen.startswith("unix") else f"tcp://127.0.0.1:{self.hello['port']}"


class Worker(Program):
    """An application with the SDK."""

    def __init__(self, endpoint, ns="shop", flush_ms=50):
        super().__init__(BUILD / "tests/support/sdk_worker", endpoint, ns, flush_ms)
        self.ns = ns

    @property
    def pid(self):
        return self.hello["pid"]

    def acknowledged(self, tally):
        """What the proxy's tally says that this process was acknowledged; none of its numbers may be missing."""
        mine = [told for producer, told in tally["producers"].items() if f"/{self.pid}/" in producer]
        for told in mine:
            assert told["batches"] == told["last"], f"numbers are missing: {told}"
        return sum(told["accesses"] for told in mine)


class Follower(threading.Thread):
    """A subscriber on the daemon's own socket that follows the stream to the letter: after its snapshot every event must have
    the next number, and every heartbeat tell that number and as many hot keys as are held. What does not is kept in `broken`.
    Connects again whenever the daemon is back."""

    def __init__(self, daemon, ns="shop"):
        super().__init__(daemon=True)
        self.server, self.channel = daemon, f"hotkey:events:{ns}"
        self.entries, self.version, self.parts, self.broken = {}, (0, 0), {}, []
        self.is_stopping = False

    def run(self):
        while not self.is_stopping:
            try:
                subscription = self.server.client().pubsub(ignore_subscribe_messages=True)
                subscription.subscribe(self.channel)
                while not self.is_stopping:
                    if message := subscription.get_message(timeout=0.1):
                        self.take(json.loads(message["data"]))
            except (OSError, redis.RedisError):
                time.sleep(0.02)

    def stop(self):
        self.is_stopping = True
        self.join()

    def take(self, event):
        kind, data = event["type"].removeprefix("hotkey."), event["data"]
        version = (data["epoch"], data["seq"])
        if kind == "snapshot":
            return self.take_part(data, version)
        if kind == "invalidated" and event["source"].split("/")[2] != "test-node":
            return None
        expected = self.version if kind == "heartbeat" else (self.version[0], self.version[1] + 1)
        if version != expected or kind == "heartbeat" and data["hot_keys"] != len(self.entries):
            self.broken.append(f"{kind} {version}, expected {expected}, {len(self.entries)} held: {data}")
        self.version = version
        if kind == "demoted":
            self.entries.pop(name_of(data), None)
        if kind in ("promoted", "updated"):
            self.entries[name_of(data)] = data
        return None

    def take_part(self, data, version):
        self.parts = {} if data["part"] == 1 else self.parts
        self.parts.update((name_of(entry), entry) for entry in data["keys"])
        if data["part"] == data["parts"]:
            self.entries, self.version = dict(self.parts), version


def name_of(data):
    """The key of an event's data, also one that is no UTF-8."""
    return data["key"] or data["key_b64"]


def report_accesses(daemon):
    """(counted, acknowledged but late) of the reports that this life of the daemon got."""
    stats = json.loads(daemon.hotkey("STATS"))

    def total(name, **labels):
        return sum(value for key, value in stats.items()
                   if key.startswith(name + "{") and all(f'{label}="{word}"' in key for label, word in labels.items()))

    return (total("source_accesses_total", source="report"),
            total("source_dropped_accesses_total", source="report", reason="late"))


def settle(proxy):
    """Sends again what went to the daemon and was never answered, as its producer would have if it still lived.

    Through the proxy, whose tally takes the answers; returns how many there were."""
    frames = [bytes.fromhex(frame) for frame in proxy("unanswered")]
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(10)
        connection.connect(proxy.url.removeprefix("unix://"))
        for frame in frames:
            connection.sendall(frame)
            reply = b""
            while not reply.endswith(b"\r\n"):
                part = connection.recv(4096)
                assert part, "the daemon closed the connection"
                reply += part
            assert reply.startswith(b":"), reply
    return len(frames)


def stopwatch():
    """A function that tells the seconds since."""
    start = time.monotonic()
    return lambda: time.monotonic() - start
