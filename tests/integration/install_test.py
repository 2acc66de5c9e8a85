"""What `cmake --install` leaves behind: an SDK that builds programs, and a daemon that systemd can run."""
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from harness import BUILD, FAST, SOURCE, Daemon


def run_checked(*command, **environment):
    run = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=200,
                         env={**os.environ, **environment})
    assert run.returncode == 0, f"{command}: {run.stdout[-2000:]}{run.stderr[-2000:]}"
    return run.stdout + run.stderr


class InstalledTree(unittest.TestCase):
    """Installed once below a prefix of its own."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="hotkeyd-test-")
        cls.prefix = Path(cls.folder.name) / "prefix"
        run_checked("cmake", "--install", BUILD, "--prefix", cls.prefix)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()


    def test_the_example_builds_and_sees_its_key_become_hot(self):
        build = Path(self.folder.name) / "example"
        run_checked("cmake", "-S", SOURCE / "sdk/cpp/example", "-B", build, f"-DCMAKE_PREFIX_PATH={self.prefix}")
        run_checked("cmake", "--build", build)
        programs = [path for path in build.iterdir() if path.is_file() and os.access(path, os.X_OK)]
        self.assertEqual(len(programs), 1, programs)
        with Daemon(FAST) as daemon:
            output = run_checked(programs[0], HOTKEY_ENDPOINT=daemon.url, HOTKEY_NAMESPACE="shop")
        self.assertRegex(output, r"product:10001 became hot; \d+ reads, \d+ of them reached the catalogue")
        self.assertIn("the price is now 50\n", output)

    def test_pkg_config_gives_flags(self):
        path = next(self.prefix.rglob("hotkey.pc")).parent
        flags = run_checked("pkg-config", "--cflags", "--libs", "hotkey", PKG_CONFIG_PATH=str(path))
        self.assertIn("-lhotkey", flags)

    def test_programs_are_installed(self):
        for name in ("hotkeyd", "hotkeyctl"):
            self.assertIn(name, run_checked(self.prefix / "bin" / name, "--version"))

    def unit(self):
        return self.prefix / "lib/systemd/system/hotkeyd.service"

    def test_the_unit_follows_the_prefix(self):
        start = [line for line in self.unit().read_text().splitlines() if line.startswith("ExecStart=")]
        self.assertEqual(start, [f"ExecStart={self.prefix}/bin/hotkeyd --config {self.prefix}/etc/hotkeyd/hotkeyd.yaml"])
        run_checked(self.prefix / "bin/hotkeyd", "--check-config", self.prefix / "etc/hotkeyd/hotkeyd.yaml")

    def test_systemd_finds_no_fault_in_the_units(self):
        self.assertEqual(run_checked("systemd-analyze", "verify", "--man=no", self.unit(), self.unit().with_suffix(".socket")), "")
        run_checked("systemd-analyze", "security", "--offline=true", "--threshold=15", self.unit())

    def test_below_usr_local_systemd_finds_user_folders_and_unit(self):
        if os.geteuid() != 0:
            self.skipTest("only root can make folders of other users")
        root = Path(self.folder.name) / "root"
        run_checked("cmake", "--install", BUILD, "--prefix", "/usr/local", DESTDIR=str(root))
        (root / "etc").mkdir()
        run_checked("systemd-sysusers", f"--root={root}", "hotkeyd.conf")
        run_checked("systemd-tmpfiles", f"--root={root}", "--create", "hotkeyd.conf")
        run_checked("systemctl", f"--root={root}", "enable", "hotkeyd")
        self.assertEqual((root / "etc/systemd/system/multi-user.target.wants/hotkeyd.service").readlink(),
                         Path("/usr/local/lib/systemd/system/hotkeyd.service"))
        self.assertIn("hotkeyd:", (root / "etc/passwd").read_text())
        self.assertTrue((root / "run/hotkeyd").is_dir())
        self.assertTrue((root / "usr/local/etc/hotkeyd/hotkeyd.yaml").is_file())

    def test_an_installed_configuration_is_kept(self):
        config = self.prefix / "etc/hotkeyd/hotkeyd.yaml"
        shipped = config.read_text()
        config.write_text("node: mine\n")
        run_checked("cmake", "--install", BUILD, "--prefix", self.prefix)
        self.assertEqual(config.read_text(), "node: mine\n")
        config.write_text(shipped)


class SystemTree(unittest.TestCase):
    """Staged as a package does: DESTDIR and the prefix /usr."""

    def setUp(self):
        self.root = Path(tempfile.mkdtemp(prefix="hotkeyd-test-"))
        run_checked("cmake", "--install", BUILD, "--prefix", "/usr", DESTDIR=str(self.root))

    def tearDown(self):
        shutil.rmtree(self.root)

    def test_everything_is_in_its_place(self):
        files = ["usr/bin/hotkeyd", "usr/bin/hotkeyctl", "usr/lib/systemd/system/hotkeyd.service",
                 "usr/lib/systemd/system/hotkeyd.socket", "usr/lib/sysusers.d/hotkeyd.conf", "usr/lib/tmpfiles.d/hotkeyd.conf", "etc/hotkeyd/hotkeyd.yaml",
                 "usr/share/doc/hotkeyd/docs/operations.md", "usr/share/doc/hotkeyd/LICENSE",
                 "usr/share/doc/hotkeyd/examples/hotkeyd.yaml"]
        self.assertEqual([name for name in files if not (self.root / name).is_file()], [], "files that are missing")
        self.assertEqual((self.root / "usr/lib/systemd/system/hotkeyd.service").read_text(),
                         (SOURCE / "systemd/hotkeyd.service").read_text())

    def test_user_group_and_folders_can_be_made(self):
        run_checked("systemd-sysusers", f"--root={self.root}", "hotkeyd.conf")
        users = (self.root / "etc/passwd").read_text()
        groups = dict(line.split(":")[0:3:2] for line in (self.root / "etc/group").read_text().splitlines())
        self.assertRegex(users, rf"(?m)^hotkeyd:x:\d+:{groups['hotkey']}:")
        if os.geteuid() != 0:
            self.skipTest("only root can make folders of other users")
        run_checked("systemd-tmpfiles", f"--root={self.root}", "--create", "hotkeyd.conf")
        folders = [(self.root / name).stat() for name in ("run/hotkeyd", "var/lib/hotkeyd")]
        self.assertEqual([oct(found.st_mode & 0o777) for found in folders], ["0o755", "0o700"])
        self.assertEqual({found.st_gid for found in folders}, {int(groups["hotkey"])})


if __name__ == "__main__":
    unittest.main()
