"""The commands of ``pbmstar admin`` for the server as a whole, from its figures to its man page."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from shlex import quote

import click

from ...config import Config
from ...delivery.dispatch import lock_of
from ...errors import BadInput
from ...games.spelling import plural
from ...machine.files import hold
from ...machine.times import DAY, HOUR, Epoch, Seconds, when
from ...machine.version import VERSION
from ...parts import switched_off
from ...service.work.work import Work
from ...store import Store
from ..listings import Rows, as_json_option, lists, print_facts, status_lines, times
from ..main import admin
from ..options import (
    REFUSED,
    Group,
    bar,
    configuration,
    duration,
    example_of,
    make_sure,
    refuse,
    statuses,
    yes_option,
)
from ..shared import mydestination, postconf, store, work

_AN_HOUR = 600  # letters
_STALE = 180.0  # seconds after which a file of figures is of no daemon that runs
_RIGHT = 2.0  # seconds by which clocks may differ
_SIGNED = 30.0  # seconds for which a node of which no sign comes is still listed
UNITS = ("pbmstar.service", "pbmstar-remind.service", "pbmstar-remind.timer")
_MEMORY, _A_BOT = 512, 320  # MiB: of the daemon with its letters; of each process that thinks
_FOLDER = Path(__file__).parent / "units"


@admin.command(example="--tables")
@click.option(
    "--tables", is_flag=True, help="Also print the sizes of the tables. This reads all of them."
)
@as_json_option
def status(tables: bool, as_json: bool) -> None:
    """Print the server's state.

    You see the version, when the daemon started, some counts, the size of the database, and the age of the
    last good backup. The exit status is 1 if letters have been waiting for over an hour.
    """
    from ...intake import quarantine
    from ...service.admin import lookup

    with work(writes=False) as at:
        spool = at.context.config.spool
        count, size = quarantine.size_of(spool)
        facts = {**lookup.status(at), "quarantined": count, "quarantine_bytes": size}
        facts["switched_off"] = switched_off(at.context.config.without)
        if tables:
            facts["tables"] = [each._asdict() for each in at.tx.ledger.sizes()]
    with hold(lock_of(spool)) as is_free:
        facts["serving"] = not is_free
    facts = times(facts, "started")
    print_facts(facts, status_lines(facts), as_json)
    sys.exit(REFUSED if facts["oldest_letter_seconds"] > HOUR else 0)


@admin.command(example="--days 7 --count 10")
@click.option("--domains", is_flag=True, help="Count by the domain of the accounts' addresses.")
@click.option("--strangers", is_flag=True, help="Domains of strangers whose messages did nothing.")
@click.option("--ratings", is_flag=True, help="The highest ratings, and who lost those games.")
@click.option("--days", type=click.FloatRange(0.01, 30), default=1.0, show_default=True)
@click.option("--count", type=click.IntRange(1, 10_000), default=20, show_default=True)
@lists("Nobody is on this list.")
def top(at: Work, domains: bool, strangers: bool, ratings: bool, days: float, count: int) -> Rows:
    """List who has caused the most work.

    Work means messages received, letters sent, and processor seconds used by bots. We remember the seconds,
    and the messages of strangers, for only two days. With --ratings, you get the highest ratings among people
    instead: of_domain counts their wins over accounts that share a mail domain, and of_origin their wins over
    accounts whose messages come from one place.
    """
    if ratings:
        from ...service.admin.ratings import best

        return best(at, count)
    from ...service.admin import stats

    ask = stats.top_domains if domains else stats.top
    ask = stats.top_strangers if strangers else ask
    return ask(at, count, at.now - days * DAY)


@admin.group(cls=Group, example="test")
def alerts() -> None:
    "Letters to the operator about problems."


@alerts.command("mute", example="12h")
@click.argument("time", type=duration)
def alerts_mute(time: float) -> None:
    """Stop sending alerts for a while.

    TIME is a duration, like 12h or 1d. The log still shows the alerts, and you get them afterward.
    """
    from ...service.admin import operator

    with work() as at:
        until = operator.mute(at, time)
    click.echo(f"Alerts muted until {when(until)}." if time else "Alerts are sent again.")


@alerts.command("unmute")
def alerts_unmute() -> None:
    """Send alerts again."""
    from ...service.admin import operator

    with work() as at:
        operator.mute(at, 0.0)
    click.echo("Alerts are sent again.")


@alerts.command("test")
def alerts_test() -> None:
    """Send yourself a test alert.

    Like every alert, it goes to the address in the key operator.
    """
    from ...service.letters import alerts as letters

    with work() as at:
        config = at.context.config
        letters.test(at.tx, config, at.now)
        at.note("alerts test")
    click.echo(f"Test alert written to {config.operator}.")


@admin.group(cls=Group, example="list")
def node() -> None:
    """Daemons that share a database."""


def clock_ahead(seconds: Seconds) -> int:
    """Return the error of a node's clock, in seconds, from those by which its last sign is ahead."""
    return int(seconds) if seconds > _RIGHT or seconds < -_SIGNED else 0


@node.command("list")
@lists("No nodes are known: only daemons on PostgreSQL are listed.")
def node_list(at: Work) -> Rows:
    """List daemons that are running, or crashed.

    You only see daemons on PostgreSQL, each with its last heartbeat. clock_ahead_seconds is how far its clock
    is ahead of the database's. A heartbeat is a few seconds old, so you don't notice a clock that's behind by
    less than half a minute.
    """
    ahead = at.tx.ledger.ahead
    return [
        {
            "node": each.name,
            "version": each.version,
            "began": when(each.began),
            "silent_seconds": max(0, int(at.now - each.at)),
            "clock_ahead_seconds": clock_ahead(ahead(each.at)),
        }
        for each in at.tx.ledger.nodes()
    ]


@admin.command()
def metrics() -> None:
    """Print metrics for Prometheus.

    If the key metrics is set, they come from the running daemon. Otherwise they come from the store, without
    latencies and counters.
    """
    from ...intake import quarantine
    from ...service.admin.metrics import Metrics, census, gauges

    config = configuration()
    with statuses():
        text = of_the_daemon(config.metrics, time.time())
    if not text:
        with work(writes=False) as at:
            figures = dict(gauges(at.tx, quarantine.size_of(config.spool), at.now))
            text = Metrics().text({**figures, **census(config, at.tx, at.now)})
    click.echo(text, nl=False)


def of_the_daemon(key: str, now: Epoch) -> str:
    """Return a daemon's figures; empty if the key is empty or no daemon answers.

    Raises BadInput for a bad key."""
    import http.client

    from ...smtp.exporter import target_of

    where = target_of(key)
    try:
        if isinstance(where, Path):
            return where.read_text() if now - where.stat().st_mtime < _STALE else ""
        if where is not None:
            with closing(http.client.HTTPConnection(*where, timeout=5)) as line:
                line.request("GET", "/metrics")
                answer = line.getresponse()
                return answer.read().decode() if answer.status == 200 else ""
    except (OSError, http.client.HTTPException):
        pass
    return ""


@admin.command("rotate-key")
@click.option(
    "--void",
    is_flag=True,
    help="Forget older keys, so that replies to earlier letters stop working.",
)
@yes_option
def rotate_key(void: bool, is_sure: bool) -> None:
    """Sign reply addresses with a new key."""
    from ...service.admin import operator

    if void:
        make_sure("Should replies to all earlier letters stop working?", is_sure)
    with work() as at:
        number = operator.rotate_keys(at, void)
    click.echo(f"Key {number} added. A running daemon signs with it within a minute.")


@admin.command(example="backup.db")
@click.argument("file", type=click.Path(path_type=Path))
def backup(file: Path) -> None:
    """Write a copy of the database to FILE.

    The server can keep running. The copy is consistent, and we read it back to make sure it's complete. It's
    an SQLite database, so you can start a server from it. To restore one player or board: pbmstar admin
    restore
    """
    from ...service.admin import operator

    config = configuration()
    with statuses(), store(config, make=False) as opened:
        opened.backup(file)
    with work() as at:
        operator.note_backup(at)
    click.echo(f"Backup {file} written.")


@admin.command(example="--by alice")
@click.option("--by", default="", metavar="NAME", help="Only what this user of the machine did.")
@lists("Nothing has been done by hand yet.")
def audit(at: Work, by: str) -> Rows:
    """List what was done by hand, and by whom.

    The actor is the user of this machine who called sudo or logged in, even if the command ran as the
    daemon's user. We only store a hash of an address; accounts names the accounts that have that address now.
    """
    from ...service.admin import lookup

    return [times(row) for row in lookup.acts(at, by)]


@admin.command(example="news.txt --per-hour 200")
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--per-hour", type=click.IntRange(1, 100_000), default=_AN_HOUR, show_default=True)
@yes_option
def announce(file: Path, per_hour: int, is_sure: bool) -> None:
    """Send a file to the players who want news.

    The first line of FILE is the Subject, and the rest is the text. Each letter has a List-Unsubscribe
    header, so its reader can turn announcements off.
    """
    from ...service.admin import people

    with statuses():
        try:
            subject, _, text = file.read_text("utf-8").partition("\n")
        except ValueError:
            refuse(f"{file} isn't UTF-8 text.")
    subject, text = subject.removeprefix("Subject:").strip(), text.strip("\n")
    if not subject or not text or not subject.isprintable():
        refuse(f"{file}: the first line has to be the Subject, and the others the text.")
    make_sure(f"Send {subject!r} to all players who want news?", is_sure)
    with work() as at:
        count = people.announce(at, subject, text, per_hour)
    hours = max(count - 1, 0) / per_hour
    click.echo(
        f"{plural(count, 'letter').capitalize()} written. The last one goes out in {hours:.1f} hours."
    )


@admin.command("move-database", example="postgresql+psycopg:///pbmstar")
@click.argument("url")
def move_database(url: str) -> None:
    """Copy everything to an empty database.

    We compare every row. Write URL as in the key database, or - to read it from standard input, where no
    other user can see its password. The old database stays as it is. If you interrupt the command, run it
    again.
    """
    config = configuration()
    target_url = sys.stdin.readline().strip() if url == "-" else url
    with statuses(), hold(lock_of(config.spool)) as is_free:
        if not is_free:
            refuse("A daemon is running on this spool. Stop it first.")
        with store(config) as source, closing(Store(target_url)) as target, bar("rows") as show:
            rows = source.move_to(target, show)
    click.echo(
        f"{plural(rows, 'row').capitalize()} copied and compared. "
        "Set the key database to the new URL, and start the daemon."
    )


@admin.command(example="--into /etc/systemd/system")
@click.argument("name", type=click.Choice(UNITS), default=UNITS[0])
@click.option(
    "--into",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write all the units into this directory.",
)
@click.option("--user", is_flag=True, help="For systemctl --user: a server that runs as this user.")
def unit(name: str, into: Path | None, user: bool) -> None:
    """Print a systemd unit.

    It's made for this installation. You get the daemon's unit, or with NAME one of the two for reminders. As
    root: pbmstar admin unit --into /etc/systemd/system; systemctl daemon-reload; systemctl enable --now
    pbmstar.service pbmstar-remind.timer
    """
    config = configuration(make=False)
    if into is None:
        click.echo(_unit(name, config, user), nl=False)
        return
    with statuses():
        into.mkdir(parents=True, exist_ok=True)
        for each in UNITS:
            (into / each).write_text(_unit(each, config, user))
            (into / each).chmod(0o644)
            click.echo(f"Unit {into / each} written.")


@admin.command()
def postfix() -> None:
    """Print the Postfix settings for pbmstar.

    These are commands for Postfix 3.7.10 or newer. They replace settings in main.cf; to see those, run
    postconf -n. As root: pbmstar admin postfix | sh
    """
    config = configuration(make=False)
    with statuses():
        transport, is_outside = _transport(config)
    for name, value in _main_cf(config, transport):
        click.echo(f"postconf -e {quote(f'{name} = {value}')}")
    if is_outside:  # an absolute path is one below the queue for a client that is shut in there
        click.echo("postconf -F lmtp/unix/chroot=n")
    click.echo("postfix reload")


@admin.command(example="> pbmstar.1")
def man() -> None:
    """Print the manual page.

    Save it as /usr/local/share/man/man1/pbmstar.1.
    """
    root = click.get_current_context().find_root().command
    assert isinstance(root, click.Group)
    click.echo(_man_page(root, VERSION), nl=False)


def _transport(config: Config) -> tuple[str, bool]:
    """Return how Postfix reaches us, and True if that is a socket outside its queue. Raises BadInput."""
    from ...smtp import sockets

    here = sockets.endpoints(config)
    if not here:
        raise BadInput(
            "lmtp: Postfix needs a place to hand us mail, like unix:/PATH or 127.0.0.1:2400."
        )
    at = here[-1]  # by LMTP, if there is both
    if at.path is None:
        host = f"[{at.host or '127.0.0.1'}]"
        return (f"lmtp:inet:{host}:{at.port}" if at.lmtp else f"smtp:{host}:{at.port}"), False
    queue = Path(postconf("queue_directory") or "/var/spool/postfix")
    if at.path.is_relative_to(queue):
        return f"lmtp:unix:{at.path.relative_to(queue)}", False
    return f"lmtp:unix:{at.path}", True


def _main_cf(config: Config, transport: str) -> Iterator[tuple[str, str]]:
    """Yield the lines of Postfix's main.cf for our domain."""
    local, domain = config.local, config.domain
    ours = ", ".join(f"{name}@{domain}=x" for name in (local, "postmaster", "abuse"))
    if config.authserv_id:
        yield "myhostname", config.authserv_id
        ours_too = config.authserv_id == domain  # then the machine's own mail is ours
        yield "mydestination", "localhost" if ours_too else "$myhostname, localhost"
    elif domain in (others := mydestination()):  # Postfix would keep our mail
        others = [name for name in others if name != domain]
        yield "mydestination", ", ".join(others) or "localhost"
    yield "relay_domains", domain
    yield "transport_maps", f"inline:{{ {domain}={transport} }}"
    yield "relay_recipient_maps", f"inline:{{ {ours} }}"
    yield from _MAIN_CF


# What does not depend on the domain.
_MAIN_CF = (
    ("recipient_delimiter", "+"),
    ("message_size_limit", "1048576"),
    ("lmtp_send_xforward_command", "yes"),
    ("smtpd_forbid_bare_newline", "normalize"),
    ("smtpd_forbid_bare_newline_exclusions", ""),
    ("smtpd_data_restrictions", "reject_unauth_pipelining"),
    ("header_checks", "regexp:{ { /^Authentication-Results[[:space:]]*:/ IGNORE } }"),
)


# Lines of a unit that only the system's manager may have.
_OF_SYSTEM = re.compile(r"^(?:User=.*|ReadWritePaths=.*|After=.*|\{hardening\})\n?", re.M)


def _unit(name: str, config: Config, user: bool) -> str:
    """Return the text of one of UNITS for this program and configuration; ``user``: for a user's own."""
    values = {
        "program": str(Path(sys.prefix) / "bin" / "pbmstar"),
        "places": " ".join(str(place) for place in _places(config)),
        "memory": _MEMORY + _A_BOT * config.bots,
        "hardening": (_FOLDER / "hardening").read_text(),
    }
    text = (_FOLDER / name).read_text()
    if user:
        text = _OF_SYSTEM.sub("", text).replace("multi-user.target", "default.target")
        text = text.replace("ExecStart=", f"WorkingDirectory={Path.cwd()}\nExecStart=")
    return text.format(**values).replace("\n\n\n", "\n\n")


def _places(config: Config) -> Iterator[Path]:
    """Yield the folders that the daemon writes to; for a missing spool the folder to make it in."""
    yield config.spool if config.spool.is_dir() else config.spool.parent
    if config.lmtp.startswith("unix:/"):
        yield Path(config.lmtp.removeprefix("unix:")).parent
    if config.relay.startswith("maildir:"):
        folder = Path(config.relay.removeprefix("maildir:"))
        if not folder.is_relative_to(config.spool):
            yield folder
    if "/" in config.metrics:
        yield Path(config.metrics).parent


def _man_page(program: click.Group, version: str) -> str:
    """Return the manual page, pbmstar(1), of all commands and their options."""
    context = click.Context(program, info_name="pbmstar")
    lines = [
        f'.TH PBMSTAR 1 "" "pbmstar {version}"',
        ".SH NAME",
        "pbmstar \\- games by mail",
        ".SH SYNOPSIS",
        ".B pbmstar",
        "[OPTIONS] COMMAND [ARGS]...",
        ".SH DESCRIPTION",
        *_paragraphs(program.help or ""),
        ".SH OPTIONS",
        *_options(program, context),
        ".SH COMMANDS",
    ]
    for words, command in _commands(program, ()):
        inner = click.Context(command, info_name=" ".join(("pbmstar", *words)))
        pieces = " ".join(command.collect_usage_pieces(inner)).removeprefix("[OPTIONS]").strip()
        lines += [".SS " + _safe(" ".join((*words, pieces)).strip())]
        lines += _paragraphs(command.help or "")
        lines += _options(command, inner)
        lines += _paragraphs(f"Example: {example_of(command, ' '.join(words))}")
    lines += [".SH EXIT STATUS", *_paragraphs(_STATUSES), ".SH FILES", *_paragraphs(_FILES)]
    return "\n".join(lines) + "\n"


_STATUSES = "0 done, 1 refused, 2 wrong usage or configuration, 75 try again later."
_FILES = "./pbmstar.toml, /etc/pbmstar.toml: the configuration, the first that is there."


def _commands(
    group: click.Group, words: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    if isinstance(group, Group):
        group.load()
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from _commands(command, (*words, name))
        else:
            yield (*words, name), command


def _options(command: click.Command, context: click.Context) -> list[str]:
    lines: list[str] = []
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None and "--help" not in record[0]:
            lines += [".TP", f".B {_safe(record[0])}", _safe(record[1])]
    return lines


def _paragraphs(text: str) -> list[str]:
    parts = [" ".join(part.split()) for part in text.split("\n\n")]
    return [line for part in parts for line in (".PP", _safe(part))]


def _safe(text: str) -> str:
    """Escape a text for roff."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text.startswith((".", "'")) else text
