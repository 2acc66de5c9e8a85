"""A real Kafka broker, what lies in its topics, and a consumer that follows the hot set as the contract says."""
import json
import os
import re
import socket
import subprocess

from harness import SOURCE, Server, eventually, free_port

DEV_KAFKA = str(SOURCE / "tools/dev/kafka")


class Kafka(Server):
    """A broker of its own; `options` are further lines of its configuration."""

    def __init__(self, *options):
        super().__init__()
        self.port = free_port()
        self.address = f"127.0.0.1:{self.port}"
        self.folder = self.dir / "broker"
        made = subprocess.run([DEV_KAFKA, "format", self.folder, str(self.port)], capture_output=True, text=True,
                              env={**os.environ, "HOTKEYD_DEV_KAFKA_CONFIG": "\n".join(options)})
        assert made.returncode == 0, made.stderr

    def start(self):
        with open(self.dir / "log", "ab") as log:
            self.process = subprocess.Popen(self.command(), stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        eventually(self.is_ready, timeout=60, what=f"the broker serving ({self.log()[-500:]})")

    def command(self):
        return [DEV_KAFKA, "run", self.folder]

    def is_running(self):
        return self.process is not None and self.process.poll() is None

    def is_ready(self):
        socket.create_connection(("127.0.0.1", self.port), 1).close()  # Refused at once; kcat would look once a second.
        return subprocess.run(["kcat", "-b", self.address, "-m", "2", "-L"], capture_output=True).returncode == 0

    def tool(self, name, *args):
        """A command-line tool of Kafka."""
        jars = subprocess.run([DEV_KAFKA, "jars"], capture_output=True, text=True, check=True).stdout.strip()
        run = subprocess.run(["java", "-XX:TieredStopAtLevel=1", "-cp", jars, name, "--bootstrap-server", self.address,
                              *args], capture_output=True, text=True, timeout=60, env={**os.environ, "LOG_DIR": str(self.dir)})
        assert run.returncode == 0, run.stdout + run.stderr

    def records(self, topic):
        """Every record of the topic so far."""
        run = subprocess.run(["kcat", "-b", self.address, "-C", "-t", topic, "-o", "beginning", "-e", "-q",
                              "-X", "fetch.wait.max.ms=10", "-f", "%p %T %K %S %h\n%k%s\n"], capture_output=True, timeout=30)
        return read_records(run.stdout)


class Record:
    def __init__(self, partition, created_ms, key, headers, value):
        self.partition, self.created_ms, self.key, self.headers, self.value = partition, created_ms, key, headers, value
        self.event = json.loads(value)


def read_records(out):
    records, at = [], 0
    while line := re.compile(rb"(\d+) (-?\d+) (\d+) (\d+) ([^\n]*)\n").match(out, at):
        partition, created_ms, key_size, value_size = map(int, line.groups()[:4])
        headers = dict(part.split("=", 1) for part in line[5].decode().split(","))
        middle = line.end() + key_size
        at = middle + value_size + 1
        records.append(Record(partition, created_ms, out[line.end():middle], headers, out[middle:at - 1]))
    return records


class Follower:
    """The whole hot set from the topic's records alone: applied by (epoch, seq), in any order of partitions."""

    def __init__(self, records):
        self.streams = {}
        for record in records:
            self.apply(record.event)

    def apply(self, event):
        data = event["data"]
        stream = self.streams.setdefault((data["node"], data["ns"]), {"epoch": 0})
        if data["epoch"] > stream["epoch"]:
            stream.update(epoch=data["epoch"], snapshot=-1, parts={}, keys={})  # A new start forgets what was held.
        if data["epoch"] < stream["epoch"]:
            return
        if event["type"] == "hotkey.snapshot":
            self.apply_part(stream, data)
        elif event["type"] in ("hotkey.promoted", "hotkey.updated", "hotkey.demoted"):
            newest = max(stream["snapshot"], stream["keys"].get(data["key"], {"seq": -1})["seq"])
            if data["seq"] > newest:
                stream["keys"][data["key"]] = data

    def apply_part(self, stream, data):
        parts = stream["parts"].setdefault((data["seq"], data["as_of_ms"]), {})
        parts[data["part"]] = data["keys"]
        if len(parts) < data["parts"] or data["seq"] < stream["snapshot"]:
            return
        newer = {key: held for key, held in stream["keys"].items() if held["seq"] > data["seq"]}
        stream["keys"] = {held["key"]: held for part in parts.values() for held in part} | newer
        stream["snapshot"] = data["seq"]

    def hot(self, ns="shop"):
        """Keys that are hot on any node; demotions are remembered, but not hot."""
        return {key for (_, of), stream in self.streams.items() if of == ns
                for key, data in stream["keys"].items() if data["state"] == "hot"}
