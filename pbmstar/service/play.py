"""Boards: challenge, moves, endings, and the mails that show them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .. import games
from ..command import Command, usage
from ..errors import BadInput, IllegalMove, InvalidMove, Refusal
from ..games.base import PLAYERS, Game
from ..match import AGREE, RESIGN, Match, replay
from ..render import Comment
from ..store import Board
from . import proof, wishes
from .desk import Desk


class BoardRefusal(Refusal):
    """A command that was refused on a board; the answer shows the board as it stands."""

    def __init__(self, text: str, match: Match) -> None:
        super().__init__(text)
        self.match = match


def load(desk: Desk, number: int, game: type[Game] | None = None) -> Match:
    """The match of a board. Raises BadInput if there is none of that number; ``game`` was typed."""
    row = desk.tx.board(number)
    if row is None:
        which = f" To see which there are: {game.word} games" if game else ""
        raise BadInput(f"There is no board {number}.{which}", "no-board")
    return desk.context.matches.match(desk.tx, row)


def challenge(desk: Desk, command: Command) -> None:
    """Start a game between two accounts; one of them must have sent the mail."""
    assert command.game is not None
    first, second = command["userid1"], command["userid2"]
    if first == second:
        raise BadInput("A game needs two different players.\n" + _usage_of(command))
    players = []
    for userid in (first, second):
        user = desk.tx.user(userid)
        if user is None or user.state == "closed":
            raise BadInput(f"There is no player {userid}.\n" + _usage_of(command))
        players.append(user)
    if not any(user.address == desk.author for user in players):
        raise Refusal(
            "A challenge is to come from the address of one of its two players, as it is on file."
        )
    challenger = next(user for user in players if user.address == desk.author)
    other = players[1] if challenger is players[0] else players[0]
    proof.admit(desk, challenger)
    wishes.may_challenge(desk, challenger, other, command.game.word)
    game = command.game(command["options"])
    start(desk, game, first, second, challenger.userid)


def start(desk: Desk, game: Game, first: str, second: str, challenger: str = "") -> int:
    """Start a game and tell both players; returns the board's number."""
    row = Board(
        board=0,
        game=game.word,
        options=games.dump(game),
        first=first,
        second=second,
        made=desk.now,
        nag_days=None,
        forfeit_days=None,
        resets=0,
        offer="",
        length=0,
        to_move=first,
        result="",
        since=desk.now,
    )
    row = row._replace(board=desk.tx.add_board(row))
    desk.post_board(
        replay(row, ()),
        prefix="New ",
        notices=(
            f"A new game of {game.title} has begun. {first} plays X and moves first, {second} "
            "plays O. Until your own first move you may decline it.",
        ),
        comment=Comment(challenger, desk.comment) if challenger else None,
        answers=challenger,
        first=True,
    )
    return row.board


def move(desk: Desk, command: Command) -> None:
    """Play a move, pass, swap or resign, by password or by the token of a reply."""
    match, userid = _mine(desk, command)
    words: Sequence[str] = command["move"]
    guard = command.args.get("guard")
    if match.position.over:
        raise BoardRefusal("The game is over.", match)
    try:
        text = match.game.read(words)
    except InvalidMove as error:
        raise BoardRefusal(str(error), match) from None
    if text == RESIGN:
        _play(desk, match, userid, RESIGN)
        return
    if match.to_move != userid:
        raise BoardRefusal(_too_early(match, userid, text, guard), match)
    if guard is not None and guard != match.turn:
        raise BoardRefusal(
            f"Your move is meant as move {guard}, but this is move {match.turn}.", match
        )
    _play(desk, match, userid, text)


def _too_early(match: Match, userid: str, text: str, guard: int | None) -> str:
    """Why a move is refused that comes while the other player is to move."""
    if guard is not None and guard < match.turn:
        return f"Move {guard} has already been played."
    last = match.record[-1] if match.record else None
    if last and (last.userid, last.move) == (userid, text):
        return f"{text} has been played already. It is not your turn."
    return "It is not your turn."


def as_move(text: str) -> Any:
    """The handler of the verb that is the move ``text``."""

    def play_word(desk: Desk, command: Command) -> None:
        command.args.update(move=[text], guard=None)
        move(desk, command)

    return play_word


def propose(desk: Desk, command: Command) -> None:
    """Offer to end the game with a score; the other may accept it until the next move."""
    match, userid = _mine(desk, command)
    if match.position.over:
        raise BoardRefusal("The game is over.", match)
    x, o = command["points"]
    _possible(match, x, o)
    desk.tx.set_offer(match.number, f"{userid} {x} {o}")
    match = Match(match.row._replace(offer=f"{userid} {x} {o}"), match.record, match.position)
    _tell(
        desk,
        match,
        userid,
        f"{userid} proposes to end the game with the score {x}-{o}, X's points first.",
    )


def _possible(match: Match, x: int, o: int) -> None:
    """Raises BoardRefusal if the board can no longer come to that score."""
    if not match.game.has_points:
        raise BoardRefusal(f"{match.game.title} has no score to agree on; you may resign.", match)
    if not match.game.can_end(match.bounds, (x, o)):
        ends = " and ".join(
            f"{player} {low} to {high}"
            for player in PLAYERS
            for low, high in [match.bounds.of(player)]
        )
        total = match.game.total
        together = f", {total} together" if total is not None else ""
        raise BoardRefusal(f"The score {x}-{o} cannot come about: {ends}{together}.", match)


def accept(desk: Desk, command: Command) -> None:
    """End the game with the score that the opponent proposed."""
    match, userid = _mine(desk, command)
    if match.position.over:
        raise BoardRefusal("The game is over.", match)
    offer = match.row.offer.split()
    if not offer or offer[0] == userid:
        raise BoardRefusal("Your opponent has proposed no score since the last move.", match)
    _play(desk, match, userid, f"{AGREE} {offer[1]} {offer[2]}")


def decline(desk: Desk, command: Command) -> None:
    """Refuse a new game before one's own first move: the board is deleted."""
    match, userid = _mine(desk, command)
    if match.position.over:
        raise BoardRefusal("The game is over.", match)
    if match.has_moved(userid):
        raise BoardRefusal("You have made a move already; you may resign instead.", match)
    remove(desk, match, f"{userid} declines the game; the board is removed.", userid)


def remove(desk: Desk, match: Match, notice: str, userid: str = "") -> None:
    """Delete a board and tell both players."""
    desk.tx.drop_board(match.number)
    for who in (match.row.first, match.row.second):
        user = desk.tx.user(who)
        if user and user.address:
            desk.post(
                "removed.txt",
                who,
                user.address,
                {
                    "title": match.game.title,
                    "number": match.number,
                    "notice": notice,
                    "comment": Comment(userid, desk.comment) if userid and desk.comment else None,
                },
                {"Thread": desk.thread(match, who)},
                answered=who == userid,
            )


def resign_for(desk: Desk, number: int, userid: str, notice: str, how: str = RESIGN) -> None:
    """End a running game as lost for ``userid``, in turn or not, and tell both players."""
    match = load(desk, number)
    _play(desk, match, userid, how, (notice,))


def _mine(desk: Desk, command: Command) -> tuple[Match, str]:
    """The match and the player that a command speaks for. Raises NotYou, BadInput, Refusal."""
    if desk.seat:
        return load(desk, command["board"]), desk.seat
    userid = proof.authenticate(desk, command["userid"], command["password"]).userid
    desk.answer_to(userid)
    match = load(desk, command["board"], command.game)
    kind = command.game
    if kind is not None and kind is not type(match.game):
        typed, meant = kind.word.strip("*"), match.game.word.strip("*")
        if typed != meant:  # a mail program may have eaten or added an asterisk, nothing else
            raise BadInput(f"Board {match.number} is a board of {match.game.title}.")
    if match.seat(userid) is None:
        raise BadInput(f"You do not play on board {match.number}.")
    return match, userid


def _play(desk: Desk, match: Match, userid: str, text: str, notices: tuple[str, ...] = ()) -> None:
    """Record one entry, keep what follows from it, mail both players."""
    try:
        after = match.after(userid, text, desk.now)
    except IllegalMove as error:
        raise BoardRefusal(str(error), match) from None
    desk.tx.add_move(after.record[-1])
    row = after.row
    desk.tx.set_turn(row.board, row.length, row.to_move, row.result, row.since)
    desk.context.matches.keep(after)
    _tell(desk, after, userid, *(notices or _notices(after, userid, text)))


def _tell(desk: Desk, match: Match, userid: str, *notices: str) -> None:
    desk.post_board(match, notices=notices, comment=Comment(userid, desk.comment), answers=userid)


def _notices(match: Match, userid: str, text: str) -> tuple[str, ...]:
    """What a letter says about the move just made, where the board does not show it."""
    if text == RESIGN:
        return (f"{userid} resigns.",)
    if text.startswith(AGREE):
        return (f"{userid} accepts the score {'-'.join(text.split()[1:])}, X's points first.",)
    if text == "swap":
        now = match.players
        return (f"{userid} swaps: {now['X']} plays X now and owns the stone, {now['O']} plays O.",)
    if text == "pass":
        if match.position.over:
            return (f"{userid} passes too: the game is over.",)
        return (f"{userid} passes. {_pass_warning(match)}",)
    return ()


def _pass_warning(match: Match) -> str:
    """What a second pass would mean."""
    if not match.game.has_points:
        return "A second pass in succession ends the game as a tie."
    x, o = match.score.points
    warning = (
        f"A second pass in succession ends the game with the score as the board stands, {x}-{o}."
    )
    if match.bounds.settled:
        return warning
    ends = [
        f"{match.players[player]} could still have {low} to {high}"
        for player in PLAYERS
        for low, high in [match.bounds.of(player)]
    ]
    return f"{warning} The board is not settled: {', '.join(ends)}."


def _usage_of(command: Command) -> str:
    lines = usage(command.verb, command.game)
    return "Write it like this:\n" + "\n".join(f"  {line}" for line in lines)
