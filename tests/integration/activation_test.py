"""Socket activation: a service manager holds the sockets, and clients connect whether the daemon runs or not."""
import fcntl
import os
import signal
import socket
import subprocess
import unittest

import redis as redis_library

from harness import FAST, Daemon, eventually

CLOSES_ON_EXEC = 0o2000000


class ActivatedDaemon(Daemon):
    """A daemon that is passed the sockets that we hold, as systemd passes them."""

    def __init__(self):
        super().__init__(FAST)
        self.held = []

    def hold(self, family, address, kind=socket.SOCK_STREAM):
        with socket.socket(family, kind) as held:
            held.bind(address)
            if kind == socket.SOCK_STREAM:
                held.listen(16)
            # Far from the numbers that the daemon is to find them at, so that each is passed once.
            self.held.append(socket.socket(fileno=fcntl.fcntl(held, fcntl.F_DUPFD_CLOEXEC, 100)))
        return self

    def hold_own(self):
        return self.hold(socket.AF_UNIX, self.socket_path)

    @property
    def passed(self):
        return [held.fileno() for held in self.held]

    def command(self):
        places = " ".join(f"{3 + place}<&{number} {number}<&-" for place, number in enumerate(self.passed))
        script = f'exec env LISTEN_PID=$$ LISTEN_FDS={len(self.held)} LISTEN_FDNAMES={":".join(["ours"] * len(self.held))}'
        return ["bash", "-c", f'{script} "$@" {places}', "bash", *super().command()]

    def exit_code(self):
        """Of a daemon that refuses to start."""
        with open(self.dir / "log", "ab") as log:
            return subprocess.run(self.command(), stdout=log, stderr=log, pass_fds=self.passed, timeout=20).returncode

    def uses(self, held):
        """Whether the daemon has that socket open."""
        folder = f"/proc/{self.process.pid}/fd"
        return f"socket:[{os.fstat(held.fileno()).st_ino}]" in {os.readlink(f"{folder}/{name}") for name in os.listdir(folder)}

    def __exit__(self, *_):
        super().__exit__()
        for held in self.held:
            held.close()


def ask(connection):
    connection.sendall(b"PING\r\n")


def check_answer(test, connection):
    test.assertEqual(connection.recv(100), b"+PONG\r\n")
    connection.close()


class Activation(unittest.TestCase):
    def unstarted(self):
        daemon = ActivatedDaemon()
        self.addCleanup(daemon.__exit__)
        return daemon

    def test_who_connects_before_a_start_or_between_two_is_answered(self):
        daemon = self.unstarted().hold_own()
        file = os.stat(daemon.socket_path)
        for _ in range(2):
            early = daemon.raw()
            ask(early)
            daemon.start()
            check_answer(self, early)
            self.assertEqual(daemon.terminate(), 0, daemon.log())
            left = os.stat(daemon.socket_path)
            self.assertEqual((left.st_ino, left.st_mode), (file.st_ino, file.st_mode), "the file is the manager's")

    def test_other_listeners_are_bound_as_ever(self):
        daemon = self.unstarted().hold_own()
        daemon.start()
        self.assertTrue(redis_library.Redis(port=daemon.words["resp_port"]).ping())
        self.assertIn(f"event=listening address={daemon.url}\n", daemon.log())

    def test_a_tcp_socket_can_be_passed_too(self):
        daemon = self.unstarted()
        daemon.hold(socket.AF_INET, ("127.0.0.1", daemon.words["resp_port"]))
        early = socket.create_connection(("127.0.0.1", daemon.words["resp_port"]), timeout=10)
        ask(early)
        daemon.start()
        check_answer(self, early)
        self.assertEqual(daemon.terminate(), 0)
        self.assertFalse(os.path.exists(daemon.socket_path), "its own file goes")

    def test_no_program_started_by_the_daemon_would_inherit_it(self):
        daemon = self.unstarted().hold_own()
        daemon.start()
        (flags,) = [line for line in open(f"/proc/{daemon.process.pid}/fdinfo/3") if line.startswith("flags:")]
        self.assertTrue(int(flags.split()[1], 8) & CLOSES_ON_EXEC, flags)

    def check_refused(self, daemon, reason):
        self.assertEqual(daemon.exit_code(), 78, daemon.log())
        self.assertIn(reason, daemon.log())

    def test_a_socket_that_no_listener_has_is_refused(self):
        daemon = self.unstarted().hold_own()
        other = f"{daemon.dir}/other.sock"
        daemon.hold(socket.AF_UNIX, other)
        self.check_refused(daemon, f"ours passes unix://{other}, which is no address of `listen`: add it there, or take it "
                                   "out of the socket unit")

    def test_a_socket_without_a_file_is_refused(self):
        daemon = self.unstarted().hold(socket.AF_UNIX, "\0hotkeyd-test-%d" % os.getpid())
        self.check_refused(daemon, "ours passes unix://@, which is no address of `listen`")

    def test_what_does_not_listen_is_refused(self):
        daemon = self.unstarted()
        daemon.hold(socket.AF_UNIX, daemon.socket_path, socket.SOCK_DGRAM)
        self.check_refused(daemon, "ours passes what is no listening stream socket: its unit needs ListenStream=")

    def test_a_reload_keeps_it_or_lets_go_of_it(self):
        daemon = self.unstarted().hold_own()
        (held,) = daemon.held
        daemon.start()
        daemon.write_config(FAST.replace("rate: 100/s", "rate: 200/s"))
        self.assertEqual(daemon.hotkey("RELOAD"), b"OK")
        self.assertTrue(daemon.uses(held))
        without = FAST.replace('"unix://{dir}/hotkeyd.sock", ', "")
        daemon.write_config(without)
        self.assertEqual(daemon.hotkey("RELOAD"), b"OK")
        eventually(lambda: not daemon.uses(held), what="the end of the removed listener")
        self.assertTrue(os.path.exists(daemon.socket_path), "the file is the manager's")
        daemon.write_config(FAST)
        daemon.process.send_signal(signal.SIGHUP)
        eventually(lambda: "another process serves this socket" in daemon.log(), what="a reload that is refused")

    def test_as_systemd_itself_passes_it(self):
        class Started(Daemon):
            def command(self):
                return ["systemd-socket-activate", "--listen", self.socket_path, "--fdname", "hotkeyd.socket", *super().command()]

        with Started(FAST) as daemon:  # Its first PING is what starts the daemon.
            self.assertEqual(daemon.terminate(), 0, daemon.log())
            self.assertIn("event=stopped", daemon.log())
            self.assertTrue(os.path.exists(daemon.socket_path))


if __name__ == "__main__":
    unittest.main()
