"""The verbs of a running game: moves, requests, endings, words, and how to be rid of words.

Those about time are here, too: to give the opponent more time, to be away, and to be back.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from ...command import Command, found, open_lines
from ...errors import Refusal, say, say_many, together
from ...games.base import game_over
from ...machine.times import DAY
from ...match import DRAW, Act, Change, Happening, Match, asked, dates
from ...match.dates import minute_of
from ...match.happenings import (
    Extended,
    Hinted,
    Muted,
    Proposed,
    Refused,
    Removed,
    TakenForWords,
    Talked,
    Withdrawn,
    has_muted,
)
from ...match.plans import confirmed
from ...ratings.rows import Ratings
from ...render.facts import ReportedComment, ReportFacts
from ...render.recipe import Recipe
from ...store import NewLetter, User
from ..letters.post import BoardLetter, send, tell_account
from ..letters.tell import tell
from ..letters.words import comments, for_others
from ..reminders import leave
from ..work import bots, timekeeping
from ..work.apply import apply, load, store
from ..work.feature import Feature, features
from ..work.letter import asked_mark, headers
from ..work.work import BoardRefusal, Speaker, Work
from . import previews

SAID_A_DAY = 10  # words to the opponent without a move, on one board
REPORTS_A_DAY = 3  # of one player
_COMMENTS = 10  # a report has so many of the board's last comments
MOST_DAYS = 60  # days that a player may give the opponent on one board


def _plain(kind: str, text: str = "") -> Callable[[Work, Command, Speaker], None]:
    """Return a player's verb that does one act and nothing else."""

    def verb(work: Work, _command: Command, speaker: Speaker) -> None:
        _act(work, speaker, Act(speaker.userid, kind, text))

    return verb


pass_ = _plain("move", "pass")
swap = _plain("move", "swap")
resign = _plain("resign")
claim = _plain("claim")
undo = _plain("undo")


def cancel(work: Work, _command: Command, speaker: Speaker) -> None:
    """Ask to end the game without result."""
    bots.require_act(work, speaker, "cancel")
    _act(work, speaker, Act(speaker.userid, "cancel"))


def draw(work: Work, command: Command, speaker: Speaker) -> None:
    """Offer a draw; end the game without result if the opponent cannot be reached."""
    if speaker.match.may_cancel == speaker.userid:
        cancel(work, command, speaker)
    else:
        _act(work, speaker, Act(speaker.userid, "propose", DRAW))


def move(work: Work, command: Command, speaker: Speaker) -> None:
    """Play a move, pass, swap or resign, and perhaps plan the moves after it."""
    words = " ".join(command["move"])
    _act(work, speaker, Act(speaker.userid, "move", words, command["guard"], plan=command["plan"]))


def propose(work: Work, command: Command, speaker: Speaker) -> None:
    """Offer to end the game with a score or as a draw; the opponent may accept until the next move."""
    _act(work, speaker, Act(speaker.userid, "propose", command.args.get("points", "")))


def accept(work: Work, command: Command, speaker: Speaker) -> None:
    """Accept the opponent's request; or, in reply to a preview or an offer of ours, accept that."""
    match, with_plan = speaker.match, "with_plan" in command.args
    if speaker.offer:
        _act(work, speaker, previews.taken_up(work, speaker))
        return
    is_open = not match.request and bool(previews.drafted(work, match, speaker.userid))
    if speaker.draft or with_plan or is_open:
        _act(work, speaker, previews.accepted(work, speaker, with_plan))
    else:
        _require_shown(work, speaker)
        if speaker.seen is None and asked(speaker.match, speaker.userid):
            _require_clear(work, speaker)
        _act(work, speaker, Act(speaker.userid, "accept"))


def _require_shown(work: Work, speaker: Speaker) -> None:
    """Raise BoardRefusal if a reply answers a letter that does not show the open request."""
    match, userid = speaker.match, speaker.userid
    open_one = asked_mark(work, match, userid)
    if speaker.seen is None or speaker.request == open_one:
        return
    if open_one:
        raise BoardRefusal(
            say(
                "{opponent} has asked you something else since that letter. This one has the new "
                "question, so please reply here.",
                opponent=match.opponent(userid),
            ),
            "other-request",
            match,
        )
    raise BoardRefusal(
        say(
            "{opponent}'s request in that letter is no longer open.",
            opponent=match.opponent(userid),
        ),
        "no-request",
        match,
    )


def _require_clear(work: Work, speaker: Speaker) -> None:
    """Raise BoardRefusal if the opponent has asked for several things since the player last refused
    or moved: a command with a password does not say which of them it accepts."""
    match, userid = speaker.match, speaker.userid
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
            say(
                "{opponent} has asked for more than one thing. This letter shows which request "
                "is still open. To agree to it, reply: accept",
                opponent=match.opponent(userid),
            ),
            "other-request",
            match,
        )


def decline(work: Work, command: Command, speaker: Speaker) -> None:
    """Decline the opponent's request; if there is none, refuse a new game, whose board is deleted."""
    _require_shown(work, speaker)
    if not asked(speaker.match, speaker.userid):
        bots.require_act(work, speaker, "decline")
    _act(work, speaker, Act(speaker.userid, "decline", command.args.get("reason") or ""))


def refuse(work: Work, command: Command, speaker: Speaker) -> None:
    """Refuse the opponent's request, with or without more words. A no to an offer of ours does nothing."""
    if speaker.offer and not speaker.match.request:
        return
    _require_shown(work, speaker)
    text, _ = _words(work, command, speaker.userid)
    work.words = work.words._replace(text=text)
    _act(work, speaker, Act(speaker.userid, "refuse"))


def hint(work: Work, _command: Command, speaker: Speaker) -> None:
    """Mail a next move towards the best result, if the game knows one: it is found as the letter is made."""
    if speaker.match.position.over:
        raise BoardRefusal(game_over().told, "game-over", speaker.match)
    number, hinted = speaker.match.number, Hinted(speaker.userid, len(speaker.match.record))
    if all(event.happening != hinted for event in work.tx.boards.events(number)):
        work.tx.boards.add_event(number, work.now, hinted)
    _tell_alone(work, speaker.match, (hinted,), speaker.userid)


def talk(work: Work, command: Command, speaker: Speaker) -> None:
    """Pass words on to the opponent. That is possible at any time, and after the game too."""
    match = speaker.match
    text, withheld = _words(work, command, speaker.userid)
    if not text:
        raise BoardRefusal(
            say(
                "What would you like to say? Write it after the word say, or on the lines below it."
            ),
            "no-words",
            match,
        )
    opponent = work.tx.accounts.user(match.opponent(speaker.userid))
    try:
        bots.require_act(work, speaker, "say")
    except BoardRefusal as refused:
        # A thank-you: there is nothing to correct.
        if match.position.over and "words" not in command.args:
            work.report.refused(refused.code, str(refused))
            return
        raise
    if opponent is None or opponent.state != "active":
        raise BoardRefusal(
            say("Our letters aren't reaching your opponent, so we can't pass on your message."),
            "unreached",
            match,
        )
    if work.tx.accounts.is_blocked(opponent.userid, speaker.userid):
        raise BoardRefusal(
            say("{userid} doesn't accept messages from you.", userid=opponent.userid),
            "blocked",
            match,
        )
    if work.exceeds(SAID_A_DAY, f"say {match.number} {speaker.userid}"):
        raise BoardRefusal(
            say(
                "You can send {userid} at most {most} messages a day on this board. What you "
                "write below a move always gets through.",
                userid=opponent.userid,
                most=SAID_A_DAY,
            ),
            "said-too-often",
            match,
        )
    withheld += work.words.withheld
    work.words = work.words._replace(text=text, withheld=withheld)
    like = found.other_word(text)
    taken = (TakenForWords(speaker.userid, like),) if "taken" in command.args else ()
    tell(work, Change(match, match, (Talked(speaker.userid), *taken)), speaker.userid)


def _words(work: Work, command: Command, userid: str) -> tuple[str, int]:
    """Return the words of a message for the opponent, from the command's line and below it; and the number of
    lines that are withheld."""
    names = [userid, *(user.userid for user in work.accounts())]
    words, withheld = open_lines([command.args.get("words", "")], lambda: names, names)
    return "\n".join(filter(None, (command.masked(words), work.words.text))), withheld


def mute(work: Work, command: Command, speaker: Speaker) -> None:
    """Withhold the opponent's words on a board from its player, or pass them on again."""
    match, userid = speaker.match, speaker.userid
    is_on = command.args.get("on", True)
    if is_on != has_muted(work.tx.boards.events(match.number), userid):
        work.tx.boards.add_event(match.number, work.now, Muted(userid, is_on))
    other = match.opponent(userid)
    notice = (
        say(
            "{userid} is muted on board {number}. You still get moves and requests, and we "
            "won't tell {userid}.",
            userid=other,
            number=match.number,
        )
        if is_on
        else say(
            "{userid} is no longer muted on board {number}.",
            userid=other,
            number=match.number,
        )
    )
    tell_account(work, work.account(userid), say("messages muted"), notice)


def report(work: Work, command: Command, speaker: Speaker) -> None:
    """Mail a player's report about a board, with its last comments, to the operator. Raises BoardRefusal."""
    match, userid = speaker.match, speaker.userid
    user, config = work.account(userid), work.context.config
    if not config.operator:
        raise BoardRefusal(
            say(
                "This server doesn't take reports. Please write to {address} instead.",
                address=f"postmaster@{config.domain}",
            ),
            "no-operator",
            match,
        )
    if work.exceeds(REPORTS_A_DAY, f"reports {userid}"):
        raise BoardRefusal(
            say("You can send at most {most} reports a day.", most=REPORTS_A_DAY),
            "too-many-reports",
            match,
        )
    words, _ = for_others(
        work, "\n".join([command.args.get("words", ""), *command.args.get("below", ())]), userid
    )
    told = comments(work, match.number)[-_COMMENTS:]
    facts = ReportFacts(
        by=userid,
        number=match.number,
        title=match.game.title,
        against=match.opponent(userid),
        words=command.masked(words.strip()),
        comments=[ReportedComment(each.userid, minute_of(each.at), each.text) for each in told],
    )
    serial = next(work.results.serials)
    heads = headers(config, config.operator, serial)
    content = Recipe(facts.template, heads, work.now, serial, facts.stored()).to_bytes()
    letter = NewLetter(heads["Message-ID"], "", config.operator, "", content, work.now)
    work.report.letters.append(work.tx.outbox.add(letter))
    sent = (
        say(
            "We've sent your report about board {number} to the operator of this server, with "
            "the last messages on that board.",
            number=match.number,
        )
        if told
        else say(
            "We've sent your report about board {number} to the operator of this server.",
            number=match.number,
        )
    )
    mute = f"{match.game.word} mute {match.number}"
    how = say("To mute your opponent on that board, reply: {command}", command=mute)
    tell_account(work, user, say("report sent"), together(sent, how))


def plan(work: Work, command: Command, speaker: Speaker) -> None:
    """Keep a plan, drop it, or mail it to its player. Nobody else is told of it."""
    text = command.args.get("plan", "")
    if not text:
        _tell_alone(work, speaker.match, confirmed(speaker.match, speaker.userid), speaker.userid)
        return
    _act(work, speaker, Act(speaker.userid, "plan", text, seen=speaker.seen))


def queue(work: Work, command: Command, speaker: Speaker) -> None:
    """Plan a move as the answer to any move of the opponent."""
    guard = f"#{command['guard']}" if command["guard"] is not None else ""
    text = f"else {' '.join(command['move'])}{guard}"
    if command["plan"]:
        text += f", ({command['plan']})"
    plan(work, command.knowing({"plan": text}), speaker)


def _tell_alone(work: Work, match: Match, happenings: tuple[Happening, ...], userid: str) -> None:
    send(work, BoardLetter.answer(match, userid, happenings=happenings))


def _act(work: Work, speaker: Speaker, wanted: Act) -> None:
    """Do the act that a player wants, and tell both players; a waiting plan is told to its player alone."""
    is_plan = wanted.kind == "plan"
    if is_plan or wanted.plan:
        bots.require_act(work, speaker, "plan")
    change = apply(work, speaker.match, wanted)
    # If the opponent's move and the plan for it crossed, the planned answer has been played at once.
    if is_plan and len(change.after.record) == len(speaker.match.record):
        _tell_alone(work, change.after, change.happenings, speaker.userid)
        return
    replied = bots.reply(work, change)
    tell(work, replied, speaker.userid)


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
    work.tx.of(Ratings).drop(match.number)
    for feature in features(Feature.on_correction):
        feature.on_correction(work, match, is_removed=True)
    work.tx.boards.drop(match.number)
    tell(work, Change(match, match, (Removed(),)))


def extend(work: Work, command: Command, speaker: Speaker) -> None:
    """Give the opponent more time, which cannot be taken back."""
    match, days = speaker.match, command["days"]
    if match.position.over:
        raise BoardRefusal(game_over().told, "game-over", match)
    for feature in features(Feature.check_act, of=match.terms.contest):
        feature.check_act(work, speaker, "extend")
    if match.terms.pace is None:
        raise BoardRefusal(say("This game has no time limit."), "no-limit", match)
    opponent = match.opponent(speaker.userid)
    bots.require(match, "extend")
    if not match.has_begun:
        raise BoardRefusal(
            say("You can't give extra time yet: the clocks start once you've both moved."),
            "not-begun",
            match,
        )
    seconds = sum(
        each.seconds
        for each in timekeeping.extensions(work.tx, match)
        if each.userid == speaker.userid
    )
    left = MOST_DAYS - seconds // DAY
    if days > left:
        raise BoardRefusal(
            together(
                say(
                    "You can give your opponent at most {most} extra days in one game.",
                    most=MOST_DAYS,
                ),
                say_many(
                    "You can still give {count} day.", "You can still give {count} days.", left
                ),
            ),
            "too-much-time",
            match,
        )
    more = days * DAY + timekeeping.overdrawn(work, match, opponent)
    extended = Extended(speaker.userid, days * DAY, more, len(match.record))
    after = timekeeping.given(match, opponent, more)
    change = Change(match, after, (extended,))
    store(work, change)
    if match.to_move == opponent:
        work.tx.boards.set_due(match.number, match.since)
    tell(work, change, speaker.userid)


def away(work: Work, command: Command, user: User) -> None:
    """Book a leave, or mail the leave that is booked."""
    span = command.args.get("span")
    if span is None:
        tell_account(
            work, user, say("leave"), leave.describe(work, user), leave.replies(work, user)
        )
        return
    if isinstance(span, int):
        if span > 366:
            raise Refusal(say("You can't book more than a year of leave."), "too-far")
        leave.book(work, user, work.now, dates.days_later(work.now, span, user.zone))
        return
    first, last = span
    today = datetime.fromtimestamp(work.now, dates.zone_of(user.zone)).date()
    is_today = first == (today.year, today.month, today.day)
    begin = work.now if is_today else leave.midnight(first, user.zone)
    if begin < work.now:
        raise Refusal(say("Your leave can't start in the past."), "past")
    leave.book(work, user, begin, leave.midnight(last, user.zone, after=1))


def back(work: Work, _command: Command, user: User) -> None:
    """End a leave now, or cancel a booked one."""
    leave.end(work, user)


def automatic(work: Work, command: Command, user: User) -> None:
    """Choose if a day of leave is taken whenever a game would otherwise be forfeited."""
    user = user._replace(auto_leave=int(command["auto"]))
    work.tx.accounts.set_wishes(user)
    tell_account(work, user, say("leave"), leave.describe(work, user), leave.replies(work, user))
