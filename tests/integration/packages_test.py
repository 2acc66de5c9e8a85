"""The Debian packages: lintian, completion, and their life from installation to purge in a private copy of this root."""
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from harness import BUILD, SOURCE

CONFIG = "/etc/hotkeyd/hotkeyd.yaml"
# The root's files below a writable layer that dies with the namespace: nothing outside it changes.
PRIVATE_ROOT = """set -e
mount -t tmpfs none "$1"; mkdir "$1/upper" "$1/work" "$1/root"
mount -t overlay none -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root"
mount --bind /dev "$1/root/dev"; mount -t proc none "$1/root/proc"
mkdir -p "$1/root/tmp/debs"; cp "$2"/* "$1/root/tmp/debs/"
exec chroot "$1/root" sh -eux /tmp/debs/story"""
STORY = """
export PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C
cd /tmp/debs
rm -f /var/lib/man-db/auto-update
files() { find /etc /lib/systemd/system/ /usr/bin /usr/lib /usr/include /usr/share /var/lib -xdev -name '*hotkey*' | sort; }
before=$(files)
enabled=/etc/systemd/system/multi-user.target.wants/hotkeyd.service
sockets=/etc/systemd/system/sockets.target.wants/hotkeyd.socket
dpkg -i hotkeyd_*.deb hotkeyctl_*.deb libhotkey-dev_*.deb
hotkeyd --check-config %(config)s
hotkeyctl --version
id -gn hotkeyd | grep -qx hotkey
test -L $enabled
rm $enabled
test -f /lib/systemd/system/hotkeyd.socket
test ! -e $sockets
systemctl enable hotkeyd.socket
test -L $sockets
echo "# mine" >> %(config)s
mkdir -p /var/lib/hotkeyd; touch /var/lib/hotkeyd/state
dpkg --force-confold -i newer.deb
dpkg-query -W -f '${Version}\\n' hotkeyd | grep -qx 99
tail -n 1 %(config)s | grep -qx "# mine"
test -e %(config)s.dpkg-dist
test ! -L $enabled
test -L $sockets
dpkg -r hotkeyd hotkeyctl libhotkey-dev
test -e %(config)s
test -e /var/lib/hotkeyd/state
test ! -e /usr/bin/hotkeyd
dpkg -P hotkeyd
test "$before" = "$(files)" && echo "nothing is left"
""" % {"config": CONFIG}


def run(*command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=200, **options)


def may_mount():
    return os.geteuid() == 0 and run("unshare", "-m", "mount", "-t", "tmpfs", "none", "/mnt").returncode == 0


class Packages(unittest.TestCase):
    """Made once, from the programs that are built."""

    @classmethod
    def setUpClass(cls):
        made = run(SOURCE / "tools/package", "--built", env={**os.environ, "HOTKEYD_BUILD": str(BUILD)})
        assert made.returncode == 0, made.stdout + made.stderr
        cls.packages = [Path(line) for line in made.stdout.split()]

    def test_packages_are_what_debian_wants(self):
        self.assertEqual([path.name.split("_")[0] for path in self.packages], ["hotkeyctl", "hotkeyd", "libhotkey-dev"])
        checked = run("lintian", "--allow-root", "--fail-on", "error,warning", *self.packages)
        self.assertEqual((checked.stdout, checked.returncode), ("", 0), checked.stderr)

    @unittest.skipUnless(may_mount(), "needs root and the right to mount")
    def test_installs_upgrades_with_an_edited_configuration_and_leaves_nothing_after_a_purge(self):
        with tempfile.TemporaryDirectory(prefix="hotkeyd-test-") as name:
            folder = Path(name)
            (folder / "debs").mkdir()
            (folder / "root").mkdir()
            for path in self.packages:
                shutil.copy(path, folder / "debs")
            daemon = next(path for path in self.packages if path.name.startswith("hotkeyd_"))
            self.make_newer(daemon, folder / "tree", folder / "debs/newer.deb")
            (folder / "debs/story").write_text(STORY)
            lived = run("unshare", "-m", "sh", "-c", PRIVATE_ROOT, "sh", folder / "root", folder / "debs")
            self.assertEqual((lived.returncode, lived.stdout.splitlines()[-1:]), (0, ["nothing is left"]), lived.stdout + lived.stderr)

    def make_newer(self, daemon, tree, newer):
        self.assertEqual(run("dpkg-deb", "-R", daemon, tree).returncode, 0)
        control = tree / "DEBIAN/control"
        control.write_text(re.sub(r"(?m)^Version: .*$", "Version: 99", control.read_text()))
        config = tree / CONFIG[1:]
        config.write_text("## A newer default.\n" + config.read_text())
        self.assertEqual(run("dpkg-deb", "-Zgzip", "-b", tree, newer).returncode, 0)

    def test_completion_offers_verbs_and_their_options(self):
        for words, expected in ((["hotkeyctl", "pi"], ["pin"]), (["hotkeyctl", "pin", "--f"], ["--for"]),
                                (["hotkeyctl", "log-level", "w"], ["warning"]), (["hotkeyd", "--check"], ["--check-config"])):
            script = (f'. "$1"; COMP_WORDS=({" ".join(words)}); COMP_CWORD={len(words) - 1}; _{words[0]}; '
                      'printf "%s\\n" "${COMPREPLY[@]}"')
            offered = run("bash", "-euc", script, "bash", BUILD / f"package_files/{words[0]}.bash")
            self.assertEqual(offered.stdout.split(), expected, offered.stderr)

    def test_completion_of_files_keeps_their_blanks(self):
        with tempfile.TemporaryDirectory(prefix="hotkeyd-test-") as folder:
            Path(folder, "my dump.txt").touch()
            script = '. "$1"; cd "$2"; COMP_WORDS=(hotkeyctl analyze my); COMP_CWORD=2; _hotkeyctl; printf "%s\\n" "${COMPREPLY[@]}"'
            offered = run("bash", "-euc", script, "bash", BUILD / "package_files/hotkeyctl.bash", folder)
            self.assertEqual(offered.stdout, "my dump.txt\n", offered.stderr)

    def test_the_reference_in_docs_is_current(self):
        made = run(SOURCE / "packaging/make_documents", "reference")
        self.assertEqual((SOURCE / "docs/configuration.md").read_text(), made.stdout,
                         "run: packaging/make_documents reference > docs/configuration.md")


if __name__ == "__main__":
    unittest.main()
