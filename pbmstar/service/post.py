"""Letters out: from what is to be said, and to whom, to a recipe in the outbox."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from .. import identity
from ..config import Config
from ..match import PRIVATE, Happening, Match, plan_of
from ..match.plans import write
from ..render.recipe import Recipe, board_text
from ..store import User
from . import clocks
from .work import Work


def post(
    work: Work,
    template: str,
    userid: str,
    address: str,
    facts: Mapping[str, Any],
    more: Mapping[str, str] | None = None,
    *,
    answers: bool = True,
    envelope: str = "",
    at: float | None = None,
) -> int:
    """Put a letter that shows no board into the outbox; returns its number.

    ``more``: header fields besides the usual. ``answers``: it answers the mail at hand. ``envelope``:
    its sender, else one that brings a bounce back to the account. ``at``: send it then, and date it
    so; else now.
    """
    serial = work.serial()
    heads = _headers(work, address, serial, answers) | dict(more or {})
    when = work.now if at is None else at
    user = work.tx.user(userid) if userid else None
    html = user is None or bool(user.html)
    recipe = Recipe(template, heads, when, serial, {"address": _own(work), **facts}, html=html)
    return _put(work, recipe, userid, envelope)


def post_board(
    work: Work,
    match: Match,
    happenings: Iterable[Happening] = (),
    *,
    to: Iterable[str] | None = None,
    template: str = "board",
    facts: Mapping[str, Any] | None = None,
    answers: str = "",
    withheld: int = 0,
    first: bool = False,
    past: bool = False,
    unsubscribe: bool = False,
    turn: Match | None = None,
    mark: str = "",
    detail: str = "",
    states: tuple[str, ...] = ("active",),
    least: float = 0.0,
) -> dict[str, int]:
    """Mail a board to its players, or to those of ``to``; returns the letters' numbers by userid.

    answers      the userid of the player whose mail is answered
    withheld     how many lines of that mail were not passed on; that player alone is told
    first        it begins the reader's thread of this board
    past         the board is shown as it was: a reply can only ask and say something
    unsubscribe  the letter names a way to get no more of its kind
    turn         the match as it is, if another is shown: a reply is to that; with a ``mark`` behind
                 the token, see identity.draft_mark
    detail       of the address that a reply goes to, if it is not the turn's
    states       of the accounts that are mailed
    least        the turn does not end before then
    """
    letters: dict[str, int] = {}
    happenings, board = tuple(happenings), board_text(match)
    all_facts = {"address": _own(work), **(facts or {})}
    config = work.context.config
    if match.position.over:
        all_facts["reviews"] = bool(config.bots)
    clock = None if past else clocks.shown(work, match, least)
    # Of a plan, and of what is done about it, only its player is told.
    is_planned = match.plans or any(each.kind in PRIVATE for each in happenings)
    for userid in match.seats if to is None else to:
        user = work.tx.user(userid)
        if user is None or user.state not in states:
            continue
        serial, root = work.serial(), thread(work, match.number, userid)
        reader = userid if match.player(userid) and not past else ""
        heads = _headers(work, user.address, serial, userid == answers, "" if first else root)
        heads["From"] = sender(match.opponent(userid) if match.player(userid) else "", _own(work))
        if first:
            heads["Message-ID"] = root
        if match.player(userid):
            token = detail or identity.sign(work.keys, turn_of(turn or match, userid)) + mark
            heads["Reply-To"] = detailed(work, token)
        if unsubscribe:
            wish = identity.sign_account(work.keys[0][1], "u", userid, user.address)
            heads["List-Unsubscribe"] = f"<mailto:{detailed(work, wish)}?subject=unsubscribe>"
        own = {**all_facts, "withheld": withheld} if withheld and userid == answers else all_facts
        if match.notes and reader:
            own = {**own, "note": _note(match, userid)}
        seen, plan = happenings, ""
        if is_planned:
            seen = tuple(h for h in happenings if h.userid == userid or h.kind not in PRIVATE)
            plan = write(plan_of(match, userid)) if reader else ""
        recipe = Recipe(
            template,
            heads,
            work.now,
            serial,
            own,
            match,
            reader,
            seen,
            plan=plan,
            html=bool(user.html),
            pictures=bool(user.pictures) and config.pictures,
            clock=clock,
            zone=user.zone,
            drawing=user.drawing,
        )
        number = work.reserved.pop((match.number, userid), None)
        letters[userid] = _put(work, recipe, userid, number=number, board=board)
    return letters


def _note(match: Match, userid: str) -> dict[str, Any] | None:
    """A player's last note on a board."""
    noted = next((each for each in match.notes if each.userid == userid), None)
    return {"move": noted.move, "text": noted.text} if noted else None


def post_removed(work: Work, match: Match, happening: Happening, readers: Iterable[str]) -> None:
    """Tell players of a board that is no more what has become of it."""
    facts = {"address": _own(work), "comment": comment(work, happening.userid)}
    for userid in readers:
        user = work.tx.user(userid)
        if user and user.address:
            serial, root = work.serial(), thread(work, match.number, userid)
            answers = userid == happening.userid
            heads = _headers(work, user.address, serial, answers, root)
            heads["From"] = sender(match.opponent(userid), _own(work))
            recipe = Recipe(
                "removed",
                heads,
                work.now,
                serial,
                facts,
                match,
                happenings=(happening,),
                html=bool(user.html),
            )
            _put(work, recipe, userid)


# These letters are for whoever reads at an address: to be warned, or to prove that it is theirs.
_OF_AN_ADDRESS = frozenset(
    ("account", "address", "forgot", "resign_all", "signup", "taken", "welcome")
)


def readdress(work: Work, number: int) -> None:
    """Let a letter that was not sent go to the address that its account has now."""
    letter = work.tx.unsent_letter(number)
    user = work.tx.user(letter.userid) if letter else None
    if letter is None or user is None or user.address in ("", letter.address):
        return
    if not letter.content.startswith(b"{"):  # a whole mail, of an earlier version
        return
    recipe = Recipe.from_bytes(letter.content)
    if recipe.template in _OF_AN_ADDRESS:
        return
    headers = {**recipe.headers, "To": user.address}
    key = work.keys[0][1]
    if "List-Unsubscribe" in headers:
        wish = detailed(work, identity.sign_account(key, "u", user.userid, user.address))
        headers["List-Unsubscribe"] = f"<mailto:{wish}?subject=unsubscribe>"
    sender = detailed(work, identity.sign_account(key, "b", user.userid, user.address))
    content = replace(recipe, headers=headers).to_bytes()
    work.tx.readdress(number, user.address, sender, content)


def tell_account(work: Work, user: User, notice: str) -> None:
    """Mail a player something about the account."""
    if user.state == "active" and user.address:
        facts = {"userid": user.userid, "notice": notice}
        post(work, "account", user.userid, user.address, facts)


def comment(work: Work, userid: str) -> dict[str, Any] | None:
    """What a player writes to the opponent in the mail at hand; None if nothing, or nobody does."""
    author = work.author
    if not userid or not author.comment:
        return None
    words = {"userid": userid, "text": author.comment, "cut": author.cut}
    return words if work.may_be(userid) else {**words, "unproved": True}


def thread(work: Work, board: int, userid: str) -> str:
    """The Message-ID of a player's first letter of a board: the root of its thread."""
    mark = identity.thread_mark(work.keys[-1][1], userid, board)
    return f"<pbmstar.board{board}.{mark}@{work.context.config.domain}>"


def turn_of(match: Match, userid: str) -> identity.Turn:
    """The turn that a player's letter about a match as it is shows."""
    return identity.Turn(userid, match.number, match.resets, len(match.record))


def reply_to(work: Work, turn: identity.Turn) -> str:
    """The address that a reply goes to: it speaks for this player, board and turn."""
    return detailed(work, identity.sign(work.keys, turn))


def detailed(work: Work, detail: str) -> str:
    """The server's address with a detail: ``star+detail@domain``."""
    config = work.context.config
    return f"{config.local}+{detail}@{config.domain}"


def _own(work: Work) -> str:
    return work.context.config.address


def _headers(
    work: Work, address: str, serial: str, answers: bool, root: str = ""
) -> dict[str, str]:
    answered = work.author.message_id if answers else ""
    return headers(work.context.config, address, serial, answered, root)


def headers(
    config: Config, address: str, serial: str, answered: str = "", root: str = ""
) -> dict[str, str]:
    """The header fields that every letter has.

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
    """The From of a letter: the opponent by name, so that games can be told apart in a list."""
    return f"{f'{opponent} at Star' if opponent else 'Star game server'} <{address}>"


def _put(
    work: Work,
    recipe: Recipe,
    userid: str,
    envelope: str = "",
    number: int | None = None,
    board: str = "",
) -> int:
    address, message_id = recipe.headers["To"], recipe.headers["Message-ID"]
    if not envelope:
        envelope = detailed(work, identity.sign_account(work.keys[0][1], "b", userid, address))
    letter = work.tx.add_letter(
        message_id, userid, address, envelope, recipe.to_bytes(board), recipe.at, number
    )
    work.letters.append(letter)
    return letter
