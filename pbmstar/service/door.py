"""The door: one short letter for somebody without an account who asks what this is.

A From line proves nothing, so whoever is named there gets it once a day and three times ever. Who
replies to that letter has shown that they read mail at the address: they are answered as members are,
and need no other mail to open an account.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from .. import games, identity
from ..command import Command, is_greeting
from ..errors import BadInput, Refusal, UsageError
from ..inbound import Inbound
from . import answers, proof
from .addresses import usable_address
from .answers import Refused
from .context import Outcome
from .post import detailed
from .verbs import accounts, asks
from .work import Work

DAY = 86400.0
LETTERS = 3  # to one address, ever
STRANGERS_A_DAY = 200  # letters to all addresses without an account, those of signups among them
GUEST_LETTERS_A_DAY = 20  # to one address, in answer to replies from there
_ASKS = re.compile(
    r"(?:please )?(?:help|info|rules)(?: me)?(?: please)?[\s.!?]*"
    r"|(?:hilfe|aide|ayuda|aiuto|hulp|ajuda|pomocy?|помощь|hjælp|hjelp|hjälp|apua|帮助|ヘルプ)[\s.!?！]*",
    re.I,
)
_EXAMPLE = "D1 E2 E1 F3 C2 B4 D2 F4"  # on a board of size 4


def enter(work: Work, mark: str, mac: str, mail: Inbound) -> Outcome | None:
    """Note that a mail replies to our letter to its writer; what became of it if that was ``never``."""
    if not identity.speaks_for(work.keys, "d", mark, "", mac):
        return None
    if accounts.meant(mail.lines) == "never":
        work.tx.suppress(mark, work.now)
        return Outcome("applied", "suppressed")
    author = work.author
    _, at = work.tx.guest(mark)
    author.is_guest = (
        mark == identity.address_mark(author.address)
        and abs(work.now - at) <= proof.TOKEN_DAYS * DAY
        and not work.tx.users_at(author.address)
    )
    return None


def answer(
    work: Work, mail: Inbound, commands: Sequence[Command | UsageError], refused: list[Refused]
) -> None:
    """Welcome the writer of a mail, if that is nobody we know who asks what this is.

    That is a greeting, a command for help, or one to sign up that failed; of a guest, whatever failed.
    """
    author = work.author
    if author.proved or author.quiet or not author.address or work.tx.users_at(author.address):
        return
    topic, refused = _topic(work, commands, refused)
    if not author.is_guest:
        # What they wrote is not repeated: the letter goes to whomever the mail names.
        refused = [
            replace(each, understood=f"{each.understood.split()[0]} ...")
            for each in refused
            if _is_to_sign_up(each)
        ]
        if author.is_failed or not (topic or refused or _greets(mail)):
            return
    elif not (topic or refused):
        return
    try:
        address = usable_address(work, author.address)
    except Refusal:
        return
    if _may_be_mailed(work, identity.address_mark(address)):
        _welcome(work, address, topic, refused)


def _topic(
    work: Work, commands: Sequence[Command | UsageError], refused: list[Refused]
) -> tuple[str, list[Refused]]:
    """The help page that is asked for, empty for none; and what was refused besides."""
    refused = [each for each in refused if each.code != "no-account" or not _is_to_sign_up(each)]
    for command in commands:
        if isinstance(command, Command) and command.verb.name == "help":
            try:
                return asks.topic_of(work, command), refused
            except BadInput as error:
                refused.append(answers.refusal(command, error))
    return "", refused


def _is_to_sign_up(refused: Refused) -> bool:
    """Whether a command was refused that somebody new may have tried."""
    return bool(re.match(r"(?:\S+ )?help\b|signup\b|confirm\b", refused.understood))


def _greets(mail: Inbound) -> bool:
    lines = (mail.subject, *mail.lines[:1])
    return any(is_greeting(line) or _ASKS.fullmatch(line.strip()) for line in lines)


def _may_be_mailed(work: Work, mark: str) -> bool:
    """Whether an address may be mailed now; counts it."""
    if work.tx.is_suppressed(mark):
        return False
    letters, at = work.tx.guest(mark)
    if work.author.is_guest:
        room = work.tx.count(f"guest {mark}", work.now, DAY) <= GUEST_LETTERS_A_DAY
    else:
        room = (
            letters < LETTERS
            and abs(work.now - at) >= DAY
            and proof.strangers_mailed(work) < STRANGERS_A_DAY
        )
    if work.limited and not room:
        work.reached("door")
        return False
    if not work.author.is_guest:
        work.tx.count_guest(mark, work.now)
    return True


def _welcome(work: Work, address: str, topic: str, refused: list[Refused]) -> None:
    mark = identity.address_mark(address)
    drawing, x, o = _board()
    facts = {
        "refusals": [{"understood": r.understood, "reason": r.reason} for r in refused],
        "topic": topic,
        "drawing": drawing,
        "points": {"x": x, "o": o},
        "bots": bool(work.context.config.bots),
    }
    reply_to = detailed(work, identity.sign_account(work.keys[0][1], "d", mark, ""))
    proof.post_stranger(work, "door", address, facts, {"Reply-To": reply_to})


@cache
def _board() -> tuple[str, int, int]:
    """A board to show how stones count, and what X and O have on it."""
    game = games.GAMES[0]({"size": "4"})
    position = game.start()
    for move in _EXAMPLE.split():
        position = position.play(move)
    x, o = game.score(position.stones).points
    return game.draw(position.stones).rstrip("\n"), x, o
