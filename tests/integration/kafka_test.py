"""Kafka with a real broker: what the topic holds while brokers are absent, killed, paused and restarted."""
import json
import signal
import threading
import time
import unittest

import redis as redis_library

from harness import STAYS_HOT, Daemon, eventually, report
from kafka_tools import Follower, Kafka

CHANGES = ("hotkey.promoted", "hotkey.updated", "hotkey.demoted", "hotkey.invalidated")


def config(broker, topic, more=""):
    return STAYS_HOT + more + f"publishers: [ {{ type: kafka, brokers: [ '{broker.address}' ], topic: {topic} }} ]\n"


def changes(records):
    return [record for record in records if record.event["type"] in CHANGES]


class Told(threading.Thread):
    """What a local subscriber was told: id -> bytes."""

    def __init__(self, daemon):
        super().__init__(daemon=True)
        self.subscription, self.told = daemon.events(), {}
        self.start()

    def run(self):
        try:
            for message in self.subscription.listen():
                event = json.loads(message["data"])
                if event["type"] in CHANGES:
                    self.told[event["id"]] = message["data"]
        except redis_library.RedisError:
            return  # The daemon has ended.


class KafkaTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.broker = Kafka()

    @classmethod
    def tearDownClass(cls):
        cls.broker.__exit__()

    def setUp(self):
        self.topic = "t." + self._testMethodName[5:60]

    def serve(self):
        """A start takes seconds: the cases share the broker that the one before left, running or not."""
        if not self.broker.is_running():
            self.broker.start()

    def wait_up(self, daemon):
        eventually(lambda: daemon.metric("publisher_up") == 1, timeout=30, what="publisher_up 1")

    def wait_history(self, told, topic=None):
        """Once the topic holds all that was told: nothing is lost, changed, out of order or there twice under two ids."""
        def complete():
            found = changes(self.broker.records(topic or self.topic))
            return found if {r.event["id"] for r in found} >= set(told.told) else None
        records = eventually(complete, timeout=40, what="the topic holding every event")
        by_id = {record.event["id"]: record.value for record in records}
        self.assertEqual(by_id, dict(told.told))
        for key in {record.key for record in records}:
            mine = [record for record in records if record.key == key]
            self.assertEqual(len({record.partition for record in mine}), 1, key)
            seqs = list(dict.fromkeys(record.event["data"]["seq"] for record in mine))
            self.assertEqual(seqs, sorted(seqs), key)
        return records

    def test_a_broker_that_comes_late_gets_the_history_from_the_first_event_on(self):
        self.broker.kill()
        with Daemon(config(self.broker, self.topic)) as daemon:
            told = Told(daemon)
            for number in range(20):
                daemon.hotkey("HIT", "shop", f"k{number}", 150)
            daemon.hotkey("DENY", "shop", "k3")
            self.assertEqual(daemon.metric("publisher_up"), 0)
            def names_the_cause():
                said = daemon.http("/readyz?verbose")
                assert "refused" in said, said + daemon.log()
                return True
            eventually(names_the_cause, what="readyz naming the cause")
            self.broker.start()
            self.wait_up(daemon)
            records = self.wait_history(told)
            self.assertEqual(Follower(records).hot(), daemon.hot_keys())
            self.assertEqual(len(told.told), 21)
            self.assertEqual(daemon.metric("publisher_failed_events_total"), 0)

    def test_killed_paused_and_restarted_brokers_lose_and_double_nothing(self):
        self.serve()
        with Daemon(config(self.broker, self.topic)) as daemon:
            told, ends = Told(daemon), threading.Event()
            self.wait_up(daemon)
            churn = threading.Thread(target=self.churn, args=(daemon, ends))
            churn.start()
            try:
                self.trouble()
            finally:
                ends.set()
                churn.join()
            self.wait_up(daemon)
            eventually(lambda: daemon.metric("publisher_queue_events") == 0, timeout=30, what="nothing queued")
            self.wait_history(told)
            everything = self.broker.records(self.topic)
            self.assertEqual(Follower(everything).hot(), daemon.hot_keys())
            self.assertGreater(len(told.told), 100)
            self.assertIn("hotkey.snapshot", {record.headers["ce_type"] for record in everything})
            self.assertEqual(daemon.metric("publisher_failed_events_total"), 0)

    def trouble(self):
        time.sleep(0.5)
        self.broker.kill()
        time.sleep(0.5)
        self.broker.start()
        time.sleep(0.5)
        self.broker.pause()
        time.sleep(2)
        self.broker.resume()
        time.sleep(0.5)
        self.broker.process.send_signal(signal.SIGTERM)
        self.broker.process.wait(30)
        self.broker.start()
        time.sleep(0.5)

    def churn(self, daemon, ends):
        number = 0
        while not ends.is_set():
            key = f"k{number % 7}"
            daemon.hotkey("PIN" if (number // 7) % 2 == 0 else "UNPIN", "shop", key)
            number += 1
            ends.wait(0.02)

    def test_every_byte_of_a_key_arrives(self):
        keys = [b"\0\r\n|", bytes(range(256)), b"\xff\xfe", "日本|\u0085\u2028".encode(), b"\x01" * 65536, b"a,b=c"]
        self.serve()
        with Daemon(config(self.broker, self.topic)) as daemon:
            told = Told(daemon)
            daemon.client().execute_command(*report(1, *[(key, 150) for key in keys]))
            eventually(lambda: len(told.told) == len(keys), what="told locally")
            records = self.wait_history(told)
            self.assertEqual({record.key for record in records}, {b"shop|" + key for key in keys})
            for record in records:
                self.assertEqual(record.headers, {"content-type": "application/cloudevents+json",
                                                  "ce_id": record.event["id"], "ce_type": record.event["type"]})

    def test_a_restarted_daemon_begins_with_a_snapshot_and_never_sends_heartbeats(self):
        more = "state: {dir}/state\n"
        self.serve()
        with Daemon(config(self.broker, self.topic, more)) as daemon:
            daemon.hotkey("HIT", "shop", "k", 150)
            eventually(lambda: self.broker.records(self.topic), what="the first record")
            self.assertEqual(daemon.terminate(), 0)
            daemon.start()
            self.wait_up(daemon)

            def snapshots():
                return [record for record in self.broker.records(self.topic) if record.headers["ce_type"] == "hotkey.snapshot"]
            found = eventually(snapshots, what="a snapshot")
            self.assertEqual([record.key for record in found], [b"shop|test-node"])
            self.assertEqual([data["key"] for data in found[0].event["data"]["keys"]], ["k"])
            self.assertEqual(Follower(self.broker.records(self.topic)).hot(), {"k"})
            types = {record.headers["ce_type"] for record in self.broker.records(self.topic)}
            self.assertNotIn("hotkey.heartbeat", types)

    def test_the_drain_deadline_holds_with_a_hanging_and_with_a_dead_broker(self):
        self.serve()
        for hurt, repair, code in ((self.broker.pause, self.broker.resume, 70), (self.broker.kill, lambda: None, 0)):
            with self.subTest(hurt=hurt.__name__), Daemon(config(self.broker, self.topic, "drain: 3s\n")) as daemon:
                daemon.hotkey("PIN", "shop", "first")
                self.wait_up(daemon)
                eventually(lambda: daemon.metric("publisher_queue_events") == 0, what="the first event acknowledged")
                hurt()
                daemon.hotkey("PIN", "shop", "never sent")
                if hurt == self.broker.kill:
                    eventually(lambda: daemon.metric("publisher_up") == 0, what="publisher_up 0")
                begin = time.monotonic()
                daemon.process.terminate()
                self.assertEqual(daemon.process.wait(20), code, daemon.log())
                self.assertLess(time.monotonic() - begin, 6)
                self.assertIn("event=kafka_events_lost sink=kafka events=1", daemon.log())
            repair()


class KafkaRights(unittest.TestCase):
    def test_absent_and_forbidden_topics_are_named_and_get_their_events_later(self):
        with Kafka("auto.create.topics.enable=false", "allow.everyone.if.no.acl.found=true",
                   "authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer",
                   "super.users=User:nobody") as broker:
            acl = ("--topic", "later", "--operation", "Write", "--force")
            impatient = config(broker, "later").replace("topic:", "properties: { topic.metadata.propagation.max.ms: 500 }, topic:")
            with Daemon(impatient) as daemon:
                daemon.hotkey("PIN", "shop", "k")
                self.wait_said(daemon, "topic later does not exist")
                broker.tool("org.apache.kafka.tools.AclCommand", "--add", "--deny-principal", "User:ANONYMOUS", *acl)
                broker.tool("org.apache.kafka.tools.TopicCommand", "--create", "--topic", "later", "--partitions", "2")
                self.wait_said(daemon, "topic later: not authorized")
                self.assertEqual(daemon.metric("publisher_up"), 0)
                self.assertIn("event=kafka_refused", daemon.log())
                broker.tool("org.apache.kafka.tools.AclCommand", "--remove", "--deny-principal", "User:ANONYMOUS", *acl)
                records = eventually(lambda: changes(broker.records("later")), timeout=30, what="the event in the topic")
                self.assertEqual([record.key for record in records], [b"shop|k"])
                eventually(lambda: daemon.metric("publisher_up") == 1, timeout=30, what="publisher_up 1")

    def wait_said(self, daemon, text):
        eventually(lambda: text in daemon.http("/readyz?verbose"), timeout=30, what=f"readyz saying {text}")


if __name__ == "__main__":
    unittest.main()
