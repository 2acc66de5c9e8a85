"""A daemon, applications and a Redis that are killed, paused, flooded and cut off in seeded random order; and the accounts
afterwards.

What can be known exactly, and what not:

- An application that lives: recorded = acknowledged + dropped + pending at every look (it looks every 5 ms itself), and
  recorded = its own count of calls. Once its batches are settled, `acknowledged` is what the tally of the proxy says it was
  acknowledged, each batch once over all lives of the daemon.
- An application that was killed takes what it had not sent with it: nobody knows of that, and the daemon never heard of it. What
  it had sent may be counted without an answer that anybody saw. `settle` sends those batches again with their numbers, as the
  application would have: afterwards each of them is counted exactly once by the daemon that lives now.
- A daemon that lives: counted + late = accesses of the batches it acknowledged (a late batch is acknowledged and not counted).
- A daemon that was killed takes its counters with it. Just before a kill, though, they must lie between what it had
  acknowledged and that plus what was under way; `bracket` checks it.
- A batch counted by a daemon that died before its answer arrived is sent again and counted by the next one too. That is
  right: each daemon counts since its own start, and the application is acknowledged once. So sums over several lives are
  compared with applications only batch by batch, never as sums of counters.
"""
import contextlib
import heapq
import itertools
import json
import random
import signal
import time

from fault_tools import FaultProxy, Follower, Worker, name_of, report_accesses, settle, stopwatch
from harness import BASE, Daemon, RedisServer, eventually

CONFIG = BASE + """\
rules: [ { name: rest, match: "*", promote: { rate: 100/s }, demote: { rate: 70/s, after: 2s } } ]
state: "{dir}/state"
publishers: [ { type: redis, endpoint: "{redis}", heartbeat: 1s } ]
"""
HOT_KEYS = 20
STEADY = range(HOT_KEYS)
PINNABLE = range(250, 260)  # Keys without traffic: hot only while the order is remembered.
KEY_RATE = 200  # Accesses a second of each steady key, over all applications.
# What may differ between two tellings of one state: as of when they were taken.
FIGURES = {"count", "rate", "error", "share", "reads", "writes", "misses", "local_hits", "bytes", "sample"}


class Storm(contextlib.ExitStack):
    """The programs, and everything that can be done to them. Use it in a `with`."""

    def __init__(self, seed, workers=4):
        super().__init__()
        self.dice = random.Random(seed)
        self.worker_count = workers
        self.wakes, self.numbers = [], itertools.count()
        self.paused = set()
        self.pinned, self.denied, self.is_disabled = set(), set(), False  # As the daemon said +OK to.
        self.done = {}
        self.settled = 0

    def __enter__(self):
        super().__enter__()
        self.redis = self.enter_context(RedisServer())
        self.redis_proxy = self.enter_context(FaultProxy(f"tcp://127.0.0.1:{self.redis.port}"))
        self.daemon = self.enter_context(Daemon(CONFIG, redis=self.redis_proxy.url.replace("tcp", "redis")))
        self.proxy = self.enter_context(FaultProxy(self.daemon.url, f"unix://{self.daemon.dir}/proxy.sock"))
        self.follower = Follower(self.daemon)
        self.follower.start()
        self.callback(self.follower.stop)
        self.order_pin()
        self.workers = [self.start_worker() for _ in range(self.worker_count)]
        return self

    def __exit__(self, *details):
        for server in (self.daemon, self.redis, *self.workers):
            server.kill()
        for worker in self.workers:
            worker.__exit__(None, None, None)
        return super().__exit__(*details)

    def start_worker(self):
        worker = Worker(self.proxy.url)
        worker.start()
        worker.reads = self.dice.choice(["traffic", "near"])  # "near": through a near cache.
        self.steady(worker)
        return worker

    def steady(self, worker):
        worker(f"{worker.reads} 0 {HOT_KEYS} {KEY_RATE * HOT_KEYS / self.worker_count}")

    # What can happen.

    def kill_daemon(self):
        assert self.daemon.process.poll() is None, f"the daemon ended by itself: {self.daemon.log()[-3000:]}"
        if self.daemon not in self.paused:
            self.bracket()
        self.wake(self.daemon)
        self.daemon.kill()
        self.proxy("life")

    def restart_daemon(self):
        """Seconds until it serves."""
        self.kill_daemon()
        seconds = stopwatch()
        self.daemon.start()
        return seconds()

    def stop_daemon(self):
        """As systemd does; the drain may find Redis gone, and then ends at its deadline."""
        for server in (self.daemon, self.redis):
            self.wake(server)
        self.redis_proxy("heal")
        code = self.daemon.terminate()
        assert code in (0, 70), f"the daemon ended with {code}: {self.daemon.log()[-3000:]}"
        self.proxy("life")
        self.daemon.start()

    def reload_daemon(self):
        self.daemon.write_config(CONFIG.replace("after: 2s", f"after: {self.dice.randrange(1, 4)}s"))
        self.daemon.process.send_signal(signal.SIGHUP)

    def order(self, word, *key):
        """An order that was answered +OK outlives any kill."""
        self.wake(self.daemon)
        assert self.daemon.hotkey(word, "shop", *key) == b"OK"

    def order_pin(self):
        number = self.dice.choice(PINNABLE)
        self.order("UNPIN" if number in self.pinned else "PIN", f"key:{number}")
        self.pinned ^= {number}

    def order_denial(self):
        number = self.dice.choice(STEADY)
        self.order("ALLOW" if number in self.denied else "DENY", f"key:{number}")
        self.denied ^= {number}

    def order_kill_switch(self):
        self.order("ENABLE" if self.is_disabled else "DISABLE")
        self.is_disabled = not self.is_disabled

    def kill_redis(self):
        self.wake(self.redis)
        self.redis.kill()
        time.sleep(self.dice.uniform(0, 0.3))
        self.redis.start()

    def kill_worker(self):
        worker = self.dice.choice(self.workers)
        self.wake(worker)
        self.replace(worker)

    def replace(self, worker):
        worker.__exit__(None, None, None)
        self.workers[self.workers.index(worker)] = self.start_worker()

    def pause(self, server, seconds):
        if server in self.paused:
            return
        server.pause()
        self.paused.add(server)
        heapq.heappush(self.wakes, (time.monotonic() + seconds, next(self.numbers), server))

    def wake(self, server):
        if server in self.paused:
            self.paused.discard(server)
            server.resume()

    def wake_due(self, now):
        while self.wakes and self.wakes[0][0] <= now:
            self.wake(heapq.heappop(self.wakes)[2])

    def awake_worker(self):
        awake = [worker for worker in self.workers if worker not in self.paused]
        return self.dice.choice(awake) if awake else None

    def pause_daemon(self):
        self.pause(self.daemon, self.dice.uniform(0.1, 2))

    def pause_redis(self):
        self.pause(self.redis, self.dice.uniform(0.1, 2))

    def pause_worker(self):
        self.pause(self.dice.choice(self.workers), self.dice.uniform(0.1, 2))

    def flood_daemon(self):
        if worker := self.awake_worker():
            worker(f"burst {self.dice.randrange(1000, 200_000)} {self.dice.choice([1, 100, 2000, 20_000])}")

    def flood_redis(self):
        if self.redis not in self.paused:
            pipeline = self.redis.client().pipeline(transaction=False)
            for number in range(5000):
                pipeline.set(f"noise:{number}", "x" * 100)
            pipeline.execute()

    def move_traffic(self):
        if worker := self.awake_worker():
            worker(f"{worker.reads} {self.dice.choice([0, 100, 200])} {self.dice.choice([5, 20, 60])} 4000")

    def invalidate(self):
        if worker := self.awake_worker():
            worker(f"invalidate key:{self.dice.choice(STEADY)}")

    def break_connection(self):
        proxy = self.dice.choice([self.proxy, self.proxy, self.redis_proxy])
        way = self.dice.choice(["up", "down", "both"])
        proxy(self.dice.choice([f"reset {way}", f"cut up {self.dice.randrange(5000)}", f"cut down {self.dice.randrange(2000)}",
                                f"delay {way} {self.dice.randrange(1, 80)}", f"bytes {way}", "heal", "heal"]))

    def storm(self, seconds):
        """Everything in random order, for that long; then all is repaired."""
        kinds = {self.restart_daemon: 2, self.stop_daemon: 1, self.reload_daemon: 2, self.pause_daemon: 3, self.flood_daemon: 5,
                 self.kill_worker: 3, self.pause_worker: 3, self.kill_redis: 1, self.pause_redis: 2, self.flood_redis: 2,
                 self.move_traffic: 4, self.break_connection: 5,
                 self.order_pin: 2, self.order_denial: 2, self.order_kill_switch: 1, self.invalidate: 5}
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            act = self.dice.choices(list(kinds), list(kinds.values()))[0]
            act()
            self.done[act.__name__] = self.done.get(act.__name__, 0) + 1
            wait_until = time.monotonic() + self.dice.uniform(0, 0.4)
            while time.monotonic() < wait_until:
                self.wake_due(time.monotonic())
                time.sleep(0.01)
        self.repair()

    def repair(self):
        for server in list(self.paused):
            self.wake(server)
        for proxy in (self.proxy, self.redis_proxy):
            proxy("heal")
        for worker in self.workers:
            self.steady(worker)

    # What must hold.

    def bracket(self):
        before = self.proxy("tally")
        counted = sum(report_accesses(self.daemon))
        after = self.proxy("tally")
        assert before["accesses"] <= counted <= after["accesses"] + after["unanswered_accesses"], (before, counted, after)

    def converge(self):
        """Seconds until every application holds the daemon's hot set, from when that is what it should be."""
        eventually(self.is_steady, timeout=20, what="the hot set that the traffic makes")
        seconds = stopwatch()
        eventually(self.all_hold_the_hot_set, what="hot sets of the applications as the daemon's")
        return seconds()

    def expected(self):
        """The hot set that the steady traffic and the orders make."""
        return [] if self.is_disabled else [f"key:{number}" for number in sorted({*STEADY, *self.pinned} - self.denied)]

    def is_steady(self):
        hot, expected = {name_of(data) for data in map(json.loads, self.daemon.hotkey("LIST", "shop"))}, set(self.expected())
        assert hot == expected, f"more: {hot - expected}, missing: {expected - hot}"
        return True

    def all_hold_the_hot_set(self):
        """That of this life of the daemon: what its predecessor said stays until its lease ends."""
        epoch = json.loads(self.daemon.hotkey("SNAPSHOT", "shop"))["data"]["epoch"]
        return all(worker("epoch") == epoch and worker("hot 0 300") == self.expected() for worker in self.workers)

    def check_streams(self):
        """The hash, once it is repaired, tells what the daemon's own snapshot tells, and whoever followed its stream knows."""
        eventually(lambda: self.told_by_redis() == self.told_locally() == self.followed(), timeout=20,
                   what="the same from the hash, the snapshot and the local stream")
        assert not self.follower.broken, self.follower.broken

    def followed(self):
        return {name: state_of(data) for name, data in dict(self.follower.entries).items()}

    def told_locally(self):
        return {name_of(data): state_of(data) for data in json.loads(self.daemon.hotkey("SNAPSHOT", "shop"))["data"]["keys"]}

    def told_by_redis(self):
        fields = self.redis.client().hgetall("hotkey:{shop}:state:test-node")
        told = [json.loads(data) for field, data in fields.items() if field != b"meta"]
        return {name_of(data): state_of(data) for data in told}

    def check_accounts(self):
        """Stops the traffic, lets everything settle and compares; returns the figures."""
        for worker in self.workers:
            worker("traffic 0 0 0")
        for worker in self.workers:
            assert worker("flush 20000"), worker("stats")
        self.settled = settle(self.proxy)
        tally = self.proxy("tally")
        assert tally["unanswered"] == tally["unreadable"] == 0, tally
        for worker in self.workers:
            stats = worker("stats")
            assert stats["too_old"] == 0, f"copies of the near cache that should not have been served: {stats}"
            assert stats["balances"] and stats["pending"] == 0, stats
            assert stats["recorded"] == stats["calls"] == stats["acknowledged"] + stats["dropped"], stats
            assert stats["acknowledged"] == worker.acknowledged(tally), (stats, worker.acknowledged(tally))
        counted, late = report_accesses(self.daemon)
        hits = sum(worker("stats")["hits"] for worker in self.workers)
        difference = counted + late - tally["accesses"]
        assert difference == 0, f"counted {counted} + late {late}, acknowledged {tally['accesses']}"
        return {"lives": tally["life"], "batches": tally["batches"], "repeated": tally["repeated"], "settled": self.settled, "near_hits": hits,
                "acknowledged_all_lives": sum(told["accesses"] for told in tally["producers"].values()),
                "acknowledged": tally["accesses"], "counted": counted, "late": late, "difference": difference}


def state_of(data):
    return {name: value for name, value in data.items() if name not in FIGURES}
