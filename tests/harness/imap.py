"""A small IMAP server for tests, under TLS, that misbehaves on demand. Dovecot is the real one."""

from __future__ import annotations

import re
import socketserver
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

TLS = Path(__file__).parents[1] / "tls.pem"
ALL = "SASL-IR LITERAL+ UIDPLUS MOVE IDLE NAMESPACE SPECIAL-USE AUTH=XOAUTH2"
# (command) -> what is done instead: cut, hang (as long as the server is there), half (of a literal), empty
# (no body), or an answer: NO words.
Fault = Callable[[str], str]


@dataclass
class Box:
    """A folder: its messages by UID, and the flags of each."""

    validity: int = 1
    following: int = 1
    messages: dict[int, bytes] = field(default_factory=dict)
    flags: dict[int, set[str]] = field(default_factory=dict)

    def add(self, raw: bytes) -> int:
        uid, self.following = self.following, self.following + 1
        self.messages[uid], self.flags[uid] = raw, set()
        return uid

    def remove(self, uid: int) -> bytes:
        del self.flags[uid]
        return self.messages.pop(uid)


class Imap:
    """The server: its folders, the commands that it was sent, and its faults."""

    def __init__(self, fault: Fault = lambda _command: "", capabilities: str = ALL) -> None:
        self.boxes = {"INBOX": Box(), "Junk": Box()}
        self.fault, self.capabilities, self.passwords = fault, capabilities, {"s3cret"}
        self.log: list[str] = []
        self.changed, self.over = threading.Condition(threading.RLock()), threading.Event()
        self.port = 0
        self.prefix, self.between = "", "/"

    @property
    def url(self) -> str:
        return f"imaps://star@localhost:{self.port}"

    def add(self, raw: bytes, folder: str = "INBOX") -> int:
        """A message arrives."""
        with self.changed:
            uid = self.boxes.setdefault(folder, Box()).add(raw)
            self.changed.notify_all()
            return uid

    def count(self, folder: str = "INBOX") -> int:
        """How many messages are in a folder."""
        with self.changed:
            return len(self.boxes[folder].messages) if folder in self.boxes else 0

    def renumber(self) -> None:
        """Number the inbox anew, as after a repair."""
        with self.changed:
            old = self.boxes["INBOX"]
            new = self.boxes["INBOX"] = Box(validity=old.validity + 1, following=1000)
            for raw in old.messages.values():
                new.add(raw)

    def said(self, word: str) -> int:
        """How many commands with that word came."""
        return sum(word in line for line in self.log)


class _Session(socketserver.StreamRequestHandler):
    server: _Server
    disable_nagle_algorithm = True

    def handle(self) -> None:
        self.imap = self.server.imap
        self.box: Box | None = None
        self.told = 0
        with suppress(OSError, ValueError, StopIteration):
            tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            tls.load_cert_chain(TLS)
            with (
                tls.wrap_socket(self.request, server_side=True) as line,
                line.makefile("rb") as self.rfile,
                line.makefile("wb", 0) as self.wfile,
            ):
                self.say("* OK ready")
                while True:
                    self.command()

    def say(self, text: str) -> None:
        self.wfile.write(text.encode() + b"\r\n")

    def read(self) -> str:
        """A command with its literals in place of their lengths."""
        text = self.rfile.readline().decode().rstrip("\r\n")
        while match := re.search(r"\{(\d+)(\+?)\}$", text):
            if not match[2]:
                self.say("+ go on")
            literal = self.rfile.read(int(match[1])).decode()
            text = text[: match.start()] + f'"{literal}"' + self.rfile.readline().decode().rstrip()
        return text

    def command(self) -> None:
        text = self.read()
        if not text:
            raise StopIteration
        tag, _, rest = text.partition(" ")
        name, _, args = rest.partition(" ")
        name = name.upper()
        if name == "UID":
            word, _, args = args.partition(" ")
            name = f"UID {word.upper()}"
        self.imap.log.append(rest)
        fault = self.imap.fault(name)
        if fault == "cut":
            raise StopIteration
        if fault == "hang":
            self.imap.over.wait()
            raise StopIteration
        with self.imap.changed:
            done = fault if fault[:2] in ("NO", "BA") else self.carry_out(name, args, fault)
            self.told = self.there()
        self.say(f"{tag} {done or 'OK done'}")
        if name == "LOGOUT":
            raise StopIteration

    def carry_out(self, name: str, args: str, fault: str) -> str:
        imap, words = self.imap, [a or b for a, b in re.findall(r'"([^"]*)"|(\S+)', args)]
        match name:
            case "CAPABILITY":
                self.say(f"* CAPABILITY IMAP4rev1 {imap.capabilities}")
            case "LOGIN":
                if words[1] not in imap.passwords:
                    return "NO [AUTHENTICATIONFAILED] wrong"
            case "AUTHENTICATE":
                self.say("+ ")
                imap.log.append(self.rfile.readline().decode().strip())
            case "NAMESPACE":
                self.say(f'* NAMESPACE (("{imap.prefix}" "{imap.between}")) NIL NIL')
            case "LIST":
                for each in imap.boxes:
                    mark = "\\Junk" if each == "Junk" else ""
                    if words[1] in ("*", each):
                        self.say(f'* LIST ({mark}) "/" "{each}"')
            case "SELECT" | "EXAMINE":
                return self.select(words[0])
            case "CREATE":
                imap.boxes.setdefault(words[0], Box())
            case "IDLE":
                self.idle()
            case _ if name.startswith("UID ") and self.box is not None:
                return self.of_messages(self.box, name[4:], words, args, fault)
        return ""

    def there(self) -> int:
        """How many messages are in the folder that is selected."""
        return len(self.box.messages) if self.box else 0

    def select(self, name: str) -> str:
        self.box = self.imap.boxes.get(name)
        if self.box is None:
            return "NO [NONEXISTENT] no such folder"
        self.say(f"* {len(self.box.messages)} EXISTS")
        self.say(f"* OK [UIDVALIDITY {self.box.validity}] valid")
        return "OK [READ-WRITE] selected"

    def of_messages(self, box: Box, name: str, words: list[str], args: str, fault: str) -> str:
        if name == "SEARCH":
            found = list(box.messages)
            if "DELETED" in args:
                found = [uid for uid in found if "\\Deleted" in box.flags[uid]]
            if match := re.search(r"UID (\d+):\*", args):
                found = [uid for uid in found if uid >= int(match[1])] or found[-1:]
            if match := re.search(r'(?:SUBJECT "|TO )([^"]+)', args):
                found = [uid for uid in found if match[1].encode() in box.messages[uid]]
            self.say("* SEARCH " + " ".join(map(str, found)))
            return ""
        uids = [uid for uid in _set(words[0]) if uid in box.messages]
        match name:
            case "FETCH":
                self.fetch(box, uids, args, fault)
            case "STORE":
                for uid in uids:
                    box.flags[uid] |= {"\\Deleted"}
            case "EXPUNGE":
                for uid in uids:
                    if "\\Deleted" in box.flags[uid]:
                        box.remove(uid)
            case "COPY" | "MOVE":
                to = self.imap.boxes.get(words[1])
                if to is None:
                    return "NO [TRYCREATE] no such folder"
                for uid in uids:
                    to.add(box.remove(uid) if name == "MOVE" else box.messages[uid])
        return ""

    def fetch(self, box: Box, uids: list[int], args: str, fault: str) -> None:
        places = {uid: place for place, uid in enumerate(box.messages, 1)}
        for uid in uids:
            raw = box.messages[uid]
            if "SIZE" in args:
                self.say(f"* {places[uid]} FETCH (UID {uid} RFC822.SIZE {len(raw)})")
            elif fault == "empty":
                self.say(f"* {places[uid]} FETCH (UID {uid})")
            else:
                raw = raw[: int(re.findall(r"<0\.(\d+)>", args)[0])]
                head = f"* {places[uid]} FETCH (UID {uid} BODY[]<0> {{{len(raw)}}}\r\n"
                if fault == "half":
                    self.wfile.write(head.encode() + raw[: len(raw) // 2])
                    raise StopIteration
                self.wfile.write(head.encode() + raw + b")\r\n")

    def idle(self) -> None:
        """Tell what is new since the last command, with the go-ahead, and then what comes."""
        assert self.box is not None
        known, news = self.there(), f"* {self.there()} EXISTS"
        self.say("+ idling" + (f"\r\n{news}" if known != self.told else ""))
        done = threading.Event()

        def tell(known: int) -> None:
            while not done.is_set():
                with self.imap.changed:
                    self.imap.changed.wait(0.05)
                    now = self.there()
                if now != known and not done.is_set():
                    known = now
                    with suppress(OSError):
                        self.say(f"* {now} EXISTS")

        teller = threading.Thread(target=tell, args=(known,))
        teller.start()
        self.imap.changed.release()  # others go on meanwhile
        try:
            if not self.rfile.readline():
                raise StopIteration
        finally:
            done.set()
            teller.join()
            self.imap.changed.acquire()


def _set(text: str) -> Iterator[int]:
    for part in text.split(","):
        first, _, last = part.partition(":")
        yield from range(int(first), int(last or first) + 1)


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True
    imap: Imap

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: clients go as they like."""


@contextmanager
def serving(imap: Imap) -> Iterator[Imap]:
    """Let the server answer in the block."""
    with _Server(("127.0.0.1", 0), _Session) as server:
        server.imap, imap.port = imap, server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield imap
        finally:
            imap.over.set()
            server.shutdown()
            thread.join()
