"""What the commands share: the configuration's options, exit statuses, opening the store."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

if TYPE_CHECKING:
    from ..config import Config
    from ..service import Context, Service
    from ..service.work import Work
    from ..store import Store

REFUSED, USAGE, TRY_AGAIN = 1, 2, 75
NUMBER = click.IntRange(1, 2**31 - 1)  # of a board, a letter, an outage: no table has a greater one
# The keys of pbmstar.config, repeated so that help need not import it; a test compares them.
KEYS = {
    "spool": "Directory of all run-time state.",
    "address": "The server's mail address.",
    "listen": "HOST:PORT for SMTP; port 0 picks one.",
    "lmtp": "unix:/path or HOST:PORT for LMTP.",
    "relay": "maildir:PATH, smtp://HOST:PORT or smtp+starttls://USER:PW@HOST:PORT.",
    "database": "sqlite:///PATH or postgresql+psycopg://...",
    "limits": "on, or off to lift rate limits and connection caps.",
    "time": "Time for moves: 21d, 10d+36h/20d, none ...",
    "forfeit_days": "The same in days, where time is not set.",
    "nag_days": "Days until the first reminder.",
    "start_days": "Days for a first move.",
    "leave_days": "Days of leave in a year.",
    "pictures": "on, or off to send boards without pictures.",
    "bots": "Processes that find moves for bots; 0 for none.",
    "templates": "Directory of the site's own letters and help pages.",
    "certificate": "PEM file: offer STARTTLS to those who connect directly.",
    "certificate_key": "PEM file of its private key.",
    "dkim_key": "PEM file of an RSA key: sign letters.",
    "dkim_selector": "Selector of the key's DNS record.",
    "authserv_id": "Name in Authentication-Results of our own mail server.",
    "keep_texts": "Days that the text of a mail in trouble is kept.",
    "keep_rows": "Days that what is known of such a mail is kept.",
    "operator": "Address for alerts and for mail to postmaster and abuse.",
    "metrics": "File or HOST:PORT for figures that Prometheus reads; :PORT is loopback.",
}
# Before the names of these options' parameters: a command may have an ADDRESS of its own.
_OURS = "key_"


def _remember(context: click.Context, parameter: click.Parameter, value: str | None) -> None:
    if value is not None:
        name = str(parameter.name).removeprefix(_OURS)
        context.find_root().ensure_object(dict)[name] = value


def configured(hidden: bool) -> Callable[[Any], Any]:
    """A decorator that adds an option for every key of the configuration, and --config."""

    def decorate(command: Any) -> Any:
        for name, doc in reversed([*KEYS.items(), ("config", "TOML file of the configuration.")]):
            command = click.option(
                "--" + name.replace("_", "-"),
                _OURS + name,
                help=doc,
                hidden=hidden,
                expose_value=False,
                callback=_remember,
            )(command)
        return command

    return decorate


class Group(click.Group):
    """A group whose commands all take the configuration's options, unseen in their help.

    A command gets them when it is about to run: to make them for all takes longer than to print the help.
    """

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Like click's."""
        name, command, rest = super().resolve_command(ctx, args)
        if command is None or isinstance(command, click.Group):
            return name, command, rest
        if all(parameter.name != _OURS + "spool" for parameter in command.params):
            configured(hidden=True)(command)
        return name, command, rest


def refuse(text: str) -> NoReturn:
    """Say why a command is not carried out, and end."""
    from ..log import complain

    complain(text)
    sys.exit(REFUSED)


@contextmanager
def statuses(refused: int = REFUSED) -> Iterator[None]:
    """Errors of ours as one line on standard error and an exit status, without a trace.

    What is wrong with a key of the configuration begins with its name.
    """
    from ..errors import Passing, Refusal
    from ..log import complain

    try:
        yield
    except Refusal as error:
        complain(str(error))
        misconfigured = str(error).partition(":")[0] in KEYS
        sys.exit(USAGE if misconfigured and refused == REFUSED else refused)
    except Passing as error:
        complain(f"try again later: {error}")
        sys.exit(TRY_AGAIN)
    except BrokenPipeError:  # who read what we print has enough of it
        raise
    except OSError as error:  # the disk; or too many files are open
        complain(f"try again later: {named(error)}")
        sys.exit(TRY_AGAIN)


def named(error: OSError) -> str:
    """What is wrong, and with which file; only the operator reads it."""
    return f"{error.filename}: {error.strerror}" if error.filename else str(error.strerror)


def configuration(wrong: int = USAGE, make: bool = True) -> Config:
    """The configuration in force; the spool is made where there is none, unless it is not to be.

    Exits with ``wrong`` if something is wrong with it.
    """
    from .. import config
    from ..errors import BadInput
    from ..log import complain

    options = dict(click.get_current_context().find_root().ensure_object(dict))
    file = options.pop("config", None)
    try:
        loaded = config.load(options, os.environ, Path(file) if file else None)
        if make:
            loaded.spool.mkdir(mode=0o700, parents=True, exist_ok=True)
    except BadInput as error:
        complain(str(error))
        sys.exit(wrong)
    except OSError as error:
        complain(f"the spool cannot be made: {named(error)}")
        sys.exit(TRY_AGAIN)
    return loaded


def context(config: Config) -> Context:
    """What the service needs: the real clock, real randomness."""
    import secrets
    import time

    from ..identity import Passwords
    from ..render import Renderer
    from ..service import Context

    passwords = Passwords(secrets.token_bytes(32))
    return Context(
        config,
        Renderer.of(config).topics(),
        time.time,
        secrets.token_bytes,
        passwords,
    )


@contextmanager
def store(config: Config) -> Iterator[Store]:
    """The open store, closed however the block ends, so that SQLite puts its log away."""
    from ..store import Store

    os.umask(0o077)
    with closing(Store(config.database)) as opened:
        yield opened


@contextmanager
def work(writes: bool = True) -> Iterator[Work]:
    """Work in a transaction of its own; its letters are sent afterwards if nobody else sends."""
    from ..service.work import Work

    config = configuration()
    with statuses(), store(config) as opened:
        surroundings = context(config)
        with opened.transaction() as tx:
            yield Work(surroundings, tx, surroundings.clock(), actor=actor())
        if writes:
            send(config, opened)


def actor() -> str:
    """Who runs this command, for the audit: the Unix user, or whoever became root by sudo."""
    import pwd

    name = os.environ.get("SUDO_USER", "")
    if not re.fullmatch(r"[a-z_][a-z0-9_.-]{0,31}", name):
        try:
            name = pwd.getpwuid(os.getuid()).pw_name
        except KeyError:
            name = str(os.getuid())
    return f"operator {name}"


def write_digests(service: Service, opened: Store) -> None:
    """Write all digests that are due. Raises Passing."""
    more = True
    while more:
        with opened.transaction() as tx:
            more = service.send_digests(tx)


def send(config: Config, opened: Store) -> None:
    """One pass over the outgoing mail, unless a daemon does that; what fails is for a later pass."""
    from ..delivery.once import deliver_once
    from ..errors import Passing
    from ..log import complain
    from ..service import Service

    service = Service(context(config))
    try:
        write_digests(service, opened)
        deliver_once(config, opened, service.trouble)
    except Passing as error:
        complain(f"letters wait: {error}")
    except OSError as error:
        complain(f"letters wait: {named(error)}")


def send_and_think(config: Config, opened: Store) -> None:
    """Do what a daemon would: letters go, bots answer, letters go again. Nothing where one runs."""
    send(config, opened)
    if think(config, opened):
        send(config, opened)


def think(config: Config, opened: Store) -> int:
    """Let bots answer, unless another process does; how often they did. What fails is for later."""
    import logging

    from ..delivery.once import at_once
    from ..errors import Passing
    from ..log import complain
    from ..thinking.thinker import Thinker

    if not config.bots:
        return 0
    try:
        return Thinker(context(config), at_once(opened), lambda: None).run_once()
    except Passing as error:
        complain(f"bots wait: {error}")
    except Exception:  # the mail at hand is done with: its sender must not get it back for this
        logging.getLogger("pbmstar").exception("bots")
    return 0
