"""The configuration: one table of keys; an option wins over the environment, that over the file."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from .errors import BadInput

FILES = (Path("pbmstar.toml"), Path("/etc/pbmstar.toml"))


@dataclass(frozen=True)
class Key:
    """One key of the configuration. ``{spool}`` in a default stands for the spool's path."""

    name: str
    default: str
    doc: str

    @property
    def environment(self) -> str:
        """The environment variable that sets it."""
        return f"PBMSTAR_{self.name.upper()}"


KEYS = (
    Key("spool", "spool", "directory of all run-time state"),
    Key("address", "star@localhost", "the server's mail address"),
    Key("listen", "127.0.0.1:8025", "host:port for SMTP; port 0 picks one"),
    Key("lmtp", "", "unix:/path or host:port for LMTP; empty for none"),
    Key(
        "relay",
        "maildir:{spool}/mail",
        "maildir:PATH, smtp://host:port or smtp+starttls://user:pw@host:port",
    ),
    Key("database", "sqlite:///{spool}/pbmstar.db", "or postgresql+psycopg://..."),
    Key("limits", "on", "off lifts rate limits and connection caps, but no size limit"),
    Key("nag_days", "7", "days until the first reminder"),
    Key("forfeit_days", "21", "days until a warned player forfeits"),
    Key("pictures", "on", "off sends boards without pictures, whatever players wish"),
    Key("bots", "", "processes that find moves for bots, 0 for none; 1 where there are two cores"),
    Key("templates", "", "a directory of the site's own letters and help pages, searched first"),
    Key("certificate", "", "PEM file: offer STARTTLS to those who connect directly"),
    Key("certificate_key", "", "PEM file of its private key, if it is not in the same file"),
    Key("dkim_key", "", "PEM file of an RSA key: sign letters"),
    Key("dkim_selector", "", "the selector that the key's DNS record stands under"),
    Key("authserv_id", "", "the name in Authentication-Results of our own mail server"),
    Key("keep_texts", "7", "days that the text of a mail in trouble is kept"),
    Key("keep_rows", "90", "days that what is known of such a mail is kept"),
    Key("operator", "", "where mail to postmaster and abuse, and alerts, go"),
    Key("metrics", "", "a file, or host:port for HTTP (:port is loopback): figures for Prometheus"),
)


@dataclass(frozen=True)
class Config:
    """The configuration in force. ``repr`` hides what may hold a password."""

    spool: Path
    address: str
    listen: str
    lmtp: str
    relay: str
    database: str
    limits: bool
    pictures: bool
    nag_days: float
    forfeit_days: float
    templates: Path | None
    operator: str
    metrics: str = ""
    certificate: Path | None = None
    certificate_key: Path | None = None
    dkim_key: Path | None = None
    dkim_selector: str = ""
    authserv_id: str = ""
    keep_texts: float = 7.0
    keep_rows: float = 90.0
    bots: int = 0

    def __repr__(self) -> str:
        return f"Config(spool={str(self.spool)!r}, address={self.address!r})"

    @property
    def domain(self) -> str:
        """The part of the server's address after the @."""
        return self.address.rpartition("@")[2]

    @property
    def local(self) -> str:
        """The part of the server's address before the @."""
        return self.address.rpartition("@")[0]


def load(
    options: Mapping[str, str],
    environment: Mapping[str, str] = os.environ,
    file: Path | None = None,
) -> Config:
    """The configuration from options, environment and TOML file, in that order. Raises BadInput."""
    path, stored = _read(file)
    values = {}
    for key in KEYS:
        setting = options.get(key.name)
        if setting is None:
            setting = environment.get(key.environment)
        values[key.name] = (
            setting if setting is not None else str(stored.get(key.name, key.default))
        )
    for name, value in stored.items():
        if name not in values:
            raise BadInput(f"There is no key {name!r}, but {path} has it.")
        if not isinstance(value, str | int | float):
            raise BadInput(f"{name}: one value, not a list or a table, as in {path}.")
    if not values["spool"]:
        raise BadInput("spool: the directory of all run-time state.")
    spool = Path(values["spool"]).absolute()
    for name in ("relay", "database"):
        values[name] = values[name].replace("{spool}", str(spool)).replace("SPOOL", str(spool))
    address = values["address"].lower()
    if (
        address.count("@") != 1
        or not address.isascii()
        or not all(address.split("@"))
        or "+" in address
    ):
        raise BadInput("address: the server's mail address, like star@example.org.")
    return Config(
        spool=spool,
        address=address,
        listen=values["listen"],
        lmtp=values["lmtp"],
        relay=values["relay"],
        database=values["database"],
        limits=_switch("limits", values["limits"]),
        pictures=_switch("pictures", values["pictures"]),
        nag_days=_days("nag_days", values["nag_days"]),
        forfeit_days=_days("forfeit_days", values["forfeit_days"]),
        templates=_path(values["templates"]),
        operator=values["operator"],
        metrics=values["metrics"],
        certificate=_path(values["certificate"]),
        certificate_key=_path(values["certificate_key"]),
        dkim_key=_path(values["dkim_key"]),
        dkim_selector=values["dkim_selector"],
        authserv_id=values["authserv_id"],
        keep_texts=_days("keep_texts", values["keep_texts"]),
        keep_rows=_days("keep_rows", values["keep_rows"]),
        bots=_bots(values["bots"]),
    )


def _read(file: Path | None) -> tuple[Path | None, Mapping[str, object]]:
    """The file that is in force, if there is one, and what it says. Raises BadInput."""
    for path in (file,) if file else FILES:
        try:
            if not file and not os.access(path.parent, os.X_OK):
                continue  # a directory of somebody else's that we were started in
            return path, tomllib.loads(path.read_text())
        except FileNotFoundError:
            if file:
                raise BadInput(f"There is no configuration file {file}.") from None
        except (OSError, ValueError) as error:
            raise BadInput(f"The configuration file {path} cannot be read: {error}") from None
    return None, {}


def _path(text: str) -> Path | None:
    return Path(text) if text else None


def _switch(name: str, text: str) -> bool:
    if text.lower() in ("on", "true", "1", "yes"):
        return True
    if text.lower() in ("off", "false", "0", "no"):
        return False
    raise BadInput(f"{name}: on or off.")


def _bots(text: str) -> int:
    """How many processes find moves for bots: one core is left for the mail, if there are two."""
    cores = len(os.sched_getaffinity(0))
    if not text:
        return int(cores > 1)
    if not text.isdecimal() or len(text) > 3:
        raise BadInput("bots: how many processes find moves for bots; 0 for none.")
    return min(int(text), max(cores - 1, 1))


def _days(name: str, text: str) -> float:
    try:
        days = float(text)
    except ValueError:
        days = -1.0
    if not 0 < days < 1e5:
        raise BadInput(f"{name}: a number of days above 0; fractions are allowed.")
    return days
