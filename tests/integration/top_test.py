"""hotkeyctl top on a real pseudo-terminal: what a person sees, types and gets back."""
import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
import unittest

from harness import FAST, HOTKEYCTL, Daemon, eventually

HOSTILE = b"bad:\x1b]0;owned\x07\x9b\r\n\xff"
SEQUENCE = re.compile(r"\x1b(\[[0-9;?]*[A-Za-z]|[()][AB0])")


class Screen:
    """top in a terminal of its own; `text()` is what its last whole frame shows."""

    def __init__(self, daemon, *args, rows=24, columns=80):
        self.keyboard, inner = pty.openpty()
        self.resize(rows, columns)
        self.before = termios.tcgetattr(inner)
        self.inner, self.seen = inner, b""
        self.process = subprocess.Popen([HOTKEYCTL, "top", "--socket", daemon.url, "--ns", "shop", *args], stdin=inner,
                                        stdout=inner, stderr=inner, preexec_fn=self.own_terminal,
                                        env={**os.environ, "TERM": "xterm"})

    @staticmethod
    def own_terminal():
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.keyboard)
        os.close(self.inner)

    def resize(self, rows, columns):
        fcntl.ioctl(self.keyboard, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def press(self, keys):
        os.write(self.keyboard, keys)

    def read(self, patience=0.0):
        while select.select([self.keyboard], [], [], patience)[0]:
            self.seen += os.read(self.keyboard, 65536)
            patience = 0.0
        return self.seen

    def lines(self):
        frames = self.read(0.05).split(b"\x1b[H")
        return SEQUENCE.sub("", frames[-1].decode("latin-1")).replace("\r", "").split("\n")

    def text(self):
        return "\n".join(self.lines())

    def wait(self, look, what):
        try:
            eventually(lambda: look(self.text()), what=what)
        except AssertionError as error:
            raise AssertionError(f"{error}; on the screen:\n{self.text()}") from None

    def modes(self):
        return termios.tcgetattr(self.inner)

    def ended(self, timeout=10):
        deadline = time.monotonic() + timeout
        while self.process.poll() is None and time.monotonic() < deadline:
            self.read(0.05)
        self.read(0.05)
        return self.process.poll()


class Top(unittest.TestCase):
    def check_given_back(self, screen):
        screen.read(0.05)
        self.assertEqual(screen.modes(), screen.before, "terminal modes")
        self.assertEqual(screen.seen.count(b"\x1b[?1049h"), screen.seen.count(b"\x1b[?1049l"), "alternate screen left")
        last = screen.seen.rindex(b"\x1b[?1049l")
        self.assertIn(b"\x1b[?25h", screen.seen[last - 20:last], "cursor shown again")

    def test_shows_hot_keys_filters_sorts_pauses_and_quits(self):
        with Daemon(FAST) as daemon, Screen(daemon) as screen:
            daemon.hotkey("PIN", "shop", "pinned:1")
            hits = lambda: [daemon.hotkey("HIT", "shop", key, n) for key, n in
                            (("product:1", 300), ("pinned:1", 20), ("zebra", 10))]
            shown = lambda text: hits() and "product:1" in text and "pinned:1" in text
            screen.wait(shown, "both keys")
            screen.wait(lambda text: hits() and re.search(r"product:1", text) and re.search(r" hot +product:1", text), "hot")
            screen.press(b"/pin*x")
            screen.wait(lambda text: hits() and "filter: pin*x_" in text and "product:1" not in text, "nothing passes")
            screen.press(b"\x7f")
            screen.wait(lambda text: hits() and "pinned:1" in text and "product:1" not in text, "the pinned key alone")
            screen.press(b"\x1b")
            screen.wait(lambda text: hits() and "product:1" in text and "filter" not in text, "no filter")
            screen.press(b"k")
            screen.wait(lambda text: hits() and 0 < text.find("pinned:1") < text.find("product:1") < text.find("zebra"), "by key")
            screen.press(b"p")
            screen.wait(lambda text: "PAUSED" in text, "paused")
            screen.press(b"h")
            screen.wait(lambda text: "reverse" in text, "help")
            screen.press(b" q")
            self.assertEqual(screen.ended(), 0)
            self.check_given_back(screen)

    def test_fits_the_terminal_when_it_is_resized(self):
        with Daemon(FAST) as daemon, Screen(daemon) as screen:
            hits = lambda: [daemon.hotkey("HIT", "shop", f"key:{i:03}:" + "x" * 100, 1000 - i) for i in range(40)]
            screen.wait(lambda text: hits() and " 40 hot" in text and len(text.split("\n")) == 24, "a full screen of keys")
            screen.press(b"p")
            for rows, columns in ((10, 40), (50, 160), (2, 10)):
                screen.resize(rows, columns)
                screen.wait(lambda text: len(text.split("\n")) == min(rows, 43) and max(map(len, text.split("\n"))) == columns,
                            f"{rows} x {columns}")

    def test_sends_no_byte_of_a_key_raw(self):
        with Daemon(FAST) as daemon, Screen(daemon, columns=160) as screen:
            screen.wait(lambda text: daemon.hotkey("HIT", "shop", HOSTILE, 100) and "bad:" in text, "the key")
            self.assertIn(r"bad:\x1b]0;owned\a\x9b\r\n\xff", screen.text())
            plain = SEQUENCE.sub("", screen.read().decode("latin-1"))
            self.assertEqual(set(re.findall(r"[^ -~\r\n]", plain)), set(), "bytes beside printable ASCII")

    def test_gives_the_terminal_back_on_signals(self):
        for number, code in ((signal.SIGINT, 0), (signal.SIGTERM, -signal.SIGTERM), (signal.SIGHUP, -signal.SIGHUP)):
            with self.subTest(number), Daemon(FAST) as daemon, Screen(daemon) as screen:
                screen.wait(lambda text: "shop on test-node" in text, "the headline")
                self.assertNotEqual(screen.modes(), screen.before)
                screen.process.send_signal(number)
                self.assertEqual(screen.ended(), code)
                self.check_given_back(screen)

    def test_ctrl_c_and_ctrl_z_do_what_they_do_elsewhere(self):
        with Daemon(FAST) as daemon, Screen(daemon) as screen:
            screen.wait(lambda text: "shop on test-node" in text, "the headline")
            screen.process.send_signal(signal.SIGTSTP)
            state = lambda: open(f"/proc/{screen.process.pid}/stat").read().rsplit(")", 1)[1].split()[0]
            eventually(lambda: screen.read() and state() == "T", what="stopped")
            self.check_given_back(screen)
            screen.process.send_signal(signal.SIGCONT)
            screen.wait(lambda text: "shop on test-node" in text, "the headline again")
            screen.press(b"\x03")
            self.assertEqual(screen.ended(), 0)
            self.check_given_back(screen)

    def test_says_when_the_daemon_goes_and_comes_back(self):
        with Daemon(FAST) as daemon, Screen(daemon) as screen:
            screen.wait(lambda text: "shop on test-node" in text, "the headline")
            daemon.kill()
            screen.wait(lambda text: "lost the daemon" in text or "no daemon" in text, "the loss")
            daemon.start()
            screen.wait(lambda text: "the daemon was restarted" in text, "the restart")
            daemon.pause()
            screen.wait(lambda text: "does not answer" in text, "the silence")
            screen.press(b"q")
            self.assertEqual(screen.ended(), 0, "a silent daemon does not keep the person")
            daemon.resume()

    def test_ends_after_n_frames_on_a_terminal(self):
        with Daemon(FAST) as daemon, Screen(daemon, "-n", "2") as screen:
            self.assertEqual(screen.ended(), 0)
            self.check_given_back(screen)


class TopInAPipe(unittest.TestCase):
    def test_prints_n_tables(self):
        with Daemon(FAST) as daemon:
            daemon.hotkey("PIN", "shop", "product:1")
            daemon.hotkey("HIT", "shop", HOSTILE, 1)
            run = subprocess.Popen([HOTKEYCTL, "top", "-n", "2", "--socket", daemon.url, "--ns", "shop"], text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
            while run.poll() is None:
                daemon.hotkey("HIT", "shop", "product:1", 10)
                time.sleep(0.05)
            out, err = run.communicate()
            self.assertEqual((run.returncode, err), (0, ""))
            tables = out.split("\n\n")[:-1]
            self.assertEqual(len(tables), 2, out)
            for table in tables:
                self.assertRegex(table, r"shop on test-node   \d\d:\d\d:\d\d   \d+/s in all   1 hot, \d+ tracked\n")
                self.assertRegex(table, r" pinned +product:1\Z|pinned +product:1\n")
            self.assertNotIn("\x1b", out)

    def test_prints_a_line_of_json_a_second(self):
        with Daemon(FAST) as daemon:
            daemon.hotkey("HIT", "shop", "product:1", 1)
            run = daemon.ctl("top", "--json", "-n", "2")
            self.assertEqual(run.returncode, 0, run.stderr)
            lines = [json.loads(line) for line in run.stdout.splitlines()]
            self.assertEqual([sorted(line) for line in lines],
                             [["as_of_ms", "hot_keys", "keys", "node", "ns", "rate", "tracked_keys"]] * 2)

    def test_exit_codes(self):
        with Daemon(FAST) as daemon:
            self.assertEqual(daemon.ctl("top", "-n", "0").returncode, 64)
            self.assertEqual(daemon.ctl("top", "extra").returncode, 64)
            daemon.kill()
            run = daemon.ctl("top")
            self.assertEqual((run.returncode, run.stdout, len(run.stderr.splitlines())), (69, b"", 1))
            self.assertIn(b"hotkeyd.sock", run.stderr)
        without = subprocess.run([HOTKEYCTL, "top", "--socket", "unix:///nowhere"], capture_output=True, timeout=10,
                                 env={key: value for key, value in os.environ.items() if key != "HOTKEY_NAMESPACE"})
        self.assertEqual(without.returncode, 64)


if __name__ == "__main__":
    unittest.main()
