"""The commands of ladders: join, leave, challenge, look; and the answers of ladder to core."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from ... import games
from ...command import Command
from ...errors import NOTHING, Refusal, Sentence, say
from ...machine.times import Epoch
from ...match import Happening, Match, terms
from ...service.letters.post import send
from ...service.proof.limits import ask_for
from ...service.reminders.leave import is_away
from ...service.verbs import beginning
from ...service.verbs.beginning import agreed_on, start
from ...service.work.context import Context
from ...service.work.feature import AboutBoard, Below, Feature, TablePage, Tip
from ...service.work.letter import PlainLetter
from ...service.work.work import BoardRefusal, Speaker, Work
from ...store import Store, Tx, User
from ..contests.feature import count_change, require_alone
from ..contests.lookup import the_open
from ..contests.rows import OPEN, Contest, Contests, Entrant
from .commands import Challenged, Placed
from .facts import LadderFacts, RungLine
from .rows import Steps
from .rules import (
    JOIN,
    LADDER,
    LEAVE,
    LEAVING,
    OFF,
    REST,
    RESTING,
    WIN,
    Challenges,
    Ladder,
    LadderStep,
    fold,
    require_challenge,
)


def follow(tx: Tx, match: Match, now: Epoch) -> tuple[Happening, ...]:
    """Keep the step of a game that has just ended on its ladder, and return the places of its players.

    If the end of the game was taken back and it goes on, its step is deleted.
    """
    if match.terms.contest != LADDER or (pairing := tx.of(Contests).of_board(match.number)) is None:
        return ()
    tx.of(Contests).get(pairing.contest)  # one at a time: the steps have numbers
    if not match.position.over:
        tx.of(Steps).drop(pairing.contest, match.number)
    elif winner := match.winner:
        step = LadderStep(now, WIN, winner, match.opponent(winner))
        tx.of(Steps).add(pairing.contest, step, match.number)
    order = settle(tx, pairing.contest, now)
    if not match.position.over:
        return ()
    return (Placed(tuple((userid, order.place(userid)) for userid in match.seats)),)


def settle(tx: Tx, contest: int, now: Epoch) -> Ladder:
    """Take players who wish to leave and have no running game off a ladder; store all places.

    Return the ladder.
    """
    tx.of(Contests).get(contest)  # one at a time: nobody else changes the places meanwhile
    playing = {userid for each in tx.of(Contests).running(contest) for userid in each.seats}
    for entry in tx.of(Contests).entries(contest):
        if entry.state == LEAVING and entry.userid not in playing:
            take_off(tx, contest, entry.userid, LEAVE, now)
    order = fold(tx.of(Steps).all(contest))
    for entry in tx.of(Contests).entries(contest):
        if entry.place != order.place(entry.userid):
            tx.of(Contests).set_entry(entry._replace(place=order.place(entry.userid)))
    return order


def take_off(tx: Tx, contest: int, userid: str, kind: str, now: Epoch) -> None:
    """Take a player who leaves, or who has rested for long, off a ladder; ``kind`` of the step noted."""
    tx.of(Steps).add(contest, LadderStep(now, kind, userid))
    tx.of(Contests).drop_entry(contest, userid)


def rest(tx: Tx, match: Match, late: str, now: Epoch) -> None:
    """Note that a player has not begun a game of a ladder in time, and rests.

    No place changes, and nobody may challenge that player until a message comes from the player.
    """
    pairing = tx.of(Contests).of_board(match.number) if match.terms.contest == LADDER else None
    entry = tx.of(Contests).entry(pairing.contest, late) if pairing else None
    if entry is not None:
        tx.of(Contests).set_entry(entry._replace(rests=now))


def is_resting(tx: Tx, userid: str, rests: Epoch | None) -> bool:
    """Return True if no proved mail has come from a player since the time ``rests``; False for None."""
    return rests is not None and (tx.mails.last_seen(userid) or 0.0) < rests


_NOTES = {RESTING: say("resting"), LEAVING: say("leaving")}
_SHOWN, _AROUND = 20, 5  # places in a letter: the first ones, and those above and below the reader


class Rung(NamedTuple):
    """A player on a ladder, with the games won and lost there. ``note``: resting, leaving, or empty."""

    place: int
    userid: str
    won: int
    lost: int
    note: str = ""


def standings(tx: Tx, contest: Contest) -> list[Rung]:
    """Return the players of a ladder, the first one first."""
    won: Counter[str] = Counter()
    lost: Counter[str] = Counter()
    for _, winner, loser in tx.of(Steps).won(contest.id):
        won[winner] += 1
        lost[loser] += 1
    entries = sorted(tx.of(Contests).entries(contest.id), key=lambda entry: entry.place)
    return [
        Rung(each.place, each.userid, won[each.userid], lost[each.userid], _note(tx, each))
        for each in entries
    ]


def _note(tx: Tx, entry: Entrant) -> str:
    if is_resting(tx, entry.userid, entry.rests):
        return RESTING
    return LEAVING if entry.state == LEAVING else ""


def join(work: Work, command: Command, user: User) -> None:
    """Join a ladder at the bottom, or near the former place. Raises Refusal."""
    contest = _ladder(work, command)
    entry = work.tx.of(Contests).entry(contest.id, user.userid)
    if entry is not None and entry.state != LEAVING:
        place = settle(work.tx, contest.id, work.now).place(user.userid)
        raise Refusal(
            say("You're already on this ladder: you're number {place}.", place=place), "on-ladder"
        )
    count_change(work, user)
    if entry is not None:
        work.tx.of(Contests).set_entry(entry._replace(state=""))
    else:
        why = say("Another account at your address is already on this ladder.")
        require_alone(work, contest, user, why)
        work.tx.of(Steps).add(contest.id, LadderStep(work.now, JOIN, user.userid))
        work.tx.of(Contests).set_entry(Entrant(contest.id, user.userid, work.now))
    settle(work.tx, contest.id, work.now)
    _send(work, contest, user, say("You're on the ladder now."))


def leave(work: Work, command: Command, user: User) -> None:
    """Leave a ladder, once the last game there is over. Raises Refusal."""
    contest = _ladder(work, command)
    entry = work.tx.of(Contests).entry(contest.id, user.userid)
    if entry is None:
        raise Refusal(say("You're not on this ladder."), "not-on-ladder")
    count_change(work, user)
    if entry.state == LEAVING:
        raise Refusal(
            say(
                "You've already asked to leave this ladder, and you will when your games on "
                "it are over."
            ),
            "leaving",
        )
    work.tx.of(Contests).set_entry(entry._replace(state=LEAVING))
    settle(work.tx, contest.id, work.now)
    has_left = work.tx.of(Contests).entry(contest.id, user.userid) is None
    notice = (
        say("You've left the ladder.")
        if has_left
        else say("You'll leave the ladder when your games on it are over.")
    )
    _send(work, contest, user, notice)


def sign_off(work: Work, userid: str) -> None:
    """Let a player who closes the account leave all ladders, each with the last game there."""
    for contest, entry in work.tx.of(Contests).of_player(userid):
        if contest.kind == LADDER:
            work.tx.of(Contests).set_entry(entry._replace(state=LEAVING))
            settle(work.tx, contest.id, work.now)


def challenge(work: Work, command: Command, user: User) -> int:
    """Begin a game with a player above, who moves first; return its board number. Raises Refusal."""
    contest = _ladder(work, command)
    other = work.player(command["userid2"])
    ladder = settle(work.tx, contest.id, work.now)
    require_challenge(ladder, user.userid, other.userid, _challenges(work.tx, contest))
    count_change(work, user)
    game = games.load(contest.game, contest.options)
    beginning.require_consent(work, user, (user, other), game, is_proved=True)
    seats = (other.userid, user.userid)
    agreed = agreed_on(work, seats, before=terms.load(contest.terms))._replace(contest=LADDER)
    because = Challenged(user.userid, (ladder.place(user.userid), ladder.place(other.userid)))
    number = start(work, game, seats, user.userid, because, agreed=agreed, is_proved=True)
    pairing = {"division": 0, "first": seats[0], "second": seats[1], "board": number}
    work.tx.of(Contests).add_pairings(contest.id, [pairing])
    return number


def _challenges(tx: Tx, contest: Contest) -> Challenges:
    """Return the running challenges, and the players who are resting or leaving."""
    running = tuple((each.second, each.first) for each in tx.of(Contests).running(contest.id))
    notes = {entry.userid: _note(tx, entry) for entry in tx.of(Contests).entries(contest.id)}
    return Challenges(running, {userid: note for userid, note in notes.items() if note})


def table(work: Work, command: Command, reader: User) -> None:
    """Mail a ladder."""
    contest = _ladder(work, command)
    ask_for(work, reader, ("ladder", contest.id), partial(_send, work, contest, reader))


def _send(work: Work, contest: Contest, reader: User, said: Sentence = NOTHING) -> None:
    """Mail the first places of a ladder, those around the reader, and the players to challenge."""
    rungs = standings(work.tx, contest)
    order = Ladder(tuple(rung.userid for rung in rungs))
    own = order.place(reader.userid)
    shown = [
        rung for rung in rungs if rung.place <= _SHOWN or (abs(rung.place - own) <= _AROUND and own)
    ]
    notes = {rung.userid: rung.note for rung in rungs}
    leaves = notes.get(reader.userid) == LEAVING
    facts = LadderFacts(
        title=games.load(contest.game, contest.options).title,
        word=contest.game,
        said=said,
        count=len(rungs),
        place=own,
        reader=reader.userid,
        rungs=[_line(work, rung) for rung in shown],
        leaves=leaves,
        above=[each for each in order.above(reader.userid) if not (leaves or notes[each])],
    )
    send(work, PlainLetter.with_buttons(work, reader, facts))


def _line(work: Work, rung: Rung) -> RungLine:
    away = say("away") if is_away(work, rung.userid) else NOTHING
    return RungLine(*rung[:-1], _NOTES.get(rung.note, NOTHING), away)


def _ladder(work: Work, command: Command) -> Contest:
    """Return the open ladder of the game that a command names. Raises Refusal."""
    return the_open(work.tx, LADDER, command["game"])


def tidy(work: Work) -> None:
    """Take players who have rested for long off the ladders, and let players who wait to leave do so."""
    for contest in work.tx.of(Contests).all(alive=True):
        if contest.kind != LADDER:
            continue
        for entry in work.tx.of(Contests).entries(contest.id):
            if entry.rests is None or work.now - entry.rests < REST:
                continue
            if is_resting(work.tx, entry.userid, entry.rests):
                take_off(work.tx, contest.id, entry.userid, OFF, work.now)
            else:
                work.tx.of(Contests).set_entry(entry._replace(rests=None))
        settle(work.tx, contest.id, work.now)


class LadderFeature(Feature):
    """The answers of ladders to what core asks: see ``Feature``."""

    title = "ladders"

    def on_game_end(self, work: Work, match: Match, late: str = "") -> tuple[Happening, ...]:
        """Move the winner of a challenge up, or back down if the end is taken back; let who is late rest."""
        if late:
            if match.terms.contest == LADDER:
                rest(work.tx, match, late, work.now)
            return ()
        return follow(work.tx, match, work.now)

    def check_act(self, work: Work, speaker: Speaker, act: str) -> None:
        """Refuse other terms; refuse to decline or to cancel an unbegun game, except while away."""
        if act == "counter":
            raise BoardRefusal(
                say("You can't change the terms of a ladder game."), "contest-game", speaker.match
            )
        is_unbegun = act == "decline" or (act == "cancel" and not speaker.match.record)
        if is_unbegun and not is_away(work, speaker.userid):
            raise BoardRefusal(
                say(
                    "You can only decline a ladder challenge while you're on leave. You can "
                    "resign, but then you lose your place."
                ),
                "ladder-game",
                speaker.match,
            )

    def tip(self, work: Work, letter: AboutBoard, user: User) -> Tip | None:
        """Tell of the ladder of a game who plays in no contest of it: a league tells of it at its end."""
        game = letter.match.game.word
        contests = work.tx.of(Contests)
        running = (each for each in contests.all(alive=True) if each.game == game)
        if not any(each.kind == LADDER for each in running):
            return None
        if any(each.game == game for each, _ in contests.of_player(user.userid)):
            return None
        said = say(
            "On a ladder, you challenge a player a few places above you. If you win, you take "
            "their place. To get on the ladder, reply:"
        )
        return Tip(LADDER, Below(said, (f"ladder join {game}",)), at_end=True)

    def titles(self, tx: Tx, userid: str) -> Iterator[Sentence]:
        """Yield the ladders whose first place a player holds."""
        for contest, entry in tx.of(Contests).of_player(userid):
            if contest.kind == LADDER and contest.state == OPEN and entry.place == 1:
                yield say("number one on the {game} ladder", game=games.title_of(contest.game))

    def on_account_close(self, work: Work, userid: str) -> None:
        """Take a player who closes the account off all ladders, once the games there have been resigned."""
        sign_off(work, userid)

    def due(self, context: Context, store: Store, is_up: bool) -> None:
        """Take players off who have rested for long."""
        with store.transaction() as tx:
            tidy(Work(context, tx, context.clock()))

    def pages(self, tx: Tx, name: Callable[[str], str]) -> Iterator[TablePage]:
        """Yield the page of each ladder."""
        for contest in tx.of(Contests).all():
            if contest.kind == LADDER:
                rungs = standings(tx, contest)
                yield TablePage(
                    f"ladder/{games.path_of(contest.game)}.html",
                    "ladder.html",
                    say("{title} ladder", title=games.title_of(contest.game)),
                    {"rungs": [(r.place, name(r.userid), r.won, r.lost) for r in rungs]},
                    frozenset(r.userid for r in rungs),
                )

    def check(self, tx: Tx, match: Match | None) -> Iterator[str]:
        """Fold all ladders again."""
        if match:
            return
        for contest in tx.of(Contests).all():
            if contest.kind == LADDER:
                for problem in _differences(tx, contest):
                    yield f"ladder of {contest.game}: {problem}"


def _differences(tx: Tx, contest: Contest) -> Iterator[str]:
    order = fold(tx.of(Steps).all(contest.id))
    entries = {entry.userid: entry.place for entry in tx.of(Contests).entries(contest.id)}
    for userid in sorted({*entries, *order.order}):
        if entries.get(userid, 0) != order.place(userid):
            yield f"{userid} is at place {entries.get(userid, 0)}, the games say {order.place(userid)}"
    won = {board: winner for board, winner, _ in tx.of(Steps).won(contest.id)}
    for pairing in tx.of(Contests).pairings(contest.id):
        if pairing.to_move is None:
            continue  # the board is gone; a place that was won on it stays
        has_won = pairing.result in pairing.seats and not pairing.runs
        winner = pairing.result if has_won else None
        if won.get(pairing.board or 0) != winner:
            yield f"board {pairing.board} was won by {winner or 'nobody'}, the ladder says otherwise"


FEATURE = LadderFeature()
