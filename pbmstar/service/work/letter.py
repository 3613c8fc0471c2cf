"""Letters as the service makes them, with their header fields; ``letters.post`` has those about boards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Protocol, TypeGuard

from ... import identity
from ...config import Config
from ...grammar.words import ENGLISH
from ...identity import Purpose, in_language
from ...machine.times import Epoch
from ...match import Match, asked
from ...render.letter import Facts
from ...render.recipe import Recipe, packed
from ...store import PLAYERS, Reservation, User
from .work import Work


class Outgoing(NamedTuple):
    """A letter to one reader, ready for the outbox.

    envelope  its envelope sender; empty for an address that brings a bounce back to the account
    reserved  the number that is reserved for it, or None
    lane      the line that it waits in
    is_asked  its reader has asked for it, and no other player gets it
    is_copy   another address of its reader gets it too
    """

    recipe: Recipe
    userid: str
    envelope: str = ""
    reserved: Reservation | None = None
    lane: int = PLAYERS
    is_asked: bool = False
    is_copy: bool = False


class Sendable(Protocol):
    """A letter as the service makes it; ``outgoing`` yields it for each of its readers."""

    def outgoing(self, work: Work) -> Iterator[Outgoing]: ...


@dataclass(frozen=True)
class PlainLetter:
    """A letter to one address that shows no board.

    headers   fields besides the usual ones
    answers   it answers the mail at hand
    envelope  its envelope sender; empty for an address that brings a bounce back to the account
    at        the time at which it is sent and dated; None for now
    lane      the line that it waits in
    shows     a board without a number
    reader    the player on that board whose choices it lists; empty if it lists none
    language  of its reader; empty for the account's, or for the language of the letter that the guest has
              answered
    """

    facts: Facts
    userid: str
    address: str
    headers: Mapping[str, str] = field(default_factory=dict)
    answers: bool = True
    envelope: str = ""
    at: Epoch | None = None
    lane: int = PLAYERS
    shows: Match | None = None
    reader: str = ""
    language: str = ""

    @classmethod
    def to(cls, user: User, facts: Facts, headers: Mapping[str, str] | None = None) -> PlainLetter:
        """Return a letter to an account that answers the mail at hand."""
        return cls(facts, user.userid, user.address, headers or {})

    @classmethod
    def with_buttons(cls, work: Work, user: User, facts: Facts) -> PlainLetter:
        """Return such a letter whose template offers replies; they speak for the account."""
        return cls.to(user, facts, {"Reply-To": account_reply_to(work, user)})

    def showing(self, match: Match, reader: str = "") -> PlainLetter:
        """Return the letter with a board to show."""
        return replace(self, shows=match, reader=reader)

    def outgoing(self, work: Work) -> Iterator[Outgoing]:
        """Yield the recipe for its reader."""
        serial = next(work.results.serials)
        heads = answering(work, self.address, serial, self.answers) | dict(self.headers)
        at = work.now if self.at is None else self.at
        user = work.tx.accounts.user(self.userid) if self.userid else None
        facts = {"address": work.context.config.address, **self.facts.stored()}
        if self._takes_replies(user):
            heads.setdefault("Reply-To", account_reply_to(work, user))
        html = user is None or bool(user.html)
        pictures = work.context.config.pictures and (user is None or bool(user.pictures))
        if user:
            language = user.language
        else:
            language = self.language or work.guest.language or ENGLISH
            if (language != ENGLISH or work.guest.chosen) and "Reply-To" in heads:
                heads["Reply-To"] = in_language(heads["Reply-To"], language)
        recipe = Recipe(
            self.facts.template, heads, at, serial, facts, html=html, pictures=pictures,
            language=language,
        )  # fmt: skip
        if self.shows is not None:
            drawing = user.drawing if user else recipe.drawing
            board = packed(self.shows)
            recipe = replace(recipe, board=board, reader=self.reader, drawing=drawing)
        yield Outgoing(recipe, self.userid, self.envelope, lane=self.lane)

    def _takes_replies(self, user: User | None) -> TypeGuard[User]:
        """Return True if a reply speaks for the account.

        A letter that confirms something has a Reply-To of its own.
        """
        is_its_own = user is not None and user.address == self.address and user.state == "active"
        return is_its_own and self.facts.takes_replies


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
