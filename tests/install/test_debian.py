"""The Debian package: built for the Debian that runs this; before a release built and installed in fresh roots."""

from __future__ import annotations

import importlib.util
import json
import platform
from collections.abc import Iterator
from pathlib import Path

import pytest
from fresh import (
    LATER,
    NEEDS_ROOT,
    PACKAGING,
    RELEASES,
    Root,
    bare_debian,
    before_a_release,
    once,
    run,
)
from readme import CHECKOUT

pytestmark = NEEDS_ROOT
TOML, SPOOL = "etc/pbmstar.toml", "var/lib/pbmstar/spool"


MAINTAINER = "Ann Other <ann@star.example>"


@pytest.fixture(scope="module", params=RELEASES)
def release(request: pytest.FixtureRequest) -> str:
    """A release of Debian, by its name. Made before a release of ours, as its packages are tried only then."""
    before_a_release()
    return request.param


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory, release: str) -> Path:
    words = ("--debian", release, "--maintainer", MAINTAINER, "--homepage", "https://star.example")
    folder = once(
        tmp_path_factory,
        f"packages-{release}",
        lambda at: run("sh", PACKAGING / "build-deb", *words, at),
    )
    (made,) = folder.glob("pbmstar_*.deb")
    return made


@pytest.fixture
def root(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path, release: str) -> Iterator[Root]:
    folder = tmp_path / "debian"
    folder.mkdir()
    with bare_debian(tmp_path_factory, release).copied(folder) as copy:
        yield copy


def next_version(package: Path, folder: Path) -> Path:
    """The same package under the next version."""
    run("dpkg-deb", "-R", package, folder / "next")
    for file in (folder / "next" / "DEBIAN").iterdir():
        text = file.read_text()
        file.write_text(text.replace(package.name.split("_")[1], "9.0"))
    run("dpkg-deb", "-Znone", "--build", folder / "next", folder / "pbmstar_9.0_all.deb")
    return folder / "pbmstar_9.0_all.deb"


def played(root: Root) -> None:
    """Open two accounts and begin a game, as an operator and by a pipe."""
    root.sh("""
        for name in alice bob; do
            echo s3cret | runuser -u pbmstar -- pbmstar admin user add $name $name@home.example --password-stdin --no-letter
        done
        printf 'From: alice@home.example\\nTo: star@localhost\\nMessage-ID: <1@x>\\nSubject: star challenge alice bob\\n\\n' |
            runuser -u pbmstar -- pbmstar --relay maildir:/tmp/mail receive
    """)


def test_installed_removed_and_purged(root: Root, package: Path) -> None:
    """What is put where and for whom; the games outlive all, unless it is said that they must not."""
    told = root.install(package)
    assert "postconf -e 'relay_domains = star.example.org'" in told
    assert "lmtp:unix:pbmstar/lmtp" in told
    assert root.stat(TOML) == "640 root pbmstar"
    assert root.stat("var/lib/pbmstar") == "750 pbmstar pbmstar"
    assert root.stat("var/spool/postfix/pbmstar") == "2710 pbmstar pbmstar"
    assert root.sh("getent passwd pbmstar | cut -d: -f6").strip() == "/var/lib/pbmstar"
    assert root.sh("dpkg-query -W -f '${Conffiles}' pbmstar").split()[0] == "/etc/pbmstar.toml"
    wanted = root.sh("cd /etc/systemd/system && find . -name 'pbmstar*' | sort").split()
    assert wanted == [
        "./multi-user.target.wants/pbmstar.service",
        "./timers.target.wants/pbmstar-remind.timer",
    ]
    root.sh("test -s /lib/systemd/system/pbmstar-remind.service")
    assert root.sh("zcat /usr/share/man/man1/pbmstar.1.gz | head -1").startswith(".TH PBMSTAR 1")
    for file in (
        "bash-completion/completions/pbmstar",
        "zsh/vendor-completions/_pbmstar",
        "fish/vendor_completions.d/pbmstar.fish",
    ):
        assert "_PBMSTAR_COMPLETE" in root.sh(f"cat /usr/share/{file}")
    assert root.sh("find / -xdev -newer /etc/hostname -path '*pbmstar*' -user 999").strip() == ""
    played(root)
    root.sh("dpkg --remove pbmstar")
    root.sh(f"test -e /{SPOOL}/pbmstar.db && test -e /{TOML}")
    told = root.sh("dpkg --purge pbmstar")
    assert "still in /var/lib/pbmstar" in told
    root.sh(f"test -e /{SPOOL}/pbmstar.db && test ! -e /{TOML}")
    assert root.sh("find /etc /lib/systemd -name '*pbmstar*'") == ""
    root.install(package)  # it finds its games again
    assert "alice" in root.sh("runuser -u pbmstar -- pbmstar admin board list")
    root.sh("PBMSTAR_PURGE=spool dpkg --purge pbmstar")
    root.sh("test ! -e /var/lib/pbmstar && ! getent passwd pbmstar")


def test_upgraded(root: Root, package: Path, tmp_path: Path) -> None:
    """A copy of the database is made first, or nothing is done; the configuration stays as it was edited."""
    root.install(package)
    played(root)
    config = root.path / TOML
    config.write_text(config.read_text() + "forfeit_days = 30\n")
    later = next_version(package, tmp_path)
    spool = root.path / SPOOL
    spool.rename(spool.with_name("away"))
    spool.mkdir(mode=0o700)  # as if the disk were in trouble: root's
    told = root.install(later, status=1)
    assert "nothing is changed" in told
    assert "9.0" not in root.sh("dpkg-query -W pbmstar")
    spool.rmdir()
    spool.with_name("away").rename(spool)
    root.install(later)
    assert "forfeit_days = 30" in config.read_text()
    assert root.stat(TOML) == "640 root pbmstar"
    copy = "/var/lib/pbmstar/before-9.0.db"
    assert root.stat(copy[1:]) == "600 pbmstar pbmstar"
    listed = f"runuser -u pbmstar -- pbmstar --database sqlite:///{copy} admin board list"
    assert "alice" in root.sh(listed)
    assert root.sh("runuser -u pbmstar -- pbmstar admin check") == "0 differences.\n"


def test_with_a_store_that_is_there(root: Root, package: Path) -> None:
    """At the place where an installation by pip had it."""
    made = importlib.util.spec_from_file_location(
        "test_migrations", CHECKOUT / "tests" / "store" / "test_migrations.py"
    )
    assert made is not None and made.loader is not None
    stores = importlib.util.module_from_spec(made)
    made.loader.exec_module(stores)
    kept = json.loads(stores.KEPT[-1].read_text())
    spool = root.path / SPOOL
    spool.mkdir(parents=True)
    stores.put_back(f"sqlite:///{spool}/pbmstar.db", kept)
    root.sh("adduser --quiet --system --group --home /var/lib/pbmstar pbmstar")
    root.sh("chown -R pbmstar:pbmstar /var/lib/pbmstar")
    root.install(package)
    as_user = "runuser -u pbmstar -- pbmstar"
    root.sh(f"{as_user} --relay maildir:/tmp/mail remind")
    assert root.sh(f"{as_user} admin check") == "0 differences.\n"
    listed = json.loads(root.sh(f"{as_user} admin board list --json"))
    assert {each["board"] for each in listed} >= {
        each["board"] for each in kept["tables"]["boards"] if each["to_move"]
    }


FIRST_LETTER = """
sed -i -e 's/^#address .*/address = "star@star.example.org"/' -e 's/^#operator .*/operator = "root@mail.example.org"/' \
    -e 's/^#authserv_id/authserv_id/' /etc/pbmstar.toml
runuser -u pbmstar -- pbmstar admin postfix | grep postconf | sh
postconf -e 'maillog_file = /var/log/postfix.log' 'inet_protocols = ipv4'
id alice >/dev/null 2>&1 || adduser --quiet --disabled-password --gecos '' alice
postfix start 2>&1
runuser -u pbmstar -- pbmstar serve &
exec python3 - <<'END'
import smtplib, sys, time
from pathlib import Path
for _ in range(600):
    if Path("/var/spool/postfix/pbmstar/lmtp").exists():
        break
    time.sleep(0.1)
with smtplib.SMTP("127.0.0.1") as postfix:
    postfix.sendmail("alice@mail.example.org", ["star@star.example.org"],
        "From: alice@mail.example.org\\r\\nMessage-ID: <1@x.example>\\r\\nSubject: hello\\r\\n\\r\\n")
for _ in range(600):
    for box in Path("/var/mail").glob("alice"):
        if "star@star.example.org" in box.read_text():
            print(box.read_text())
            sys.exit()
    time.sleep(0.1)
print(Path("/var/log/postfix.log").read_text())
sys.exit(1)
END
"""


def test_to_the_first_letter_behind_postfix(root: Root, package: Path) -> None:
    """Postfix comes later than we; then the lines that we print, and a mail is answered."""
    root.install(package)
    root.sh(
        f"""
        echo "postfix postfix/main_mailer_type select Internet Site" | debconf-set-selections
        echo "postfix postfix/mailname string mail.example.org" | debconf-set-selections
        printf '#!/bin/sh\\nexit 101\\n' > /usr/sbin/policy-rc.d
        chmod +x /usr/sbin/policy-rc.d
        apt-get install -y -q --no-install-recommends {LATER}/*.deb
        """
    )
    assert root.stat("var/spool/postfix/pbmstar") == "2710 pbmstar postfix"
    letter = root.sh(FIRST_LETTER)
    assert "Delivered-To: alice@mail.example.org" in letter
    assert "signup" in letter


def test_the_packages_fields(root: Root, package: Path) -> None:
    """The Python is the minor version for which its modules are compiled; the maintainer is who built it."""
    minor = int(root.sh("python3 -c 'import sys; print(sys.version_info.minor)'"))

    def field(name: str) -> str:
        return run("dpkg-deb", "-f", package, name).strip()

    assert f"python3 (>= 3.{minor}), python3 (<< 3.{minor + 1}~)" in field("Depends")
    assert field("Maintainer") == MAINTAINER
    assert field("Homepage") == "https://star.example"
    number = root.sh(". /etc/os-release && echo $VERSION_ID").strip()
    assert field("Version").endswith(f"+deb{number}")
    root.install(package)
    assert MAINTAINER in root.sh("zcat /usr/share/doc/pbmstar/changelog.Debian.gz")


def test_a_game_is_played_where_it_was_installed(root: Root, package: Path) -> None:
    root.install(package)
    told = root.sh("runuser -u pbmstar -- pbmstar demo")
    assert "the game is over" in " ".join(told.split())


def test_built_for_the_debian_that_runs_this(tmp_path: Path) -> None:
    """Whatever can go wrong while it is built is noticed before a release, and without a root of another Debian."""
    about = platform.freedesktop_os_release()
    if about["ID"] != "debian" or about.get("VERSION_CODENAME") not in RELEASES:
        pytest.skip("this is none of the releases of Debian that have packages")
    run("sh", PACKAGING / "build-deb", "--maintainer", MAINTAINER, tmp_path)
    (made,) = tmp_path.iterdir()
    assert f"+deb{about['VERSION_ID']}_" in made.name
    run("dpkg-deb", "-x", made, tmp_path / "root")
    (packages,) = (tmp_path / "root" / "usr/lib/pbmstar/lib").glob("python3.*/site-packages")
    assert list((packages / "pbmstar" / "__pycache__").glob("*.pyc"))
    assert (tmp_path / "root" / TOML).exists()
    assert (tmp_path / "root/usr/bin/pbmstar").is_symlink()
    told = run("env", f"PYTHONPATH={packages}", "/usr/bin/python3", "-P", "-m", "pbmstar", "--help")
    assert told.startswith("Usage: ")


def test_nobody_is_invented(tmp_path: Path) -> None:
    """Whoever builds a package has to say who maintains it."""
    for words in (
        [],
        ["--maintainer", "Ann"],
        ["--maintainer", "Ann <ann@x.example>\nEssential: yes"],
    ):
        told = run("sh", PACKAGING / "build-deb", *words, tmp_path, status=2)
        assert "--maintainer" in told
    assert not list(tmp_path.iterdir())
