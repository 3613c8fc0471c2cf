"""The verbs of cups: to withdraw from one, and to see its table; ``running`` has the one to enter.

A cup: when it begins, how long it lasts, and on which boards.

All players of a cup play each other at the same time. Points and order are as in a league with one
division.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType

from ... import games
from ...command import Command
from ...errors import Refusal, Sentence, say, say_many, together
from ...games.base import Game
from ...games.hexagon.star import Star
from ...machine.times import DAY, Epoch, Seconds
from ...match import Terms, terms
from ...match.dates import moment, with_year
from ...match.terms import read_time
from ...service.letters.post import send, tell_account
from ...service.proof.limits import ask_for
from ...service.verbs import membership
from ...service.work.feature import Below
from ...service.work.letter import PlainLetter
from ...service.work.work import Work
from ...store import User
from ..contests.feature import count_change
from ..contests.rows import BEGUN, CLOSED, OPEN, OVER, Contest, Contests
from ..league.facts import LeagueGame
from ..league.rules import OUT
from ..league.verbs import cross, name_of, tables
from .commands import CUP
from .facts import CupFacts, CupLine

FULL, LEAST = 8, 4  # the players of a cup
PATIENCE = 7 * DAY  # after which a cup begins with fewer than FULL
PROPOSAL = 21 * DAY  # after which those who still wait are told how to play without a cup
DAYS = 49  # the length of a cup at most: see _BOARDS
TERMS = Terms(time=read_time("7d+24h"), undo="no", contest=CUP)
# Boards are so small that nobody who answers within a day meets the last day of a cup, however slow the
# opponent is: the seven days of the one and a day for each move of both come to less.
_BOARDS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "star": {"size": "4"},
        "*star": {"rings": "3"},
        "stary": {"rings": "3"},
        "hex": {"size": "6"},
        "y": {"size": "7"},
        "polyy": {"rings": "3"},
    }
)
_BEGINS = say(
    "It starts as soon as {full} players have entered. A week after the first player entered, "
    "{least} players are enough.",
    full=FULL,
    least=LEAST,
)


def tell_entry(work: Work, contest: Contest, user: User, why: Sentence | None = None) -> None:
    """Tell a player who has entered a cup how it stands; ``why``: sentences before that."""
    entries = sorted(work.tx.of(Contests).entries(contest.id), key=lambda each: each.joined)
    names = [each.userid for each in entries]
    there = say(
        "You're in {cup}. So far, {number} of {full} players have entered: {names}.",
        cup=name_of(contest),
        number=min(len(names), FULL),
        full=FULL,
        names=tuple(names[:FULL]),
    )
    begins = _BEGINS
    if len(names) >= FULL:
        begins = say(
            "It starts as soon as {full} of its players can take on all its games without going "
            "over their limits.",
            full=FULL,
        )
    elif len(names) < LEAST and work.now >= min(each.joined for each in entries) + PATIENCE:
        begins = say(
            "It starts as soon as {least} players have entered. While you wait, you can invite a "
            "friend to join. To play a single game, reply: match",
            least=LEAST,
        )
    how = say(
        "You'll play everyone else in the cup once, and all your games run at the same time. "
        "The cup ends after {days} days.",
        days=DAYS,
    )
    limit = (
        None
        if user.most is None
        else say_many(
            "You've set a limit of {count} game at a time. If the cup would put you over it, it "
            "will start without you.",
            "You've set a limit of {count} games at a time. If the cup would put you over it, it "
            "will start without you.",
            user.most,
        )
    )
    tell_account(
        work,
        user,
        say("cup"),
        together(why, there, begins, how, limit),
        (f"cup leave {contest.game}",),
    )


def next_cup(work: Work, kind: type[Game]) -> Contest:
    """Return the cup of a game that players can enter; it is made if there is none.

    Raises Refusal if the operator has closed the cups of that game.
    """
    newest = work.tx.of(Contests).newest(CUP, kind.word)
    if not newest:  # no row is locked yet, as one of the ledger is from here on
        work.tx.ledger.count(f"{CUP} {kind.word}", work.now, DAY)
    if (
        not newest or newest[0].state != OPEN
    ):  # another node may have made one before it let go the lock
        newest = work.tx.of(Contests).newest(CUP, kind.word)
    if newest and newest[0].state == OPEN:
        return newest[0]
    if newest and newest[0].state == CLOSED:
        raise Refusal(say("There's no {game} cup right now.", game=kind.title), "cups-closed")
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


def kind_of(command: Command) -> type[Game]:
    """Return the game for two that a command names, Star if it names none. Raises Refusal."""
    kind = games.find(command.args.get("game", "")) or Star
    if len(kind.seats) == 1:
        raise Refusal(
            say(
                "{game} is a game for one player, but a cup needs a game for two.", game=kind.title
            ),
            "no-cup",
        )
    return kind


def leave(work: Work, command: Command, user: User) -> None:
    """Withdraw from a cup that has not begun, or from all such cups. Raises Refusal."""
    kind = kind_of(command) if command.args.get("game") else None
    own = [
        contest
        for contest, _ in work.tx.of(Contests).of_player(user.userid)
        if contest.kind == CUP and (kind is None or contest.game == kind.word)
    ]
    entered = [each for each in own if each.state == OPEN]
    if not entered:
        running = [each for each in own if each.state == BEGUN]
        if running:
            _ask_to_leave(work, running, user)
            return
        raise Refusal(
            say("You're not in a {game} cup.", game=kind.title)
            if kind
            else say("You're not in a cup."),
            "not-in-cup",
        )
    count_change(work, user)
    for each in entered:
        work.tx.of(Contests).drop_entry(each.id, user.userid)
    left = say("You're no longer in {cups}.", cups=tuple(map(name_of, entered)))
    replies = tuple(f"cup {each.game}" for each in entered)
    tell_account(work, user, say("cup"), left, replies)


def _ask_to_leave(work: Work, running: Sequence[Contest], user: User) -> None:
    """Ask a player once if all games are to be given up that still run in cups. Raises Refusal."""
    boards = [
        each.board
        for contest in running
        for each in work.tx.of(Contests).running(contest.id)
        if user.userid in each.seats and each.board
    ]
    cups = together(*map(name_of, running), by=", ")
    if not boards:
        raise Refusal(say("You don't have any running games in {cups}.", cups=cups), "no-cup-games")
    count_change(work, user)
    membership.ask_to_give_up(work, user, boards, cups)


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
    kind = kind_of(command)
    newest = work.tx.of(Contests).newest(CUP, kind.word, 2)
    begun = next((each for each in newest if each.state in (BEGUN, OVER)), None)
    if begun is None and newest and work.tx.of(Contests).entry(newest[0].id, reader.userid):
        ask_for(work, reader, (CUP, newest[0].id), partial(tell_entry, work, newest[0], reader))
        return
    if begun is None:
        raise Refusal(
            say(
                "There hasn't been a {game} cup yet. To enter the first one, reply: {command}",
                game=kind.title,
                command=f"cup {kind.word}",
            ),
            "no-cup",
        )
    ask_for(work, reader, (CUP, begun.id), partial(send_table, work, begun, reader))


def send_table(work: Work, contest: Contest, reader: User, kind: str = "table") -> None:
    """Mail the table of a cup. ``kind``: table, half, or over."""
    runs = contest.state == BEGUN and kind != "over"
    divisions = tables(work.tx, contest)
    lines = [line for division in divisions for line in division.lines]
    marks = {each.userid: each.marks for division in divisions for each in cross(division)}
    contests = work.tx.of(Contests)
    games_of = contests.running(contest.id) if runs else contests.pairings(contest.id)
    own = [
        LeagueGame(each.board, each.second if is_first else each.first)
        for each in games_of
        if ((is_first := each.first == reader.userid) or each.second == reader.userid)
        and each.board
    ]
    entries = contests.entries(contest.id)
    facts = CupFacts(
        kind=kind,
        title=games.title_of(contest.game),
        season=contest.season,
        runs=runs,
        until=(moment if runs else with_year)(contest.until or work.now, reader.zone),
        reader=reader.userid,
        lines=[CupLine(e.userid, marks[e.userid], f"{e.points:g}", f"{e.sb:g}") for e in lines],
        own=own,
        winner=lines[0].userid if lines and not runs else "",
        points=f"{lines[0].points:g}" if lines else "",
        absent=[each.userid for each in entries if each.state == OUT],
        replies=[f"cup table {contest.game}" if runs else f"cup {contest.game}"],
        begin=with_year(contest.begin or work.now, reader.zone),
        slow=_slow(work, contest, own) if kind == "half" else (),
    )
    letter = PlainLetter.with_buttons(work, reader, facts)
    send(work, replace(letter, answers=kind == "table"))


def _slow(work: Work, contest: Contest, own: Sequence[LeagueGame]) -> list[Sentence]:
    """Return those games that will still run at the end of a cup, at the pace so far."""
    cells = len(games.load(contest.game, contest.options).grid.names)
    begin, until = contest.begin or 0.0, contest.until or 0.0
    return [
        say("board {number} ({userid})", number=each.board, userid=each.against)
        for each in own
        if (row := work.tx.boards.get(each.board))
        and is_late(cells, row.length, work.now - begin, until - work.now)
    ]


def table_line(work: Work, board: int, userid: str) -> Below | None:
    """Return one line on the table of the cup of a board, for a player; None if it has not changed.

    A table in which no game has ended is not told.
    """
    contests = work.tx.of(Contests)
    pairing = contests.of_board(board)
    contest = contests.get(pairing.contest) if pairing else None
    entry = contests.entry(contest.id, userid) if contest else None
    if contest is None or entry is None or contest.state != BEGUN:
        return None
    if contest.until is not None and work.now >= contest.until:  # the last table comes now
        return None
    lines = [line for division in tables(work.tx, contest) for line in division.lines]
    at = next((n for n, line in enumerate(lines) if line.userid == userid), None)
    if at is None or len(lines) < 2 or not any(line.played for line in lines):
        return None
    rival = lines[0] if at else lines[1]
    seen = f"{at + 1} {lines[at].points:g} {rival.userid} {rival.points:g}"
    if seen == entry.seen:
        return None
    contests.set_entry(entry._replace(seen=seen))
    form = say(
        "You're now number {place} of {count} in {cup}, with a score of {points}. {userid} "
        "is in the lead with {most}."
    )
    if at == 0:
        form = say(
            "You're now in the lead in {cup}, with a score of {points}. {userid} is next, "
            "with {most}."
        )
    said = form.given(
        cup=name_of(contest),
        place=at + 1,
        count=len(lines),
        points=f"{lines[at].points:g}",
        userid=rival.userid,
        most=f"{rival.points:g}",
    )
    return Below(together(said, say("To see the table, reply:")), (f"cup table {contest.game}",))


def invitation(work: Work, user: User, word: str) -> Below | None:
    """Return what tells a player of the cup that lacks the fewest players; without one, of a game's next cup.

    None if the player has entered a cup before, or if the operator has closed the cups of that game.
    """
    contests = work.tx.of(Contests)
    if any(each.kind == CUP for each, _ in contests.of_player(user.userid)):
        return None
    cups = [each for each in contests.all() if each.kind == CUP]
    waiting = [(len(contests.entries(each.id)), each) for each in cups if each.state == OPEN]
    count, cup = max(waiting, default=(0, None), key=lambda each: each[0])
    if cup is not None and 0 < count < FULL:
        said = say_many(
            "{cup} needs {count} more player to start. Everyone plays everyone else once, "
            "and all the games run at the same time. To enter it, reply:",
            "{cup} needs {count} more players to start. Everyone plays everyone else once, "
            "and all the games run at the same time. To enter it, reply:",
            FULL - count,
            cup=name_of(cup),
        )
        return Below(said, (f"cup {cup.game}",))
    of_game = [each for each in cups if each.game == word]
    if of_game and of_game[-1].state == CLOSED:
        return None
    said = say(
        "In a cup, eight players meet on small boards, and everyone plays everyone else "
        "once. To enter the next one, reply:"
    )
    return Below(said, (f"cup {word}",))


def propose(work: Work, contest: Contest, user: User) -> None:
    """Tell a player who has long waited for a cup how to play anyway."""
    entries = sorted(work.tx.of(Contests).entries(contest.id), key=lambda each: each.joined)
    others = [each.userid for each in entries if each.userid != user.userid]
    there = (
        say_many(
            "So far, {count} other player has entered {cup}: {names}.",
            "So far, {count} other players have entered {cup}: {names}.",
            len(others),
            cup=name_of(contest),
            names=tuple(others),
        )
        if others
        else say("So far, nobody else has entered {cup}.", cup=name_of(contest))
    )
    invite = say(
        "It can start once {least} players have entered. To invite a friend, reply with the word "
        "invite and your friend's email address.",
        least=LEAST,
    )
    play = (
        say(
            "Or challenge one of them right away to a game outside the cup: reply with one of "
            "the lines below."
        )
        if others
        else say("Or, to find an opponent for a single game, reply: match")
    )
    lines = [f"{contest.game} challenge {each}" for each in others] or [f"match {contest.game}"]
    replies = (*lines, f"cup leave {contest.game}")
    tell_account(work, user, say("cup"), together(there, invite, play), replies)


def board_of(kind: type[Game]) -> Game:
    """Return the board of a cup of a game: its usual one if no smaller one is chosen for cups."""
    return kind(_BOARDS.get(kind.word, {}))


def begins(entered: Sequence[float], now: Epoch) -> bool:
    """Return True if a cup begins: it is full, or a week after the first of its players at least four are in.

    entered  the times at which its players have entered it
    """
    if len(entered) >= FULL:
        return True
    return len(entered) >= LEAST and now >= min(entered) + PATIENCE


def absent(players: Sequence[str], movers: Collection[str]) -> list[str]:
    """Return the players who have moved in no game of a cup: they are out, and their games do not count."""
    return [userid for userid in players if userid not in movers]


def is_late(cells: int, played: int, since: Seconds, left: Seconds) -> bool:
    """Return True if a board is not full at the end of its cup, if it goes on as in the time ``since``."""
    return (cells - played) * since > left * max(played, 1)
