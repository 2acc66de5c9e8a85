"""The command table against a real server: COMMAND GETKEYSANDFLAGS over every command that it knows.

Of each command and subcommand of the server's own COMMAND reply, calls of every length that its arity allows (up to
eight arguments), with a number at each place in turn, so that counts of keys are hit and missed; and calls of the
commands with options, by hand. GETKEYSANDFLAGS looks at places only, so the arguments need no meaning.
"""
import json
import random
import subprocess
import unittest

from harness import BUILD, RedisServer

# The server names their keys, the table does not: they put no load on a value.
QUIET = ["object|encoding", "object|freq", "object|idletime", "object|refcount", "memory|usage"]

# Commands with options: what comes first, the options (any number of them in any order), what comes last. KEY becomes a
# key, drawn from names that are hard to tell from options.
GRAMMAR = {
    "SORT KEY": (["ASC", "ALPHA", "BY w_*", "GET #", "GET STORE", "LIMIT 0 5"], "STORE KEY"),
    "sort KEY": (["DESC", "BY nosort", "GET o_*", "LIMIT 0 5"], ""),
    "XREAD": (["COUNT 2", "BLOCK 0"], "STREAMS KEY KEY 0 0"),
    "XREADGROUP GROUP g streams": (["COUNT 2", "BLOCK 0", "NOACK"], "streams KEY >"),
    "MIGRATE h 6379 EMPTY 0 1000": (["COPY", "REPLACE", "AUTH keys", "AUTH2 keys keys"], "KEYS KEY KEY"),
    "MIGRATE h 6379 KEY 0 1000": (["COPY", "REPLACE", "AUTH secret"], ""),
    "GEORADIUS KEY 1 2 3 m": (["WITHDIST", "COUNT 5", "ASC"], "STORE KEY"),
    "GEORADIUSBYMEMBER KEY member 3 m": (["WITHDIST", "COUNT 5", "DESC"], "STOREDIST KEY"),
    "BITFIELD KEY": (["GET u8 0", "SET u8 0 1", "INCRBY i5 1 1", "OVERFLOW SAT"], "GET u8 8"),
    "SET KEY value": (["NX", "GET", "KEEPTTL", "EX 5"], ""),
    "ZUNIONSTORE KEY 2 KEY KEY": (["WEIGHTS 1 2", "AGGREGATE MAX"], ""),
}
NAMES = ["key", "streams", "GET", "KEYS", "2", "by", "a b", "\u00e9"]

EXAMPLES = """\
SORT src BY w_* GET o_* GET # STORE dst
SORT src LIMIT 0 5 STORE a STORE b
SORT src GET STORE STORE d
SORT_RO src BY w_* GET o_*
XREAD COUNT 2 BLOCK 0 STREAMS s1 s2 0 0
XREAD STREAMS STREAMS 0
XREADGROUP GROUP streams c STREAMS streams x > >
XREADGROUP GROUP g c COUNT 1 NOACK streams a b c > > >
MIGRATE h 6379 k 0 1000
MIGRATE h 6379 '' 0 1000 KEYS a b
MIGRATE h 6379 '' 0 1000 COPY REPLACE AUTH keys KEYS a b
MIGRATE h 6379 '' 0 1000 AUTH2 keys keys KEYS a
MIGRATE h 6379 k 0 1000 KEYS a
GEORADIUS g 1 2 3 m STORE d
GEORADIUS g 1 2 3 m COUNT 5 STOREDIST d
GEORADIUSBYMEMBER g m 3 m STOREDIST d
GEORADIUS_RO g 1 2 3 m
ZUNIONSTORE d 0 a
BITFIELD k GET u8 0
BITFIELD k GET u8 0 OVERFLOW SAT INCRBY u8 0 1
BITFIELD k SET u8 0 1
BITFIELD_RO k GET u8 0
SET k v
SET k v GET
SET k v PX 5 NX
EVAL s 2 a b c
EVAL s 0 a
EVAL s 5 a
FCALL f 1 k
FCALL_RO f 1 k
ZUNIONSTORE d 2 a b WEIGHTS 1 2
ZINTER 2 a b WITHSCORES
LMPOP 2 a b LEFT
BLMPOP 0 2 a b LEFT
SINTERCARD 2 a b LIMIT 1
BITOP AND d a b
COPY a b DB 2 REPLACE
GEOSEARCHSTORE d s FROMMEMBER m BYRADIUS 1 m ASC
PFCOUNT a b
PFMERGE d a
SPUBLISH ch m
DEBUG OBJECT k
CLUSTER KEYSLOT k
GET
FOO bar
"""


def is_lonely_pfmerge(call):
    """PFMERGE without sources: the server runs it, but can tell no keys of it."""
    return call[0].upper() == "PFMERGE" and len(call) == 2


def use_of(flags):
    return "write" if {b"update", b"insert", b"delete"} & set(flags) else "read"


def names(reply):
    """(name, subcommand or None, arity) of everything in a COMMAND reply."""
    for command in reply:
        subcommands = command[9] if len(command) > 9 else []
        yield command[0].decode(), None, command[1]
        for subcommand in subcommands:
            yield (*subcommand[0].decode().split("|"), subcommand[1])


def generic_calls(name, subcommand, arity):
    """Calls without meaning, of each length that the arity allows; a number at one place of each."""
    head = [name, subcommand] if subcommand else [name]
    sizes = [arity] if arity > 0 else range(-arity, max(-arity, 8) + 1)
    for size in sizes:
        words = head + [f"k{i}" for i in range(len(head), size)]
        yield words
        for place in range(len(head), size):
            for number in ("0", "1", "2", "3", "-1", "9223372036854775807"):
                yield [number if i == place else word for i, word in enumerate(words)]


def random_calls(dice, count=200):
    """Well-formed calls of GRAMMAR."""
    for head, (options, tail) in GRAMMAR.items():
        for _ in range(count):
            words = " ".join([head, *dice.choices(options, k=dice.randint(0, 5)), tail]).split()
            yield [dice.choice(NAMES) if word == "KEY" else word.replace("EMPTY", "") for word in words]


class CommandTable(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = RedisServer().__enter__()
        cls.client = cls.server.client()
        cls.commands = list(names(cls.raw(("COMMAND",))[0]))

    @classmethod
    def tearDownClass(cls):
        cls.server.__exit__()

    @classmethod
    def raw(cls, *calls):
        """Replies as they come, errors as values: the redis package would take COMMAND apart."""
        connection = cls.client.connection_pool.get_connection("COMMAND")
        try:
            for call in calls:
                connection.send_command(*call)
            return [cls.read(connection) for _ in calls]
        finally:
            cls.client.connection_pool.release(connection)

    @staticmethod
    def read(connection):
        try:
            return connection.read_response()
        except Exception as error:  # The package raises what the server refuses.
            return error

    def told_by_server(self, calls):
        replies = []
        for begin in range(0, len(calls), 500):
            replies += self.raw(*(("COMMAND", "GETKEYSANDFLAGS", *call) for call in calls[begin:begin + 500]))
        return [[] if isinstance(reply, Exception) else [(key.decode(), use_of(flags)) for key, flags in reply]
                for reply in replies]

    def found_by_table(self, calls):
        lines = "".join(json.dumps(call) + "\n" for call in calls)
        run = subprocess.run([BUILD / "tests/resp/command_keys"], input=lines, capture_output=True, text=True, check=True)
        return [[(call[index], use) for index, use in json.loads(line)]
                for call, line in zip(calls, run.stdout.splitlines(), strict=True)]

    def compare(self, calls):
        calls = [call for call in calls if not is_lonely_pfmerge(call)]
        server, table = self.told_by_server(calls), self.found_by_table(calls)
        different = [f"{call}: server {keys}, table {ours}"
                     for call, keys, ours in zip(calls, server, table, strict=True) if keys != ours]
        self.assertEqual(different[:20], [], f"{len(different)} of {len(calls)} calls differ")
        self.assertTrue(any(server), "the server told keys of no call")
        return server

    def test_finds_the_keys_of_every_command_as_the_server_does(self):
        calls = [call for name, subcommand, arity in self.commands if f"{name}|{subcommand}" not in QUIET
                 for call in generic_calls(name, subcommand, arity)]
        self.assertGreater(len(self.commands), 300)
        told = self.compare(calls)
        with_keys = {name for name, keys in zip((call[0] for call in calls), told) if keys}
        self.assertGreater(len(with_keys), 150, "commands of which the server told keys")

    def test_finds_the_keys_of_odd_calls_as_the_server_does(self):
        self.compare([["" if word == "''" else word for word in line.split()] for line in EXAMPLES.splitlines()])

    def test_reads_options_in_any_order_as_the_server_does(self):
        self.compare(list(random_calls(random.Random(5))))

    def test_leaves_out_what_only_looks_at_a_key(self):
        calls = [[*name.split("|"), "k"] for name in QUIET]
        self.assertEqual(self.told_by_server(calls), [[("k", "read")]] * len(QUIET))
        self.assertEqual(self.found_by_table(calls), [[]] * len(QUIET))


if __name__ == "__main__":
    unittest.main()
