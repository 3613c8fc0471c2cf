"""What only asks: boards, score reports, lists, help. Nothing is changed, the asker alone is told."""

from __future__ import annotations

from .. import games
from ..command import Command
from ..errors import BadInput
from ..match import replay
from ..store import Board
from . import play
from .desk import Desk

_SHOWN = 10  # boards that one command mails


def show(desk: Desk, command: Command) -> None:
    """Mail boards, or boards as they were, to whoever of the accounts asks."""
    reader = desk.reader()
    for number, at in command["boards"][:_SHOWN]:
        match = play.load(desk, number, command.game)
        notices: tuple[str, ...] = ()
        if at is not None:
            if at > match.position.played:
                raise play.BoardRefusal(f"Board {number} has no move {at} yet.", match)
            match = replay(match.row, match.record, at)
            notices = (f"The board as it was after move {at}.",)
        desk.post_board(
            match,
            to=(reader.userid,),
            notices=notices,
            answers=reader.userid,
            past=at is not None,
        )


def score(desk: Desk, command: Command) -> None:
    """Mail the detailed score report of a board."""
    reader = desk.reader()
    match = play.load(desk, command["board"], command.game)
    facts = {**desk.told(match), "report": match.game.report(match.position.stones)}
    desk.post("score.txt", reader.userid, reader.address, facts)


def list_games(desk: Desk, command: Command) -> None:
    """Mail a list of games: those of a player, or one's own."""
    kind = command.game
    assert kind is not None
    reader = desk.reader()
    state = command.args.get("state")
    of = command.args.get("userid", reader.userid)
    if desk.tx.user(of) is None:
        raise BadInput(f"There is no player {of}.")
    facts = {
        "title": kind.title,
        "word": kind.word,
        "heading": f"Games of {of}" + (f", {state}" if state else "") + ":",
        "lines": [_line(row) for row in desk.tx.boards_of(of, state) if row.game == kind.word],
    }
    desk.post("list.txt", reader.userid, reader.address, facts)


def _line(row: Board) -> str:
    options = games.load(row.game, row.options).described()
    now = f"{row.to_move} to move" if row.to_move else f"over, {row.result}"
    if not row.to_move and row.result != "tie":
        now = f"over, {row.result} won"
    return f"  {row.board:>6}  {row.first} - {row.second}: {now} {options}".rstrip()


def help_page(desk: Desk, command: Command) -> None:
    """Mail the help page of a game, or of a topic."""
    reader = desk.reader()
    topic = command.args.get("topic") or ("index" if command.game is None else "")
    game = command.game or games.find(topic)
    if game:
        topic = game.word.replace("*", "star")
    topics = desk.context.renderer.topics()
    page = desk.context.renderer.help(topic, game) if topic in topics else None
    if page is None:
        known = ", ".join(topics)
        raise BadInput(f"There is no help on that. There is help on: {known}.")
    title = game.title if game else topic
    facts = {"topic": f"Help: {title}", "page": page}
    desk.post("page.txt", reader.userid, reader.address, facts)
