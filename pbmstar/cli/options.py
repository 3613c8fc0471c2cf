"""The configuration's options, which all commands take, and the exit statuses of refusals."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import click

from ..config import DIRECTORY, FILE, KEYS, Config, given, load
from ..errors import BadInput, CorruptDatabase, Refusal, TemporaryFailure
from ..machine.log import Show, complain
from ..machine.times import DAY, HOUR, Epoch, Seconds
from ..parts import commands, switched_off

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
            f"{text[:40]!r} isn't a time. Write it like 2026-12-06T13:20Z (UTC)."
        )
    return when.timestamp()


def duration(text: str) -> Seconds:
    """Return a duration such as 12h or 1d in seconds. Raises BadParameter."""
    typed = re.fullmatch(r"([0-9]{1,3})([hd])", text.strip().lower())
    if not typed:
        raise click.BadParameter(f"{text[:40]!r} isn't a duration. Write it like 12h or 1d.")
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
    keys["config"] = (FILE, "The TOML file with the configuration.")
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


def show_keys(command: click.Command) -> None:
    """Let the help of a command list the configuration's options."""
    command.params = [each for each in command.params if each not in _UNSEEN]
    command.params += options(hidden=False)


class Unread(NamedTuple):
    """A command whose module is not imported yet: the module, and its summary in a list.

    The module lies below ``cli``. A feature's module begins with a dot, and lies below ``pbmstar``.
    """

    module: str
    help: str = ""

    def load(self, group: click.Group, name: str) -> None:
        """Import the module. The command of a feature is added to the group; others add themselves."""
        module = import_module(f".{self.module}", __package__)
        if name not in group.commands:
            command: click.Command = module.COMMAND
            _only_if_on(command, self.module.split(".")[2])
            group.add_command(command, name)


class _Example:
    """A part of a command: its example, the words that follow its name; they may be none."""

    example: str

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the example at the end of the help."""
        names = [ctx.info_name]
        while ctx.parent and ctx.parent.parent:
            ctx = ctx.parent
            names.insert(0, ctx.info_name)
        words = " ".join(filter(None, names)) if ctx.parent else ""
        with formatter.section("Example"):
            formatter.write(f"  {example_of(self, words)}\n")


class Command(_Example, click.Command):
    """A command with an example."""

    def __init__(self, *args: Any, example: str = "", **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.example = example


def example_of(command: object, words: str) -> str:
    """Return the example of a command, a line to type; ``words`` are the command's name with its groups."""
    return " ".join(filter(None, ("pbmstar", words, getattr(command, "example", ""))))


class Group(_Example, click.Group):
    """A group whose commands all take the configuration's options, which their help does not show.

    example   see ``Command``
    unread    commands by name that stand in modules, each imported when one of its commands is used: so a
              list of the commands imports nothing
    sections  the parts of the list of commands, by their titles; ``others`` is the title of the last part
    """

    command_class = Command

    def __init__(
        self,
        *args: Any,
        example: str = "",
        unread: Mapping[str, Unread] | None = None,
        sections: Mapping[str, Sequence[str]] | None = None,
        others: str = "Commands",
        **settings: Any,
    ) -> None:
        super().__init__(*args, **settings)
        self.example = example
        self.unread = unread or {}
        self.sections, self.others = sections or {}, others

    def add_command(self, cmd: click.Command, name: str | None = None) -> None:
        """Add a command, and add the options to it, except one that the command has in another meaning."""
        if not isinstance(cmd, click.Group):
            own = {option for each in cmd.params for option in each.opts}
            cmd.params += [each for each in _UNSEEN if own.isdisjoint(each.opts)]
        super().add_command(cmd, name)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return sorted({*super().list_commands(ctx), *self.unread})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command; None if there is none of that name."""
        if cmd_name not in self.commands and (found := self.unread.get(cmd_name)):
            found.load(self, cmd_name)
        return super().get_command(ctx, cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of the commands, each with its help in a list, or the first sentence of its help."""
        names = self.list_commands(ctx)
        room = formatter.width - 6 - max(map(len, names))
        sectioned = {name for listed in self.sections.values() for name in listed}
        rest = [name for name in names if name not in sectioned]
        for title, listed in [*self.sections.items(), (self.others, rest)]:
            with formatter.section(title):
                formatter.write_dl([(name, self._short_help(name, room)) for name in listed])

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands, and below them the options."""
        self.format_commands(ctx, formatter)
        click.Command.format_options(self, ctx, formatter)

    def load(self) -> None:
        """Import all modules."""
        for name, found in self.unread.items():
            found.load(self, name)

    def _short_help(self, name: str, room: int) -> str:
        found = self.unread.get(name)
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
            refuse(f"{feature} is switched off here, by the key without. Its data is kept.")
        return carry_out(*given, **values)

    command.callback = carried_out


def of_features(group: str) -> dict[str, Unread]:
    """Return the commands of features in a group, ``main`` or ``admin``, see ``parts.commands``."""
    return {
        name: Unread(f".features.{feature}.cli", about) for feature, name, about in commands(group)
    }


yes_option = click.option("--yes", "-y", "is_sure", is_flag=True, help="Don't ask first.")


def make_sure(question: str, is_sure: bool) -> None:
    """Ask whether to do what nobody can undo; exit with REFUSED unless the answer is yes.

    Only a person at a terminal is asked, and not one who has said --yes.
    """
    if is_sure or not sys.stdin.isatty():
        return
    if not click.confirm(question, err=True):
        refuse("Nothing was done.")


@contextmanager
def bar(label: str) -> Iterator[Show]:
    """Show on a terminal how far long work is, on standard error; the work calls what this gives."""
    with click.progressbar(
        length=1, label=label, hidden=not sys.stderr.isatty(), file=sys.stderr
    ) as shown:

        def show(done: int, due: int) -> None:
            shown.length = due
            shown.update(done - shown.pos)

        yield show
        shown.update((shown.length or 0) - shown.pos)


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
    except CorruptDatabase as error:
        complain(str(error))
        sys.exit(refused)
    except TemporaryFailure as error:
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
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    if isinstance(value, float):
        return f"{value:g}"
    return _PASSWORD.sub(r"\1******@", "" if value is None else str(value))


_PASSWORD = re.compile(r"(://[^:@/]*:).*@")


def configuration(
    wrong: int = USAGE, make: bool = True, more: Mapping[str, str] | None = None
) -> Config:
    """Return the configuration in force; ``make``: make the spool if there is none.

    ``more``: values that win over all others. Exits with ``wrong`` if the configuration is wrong.
    """
    options, file = _typed()
    try:
        loaded = load(options | dict(more or {}), os.environ, file)
        if make:
            loaded.spool.mkdir(mode=0o700, parents=True, exist_ok=True)
    except BadInput as error:
        complain(str(error))
        sys.exit(wrong)
    except OSError as error:
        complain(f"we can't create the spool: {named(error)}")
        sys.exit(TRY_AGAIN)
    return loaded
