"""The commands about a player: who it is, how others have done against it, and a list of its games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial

from ... import games
from ...command import Command
from ...errors import NOTHING, Sentence, literal, say
from ...grammar.literals import Filters
from ...identity import ReplyScope
from ...machine.times import DAY
from ...match import FORFEIT
from ...match.dates import date_of, with_year
from ...ratings import practice
from ...ratings.fold import Tally
from ...ratings.rows import Ratings
from ...render.board.clock_face import length
from ...render.board.opening import kind
from ...render.facts import (
    BeatenBots,
    BotRating,
    GameLine,
    GamesFacts,
    Pair,
    PairSum,
    RatedPlayer,
    WhoisFacts,
)
from ...store import Board, User
from ..letters.post import send
from ..letters.stakes import titles_of
from ..proof.limits import ask, ask_for
from ..reminders import deadlines, leave
from ..work import timekeeping
from ..work.apply import load, may_see, names_of
from ..work.letter import PlainLetter, reply_to
from ..work.work import Work, no_player
from .ratings import RatingLine

_TURNS = 50
_SHOWN = 10  # games of two players that are rows to tap
MOST = 200  # games of a list
STAMPED = 10  # games of a list that are shown with a small picture, which has some 4 kB


def whois(work: Work, command: Command, reader: User) -> None:
    """Mail the facts about a player, and the reader's games against that player."""
    _tell(work, reader, reader.userid, command["userid"])


def versus(work: Work, command: Command, reader: User) -> None:
    """Mail the same about one of two players, with their games against each other."""
    one, two = command["userid1"], command["userid2"]
    _tell(work, reader, *((two, one) if two == reader.userid else (one, two)))


def _tell(work: Work, reader: User, one: str, two: str) -> None:
    against, user = work.player(one), work.player(two)
    mail = partial(_mail_whois, work, reader, against.userid, user)
    ask_for(work, reader, ("whois", against.userid, user.userid), mail)


def _mail_whois(work: Work, reader: User, against: str, user: User) -> None:
    is_program, tx = user.is_program, work.tx
    lines = tx.of(Ratings).all_of(user.userid)
    last = tx.boards.last_entries(user.userid, _TURNS)
    record = tx.of(Ratings).record(user.userid)
    facts = WhoisFacts(
        userid=user.userid,
        since=NOTHING if is_program else with_year(user.made, reader.zone),
        bot=_of_program(user.userid) if is_program else None,
        ratings=[_rated(work, game, tally) for game, apart, tally in lines if not apart],
        practice=[_rated(work, game, tally) for game, apart, tally in lines if apart],
        beaten=_against_programs(work, user.userid),
        won=record[1.0],
        lost=record[0.0],
        tied=record[0.5],
        turns=0 if is_program else len(last),
        in_time=sum(move != FORFEIT for move in last),
        away=leave.is_away(work, user.userid),
        titles=titles_of(tx, user.userid),
        reader=reader.userid,
        pair=_pair(work, reader, against, user.userid) if against != user.userid else None,
    )
    send(work, PlainLetter.to(reader, facts))


def _of_program(userid: str) -> list[BotRating]:
    """Return the fixed ratings of a program, by game."""
    measured = {each.word: practice.of_program(each.word, userid) for each in games.GAMES}
    return [BotRating(games.title_of(game), str(each)) for game, each in measured.items() if each]


def _rated(work: Work, game: str, tally: Tally) -> RatedPlayer:
    return RatingLine(0, "", tally.as_of(work.now), tally).line(games.title_of(game))


def _against_programs(work: Work, userid: str) -> list[BeatenBots]:
    """Return a player's results against each program, by game: ``beat NAME 3 of 5``."""
    by_game: dict[str, list[Sentence]] = {}
    for game, program, score, count in work.tx.of(Ratings).against_programs(userid):
        told = say(
            "won {score} of {count} against {bot}", bot=program, score=f"{score:g}", count=count
        )
        by_game.setdefault(game, []).append(told)
    return [BeatenBots(games.title_of(game), each) for game, each in by_game.items()]


def _pair(work: Work, reader: User, one: str, two: str) -> Pair:
    """Return how two players have done against each other, as far as the reader may know it."""
    names = names_of(work, reader)
    rows = [
        row
        for row in work.tx.boards.of(one)
        if two in row.seats and may_see(row.agreed, row.seats, names)
    ]
    rows.sort(key=newest_first)
    over = [row for row in rows if not row.to_move]
    ends = {row.board: _outcome(work, row) for row in over}
    sums = [
        _sum(each.title, of_game, ends, one, two)
        for each in games.GAMES
        if (of_game := [row for row in over if row.game == each.word])
    ]
    running = [row for row in rows if row.to_move]
    return Pair(
        one,
        len(running),
        len(over),
        sums,
        _streak([end for end in ends.values() if end != _VOID], reader.userid),
        [
            line_of(
                work,
                row,
                one,
                reader,
                timekeeping.left_on(work, row) if row.to_move else None,
                at < STAMPED,
            )
            for at, row in enumerate((running + over)[:_SHOWN])
        ],
    )


_Outcome = tuple[str, str]  # the winner; and if there is none, how the game ended
_TIE, _VOID = ("", "tie"), ("", "void")


def _outcome(work: Work, row: Board) -> _Outcome:
    winner = work.tx.boards.winner(row)
    return winner, "" if winner else row.result


def _sum(
    title: str, rows: Sequence[Board], ends: Mapping[int, _Outcome], one: str, two: str
) -> PairSum:
    """Return the results of two players in one game."""
    results = Counter(ends[row.board] for row in rows)
    first = Counter(row.seats[0] for row in rows)
    won_first = Counter(row.seats[0] for row in rows if ends[row.board][0] == row.seats[0])
    return PairSum(
        title,
        won=(results[one, ""], results[two, ""]),
        ties=results[_TIE],
        void=results[_VOID],
        first=((won_first[one], first[one]), (won_first[two], first[two])),
    )


def _streak(ends: Sequence[_Outcome], reader: str) -> Sentence:
    """Return a sentence that names the winner of the last games and their number; empty after a tie, or if
    there is no game."""
    if not ends or ends[0] == _TIE:
        return NOTHING
    winner = ends[0][0]
    length = next((n for n, end in enumerate(ends) if end != ends[0]), len(ends))
    if winner == reader:
        return (
            say("You won the last game.")
            if length == 1
            else say("You've won the last {count} games.", count=length)
        )
    if length == 1:
        return say("{winner} won the last game.", winner=winner)
    return say("{winner} has won the last {count} games.", winner=winner, count=length)


def games_of(work: Work, command: Command, reader: User) -> None:
    """Mail a list of a player's games, or of the reader's own: of one kind, or of all kinds.

    The games in which the player must move come first, then the other running games; in both groups the
    least time comes first. Games that are over come last, the newest of them first.
    """
    of_kind, of = command.game, command.args.get("userid", reader.userid)
    filters: Filters = command.args.get("filters") or Filters()
    _require_player(work, of)
    if filters.vs:
        _require_player(work, filters.vs)
    names = names_of(work, reader)
    rows = [
        row
        for row in work.tx.boards.of(of, filters.kept)
        if of_kind in (None, games.find(row.game))
        and may_see(row.agreed, row.seats, names)
        and _is_wanted(work, row, of, filters)
    ]
    rows.sort(key=newest_first)
    newest = rows[: min(filters.last or MOST, MOST)]
    left = {row.board: timekeeping.left_on(work, row) for row in newest if row.to_move}
    newest.sort(key=lambda row: _place(row, of, left.get(row.board)))
    facts = GamesFacts(
        of_kind.title if of_kind else "",
        of_kind.word if of_kind else "star",
        of,
        filters.told,
        [
            line_of(work, row, of, reader, left.get(row.board), at < STAMPED)
            for at, row in enumerate(newest)
        ],
        more=len(rows) - len(newest) if not filters.last else 0,
        away=leave.is_away(work, of),
        reader=reader.userid,
    )
    key = ("games", of_kind and of_kind.word, of, filters)
    ask(work, reader, key, PlainLetter.to(reader, facts))


def newest_first(row: Board) -> tuple[float, int]:
    """Return the place of a game among others, the one that changed last first."""
    return -row.since, -row.board


def _require_player(work: Work, userid: str) -> None:
    if work.tx.accounts.user(userid) is None:
        raise no_player(userid)


def _is_wanted(work: Work, row: Board, of: str, filters: Filters) -> bool:
    """Return True if a game passes the filters that the store has not applied."""
    if filters.vs and (filters.vs == of or filters.vs not in row.seats):
        return False
    if date_of(row.since)[:7] < filters.since:
        return False
    return not filters.states or any(_is_in(work, row, of, state) for state in filters.states)


def _is_in(work: Work, row: Board, of: str, state: str) -> bool:
    """Return True if a game is in that state of a filter."""
    if state == "late":
        return bool(row.to_move) and deadlines.is_late(work, load(work, row.board))
    winner = work.tx.boards.winner(row)
    return {
        "next": row.to_move == of,
        "active": bool(row.to_move),
        "finished": not row.to_move,
        "won": winner == of,
        "lost": winner not in ("", of),
        "drawn": row.result == "tie" and not winner,
    }[state]


def _place(row: Board, of: str, left: int | None) -> tuple[float, ...]:
    """Return a game's place in a list. ``left``: the time of the player to move, None without a limit."""
    if not row.to_move:
        return (2, -row.since)
    return (row.to_move != of, *timekeeping.urgency(row, left))


def line_of(
    work: Work, row: Board, of: str, reader: User, left: int | None, is_stamped: bool
) -> GameLine:
    """Return the facts of one game in the list of player ``of``; ``is_stamped``: with its small picture."""
    others = [userid for userid in row.seats if userid != of]
    game = games.load(row.game, row.options)
    own_turn = row.to_move == of == reader.userid
    turn = ReplyScope(of, row.board, row.resets, row.length)
    played = max(row.agreed.offset, work.tx.boards.last_move(row.board))
    return GameLine(
        number=row.board,
        title=game.title,
        word=game.word,
        against=" and ".join(others),
        away=bool(row.to_move) and any(leave.is_away(work, each) for each in others),
        left=NOTHING if left is None else length(left),
        to_move=row.to_move,
        end=_end(work, row),
        move=played + bool(row.to_move),
        days=int((work.now - row.since) / DAY),
        kind=kind(game),
        reply=reply_to(work, turn) if own_turn else "",
        set_up=row.options,
        stones=load(work, row.board).position.stones.hex() if is_stamped and row.to_move else "",
    )


_ENDS = {"tie": say("a tie"), "void": say("without a result"), "unsolved": say("unsolved")}


def _end(work: Work, row: Board) -> Sentence:
    """Return the end of a game in words; empty while it runs."""
    if winner := work.tx.boards.winner(row):
        return say("solved") if len(row.seats) == 1 else say("{winner} won", winner=winner)
    return _ENDS.get(row.result, literal(row.result))
