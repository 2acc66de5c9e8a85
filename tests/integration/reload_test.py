"""Reload: whole or not at all, and nobody who is not concerned notices."""
import json
import os
import signal
import socket
import unittest

import redis as redis_library

from harness import FAST, STAYS_HOT, Daemon, RedisServer, eventually, free_port, next_event, report

EXTRA = '{ name: extra, match: "extra:*", promote: { rate: 5/s } }, '


def with_rule(config):
    return config.replace("rules: [ ", "rules: [ " + EXTRA)


def with_publisher(config, endpoint, options=""):
    return config + f"publishers: [ {{ type: redis, endpoint: '{endpoint}'{options} }} ]\n"


def rules_of(daemon):
    return [rule["name"] for rule in json.loads(daemon.hotkey("RULES", "shop"))["rules"]]


class Reload(unittest.TestCase):
    def reload(self, daemon, config):
        daemon.write_config(config)
        self.assertEqual(daemon.hotkey("RELOAD"), b"OK")

    def refused(self, daemon, config):
        daemon.write_config(config)
        with self.assertRaises(redis_library.ResponseError) as refusal:
            daemon.hotkey("RELOAD")
        return str(refusal.exception)

    def test_keeps_counters_connections_producers_and_the_hot_set(self):
        with Daemon(STAYS_HOT) as daemon, daemon.raw() as old:
            subscription = daemon.events()
            client = daemon.client(single_connection_client=True)
            self.assertEqual(client.execute_command(*report(1, ("k", 150))), 1)
            next_event(subscription, "promoted", "k")
            self.reload(daemon, with_rule(STAYS_HOT))
            self.assertEqual(rules_of(daemon), ["extra", "rest"])
            next_event(subscription, "rules_changed")
            self.assertEqual(client.execute_command(*report(1, ("k", 150))), 0, "a batch that was counted before")
            self.assertEqual(daemon.hot_keys(), {"k"})
            self.assertEqual(daemon.metric("source_accesses_total"), 150)
            old.sendall(b"PING\r\n")
            self.assertEqual(old.recv(100), b"+PONG\r\n")

    def test_an_address_in_use_refuses_the_whole_reload(self):
        with Daemon(FAST) as daemon, socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]
            before = daemon.metric("config_last_reload_success_timestamp_seconds")
            for change in (("http: { listen: 127.0.0.1:{http_port} }", f"http: {{ listen: 127.0.0.1:{port} }}"),
                           ('"tcp://127.0.0.1:{resp_port}"', f'"unix://{{dir}}/new.sock", "tcp://127.0.0.1:{port}"')):
                said = self.refused(daemon, with_rule(FAST).replace(*change))
                self.assertIn(f"127.0.0.1:{port}: Address already in use", said)
                self.assertEqual(rules_of(daemon), ["rest"])
            self.assertFalse((daemon.dir / "new.sock").exists(), "a socket of the refused reload is left")
            self.assertEqual(daemon.metric("config_last_reload_successful"), 0)
            self.assertEqual(daemon.metric("config_last_reload_success_timestamp_seconds"), before)
            self.assertTrue(redis_library.Redis(port=daemon.words["resp_port"]).ping())
            self.reload(daemon, FAST)
            self.assertEqual(daemon.metric("config_last_reload_successful"), 1)
            self.assertGreater(daemon.metric("config_last_reload_success_timestamp_seconds"), before)

    def test_a_file_that_is_empty_or_a_pipe_changes_nothing(self):
        with Daemon(FAST) as daemon:
            before = rules_of(daemon)
            self.assertIn("it is empty", self.refused(daemon, ""))
            self.assertIn("it is empty", self.refused(daemon, "# rules:\n\n  # all gone"))
            os.remove(daemon.dir / "hotkeyd.yaml")
            os.mkfifo(daemon.dir / "hotkeyd.yaml")
            with self.assertRaisesRegex(redis_library.ResponseError, "not a regular file"):
                daemon.hotkey("RELOAD")
            daemon.http("/healthz")
            self.assertEqual(rules_of(daemon), before)

    def test_listeners_come_and_go_without_the_others(self):
        with Daemon(FAST) as daemon:
            by_tcp = redis_library.Redis(port=daemon.words["resp_port"], single_connection_client=True)
            by_tcp.ping()
            daemon.words["http_port"] = free_port()
            self.reload(daemon, FAST.replace('"tcp://127.0.0.1:{resp_port}"', '"unix://{dir}/new.sock"'))
            self.assertTrue(redis_library.Redis(unix_socket_path=str(daemon.dir / "new.sock")).ping())
            self.assertTrue(by_tcp.ping(), "a connection of a listener that is gone")
            with socket.socket() as probe:
                self.assertNotEqual(probe.connect_ex(("127.0.0.1", daemon.words["resp_port"])), 0)
            self.assertEqual(daemon.metric("config_last_reload_successful"), 1, "asked on the new HTTP port")
            self.assertIn(f"address=http://127.0.0.1:{daemon.words['http_port']}", daemon.log())
            self.assertEqual(daemon.terminate(), 0)
            self.assertFalse((daemon.dir / "new.sock").exists())

    def test_the_mode_of_a_socket_changes_in_place(self):
        with Daemon(FAST) as daemon, daemon.raw() as old:
            inode = os.stat(daemon.socket_path).st_ino
            self.reload(daemon, FAST.replace('"unix://{dir}/hotkeyd.sock"',
                                             '{ url: "unix://{dir}/hotkeyd.sock", mode: "0600" }'))
            found = os.stat(daemon.socket_path)
            self.assertEqual((oct(found.st_mode & 0o777), found.st_ino), ("0o600", inode))
            old.sendall(b"PING\r\n")
            self.assertEqual(old.recv(100), b"+PONG\r\n")

    def test_what_needs_a_restart_is_named_and_keeps_its_running_value(self):
        with Daemon(FAST) as daemon:
            config = with_rule(FAST).replace("test-node", "other-node") + "detector: { top_k: 7 }\nnamespaces_max: 3\n"
            self.reload(daemon, config)
            self.assertEqual(rules_of(daemon), ["extra", "rest"], "what needs no restart applies")
            named = {line.split("option=")[1].split()[0] for line in daemon.log().splitlines()
                     if "event=restart_needed" in line}
            self.assertEqual(named, {"node", "detector.top_k", "namespaces_max"})
            shown = daemon.client().config_get("*")
            self.assertEqual((shown["node"], shown["detector.top_k"], shown["rules[0].name"]), ("test-node", "1000", "extra"))

    def test_a_log_level_given_by_command_ends_with_a_reload(self):
        with Daemon(FAST) as daemon:
            daemon.hotkey("LOGLEVEL", "debug")
            daemon.hotkey("PIN", "shop", "seen")
            eventually(lambda: "level=debug event=promoted" in daemon.log(), what="a debug line")
            self.reload(daemon, FAST)
            daemon.hotkey("PIN", "shop", "unseen")
            daemon.hotkey("UNPIN", "shop", "unseen")
            self.assertNotIn("unseen", daemon.log())

    def test_what_new_rules_decide_holds_at_once_and_is_told_in_order(self):
        with Daemon(STAYS_HOT) as daemon:
            rows = [(f"k{number}", 150) for number in range(9000)]
            daemon.client().execute_command(*report(1, *rows))
            eventually(lambda: daemon.metric("server_untold_events") == 0, what="all promotions told")
            hot = len(daemon.hot_keys())  # A table as full as this may have had no record for a key.
            self.assertGreater(hot, 8000)
            subscription = daemon.events()
            first = subscription.first
            daemon.write_config(STAYS_HOT.replace('match: "*"', 'match: "other:*"'))
            together = daemon.client().pipeline(transaction=False)
            for command in (("RELOAD",), ("LIST", "shop"), ("STATS",)):
                together.execute_command("HOTKEY", *command)
            reply, hot_set, stats = together.execute()
            self.assertEqual((reply, hot_set), (b"OK", []), "reply, and the hot set right after it")
            self.assertGreater(json.loads(stats)["server_untold_events"], 0, "told at a pace")
            events = []
            while not events or events[-1]["type"] != "hotkey.rules_changed":
                message = subscription.get_message(timeout=10)
                events.append(json.loads(message["data"]))
            told = [event for event in events[:-1] if event["type"] == "hotkey.demoted"]
            self.assertEqual(len(told), hot)
            self.assertEqual({event["data"]["reason"] for event in told}, {"rule_removed"})
            numbers = [event["data"]["seq"] for event in events if event["type"] in ("hotkey.demoted", "hotkey.rules_changed")]
            began = first["data"]["seq"] + 1
            self.assertEqual(numbers, list(range(began, began + hot + 1)), "numbers without a gap, rules_changed last")

    def test_a_stop_right_after_a_reload_tells_what_it_decided(self):
        with RedisServer() as server, Daemon(with_publisher(STAYS_HOT, server.endpoint)) as daemon:
            eventually(lambda: daemon.metric("publisher_up") == 1, what="publisher_up")
            daemon.client().execute_command(*report(1, *((f"k{number}", 150) for number in range(2500))))
            state = "hotkey:{shop}:state:test-node"
            eventually(lambda: server.client().hlen(state) == 2501, what="2500 keys and meta at Redis")
            self.reload(daemon, with_publisher(STAYS_HOT.replace('match: "*"', 'match: "other:*"'), server.endpoint))
            self.assertEqual(daemon.terminate(), 0)
            self.assertLessEqual(server.client().hlen(state), 1, "keys left at Redis")

    def test_reloads_come_one_after_the_other(self):
        with Daemon(FAST) as daemon:
            connections = [daemon.raw() for _ in range(20)]
            daemon.write_config(with_rule(FAST))
            for connection in connections:
                connection.sendall(b"HOTKEY RELOAD\r\nPING\r\n" * 5)
                daemon.process.send_signal(signal.SIGHUP)
            for connection in connections:
                answer = b""
                while len(answer) < 5 * len(b"+OK\r\n+PONG\r\n"):
                    answer += connection.recv(1000)
                self.assertEqual(answer, b"+OK\r\n+PONG\r\n" * 5)
                connection.close()
            self.assertEqual(rules_of(daemon), ["extra", "rest"])

    def test_a_connection_that_leaves_before_its_answer_harms_nobody(self):
        with Daemon(FAST) as daemon:
            for _ in range(50):
                with daemon.raw() as connection:
                    connection.sendall(b"HOTKEY RELOAD\r\n")
            self.assertEqual(daemon.hotkey("RELOAD"), b"OK")


class PublishersOverAReload(unittest.TestCase):
    def connections(self, server):
        """Client ids at Redis, all but ours."""
        client = server.client()
        return {row["id"] for row in client.client_list() if "client" not in row["cmd"]}

    def wait_up(self, daemon, count=1):
        eventually(lambda: daemon.metric("publisher_up") == count, what="publisher_up")

    def test_an_unchanged_publisher_keeps_its_connection(self):
        with RedisServer() as server, Daemon(with_publisher(STAYS_HOT, server.endpoint)) as daemon:
            self.wait_up(daemon)
            daemon.hotkey("PIN", "shop", "k")
            eventually(lambda: daemon.metric("publisher_queue_events") == 0, what="an empty queue")
            before = self.connections(server)
            self.assertTrue(before)
            daemon.write_config(with_publisher(with_rule(STAYS_HOT), server.endpoint))
            daemon.hotkey("RELOAD")
            self.assertEqual(self.connections(server), before)
            self.assertEqual(daemon.metric("publisher_up"), 1)

    def test_a_changed_publisher_is_drained_and_replaced(self):
        with RedisServer() as server, Daemon(with_publisher(STAYS_HOT, server.endpoint)) as daemon:
            self.wait_up(daemon)
            before = self.connections(server)
            for number in range(50):
                daemon.hotkey("PIN", "shop", f"k{number}")
            daemon.write_config(with_publisher(STAYS_HOT, server.endpoint, ", relay: false"))
            daemon.hotkey("RELOAD")
            for number in range(50, 100):
                daemon.hotkey("PIN", "shop", f"k{number}")
            names = {f"k:k{number}".encode() for number in range(100)}
            eventually(lambda: names <= set(server.client().hkeys("hotkey:{shop}:state:test-node")), what="all keys at Redis")
            eventually(lambda: not self.connections(server) & before, what="the end of the old connections")
            self.wait_up(daemon)
            self.assertGreaterEqual(daemon.metric("publisher_events_total"), 50, "counted on over the replacement")
            self.assertEqual(daemon.metric("publisher_failed_events_total"), 0)

    def test_publishers_come_and_go(self):
        with RedisServer() as server, Daemon(STAYS_HOT) as daemon:
            daemon.hotkey("PIN", "shop", "k")
            daemon.write_config(with_publisher(STAYS_HOT, server.endpoint))
            daemon.hotkey("RELOAD")
            eventually(lambda: server.client().hexists("hotkey:{shop}:state:test-node", "k:k"), what="the hot set at Redis")
            daemon.write_config(STAYS_HOT)
            daemon.hotkey("RELOAD")
            eventually(lambda: not self.connections(server), what="no connection to Redis")
            self.assertEqual(daemon.metric("publisher_up"), None)
            self.assertEqual(daemon.terminate(), 0)

    def test_a_reload_does_not_wait_for_a_server_that_hangs(self):
        with RedisServer() as server, Daemon(with_publisher(STAYS_HOT + "drain: 1s\n", server.endpoint)) as daemon:
            self.wait_up(daemon)
            server.pause()
            daemon.hotkey("PIN", "shop", "k")
            daemon.write_config(with_publisher(STAYS_HOT + "drain: 1s\n", server.endpoint, ", relay: false"))
            daemon.hotkey("RELOAD")
            daemon.hotkey("PIN", "shop", "later")
            eventually(lambda: "event=publisher_not_drained sink=redis" in daemon.log(), what="the end of the old publisher")
            server.resume()
            eventually(lambda: server.client().hexists("hotkey:{shop}:state:test-node", "k:later"), what="what came later")


if __name__ == "__main__":
    unittest.main()
