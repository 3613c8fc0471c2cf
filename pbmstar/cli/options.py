"""The configuration's options, which all commands take, and the exit statuses of refusals."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import click

from ..config import KEYS, Config, load
from ..errors import BadInput, Damaged, Passing, Refusal
from ..features import modules
from ..features.feature import switched_off
from ..machine.log import complain

REFUSED, USAGE, TRY_AGAIN = 1, 2, 75
NUMBER = click.IntRange(1, 2**31 - 1)  # of a board, a letter, an outage: tables have no greater one
# This prefixes the names of these options' parameters: a command may have an ADDRESS of its own.
_OURS = "key_"


def _remember(context: click.Context, parameter: click.Parameter, value: str | None) -> None:
    if value is not None:
        name = str(parameter.name).removeprefix(_OURS)
        context.find_root().ensure_object(dict)[name] = value


def options(hidden: bool) -> list[click.Parameter]:
    """Return an option for each key of the configuration, and --config."""
    docs = {name: key.metadata["doc"] for name, key in KEYS.items()}
    docs["config"] = "TOML file of the configuration."
    return [
        click.Option(
            ["--" + name.replace("_", "-"), _OURS + name],
            help=doc,
            hidden=hidden,
            expose_value=False,
            callback=_remember,
        )
        for name, doc in docs.items()
    ]


_UNSEEN = options(hidden=True)


class Unread(NamedTuple):
    """A command whose module is not imported yet: the module, and its help in a list.

    The module lies below ``cli``; that of a feature begins with a dot, and lies below ``pbmstar``.
    """

    module: str
    help: str

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

    unread  commands by name that stand in modules, each imported when one of its commands is used: so a
            list of the commands imports nothing
    """

    def __init__(
        self, *args: Any, unread: Mapping[str, Unread] | None = None, **settings: Any
    ) -> None:
        super().__init__(*args, **settings)
        self._unread = unread or {}

    def add_command(self, cmd: click.Command, name: str | None = None) -> None:
        """Add a command, and add the options to it."""
        if not isinstance(cmd, click.Group):
            cmd.params += _UNSEEN
        super().add_command(cmd, name)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return sorted({*super().list_commands(ctx), *self._unread})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command; None if there is none of that name."""
        if cmd_name not in self.commands and (found := self._unread.get(cmd_name)):
            found.load(self, cmd_name)
        return super().get_command(ctx, cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of the commands, each with its help in a list, or the first sentence of its help."""
        names = self.list_commands(ctx)
        room = formatter.width - 6 - max(map(len, names))
        rows = [(name, self._short_help(name, room)) for name in names]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def load(self) -> None:
        """Import all modules."""
        for name, found in self._unread.items():
            found.load(self, name)

    def _short_help(self, name: str, room: int) -> str:
        found = self._unread.get(name)
        return found.help if found else self.commands[name].get_short_help_str(room)


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
    """Return the commands that features list in a table of their ``commands``: OPERATING or COMMANDS."""
    return {
        command: Unread(f".features.{name}.cli", line)
        for name, commands in modules("commands")
        for command, line in getattr(commands, table, {}).items()
    }


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


def configuration(wrong: int = USAGE, make: bool = True) -> Config:
    """Return the configuration in force; ``make``: make the spool if there is none.

    Exits with ``wrong`` if the configuration is wrong.
    """
    options = dict(click.get_current_context().find_root().ensure_object(dict))
    file = options.pop("config", None)
    try:
        loaded = load(options, os.environ, Path(file) if file else None)
        if make:
            loaded.spool.mkdir(mode=0o700, parents=True, exist_ok=True)
    except BadInput as error:
        complain(str(error))
        sys.exit(wrong)
    except OSError as error:
        complain(f"the spool cannot be made: {named(error)}")
        sys.exit(TRY_AGAIN)
    return loaded
