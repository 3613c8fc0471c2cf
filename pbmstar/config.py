"""The configuration: a field for each key. Options win over the environment, and that over the file."""

from __future__ import annotations

import os
import re
import socket
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from .errors import BadInput
from .parts import FEATURES

FILES = (Path("pbmstar.toml"), Path("/etc/pbmstar.toml"))
NEWCOMERS = (
    400  # letters a day to people without an account, if the operator does not say otherwise
)
# Forms of values.
DIRECTORY, FILE, DAYS, NUMBER, SWITCH = "DIRECTORY", "FILE", "DAYS", "NUMBER", "on|off"
_SPANS = {"minute": 60.0, "hour": 3600.0, "day": 86400.0}  # seconds


class RelayLimit(NamedTuple):
    """A limit of the relay: it takes so many letters in so many seconds."""

    letters: int
    seconds: float

    def __str__(self) -> str:
        return f"{self.letters}/{next(name for name, it in _SPANS.items() if it == self.seconds)}"


# Only here, at the beginning of a path, the spool may stand: not in a password, nor in the spool itself.
_SPOOL = re.compile(r"^(maildir:|sqlite:///)(?:\{spool\}|SPOOL)(?=/|$)")


def _text(_name: str, text: str) -> str:
    return text


def _path(_name: str, text: str) -> Path | None:
    return Path(text) if text else None


def _url(name: str, text: str) -> str:
    """Return a web address without the slash at its end. Raises BadInput."""
    if text and not re.fullmatch(r"https?://[a-z0-9.-]+(:[0-9]+)?(/[A-Za-z0-9._~/-]*)?", text):
        raise _wrong(name, text, "where the site is seen, like https://star.example.org")
    return text.rstrip("/")


def _wrong(name: str, text: str, wanted: str) -> BadInput:
    """Return the error for a value of a key; ``wanted``: what to write instead."""
    return BadInput(f"{name}: {repeated(text)} can't be used. Write {wanted}.")


def repeated(text: str) -> str:
    """Return a wrong value as an error repeats it: not if it may be a URL with a password."""
    return "that value" if {":", "@"} <= set(text) else repr(text[:80])


def _spool(name: str, text: str) -> Path:
    if not text:
        raise BadInput(f"{name}: the directory of all run-time state.")
    return Path(text).absolute()


def _address(name: str, text: str) -> str:
    address = text.lower()
    local, at, domain = address.partition("@")
    if not (local and at and domain and address.isascii()) or "@" in domain or "+" in address:
        raise _wrong(name, text, "the server's mail address, like star@example.org")
    return address


def _switch(name: str, text: str) -> bool:
    if text.lower() in ("on", "true", "1", "yes"):
        return True
    if text.lower() in ("off", "false", "0", "no"):
        return False
    raise _wrong(name, text, "on or off")


def _bots(name: str, text: str) -> int:
    """Return the number of processes. One core is left for the mail, if there are two."""
    cores = len(os.sched_getaffinity(0))
    if not text:
        return int(cores > 1)
    if not text.isdecimal() or len(text) > 3:
        raise _wrong(name, text, "how many processes find moves for bots; 0 for none")
    return min(int(text), max(cores - 1, 1))


def _deliverers(name: str, text: str) -> int:
    """Return the number of processes: if it is not set, one for each core, and at most four."""
    if not text:
        return min(len(os.sched_getaffinity(0)), 4)
    if not text.isdecimal() or len(text) > 2 or int(text) < 1:
        raise _wrong(name, text, "how many processes send letters, from 1 to 99")
    return int(text)


def _node(name: str, text: str) -> str:
    if not text:
        return re.sub("[^a-z0-9]+", "-", socket.gethostname().partition(".")[0].lower()) or "node"
    text = text.lower()
    if not re.fullmatch(r"[a-z0-9][a-z0-9_-]{0,62}", text):
        raise _wrong(name, text, "letters, digits, - and _, like games1")
    return text


def _days(name: str, text: str) -> float:
    try:
        days = float(text)
    except ValueError:
        days = -1.0
    if not 0 < days < 1e5:
        raise _wrong(name, text, "a number of days above 0; fractions are allowed")
    return days


def _letters(name: str, text: str) -> int:
    if not text.isdecimal() or len(text) > 6 or not NEWCOMERS // 10 <= int(text) <= 100_000:
        raise _wrong(name, text, f"a number of letters, from {NEWCOMERS // 10} to 100000")
    return int(text)


def _whole_days(name: str, text: str) -> int:
    return int(_days(name, text))


def _features(name: str, text: str) -> frozenset[str]:
    """Return the names of features. Raises BadInput for any other word."""
    words = frozenset(text.replace(",", " ").split())
    if "bots" in words:
        raise BadInput(f"{name}: bots are switched off by the key bots, with 0.")
    if unknown := sorted(words.difference(FEATURES)):
        raise BadInput(
            f"{name}: {unknown[0]} isn't a feature. The features are {', '.join(FEATURES)}."
        )
    return words


def _limits(name: str, text: str) -> tuple[RelayLimit, ...]:
    """Return limits such as ``20/minute, 400/day``. Raises BadInput."""
    found = []
    for each in filter(None, (part.strip().lower() for part in text.split(","))):
        match = re.fullmatch(r"([1-9][0-9]{0,6}) ?/ ?(minute|hour|day)", each)
        if not match:
            raise _wrong(name, text, "how many letters and per what, like 20/minute, 400/day")
        found.append(RelayLimit(int(match[1]), _SPANS[match[2]]))
    return tuple(found)


def _one_of(*words: str) -> Callable[[str, str], str]:
    """Return a reader of a value that is one of a few words."""

    def read(name: str, text: str) -> str:
        if text.lower() not in words:
            raise _wrong(name, text, " or ".join(words))
        return text.lower()

    return read


def _key(default: str, form: str, doc: str, kind: Callable[[str, str], Any] = _text) -> Any:
    """Return a key of the configuration. ``{spool}`` in a default stands for the spool's path.

    form  how a value is written; FILE and DIRECTORY are paths
    doc   what the key does, in one line, and perhaps more
    """
    return field(metadata={"default": default, "form": form, "doc": doc, "kind": kind})


@dataclass(frozen=True)
class Config:
    """The configuration in force. ``repr`` hides values that may hold a password."""

    spool: Path = _key(
        "spool",
        DIRECTORY,
        "The directory for all run-time state. We create it if it's missing.",
        _spool,
    )
    address: str = _key("star@localhost", "ADDRESS", "The server's mail address.", _address)
    listen: str = _key(
        "127.0.0.1:8025",
        "HOST:PORT",
        "Where the daemon listens for SMTP. Port 0 means any free port. Leave it empty to turn "
        "SMTP off.",
    )
    lmtp: str = _key(
        "",
        "unix:/PATH or HOST:PORT",
        "Where the daemon listens for LMTP. Leave it empty to turn LMTP off.",
    )
    mailbox: str = _key(
        "",
        "URL",
        "The mailbox to read: imaps://USER@HOST, or imap://USER@HOST with STARTTLS. Leave it "
        "empty if there's none.",
    )
    mailbox_password_command: str = _key(
        "",
        "COMMAND",
        "A command that prints the mailbox's password or a token. You don't need it if the URL "
        "has the password.",
    )
    mailbox_done: str = _key(
        "pbmstar/done",
        "FOLDER",
        "The folder we move handled messages to. If it's empty, we delete them.",
    )
    auth: str = _key(
        "password",
        "password|xoauth2",
        "How we sign in to the mailbox and the relay. With xoauth2, the command prints a token.",
        _one_of("password", "xoauth2"),
    )
    detail: str = _key(
        "plus",
        "plus|none",
        "plus: mail to star+anything@ reaches us, so replies go there. none: your provider "
        "doesn't have addresses like that.",
        _one_of("plus", "none"),
    )
    relay: str = _key(
        "maildir:{spool}/mail",
        "URL",
        "Where letters go: maildir:PATH, smtp://HOST:PORT, smtps://USER@HOST or "
        "smtp+starttls://USER:PASSWORD@HOST:PORT.",
    )
    relay_limit: tuple[RelayLimit, ...] = _key(
        "",
        "LIMITS",
        "How many letters the relay accepts, like 20/minute, 400/day. The others wait. Empty "
        "means no limit.",
        _limits,
    )
    delivery_processes: int = _key(
        "",
        NUMBER,
        "How many processes write and send letters while many are waiting. Each has its own connection "
        "to the relay. If it isn't set, it's the number of cores, and at most 4.",
        _deliverers,
    )
    relay_password_command: str = _key(
        "",
        "COMMAND",
        "A command that prints the relay's password or a token. If it's empty, we use the "
        "mailbox's password.",
    )
    database: str = _key(
        "sqlite:///{spool}/pbmstar.db",
        "URL",
        "sqlite:///PATH or postgresql+psycopg://USER:PASSWORD@HOST/NAME.",
    )
    limits: bool = _key(
        "on",
        SWITCH,
        "Set it to off to lift rate limits and connection caps. Size limits stay.",
        _switch,
    )
    newcomers: int = _key(
        str(NEWCOMERS),
        "LETTERS",
        "How many unanswered letters a day we send to people without an account. Their other "
        "limits scale with it.",
        _letters,
    )
    strangers: str = _key(
        "yes",
        "yes|no",
        "no: only people who've been invited can play. Everyone else is told so, once and in one "
        "line.",
        _one_of("yes", "no"),
    )
    time: str = _key(
        "21d",
        "TIME",
        "The time limit of games whose challenge doesn't set one: 21d, 10d+36h/20d, none, slow "
        "and so on.",
    )
    forfeit_days: float = _key("21", DAYS, "The same in days, used if time isn't set.", _days)
    nag_days: float | None = _key(
        "7",
        DAYS,
        "Days until the first reminder. If it isn't set, it's a third of the player's time.",
        _days,
    )
    start_days: float = _key(
        "14",
        DAYS,
        "Days for a first move. After that, we remove the board, and nobody loses.",
        _days,
    )
    leave_days: int = _key(
        "30", DAYS, "How many days of leave each player has per year.", _whole_days
    )
    pictures: bool = _key(
        "on",
        SWITCH,
        "Set it to off to send boards without pictures, whatever players have chosen.",
        _switch,
    )
    bots: int = _key(
        "",
        NUMBER,
        "How many processes find moves for bots. 0 switches bots off. If it isn't set, it's 1 on "
        "a machine with two cores.",
        _bots,
    )
    templates: Path | None = _key(
        "",
        DIRECTORY,
        "A directory with your own letters and help pages. We look there first.",
        _path,
    )
    site: Path | None = _key(
        "",
        DIRECTORY,
        "Where we write the pages of the website. Leave it empty for no website.",
        _path,
    )
    site_url: str = _key(
        "", "URL", "The web address of these pages, like https://star.example.org.", _url
    )
    certificate: Path | None = _key(
        "",
        FILE,
        "A PEM file with a certificate. With it, we offer STARTTLS to clients that "
        "connect directly.",
        _path,
    )
    certificate_key: Path | None = _key("", FILE, "A PEM file with its private key.", _path)
    dkim_key: Path | None = _key(
        "", FILE, "A PEM file with an RSA key. With it, we sign our letters (DKIM).", _path
    )
    dkim_selector: str = _key("", "NAME", "The selector of that key's DNS record.")
    authserv_id: str = _key(
        "", "NAME", "The name that your own mail server uses in Authentication-Results."
    )
    keep_texts: float = _key(
        "7", DAYS, "How many days we keep the text of a message that caused trouble.", _days
    )
    keep_rows: float = _key("90", DAYS, "How many days we keep everything else about it.", _days)
    node: str = _key(
        "",
        "NAME",
        "This node's name, if you run several. If it isn't set, we use the machine's name.",
        _node,
    )
    operator: str = _key(
        "", "ADDRESS", "The address that gets alerts, and mail to postmaster and abuse."
    )
    without: frozenset[str] = _key(
        "",
        "FEATURES",
        "Features to switch off, separated by spaces. We refuse their commands, and keep their data. "
        f"The features are {', '.join(FEATURES)}.",
        _features,
    )
    metrics: str = _key(
        "",
        "FILE or HOST:PORT",
        "Where we write metrics for Prometheus, or serve them over HTTP. :PORT means loopback.",
    )

    def __repr__(self) -> str:
        return f"Config(spool={str(self.spool)!r}, address={self.address!r})"

    @cached_property
    def domain(self) -> str:
        """Return the part of the server's address after the @."""
        return self.address.rpartition("@")[2]

    @cached_property
    def local(self) -> str:
        """Return the part of the server's address before the @."""
        return self.address.rpartition("@")[0]


KEYS: Mapping[str, Field[Any]] = {key.name: key for key in fields(Config)}


class Given(NamedTuple):
    """A value of a key as it was given, and where: an option, a variable of the environment, or a file."""

    value: str
    where: str


def given(
    options: Mapping[str, str], environment: Mapping[str, str], file: Path | None
) -> dict[str, Given]:
    """Return the keys that are given; options win over the environment, and that over the TOML file.

    Raises BadInput for a file that cannot be read, or that has a key or a value that cannot be.
    """
    path, stored = _read(file)
    found: dict[str, Given] = {}
    for name, value in stored.items():
        if name not in KEYS:
            raise BadInput(f"There is no key {name!r}, but {path} has it.")
        if not isinstance(value, str | int | float):
            raise BadInput(f"{name}: {path} has a list or a table here. Write one value.")
        forms = (SWITCH,) if isinstance(value, bool) else (DAYS, NUMBER, SWITCH)
        if not isinstance(value, str) and KEYS[name].metadata["form"] not in forms:
            raise BadInput(f"{name}: put the value in quotes in {path}.")
        found[name] = Given(str(value), str(path))
    for name in KEYS:
        if (variable := f"PBMSTAR_{name.upper()}") in environment:
            found[name] = Given(environment[variable], variable)
    return found | {
        name: Given(value, f"--{name.replace('_', '-')}") for name, value in options.items()
    }


def load(
    options: Mapping[str, str],
    environment: Mapping[str, str] = os.environ,
    file: Path | None = None,
) -> Config:
    """Return the configuration from options, environment and TOML file, in that order.

    Raises BadInput.
    """
    known = given(options, environment, file)
    values: dict[str, Any] = {}
    for name, key in KEYS.items():
        value = known[name].value if name in known else key.metadata["default"]
        values[name] = key.metadata["kind"](name, value)
    for name in ("relay", "database"):
        values[name] = _SPOOL.sub(lambda found: f"{found[1]}{values['spool']}", values[name])
    if "time" not in known:
        values["time"] = f"{values['forfeit_days']:.9f}".rstrip("0").rstrip(".") + "d"
    if "nag_days" not in known:
        values["nag_days"] = None
    return Config(**values)


def _read(file: Path | None) -> tuple[Path | None, Mapping[str, object]]:
    """Return the file that is in force, if there is one, and its keys. Raises BadInput."""
    for path in (file,) if file else FILES:
        try:
            if not file and not os.access(path.parent, os.X_OK):
                continue  # we were started in another user's directory
            return path, tomllib.loads(path.read_text())
        except FileNotFoundError:
            if file:
                raise BadInput(f"There's no configuration file {file}.") from None
        except (OSError, ValueError) as error:
            raise BadInput(f"The configuration file {path} cannot be read: {error}") from None
    return None, {}
