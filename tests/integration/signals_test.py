"""Signals that come early or late: a stop ends with 0 wherever the daemon is, and a hang-up harms it nowhere."""
import os
import signal
import subprocess
import time
import unittest

from harness import FAST, HOTKEYD, Daemon, eventually


class Starting(Daemon):
    """A daemon that stands still while it reads its configuration, which is a pipe, until `go_on`."""

    OPTION = "--config"

    def __init__(self):
        super().__init__(FAST)
        self.config = self.dir / "hotkeyd.yaml"
        self.text = self.config.read_bytes()
        self.config.unlink()
        os.mkfifo(self.config)

    def __enter__(self):
        with open(self.dir / "log", "ab") as log:
            self.process = subprocess.Popen([HOTKEYD, self.OPTION, self.config], stdout=log, stderr=log)
        self.pipe = open(self.config, "wb", buffering=0)  # Opens once the daemon has opened it too.
        return self

    def go_on(self):
        self.pipe.write(self.text)
        self.pipe.close()

    def __exit__(self, *args):
        self.pipe.close()
        super().__exit__(*args)


class Checking(Starting):
    OPTION = "--check-config"


class Signals(unittest.TestCase):
    def test_a_stop_while_the_configuration_is_read_ends_with_0(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            with Starting() as daemon:
                daemon.process.send_signal(number)
                self.assertEqual(daemon.process.wait(20), 0)

    def test_a_stop_ends_with_0_wherever_the_start_is(self):
        codes = []
        for delay_ms in range(40):
            with Starting() as daemon:
                daemon.go_on()
                time.sleep(delay_ms / 1000)
                daemon.process.terminate()
                codes.append(daemon.process.wait(20))
        self.assertEqual(codes, [0] * 40)

    def test_a_hang_up_is_harmless_wherever_the_start_is(self):
        for delay_ms in range(0, 40, 4):
            with Starting() as daemon:
                daemon.process.send_signal(signal.SIGHUP)
                daemon.go_on()
                time.sleep(delay_ms / 1000)
                daemon.process.send_signal(signal.SIGHUP)
                eventually(daemon.is_ready, what="a daemon that serves")
                self.assertEqual(daemon.terminate(), 0)

    def test_further_stops_do_not_change_the_exit_code_up_to_the_last_moment(self):
        for _ in range(3):
            with Daemon(FAST + "detector: { memory_per_namespace: 64MiB }\n") as daemon:
                for number in range(16):  # Much memory to give back: a long last moment.
                    daemon.hotkey("HIT", f"shop{number}", "k")
                while daemon.process.poll() is None:
                    daemon.process.terminate()
                self.assertEqual(daemon.process.returncode, 0)

    def test_a_check_of_the_configuration_ends_as_any_program(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            with Checking() as check:
                check.process.send_signal(number)
                self.assertEqual(check.process.wait(20), -number)


if __name__ == "__main__":
    unittest.main()
