"""A whole game by mail on this machine: a real daemon on loopback, two accounts, real messages."""

from __future__ import annotations

import mailbox
import re
import smtplib
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from email.message import EmailMessage, Message
from email.utils import formatdate, make_msgid
from pathlib import Path

SERVER = "star@pbmstar.example"
PEOPLE = {"alice": "alice@home.example", "bob": "bob@work.example"}
_PATIENCE = 15.0  # seconds until a message must have come
# The sender, the Subject and the text of each message.
_GAME = (
    ("alice", "star challenge -size=4 alice bob", "Shall we play? A small board first."),
    ("alice", "star move 1 alice s3cret C3", ""),
    ("bob", "star move 1 bob hunter2 swap", "That cell is too good: I take it."),
    ("alice", "star move 1 alice s3cret C3", ""),
    ("alice", "star move 1 alice s3cret D4", ""),
    ("bob", "star move 1 bob hunter2 D1", ""),
    ("alice", "star move 1 alice s3cret pass", "Enough for a first try."),
    ("bob", "star move 1 bob hunter2 pass", "Thank you for the game!"),
)
_REFUSED = 3  # the step that is refused: its sender alone gets a message


def run(say: Callable[[str], None]) -> int:
    """Play the game and ``say`` each message. Return an exit status; only the pages of the game remain."""
    pages = Path(tempfile.mkdtemp(prefix="pbmstar-pages-"))
    with tempfile.TemporaryDirectory(prefix="pbmstar-demo-") as folder:
        spool = Path(folder) / "spool"
        options = ["--spool", str(spool), "--address", SERVER, "--listen", "127.0.0.1:0"]
        options += ["--site", str(pages)]
        daemon = subprocess.Popen(
            [sys.executable, "-m", "pbmstar", "serve", *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        try:
            assert daemon.stdout is not None
            ready = re.search(r"listening on 127\.0\.0\.1:(\d+)", daemon.stdout.readline())
            if not ready:
                say("The daemon did not start.")
                return 1
            say(f"The daemon runs on 127.0.0.1:{ready[1]}, its spool is a temporary directory.")
            _Play(int(ready[1]), spool, say).play()
        except TimeoutError as error:
            say(str(error))
            return 1
        finally:
            daemon.terminate()
            daemon.wait()
        written = [sys.executable, "-m", "pbmstar", "site", *options]
        subprocess.run(written, capture_output=True, check=False)
    if (page := pages / "g/1.html").exists():
        say(f"\nThe game as a page, to step through in a browser:\n\n  {page.as_uri()}")
    say(_HOW_TO_GO_ON)
    return 0


class _Play:
    """Two people with a mail program each."""

    def __init__(self, port: int, spool: Path, say: Callable[[str], None]) -> None:
        self._port, self._spool, self._say = port, spool, say
        self._seen: set[str] = set()

    def play(self) -> None:
        """Sign both players up, play the game, and ``say`` every message."""
        for userid, address in PEOPLE.items():
            password = {"alice": "s3cret", "bob": "hunter2"}[userid]
            self._send(address, SERVER, f"signup {userid} {password}", "")
            asked = self._next(address)
            self._send(address, str(asked["Reply-To"]), f"Re: {asked['Subject']}", "yes")
            self._next(address)
        for step, (userid, subject, comment) in enumerate(_GAME):
            self._send(PEOPLE[userid], SERVER, subject, comment)
            for who in [userid] if step == _REFUSED else PEOPLE:
                self._next(PEOPLE[who])

    def _send(self, sender: str, to: str, subject: str, text: str) -> None:
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = sender, to, subject
        mail["Date"], mail["Message-ID"] = formatdate(), make_msgid(domain="pbmstar.example")
        mail.set_content(text)
        self._say(f"\n>>> {sender} mails {to.partition('@')[0].partition('+')[0]}: {subject}\n")
        with smtplib.SMTP("127.0.0.1", self._port, timeout=_PATIENCE) as smtp:
            smtp.send_message(mail)

    def _next(self, address: str) -> Message:
        """Return the next mail to ``address``, and ``say`` it. Raises TimeoutError."""
        deadline = time.monotonic() + _PATIENCE
        while time.monotonic() < deadline:
            folder = self._spool / "mail" / address
            for name in sorted(p.name for p in (folder / "new").glob("*")):
                if name not in self._seen:
                    self._seen.add(name)
                    mail = mailbox.Maildir(folder, create=False).get_message(name)
                    self._show(mail)
                    return mail
            time.sleep(0.01)
        raise TimeoutError(f"No mail came for {address}.")

    def _show(self, mail: Message) -> None:
        self._say("-" * 72)
        for name in ("From", "To", "Reply-To", "Subject"):
            if mail[name]:
                self._say(f"{name}: {mail[name]}")
        part = next(part for part in mail.walk() if part.get_content_type() == "text/plain")
        content = part.get_payload(decode=True)
        assert isinstance(content, bytes)
        self._say("\n" + content.decode("utf-8", "replace"))


_HOW_TO_GO_ON = """
That was a whole game. To go on by hand, in one terminal:

  pbmstar admin user add alice alice@home.example --password s3cret
  pbmstar admin user add bob bob@work.example --password hunter2
  pbmstar serve

and in another, with any program that sends mail to 127.0.0.1:8025:

  swaks --server 127.0.0.1:8025 --from alice@home.example \\
        --to star@localhost --header 'Subject: star challenge alice bob'

The answers lie in spool/mail/alice@home.example (mutt -f, or any reader of maildirs).
Set the key "relay" to send them into the world; docs/installing.md tells how."""
