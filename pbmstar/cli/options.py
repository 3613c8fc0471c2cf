"""The configuration's options, which all commands take, and the exit statuses of refusals."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import click

from ..config import DIRECTORY, FILE, KEYS, Config, given, load
from ..errors import BadInput, Damaged, Passing, Refusal
from ..features import modules
from ..features.feature import switched_off
from ..machine.log import complain
from ..machine.times import Epoch, Seconds
from ..match.terms import DAY, HOUR

REFUSED, USAGE, TRY_AGAIN = 1, 2, 75
NUMBER = click.IntRange(1, 2**31 - 1)  # of a board, a letter, an outage: tables have no greater one


def moment(text: str) -> Epoch:
    """Return a time such as 2026-12-06T13:20Z in seconds since 1970. Raises BadParameter."""
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        when = None
    if when is None or when.tzinfo is None:
        raise click.BadParameter(
            f"{text[:40]!r} is not a time. Write it like 2026-12-06T13:20Z (UTC)."
        )
    return when.timestamp()


def duration(text: str) -> Seconds:
    """Return a duration such as 12h or 1d in seconds. Raises BadParameter."""
    typed = re.fullmatch(r"([0-9]{1,3})([hd])", text.strip().lower())
    if not typed:
        raise click.BadParameter(f"{text[:40]!r} is not a duration. Write it like 12h or 1d.")
    return int(typed[1]) * {"h": HOUR, "d": DAY}[typed[2]]


# This prefixes the names of these options' parameters: a command may have an ADDRESS of its own.
_OURS = "key_"


def _remember(context: click.Context, parameter: click.Parameter, value: str | None) -> None:
    if value is not None:
        name = str(parameter.name).removeprefix(_OURS)
        context.find_root().ensure_object(dict)[name] = value


def options(hidden: bool) -> list[click.Parameter]:
    """Return an option for each key of the configuration, and --config.

    A value is checked where the configuration is loaded, since files and the environment give values too.
    """
    keys = {name: (key.metadata["form"], key.metadata["doc"]) for name, key in KEYS.items()}
    keys["config"] = (FILE, "TOML file of the configuration.")
    return [
        click.Option(
            ["--" + name.replace("_", "-"), _OURS + name],
            metavar=form,
            type=_PATHS.get(form),
            help=doc,
            hidden=hidden,
            expose_value=False,
            callback=_remember,
        )
        for name, (form, doc) in keys.items()
    ]


# A shell completes such values as paths.
_PATHS = {FILE: click.Path(), DIRECTORY: click.Path()}


_UNSEEN = options(hidden=True)


class Unread(NamedTuple):
    """A command whose module is not imported yet: the module, and its summary in a list.

    The module lies below ``cli``; that of a feature begins with a dot, and lies below ``pbmstar``.
    now  for a former name of a command, which is not listed: what to write in its place
    """

    module: str
    help: str = ""
    now: str = ""

    def load(self, group: click.Group, name: str) -> None:
        """Import the module. The command of a feature is added to the group; others add themselves.

        If it has a command NAME for either group, that of ``admin`` is called ``admin_NAME`` there.
        """
        module = import_module(f".{self.module}", __package__)
        if name not in group.commands:
            command = getattr(module, f"{group.name}_{name}", None) or getattr(module, name)
            _only_if_on(command, self.module.split(".")[2])
            group.add_command(command, name)


class Group(click.Group):
    """A group whose commands all take the configuration's options, which their help does not show.

    unread   commands by name that stand in modules, each imported when one of its commands is used: so a
             list of the commands imports nothing
    renamed  the former names of commands of this group, each with the present one; they are not listed

    A former name works for one release, and says what to write in its place.
    """

    def __init__(
        self,
        *args: Any,
        unread: Mapping[str, Unread] | None = None,
        renamed: Mapping[str, str] | None = None,
        **settings: Any,
    ) -> None:
        super().__init__(*args, **settings)
        self.unread = unread or {}
        self.renamed = renamed or {}

    def add_command(self, cmd: click.Command, name: str | None = None) -> None:
        """Add a command, and add the options to it."""
        if not isinstance(cmd, click.Group):
            cmd.params += _UNSEEN
        super().add_command(cmd, name)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands, without former names."""
        former = {name for name, found in self.unread.items() if found.now}
        return sorted({*super().list_commands(ctx), *self.unread} - former)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command; None if there is none of that name."""
        if cmd_name not in self.commands and (found := self.unread.get(cmd_name)):
            found.load(self, cmd_name)
        return super().get_command(ctx, cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the first word names, and the other words."""
        typed, *others = args
        if typed in self.renamed:
            present = self.renamed[typed]
            path = " ".join(ctx.command_path.split(" ")[1:])
            say_renamed(ctx, f"{path} {typed}", f"{path} {present}")
            args = [present, *others]
        elif typed in self.unread and (now := self.unread[typed].now):
            path = " ".join([*ctx.command_path.split(" ")[1:], typed])
            say_renamed(ctx, path, now)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of the commands, each with its help in a list, or the first sentence of its help."""
        names = self.list_commands(ctx)
        room = formatter.width - 6 - max(map(len, names))
        rows = [(name, self._short_help(name, room)) for name in names]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def load(self) -> None:
        """Import all modules."""
        for name, found in self.unread.items():
            found.load(self, name)

    def _short_help(self, name: str, room: int) -> str:
        found = self.unread.get(name)
        return found.help if found else self.commands[name].get_short_help_str(room)


def say_renamed(ctx: click.Context, former: str, present: str) -> None:
    """Print, on standard error, what to write in place of a former name that somebody has used."""
    if not ctx.resilient_parsing:  # a shell that only completes words
        complain(f"{former} is now {present}. The old name works until 1.1.")


def _only_if_on(command: click.Command, feature: str) -> None:
    """Let a command, and all in a group, be refused while its feature is switched off; help is shown."""
    if isinstance(command, click.Group):
        for each in command.commands.values():
            _only_if_on(each, feature)
        return
    carry_out = command.callback
    assert carry_out is not None

    @wraps(carry_out)
    def carried_out(*given: Any, **values: Any) -> Any:
        off = switched_off(configuration(make=False).without)
        if feature in off:
            refuse(
                f"{feature} is switched off here, by the key without. Nothing was done; the data are kept."
            )
        return carry_out(*given, **values)

    command.callback = carried_out


def of_features(table: str) -> dict[str, Unread]:
    """Return the commands that features list in a table of their ``commands``: OPERATING or COMMANDS.

    FORMER_OPERATING and FORMER_COMMANDS list former names, each with what to write in its place.
    """
    found = {}
    for name, commands in modules("commands"):
        module = f".features.{name}.cli"
        for command, line in getattr(commands, table, {}).items():
            found[command] = Unread(module, line)
        for command, now in getattr(commands, f"FORMER_{table}", {}).items():
            found[command] = Unread(module, now=now)
    return found


def refuse(text: str) -> NoReturn:
    """Print the reason why a command is not carried out, and end the program."""
    complain(text)
    sys.exit(REFUSED)


@contextmanager
def statuses(refused: int = REFUSED) -> Iterator[None]:
    """Turn our errors into a line on standard error and an exit status, without a trace.

    A refusal that begins with the name of a key is about the configuration.
    """
    try:
        yield
    except Refusal as error:
        complain(str(error))
        misconfigured = str(error).partition(":")[0] in KEYS
        sys.exit(USAGE if misconfigured and refused == REFUSED else refused)
    except Damaged as error:
        complain(str(error))
        sys.exit(refused)
    except Passing as error:
        complain(f"try again later: {error}")
        sys.exit(TRY_AGAIN)
    except BrokenPipeError:  # the reader of our output has gone
        raise
    except OSError as error:  # the disk; or too many files are open
        complain(f"try again later: {named(error)}")
        sys.exit(TRY_AGAIN)


def named(error: OSError) -> str:
    """Return the error's text with the name of its file, only for the operator's eyes."""
    return f"{error.filename}: {error.strerror}" if error.filename else str(error.strerror)


def _typed() -> tuple[dict[str, str], Path | None]:
    """Return the keys that the command line gives, and the file that it names."""
    options = dict(click.get_current_context().find_root().ensure_object(dict))
    file = options.pop("config", None)
    return options, Path(file) if file else None


def configured(config: Config) -> Iterator[tuple[str, str, str]]:
    """Yield each key with its value in force, without passwords, and where that value comes from."""
    options, file = _typed()
    known = given(options, os.environ, file)
    for name in KEYS:
        source = known[name].where if name in known else "default"
        if name == "time" and name not in known and "forfeit_days" in known:
            source = "forfeit_days"
        yield name, _written(getattr(config, name)), source


def _written(value: object) -> str:
    """Return a value as a file of the configuration has it; a password in a URL is masked."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, frozenset):
        return " ".join(sorted(value))
    if isinstance(value, float):
        return f"{value:g}"
    return _PASSWORD.sub(r"\1******@", "" if value is None else str(value))


_PASSWORD = re.compile(r"(://[^:@/]*:).*@")


def configuration(wrong: int = USAGE, make: bool = True) -> Config:
    """Return the configuration in force; ``make``: make the spool if there is none.

    Exits with ``wrong`` if the configuration is wrong.
    """
    options, file = _typed()
    try:
        loaded = load(options, os.environ, file)
        if make:
            loaded.spool.mkdir(mode=0o700, parents=True, exist_ok=True)
    except BadInput as error:
        complain(str(error))
        sys.exit(wrong)
    except OSError as error:
        complain(f"the spool cannot be made: {named(error)}")
        sys.exit(TRY_AGAIN)
    return loaded
