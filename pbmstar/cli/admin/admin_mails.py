"""The commands of ``pbmstar admin`` about messages, letters and invitations: quarantine, outbox, explain."""

from __future__ import annotations

import re
import sys
import time

import click

from ...config import Config
from ...errors import BadInput
from ...games.spelling import plural
from ...machine import log
from ...machine.times import when
from ...service.work.work import Work
from ..listings import (
    Rows,
    about_letter,
    as_json_option,
    lists,
    print_facts,
    print_json,
    print_rows,
    sentences,
    times,
)
from ..main import admin
from ..options import NUMBER, REFUSED, Group, configuration, make_sure, refuse, statuses, yes_option
from ..shared import actor, context, send, store, work

_HEADS = ("From", "To", "Reply-To", "Subject", "Message-ID")
_TOKEN = re.compile(r"\b[a-z2-7]{32}\b")  # a one-time token
_DETAIL = re.compile(r"\+[a-z0-9_-]{20,64}@")  # of a reply address

# -- quarantine


@admin.group("quarantine", cls=Group, example="list")
def _quarantine() -> None:
    "Mail we couldn't handle because of a fault."


@_quarantine.command("list", example="--json")
@as_json_option
def quarantine_list(as_json: bool) -> None:
    """List the messages in the quarantine.

    Each node has its own quarantine.
    """
    from ...intake import quarantine

    config = configuration()
    rows = [{**entry.line(), "node": config.node} for entry in quarantine.entries(config.spool)]
    print_rows(rows, as_json, "No messages are in the quarantine.")


@_quarantine.command("show", example="4f2a91c07be3")
@click.argument("ident")
@as_json_option
def quarantine_show(ident: str, as_json: bool) -> None:
    """Print one message and the fault.

    Possible passwords are masked.
    """
    from ...intake import quarantine
    from ...intake.masked import shown

    spool = configuration().spool
    with statuses():
        text = shown(spool, ident)
    if as_json:
        entry = quarantine.read(spool, ident)
        print_json({**(entry.line() if entry else {}), "text": text})
    else:
        click.echo(text, nl=False)


@_quarantine.command("retry", example="--all")
@click.argument("ident", required=False)
@click.option("--all", "every", is_flag=True, help="Retry all of them, in the order they arrived.")
def quarantine_retry(ident: str | None, every: bool) -> None:
    """Handle messages as if they'd just arrived.

    A message leaves the quarantine if we can handle it this time.
    """
    from ...intake import quarantine
    from ...intake.pipe import retry

    if every == bool(ident):
        raise click.UsageError("Name a message, or use --all.")
    config = configuration()
    log.setup()
    stay = 0
    with statuses(), store(config) as opened:
        for each in [ident] if ident else [entry.id for entry in quarantine.entries(config.spool)]:
            try:
                click.echo(retry(config, context(config), opened, each))
            except BadInput as error:
                if not every:
                    raise
                stay += 1
                click.echo(str(error))
            with opened.transaction() as tx:
                tx.ledger.add_act(time.time(), actor(), f"quarantine retry {each}")
        send(config, opened)
    sys.exit(REFUSED if stay else 0)


@_quarantine.command("drop", example="4f2a91c07be3")
@click.argument("ident")
@yes_option
def quarantine_drop(ident: str, is_sure: bool) -> None:
    """Delete a message."""
    from ...intake import quarantine

    make_sure(f"Delete message {ident} for good?", is_sure)
    with work() as at:
        quarantine.drop(at.context.config.spool, ident)
        at.tx.ledger.add_act(at.now, at.operator, f"quarantine drop {ident}")
    click.echo(f"Message {ident} dropped.")


# -- outgoing mail


_NONE_WAIT = "No letters are waiting."


@admin.group(cls=Group, example="list")
def outbox() -> None:
    "Letters that are waiting, or were refused."


@outbox.command("list", example="--by-domain")
@click.option(
    "--by-domain", is_flag=True, help="Count them by domain, with the relay's last answer."
)
@as_json_option
def outbox_list(by_domain: bool, as_json: bool) -> None:
    """List waiting or refused letters."""
    from ...service.admin import lookup

    if by_domain:
        with work(writes=False) as at:
            rows = lookup.by_domain(at.tx, at.now)
        print_rows(rows, as_json, _NONE_WAIT)
        return
    with work(writes=False) as at:
        waiting = at.tx.outbox.unsent()
    rows = [
        {
            "letter": each.id,
            "state": each.state,
            "userid": each.userid,
            "message_id": each.message_id,
            "tries": each.tries,
            "due": when(max(each.due, each.made)) if as_json or each.state == "new" else None,
            "made": when(each.made),
            "trouble": each.trouble,
        }
        for each in waiting
    ]
    print_rows(rows, as_json, _NONE_WAIT)


@outbox.command("retry")
@click.argument("numbers", type=NUMBER, nargs=-1)
def outbox_retry(numbers: tuple[int, ...]) -> None:
    """Try letters again now: all, or only some.

    They go to their readers' current addresses.
    """
    from ...service.admin import operator

    with work() as at:
        count = operator.retry_letters(at, numbers)
    click.echo(f"{plural(count, 'letter').capitalize()} due now.")


@outbox.command("show", example="120")
@click.argument("number", type=NUMBER)
@as_json_option
def outbox_show(number: int, as_json: bool) -> None:
    """Print one letter.

    We mask the tokens in it, because they can act for its reader.
    """
    from ...service.admin.lookup import letter_facts

    with work(writes=False) as at:
        facts = letter_facts(at.tx, number)
        content = at.tx.outbox.content(number)
    if facts["state"] == "forgotten":
        refuse(f"There's no letter {number}, or we've forgotten it.")
    config = configuration()
    text = _as_mailed(config, content) if content else ""
    lines = [about_letter(facts), *(("", text) if text else ())]
    print_facts({**times(facts), "text": text}, lines, as_json)


def _as_mailed(config: Config, content: bytes) -> str:
    """Return the text of a letter as mailed, with the tokens that act for its reader masked."""
    import email
    import email.policy

    from ...render.letters import Renderer
    from ...render.recipe import Recipe

    if content.startswith(b"{"):
        content = Renderer.of(config).write(Recipe.from_bytes(content))
    part = email.message_from_bytes(content, policy=email.policy.default)
    body = part.get_body(("plain",))
    text = body.get_content() if body else "[no plain text]"
    heads = [f"{name}: {part[name]}" for name in _HEADS if part[name]]
    whole = "\n".join([*heads, "", text.rstrip("\n")])
    return _DETAIL.sub("+TOKEN@", _TOKEN.sub("TOKEN", whole))


@outbox.command("drop", example="120 121")
@click.argument("numbers", metavar="LETTER...", type=NUMBER, nargs=-1, required=True)
@yes_option
def outbox_drop(numbers: tuple[int, ...], is_sure: bool) -> None:
    """Never send these letters.

    We drop all of them, or none, and delete their texts.
    """
    from ...service.admin import operator

    make_sure(f"Delete {plural(len(numbers), 'letter')} for good?", is_sure)
    with work() as at:
        operator.drop_letters(at, numbers)
    click.echo(f"{plural(len(numbers), 'letter').capitalize()} dropped.")


@admin.command(example="letter 120")
@click.argument(
    "words", metavar="ID|MESSAGE-ID|BOARD|USERID|letter NUMBER", nargs=-1, required=True
)
@as_json_option
def explain(words: tuple[str, ...], as_json: bool) -> None:
    """Trace a message, a letter, a board, a player.

    ID is the id of a message, which you find in our log, and in the mail server's log after `250 2.0.0
    Accepted`. It can also be the id of a letter in the mail server's queue, as in `queued as 4XyZ1m2Nz`.
    MESSAGE-ID is the Message-ID of a message or a letter.
    """
    from ...service.admin import lookup

    with work(writes=False) as at:
        facts = lookup.explain(at, " ".join(words))
    print_facts(times(facts), sentences(facts), as_json)


@admin.group(cls=Group, example="list")
def suppress() -> None:
    """Addresses that get no letters.

    An account that has such an address still gets its letters. Only a hash of each address is kept.
    """


@suppress.command("add", example="alice@home.example")
@click.argument("address")
def suppress_add(address: str) -> None:
    """Stop sending letters to an address."""
    from ...service.admin import people

    with work() as at:
        people.suppress(at, address)
    click.echo("Address suppressed.")


@suppress.command("remove", example="alice@home.example")
@click.argument("address")
def suppress_remove(address: str) -> None:
    """Send letters to an address again."""
    from ...service.admin import people

    with work() as at:
        people.suppress(at, address, lift=True)
    click.echo("Address no longer suppressed.")


@suppress.command("list", example="alice@home.example")
@click.argument("address", required=False, default="")
@as_json_option
def suppress_list(address: str, as_json: bool) -> None:
    """List hashes of addresses that get no letters.

    With ADDRESS, you see whether that address is suppressed.
    """
    from ...service.admin import lookup

    with work(writes=False) as at:
        rows = [times(row, "until") for row in lookup.suppressed(at, address)]
    empty = "That address isn't suppressed." if address else "No addresses are suppressed."
    print_rows(rows, as_json, empty)


@admin.command(example="me@home.example")
@click.argument("address", required=False)
@as_json_option
def probe(address: str | None, as_json: bool) -> None:
    """Send a test letter, or list what came back.

    The letter has everything a letter can have. Reply to it, and the list shows when your reply arrived, and
    whether our mail server vouches for it. You also see it if the letter bounces.
    """
    from ...service.admin import probes

    if address:
        with work() as at:
            number = probes.probe(at, address)
        click.echo(f"Letter {number} written. To see what comes back: pbmstar admin probe")
        return
    with work(writes=False) as at:
        rows = [times(row) for row in probes.probes(at)]
    print_rows(rows, as_json, "You haven't sent a probe yet. See: pbmstar admin probe ADDRESS")


@admin.group(cls=Group, example="list")
def invitation() -> None:
    """Invitations and postcards: list, stop, allow.

    Postcards count as invitations. No command tells to whom: only hashes of these addresses are stored.
    """


@invitation.command("list")
@lists("Nobody has invited anyone in the last 7 days, and nobody is stopped.")
def invitation_list(at: Work) -> Rows:
    """List who has invited people this week.

    invited counts the invitations and postcards of the last 7 days. You also see who is stopped.
    """
    from ...service.admin import lookup

    return lookup.inviters(at)


@invitation.command("stop", example="alice")
@click.argument("userid")
def invitation_stop(userid: str) -> None:
    """Stop a player's invitations and postcards.

    What was already sent stays valid, and the player can still do everything else.
    """
    from ...service.admin import people

    with work() as at:
        people.stop_invitations(at, userid.lower())
    click.echo(f"{userid.lower()} can't send invitations and postcards any more.")


@invitation.command("allow", example="alice")
@click.argument("userid")
def invitation_allow(userid: str) -> None:
    """Let a player invite strangers again.

    You only need this after `invitation stop`.
    """
    from ...service.admin import people

    with work() as at:
        people.allow_invitations(at, userid.lower())
    click.echo(f"{userid.lower()} can send invitations and postcards again.")
