"""A Dovecot of its own on loopback, with TLS, for root: the mailboxes of providers."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from imapclient import IMAPClient
from imapclient.exceptions import LoginError

from harness.server import free_port, until

TLS = Path(__file__).parents[1] / "tls.pem"
PASSWORD = "s3cret"
_CONFIGURATION = """
base_dir = {home}/run
state_dir = {home}/state
log_path = {home}/log
protocols = imap
listen = 127.0.0.1
ssl = required
ssl_cert = <{home}/tls.pem
ssl_key = <{home}/tls.pem
mail_location = maildir:{home}/mail/%u
mail_fsync = never
mail_plugins = quota
mail_max_userip_connections = 100
disable_plaintext_auth = yes
auth_mechanisms = plain xoauth2
auth_failure_delay = 0
first_valid_uid = 1
passdb {{
  driver = passwd-file
  args = {home}/users
}}
userdb {{
  driver = passwd-file
  args = {home}/users
  default_fields = uid=nobody gid=nogroup home={home}/home
}}
namespace inbox {{
  inbox = yes
  separator = {separator}
  prefix = {prefix}
  mailbox Junk {{
    auto = create
    special_use = \\Junk
  }}
}}
protocol imap {{
  mail_plugins = quota imap_quota
  {more}
}}
plugin {{
  quota = maildir:user
}}
service imap-login {{
  chroot =
  process_min_avail = 1
  service_count = 0
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = {tls_port}
    ssl = yes
  }}
}}
service anvil {{
  chroot =
}}
service auth {{
  unix_listener auth-client {{
    mode = 0666
  }}
}}
service imap {{
  process_limit = 100
  service_count = 0
}}
"""


class Dovecot:
    """A running Dovecot.

    port      of IMAP with STARTTLS; ``tls_port`` of IMAP under TLS
    auth      the socket where a Postfix asks for passwords
    """

    def __init__(
        self, home: Path, without: str = "", separator: str = "/", prefix: str = ""
    ) -> None:
        self.home, self.port, self.tls_port = home, free_port(), free_port()
        self.auth = home / "run" / "auth-client"
        self._counting: dict[str, IMAPClient] = {}  # by user
        shutil.copy(TLS, home / "tls.pem")
        (home / "mail").mkdir()
        shutil.chown(home / "mail", "nobody", "nogroup")
        (home / "users").touch()
        capabilities = (
            "IMAP4rev1 SASL-IR LITERAL+ UIDPLUS MOVE IDLE NAMESPACE SPECIAL-USE QUOTA UNSELECT"
        )
        kept = [each for each in capabilities.split() if each not in without.split()]
        more = f"imap_capability = {' '.join(kept)}" if without else ""
        text = _CONFIGURATION.format(
            home=home, port=self.port, tls_port=self.tls_port, more=more, separator=separator,
            prefix=prefix,
        )  # fmt: skip
        (home / "dovecot.conf").write_text(text)
        self.process = subprocess.Popen(
            ["/usr/sbin/dovecot", "-F", "-c", str(home / "dovecot.conf")],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        until(self._answers, "Dovecot")

    def _answers(self) -> bool:
        assert self.process.poll() is None, self.log()
        with suppress(OSError):
            IMAPClient("localhost", self.port, ssl=False, timeout=5).shutdown()
            return True
        return False

    def add(self, user: str, quota: int = 0) -> str:
        """Open a mailbox, of so many bytes at most; return its URL without the password."""
        rule = f"userdb_quota_rule=*:bytes={quota}" if quota else ""
        with open(self.home / "users", "a") as users:
            users.write(f"{user}:{{PLAIN}}{PASSWORD}::::::{rule}\n")
        # Dovecot looks for news of the file once a second at most.
        until(lambda: self._knows(user), f"mailbox of {user}")
        return f"imaps://{user}@localhost:{self.tls_port}"

    def _knows(self, user: str) -> bool:
        with suppress(LoginError), self.client(user):
            return True
        return False

    def _connected(self, user: str) -> IMAPClient:
        import ssl

        context = ssl.create_default_context(cafile=str(TLS))
        client = IMAPClient("localhost", self.tls_port, ssl_context=context, timeout=60)
        try:
            client.login(user, PASSWORD)
        except LoginError:
            client.shutdown()
            raise
        return client

    @contextmanager
    def client(self, user: str, folder: str = "INBOX") -> Iterator[IMAPClient]:
        """A person's own program in the mailbox."""
        with self._connected(user) as client:
            client.select_folder(folder)
            yield client

    def append(self, user: str, *messages: bytes, folder: str = "INBOX") -> None:
        """Put messages into a folder, as they arrive."""
        with self.client(user) as client:
            for message in messages:
                client.append(folder, message)

    def count(self, user: str, folder: str = "INBOX") -> int:
        """The number of messages in a folder; 0 without one.

        The connection stays: whoever waits for a number asks all the time, and to log in takes long. It has no
        folder selected, of which the server would tell what it knew at that time.
        """
        if user not in self._counting:
            self._counting[user] = self._connected(user)
        client = self._counting[user]
        if not client.folder_exists(folder):
            return 0
        return int(client.folder_status(folder, ["MESSAGES"])[b"MESSAGES"])

    def log(self) -> str:
        """What it has written."""
        return (self.home / "log").read_text()

    def stop(self) -> None:
        """End it with all its processes."""
        try:
            for client in self._counting.values():
                client.shutdown()
        finally:
            self.process.terminate()
            self.process.wait(30)


@contextmanager
def dovecot(**options: str) -> Iterator[Dovecot]:
    """A Dovecot that runs in the block."""
    # Not below pytest's folder, where only its owner may look.
    home = Path(tempfile.mkdtemp(prefix="pbmstar-dovecot-", dir="/tmp"))
    home.chmod(0o755)
    try:
        running = Dovecot(home, **options)
        try:
            yield running
        finally:
            running.stop()
    finally:
        shutil.rmtree(home)


def is_possible() -> bool:
    """Whether there is a Dovecot that we may start."""
    return os.getuid() == 0 and Path("/usr/sbin/dovecot").exists()
