"""The operator's commands about cups: begun, ended and closed by hand, and their tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from ...cli.listings import Rows, as_json_option, lists, times
from ...cli.options import Group, configuration, statuses
from ...cli.shared import context, send, store, work
from ...errors import BadInput, Sentence, say
from ...games import title_of
from ...service.work.work import Work
from ...store import Tx
from ..contests.cli import game_argument, kind_of, listed
from ..contests.rows import BEGUN, CLOSED, OPEN, Contest, Contests
from ..league.cli import facts_of, print_season
from .commands import CUP


@click.group(cls=Group, example="list")
def cup() -> None:
    """Cups: their tables, and changes by hand.

    They begin by themselves, and in a cup all players play each other at the same time.
    """


@cup.command("list")
@lists("There are no cups yet: the first player who enters one makes it.")
def cup_list(at: Work) -> Rows:
    """List the cups.

    For each game you see the running cup, and the next one if players can enter it.
    """
    return listed(at, CUP)


@cup.command("show", example="star")
@game_argument
@as_json_option
def cup_show(game: str, as_json: bool) -> None:
    """Print the table of a game's cup.

    You see the running cup, or else the last one, and who has entered the next one.
    """
    with work(writes=False) as at:
        facts = times(cup_facts(at.tx, game), "begins")
    print_season("Cup", facts, as_json)
    if not as_json:
        begins = f"; it begins on {facts['begins']}" if facts["begins"] else ""
        click.echo(f"In the next cup: {', '.join(facts['joined']) or 'nobody'}{begins}.")


@cup.command("begin", example="star")
@game_argument
def cup_begin(game: str) -> None:
    """Start the next cup now.

    At least two players must have entered it.
    """
    _change(begin, game, "begun")


@cup.command("end", example="star")
@game_argument
def cup_end(game: str) -> None:
    """End the cup now.

    We judge the games that are still running.
    """
    _change(end, game, "ended")


@cup.command("close", example="star")
@game_argument
def cup_close(game: str) -> None:
    """Close the cups of a game.

    After that, nobody can enter one. We call off the next cup, and tell its players. A running cup goes on.
    """
    _change(close, game, "closed")


@cup.command("open", example="star")
@game_argument
def cup_open(game: str) -> None:
    """Open the cups of a game again.

    You only need this after you've closed them.
    """
    _change(reopen, game, "opened")


@cup.command("remove", example="star alice")
@game_argument
@click.argument("userid")
def cup_remove(game: str, userid: str) -> None:
    """Take a player out of a cup.

    We tell the player. In a running cup, the player's games go on, but they no longer count: if at least half
    of them are over, the player loses the others in the table. Otherwise we take all of them out of the
    table.
    """
    _change(lambda at, word: remove(at, word, userid.lower()), game, "changed")


def _change(change: Callable[[Work, str], Contest], game: str, how: str) -> None:
    """Change a cup: its games begin or are judged in small steps, and their letters are sent."""
    from . import running  # noqa: PLC0415

    with work() as at:
        changed = change(at, game)
    config = configuration()
    with statuses(), store(config) as opened:
        running.carry_on(context(config), opened)
        send(config, opened)
    click.echo(f"Cup {changed.season} of {title_of(changed.game)} {how}.")


def cup_facts(tx: Tx, word: str) -> dict[str, Any]:
    """Return the cup of a game that runs, or the last one, as the promised JSON. Raises BadInput.

    joined  those who have entered the next cup
    begins  the time at which that begins even if it is not full; None if too few have entered
    """
    from .verbs import LEAST, PATIENCE  # noqa: PLC0415

    last_two = _newest(tx, word)
    found, joined = facts_of(tx, last_two), []
    if last_two[0].state == OPEN:
        joined = tx.of(Contests).entries(last_two[0].id)
    enough = len(joined) >= LEAST
    begins = min(each.joined for each in joined) + PATIENCE if enough else None
    return found | {"joined": [each.userid for each in joined], "begins": begins}


def begin(work: Work, word: str) -> Contest:
    """Begin the cup that players have entered, if at least two of them can play. Raises BadInput."""
    from . import running  # noqa: PLC0415

    contest = _newest(work.tx, word)[0]
    if contest.state != OPEN or not running.begin(work, contest, lambda who, _: len(who) > 1):
        raise BadInput("Fewer than two players are waiting for this cup.")
    work.note(f"cup begin {contest.game} {contest.season}")
    return contest


def end(work: Work, word: str) -> Contest:
    """End the running cup of a game: its games are judged. Raises BadInput."""
    contest = next((each for each in _newest(work.tx, word) if each.state == BEGUN), None)
    if contest is None:
        raise BadInput("No cup of this game is running.")
    work.tx.of(Contests).keep(contest._replace(until=work.now))
    work.note(f"cup end {contest.game} {contest.season}")
    return contest


def close(work: Work, word: str) -> Contest:
    """Close the cups of a game: nobody can enter, and one that has not begun never does. Raises Refusal."""
    from ..league.verbs import name_of  # noqa: PLC0415
    from .verbs import next_cup  # noqa: PLC0415

    contest = next_cup(work, kind_of(word))
    for entry in work.tx.of(Contests).entries(contest.id):
        said = say("The operator of this server has called off {cup}.", cup=name_of(contest))
        _let_go(work, contest, entry.userid, said)
    work.tx.of(Contests).keep(contest._replace(state=CLOSED))
    work.note(f"cup close {contest.game}")
    return contest


def reopen(work: Work, word: str) -> Contest:
    """Let players enter the cups of a game again. Raises BadInput."""
    contest = _newest(work.tx, word)[0]
    if contest.state != CLOSED:
        raise BadInput("The cups of this game aren't closed.")
    work.tx.of(Contests).keep(contest._replace(state=OPEN))
    work.note(f"cup open {contest.game}")
    return contest


def remove(work: Work, word: str, userid: str) -> Contest:
    """Take a player out of the cup that runs, or has not begun. Raises BadInput.

    Of one that runs, the player's games go on: they count as a league's do for a player who withdraws.
    """
    from ..league.verbs import name_of  # noqa: PLC0415

    for contest in _newest(work.tx, word):
        entry = work.tx.of(Contests).entry(contest.id, userid)
        if entry is None or entry.state or contest.state not in (OPEN, BEGUN):
            continue
        said = say("The operator of this server has taken you out of {cup}.", cup=name_of(contest))
        _let_go(work, contest, userid, said)
        work.note(f"cup remove {contest.game} {userid}")
        return contest
    raise BadInput(f"{userid} isn't in a running or upcoming cup of this game.")


def _let_go(work: Work, contest: Contest, userid: str, said: Sentence) -> None:
    """Take a player out of a cup, and tell the player."""
    from ...service.letters.post import tell_account  # noqa: PLC0415
    from ..league.verbs import take_out  # noqa: PLC0415

    if contest.state == BEGUN:
        take_out(work, contest, userid)
    else:
        work.tx.of(Contests).drop_entry(contest.id, userid)
    user = work.tx.accounts.user(userid)
    if user is not None and user.state == "active":
        tell_account(work, user, say("cup"), said)


def _newest(tx: Tx, word: str) -> list[Contest]:
    """Return the two newest cups of a game, the newest first. Raises BadInput if there is none."""
    game = kind_of(word)
    found = tx.of(Contests).newest(CUP, game.word, 2)
    if not found:
        raise BadInput(f"There is no cup of {game.title} yet.")
    return found


COMMAND = cup
