"""The header fields of letters: their sender, their thread, and the addresses that replies go to."""

from __future__ import annotations

from ... import identity
from ...config import Config
from ...identity import Purpose
from ...match import Match, asked
from ...store import User
from .work import Work


def account_reply_to(work: Work, user: User) -> str:
    """Return the address of replies that speak for an account, in each verb."""
    return signed(work, Purpose.SETTINGS, user.userid, user.address)


def thread(work: Work, board: int, userid: str) -> str:
    """Return the Message-ID of a player's first letter about a board: the root of its thread."""
    mark = identity.thread_mark(work.keys[-1][1], userid, board)
    return f"<pbmstar.board{board}.{mark}@{work.context.config.domain}>"


def scope_of(match: Match, userid: str) -> identity.ReplyScope:
    """Return the turn that a player's letter about a match shows."""
    return identity.ReplyScope(userid, match.number, match.resets, len(match.record))


def asked_mark(work: Work, match: Match, userid: str) -> str:
    """Return the mark of the opponent's request to a player, empty for none; see identity.shown_mark."""
    request = asked(match, userid)
    if request is None:
        return ""
    return identity.shown_mark(work.keys, identity.REQUEST, scope_of(match, userid), request.text)


def reply_to(work: Work, turn: identity.ReplyScope, mark: str = "") -> str:
    """Return the address of replies that speak for this player, board and turn, and a request's mark."""
    return detailed(work, identity.sign(work.keys, "reply", *turn) + mark)


def signed(work: Work, purpose: str, *parts: str | int) -> str:
    """Return the server's address with a detail that is signed for a purpose, see identity.sign."""
    return detailed(work, identity.sign(work.keys, purpose, *parts))


def detailed(work: Work, detail: str) -> str:
    """Return the server's address with a detail: ``star+detail@domain``."""
    config = work.context.config
    return f"{config.local}+{detail}@{config.domain}"


def unsubscribe(work: Work, purpose: Purpose, user: User) -> str:
    """Return the List-Unsubscribe field by which an account stops letters of a kind."""
    return f"<mailto:{signed(work, purpose, user.userid, user.address)}?subject=unsubscribe>"


def answering(
    work: Work, address: str, serial: str, answers: bool, root: str = ""
) -> dict[str, str]:
    """Return the header fields of a letter, which ``answers`` the mail at hand or does not."""
    answered = work.sender.message_id if answers else ""
    return headers(work.context.config, address, serial, answered, root)


def headers(
    config: Config, address: str, serial: str, answered: str = "", root: str = ""
) -> dict[str, str]:
    """Return the header fields that every letter has.

    ``answered``: the Message-ID of the mail that it answers. ``root``: the thread that it belongs to.
    """
    heads = {
        "From": sender("", config.address),
        "To": address,
        "Message-ID": f"<pbmstar.{serial}@{config.domain}>",
        "In-Reply-To": answered or root,
        "References": " ".join(filter(None, (root, answered))),
        "Auto-Submitted": "auto-replied" if answered else "auto-generated",
        "X-Auto-Response-Suppress": "OOF, AutoReply, DR, RN, NRN",
        "X-Pbmstar-Loop": config.domain,
    }
    return {name: value for name, value in heads.items() if value}


def sender(opponent: str, address: str) -> str:
    """Return the From of a letter. It names the opponent: a list of messages then tells games apart."""
    return f"{f'{opponent} at Star' if opponent else 'Star game server'} <{address}>"
