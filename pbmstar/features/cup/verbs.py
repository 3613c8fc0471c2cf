"""The verbs of cups: to enter one, to withdraw before it begins, and to see its table."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from ... import games
from ...command import Command
from ...errors import Refusal, Said, say, say_many, together
from ...games.base import Game
from ...games.hexagon.star import Star
from ...match import terms
from ...match.terms import DAY
from ...render.board.dates import moment
from ...service.letters.post import PlainLetter, send, tell_account
from ...service.proof.rations import ask_for
from ...service.work.work import Work
from ...store import User
from ..contests.enrolment import count_change, require_alone
from ..contests.rows import BEGUN, OPEN, OVER, Contest, Contests, Entrant
from ..league.facts import LeagueGame, LeagueLine
from ..league.rules import OUT
from ..league.verbs import name_of, tables
from .facts import CupFacts
from .rules import CUP, DAYS, FULL, LEAST, TERMS, board_of

_BEGINS = say(
    "It begins as soon as {full} players have entered, or a week after the first of them if at least {least} "
    "have.",
    full=FULL,
    least=LEAST,
)


def enter(work: Work, command: Command, user: User) -> None:
    """Enter the next cup of a game. Raises Refusal."""
    kind = _kind(command)
    for contest, _ in work.tx.of(Contests).of_player(user.userid):
        if contest.kind == CUP and contest.game == kind.word and contest.state in (OPEN, BEGUN):
            until = moment(contest.until or 0.0, user.zone)
            has_begun = contest.state == BEGUN
            when = say("It ends on {until} at the latest.", until=until) if has_begun else _BEGINS
            entered = say("You are already in {cup}.", cup=name_of(contest))
            raise Refusal(together(entered, when), "in-cup")
    count_change(work, user)
    contest = next_cup(work, kind)
    require_alone(work, contest, user, say("Another account at your address is in this cup."))
    work.tx.of(Contests).set_entry(Entrant(contest.id, user.userid, work.now))
    tell_entry(work, contest, user)


def tell_entry(work: Work, contest: Contest, user: User, why: Said | None = None) -> None:
    """Tell a player who has entered a cup; ``why``: sentences before that."""
    count = len(work.tx.of(Contests).entries(contest.id))
    entered = (
        say("You are in {cup}, as one of {number}.", cup=name_of(contest), number=count)
        if count > 1
        else say("You are in {cup}, as the first.", cup=name_of(contest))
    )
    how = say(
        "You then play one game with each other player, all at the same time, and {days} days later the "
        "cup ends.",
        days=DAYS,
    )
    limit = (
        None
        if user.most is None
        else say_many(
            "You take at most {count} running game (limit): you are not in a cup that would bring more.",
            "You take at most {count} running games (limit): you are not in a cup that would bring more.",
            user.most,
        )
    )
    tell_account(
        work,
        user,
        say("cup"),
        together(why, entered, _BEGINS, how, limit),
        (f"cup leave {contest.game}",),
    )


def next_cup(work: Work, kind: type[Game]) -> Contest:
    """Return the cup of a game that players can enter; it is made if there is none."""
    newest = work.tx.of(Contests).newest(CUP, kind.word)
    if not newest:  # no row is locked yet, as one of the ledger is from here on
        work.tx.ledger.count(f"{CUP} {kind.word}", work.now, DAY)
    if (
        not newest or newest[0].state != OPEN
    ):  # another node may have made one before it let go the lock
        newest = work.tx.of(Contests).newest(CUP, kind.word)
    if newest and newest[0].state == OPEN:
        return newest[0]
    contest = Contest(
        id=0,
        kind=CUP,
        game=kind.word,
        options=games.dump(board_of(kind)),
        terms=terms.dump(TERMS),
        days=DAYS,
        season=newest[0].season + 1 if newest else 1,
        state=OPEN,
        stage="",
        made=work.now,
    )
    return contest._replace(id=work.tx.of(Contests).add(contest))


def _kind(command: Command) -> type[Game]:
    """Return the game for two that a command names, Star if it names none. Raises Refusal."""
    kind = games.find(command.args.get("game", "")) or Star
    if len(kind.seats) == 1:
        raise Refusal(
            say("{game} is for one player, and a cup needs a game for two.", game=kind.title),
            "no-cup",
        )
    return kind


def leave(work: Work, command: Command, user: User) -> None:
    """Withdraw from a cup that has not begun, or from all such cups. Raises Refusal."""
    kind = _kind(command) if command.args.get("game") else None
    own = [
        contest
        for contest, _ in work.tx.of(Contests).of_player(user.userid)
        if contest.kind == CUP and (kind is None or contest.game == kind.word)
    ]
    entered = [each for each in own if each.state == OPEN]
    if not entered:
        running = [name_of(each) for each in own if each.state == BEGUN]
        if running:
            raise Refusal(
                say(
                    "{cup} has begun, so you cannot withdraw from it. You can resign a game.",
                    cup=running[0],
                ),
                "cup-runs",
            )
        raise Refusal(
            say("You are not in a cup of {game}.", game=kind.title)
            if kind
            else say("You are not in a cup."),
            "not-in-cup",
        )
    count_change(work, user)
    for each in entered:
        work.tx.of(Contests).drop_entry(each.id, user.userid)
    left = say("You are no longer in {cups}.", cups=tuple(map(name_of, entered)))
    replies = tuple(f"cup {each.game}" for each in entered)
    tell_account(work, user, say("cup"), left, replies)


def sign_off(work: Work, userid: str) -> None:
    """Let a player go who closes the account: out of a cup that has not begun, and without further boards
    in one that has. The games there are resigned like all others."""
    for contest, _ in work.tx.of(Contests).of_player(userid):
        if contest.kind == CUP and contest.state == OPEN:
            work.tx.of(Contests).drop_entry(contest.id, userid)
        elif contest.kind == CUP and contest.state == BEGUN:
            for pairing in work.tx.of(Contests).pairings(contest.id):
                if userid in pairing.seats and pairing.board is None:
                    gone = "first" if userid == pairing.first else "second"
                    work.tx.of(Contests).set_pairing(pairing._replace(board=0, gone=gone))


def standing(work: Work, command: Command, reader: User) -> None:
    """Mail the table of the newest cup of a game that has begun. Raises Refusal."""
    kind = _kind(command)
    newest = work.tx.of(Contests).newest(CUP, kind.word, 2)
    begun = next((each for each in newest if each.state in (BEGUN, OVER)), None)
    if begun is None:
        raise Refusal(
            say(
                "No cup of {game} has begun yet. To enter the first one, reply: {command}",
                game=kind.title,
                command=f"cup {kind.word}",
            ),
            "no-cup",
        )
    ask_for(work, reader, (CUP, begun.id), partial(send_table, work, begun, reader))


def send_table(work: Work, contest: Contest, reader: User, kind: str = "table") -> None:
    """Mail the table of a cup. ``kind``: table, begins, or over."""
    runs = contest.state == BEGUN and kind != "over"
    lines = [line for division in tables(work.tx, contest) for line in division.lines]
    own = [
        LeagueGame(each.board or 0, each.second if is_first else each.first)
        for each in work.tx.of(Contests).running(contest.id)
        if (is_first := each.first == reader.userid) or each.second == reader.userid
    ]
    entries = work.tx.of(Contests).entries(contest.id)
    facts = CupFacts(
        kind=kind,
        title=games.title_of(contest.game),
        season=contest.season,
        runs=runs,
        until=moment(contest.until or work.now, reader.zone),
        reader=reader.userid,
        lines=[
            LeagueLine(e.userid, f"{e.points:g}", f"{e.sb:g}", e.played, e.won, e.tied, e.lost)
            for e in lines
        ],
        own=own if runs else [],
        winner=lines[0].userid if lines and not runs else "",
        points=f"{lines[0].points:g}" if lines else "",
        absent=[each.userid for each in entries if each.state == OUT],
        replies=[f"cup table {contest.game}" if runs else f"cup {contest.game}"],
    )
    letter = PlainLetter.with_buttons(work, reader, facts)
    send(work, replace(letter, answers=kind == "table"))
