"""Letters to send: a letter is a value; sending it puts a recipe for each of its readers in the outbox.

A letter to one reader: it is put into the outbox for each of the reader's addresses that get it.

Letters about boards go to the first address of an account, and copies to its others, by their kind. A copy
is the same letter with the same reply address; ``short`` is its short form. An address of the kind ``none``
gets only answers to its own mails, without a reply address. A letter that was asked for goes to the address
that asked. Letters that could give an account away go only to the first address.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ... import identity
from ...errors import Sentence, say
from ...identity import Purpose
from ...match import BOTS, Event, Happening, Match, plan_of, used_up
from ...match.happenings import (
    AsItWas,
    Began,
    Gone,
    Left,
    Moved,
    Passed,
    Private,
    Removed,
    Swapped,
    Warned,
    has_muted,
    seen_by,
)
from ...match.plan_grammar import write
from ...render.facts import (
    AccountFacts,
    BoardFacts,
    OfBoardFacts,
    PlayerNote,
    RemovedFacts,
    ReviewsPart,
    Settings,
    kinds,
)
from ...render.letter import AddedFacts, as_json
from ...render.recipe import Recipe, packed
from ...render.wire import ROOT
from ...store import NewLetter, OtherAddress, User
from ..work import timekeeping
from ..work.feature import Below, Feature, features
from ..work.letter import (
    Outgoing,
    PlainLetter,
    Sendable,
    account_reply_to,
    answering,
    asked_mark,
    detailed,
    reply_to,
    scope_of,
    sender,
    signed,
    thread,
    unsubscribe,
)
from ..work.work import Work
from . import first, stakes, words

AWAITS = "awaits"  # a fact of a recipe: the turn for which the answer is awaited
_TELLING = 3  # so many receipts of a player's moves tell how to get no more
NO_LETTERS, _SHORT = "none", "short"  # kinds of addresses; any other kind gets letters unchanged


def send(work: Work, letter: Sendable) -> dict[str, int]:
    """Put a letter into the outbox for each of its readers; return the numbers by userid.

    For a reader with several addresses, return the number of the first of the letters.
    """
    numbers: dict[str, int] = {}
    for each in letter.outgoing(work):
        numbers.setdefault(each.userid, put(work, each))
        _use_up(work, each)
    return numbers


def _use_up(work: Work, letter: Outgoing) -> None:
    """Note what a letter has told its reader, and no other letter should tell again."""
    facts = letter.recipe.facts
    if facts.get("receipt") and (user := work.tx.accounts.user(letter.userid)):
        work.tx.accounts.set_receipts(user.userid, user.receipts + 1)
    if facts.get("correction"):
        work.tx.accounts.set_correction(letter.userid, "")


@dataclass(frozen=True)
class BoardLetter:
    """A letter that shows a board to its players, or to the userids in ``to``.

    A reply to a letter that shows a board ``AsItWas`` can only ask or tell something.

    answers      the userid of the player whose mail is answered
    withheld     how many lines of that message were not passed on; only that player is told
    heard        the opponent who gets the first words of that player on this board; only that player is told
    detail       the detail of the address that a reply goes to; empty for the detail of the turn
    unsubscribe  what an address does that the letter names, by which its reader gets no more of its kind
    least        the turn does not end before then
    is_public    its readers watch the board: they learn nothing about the clocks
    album        the game is over, and its album stands below the board
    is_asked     it answers a question: its reader has changed nothing
    """

    match: Match
    happenings: Sequence[Happening] = ()
    to: Sequence[str] | None = None
    facts: OfBoardFacts = field(default_factory=BoardFacts)
    answers: str = ""
    withheld: int = 0
    heard: str = ""
    detail: str = ""
    unsubscribe: Purpose | None = None
    least: float = 0.0
    is_public: bool = False
    album: bool = False
    is_asked: bool = False

    @classmethod
    def answer(
        cls,
        match: Match,
        userid: str,
        facts: OfBoardFacts | None = None,
        happenings: Sequence[Happening] = (),
        detail: str = "",
    ) -> BoardLetter:
        """Return the answer to a player's mail, to that player alone."""
        letter = cls(match, happenings, (userid,), facts or BoardFacts(), userid, detail=detail)
        return replace(letter, is_asked=True)

    @classmethod
    def reminder(cls, match: Match, happening: Happening, least: float) -> BoardLetter:
        """Return a reminder to the player who is to move."""
        return cls(
            match, (happening,), (match.to_move,), unsubscribe=Purpose.STOP_REMINDERS, least=least
        )

    def outgoing(self, work: Work) -> Iterator[Outgoing]:
        """Yield the recipes for its readers."""
        match, happenings = self.match, tuple(self.happenings)
        board, past = packed(match), AsItWas in map(type, happenings)
        common = {"address": work.context.config.address, **self.facts.stored()}
        for part in shown(work, match):
            common |= part.stored()
        events = () if past or len(match.seats) == 1 else work.tx.boards.events(match.number)
        clock = None if past or self.is_public else timekeeping.shown(work, match, self.least)
        # Only its player is told about a plan, and about changes of it.
        is_planned = match.plans or any(isinstance(each, Private) for each in happenings)
        # The last warning is also sent to a suspended account: without it nobody forfeits.
        is_last = Warned in map(type, happenings)
        states = ("active", "suspended") if is_last else ("active",)
        for userid in match.seats if self.to is None else self.to:
            user = work.tx.accounts.user(userid)
            if user is None or user.state not in states:
                continue
            serial = next(work.results.serials)
            reader = userid if userid in match.seats and not past else ""
            recipe = Recipe(
                self.facts.template,
                self._headers(work, user, reader, serial),
                work.now,
                serial,
                {**common, **as_json(self._told(work, user, reader, events))},
                board,
                reader,
                seen_by(happenings, userid) if is_planned else happenings,
                plan=write(plan_of(match, userid)) if is_planned and reader else "",
                html=bool(user.html),
                pictures=bool(user.pictures) and work.context.config.pictures,
                clock=clock,
                zone=user.zone,
                language=user.language,
                drawing=user.drawing,
            )
            told = match.clock.announced_by if userid == match.to_move else None
            reserved = work.tx.outbox.reservation(told)
            yield Outgoing(recipe, userid, reserved=reserved, is_asked=self.is_asked)

    def _headers(self, work: Work, user: User, reader: str, serial: str) -> dict[str, str]:
        match, userid = self.match, user.userid
        is_first = Began in map(type, self.happenings)
        root = thread(work, match.number, userid)
        answers = userid == self.answers
        heads = answering(work, user.address, serial, answers, "" if is_first else root)
        plays = userid in match.seats
        heads["From"] = sender(match.opponent(userid) if plays else "", work.context.config.address)
        if is_first:
            heads["Message-ID"] = root
        if plays:
            shows = reader and self.facts.tells_request
            mark = asked_mark(work, match, userid) if shows else ""
            turn = scope_of(match, userid)
            heads["Reply-To"] = (
                detailed(work, self.detail) if self.detail else reply_to(work, turn, mark)
            )
        elif user.state == "active":
            heads["Reply-To"] = account_reply_to(work, user)
        if self.unsubscribe:
            heads["List-Unsubscribe"] = unsubscribe(work, self.unsubscribe, user)
        return heads

    def _told(self, work: Work, user: User, reader: str, events: Sequence[Event]) -> dict[str, Any]:
        """Return the facts that only this reader is told, without empty ones. A muted comment is None."""
        facts, match, userid = self.facts, self.match, user.userid
        told: dict[str, Any] = {}
        hears, is_board = not has_muted(events, userid), isinstance(facts, BoardFacts)
        if facts.comment and facts.comment.userid != userid and not hears:
            told |= {"comment": None, "is_muted": True}
        if is_board and (match.position.over or self._is_new):
            has_left = any(isinstance(each, Left) for each in self.happenings)
            own = stakes.of(work, match, reader, has_left)
            told |= {"titles": own.titles, "next_game": own.next_game, "rating": own.rating}
        if userid == self.answers:
            told |= {
                "withheld": self.withheld,
                "attached": work.words.attached,
                "unsigned": work.words.signature,
                "left_out": work.words.left_out if len(match.seats) > 1 else 0,
                "left_out_below": work.words.below,
                "masked": work.words.masked,
                "heard": self.heard,
                "receipt": user.receipts < _TELLING and user.letters == "each" and self._is_receipt,
            }
        if Began in map(type, self.happenings):
            told["commands"] = bool(user.password)
        if reader:
            told |= {
                "used_up": used_up(match, userid, events),
                "note": _note(match, userid) if match.notes else None,
                "correction": user.correction if is_board else "",
            }
        if self.album:
            told["album"] = words.album(work, match, reader, hears, self.is_asked)
        told["below"] = [line._asdict() for line in self._below(work, user, reader)]
        told["of_account"] = userid not in match.seats
        return {name: value for name, value in told.items() if value or name == "comment"}

    def _below(self, work: Work, user: User, reader: str) -> list[Below]:
        """Return what stands at the end of the letter."""
        below = below_of(work, self, user, reader)
        if Began in map(type, self.happenings):
            below = [*first.below(work, user, reader), *below]
        if self._is_new and self.match.program == BOTS[-1]:
            below.insert(0, Below(say("{bot} may take several minutes for a move.", bot=BOTS[-1])))
        return below

    @property
    def _is_receipt(self) -> bool:
        """Return True if the letter only confirms a move of its author, and the opponent is to move."""
        moved = any(isinstance(each, Moved | Passed | Swapped) for each in self.happenings)
        waits = self.match.to_move not in ("", self.answers) and not self.facts.awaits
        return isinstance(self.facts, BoardFacts) and moved and waits

    @property
    def _is_new(self) -> bool:
        return not self.match.record and Began in map(type, self.happenings)


@dataclass(frozen=True)
class RemovedLetter:
    """A letter that tells the players of a removed board why it is gone."""

    match: Match
    happening: Gone
    to: Sequence[str]

    def outgoing(self, work: Work) -> Iterator[Outgoing]:
        """Yield the recipes for its readers."""
        match, gone = self.match, self.happening
        author = "" if isinstance(gone, Removed) else gone.userid
        told = RemovedFacts(comment=words.comment(work, author))
        facts = {"address": work.context.config.address, **told.stored()}
        for userid in self.to:
            user = work.tx.accounts.user(userid)
            if user and user.address:
                serial, root = next(work.results.serials), thread(work, match.number, userid)
                heads = answering(work, user.address, serial, userid == author, root)
                heads["From"] = sender(match.opponent(userid), work.context.config.address)
                recipe = Recipe(told.template, heads, work.now, serial, facts, packed(match))
                recipe = replace(
                    recipe, reader=userid, happenings=(gone,), html=bool(user.html),
                    language=user.language,
                )  # fmt: skip
                yield Outgoing(recipe, userid)


def shown(work: Work, match: Match) -> tuple[AddedFacts, ...]:
    """Return what features add to each letter that shows a board."""
    asked = features(Feature.board_facts, work.context.config.without)
    parts = [part for each in asked if (part := each.board_facts(work, match))]
    if match.position.over:
        parts.append(ReviewsPart(bool(work.context.config.bots)))
    return tuple(parts)


def below_of(work: Work, letter: BoardLetter, user: User, reader: str) -> list[Below]:
    """Return what features say at the end of a letter about a board; ``reader``: see ``Feature.footer``."""
    asked = features(Feature.footer, work.context.config.without)
    return [line for each in asked for line in each.footer(work, letter, user, reader)]


def _note(match: Match, userid: str) -> PlayerNote | None:
    """Return a player's last note on a board."""
    noted = next((each for each in match.notes if each.userid == userid), None)
    return PlayerNote(noted.move, noted.text) if noted else None


def readdress(work: Work, number: int) -> None:
    """Redirect a letter that was not sent to the first address that its account has now.

    A copy to another address of the account stays as it is.
    """
    letter = work.tx.outbox.letter(number)
    user = work.tx.accounts.user(letter.userid) if letter else None
    if letter is None or user is None or not user.address:
        return
    if letter.address in work.tx.accounts.addresses(user):
        return
    recipe = Recipe.from_bytes(letter.content)
    if kinds()[recipe.template].stays:
        return
    headers = {**recipe.headers, "To": user.address}
    if "+c" in headers.get("Reply-To", ""):
        headers["Reply-To"] = account_reply_to(work, user)
    if "List-Unsubscribe" in headers:
        headers["List-Unsubscribe"] = unsubscribe(work, Purpose.STOP_REMINDERS, user)
    sender = signed(work, Purpose.BOUNCE, user.userid, user.address)
    content = replace(recipe, headers=headers).to_bytes()
    work.tx.outbox.readdress(number, user.address, sender, content)


def tell_account(  # noqa: PLR0913 - as many as the parts of the letter
    work: Work,
    user: User,
    topic: Sentence,
    notice: Sentence,
    replies: tuple[str, ...] = (),
    settings: Settings = (),
    answers: bool = True,
) -> None:
    """Mail a player a notice about the account, and all ``settings`` if they are given.

    ``topic``: the end of the Subject, a few words in lower case, such as ``password changed``.
    ``replies``: lines that a reply may consist of. ``answers``: the player wrote the mail at hand.
    """
    if user.state != "active" or not user.address:
        return
    facts = AccountFacts(user.userid, topic, notice, replies, settings, str(topic))
    send(work, PlainLetter(facts, user.userid, user.address, answers=answers))


def put(work: Work, letter: Outgoing) -> int:
    """Put a letter into the outbox for each address that it goes to; return the number of the first."""
    first, *_ = [_put(work, each) for each in _spread(work, letter)]
    return first


def _put(work: Work, letter: Outgoing) -> int:
    recipe, userid, envelope, reserved, lane = letter[:5]
    address, message_id = recipe.headers["To"], recipe.headers["Message-ID"]
    if not envelope:
        envelope = signed(work, Purpose.BOUNCE, userid, address)
    content = recipe.to_bytes()
    waits = int(letter.is_copy or kinds()[recipe.template].waits)
    new = NewLetter(
        message_id, userid, address, envelope, content, work.now, recipe.at, lane, waits
    )
    number = work.tx.outbox.add(new, reserved)
    work.report.letters.append(number)
    return number


def _spread(work: Work, letter: Outgoing) -> list[Outgoing]:
    """Return the letters for the addresses that it goes to; the one to the first address comes first."""
    user = work.tx.accounts.user(letter.userid) if letter.userid else None
    if user is None or not user.others or letter.recipe.headers["To"] != user.address:
        return [letter]
    asking = work.tx.accounts.other_at(user, work.sender.address)
    kind = kinds()[letter.recipe.template]
    if kind.copied and (letter.reserved or not letter.is_asked):
        mailboxes, to = {identity.mailbox(user.address)}, [letter]
        for other in work.tx.accounts.others(user):
            mailbox = identity.mailbox(other.address)
            if mailbox not in mailboxes and (other.kind != NO_LETTERS or other == asking):
                mailboxes.add(mailbox)
                to.append(_copy(work, letter, other)._replace(is_copy=True))
        return to
    if asking is None or kind.first_only:
        return [letter]
    answer = _copy(work, letter, asking)
    return [letter, answer] if kind.always_first else [answer]


def _copy(work: Work, letter: Outgoing, other: OtherAddress) -> Outgoing:
    """Return the copy of a letter for a further address of the account."""
    headers, serial = {**letter.recipe.headers, "To": other.address}, next(work.results.serials)
    first = headers["Message-ID"]
    headers["Message-ID"] = f"<pbmstar.{serial}@{work.context.config.domain}>"
    if first.startswith(ROOT):  # the thread of the board is the same in each mailbox
        headers["References"] = f"{first} {headers.get('References', '')}".strip()
        headers.setdefault("In-Reply-To", first)
    if other.kind == NO_LETTERS:
        headers.pop("Reply-To", None)
    recipe = replace(letter.recipe, headers=headers, serial=serial)
    if other.kind == _SHORT:
        facts = {**recipe.facts, "drawing": _SHORT}
        recipe = replace(recipe, html=False, drawing=_SHORT, facts=facts)
    return letter._replace(recipe=recipe, reserved=None)
