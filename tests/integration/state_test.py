"""What outlives the daemon: orders, the kill switch, the hot set, an epoch that grows; whatever the disk does."""
import ctypes
import json
import resource
import subprocess
import threading
import time
import unittest

import redis as redis_library

from harness import FAST, STAYS_HOT, Daemon, RedisServer, eventually, report

KEPT = FAST + 'state: "{dir}/kept/state"\n'
KEPT_HOT = STAYS_HOT + 'state: "{dir}/kept/state"\n'


class Kept(Daemon):
    """A daemon with a state file in a folder of its own."""

    def __init__(self, config=KEPT, **words):
        super().__init__(config, **words)
        self.folder = self.dir / "kept"
        self.folder.mkdir()
        self.state = self.folder / "state"

    def restart(self, kill=False):
        self.kill() if kill else self.terminate()
        self.start()

    def snapshot(self):
        return json.loads(self.hotkey("SNAPSHOT", "shop"))["data"]

    def names(self):
        return sorted(path.name for path in self.folder.iterdir() if path.suffix != ".lock")

    def limit_file_size(self, size):
        """A disk that is full: files of the daemon cannot grow beyond `size`."""
        resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


class State(unittest.TestCase):
    def test_answered_orders_survive_kill_under_load(self):
        with Kept() as daemon:
            answered, stop = [], threading.Event()

            def give(number):
                client = daemon.client()
                for count in range(10_000):
                    key = f"{number}:{count}"
                    try:
                        client.execute_command("HOTKEY", "PIN", "shop", key)
                    except redis_library.RedisError:
                        return
                    answered.append(key)

            threads = [threading.Thread(target=give, args=(number,)) for number in range(8)]
            for thread in threads:
                thread.start()
            eventually(lambda: len(answered) > 300)
            daemon.kill()
            for thread in threads:
                thread.join()
            daemon.start()
            self.assertLessEqual(set(answered), daemon.hot_keys())
            self.assertEqual(daemon.state.stat().st_mode & 0o777, 0o600)

    def test_the_hot_set_goes_on_after_kill(self):
        with Kept(KEPT_HOT) as daemon:
            daemon.hotkey("HIT", "shop", "k", 150)
            since = daemon.snapshot()["keys"][0]["detected_at_ms"]
            epoch = daemon.snapshot()["epoch"]
            time.sleep(1.5)  # Within a second of its change it may still be unsaved.
            daemon.restart(kill=True)
            events = daemon.events()
            now = daemon.snapshot()
            self.assertEqual([(key["key"], key["seq"], key["detected_at_ms"]) for key in now["keys"]], [("k", 0, since)])
            self.assertGreater(now["epoch"], epoch)
            daemon.hotkey("HIT", "shop", "k", 500)
            daemon.hotkey("PIN", "shop", "last")
            told, deadline = [], time.monotonic() + 10
            while ("hotkey.promoted", "last") not in told and time.monotonic() < deadline:
                message = events.get_message(timeout=1)
                event = json.loads(message["data"]) if message else {"type": "none"}
                if event["type"] not in ("none", "hotkey.snapshot", "hotkey.heartbeat"):
                    told.append((event["type"], event["data"]["key"]))
            self.assertEqual(told, [("hotkey.promoted", "last")])
            self.assertEqual(len(daemon.hotkey("EPISODES", "shop", 10)), 2)

    def test_a_hot_set_older_than_its_lease_is_forgotten(self):
        with Kept(KEPT_HOT + "lease: 1s\n") as daemon:
            daemon.hotkey("HIT", "shop", "k", 150)
            daemon.hotkey("PIN", "shop", "pinned")
            daemon.terminate()
            time.sleep(1.2)
            daemon.start()
            self.assertEqual(daemon.hot_keys(), {"pinned"})
            self.assertIn("older than its lease", daemon.log())

    def test_the_redis_hash_tells_the_restored_hot_set(self):
        with RedisServer() as redis:
            publishers = f"publishers: [ {{ type: redis, endpoint: '{redis.endpoint}' }} ]\n"
            with Kept(KEPT_HOT + publishers) as daemon:
                daemon.hotkey("HIT", "shop", "k", 150)
                name = "hotkey:{shop}:state:test-node"
                eventually(lambda: redis.client().hexists(name, "k:k"))
                daemon.restart()
                epoch = daemon.snapshot()["epoch"]
                eventually(lambda: json.loads(redis.client().hget(name, "meta"))["epoch"] == epoch)
                entry = json.loads(redis.client().hget(name, "k:k"))
                self.assertEqual((entry["epoch"], entry["seq"]), (epoch, 0))

    def test_every_start_has_a_larger_epoch(self):
        with Kept() as daemon:
            daemon.hotkey("PIN", "shop", "k")
            first = daemon.snapshot()["epoch"]
            epochs = [first]
            for _ in range(3):
                daemon.restart(kill=True)
                epochs.append(daemon.snapshot()["epoch"])
            self.assertEqual(epochs, sorted(set(epochs)))

    def test_an_epoch_from_the_future_is_followed_by_a_larger_one(self):
        with Kept() as daemon:
            daemon.hotkey("PIN", "shop", "k")
            daemon.terminate()
            self.age(daemon, hours=-1)
            daemon.start()
            now_ms = time.time() * 1000
            self.assertGreater(daemon.snapshot()["epoch"], now_ms + 3_500_000)
            self.assertIn("the clock was set back", daemon.log())
            self.assertEqual(eventually(daemon.hot_keys), {"k"})

    @staticmethod
    def age(daemon, hours):
        """Rewrites the file as one that was written that long ago."""
        data = bytearray(daemon.state.read_bytes())
        at = 20 + 4 + len("test-node")  # Epoch, saved at, hot at.
        for place in range(at, at + 24, 8):
            value = int.from_bytes(data[place:place + 8], "little") - hours * 3_600_000
            data[place:place + 8] = value.to_bytes(8, "little")
        data[-8:] = xxh3_64(bytes(data[:-8])).to_bytes(8, "little")
        daemon.state.write_bytes(bytes(data))

    def test_damaged_files_are_set_aside_and_only_the_last_five_kept(self):
        with Kept() as daemon:
            daemon.hotkey("PIN", "shop", "k")
            daemon.terminate()
            for number in range(7):
                daemon.state.write_bytes(b"damaged %d" % number)
                daemon.start()
                self.assertEqual(daemon.hot_keys(), set())
                daemon.terminate()
            aside = [name for name in daemon.names() if name.startswith("state.damaged-")]
            self.assertEqual([(daemon.folder / name).read_bytes() for name in aside], [b"damaged %d" % n for n in range(2, 7)])
            self.assertEqual(daemon.log().count("event=state_not_read"), 7)
            self.assertEqual(daemon.names(), ["state", *aside])

    def test_a_full_disk_never_keeps_an_order_from_applying(self):
        with Kept() as daemon:
            daemon.limit_file_size(16_384)
            large = "x" * 20_000
            with self.assertRaisesRegex(redis_library.ResponseError, "applied, but not saved: .*cannot be written"):
                daemon.hotkey("PIN", "shop", large)
            self.assertEqual(daemon.hot_keys(), {large})
            self.assertGreaterEqual(daemon.metric('state_saves_total{result="failed"}'), 1)
            self.assertEqual(daemon.metric("state_unsaved"), 1)
            self.assertEqual(daemon.names(), ["state"])
            daemon.limit_file_size(resource.RLIM_INFINITY)
            eventually(lambda: daemon.metric("state_unsaved") == 0, what="the pin saved after all")
            daemon.restart(kill=True)
            self.assertEqual(daemon.hot_keys(), {large})

    def test_a_second_daemon_may_not_use_the_same_file(self):
        with Kept() as first:
            second = Daemon(FAST + f'state: "{first.state}"\n')
            ended = subprocess.run(second.command(), capture_output=True, text=True, timeout=10)
            self.assertIn("another process keeps its state there", ended.stderr)
            self.assertEqual(ended.returncode, 78)
            first.hotkey("PIN", "shop", "one")
            first.restart(kill=True)
            self.assertEqual(first.hot_keys(), {"one"})

    def test_a_missing_folder_is_named_and_made_up_for(self):
        with Daemon(KEPT) as daemon:
            self.assertIn("the folder does not exist", daemon.log())
            with self.assertRaisesRegex(redis_library.ResponseError, "applied, but not saved: .*the folder does not exist"):
                daemon.hotkey("PIN", "shop", "k")
            (daemon.dir / "kept").mkdir()
            eventually(lambda: daemon.metric("state_unsaved") == 0)
            daemon.kill()
            daemon.start()
            self.assertEqual(daemon.hot_keys(), {"k"})

    def test_pipelined_orders_are_answered_in_order(self):
        with Kept() as daemon:
            pipe = daemon.client().pipeline(transaction=False)
            for number in range(200):
                pipe.execute_command("HOTKEY", "PIN", "shop", number)
                pipe.echo(str(number))
            replies = pipe.execute()
            self.assertEqual(replies, [part for number in range(200) for part in (b"OK", str(number).encode())])

    def test_restarts_under_load_keep_pins_and_start_soon(self):
        with Kept() as daemon:
            daemon.hotkey("PIN", "shop", "pinned")
            for number in range(10):
                for seq in range(1, 20):
                    daemon.client().execute_command(*report(seq, ("busy", 50), producer=f"p:{number}"))
                began = time.monotonic()
                daemon.restart(kill=True)
                self.assertLess(time.monotonic() - began, 2)
                self.assertIn("pinned", daemon.hot_keys())


def xxh3_64(data):
    """The file's checksum."""
    checksum = ctypes.CDLL("libxxhash.so.0").XXH3_64bits_withSeed
    checksum.argtypes, checksum.restype = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint64], ctypes.c_uint64
    return checksum(data, len(data), 0)


if __name__ == "__main__":
    unittest.main()
