"""The answers of watching to the questions of core, and what its commands do."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from ...command import Command
from ...errors import BadInput, Refusal, Sentence, say, together
from ...match import Change, Happening, Match
from ...match import happenings as h
from ...match.stored import pack
from ...service.letters import digests
from ...service.letters.post import BoardLetter, send, tell_account
from ...service.work.apply import load, look
from ...service.work.feature import AboutBoard, Below, Feature, Wish
from ...service.work.work import Work
from ...store import User
from .commands import DIGEST, EACH, END
from .rows import Watches, watches

# The course of a game; only its players are told about plans, notes, words and requests.
_SEEN = (
    h.Began | h.Moved | h.Passed | h.Swapped | h.Resigned | h.Left | h.Forfeited | h.Agreed
    | h.Cancelled | h.Abandoned | h.Claimed | h.TakenBack | h.Retracted | h.Reset
)  # fmt: skip


def tell(work: Work, change: Change) -> None:
    """Tell the watchers of a board its happenings; after the end of the game nobody watches it."""
    after, over = change.after, change.after.position.over
    seen = tuple(_public(change.happenings))
    if seen:
        watchers = work.tx.of(Watches).watchers(after.number)
        now = [each.name for each in watchers if each.how == EACH or (each.how == END and over)]
        letter = BoardLetter(_bare(after), seen, now, is_public=True, album=change.is_end)
        send(work, letter)
        for each in watchers:
            user = work.tx.accounts.user(each.name)
            if each.how == DIGEST and user and user.state == "active":
                _keep(work, user, after, seen)
    if over:
        work.tx.of(Watches).end(after.number)


def _public(happenings: Iterable[Happening]) -> Iterable[Happening]:
    """Yield the happenings that everybody may know; a move by a plan becomes a simple move."""
    for each in happenings:
        if isinstance(each, h.Answered):
            yield h.Moved(each.userid, each.move)
        elif isinstance(each, _SEEN):
            yield each


def _bare(match: Match) -> Match:
    """Return a match without the things that only its players know."""
    record = tuple(entry._replace(by_plan=0) for entry in match.record)
    return replace(match, record=record, request=None, plans=(), notes=())


def _keep(work: Work, user: User, match: Match, seen: tuple[Happening, ...]) -> None:
    """Keep the happenings for a watcher's next digest, and make one due if there is none."""
    note = {"happened": pack(seen), "comment": None}
    work.tx.digests.add_untold(user.userid, match.number, work.now, json.dumps(note))
    if user.digest_due is None:
        work.tx.accounts.set_wishes(digests.with_next(work, user))


MOST = 50  # the most boards, and the most players, that one player can watch
_TOLD = {
    EACH: say("You'll get a letter after each move."),
    END: say("You'll get a letter when the game ends."),
    DIGEST: say("You'll get one letter a day with all the updates."),
}
_REPLIES = ("watches",)
_SHOWN = 3  # boards, and players, that a letter offers to watch no more


def watch(work: Work, command: Command, user: User) -> None:
    """Watch a board from now on, or change the way in which it is watched. Raises Refusal."""
    match = look(work, command["watched"], user, command.game)
    number, how = match.number, command.args.get("how", DIGEST)
    if user.userid in match.seats:
        raise Refusal(
            say("You're playing on that board, so you get its letters anyway."), "own-board"
        )
    if match.position.over:
        raise Refusal(
            say(
                "The game is over. To see it, send: {command}",
                command=f"{match.game.word} show {number}",
            ),
            "game-over",
        )
    require_room(work, user)
    work.tx.of(Watches).watch(number, user.userid, how)
    tell_account(
        work,
        user,
        say("watching"),
        together(
            say(
                "You're now watching board {number}, a game of {game}.",
                number=number,
                game=_named(match),
            ),
            _TOLD[how],
            say("We tell its players how many people are watching, but not who."),
        ),
        (f"unwatch {number}", *_REPLIES),
    )


def _named(match: Match) -> Sentence:
    return say("{game} between {players}", game=match.game.title, players=match.seats)


def require_room(work: Work, user: User) -> None:
    """Raise Refusal if a player already watches as many boards as possible."""
    if work.tx.of(Watches).count(user.userid) >= MOST:
        raise Refusal(
            say("You're already watching {most} boards, which is the limit.", most=MOST),
            "too-many-watches",
        )


def unwatch(work: Work, command: Command, user: User) -> None:
    """Stop watching a board. Raises BadInput if it is not watched."""
    match = load(work, command["watched"], command.game)
    if not work.tx.of(Watches).unwatch(match.number, user.userid):
        raise BadInput(
            say("You're not watching board {number}.", number=match.number), "not-watched"
        )
    tell_account(
        work,
        user,
        say("watching"),
        say("You've stopped watching board {number}.", number=match.number),
        _REPLIES,
    )


def watch_player(work: Work, command: Command, user: User) -> None:
    """Watch all games that a player begins from now on. Raises BadInput, Refusal."""
    player, how = command["userid2"], command.args.get("how", DIGEST)
    if work.player(player) == user:
        raise BadInput(say("That's your own name. Please name someone else."), "same-player")
    if len(work.tx.of(Watches).followed(user.userid)) >= MOST:
        raise Refusal(
            say("You're already watching {most} players, which is the limit.", most=MOST),
            "too-many-watches",
        )
    work.tx.of(Watches).follow(player, user.userid, how)
    notice = together(
        say("You're now watching every new game that {userid} plays.", userid=player), _TOLD[how]
    )
    tell_account(work, user, say("watching"), notice, (f"unwatch player {player}", *_REPLIES))


def unwatch_player(work: Work, command: Command, user: User) -> None:
    """Stop watching new games of a player. Raises BadInput if they are not watched."""
    player = command["userid2"]
    if not work.tx.of(Watches).unfollow(player, user.userid):
        raise BadInput(say("You're not watching {userid}.", userid=player), "not-watched")
    notice = say(
        "You've stopped watching {userid}'s new games. You'll still get letters about the "
        "boards you're watching already.",
        userid=player,
    )
    tell_account(work, user, say("watching"), notice, _REPLIES)


def list_watches(work: Work, _command: Command, user: User) -> None:
    """Mail a player the lists of the boards and players that the player watches."""
    watched = work.tx.of(Watches).watched(user.userid)
    followed = work.tx.of(Watches).followed(user.userid)
    boards = tuple(
        say(
            "{number} ({game}; {how})",
            number=each.name,
            game=_named(load(work, int(each.name))),
            how=each.how,
        )
        for each in watched
    )
    players = ", ".join(f"{each.name} ({each.how})" for each in followed)
    tell_account(
        work,
        user,
        say("watching"),
        together(
            say("Boards you're watching: {boards}.", boards=boards)
            if boards
            else say("You're not watching any boards."),
            say("Players whose new games you're watching: {players}.", players=players)
            if players
            else say("You're not watching any players."),
            say("You get the daily letter at {time}.", time=digests.at(user)),
        ),
        (
            *(f"unwatch {each.name}" for each in watched[:_SHOWN]),
            *(f"unwatch player {each.name}" for each in followed[:_SHOWN]),
        ),
    )


class WatchingFeature(Feature):
    """The answers of watching to what core asks: see ``Feature``."""

    title = "watchers"

    def on_game_start(self, work: Work, match: Match) -> Mapping[str, int]:
        """Let people who watch the games of its players watch a new game."""
        if match.terms.private or len(match.seats) == 1:
            return {}
        followers = [
            each
            for each in work.tx.of(Watches).followers(match.seats)
            if each.name not in match.seats
        ]
        for each in followers:
            work.tx.of(Watches).watch(match.number, each.name, each.how)
        return {watches.name: len({each.name for each in followers})} if followers else {}

    def on_change(self, work: Work, change: Change) -> None:
        """Tell the watchers; a board comes with their number, so one without any costs no statement."""
        if _count(change.after):
            tell(work, change)

    def footer(self, work: Work, letter: AboutBoard, user: User, reader: str) -> tuple[Below, ...]:
        """Return how many watch, for a player; the way to stop, for a watcher."""
        number = letter.match.number
        if reader and (count := _count(letter.match)):
            return (Below(say("People watching: {number}.", number=count)),)
        if letter.is_public and not letter.match.position.over:
            said = say("You're watching this board. To stop, reply:")
            return (Below(said, (f"unwatch {number}",)),)
        return ()

    def letter_settings(self, work: Work, user: User) -> Iterator[Wish]:
        """Yield the command that lists what a player watches, if some of it is told once a day."""
        mine = work.tx.of(Watches)
        wanted = {each.how for each in (*mine.watched(user.userid), *mine.followed(user.userid))}
        if DIGEST in wanted:
            yield Wish(stop=f"watches {user.userid} password")

    def on_account_close(self, work: Work, userid: str) -> None:
        """Forget what a player watches, and who watches the player."""
        work.tx.of(Watches).forget(userid)


def _count(match: Match) -> int:
    """Return how many others watch a board."""
    return dict(match.counts).get(watches.name, 0)


FEATURE = WatchingFeature()
