"""Boards, accounts, mails and letters in the forms for the operator: rows, JSON, sentences."""

from __future__ import annotations

import email
import email.policy
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import wraps
from typing import Any

import click

from ..games.spelling import plural
from ..match import Match, spelled_result
from ..match.plan_grammar import write
from ..render import Recipe, Renderer
from ..render.board import transcript
from ..render.board.clock_face import ClockFace
from ..render.board.transcript import when
from ..store import Board, Tx, User
from .shared import work

Rows = list[dict[str, Any]]
_HEADS = ("From", "To", "Reply-To", "Subject", "Message-ID")
_TOKEN = re.compile(r"\b[a-z2-7]{32}\b")  # a one-time token
_DETAIL = re.compile(r"\+[a-z0-9_-]{20,64}@")  # of a reply address


def times(facts: dict[str, Any]) -> dict[str, Any]:
    """Return the facts with their times as text."""
    names = ("at", "since", "last_seen", "locked_until", "made", "sent", "due")
    return {
        name: when(value)
        if name in names and value is not None
        else [times(each) if isinstance(each, dict) else each for each in value]
        if isinstance(value, list)
        else value
        for name, value in facts.items()
    }


def board_facts(match: Match, clock: ClockFace | None) -> dict[str, Any]:
    """Return a board as its documented JSON object; ``clock``: the players' time, if it is limited."""
    deadline = clock and clock.deadline
    return {
        **transcript.facts(match),
        "requests": [
            {"kind": r.kind, "userid": r.userid, "data": r.data} for r in (match.request,) if r
        ],
        "clock": dict(clock.left) if clock else None,
        "deadline": when(deadline) if deadline else None,
    }


def plans(match: Match) -> dict[str, str]:
    """Return the players' plans by userid."""
    return {userid: write(plan) for userid, plan in match.plans}


def board_line(tx: Tx, row: Board) -> dict[str, Any]:
    """Return a board as a row."""
    first, *others = row.seats
    return {
        "board": row.board,
        "game": row.game,
        "options": _options(row),
        "first": first,
        "second": others[0] if others else None,
        "to_move": row.to_move or None,
        "over": not row.to_move,
        "result": spelled_result(row.result, tx.boards.winner(row)) or None,
        "since": when(row.since),
    }


def _options(row: Board) -> dict[str, Any]:
    """Return the options of a board; of a damaged one only that."""
    try:
        return dict(json.loads(row.options))
    except (ValueError, TypeError):
        return {"damaged": True}


def user_line(user: User) -> dict[str, Any]:
    """Return an account as a row."""
    return {
        "userid": user.userid,
        "address": user.address,
        "state": user.state,
        "since": when(user.made),
    }


def letter_text(renderer: Renderer, content: bytes) -> str:
    """Return the text of a letter as mailed, with the tokens that act for its reader masked."""
    mail = renderer.write(Recipe.from_bytes(content)) if content.startswith(b"{") else content
    part = email.message_from_bytes(mail, policy=email.policy.default)
    body = part.get_body(("plain",))
    text = body.get_content() if body else "[no plain text]"
    heads = [f"{name}: {part[name]}" for name in _HEADS if part[name]]
    whole = "\n".join([*heads, "", text.rstrip("\n")])
    return _DETAIL.sub("+TOKEN@", _TOKEN.sub("TOKEN", whole))


as_json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def lists(empty: str) -> Callable[[Callable[..., Rows]], Callable[..., None]]:
    """Return a decorator: a command that prints the rows that a function finds in the store.

    ``empty`` is the sentence that it prints if there are none.
    """

    def decorator(find: Callable[..., Rows]) -> Callable[..., None]:
        @as_json_option
        @wraps(find)
        def command(as_json: bool, **values: Any) -> None:
            with work(writes=False) as at:
                rows = find(at, **values)
            print_rows(rows, as_json, empty)

        return command

    return decorator


def print_json(value: Any) -> None:
    """Print a value as JSON."""
    click.echo(json.dumps(value, indent=1))


def print_facts(value: Any, lines: Iterable[str], as_json: bool) -> None:
    """Print a value as JSON, or the lines that say the same."""
    if as_json:
        print_json(value)
    else:
        click.echo("\n".join(lines))


def print_rows(rows: Rows, as_json: bool, empty: str) -> None:
    """Print rows as JSON, or as lines below the names of the columns; if there are none, print ``empty``."""
    if as_json:
        print_json(rows)
        return
    if not rows:
        click.echo(empty)
        return
    named = [name for name in rows[0] if not isinstance(rows[0][name], bool)]
    lines = [named, *([_said(row[name]) for name in named] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        cells = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        click.echo("  ".join(cells).rstrip())


def _said(value: Any) -> str:
    """Return a value of a row as text, with options spelled as in a challenge."""
    if value in (None, "", {}):
        return "-"
    if not isinstance(value, dict):
        return str(value)
    return " ".join(f"-{name}" + ("" if it is True else f"={it}") for name, it in value.items())


# -- sentences of ``admin explain`` and ``admin user show``

Facts = Mapping[str, Any]
_AUTHENTIC = {
    "pass": "Our mail server vouches for its From address.",
    "fail": "Our mail server says that its From address is forged.",
    "none": "Our mail server said nothing of its From address.",
}


def sentences(facts: Facts) -> Iterator[str]:
    """Yield the sentences, one a line, with details indented."""
    if "board" in facts:
        yield from _board(facts)
    elif "userid" in facts:
        yield from about_user(facts)
    for letter in facts.get("letters", ()):
        yield about_letter(letter)
    for mail in facts["mails"]:
        yield from _mail(mail)


def about_user(facts: Facts) -> Iterator[str]:
    """Yield the sentences about an account."""
    address = f", address {facts['address']}" if facts["address"] else ""
    yield f"The account {facts['userid']} was opened {when(facts['since'])}: {facts['state']}{address}."
    seen = facts["last_seen"]
    yield (
        f"  It last wrote {when(seen)}."
        if seen
        else "  No password or reply of it came in the last 30 days."
    )
    for other in facts["other_addresses"]:
        back = f", mail has come back, score {other['bounces']:g}" if other["bounces"] else ""
        yield f"  It also has the address {other['address']} ({other['kind']}{back})."
    if facts["bounces"]:
        yield f"  Mail to it has come back, score {facts['bounces']:g} (3 suspends it)."
    if facts["locked_until"]:
        yield f"  Wrong passwords: some mails are not looked at until {when(facts['locked_until'])}."
    yield from (f"  {about_letter(each)}" for each in facts["waiting"])
    yield from (f"  {about_letter(each)}" for each in facts["again"])


def _board(facts: Facts) -> Iterator[str]:
    name = f"Board {facts['board']}"
    if facts["state"] == "removed":
        yield f"{name} has been removed."
        return
    players = " and ".join(facts["players"])
    yield f"{name} is a game of {facts['game']}, played by {players}."
    if facts["state"] == "over":
        yield f"  It ended {when(facts['since'])}, result {facts['result']}."
        return
    yield f"  It has been {facts['to_move']}'s turn since {when(facts['since'])}."
    for each in facts["reminders"]:
        where = f": {about_letter(each)}" if "letter" in each else "; no letter was sent."
        yield f"  Reminder ({each['stage']}) {when(each['at'])}{where}"
    if facts["due"]:
        yield f"  The next reminder or end is looked for at {when(facts['due'])}."


def _mail(mail: Facts) -> Iterator[str]:
    who = "from no account"
    if mail["userid"]:
        proof = "proved to be" if mail["proved"] else "said without proof to be"
        who = f"{proof} from {mail['userid']}"
    yield f"Mail {mail['mail'] or '(without an id)'} came {when(mail['at'])}, {who}."
    if mail["node"]:
        yield f"  Node {mail['node']} took it."
    if mail["authentic"]:
        yield f"  {_AUTHENTIC[mail['authentic']]}"
    if mail["commands"]:
        yield f"  It asked for: {', '.join(mail['commands'])}."
    why = f" ({mail['why']})" if mail["why"] else ""
    yield f"  It was {mail['outcome']}{why}."
    yield from (f"  Reason {code}: {reason(code)}".rstrip(": ") for code in mail["codes"])
    yield from (f"  {about_letter(each)}" for each in mail["letters"])
    if not mail["letters"]:
        yield "  No letter came of it."


def about_letter(facts: Facts) -> str:
    """Return the sentence about one letter."""
    to = f" to {facts['userid']}" if facts["userid"] else ""
    name = f"Letter {facts['letter']}{to}"
    state = facts["state"]
    if state == "forgotten":
        return f"{name} is forgotten, after 30 days or with its reader."
    if state == "sent":
        queued = f" The relay has queued it as {facts['queued']}." if facts["queued"] else ""
        again = ""
        if facts["tries"] > 1:
            again = f" It took {facts['tries']} tries, so it may have arrived more than once."
        return f"{name} was sent {when(facts['sent'])}.{queued}{again}"
    relay = f" The relay said: {facts['trouble']}" if facts["trouble"] else ""
    if state == "waiting":
        return (
            f"{name} waits since {when(facts['made'])}, tried {plural(facts['tries'], 'time')}, next "
            f"{when(facts['due'])}.{relay}"
        )
    if state == "dropped":
        return f"{name} was dropped by the operator."
    return f"{name} was refused for good after {plural(facts['tries'], 'try', 'tries')}.{relay}"


REASONS = {
    # -- the mail as a whole
    "banned": "Mail of this address or its domain is banned.",
    "board-gone": "The board of that reply address is no more.",
    "empty-reply": "The reply has no line with a command or a move.",
    "foreign-token": "The reply came from an address that is not the player's.",
    "no-command": "The mail has no command.",
    "not-authentic": "Our mail server says that the From address is forged.",
    "quiet": "Mail of this kind is not answered.",
    "too-many-commands": "There were more commands than one mail or one hour may have.",
    "too-many-errors": "Too many mails of the account had mistakes that day.",
    "too-many-letters": "The mail asked for more letters than it may.",
    "too-many-mails": "Too many mails came from this address within an hour.",
    "unknown-token": "Nobody has, or has any more, the reply address that the mail went to.",
    "unreadable": "A part of the mail could not be read.",
    # -- the writer
    "no-account": "The address has no account.",
    "not-you": "The userid or the password was wrong, or was not looked at after too many wrong ones.",
    "not-your-address": "No player of that game has the address that the mail is from.",
    "suspended": "The address of the account has to be confirmed again.",
    "too-many-wrong": "Other passwords in the mail were wrong, so this one was not looked at.",
    # -- the form of a command
    "bad-address": "That is no mail address that an account can have.",
    "bad-board": "That is no number of a board.",
    "bad-choice": "That is none of the values to choose from.",
    "bad-days": "The dates could not be read.",
    "bad-filter": "That is no part of a list of games.",
    "bad-lesson": "That is no lesson of the course.",
    "bad-problem": "That is no number of a problem.",
    "bad-year": "That is no year.",
    "bad-month": "That is no month.",
    "bad-number": "That is no number that is possible there.",
    "bad-option": "A game or the terms have no such option or value.",
    "bad-password": "A password like that cannot be chosen.",
    "bad-plan": "The plan could not be read.",
    "bad-points": "Those are no points of a score.",
    "bad-ranking": "That is no part of the list of ratings.",
    "bad-offer": "That is no number of an offer.",
    "bad-rating": "That is no range of ratings.",
    "bad-reason": "The reason to decline was not one of those to choose from.",
    "bad-seat": "There is no such seat.",
    "bad-switch": "The value is to be on or off.",
    "bad-time": "That is no time of a clock or of a day.",
    "bad-token": "That is no token.",
    "bad-userid": "The name cannot be a userid.",
    "bad-value": "The option takes no such value.",
    "bent-size": "The bent board takes no size.",
    "double-option": "An option was given twice.",
    "missing": "A part of the command was missing.",
    "no-day": "There is no such day.",
    "no-game": "There is no such game.",
    "no-game-word": "The name of the game was missing.",
    "no-help": "There is no such help page.",
    "wish": "The mail asked for something that only a command does.",
    "no-line": "The reply does not say which board it is about.",
    "no-option": "The game has no such option.",
    "no-value": "The option takes no value.",
    "not-here": "That word is for other games.",
    "one-player": "A puzzle is for one player.",
    "other-board": "The line names another board.",
    "other-game": "The board is one of another game.",
    "same-player": "Two different players are needed.",
    "too-much": "There was more on the line than the command takes.",
    "two-days": "A date of the mail can mean two days.",
    "unknown-game": "There is no such game.",
    "unknown-option": "There is no such option.",
    "unknown-verb": "There is no such command.",
    "unknown-zone": "There is no such time zone.",
    # -- moves
    "bridge": "The star in the middle of that board is no cell to play.",
    "corrupt": "The record of the board cannot be replayed.",
    "game-over": "The game is over.",
    "guard": "The move was meant as the move of another number.",
    "guarded": "A queen guards that cell.",
    "in-the-way": "Another stone is in the way.",
    "late": "The reply answers a mail about an earlier turn.",
    "late-swap": "Only the second move can be a swap, after a stone.",
    "lost-asterisk": "A cell was named without its first character, perhaps an asterisk.",
    "moved-already": "The player has made a move in that game already.",
    "no-cell": "The board has no such cell.",
    "no-jump": "The stone cannot jump there.",
    "no-move": "There is no such move.",
    "no-pass": "There is no passing in that game.",
    "no-stone": "No stone is there.",
    "no-swap": "There is no swap in that game.",
    "not-a-cell": "That is no cell.",
    "not-a-jump": "That is no jump.",
    "not-a-movement": "That is no movement of a stone.",
    "not-in-row": "The two cells are not in a row.",
    "not-on-rim": "The cell is not on the rim.",
    "not-your-stone": "No stone of the player is there.",
    "not-your-turn": "It was the opponent's turn.",
    "nothing-to-undo": "There was no move to take back.",
    "played-already": "That move had been played already.",
    "relocate": "The move encloses no stone, or does not say well where those that it encloses go.",
    "set-twice": "A cell was set twice.",
    "shape-taken": "Two pentahexes of one shape would stand on the board.",
    "stones": "A turn of that game has another number of stones.",
    "taken": "The cell is taken, or the userid is.",
    "touching": "A pentahex would touch one of the opponent's.",
    "twice": "A cell was named twice.",
    # -- boards, and requests of players to each other
    "asked-already": "The player has asked for that in this turn already.",
    "asked-too-often": "The player has asked for that too often.",
    "blocked": "The opponent takes no words from the player.",
    "long-note": "The note was too long.",
    "no-answer": "The plan has no answer to what the opponent has played.",
    "no-board": "There is no such board.",
    "no-claim": "It was agreed that nobody claims the game.",
    "no-clock": "The opponent is a bot, and has no clock.",
    "no-limit": "The game has no time limit.",
    "no-more-requests": "The opponent takes no more requests on that board.",
    "no-note": "The note was empty.",
    "no-opponent": "A puzzle has no opponent.",
    "no-request": "The opponent asks for nothing, or not any more.",
    "no-review": "No review is made of a game that is so short, or that bots do not play.",
    "no-score": "That game has no score to agree on.",
    "no-such-score": "The game cannot end with that score.",
    "no-undo": "It was agreed that no move is taken back.",
    "no-words": "There were no words to pass on.",
    "not-a-player": "The player does not play on that board.",
    "not-begun": "The clocks had not started.",
    "not-over": "The game still runs.",
    "not-yours-to-claim": "The game is decided for the opponent, who may claim it.",
    "other-request": "The mail does not say which request of the opponent it answers.",
    "private": "The board is private.",
    "request-first": "A request of the opponent has to be answered first.",
    "request-open": "A request is open already.",
    "said-too-often": "The player has sent too many words to the opponent.",
    "still-running": "The game still runs.",
    "too-early": "It is too early to claim the game.",
    "too-many-moves": "There were more moves than can be planned or previewed.",
    "too-much-time": "On one board no more days can be given.",
    "unreached": "No mail gets through to the opponent.",
    "which-score": "More than one score is possible, and the mail did not say which.",
    "your-turn": "It was the player's own turn, and the mail has a plan without a move.",
    "long-plan": "The plan was too long.",
    # -- previews
    "other-letter": "There was a preview, and the yes did not reply to its letter.",
    "slip": "The first word is one letter from a word that begins replies.",
    "other-preview": "The preview or offer answered is not of the board as it is, or not the newest.",
    "preview": "The mail replied to a preview, and only a yes to it changes the board.",
    "too-many-previews": "There were too many previews within a minute.",
    "two-questions": "The opponent asked something too, so it was not clear what the yes meant.",
    # -- new games
    "challenge-not-taken": "The other player does not take that challenge.",
    "no-player": "There is no such player.",
    "rematch-exists": "There is a rematch of that game already.",
    "same": "What was offered is the game as it is.",
    "too-late": "The game ended too long ago for a rematch.",
    "too-many-challenges": "The player had challenged the other too often that day.",
    "too-many-counters": "That challenge had been answered with another game too often.",
    "too-many-fresh": "Too many games of the player had not begun yet.",
    # -- finding an opponent
    "no-bot": "No bot plays that game here.",
    "no-problem": "There is no such problem, or none this week.",
    "no-offer": "The player had no such open offer.",
    "offer-not-taken": "The offer was gone, or was not for that player.",
    "offer-seat": "The offer leaves only the other seat.",
    "own-refusal": "The player refuses challenges to that game.",
    "too-many-invitations": "The player had invited as many people as a week may have.",
    "too-many-offers": "The player had as many open offers as one may have.",
    # -- ladders and leagues
    "bad-division": "A division of a league is a number.",
    "challenged-already": "A challenge between the two runs already.",
    "contest-game": "A game of a ladder or league is played as it is.",
    "in-league": "The player is in the next season already.",
    "ladder-game": "A challenge of a ladder is declined only while one is away.",
    "league-game": "That cannot be done in a game of a league.",
    "leaving": "The player leaves that ladder.",
    "switched-off": "The operator has switched this off.",
    "no-contest": "No such ladder or league is open here.",
    "no-division": "The league has no such division.",
    "no-season": "No season has begun, or the player is in none that runs.",
    "not-in-league": "The player is not in the next season.",
    "not-on-ladder": "The player is not on that ladder.",
    "on-ladder": "The player is on that ladder already.",
    "out-of-reach": "The other player does not stand so close above on the ladder.",
    "resting": "The other player rests on the ladder, having begun no game in time.",
    "same-mailbox": "Another account at the address is in that league.",
    "too-few": "Too few players had joined the season.",
    "too-many-contests": "The player had joined, left and challenged as often as a day allows.",
    # -- watching, and an opponent's words
    "no-operator": "This server has no operator's address to report to.",
    "not-watched": "The player did not watch that.",
    "own-board": "The player plays on that board.",
    "too-many-reports": "The player had reported as often as a day may have.",
    "too-many-wishes": "Too many changes of who owns the account were asked for in a day.",
    "too-many-watches": "The player watched as many boards or players as one may.",
    # -- bots
    "bots-off": "The bots of this server are switched off.",
    "bots-read-nothing": "A bot reads no words.",
    "no-plan-with-bots": "A bot answers at once, so there is nothing to plan.",
    "not-a-bots-game": "Bots do not play that game.",
    "slow-bot": "That bot does not play on so large a board here.",
    "too-many-bot-games": "The player had as many games with bots as one may have.",
    "too-many-reviews": "Too many reviews were waited for.",
    # -- accounts and leave
    "address-taken": "The address had become that of another account.",
    "closed": "The account is closed.",
    "no-address": "The mail does not say who it is from.",
    "no-such-address": "The account has no such address.",
    "no-games": "The player has no running game.",
    "no-leave-left": "The player has not as many days of leave left.",
    "no-token": "The token is unknown, has been used, or is too old.",
    "not-asked": "The token gives an account an address, and the mail came from another one.",
    "no-yes": "The reply did not say yes.",
    "not-away": "The player was not away, and no leave was booked.",
    "own-account": "The player has that account already.",
    "own-address": "The address was the server's own, or the account has it already.",
    "past": "That time is past.",
    "signups-full": "Too many people signed up just then.",
    "signups-of-a-place": "Too many signups came from one place.",
    "too-far": "That is more than a year ahead, or longer than a year.",
    "too-many-addresses": "The account has as many addresses as it may.",
    "too-many-changes": "The account's address had been changed too often that day.",
    "too-many-strangers": "As many letters to strangers were sent as one day may have.",
    "too-many-tokens": "As many tokens were mailed to the address as a month may have.",
    "which-account": "The address has several accounts, and the mail did not say which.",
}


def reason(code: str) -> str:
    """Return the sentence of a reason; empty for a reason that only an earlier version gave."""
    return REASONS.get("missing" if code.startswith("missing-") else code, "")
