"""The verbs of a running game: moves, requests, endings, words, and how to be rid of words."""

from __future__ import annotations

from collections.abc import Callable

from ...command import Command, found, open_lines
from ...features.feature import features, player_of, require
from ...match import DRAW, Act, Happening, Match, asked
from ...match.happenings import (
    Hinted,
    Muted,
    Proposed,
    Refused,
    Removed,
    Said,
    TakenForWords,
    Withdrawn,
)
from ...match.planning import confirmed
from ...match.zones import minute_of
from ...render.recipe import Recipe
from ...store import NewLetter
from ..letters.headers import asked_mark, headers
from ..letters.post import BoardLetter, send, tell_account
from ..letters.tell import tell
from ..letters.words import muted
from ..work.apply import Change, apply, load
from ..work.work import BoardRefusal, Seat, Work
from . import previews

SAID_A_DAY = 10  # words to the opponent without a move, on one board
REPORTS_A_DAY = 3  # of one player
_COMMENTS = 10  # a report has so many of the board's last comments
MARKED = "requests marked"  # the fact with the time since when letters mark the requests they show


def _plain(kind: str, text: str = "") -> Callable[[Work, Command, Seat], None]:
    """Return a player's verb that does one act and nothing else."""

    def verb(work: Work, _command: Command, seat: Seat) -> None:
        _act(work, seat, Act(seat.userid, kind, text))

    return verb


pass_ = _plain("move", "pass")
swap = _plain("move", "swap")
resign = _plain("resign")
draw = _plain("propose", DRAW)
claim = _plain("claim")
undo = _plain("undo")


def cancel(work: Work, _command: Command, seat: Seat) -> None:
    """Ask to end the game without result."""
    require(work, seat, "cancel")
    _act(work, seat, Act(seat.userid, "cancel"))


def move(work: Work, command: Command, seat: Seat) -> None:
    """Play a move, pass, swap or resign, and perhaps plan the moves after it."""
    words = " ".join(command["move"])
    _act(work, seat, Act(seat.userid, "move", words, command["guard"], plan=command["plan"]))


def propose(work: Work, command: Command, seat: Seat) -> None:
    """Offer to end the game with a score or as a draw; the opponent may accept until the next move."""
    _act(work, seat, Act(seat.userid, "propose", command.args.get("points", "")))


def accept(work: Work, command: Command, seat: Seat) -> None:
    """Accept the opponent's request; or, in reply to a preview or an offer of ours, accept that."""
    match, with_plan = seat.match, "with_plan" in command.args
    if seat.offer:
        _act(work, seat, previews.taken_up(work, seat))
        return
    is_open = not match.request and bool(previews.drafted(work, match, seat.userid))
    if seat.draft or with_plan or is_open:
        _act(work, seat, previews.accepted(work, seat, with_plan))
    else:
        _require_shown(work, seat)
        if seat.seen is None and asked(seat.match, seat.userid):
            _require_clear(work, seat)
        _act(work, seat, Act(seat.userid, "accept"))


def _require_shown(work: Work, seat: Seat) -> None:
    """Raise BoardRefusal if a reply answers a letter that does not show the open request.

    A letter of an earlier version marks no request. If the open one is from that time, and the only one
    since the player last moved or refused, that letter can mean no other.
    """
    match, userid = seat.match, seat.userid
    open_one = asked_mark(work, match, userid)
    if seat.seen is None or seat.request == open_one:
        return
    if open_one and not seat.request and _is_unmarked(work, seat):
        _require_clear(work, seat)
        return
    if open_one:
        raise BoardRefusal(
            f"The letter that you answer does not show what {match.opponent(userid)} asks now. This "
            "one does: reply to it.",
            "other-request",
            match,
        )
    raise BoardRefusal(
        f"What {match.opponent(userid)} asked in the letter that you answer is not open any more.",
        "no-request",
        match,
    )


def _is_unmarked(work: Work, seat: Seat) -> bool:
    """Return True if a player is asked what was asked before letters marked the requests that they show."""
    request, since = asked(seat.match, seat.userid), work.tx.ledger.fact(MARKED)
    return request is not None and bool(since) and request.at < float(since)


def _require_clear(work: Work, seat: Seat) -> None:
    """Raise BoardRefusal if the opponent has asked for several things since the player last refused
    or moved: a command with a password does not say which of them it accepts."""
    match, userid = seat.match, seat.userid
    moved = max((entry.at for entry in match.record if entry.userid == userid), default=0.0)
    requests = 0
    for event in work.tx.boards.events(match.number):
        match event.happening:
            case Refused(refuser) if refuser == userid:
                requests = 0
            case Proposed(asker) if asker != userid and event.at >= moved:
                requests += 1
    if requests > 1:
        raise BoardRefusal(
            f"{match.opponent(userid)} has asked for more than one thing. This letter shows which is "
            "open: reply accept to it.",
            "other-request",
            match,
        )


def decline(work: Work, command: Command, seat: Seat) -> None:
    """Decline the opponent's request; if there is none, refuse a new game, whose board is deleted."""
    _require_shown(work, seat)
    if not asked(seat.match, seat.userid):
        require(work, seat, "decline")
    _act(work, seat, Act(seat.userid, "decline", command.args.get("reason") or ""))


def refuse(work: Work, command: Command, seat: Seat) -> None:
    """Refuse the opponent's request, with or without more words. A no to an offer of ours does nothing."""
    if seat.offer and not seat.match.request:
        return
    _require_shown(work, seat)
    work.author.comment, _ = _words(work, command, seat.userid)
    _act(work, seat, Act(seat.userid, "refuse"))


def hint(work: Work, _command: Command, seat: Seat) -> None:
    """Mail a next move towards the best result, if the game knows one: it is found as the letter is made."""
    if seat.match.position.over:
        raise BoardRefusal("The game is over.", "game-over", seat.match)
    number, hinted = seat.match.number, Hinted(seat.userid, len(seat.match.record))
    if all(event.happening != hinted for event in work.tx.boards.events(number)):
        work.tx.boards.add_event(number, work.now, hinted)
    _tell_alone(work, seat.match, (hinted,), seat.userid)


def say(work: Work, command: Command, seat: Seat) -> None:
    """Pass words on to the opponent. That is possible at any time, and after the game too."""
    author, match = work.author, seat.match
    text, withheld = _words(work, command, seat.userid)
    if not text:
        raise BoardRefusal(
            "There was no message. Write it after the word say, or on the lines below.",
            "no-words",
            match,
        )
    opponent = work.tx.accounts.user(match.opponent(seat.userid))
    try:
        require(work, seat, "say")
    except BoardRefusal as refused:
        # A thank-you: there is nothing to correct.
        if match.position.over and "words" not in command.args:
            work.report.refused(refused.code, str(refused))
            return
        raise
    if opponent is None or opponent.state != "active":
        raise BoardRefusal("No mail gets through to your opponent now.", "unreached", match)
    if work.tx.accounts.is_blocked(opponent.userid, seat.userid):
        raise BoardRefusal(f"{opponent.userid} takes no words from you.", "blocked", match)
    if work.exceeds(SAID_A_DAY, f"say {match.number} {seat.userid}"):
        raise BoardRefusal(
            f"You have written to {opponent.userid} on this board {SAID_A_DAY} times today, which "
            "is the most. What you write below a move always goes along.",
            "said-too-often",
            match,
        )
    author.comment, author.withheld = text, author.withheld + withheld
    like = found.other_word(text)
    taken = (TakenForWords(seat.userid, like),) if "taken" in command.args else ()
    tell(work, Change(match, match, (Said(seat.userid), *taken)), seat.userid)


def _words(work: Work, command: Command, userid: str) -> tuple[str, int]:
    """Return the words of a mail for the opponent, from the command's line and below it; and the number of
    lines that are withheld."""
    words, withheld = open_lines([command.args.get("words", "")], lambda: [userid])
    return "\n".join(filter(None, (command.masked(words), work.author.comment))), withheld


def mute(work: Work, command: Command, seat: Seat) -> None:
    """Withhold the opponent's words on a board from its player, or pass them on again."""
    match, userid = seat.match, seat.userid
    is_on = command.args.get("on", True)
    if is_on != muted(work.tx.boards.events(match.number), userid):
        work.tx.boards.add_event(match.number, work.now, Muted(userid, is_on))
    other = match.opponent(userid)
    notice = (
        f"What {other} writes on board {match.number} is withheld from you from now on; moves and "
        f"requests still come. {other} is not told."
        if is_on
        else f"What {other} writes on board {match.number} comes to you again."
    )
    tell_account(work, work.account(userid), "words muted", notice)


def report(work: Work, command: Command, seat: Seat) -> None:
    """Mail a player's report about a board, with its last comments, to the operator. Raises BoardRefusal."""
    match, userid = seat.match, seat.userid
    user, config = work.account(userid), work.context.config
    if not config.operator:
        raise BoardRefusal(
            f"Reports go to nobody here; write to postmaster@{config.domain}.", "no-operator", match
        )
    if work.exceeds(REPORTS_A_DAY, f"reports {userid}"):
        raise BoardRefusal(
            f"You can send {REPORTS_A_DAY} reports a day.", "too-many-reports", match
        )
    words = "\n".join([command.args.get("words", ""), *command.args.get("below", ())])
    comments = work.tx.notebook.comments(match.number)[-_COMMENTS:]
    facts = {
        "by": userid,
        "number": match.number,
        "title": match.game.title,
        "against": match.opponent(userid),
        "words": command.masked(words.strip()),
        "comments": [
            {"userid": each.userid, "when": minute_of(each.at), "text": each.text}
            for each in comments
        ],
    }
    serial = work.results.serial()
    heads = headers(config, config.operator, serial)
    content = Recipe("report", heads, work.now, serial, facts).to_bytes()
    letter = NewLetter(heads["Message-ID"], "", config.operator, "", content, work.now)
    work.report.letters.append(work.tx.outbox.add(letter))
    along = ", with the last words that were written there" if comments else ""
    tell_account(
        work,
        user,
        "report sent",
        f"Your report about board {match.number} has gone to the operator of this server{along}. To get "
        f"no more words on that board, reply: {match.game.word} mute {match.number}",
    )


def plan(work: Work, command: Command, seat: Seat) -> None:
    """Keep a plan, drop it, or mail it to its player. Nobody else is told of it."""
    text = command.args.get("plan", "")
    if not text:
        _tell_alone(work, seat.match, confirmed(seat.match, seat.userid), seat.userid)
        return
    _act(work, seat, Act(seat.userid, "plan", text, seen=seat.seen))


def queue(work: Work, command: Command, seat: Seat) -> None:
    """Plan a move as the answer to any move of the opponent."""
    guard = f"#{command['guard']}" if command["guard"] is not None else ""
    text = f"else {' '.join(command['move'])}{guard}"
    if command["plan"]:
        text += f", ({command['plan']})"
    plan(work, command.knowing({"plan": text}), seat)


def _tell_alone(work: Work, match: Match, happenings: tuple[Happening, ...], userid: str) -> None:
    send(work, BoardLetter.answer(match, userid, happenings=happenings))


def _act(work: Work, seat: Seat, wanted: Act) -> None:
    """Do the act that a player wants, and tell both players; a waiting plan is told to its player alone."""
    is_plan = wanted.kind == "plan"
    if is_plan or wanted.plan:
        require(work, seat, "plan")
    change = apply(work, seat.match, wanted)
    # If the opponent's move and the plan for it crossed, the planned answer has been played at once.
    if is_plan and len(change.after.record) == len(seat.match.record):
        _tell_alone(work, change.after, change.happenings, seat.userid)
        return
    replied = player_of(change.after.program).replied(work, change)
    tell(work, replied, seat.userid)


def give_up(work: Work, number: int, userid: str, kind: str) -> Match:
    """End a running game for a player who gives all games up, and tell the opponent; return the match.

    A game in which the player has not moved is not lost but removed, unless it belongs to a contest.

    kind  ``resign``, or ``leave`` if the player leaves the server
    """
    match = load(work, number)
    if match.has_moved(userid) or match.terms.contest:
        change = apply(work, match, Act(userid, kind))
    else:
        work.tx.boards.drop(number)
        change = Change(match, match, (Withdrawn(userid, left=kind == "leave"),))
    tell(work, change, userid, to=[each for each in match.seats if each != userid])
    return change.after


def remove(work: Work, match: Match) -> None:
    """Delete a board for the operator, and tell its players; it no longer counts."""
    for feature in features():
        feature.corrected(work, match, is_removed=True)
    work.tx.boards.drop(match.number)
    tell(work, Change(match, match, (Removed(),)))
