"""Parts that the operator's commands about leagues, cups and ladders share."""

from __future__ import annotations

import json
from collections.abc import Sequence

import click

from ... import games
from ...cli.listings import Rows, times
from ...cli.shared import work
from ...errors import BadInput
from ...games import GAMES, title_of
from ...games.base import Game
from ...grammar.arguments import take_options
from ...match import Terms, terms
from ...match.terms import NONE, NORMAL, read_time
from ...service.work.work import Work
from .lookup import the_open
from .rows import BEGUN, CLOSED, OPEN, Contest, Contests

_TIME = "10d+36h"  # for each player, unless the operator gives another one

# The games that two play.
game_argument = click.argument(
    "game",
    type=click.Choice([game.word for game in GAMES if len(game.seats) == 2], case_sensitive=False),
    metavar="GAME",
)
options_argument = click.argument("options", nargs=-1, type=click.UNPROCESSED)
AS_OF_A_CHALLENGE = {"ignore_unknown_options": True}


def time_option() -> str | None:
    """Return the time of players that the command line gives as an option of the configuration."""
    found = click.get_current_context().find_root().ensure_object(dict).get("time")
    return None if found is None else str(found)


def kind_of(word: str) -> type[Game]:
    """Return the game for two players that a word names. Raises BadInput."""
    game = games.find(word.lower())
    if game is None or len(game.seats) != 2:
        raise BadInput(f"{word} is not a game for two players on this server.", "no-game")
    return game


def open_contest(
    work: Work, kind: str, word: str, time: str | None, options: Sequence[str], days: int = 0
) -> Contest:
    """Open the contest of a kind and a game; one that was closed continues from its old state.

    days  the length of a season; 0 for a contest without seasons, such as a ladder

    Raises BadInput.
    """
    game = kind_of(word)
    known = work.tx.of(Contests).newest(kind, game.word)
    if known and known[0].state != CLOSED:
        raise BadInput(f"There is a {kind} of {game.title} already.", "open-already")
    if known:
        opened = known[0]._replace(state=OPEN)
        work.tx.of(Contests).keep(opened)
    else:
        opened = _new(work, kind, game, time, options, days)
    work.note(f"{kind} open {game.word}")
    return opened


def _new(
    work: Work, kind: str, game: type[Game], time: str | None, options: Sequence[str], days: int
) -> Contest:
    """Store a new contest, or its first season. Raises BadInput."""
    taken = take_options(list(options), game)
    if taken.rest:
        raise BadInput(f"{taken.rest[0]} is not an option of {game.title}.", "bad-option")
    agreed = {"time": read_time(time or _TIME), **taken.values["terms"]}
    if agreed["time"] == NORMAL:
        agreed["time"] = work.context.time
    if agreed["time"] == NONE or agreed.get("private") or agreed.pop("weekends", False):
        raise BadInput(
            "A game of a ladder or league has a time limit, isn't private, and doesn't stop on "
            "weekends.",
            "bad-terms",
        )
    if days:
        agreed["undo"] = "no"  # all play at the same time: nobody waits for a move again
    contest = Contest(
        id=0,
        kind=kind,
        game=game.word,
        options=games.dump(game(taken.values["options"])),
        terms=terms.dump(Terms(**agreed)._replace(contest=kind)),
        days=days,
        season=int(days > 0),
        state=OPEN,
        stage="",
        made=work.now,
    )
    return contest._replace(id=work.tx.of(Contests).add(contest))


def close(kind: str, word: str) -> None:
    """Close the contest of a kind and a game, and say so: nobody can join or challenge; running games go on.

    Raises Refusal.
    """
    with work() as at:
        contest = the_open(at.tx, kind, kind_of(word).word)
        at.tx.of(Contests).keep(contest._replace(state=CLOSED))
        at.note(f"{kind} close {contest.game}")
    click.echo(f"{kind.capitalize()} of {title_of(contest.game)} closed.")


def listed(at: Work, kind: str) -> Rows:
    """Return the contests of a kind that are open or run, and of each game at least the newest, by game.

    players  of a season that is open: those who are to play in it
    ends     the end of a season that runs, as text; None for all others
    """
    known = [each for each in at.tx.of(Contests).all() if each.kind == kind]
    newest = {each.game: each.id for each in known}
    facts = [
        {
            "game": each.game,
            "options": json.loads(each.options),
            "season": each.season or None,
            "state": each.state,
            "players": len(at.tx.of(Contests).entries(each.id)),
            "running": len(at.tx.of(Contests).running(each.id)),
            "ends": each.until if each.state == BEGUN else None,
        }
        for each in sorted(known, key=lambda each: (each.game, each.season))
        if each.state in (OPEN, BEGUN) or each.id == newest[each.game]
    ]
    return [times(each, "ends") for each in facts]
