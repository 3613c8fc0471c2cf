"""The configuration's options, which all commands take, and the exit statuses of refusals."""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import click

from ..config import KEYS, Config, load
from ..errors import BadInput, Damaged, Passing, Refusal
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


class Group(click.Group):
    """A group whose commands all take the configuration's options, which their help does not show.

    Its commands may stand in modules, each imported when one of its commands is used. Their names and
    help are read from the modules' text: so a list of the commands imports nothing.
    """

    def __init__(self, *args: Any, modules: Sequence[str] = (), **settings: Any) -> None:
        super().__init__(*args, **settings)
        self._modules = modules

    def add_command(self, cmd: click.Command, name: str | None = None) -> None:
        """Add a command, and add the options to it."""
        if not isinstance(cmd, click.Group):
            cmd.params += _UNSEEN
        super().add_command(cmd, name)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return sorted({*super().list_commands(ctx), *self._unread()})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command; None if there is none of that name."""
        if cmd_name not in self.commands and (found := self._unread().get(cmd_name)):
            import_module(f".{found.module}", __package__)
        return super().get_command(ctx, cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of the commands, each with the first sentence of its help."""
        known = {name: click.Command(name, help=it.help) for name, it in self._unread().items()}
        known |= self.commands
        room = formatter.width - 6 - max(map(len, known))
        rows = [(name, known[name].get_short_help_str(room)) for name in sorted(known)]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def load(self) -> None:
        """Import all modules."""
        for name in self._modules:
            import_module(f".{name}", __package__)

    def _unread(self) -> dict[str, Unread]:
        """Return the commands of modules, perhaps not yet imported, by name."""
        return {
            name: Unread(module, text)
            for module in self._modules
            if f"{__package__}.{module}" not in sys.modules
            for name, text in _commands_in(module, str(self.name))
        }


class Unread(NamedTuple):
    """A command whose module is not imported yet."""

    module: str
    help: str


def _commands_in(module: str, group: str) -> Iterator[tuple[str, str]]:
    """Yield the name and the help of each function of a module that ``@group.command()`` decorates."""
    text = Path(__file__).parent.joinpath(*module.split(".")).with_suffix(".py").read_text()
    for node in ast.parse(text).body:
        for each in getattr(node, "decorator_list", ()):
            if isinstance(node, ast.FunctionDef) and ast.unparse(each).startswith(
                (f"{group}.command(", f"{group}.group(")
            ):
                constants = [
                    str(word.value) for word in each.args if isinstance(word, ast.Constant)
                ]
                name = constants[0] if constants else node.name.replace("_", "-")
                yield name, ast.get_docstring(node) or ""


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
