"""The verbs against an opponent's words: one mutes them on a board, the other reports them."""

from __future__ import annotations

from ...command import MASK, Command
from ...match.terms import DAY
from ...match.zones import minute_of
from ...render.recipe import Recipe
from ...store import NewLetter
from ..letters.post import headers, tell_account
from ..letters.words import MUTE, muted
from ..work.work import BoardRefusal, Seat, Work

REPORTS_A_DAY = 3  # of one player
_COMMENTS = 10  # a report has so many of the board's last comments


def mute(work: Work, command: Command, seat: Seat) -> None:
    """Withhold the opponent's words on a board from its player, or pass them on again."""
    match, userid = seat.match, seat.userid
    is_on = command.args.get("on", True)
    user = work.tx.accounts.user(userid)
    assert user is not None
    if is_on != muted(work.tx.boards.events(match.number), userid):
        work.tx.boards.add_event(match.number, work.now, userid, MUTE, "on" if is_on else "off")
    other = match.opponent(userid)
    notice = (
        f"What {other} writes on board {match.number} is withheld from you from now on; moves and "
        f"requests still come. {other} is not told."
        if is_on
        else f"What {other} writes on board {match.number} comes to you again."
    )
    tell_account(work, user, notice)


def report(work: Work, command: Command, seat: Seat) -> None:
    """Mail a player's report about a board, with its last comments, to the operator. Raises BoardRefusal."""
    match, userid = seat.match, seat.userid
    user, config = work.tx.accounts.user(userid), work.context.config
    assert user is not None
    if not config.operator:
        raise BoardRefusal(
            f"Reports go to nobody here; write to postmaster@{config.domain}.", "no-operator", match
        )
    reports = work.tx.ledger.count(f"reports {userid}", work.now, DAY)
    if work.limited and reports > REPORTS_A_DAY:
        raise BoardRefusal(
            f"You can send {REPORTS_A_DAY} reports a day.", "too-many-reports", match
        )
    words = "\n".join([command.args.get("words", ""), *command.args.get("below", ())]).strip()
    if password := command.args.get("password"):
        words = words.replace(password.value, MASK)
    comments = work.tx.notebook.comments(match.number)[-_COMMENTS:]
    facts = {
        "by": userid,
        "number": match.number,
        "title": match.game.title,
        "against": match.opponent(userid),
        "words": words,
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
    tell_account(
        work,
        user,
        f"Your report about board {match.number} has gone to the operator of this server, with the last "
        f"words that were written there. To get no more words on that board: mute {match.number}",
    )
