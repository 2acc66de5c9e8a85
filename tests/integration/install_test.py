"""The installed SDK: found by CMake and by pkg-config, and the example built against it sees its key become hot."""
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

from harness import BUILD, FAST, SOURCE, Daemon


class InstalledSdk(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="hotkeyd-test-")
        cls.prefix = Path(cls.folder.name) / "prefix"
        cls.run_checked("cmake", "--install", BUILD, "--prefix", cls.prefix)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @staticmethod
    def run_checked(*command, **environment):
        run = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=200,
                             env={**os.environ, **environment})
        assert run.returncode == 0, f"{command}: {run.stdout[-2000:]}{run.stderr[-2000:]}"
        return run.stdout

    def test_the_example_builds_and_sees_its_key_become_hot(self):
        build = Path(self.folder.name) / "example"
        self.run_checked("cmake", "-S", SOURCE / "sdk/cpp/example", "-B", build, f"-DCMAKE_PREFIX_PATH={self.prefix}")
        self.run_checked("cmake", "--build", build)
        programs = [path for path in build.iterdir() if path.is_file() and os.access(path, os.X_OK)]
        self.assertEqual(len(programs), 1, programs)
        with Daemon(FAST) as daemon:
            output = self.run_checked(programs[0], HOTKEY_ENDPOINT=daemon.url, HOTKEY_NAMESPACE="shop")
        self.assertIn("hot", output)

    def test_pkg_config_gives_flags(self):
        path = next(self.prefix.rglob("hotkey.pc")).parent
        flags = self.run_checked("pkg-config", "--cflags", "--libs", "hotkey", PKG_CONFIG_PATH=str(path))
        self.assertIn("-lhotkey", flags)

    def test_programs_are_installed(self):
        for name in ("hotkeyd", "hotkeyctl"):
            self.assertIn(name, self.run_checked(self.prefix / "bin" / name, "--version"))


if __name__ == "__main__":
    unittest.main()
