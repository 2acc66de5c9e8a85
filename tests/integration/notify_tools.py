"""A service manager for tests: the socket it is told through, and a debugger's grip on one thread."""
import ctypes
import os
import socket
import threading
from pathlib import Path

from harness import Daemon

PTRACE_DETACH, PTRACE_SEIZE, PTRACE_INTERRUPT = 17, 0x4206, 0x4207
WAIT_ALL_CHILDREN = 0x40000000  # __WALL
DATA_THREAD, CONTROL_THREAD = "hotkeyd-data", "hotkeyd"


class NotifiedDaemon(Daemon):
    """A daemon that tells us what it would tell systemd; `told` are the lines so far."""

    def __init__(self, config, watchdog_us=0):
        super().__init__(config)
        self.watchdog_us, self.told = watchdog_us, []
        self.notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.notify.bind(str(self.dir / "notify"))
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        while data := self.notify.recv(4096):
            self.told += data.decode().splitlines()

    def command(self):
        watchdog = [f"WATCHDOG_USEC={self.watchdog_us}"] if self.watchdog_us else []
        return ["env", f"NOTIFY_SOCKET={self.dir}/notify", *watchdog, *super().command()]

    def __exit__(self, *args):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as end:
            end.sendto(b"", str(self.dir / "notify"))
        self.reader.join()
        self.notify.close()
        super().__exit__(*args)

    def feeds(self):
        return self.told.count("WATCHDOG=1")

    def thread(self, name):
        tasks = Path(f"/proc/{self.process.pid}/task").iterdir()
        (found,) = [task.name for task in tasks if (task / "comm").read_text().strip() == name]
        return int(found)


class HeldThread:
    """One thread of a process, stopped as a debugger stops it; the others run on."""

    def __init__(self, thread):
        self.thread, self.libc = thread, ctypes.CDLL(None, use_errno=True)

    def ptrace(self, request):
        if self.libc.ptrace(request, self.thread, None, None) != 0:
            raise OSError(ctypes.get_errno(), f"ptrace {request:#x}: {os.strerror(ctypes.get_errno())}")

    def __enter__(self):
        self.ptrace(PTRACE_SEIZE)
        self.ptrace(PTRACE_INTERRUPT)
        os.waitpid(self.thread, WAIT_ALL_CHILDREN)
        return self

    def __exit__(self, *_):
        self.ptrace(PTRACE_DETACH)
