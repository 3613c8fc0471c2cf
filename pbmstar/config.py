"""The configuration: a field for each key. Options win over the environment, and that over the file."""

from __future__ import annotations

import os
import re
import socket
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, field, fields
from pathlib import Path
from typing import Any

from .errors import BadInput
from .features import NAMES

FILES = (Path("pbmstar.toml"), Path("/etc/pbmstar.toml"))
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
    return BadInput(f"{name}: {repeated(text)} cannot be used. Write {wanted}.")


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


def _whole_days(name: str, text: str) -> int:
    return int(_days(name, text))


def _features(name: str, text: str) -> frozenset[str]:
    """Return the names of features. Raises BadInput for any other word."""
    words = frozenset(text.replace(",", " ").split())
    if unknown := sorted(words.difference(NAMES)):
        raise BadInput(f"{name}: {unknown[0]} is not a feature. There are {', '.join(NAMES)}.")
    return words


def _key(default: str, doc: str, kind: Callable[[str, str], Any] = _text) -> Any:
    """Return a key of the configuration. ``{spool}`` in a default stands for the spool's path."""
    return field(metadata={"default": default, "doc": doc, "kind": kind})


@dataclass(frozen=True)
class Config:
    """The configuration in force. ``repr`` hides values that may hold a password."""

    spool: Path = _key("spool", "Directory of all run-time state.", _spool)
    address: str = _key("star@localhost", "The server's mail address.", _address)
    listen: str = _key("127.0.0.1:8025", "HOST:PORT for SMTP; port 0 picks one.")
    lmtp: str = _key("", "unix:/path or HOST:PORT for LMTP.")
    relay: str = _key(
        "maildir:{spool}/mail",
        "maildir:PATH, smtp://HOST:PORT or smtp+starttls://USER:PW@HOST:PORT.",
    )
    database: str = _key(
        "sqlite:///{spool}/pbmstar.db", "sqlite:///PATH or postgresql+psycopg://..."
    )
    limits: bool = _key("on", "on, or off to lift rate limits and connection caps.", _switch)
    time: str = _key("21d", "Time for moves: 21d, 10d+36h/20d, none ...")
    forfeit_days: float = _key("21", "The same in days, where time is not set.", _days)
    nag_days: float | None = _key("7", "Days until the first reminder.", _days)
    start_days: float = _key("14", "Days for a first move.", _days)
    leave_days: int = _key("30", "Days of leave in a year.", _whole_days)
    pictures: bool = _key("on", "on, or off to send boards without pictures.", _switch)
    bots: int = _key("", "Processes that find moves for bots; 0 for none.", _bots)
    templates: Path | None = _key("", "Directory of the site's own letters and help pages.", _path)
    site: Path | None = _key("", "Directory of the pages for the web; empty: none.", _path)
    site_url: str = _key("", "Where its pages are seen, like https://star.example.org.", _url)
    certificate: Path | None = _key(
        "", "PEM file: offer STARTTLS to those who connect directly.", _path
    )
    certificate_key: Path | None = _key("", "PEM file of its private key.", _path)
    dkim_key: Path | None = _key("", "PEM file of an RSA key: sign letters.", _path)
    dkim_selector: str = _key("", "Selector of the key's DNS record.")
    authserv_id: str = _key("", "Name in Authentication-Results of our own mail server.")
    keep_texts: float = _key("7", "Days that the text of a mail in trouble is kept.", _days)
    keep_rows: float = _key("90", "Days that the facts about such a mail are kept.", _days)
    node: str = _key("", "Name of this node among several; the machine's by default.", _node)
    operator: str = _key("", "Address for alerts and for mail to postmaster and abuse.")
    without: frozenset[str] = _key("", f"Features to switch off, of {', '.join(NAMES)}.", _features)
    metrics: str = _key(
        "", "File or HOST:PORT for figures that Prometheus reads; :PORT is loopback."
    )

    def __repr__(self) -> str:
        return f"Config(spool={str(self.spool)!r}, address={self.address!r})"

    @property
    def domain(self) -> str:
        """Return the part of the server's address after the @."""
        return self.address.rpartition("@")[2]

    @property
    def local(self) -> str:
        """Return the part of the server's address before the @."""
        return self.address.rpartition("@")[0]


KEYS: Mapping[str, Field[Any]] = {key.name: key for key in fields(Config)}


def load(
    options: Mapping[str, str],
    environment: Mapping[str, str] = os.environ,
    file: Path | None = None,
) -> Config:
    """Return the configuration from options, environment and TOML file, in that order.

    Raises BadInput.
    """
    path, stored = _read(file)
    for name, value in stored.items():
        if name not in KEYS:
            raise BadInput(f"There is no key {name!r}, but {path} has it.")
        if not isinstance(value, str | int | float):
            raise BadInput(f"{name}: one value, not a list or a table, as in {path}.")
    given = {name: str(value) for name, value in stored.items()}
    given |= {
        name: environment[variable]
        for name in KEYS
        if (variable := f"PBMSTAR_{name.upper()}") in environment
    }
    given |= options
    values: dict[str, Any] = {}
    for name, key in KEYS.items():
        values[name] = key.metadata["kind"](name, given.get(name, key.metadata["default"]))
    for name in ("relay", "database"):
        values[name] = _SPOOL.sub(lambda found: f"{found[1]}{values['spool']}", values[name])
    if "time" not in given:
        values["time"] = f"{values['forfeit_days']:.9f}".rstrip("0").rstrip(".") + "d"
    if "nag_days" not in given:
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
                raise BadInput(f"There is no configuration file {file}.") from None
        except (OSError, ValueError) as error:
            raise BadInput(f"The configuration file {path} cannot be read: {error}") from None
    return None, {}
