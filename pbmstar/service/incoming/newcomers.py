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
from ...command import Command, FirstMove, is_greeting, one_move, read_first_move
from ...errors import NOTHING, BadInput, Refusal, UsageError, say, together
from ...games.base import Game
from ...grammar.spoken import language_of
from ...grammar.words import ENGLISH
from ...identity import Purpose
from ...inbound import Inbound
from ...machine.times import DAY
from ...match import Match, Terms, begin
from ...match.terms import NONE
from ...render.facts import (
    DoorFacts,
    DoorGame,
    InvitedOnlyFacts,
    LeavingFacts,
    RefusedLine,
    TurnedAwayFacts,
)
from ...render.translator import Translator
from ...store import User
from ..proof import answers, authentication, strangers
from ..proof.answers import RefusedCommand
from ..proof.strangers import usable_address
from ..verbs import invitations, membership, queries
from ..verbs.beginning import INVITATION
from ..work.apply import load
from ..work.context import Outcome
from ..work.feature import Writer, answers_to, features
from ..work.letter import PlainLetter, signed
from ..work.work import Asking, Work
from . import questions

LETTERS = 3  # to one address, ever
GUEST_DAYS = (
    366  # after the last letter, in which replies to it are a guest's: a postcard may lie about
)
GUEST_LETTERS_A_DAY = 20  # to one address, in answer to replies from there
_ASKS = re.compile(
    r"(?:please )?(?:help|info|rules)(?: me)?(?: please)?[\s.!?]*"
    r"|(?:hilfe|aide|ayuda|aiuto|hulp|ajuda|pomocy?|помощь|hjælp|hjelp|hjälp|apua|帮助|ヘルプ)[\s.!?！]*",
    re.I,
)
_INDEX = "index"  # the help page for a lone "help": the welcome tells a stranger as much
_EXAMPLE = "D1 E2 E1 F3 C2 B4 D2 F4"  # on the board of the first game
_LEFT = say("We skipped the rest of your message. Send it again once you have a name here.")
_IN_YOUR_LANGUAGE = say("This letter is in the language you wrote in. For English, reply:")
_SIGNS_UP = re.compile(r"\s*signup\b", re.I)
_WITH_CELL = re.compile(r"(?P<signup>signup\s+[\w-]+)[\s,;]+(?P<cell>\S{1,4})", re.I)
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
    is_known = _is_reader(work, address) and not work.tx.accounts.users_at(work.sender.address)
    work.guest = work.guest._replace(language=address.language, is_known=is_known)
    if not work.guest.is_known:
        return mail
    mail = _without_language(work, mail)
    game = membership.FIRST_GAMES.index(game_of(address))
    work.guest = work.guest._replace(question=address.question, game=game)
    work.guest = work.guest._replace(first=_unpacked(address.move) or _kept(work))
    if work.guest.chosen and not any(map(str.strip, mail.lines)):
        if _may_be_mailed(work, work.sender.address):
            _welcome(work, work.sender.address, "", [])
        return Outcome("applied", "language")
    if work.guest.question:
        done = _guess(work, address, mail)
        if done or work.guest.question:
            return done or _with_name(work, mail)
    mail = _apart(mail, _game(work))
    move = read_first_move(mail.subject, mail.is_reply, mail.lines, _game(work))
    if _host(work) and move.cell:
        return _begin(work, mail, move) or _with_name(work, mail, move.cell)
    return _with_name(work, mail)


def _with_name(work: Work, mail: Inbound, cell: str = "") -> Inbound:
    """Return the mail of a guest; if it gives a name, with the line that takes it in place of its words.

    cell  the first move that the mail names, or empty
    """
    if any(_SIGNS_UP.match(line) for line in mail.lines):
        return mail
    name = questions.name_given(mail, cell, is_awaited=bool(work.guest.first))
    if name and not work.guest.question:
        work.guest = work.guest._replace(starts=True)
    return replace(mail, subject="", lines=(f"signup {name}",)) if name else mail


def _apart(mail: Inbound, game: Game) -> Inbound:
    """Return the mail of a guest, its line ``signup anna C3`` as two lines."""
    lines: list[str] = []
    for line in mail.lines:
        found = _WITH_CELL.fullmatch(line.strip())
        is_cell = found is not None and found["cell"].upper() in game.grid.names
        lines += [found["cell"], found["signup"]] if found and is_cell else [line]
    return replace(mail, lines=tuple(lines))


def _is_reader(work: Work, address: identity.GuestAddress) -> bool:
    """Return True if the mail comes from where the letter of the door went, within a year of the last one."""
    own = identity.marks(work.sender.address)
    times = (work.tx.people.guest(each)[1] for each in own)
    return address.mark in own and any(abs(work.now - at) <= GUEST_DAYS * DAY for at in times)


def _fact(work: Work) -> str:
    return f"first {identity.reader_mark(work.sender.address)}"


def _kept(work: Work) -> str:
    """Return the first move that a guest has chosen before on the board of this letter; empty if none."""
    game, _, cell = work.tx.ledger.fact(_fact(work)).partition(" ")
    return cell if game == _game(work).word and not work.guest.question else ""


def _keep(work: Work, cell: str) -> None:
    """Keep the first move of a guest: the name may come in an answer to another letter."""
    if not work.guest.question:
        work.tx.ledger.set_fact(_fact(work), f"{_game(work).word} {cell}")


# -- replies to the door by people who have an account since


def member(work: Work, address: identity.GuestAddress) -> User | None:
    """Return the one account of a writer who answers a letter of the door that came before it, or None."""
    users = [user for user in work.tx.accounts.users_at(work.sender.address) if user.address]
    is_signed = identity.is_signed(work.keys, address, *_signed(address))
    return users[0] if is_signed and len(users) == 1 and _is_reader(work, address) else None


def game_of(address: identity.GuestAddress) -> Game:
    """Return the game on the board of a letter of the door."""
    return membership.FIRST_GAMES[address.game if address.game < len(membership.FIRST_GAMES) else 0]


def running(work: Work, game: Game, user: User) -> Match | None:
    """Return a running game of an account against a program on the board of the door, or None."""
    for row in work.tx.boards.of(user.userid, "active"):
        if (row.game, row.options) == (game.word, games.dump(game)):
            match = load(work, row.board)
            if match.program:
                return match
    return None


def listen(work: Work, mail: Inbound, commands: Sequence[Command | UsageError]) -> None:
    """Note the language in which a person without an account asks for one, unless a letter has told it."""
    signs_up = any(isinstance(each, Command) and each.verb.name == "signup" for each in commands)
    if signs_up and not work.guest.language and not work.guest.is_known:
        spoken = language_of((mail.subject, *mail.lines))
        language = spoken if spoken in Translator.offered() else ""
        work.guest = work.guest._replace(language=language)


def _without_language(work: Work, mail: Inbound) -> Inbound:
    """Note the language that a line of a guest's message names; return the mail without that line.

    If the message says no more, the welcome comes again in that language; with ``signup`` the account
    begins with it.
    """
    for place, line in enumerate((mail.subject, *mail.lines)):
        named = _LANGUAGE.fullmatch(line.strip())
        if (
            named
            and named[1].lower() in Translator.offered()
            and not (place == 0 and mail.is_reply)
        ):
            language = named[1].lower()
            work.guest = work.guest._replace(language=language, chosen=language)
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
    return ("first", mark, address.move) if address.move else (Purpose.GUEST, mark, "")


# Marks that a cell may have and an address may not.
def _packed(cell: str) -> str:
    return cell.lower().replace("@", "w0").replace("*", "w")


def _unpacked(move: str) -> str:
    return move.upper().replace("W0", "@").replace("W", "*")


def _game(work: Work) -> Game:
    return membership.FIRST_GAMES[work.guest.game]


def _guess(work: Work, address: identity.GuestAddress, mail: Inbound) -> Outcome | None:
    """Answer the reply of a guest to an invitation, or to a feature's letter.

    Return None if the reply has no answer to its question. An answer without sentences lets the guest play
    the door's game, as if its letter was answered.
    """
    name, of_feature = answers_to(address.question, work.context.config.without)
    guess = of_feature.guess
    if address.question == INVITATION:
        name, guess = "offers", invitations.guess
    if guess is None:
        return None
    try:
        answer = guess(work, address, mail)
    except BadInput as error:
        return _refuse(work, RefusedCommand("", error.told, error.code), f"no {name}")
    if answer is None:
        return None
    if not isinstance(answer, Asking):
        _mail(work, work.sender.address, answer)
    elif answer.answers:
        if _may_be_mailed(work, work.sender.address):
            _welcome(work, work.sender.address, "", [], answer)
    else:
        game = membership.FIRST_GAMES.index(membership.first_game(answer.game))
        work.guest = work.guest._replace(question="", game=game)
        return None
    return Outcome("applied", name)


def _mail(work: Work, address: str, writer: Writer) -> None:
    if _may_be_mailed(work, address):
        authentication.post_stranger(work, writer(address))


def _begin(work: Work, mail: Inbound, move: FirstMove) -> Outcome | None:
    """Answer the first move of a guest with a letter that asks for a name; nothing is stored.

    Return None if the mail goes on with a name: then it is carried out.
    """
    cell = move.cell
    if cell not in _game(work).grid.names:
        why = membership.no_cell(cell, membership.like(_game(work)))
        more = say("We skipped the rest of your message.") if move.has_more else ""
        return _refuse(work, RefusedCommand(cell, together(why, more), "no-cell"), "no cell")
    work.guest = work.guest._replace(first=cell)
    _keep(work, cell)
    if move.signs_up or questions.name_given(mail, cell, is_awaited=True):
        return None
    left = [RefusedCommand(cell, one_move(cell), "one-move") for cell in move.further]
    if move.has_more:
        left.append(RefusedCommand("", _LEFT, "no-account"))
    if _may_be_mailed(work, work.sender.address):
        _welcome(work, work.sender.address, "", left)
    return Outcome("applied", "first move")


def _refuse(work: Work, refused: RefusedCommand, why: str) -> Outcome:
    """Tell a guest why an answer to a letter of ours cannot be carried out."""
    work.report.refused(refused.code, str(refused.reason))
    if _may_be_mailed(work, work.sender.address):
        _welcome(work, work.sender.address, "", [refused])
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
    """Welcome the writer of a message that proves nobody, who has no account, if the mail has done nothing.

    A writer who guesses passwords gets no answer. A guest gets an answer to each refused command.
    """
    if (
        work.sender.quiet
        or not work.sender.address
        or work.tx.accounts.users_at(work.sender.address)
    ):
        return
    if not strangers.is_invited(work, work.sender.address):
        _turn_away(work, mail)
        return
    is_guess = any(each.code == "not-you" for each in refused)
    asked = _asked(work, commands)
    topic, refused = _topic(work, commands, refused)
    question = questions.asked(mail, f"postmaster@{work.context.config.domain}")
    if not work.guest.is_known:
        # The letter does not repeat their words: it goes to any person that the mail names.
        refused = [
            replace(each, understood=f"{each.understood.split()[0]} ...")
            for each in refused
            if _is_to_sign_up(each)
        ]
        # "forgot" does not count as done: the answer must not tell whose account it is.
        is_done = any(name != "forgot" for name in work.report.done)
        if work.sender.is_failed or is_guess or is_done:
            return
        is_talk = not (topic or refused or asked or question.plays or _greets(mail))
        work.guest = work.guest._replace(is_talk=is_talk)
    elif not (topic or refused):
        return
    if question.game or question.answers or question.is_friend:
        refused = [each for each in refused if each.code != "no-command"]
    topic = "" if topic == _INDEX and not work.guest.is_known else topic
    try:
        address = usable_address(work, work.sender.address)
    except Refusal:
        return
    if asked:
        _mail(work, address, asked)
        return
    is_greeted = work.guest.question or (question.starts and not work.guest.first)
    if work.guest.is_known and is_greeted and not (topic or question.leaves):
        name = membership.free_name(work, address, question.name)
        told = [RefusedLine(r.understood, r.reason) for r in refused if r.code != "no-command"]
        if greeting := invitations.greeting(work, address, name, told):
            if _may_be_mailed(work, address):
                authentication.post_stranger(work, greeting)
            return
    key = repr(
        (question.game, question.answers, question.is_friend, question.leaves, topic, question.name)
    )
    if _may_be_mailed(work, address, key):
        _welcome(work, address, topic, refused, question)


def _turn_away(work: Work, mail: Inbound) -> None:
    """Tell the writer of a message that only invited people can play here: one letter to an address, ever."""
    try:
        address = usable_address(work, work.sender.address)
    except Refusal:
        return
    letters, _ = work.tx.people.guest(identity.reader_mark(address))
    if letters or work.sender.is_failed or not _may_be_mailed(work, address):
        return
    shown = language_of((mail.subject, *mail.lines))
    language = shown if shown in Translator.offered() else ENGLISH
    letter = PlainLetter(InvitedOnlyFacts(), "", address, language=language)
    authentication.post_stranger(work, letter)


def _asked(work: Work, commands: Sequence[Command | UsageError]) -> Writer | None:
    """Return what a stranger asks of a feature; None if nothing is asked, or it cannot be shown."""
    writers = (
        feature.guest_commands[command.verb.name](work, command)
        for command in commands
        if isinstance(command, Command)
        for feature in features(without=work.context.config.without)
        if command.verb.name in feature.guest_commands
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
                if not work.guest.is_known:
                    return _INDEX, refused
                refused.append(answers.refusal(command, error))
    return "", refused


def _is_to_sign_up(refused: RefusedCommand) -> bool:
    """Return True if a new player may have tried the refused command."""
    return bool(re.match(r"(?:\S+ )?help\b|sign(?!off)|regis|confi", refused.understood, re.I))


def _greets(mail: Inbound) -> bool:
    lines = (mail.subject, *mail.lines[:1])
    return any(is_greeting(line) or _ASKS.fullmatch(line.strip()) for line in lines)


def _may_be_mailed(work: Work, address: str, key: str = "") -> bool:
    """Return True if an address may be mailed, and count the letter. ``key``: what the letter answers."""
    if strangers.is_suppressed(work, address):
        return False
    mark = identity.reader_mark(address)
    letters, at = work.tx.people.guest(mark)
    ledger, answer = work.tx.ledger, f"door {mark} {identity.text_mark(key)}"
    again = "" if abs(work.now - at) >= DAY else f"door again {mark}"
    if work.guest.is_known:
        room = ledger.count(f"guest {mark}", work.now, DAY) <= GUEST_LETTERS_A_DAY
    else:
        is_due = not again or not (
            ledger.counted(again, work.now, DAY) or ledger.counted(answer, work.now, DAY)
        )
        room = letters < LETTERS and is_due and _has_room(work, address)
    if work.limited and not room:
        work.report.reached("door")
        return False
    if not work.guest.is_known:
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
    mark = identity.reader_mark(address)
    first = "" if work.guest.question else work.guest.first  # that was on another board
    if question.leaves:
        heads = {"Reply-To": signed(work, Purpose.GUEST, mark, "")}
        authentication.post_stranger(work, PlainLetter(LeavingFacts(), "", address, heads))
        return
    if any(each.code in membership.TURNED_AWAY for each in refused):
        told = [RefusedLine(r.understood, r.reason) for r in refused]
        turned = TurnedAwayFacts(told, membership.free_name(work, address, question.name))
        heads = {"Reply-To": signed(work, Purpose.GUEST, mark, "")}
        authentication.post_stranger(work, PlainLetter(turned, "", address, heads))
        return
    words = [game.word for game in membership.FIRST_GAMES]
    if not first and question.game in words:
        work.guest = work.guest._replace(game=words.index(question.game))
    host, game, number = _host(work), _game(work), work.guest.game
    drawing, x, o = _board()
    other = games.find(question.game) if question.game not in words else None
    shown = question.language if question.language in Translator.offered() else ENGLISH
    language = work.guest.language or shown
    is_chosen = language == ENGLISH or work.guest.is_known
    name = membership.free_name(work, address, question.name)
    facts = DoorFacts(
        refusals=[RefusedLine(r.understood, r.reason) for r in refused],
        topic=topic,
        example=drawing,
        points={"x": x, "o": o},
        first=first if host else "",
        is_known=work.guest.is_known
        and not (work.guest.question or work.guest.chosen)
        and topic in ("", _INDEX),
        name=name,
        answers=question.answers,
        hint=NOTHING if is_chosen else _IN_YOUR_LANGUAGE,
        friend=question.is_friend,
        game=DoorGame(game.word, game.title, game.goal(game.seats[0])),
        goals=[game.goal(each) for each in game.seats],
        like=membership.like(game),
        other=DoorGame(other.word, other.title, seats=len(other.seats)) if other else None,
        sent_with=f"signup {name}" if name and host and not first else "",
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


def _board() -> tuple[str, int, int]:
    """Return a drawn board that shows how stones count, and the points of X and O on it."""
    game = membership.FIRST_GAME
    position = game.start()
    for move in _EXAMPLE.split():
        position = position.play(move)
    x, o = game.score(position.stones).points
    return game.draw(position.stones).rstrip("\n"), x, o
