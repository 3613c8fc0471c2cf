"""The images: built by buildah on a fresh Debian, run together, and what compose.yaml says of them."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from fresh import NEEDS_ROOT, PACKAGING, alone, bare_debian, run
from readme import CHECKOUT

from pbmstar.config import Config

CONTAINERFILE = (PACKAGING / "Containerfile").read_text()
STAGES = re.findall(r"(?m)^FROM \S+ AS (\S+)$", CONTAINERFILE)


def composed() -> dict[str, Any]:
    yaml = pytest.importorskip("yaml")
    found: dict[str, Any] = yaml.safe_load((PACKAGING / "compose.yaml").read_text())
    return found


def test_compose_names_what_there_is() -> None:
    """Stages of the Containerfile, keys of the configuration, its own volumes and networks."""
    compose = composed()
    keys = {f"PBMSTAR_{key.upper()}" for key in Config.__dataclass_fields__}
    for name, service in compose["services"].items():
        if "build" in service:
            assert service["build"]["target"] in STAGES
            assert (PACKAGING / service["build"]["context"]).resolve() == CHECKOUT
            assert (CHECKOUT / service["build"]["dockerfile"]).is_file()
        given = {key for key in service["environment"] if key.startswith("PBMSTAR_")}
        assert given <= keys, name
        assert {each.partition(":")[0] for each in service["volumes"]} <= set(compose["volumes"])
        assert set(service["networks"]) <= set(compose["networks"])
        assert set(service.get("depends_on", ())) <= set(compose["services"])
        assert len(service["volumes"]) == 1


def test_only_the_relay_is_reached_from_outside() -> None:
    services = composed()["services"]
    assert services["relay"]["ports"] == ["25:25"]
    assert services["pbmstar"]["ports"] == ["127.0.0.1:9108:9108"]
    assert [name for name in services if "outside" in services[name]["networks"]] == ["relay"]
    assert composed()["networks"]["inside"] == {"internal": True}


def test_the_image_runs_as_a_user_and_has_one_volume() -> None:
    last = CONTAINERFILE.rpartition("\nFROM ")[2]
    assert re.findall(r"(?m)^USER (\S+)$", last) == ["10001"]
    assert re.findall(r"(?m)^VOLUME (.+)$", last) == ["/var/lib/pbmstar"]
    assert "\nHEALTHCHECK " in last
    keys = {key.removeprefix("PBMSTAR_").lower() for key in re.findall(r"PBMSTAR_\w+", last)}
    assert keys <= set(Config.__dataclass_fields__)


TOGETHER = r"""
set -e
buildah run --isolation chroot --env DOMAIN=star.example.org --env MACHINE=mail.example.org \
    --env PBMSTAR=127.0.0.1:2003 relay sh -c 'useradd -m alice 2>/dev/null; exec /usr/local/bin/relay' &
buildah run --isolation chroot --user 10001 --env PBMSTAR_ADDRESS=star@star.example.org \
    --env PBMSTAR_RELAY=smtp://127.0.0.1:10025 pbmstar pbmstar serve &
exec /usr/bin/python3 - <<'END'
import smtplib, socket, subprocess, sys, time
from pathlib import Path
for port in (25, 10025, 2003, 9108):
    for _ in range(600):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            break
        except OSError:
            time.sleep(0.1)
with smtplib.SMTP("127.0.0.1", 25, source_address=("192.0.2.1", 0)) as outside:
    outside.sendmail("alice@mail.example.org", ["star@star.example.org"],
        "From: alice@mail.example.org\r\nMessage-ID: <1@x.example>\r\nSubject: hello\r\n\r\n")
    outside.mail("x@evil.example")
    print("relayed:", outside.rcpt("y@other.example")[0])
box = Path(sys.argv[1], "var/mail/alice")
for _ in range(600):
    if box.exists() and "star@star.example.org" in box.read_text():
        print(box.read_text())
        break
    time.sleep(0.1)
print("health:", subprocess.run(["buildah", "run", "--isolation", "chroot", "pbmstar", *sys.argv[2:]]).returncode)
END
"""


class Images:
    """Images and containers of buildah, in a folder of their own."""

    def __init__(self, folder: Path) -> None:
        self._where = ("--root", folder / "store", "--runroot", folder / "run")

    def words(self, *words: str | Path) -> list[str | Path]:
        return ["buildah", "--storage-driver", "vfs", *self._where, *words]

    def __call__(self, *words: str | Path) -> str:
        return run(*self.words(*words)).strip()


def fresh_checkout(folder: Path) -> Path:
    """A copy of what belongs to the checkout, so that what lies beside it is in no image."""
    names = run("git", "-C", CHECKOUT, "ls-files", "-co", "--exclude-standard").split("\n")
    for name in filter(None, names):
        if (CHECKOUT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(CHECKOUT / name, folder / name)
    return folder


class TestBuilt:
    """What is built and run for real."""

    pytestmark = NEEDS_ROOT

    @pytest.mark.skipif(
        not shutil.which("buildah"), reason="building both images takes four minutes and buildah"
    )
    def test_built_and_run_together(
        self, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
    ) -> None:
        """A mail from outside is answered through both, nothing else is relayed, and health is told."""
        buildah = Images(tmp_path)
        base = bare_debian(tmp_path_factory)
        made = buildah("from", "scratch")
        buildah("add", "-q", made, base.path, "/")
        buildah("commit", "-q", made, "debian:bookworm-slim")
        pip = tmp_path / "pip.conf"
        pip.write_text("[global]\ncert = /etc/pip.crt\n")
        context = fresh_checkout(tmp_path / "checkout")
        volumes = (
            *("--volume", f"{pip}:/etc/pip.conf:ro"),
            *("--volume", "/etc/ssl/certs/ca-certificates.crt:/etc/pip.crt:ro"),
        )
        how = ("--format", "docker", "--isolation", "chroot", "--network", "host", *volumes)
        for stage in ("relay", "pbmstar"):
            file = context / "pbmstar" / "packaging" / "Containerfile"
            buildah("bud", *how, "-f", file, "--target", stage, "-t", stage, context)
            buildah("from", "--pull-never", "--name", stage, f"localhost/{stage}")
        check = re.search(r'(?m)^HEALTHCHECK .*CMD \["(.*)"\]$', CONTAINERFILE)
        assert check is not None
        mounted = buildah("mount", "relay")
        tool = tmp_path / "bin" / "buildah"
        tool.parent.mkdir()
        own = " ".join(str(word) for word in buildah.words())
        tool.write_text(f'#!/bin/sh\nexec /usr/bin/{own} "$@"\n')
        tool.chmod(0o755)
        script = f"PATH={tool.parent}:$PATH\nset -- {mounted} {quoted(check[1])}\n{TOGETHER}"
        script = script.replace("python3 - <<", 'python3 - "$@" <<')
        told = run(*alone("sh", "-c", script, proc=Path("/proc")))
        assert "Delivered-To: alice@mail.example.org" in told
        assert "relayed: 554" in told  # for good
        assert "health: 0" in told
        buildah("umount", "relay")
        shutil.rmtree(tmp_path)


def quoted(words: str) -> str:
    """The words of an array of the Containerfile, for a shell."""
    return " ".join(f'"{word}"' for word in words.split('", "'))
