"""The verbs of leagues: to join and leave, to withdraw from a season, and to see its tables."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import NamedTuple

from ... import games
from ...command import Command
from ...errors import Refusal, Sentence, say, say_many, together
from ...match import RESULTS, Act
from ...match.dates import moment
from ...service.letters.post import send, tell_account
from ...service.letters.tell import tell
from ...service.proof.limits import ask_for
from ...service.work.apply import apply, load
from ...service.work.letter import PlainLetter
from ...service.work.work import Work
from ...store import Tx, User
from ..contests.feature import count_change, require_alone
from ..contests.lookup import the_open
from ..contests.rows import BEGUN, OPEN, OVER, Contest, Contests, Entrant, Pairing
from .facts import CrossLine, LeagueFacts, LeagueGame, LeagueLine
from .rules import LEAGUE, LOST, OUT, Pair, TableLine, is_lost, movement, table

_NAMES = {
    "cup": say("{title} cup {season}", title="", season=0),
    LEAGUE: say("{title} league {season}", title="", season=0),
}
_LADDER = "ladder"


class DivisionTable(NamedTuple):
    """A division of a season: the lines of its table, its games, and the numbers of their boards."""

    number: int
    lines: list[TableLine]
    pairs: list[Pair]
    boards: list[int]


def tables(tx: Tx, contest: Contest) -> list[DivisionTable]:
    """Return the tables of a season, as its games make them; none before it has begun."""
    entries = [entry for entry in tx.of(Contests).entries(contest.id) if entry.division]
    out = {entry.userid for entry in entries if entry.state == OUT}
    pairings = tx.of(Contests).pairings(contest.id)
    divisions = []
    for number in sorted({entry.division for entry in entries}):
        players = [entry.userid for entry in entries if entry.division == number]
        own = [each for each in pairings if each.division == number]
        pairs = [pair_of(tx, each) for each in own]
        boards = [each.board for each in own if each.board]
        divisions.append(DivisionTable(number, table(players, pairs, out), pairs, boards))
    return divisions


def pair_of(tx: Tx, pairing: Pairing) -> Pair:
    """Return a game of a season in the form that its table counts."""
    winner = None
    if pairing.to_move == "":
        winner = pairing.result or ""
        if winner in RESULTS and winner in pairing.seats:  # the userid of an old account
            row = tx.boards.get(pairing.board or 0)
            winner = (tx.boards.winner(row) if row else "") or winner
        if winner not in pairing.seats:
            winner = "" if winner == "tie" else None
    gone = frozenset(getattr(pairing, place) for place in pairing.gone.split())
    return Pair(pairing.first, pairing.second, winner, pairing.late, gone)


def places_of(found: list[DivisionTable]) -> dict[str, int]:
    """Return the place of each player in the player's division, by userid."""
    return {line.userid: at for each in found for at, line in enumerate(each.lines, 1)}


def name_of(contest: Contest) -> Sentence:
    """Return the name of a season of a league or of a cup: ``Star league 3``."""
    return _NAMES[contest.kind].given(title=games.title_of(contest.game), season=contest.season)


# -- joining and leaving


def join(work: Work, command: Command, user: User) -> None:
    """Join the next season of a league. Raises Refusal."""
    contest = the_open(work.tx, LEAGUE, command["game"])
    if work.tx.of(Contests).entry(contest.id, user.userid):
        raise Refusal(say("You're already signed up for the next season."), "in-league")
    count_change(work, user)
    require_alone(
        work, contest, user, say("Another account at your address is already in this league.")
    )
    work.tx.of(Contests).set_entry(Entrant(contest.id, user.userid, work.now))
    count = len(work.tx.of(Contests).entries(contest.id))
    limit = (
        None
        if user.most is None
        else say_many(
            "You've set a limit of {count} game at a time. If the season would put you over it, "
            "it will start without you.",
            "You've set a limit of {count} games at a time. If the season would put you over it, "
            "it will start without you.",
            user.most,
        )
    )
    tell_account(
        work,
        user,
        say("league"),
        together(
            say(
                "You're signed up for the next season, {season}. Players so far: {number}.",
                season=name_of(contest),
                number=count,
            ),
            say(
                "You'll play everyone else in your division once, and all your games run at "
                "the same time. You stay in the league, season after season, until you "
                "leave."
            ),
            limit,
        ),
        (f"league leave {contest.game}",),
    )


def leave(work: Work, command: Command, user: User) -> None:
    """Leave the next season of a league; a running season goes on. Raises Refusal."""
    contest = the_open(work.tx, LEAGUE, command["game"])
    if not work.tx.of(Contests).entry(contest.id, user.userid):
        raise Refusal(say("You're not signed up for the next season."), "not-in-league")
    count_change(work, user)
    work.tx.of(Contests).drop_entry(contest.id, user.userid)
    running = season_of(work.tx, contest.game, user.userid)
    goes_on = (
        say(
            "You're still playing in {season}. To leave that, too, reply: {command}",
            season=name_of(running),
            command=f"league withdraw {contest.game}",
        )
        if running
        else None
    )
    verbs = ("join", "withdraw") if running else ("join",)
    replies = tuple(f"league {verb} {contest.game}" for verb in verbs)
    tell_account(
        work,
        user,
        say("league"),
        together(say("You're no longer signed up for {season}.", season=name_of(contest)), goes_on),
        replies,
    )


def season_of(tx: Tx, word: str, userid: str) -> Contest | None:
    """Return the running season of a league if a player is in it and has not withdrawn; otherwise None."""
    for contest in tx.of(Contests).newest(LEAGUE, word, 2):
        entry = tx.of(Contests).entry(contest.id, userid)
        if contest.state == BEGUN and entry and entry.division and not entry.state:
            return contest
    return None


def withdraw(work: Work, command: Command, user: User) -> None:
    """Withdraw from a running season. Raises Refusal."""
    contest = season_of(work.tx, command["game"], user.userid)
    if contest is None:
        raise Refusal(say("You're not playing in this league right now."), "no-season")
    state = take_out(work, contest, user.userid)
    notice = (
        say("At least half of your games were over, so you lose the ones still running.")
        if state == LOST
        else say(
            "Fewer than half of your games were over, so none of them count in the table "
            "anymore. You can still finish the ones that are running."
        )
    )
    replies = (f"league join {contest.game}",)
    tell_account(
        work,
        user,
        say("league"),
        together(say("You've withdrawn from {season}.", season=name_of(contest)), notice),
        replies,
    )


def sign_off(work: Work, userid: str) -> None:
    """Remove a player who closes the account from all leagues."""
    for contest, entry in work.tx.of(Contests).of_player(userid):
        if contest.kind == LEAGUE and contest.state == BEGUN and entry.division and not entry.state:
            take_out(work, contest, userid)
        elif contest.kind == LEAGUE and not entry.division:
            work.tx.of(Contests).drop_entry(contest.id, userid)


def take_out(work: Work, contest: Contest, userid: str) -> str:
    """Take a player out of a running season or cup; return the state in it. Of a league, out of the next too.

    It is ``LOST`` if the games that still run are lost, or ``OUT`` if all games leave the table.
    """
    pairings = [each for each in work.tx.of(Contests).pairings(contest.id) if userid in each.seats]
    pairs = [pair_of(work.tx, each) for each in pairings]
    state = LOST if is_lost(userid, pairs) else OUT
    entry = work.tx.of(Contests).entry(contest.id, userid)
    assert entry is not None
    work.tx.of(Contests).set_entry(entry._replace(state=state))
    for pairing, pair in zip(pairings, pairs, strict=True):
        if pair.winner is None or pair.gone:
            place = "first" if userid == pairing.first else "second"
            gone = " ".join(sorted({*pairing.gone.split(), place}))
            work.tx.of(Contests).set_pairing(pairing._replace(gone=gone))
        if state == LOST and pairing.runs and pairing.board:
            tell(work, apply(work, load(work, pairing.board), Act(userid, "resign")), userid)
    for following in work.tx.of(Contests).newest(LEAGUE, contest.game):
        if contest.kind == LEAGUE and following.state == OPEN:
            work.tx.of(Contests).drop_entry(following.id, userid)
    return state


# -- tables


def standing(work: Work, command: Command, reader: User) -> None:
    """Mail the table of a division; it is the reader's own if the command names none."""
    contest, found = _division(work, command, reader)
    table = partial(send_table, work, contest, found, reader)
    ask_for(work, reader, ("league", contest.id, found.number), table)


def crosstable(work: Work, command: Command, reader: User) -> None:
    """Mail the crosstable of a division: the result of each player against each other one."""
    contest, found = _division(work, command, reader)
    table = partial(send_table, work, contest, found, reader, "crosstable")
    ask_for(work, reader, ("crosstable", contest.id, found.number), table)


def _division(work: Work, command: Command, reader: User) -> tuple[Contest, DivisionTable]:
    """Return the newest season that has begun, and the division of it that a command names, or the reader's
    own. Raises Refusal."""
    word, number = command["game"], command.args.get("division")
    seasons = work.tx.of(Contests).newest(LEAGUE, word, 2)
    begun = next((each for each in seasons if each.state in (BEGUN, OVER)), None)
    if begun is None:
        newest = the_open(work.tx, LEAGUE, word)
        players = ", ".join(entry.userid for entry in work.tx.of(Contests).entries(newest.id))
        who = (
            say("Players in the first season so far: {userids}.", userids=players)
            if players
            else say("Nobody has joined the first season yet.")
        )
        raise Refusal(together(say("No season has started yet."), who), "no-season")
    divisions = tables(work.tx, begun)
    own = work.tx.of(Contests).entry(begun.id, reader.userid)
    number = number or (own.division if own else 0) or 1
    if number > len(divisions):
        raise Refusal(
            say_many(
                "There's only {count} division.",
                "There are {count} divisions. Please write a number from 1 to {count}.",
                len(divisions),
            ),
            "no-division",
        )
    return begun, divisions[number - 1]


def send_table(
    work: Work,
    contest: Contest,
    division: DivisionTable,
    reader: User,
    kind: str = "table",
    won: bool = False,
) -> None:
    """Mail a table. ``kind``: table, crosstable, ends, or over; ``won``: the reader has a title."""
    runs = contest.state == BEGUN and kind != "over"
    own = [
        LeagueGame(each.board or 0, each.second if is_first else each.first)
        for each in work.tx.of(Contests).running(contest.id)
        if (is_first := each.first == reader.userid) or each.second == reader.userid
    ]
    following = work.tx.of(Contests).newest(LEAGUE, contest.game)[0]
    is_in = work.tx.of(Contests).entry(following.id, reader.userid) is not None
    divisions = max(entry.division for entry in work.tx.of(Contests).entries(contest.id))
    place = places_of([division]).get(reader.userid, 0)
    moves = movement(place, len(division.lines), division.number, divisions) if place else 0
    words = ["table" if kind == "crosstable" else "crosstable"]
    words += ["leave" if is_in else "join"] if following.state == OPEN else []
    words += ["withdraw"] if own else []
    facts = LeagueFacts(
        kind=kind,
        moves=("", "down", "up")[moves] if kind == "over" else "",
        title=games.title_of(contest.game),
        word=contest.game,
        season=contest.season,
        division=division.number,
        divisions=divisions,
        runs=runs,
        until=moment(contest.until or work.now, reader.zone),
        reader=reader.userid,
        lines=[
            LeagueLine(e.userid, f"{e.points:g}", f"{e.sb:g}", e.played, e.won, e.tied, e.lost)
            for e in division.lines
        ],
        cross=cross(division) if kind == "crosstable" else [],
        own=own if runs else [],
        following=following.season,
        replies=[f"league {word} {contest.game}" for word in words],
        is_in=is_in,
        goes_on=following.state == OPEN,
        won=won,
        ladder=_ladder(work, contest, reader) if kind == "over" else "",
    )
    letter = PlainLetter.with_buttons(work, reader, facts)
    send(work, replace(letter, answers=kind.endswith("table")))


def _ladder(work: Work, contest: Contest, reader: User) -> str:
    """Return the command that joins the ladder of a game, for a player whose first season is over.

    It is empty if there is no ladder, or if the player has been on one.
    """
    known = work.tx.of(Contests).of_player(reader.userid)
    seasons = sum(each.kind == LEAGUE and each.state in (BEGUN, OVER) for each, _ in known)
    if seasons > 1 or any(each.kind == _LADDER for each, _ in known):
        return ""
    alive = work.tx.of(Contests).all(alive=True)
    there = any(each.kind == _LADDER and each.game == contest.game for each in alive)
    is_on = _LADDER not in work.context.config.without
    return f"ladder join {contest.game}" if there and is_on else ""


def cross(division: DivisionTable) -> list[CrossLine]:
    """Return the lines of a crosstable, in the order of the table."""
    order = [line.userid for line in division.lines]
    out = {each for pair in division.pairs for each in (pair.first, pair.second)} - set(order)
    marks: dict[tuple[str, str], str] = {}
    for pair in division.pairs:
        winner = pair.outcome(out)
        for one, other in ((pair.first, pair.second), (pair.second, pair.first)):
            if winner is not None:
                marks[one, other] = "1" if winner == one else "0" if winner else "="
    return [
        CrossLine(one, ["x" if one == other else marks.get((one, other), ".") for other in order])
        for one in order
    ]
