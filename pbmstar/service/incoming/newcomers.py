"""The door: one short letter for each writer without an account.

A From line proves nothing, so the person named there gets the letter three times ever, and at most twice a
day: the second time only if it answers another question. A person who replies to it has shown that they read
mail at the address: they are answered as members are, and need no other mail to open an account. The letter
answers what was asked, and shows an empty board against a program. The reply may be a first move; the address
of the next letter keeps it: nothing is stored for a stranger.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ... import games, identity
from ...command import Command, FirstMove, is_greeting, read_first_move
from ...command.words import ENGLISH
from ...errors import BadInput, Refusal, UsageError, say, together
from ...features.values import Writer
from ...games.base import Game
from ...inbound import Inbound
from ...match import Terms, begin
from ...match.terms import DAY, NONE
from ...render.facts import DoorFacts, DoorGame, LeavingFacts, RefusedLine
from ...render.tongue import Tongue
from ..letters.headers import signed
from ..letters.post import PlainLetter
from ..proof import answers, authentication, strangers
from ..proof.answers import RefusedCommand
from ..proof.strangers import usable_address
from ..verbs import membership, queries
from ..work.context import Outcome
from ..work.work import Work
from . import questions
from .questions import Asking

LETTERS = 3  # to one address, ever
GUEST_LETTERS_A_DAY = 20  # to one address, in answer to replies from there
_ASKS = re.compile(
    r"(?:please )?(?:help|info|rules)(?: me)?(?: please)?[\s.!?]*"
    r"|(?:hilfe|aide|ayuda|aiuto|hulp|ajuda|pomocy?|помощь|hjælp|hjelp|hjälp|apua|帮助|ヘルプ)[\s.!?！]*",
    re.I,
)
_INDEX = "index"  # the help page for a lone "help": the welcome tells a stranger as much
_EXAMPLE = "D1 E2 E1 F3 C2 B4 D2 F4"  # on the board of the first game
_LEFT = say("The rest of your message was not carried out. Send it again once you have a name.")
_IN_YOUR_LANGUAGE = say(
    "This letter is in the language that you wrote in. For English, reply: {command}",
    command=f"language {ENGLISH}",
)
_LANGUAGE = re.compile(r"language:? ([a-z]{2})[.!]?", re.I)
_READER = "you"  # no userid, since it is an English word
_TERMS = Terms(time=NONE)
_NOTHING = Asking()


def enter(work: Work, address: identity.GuestAddress, mail: Inbound) -> Outcome | Inbound:
    """Note that a message answers our letter to its writer.

    Return an outcome if the mail is done with: it says ``never``, chooses a first move or a language, or
    answers a feature's question. Otherwise return what of the mail is left to carry out.
    """
    mark = address.mark
    if not identity.is_signed(work.keys, address, *_signed(address)):
        return mail
    texts = (mail.lines, () if mail.is_reply else (mail.subject,))
    if "never" in map(membership.meant, texts):
        work.tx.people.suppress(mark, work.now)
        return Outcome("applied", "suppressed")
    author = work.author
    own = strangers.marks(author.address)
    author.is_guest = (
        mark in own
        and any(
            abs(work.now - work.tx.people.guest(e)[1]) <= authentication.TOKEN_DAYS * DAY
            for e in own
        )
        and not work.tx.accounts.users_at(author.address)
    )
    if not author.is_guest:
        return mail
    author.language = address.language
    mail = _without_language(work, mail)
    author.question = address.question
    author.game = address.game if address.game < len(membership.FIRST_GAMES) else 0
    author.first = _unpacked(address.move)
    if author.chosen and not any(map(str.strip, mail.lines)):
        if _may_be_mailed(work, author.address):
            _welcome(work, author.address, "", [])
        return Outcome("applied", "language")
    if author.question:
        return _guess(work, address, mail) or mail
    move = read_first_move(mail.subject, mail.is_reply, mail.lines, type(_game(work)))
    if _host(work) and move.cell:
        return _begin(work, move) or mail
    return mail


def _without_language(work: Work, mail: Inbound) -> Inbound:
    """Note the language that a line of a guest's message names; return the mail without that line.

    If the message says no more, the welcome comes again in that language; with ``signup`` the account
    begins with it.
    """
    for place, line in enumerate((mail.subject, *mail.lines)):
        named = _LANGUAGE.fullmatch(line.strip())
        if named and named[1].lower() in Tongue.offered() and not (place == 0 and mail.is_reply):
            work.author.language = work.author.chosen = named[1].lower()
            lines = tuple(each for each in mail.lines if each != line)
            return replace(mail, subject="" if place == 0 else mail.subject, lines=lines)
    return mail


def _signed(address: identity.GuestAddress) -> tuple[str, *tuple[str | int, ...]]:
    """Return the purpose of a guest's address, and the parts that its mac covers."""
    mark = address.mark
    if address.question:
        return address.question, mark, address.number
    if address.game:
        move = (address.move,) if address.move else ()
        return "opening" if move else "game", mark, address.game, *move
    return ("first", mark, address.move) if address.move else ("d", mark, "")


# Marks that a cell may have and an address may not.
def _packed(cell: str) -> str:
    return cell.lower().replace("@", "w0").replace("*", "w")


def _unpacked(move: str) -> str:
    return move.upper().replace("W0", "@").replace("W", "*")


def _game(work: Work) -> Game:
    return membership.FIRST_GAMES[work.author.game]


def _guess(work: Work, address: identity.GuestAddress, mail: Inbound) -> Outcome | None:
    """Answer the reply of a guest to a feature's letter; None if the reply has no answer to its question."""
    author = work.author
    for feature in work.context.features:
        try:
            answer = feature.guess(work, address, mail)
        except BadInput as error:
            why = f"no {feature.name}"
            return _refuse(work, RefusedCommand("", error.said, error.code), why)
        if isinstance(answer, Asking):
            if _may_be_mailed(work, author.address):
                _welcome(work, author.address, "", [], answer)
        elif answer:
            _mail(work, author.address, answer)
        if answer:
            return Outcome("applied", feature.name)
    return None


def _mail(work: Work, address: str, writer: Writer) -> None:
    if _may_be_mailed(work, address):
        authentication.post_stranger(work, writer(address))


def _begin(work: Work, move: FirstMove) -> Outcome | None:
    """Answer the first move of a guest with a letter that asks for a name; nothing is stored.

    Return None if the mail goes on with a name: then it is carried out.
    """
    cell = move.cell
    if cell not in _game(work).grid.names:
        why = say(
            "There is no cell {name} on this board. Reply with another one, like {example}.",
            name=cell,
            example=_like(work),
        )
        more = say("Nothing else in your message was done.") if move.has_more else ""
        return _refuse(work, RefusedCommand(cell, together(why, more), "no-cell"), "no cell")
    work.author.first = cell
    if move.signs_up:
        return None
    left = [RefusedCommand("", _LEFT, "no-account")] if move.has_more else []
    if _may_be_mailed(work, work.author.address):
        _welcome(work, work.author.address, "", left)
    return Outcome("applied", "first move")


def _refuse(work: Work, refused: RefusedCommand, why: str) -> Outcome:
    """Tell a guest why an answer to a letter of ours cannot be carried out."""
    work.report.refused(refused.code, str(refused.reason))
    if _may_be_mailed(work, work.author.address):
        _welcome(work, work.author.address, "", [refused])
    return Outcome("refused", why)


def _host(work: Work) -> str:
    """Return the program that plays with a stranger at once; empty if none does."""
    return membership.host(work, _game(work))


def answer(
    work: Work,
    mail: Inbound,
    commands: Sequence[Command | UsageError],
    refused: list[RefusedCommand],
) -> None:
    """Welcome the writer of a message who has no account, if the mail has done nothing.

    A writer who guesses passwords gets no answer. A guest gets an answer to each refused command.
    """
    author = work.author
    if (
        author.proved
        or author.quiet
        or not author.address
        or work.tx.accounts.users_at(author.address)
    ):
        return
    is_guess = any(each.code == "not-you" for each in refused)
    asked = _asked(work, commands)
    topic, refused = _topic(work, commands, refused)
    question = questions.asked(mail, f"postmaster@{work.context.config.domain}")
    if not author.is_guest:
        # The letter does not repeat their words: it goes to any person that the mail names.
        refused = [
            replace(each, understood=f"{each.understood.split()[0]} ...")
            for each in refused
            if _is_to_sign_up(each)
        ]
        # "forgot" does not count as done: the answer must not tell whose account it is.
        is_done = any(name != "forgot" for name in work.report.done)
        if author.is_failed or is_guess or is_done:
            return
        author.is_talk = not (topic or refused or asked or question.plays or _greets(mail))
    elif not (topic or refused):
        return
    if question.game or question.answers or question.is_friend:
        refused = [each for each in refused if each.code != "no-command"]
    topic = "" if topic == _INDEX and not author.is_guest else topic
    try:
        address = usable_address(work, author.address)
    except Refusal:
        return
    if asked:
        _mail(work, address, asked)
        return
    is_greeted = author.question or (question.starts and not author.first)
    if author.is_guest and is_greeted and not (topic or question.leaves):
        name = membership.free_name(work, address, question.name)
        told = [RefusedLine(r.understood, r.reason) for r in refused if r.code != "no-command"]
        greetings = (each.greeting(work, address, name, told) for each in work.context.features)
        if greeting := next(filter(None, greetings), None):
            if _may_be_mailed(work, address):
                authentication.post_stranger(work, greeting)
            return
    key = repr(
        (question.game, question.answers, question.is_friend, question.leaves, topic, question.name)
    )
    if _may_be_mailed(work, address, key):
        _welcome(work, address, topic, refused, question)


def _asked(work: Work, commands: Sequence[Command | UsageError]) -> Writer | None:
    """Return what a stranger asks of a feature; None if nothing is asked, or it cannot be shown."""
    writers = (
        feature.asked(work, command)
        for command in commands
        if isinstance(command, Command)
        for feature in work.context.features
    )
    return next(filter(None, writers), None)


def _topic(
    work: Work, commands: Sequence[Command | UsageError], refused: list[RefusedCommand]
) -> tuple[str, list[RefusedCommand]]:
    """Return the help page that is asked for, empty for none, and the refusals to be told."""
    refused = [each for each in refused if each.code != "no-account" or not _is_to_sign_up(each)]
    for command in commands:
        if isinstance(command, Command) and command.verb.name == "help":
            try:
                return queries.topic_of(work, command), refused
            except BadInput as error:
                # "Help me": the welcome says more than a list of pages.
                if not work.author.is_guest:
                    return _INDEX, refused
                refused.append(answers.refusal(command, error))
    return "", refused


def _is_to_sign_up(refused: RefusedCommand) -> bool:
    """Return True if a new player may have tried the refused command."""
    return bool(re.match(r"(?:\S+ )?help\b|signup\b|confirm\b", refused.understood))


def _greets(mail: Inbound) -> bool:
    lines = (mail.subject, *mail.lines[:1])
    return any(is_greeting(line) or _ASKS.fullmatch(line.strip()) for line in lines)


def _may_be_mailed(work: Work, address: str, key: str = "") -> bool:
    """Return True if an address may be mailed, and count the letter. ``key``: what the letter answers."""
    if strangers.is_suppressed(work, address):
        return False
    mark = strangers.reader(address)
    letters, at = work.tx.people.guest(mark)
    ledger, answer = work.tx.ledger, f"door {mark} {identity.address_mark(key)}"
    again = "" if abs(work.now - at) >= DAY else f"door again {mark}"
    if work.author.is_guest:
        room = ledger.count(f"guest {mark}", work.now, DAY) <= GUEST_LETTERS_A_DAY
    else:
        is_due = not again or not (
            ledger.counted(again, work.now, DAY) or ledger.counted(answer, work.now, DAY)
        )
        room = letters < LETTERS and is_due and _has_room(work, address)
    if work.limited and not room:
        work.report.reached("door")
        return False
    if not work.author.is_guest:
        work.tx.people.count_guest(mark, work.now)
        ledger.count(answer, work.now, DAY)
        if again:
            ledger.count(again, work.now, DAY)
    return True


def _has_room(work: Work, address: str) -> bool:
    try:
        strangers.require_room(work, address, kept=0)
    except Refusal:
        return False
    return True


def _welcome(
    work: Work,
    address: str,
    topic: str,
    refused: list[RefusedCommand],
    question: Asking = _NOTHING,
) -> None:
    author, mark = work.author, strangers.reader(address)
    first = "" if author.question else author.first  # that was on another board
    if question.leaves:
        heads = {"Reply-To": signed(work, "d", mark, "")}
        authentication.post_stranger(work, PlainLetter(LeavingFacts(), "", address, heads))
        return
    words = [game.word for game in membership.FIRST_GAMES]
    if not first and question.game in words:
        author.game = words.index(question.game)
    host, game, number = _host(work), _game(work), author.game
    drawing, x, o = _board()
    other = games.find(question.game) if question.game not in words else None
    shown = question.language if question.language in Tongue.offered() else ENGLISH
    language = author.language or shown
    spoken = () if language == ENGLISH or author.is_guest else (_IN_YOUR_LANGUAGE,)
    facts = DoorFacts(
        refusals=[RefusedLine(r.understood, r.reason) for r in refused],
        topic=topic,
        example=drawing,
        points={"x": x, "o": o},
        first=first if host else "",
        is_known=author.is_guest
        and not (author.question or author.chosen)
        and topic in ("", _INDEX),
        name=membership.free_name(work, address, question.name),
        answers=(*question.answers, *spoken),
        friend=question.is_friend,
        game=DoorGame(game.word, game.title, game.goal(game.seats[0])),
        goals=[game.goal(each) for each in game.seats],
        like=_like(work),
        other=DoorGame(other.word, other.title, seats=len(other.seats)) if other else None,
    )
    at = identity.GuestAddress(mac="", mark=mark, game=number, move=_packed(first))
    heads = {"Reply-To": signed(work, *_signed(at))}
    letter = PlainLetter(facts, "", address, heads, language=language)
    if host:
        match = begin(0, game, (_READER, host), work.now, _TERMS)
        if first:
            match = match.after(_READER, first, work.now)
        letter = letter.showing(match, _READER)
    authentication.post_stranger(work, letter)


def _like(work: Work) -> str:
    """Return a cell of the guest's board, as an example."""
    names = _game(work).grid.names
    return "C3" if "C3" in names else names[len(names) // 2]


def _board() -> tuple[str, int, int]:
    """Return a drawn board that shows how stones count, and the points of X and O on it."""
    game = membership.FIRST_GAME
    position = game.start()
    for move in _EXAMPLE.split():
        position = position.play(move)
    x, o = game.score(position.stones).points
    return game.draw(position.stones).rstrip("\n"), x, o
