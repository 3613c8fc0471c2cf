"""The commands of ``pbmstar admin`` for the server as a whole, from its figures to its man page."""

from __future__ import annotations

import http.client
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from importlib.metadata import version
from pathlib import Path

import click

from ...config import Config
from ...delivery.courier import lock_of
from ...features.feature import switched_off
from ...games.spelling import plural
from ...intake import quarantine
from ...machine.locks import hold
from ...match.terms import DAY, HOUR
from ...render.board.transcript import when
from ...service.admin import interruptions, operator, people, stats
from ...service.admin.metrics import Metrics, census, gauges
from ...service.work.work import Work
from ...smtp.exporter import target_of
from ...store import Store
from ..listings import Rows, as_json_option, lists, print_facts
from ..main import admin
from ..options import REFUSED, Group, configuration, refuse, statuses
from ..shared import mydestination, store, work

_AN_HOUR = 600  # letters
_STALE = 180.0  # seconds after which a file of figures is of no daemon that runs
_RIGHT = 2.0  # seconds by which clocks may differ
_SIGNED = 30.0  # seconds for which a node of which no sign comes is still listed
UNITS = ("pbmstar.service", "pbmstar-remind.service", "pbmstar-remind.timer")
_MEMORY, _A_BOT = 512, 320  # MiB: of the daemon with its letters; of each process that thinks
_FOLDER = Path(__file__).parent / "units"


@admin.command()
@as_json_option
def status(as_json: bool) -> None:
    """Print the server's state in counts. The exit status is 1 if letters wait for over an hour."""
    with work(writes=False) as at:
        quarantined = len(quarantine.entries(at.context.config.spool))
        facts = {**operator.status(at), "quarantined": quarantined}
        off = switched_off(at.context.config.without)
    lines = [f"{name.replace('_', ' ')}: {count}" for name, count in facts.items()]
    lines += [f"switched off: {', '.join(off)}"] if off else []
    facts["switched_off"] = off
    print_facts(facts, lines, as_json)
    sys.exit(REFUSED if facts["oldest_letter_seconds"] > HOUR else 0)


@admin.command()
@click.option("--domains", is_flag=True, help="By the domain of the accounts' addresses.")
@click.option(
    "--strangers", is_flag=True, help="Domains of mails without effect from people without account."
)
@click.option("--ratings", is_flag=True, help="The highest ratings, and who lost the games.")
@click.option("--days", type=click.FloatRange(0.01, 30), default=1.0, show_default=True)
@click.option("--count", type=click.IntRange(1, 10_000), default=20, show_default=True)
@lists("Nobody is in this list.")
def top(at: Work, domains: bool, strangers: bool, ratings: bool, days: float, count: int) -> Rows:
    """List who has caused most work: mails that came, letters, processor seconds of bots.

    The seconds and the mails of strangers are known for two days at most. With --ratings, list the highest
    ratings among people instead. of_domain counts the wins over accounts that share a mail domain,
    of_origin those over accounts whose mails come from one place.
    """
    if ratings:
        found = (feature.best(at, count) for feature in at.context.features)
        return [row for rows in found for row in rows]
    ask = stats.top_domains if domains else stats.top
    ask = stats.top_strangers if strangers else ask
    return ask(at, count, at.now - days * DAY)


@admin.group(cls=Group)
def alerts() -> None:
    """Letters to the operator about what needs a hand."""


@alerts.command("mute")
@click.argument("time")
def alerts_mute(time: str) -> None:
    """Send no alerts for TIME, such as 1d or 12h; 0h ends that. The log still has them."""
    with work() as at:
        until = interruptions.mute(at, time)
    click.echo(f"no alerts until {when(until)}" if until > at.now else "alerts are sent")


@admin.group(cls=Group)
def node() -> None:
    """Nodes: daemons that share a database."""


def clock_ahead(seconds: float) -> int:
    """Return the error of a node's clock, in seconds, from those by which its last sign is ahead of now."""
    return int(seconds) if seconds > _RIGHT or seconds < -_SIGNED else 0


@node.command("list")
@lists("No nodes are known: only daemons on PostgreSQL are listed.")
def node_list(at: Work) -> Rows:
    """List the daemons on this PostgreSQL that run or have not taken leave, with their last sign of life.

    clock_ahead_seconds is the error of a clock, by the database's. A sign of life is some seconds old, so a
    clock that is less than half a minute behind is not seen.
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
    """Print figures for Prometheus.

    They are a running daemon's if the key metrics is set, else the store's, without latencies and
    counters.
    """
    config = configuration()
    with statuses():
        text = of_the_daemon(config.metrics, time.time())
    if not text:
        with work(writes=False) as at:
            figures = dict(gauges(at.tx, quarantine.count(config.spool), at.now))
            for feature in at.context.features:
                figures |= feature.gauges(config, at.tx, at.now)
            text = Metrics().text({**figures, **census(at.tx, at.now)})
    click.echo(text, nl=False)


def of_the_daemon(key: str, now: float) -> str:
    """Return a daemon's figures; empty if the key is empty or no daemon answers.

    Raises BadInput for a bad key."""
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
    "--void", is_flag=True, help="Forget older keys: replies to mails sent before do nothing."
)
def rotate_key(void: bool) -> None:
    """Sign reply addresses with a new key from now on."""
    with work() as at:
        number = operator.rotate_keys(at, void)
    click.echo(f"key {number} signs from now on, within a minute in a running daemon")


@admin.command()
@click.argument("file", type=click.Path(path_type=Path))
def backup(file: Path) -> None:
    """Write a consistent copy of the database to FILE while the server runs."""
    config = configuration()
    with statuses(), store(config) as opened:
        opened.backup(file)
    click.echo(f"{file} written")


@admin.command()
@lists("Nothing was done by hand yet.")
def audit(at: Work) -> Rows:
    """List the operator's acts."""
    return [
        {"id": number, "at": when(time), "actor": actor, "act": act}
        for number, time, actor, act in at.tx.ledger.acts()
    ]


@admin.command()
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--per-hour", type=click.IntRange(1, 100_000), default=_AN_HOUR, show_default=True)
def announce(file: Path, per_hour: int) -> None:
    """Mail FILE to every player who wants announcements; its first line is the Subject.

    Each letter carries List-Unsubscribe, which stops announcements to its reader.
    """
    with statuses():
        try:
            subject, _, text = file.read_text("utf-8").partition("\n")
        except ValueError:
            refuse(f"{file} is not a text in UTF-8.")
    subject, text = subject.removeprefix("Subject:").strip(), text.strip("\n")
    if not subject or not text or not subject.isprintable():
        refuse(f"{file}: the first line is the Subject; the others are the text.")
    with work() as at:
        count = people.announce(at, subject, text, per_hour)
    click.echo(
        f"{plural(count, 'letter')}, the last one in {max(count - 1, 0) / per_hour:.1f} hours"
    )


@admin.command("move-database")
@click.argument("url")
def move_database(url: str) -> None:
    """Copy everything to an empty database and compare every row.

    URL has the form of the key database; - reads it from standard input, where no other user sees
    its password. The old database stays as it is. After an interruption run the command again.
    """
    config = configuration()
    target_url = sys.stdin.readline().strip() if url == "-" else url
    with statuses(), hold(lock_of(config.spool)) as is_free:
        if not is_free:
            refuse("A daemon runs on this spool: stop it first.")
        with store(config) as source, closing(Store(target_url)) as target:
            rows = source.move_to(target)
    click.echo(
        f"{plural(rows, 'row')} copied and compared: set the key database to the new URL and start"
    )


@admin.command()
@click.argument("name", type=click.Choice(UNITS), default=UNITS[0])
@click.option(
    "--into",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Write all of them into this directory.",
)
def unit(name: str, into: Path | None) -> None:
    """Print a systemd unit for this installation: the daemon's, or NAME of the reminders.

    As root: pbmstar admin unit --into /etc/systemd/system; systemctl daemon-reload;
    systemctl enable --now pbmstar.service pbmstar-remind.timer
    """
    config = configuration(make=False)
    if into is None:
        click.echo(_unit(name, config), nl=False)
        return
    with statuses():
        for each in UNITS:
            (into / each).write_text(_unit(each, config))
            (into / each).chmod(0o644)
            click.echo(into / each)


@admin.command()
def postfix() -> None:
    """Print the commands that make Postfix hand us our mail (Postfix 3.7.10 or newer).

    They replace what stands in main.cf: postconf -n shows it. As root: pbmstar admin postfix | sh
    """
    config = configuration(make=False)
    lines = "\n".join(f"postconf -e '{name} = {value}'" for name, value in _main_cf(config))
    click.echo(f"{lines}\npostfix reload")


@admin.command()
def man() -> None:
    """Print the manual page; save it as /usr/local/share/man/man1/pbmstar.1."""
    root = click.get_current_context().find_root().command
    assert isinstance(root, click.Group)
    click.echo(_man_page(root, version("pbmstar")), nl=False)


def _main_cf(config: Config) -> Iterator[tuple[str, str]]:
    """Yield the lines of Postfix's main.cf for our domain."""
    local, domain = config.local, config.domain
    place = config.lmtp.removeprefix("unix:/var/spool/postfix/")  # it may not see what is outside
    where = f"unix:{place}" if config.lmtp.startswith("unix:") else f"inet:{place}"
    ours = ", ".join(f"{name}@{domain}=x" for name in (local, "postmaster", "abuse"))
    if config.authserv_id:
        yield "myhostname", config.authserv_id
        ours_too = config.authserv_id == domain  # then the machine's own mail is ours
        yield "mydestination", "localhost" if ours_too else "$myhostname, localhost"
    elif domain in (others := mydestination()):  # Postfix would keep our mail
        others = [name for name in others if name != domain]
        yield "mydestination", ", ".join(others) or "localhost"
    yield "relay_domains", domain
    yield "transport_maps", f"inline:{{ {domain}=lmtp:{where} }}"
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


def _unit(name: str, config: Config) -> str:
    """Return the text of one of UNITS for this program and configuration."""
    values = {
        "program": str(Path(sys.prefix) / "bin" / "pbmstar"),
        "places": " ".join(str(place) for place in _places(config)),
        "memory": _MEMORY + _A_BOT * config.bots,
        "hardening": (_FOLDER / "hardening").read_text(),
    }
    return (_FOLDER / name).read_text().format(**values).replace("\n\n\n", "\n\n")


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
