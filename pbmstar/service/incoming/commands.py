"""Carry out a message by its reply address or by its command lines, with a savepoint for each command."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import dropwhile
from typing import TypeVar

from ... import identity
from ...command import (
    COMMANDS_A_MAIL,
    GAME_VERBS,
    SERVER_VERBS,
    Command,
    DigestLine,
    Replier,
    Reply,
    Said,
    Split,
    board_answered,
    boards_named,
    full,
    is_greeting,
    named,
    not_passed_on,
    open_lines,
    parse_reply,
    players_named,
    read_account_reply,
    read_digest_reply,
    read_first_move,
    read_reply,
    split,
    with_game,
)
from ...errors import BadInput, Refusal, UsageError, say, say_many, together
from ...games.base import Game
from ...grammar.literals import Secret
from ...grammar.verb import Verb, Who
from ...identity import Purpose
from ...inbound import TROUBLE_CUT, Inbound, phrases
from ...match import Match
from ...parts import function_at
from ...store import User
from ..letters import digests
from ..proof import answers, authentication, limits
from ..proof.answers import RefusedCommand
from ..verbs import beginning, membership, pairs, previews
from ..work.apply import load
from ..work.bots import opponents
from ..work.context import Computation, Outcome
from ..work.feature import answers_to, features
from ..work.work import BoardRefusal, Speaker, Work
from . import newcomers, questions

_UNREADABLE_COMMANDS = 5  # after so many lines that do not parse, the rest of a message is skipped

_COMMENT_CHARACTERS, _COMMENT_LINES = 2000, 100  # of the words to the opponent, passed on at most
_FEW_LINES = 40  # a message with no more lines than this is read at once

_OWN_USERID = "userid1"  # an argument that a reply may leave out: it is the writer

_Read = Command | UsageError


T = TypeVar("T")


def carry_out(work: Work, mail: Inbound, address: identity.Address) -> Outcome:
    """Carry out a message to that address of ours, and answer the commands that were refused."""
    match address:
        case identity.ReplyAddress():
            return _reply(work, mail, address)
        case identity.DigestAddress():
            return _digest_reply(work, mail, address)
        case identity.QuestionAddress():
            return _answer(work, mail, address)
        case identity.SettingsAddress():
            return _settings_reply(work, mail, address)
        case identity.OnceAddress():
            work.guest = work.guest._replace(language=address.language)
            return _confirmation(work, mail, address.token)
        case identity.GuestAddress():
            left = newcomers.enter(work, address, mail)
            if isinstance(left, Outcome):
                return left
            member = newcomers.member(work, address)
            return _of_member(work, left, address, member) if member else _in_full(work, left)
        case _:
            return _in_full(work, mail)


def _in_full(work: Work, mail: Inbound) -> Outcome:
    """Carry out the whole commands of a message."""
    content = _read(work, mail, split, mail.subject, mail.is_reply, mail.lines)
    newcomers.listen(work, mail, content.commands)
    if content.commands and getattr(content.commands[0], "code", "") == "no-game-word":
        content = _with_games(work, mail) or content
    if not content.commands and mail.looks:
        return Outcome("ignored", mail.looks)
    if not content.commands and work.proved:
        if outcome := _first_board(work, mail, work.proved):
            return outcome
        content = _with_a_bot(work, mail, work.proved) or content
    if not content.commands:
        way = None if work.guest.is_known else questions.way(work, mail)
        lost = None if work.guest.is_known else _lost(work, mail)
        _finish(work, mail, (), [lost or answers.no_command(work, mail, way)])
        return Outcome("refused", "no command")
    commands = [_with_rest(each, content.commands) for each in content.commands]
    return _divided(work, mail, replace(content, commands=tuple(commands)))


def _first_board(work: Work, mail: Inbound, userid: str) -> Outcome | None:
    """Begin a player's first game of all with the cell that a reply names; None for other replies."""
    game = membership.FIRST_GAME
    cell = read_first_move(mail.subject, mail.is_reply, mail.lines, game).cell
    host = membership.host(work, game)
    if cell not in game.grid.names or not host or work.tx.boards.of(userid):
        return None
    beginning.start_with(work, game, (userid, host), cell)
    return Outcome("applied", "first move")


def _with_a_bot(work: Work, mail: Inbound, userid: str) -> Split | None:
    """Return the game with a bot that a player's reply asks for in words, as a command; or None."""
    line = questions.game_with_a_bot(work, mail, userid)
    return split(line, False, ()) if line else None


def _lost(work: Work, mail: Inbound) -> RefusedCommand | None:
    """Return the offer to do what a reply says that answers no letter about a board, or None.

    Its Subject names the board; without it only one board may wait for the account at its From address.
    """
    user = answers.unproved_reader(work)
    if user is None or user.state != "active":
        return None
    number = board_answered(mail.subject)
    rows = [work.tx.boards.get(number)] if number else work.tx.boards.of(user.userid)
    waiting = [row for row in rows if row and user.userid in row.seats]
    if not number:
        waiting = [row for row in waiting if row.to_move == user.userid]
    if len(waiting) != 1:
        return None
    lines = mail.lines if mail.is_reply or number else (mail.subject, *mail.lines)
    text = "\n".join(line for line in lines if line.strip())
    match = work.context.matches.match(work.tx, waiting[0])
    return previews.lost(work, match, user.userid, text)


def _with_rest(command: _Read, commands: Sequence[_Read]) -> _Read:
    """Return a command; one to sign up knows how many others stand in its mail."""
    if isinstance(command, UsageError) or command.verb.name != "signup":
        return command
    names = [each.verb.name for each in commands if isinstance(each, Command)]
    return command.knowing({"left": len(commands) - names.count("signup")})


def _with_games(work: Work, mail: Inbound) -> Split | None:
    """Read a message again in which the games of boards are filled in; None if none is known."""
    lines = [mail.subject, *mail.lines]
    kinds = _kinds(work, lines)
    if not kinds:
        return None
    subject, *body = [with_game(line, kinds) for line in lines]
    return _read(work, mail, split, subject, mail.is_reply, body)


def _reply(work: Work, mail: Inbound, token: identity.ReplyAddress) -> Outcome:
    """Carry out a message to the Reply-To of a board letter, for its player."""
    row, userid, is_cut = authentication.speaker(work, token)
    user = work.tx.accounts.user(userid) if userid else None
    if row is None or user is None or not user.address:
        return limits.board_gone(work, token, authentication.CUTS)
    if refused := authentication.admit_reply(
        work, user, row.board, is_fresh=token.turn == row.length and not is_cut
    ):
        return refused
    match = load(work, row.board)
    game, over = type(match.game), match.position.over
    waits = not over and match.to_move != userid and not match.program
    is_asked = match.request is not None and match.request.userid != userid
    mail = _with_plain_yes(mail) if is_asked else mail
    writer = _writer(work, mail, user)._replace(over=over, waits=waits, asked=is_asked)
    names = writer.names
    said = (mail.subject, mail.is_reply, mail.lines, game)
    content: Reply = _read(work, mail, read_reply, *said, writer)
    if (over or waits) and not content.bare and _names_nobody(work, content):
        nameless = writer._replace(names=())  # "challenge accepted" is talk
        content = _read(work, mail, read_reply, *said, nameless)
    if mail.looks and content.is_talk:
        return Outcome("ignored", mail.looks)
    if not content.bare:
        first = content.commands[0]
        if isinstance(first, Command) and _is_about(first, match):
            turn = -1 if is_cut else token.turn
            speaker = Speaker(match, userid, turn, token.shown)
            return _divided(work, mail, content, names, speaker)
        return _divided(work, mail, content, names)
    _say(work, content.said[0], names)
    if _is_words(content.commands[0]) and (outcome := _for_us(work, mail, match, userid)):
        return outcome
    if mail.trouble and not mail.lines:
        answers.answer(work, [RefusedCommand("", mail.trouble, "unreadable", match.number)])
        return Outcome("refused", "empty reply")
    seen = -1 if is_cut else token.turn
    speaker = Speaker(match, userid, seen, token.shown, content.line, content.text)
    return _all(work, mail, content.commands, speaker)


def _for_us(work: Work, mail: Inbound, match: Match, userid: str) -> Outcome | None:
    """Answer words in reply to a board that wish something of us; None if they are for the opponent too."""
    over = match.position.over
    if match.program:
        if over and (wished := _with_a_bot(work, mail, userid)):
            return _all(work, mail, wished.commands)
        bots = opponents(work, match.game)
        if way := questions.to_a_bot(work, mail.lines, match, userid, bots, over=True):
            answers.answer(work, [way])
            return Outcome("refused", "words to a bot")
        return None
    if len(match.seats) == 1:
        return None
    wish, is_talk = questions.no_more_mail(mail.lines, match, userid)
    if over and wish is None:
        wish, is_talk = questions.after_a_game(work, mail.lines, match, userid)
    if wish is None:
        return None
    answers.answer(work, [wish])
    return None if is_talk else Outcome("refused", "a wish")


def _with_plain_yes(mail: Inbound) -> Inbound:
    """Return an answer to a request, its first line as yes if it says so in other words."""
    at = next(
        (n for n, line in enumerate(mail.lines) if line.strip() and not is_greeting(line)), -1
    )
    if at < 0 or not membership.is_yes(mail.lines[at]):
        return mail
    below = membership.plainly(" ".join(mail.lines[at + 1 :])).split()
    if not phrases.NOT_YES.isdisjoint(below):
        return mail
    return replace(mail, lines=(*mail.lines[:at], "yes", *mail.lines[at + 1 :]))


def _is_words(command: _Read) -> bool:
    """Return True if a reply is read as words for the opponent, without a word that says so."""
    return (
        isinstance(command, Command) and command.verb.name == "say" and "words" not in command.args
    )


def _is_about(command: Command, match: Match) -> bool:
    """Return True if a command without a password speaks for a player on that board."""
    is_own = command.args.get("board") == match.number and command.verb.who is Who.PLAYER
    return is_own and "password" not in command.args


def _names_nobody(work: Work, content: Split) -> bool:
    """Return True if a command of a message is about a player whom nobody knows: it may be talk."""
    return any(
        work.tx.accounts.user(each.args[name]) is None
        for each in content.commands
        if isinstance(each, Command) and "password" not in each.args
        for name in ("userid2", "userid")
        if name in each.args
    )


def _answer(work: Work, mail: Inbound, address: identity.QuestionAddress) -> Outcome:
    """Judge the answer to a feature's question, or carry out other commands of a message to its Reply-To."""
    user = authentication.asked(work, address)
    if user is None:
        return limits.former_name(work, address.userid)
    if refused := authentication.admit_reply(work, user):
        return refused
    _, answers = answers_to(address.purpose, work.context.config.without)
    read = answers.read(work, address.number) if answers.read else None
    if read is None:
        return _in_full(work, mail)
    answer = _read(work, mail, read, mail)
    if mail.looks and answer.is_talk:
        return Outcome("ignored", mail.looks)
    return _divided(work, mail, answer)


def _confirmation(work: Work, mail: Inbound, secret: Secret) -> Outcome:
    """Carry out a yes or a never that came to the address of a one-time token; explain any other answer.

    A never, or a no, to a letter that asks an account about its own wish is told that nothing was done.
    """
    said = membership.answered(mail, secret.value)
    token = work.tx.accounts.token(identity.token_hash(secret))
    is_own = token is not None and token.kind in membership.IN_WORDS
    says_yes = said == membership.YES or not (is_own or said in ("", membership.NO))
    args = {"token": secret, "answer": said}
    command = Command(named(None)["confirm"], None, args, "confirm" if says_yes else "")
    if said == membership.NEVER and not is_own:
        command = Command(named(None)["never"], None, {"token": secret}, "never")
    elif token and (
        (said in ("", membership.NO) and not is_own)
        or not membership.may_confirm(work, token, command)
    ):
        if mail.looks:
            return Outcome("ignored", mail.looks)
        membership.unclear(work, token, secret)
        work.report.refused("no-yes", "The answer was neither a yes nor a no.")
        return Outcome("refused", "not a yes")
    elif token and said in (membership.NO, membership.NEVER):
        membership.leave_alone(work, token)
        _finish(work, mail, (), [])
        return Outcome("refused", "a no")
    return _all(work, mail, [command])


def _settings_reply(work: Work, mail: Inbound, address: identity.SettingsAddress) -> Outcome:
    """Carry out a message to the Reply-To of a letter about an account: its commands need no password."""
    userid = address.userid

    def own(user: User) -> tuple[str, ...]:
        # The address of an account that was merged is gone: then the owner is told of the reply, unless
        # somebody else has the name now.
        is_merged = user.userid != userid and work.tx.accounts.user(userid) is None
        return (user.address, work.sender.address) if is_merged else (user.address,)

    found = authentication.reader(work, address, Purpose.SETTINGS, userid, own)
    return _account_reply(work, mail, found[0]) if found else limits.former_name(work, userid)


def _of_member(work: Work, mail: Inbound, address: identity.GuestAddress, user: User) -> Outcome:
    """Carry out a reply to a letter of the door that came before its reader opened an account.

    A cell is the first move of a game, unless that game runs already.
    """
    game = newcomers.game_of(address)
    host = "" if address.question else membership.host(work, game)
    cell = read_first_move(mail.subject, mail.is_reply, mail.lines, game).cell
    if not host or cell not in game.grid.names:
        return _account_reply(work, mail, user)
    if refused := authentication.admit_reply(work, user):
        return refused
    if match := newcomers.running(work, game, user):
        return _all(
            work, mail, [parse_reply(cell, type(game))], Speaker(match, user.userid, 0, line=cell)
        )
    try:
        with work.tx.savepoint():
            beginning.start_with(work, game, (user.userid, host), cell)
    except Refusal as error:
        answers.answer(work, [RefusedCommand(cell, error.told, error.code)])
        return Outcome("refused", "no first game")
    return Outcome("applied", "first move")


def _account_reply(work: Work, mail: Inbound, user: User) -> Outcome:
    """Carry out a message whose address proves that it is from the player of an account."""
    return (
        authentication.admit_reply(work, user)
        or _of_account(work, mail, user)
        or _in_full(work, mail)
    )


def _of_account(work: Work, mail: Inbound, user: User) -> Outcome | None:
    """Carry out the commands of a reply that a player of an account has written; None if it has none."""
    own = list(dropwhile(lambda line: not line.strip() or is_greeting(line), mail.lines))
    writer = _writer(work, mail, user)
    said = (mail.subject, mail.is_reply, own, writer)
    content = _read(work, mail, read_account_reply, *said)
    if content is None:
        return None
    return _divided(work, mail, content, writer.names)


def _writer(work: Work, mail: Inbound, user: User) -> Replier:
    """Return what is known of the writer of a reply that speaks for an account, and of what its lines name.

    The writer may use the passwords of all accounts at that address.
    """
    names = dict.fromkeys([user.userid, *(each.userid for each in work.accounts())])
    lines = (mail.subject, *mail.lines)
    players = [each for each in players_named(lines) if work.tx.accounts.user(each)]
    kinds = _kinds(work, lines)
    rows = filter(None, map(work.tx.boards.get, kinds))
    boards = [row.board for row in rows if user.userid in row.seats]
    return Replier(list(names), kinds, language=user.language, boards=boards, players=players)


def _kinds(work: Work, lines: Iterable[str]) -> Mapping[int, type[Game]]:
    """Return the games of the boards that lines name without the word of a game."""
    return digests.kinds(work, boards_named(lines))


def _digest_reply(work: Work, mail: Inbound, address: identity.DigestAddress) -> Outcome:
    """Carry out the lines of a message to the Reply-To of a digest, for its player."""
    number = address.number
    work.keys = work.context.keyring.keys(work.tx, work.now, address.key_id)
    userid, turns = work.tx.digests.get(number) or ("", "")
    user = work.tx.accounts.user(userid) if userid else None
    if (
        not user
        or not user.address
        or not any(
            identity.is_signed(work.keys, address, "digest", name, number)
            for name in (userid, *authentication.former(work, userid))
        )
    ):
        return authentication.unknown(work)
    if refused := authentication.admit_reply(work, user):
        return refused
    boards = digests.listed(work, turns)
    kinds = digests.kinds(work, boards)
    writer = _writer(work, mail, user)
    said = (mail.subject, mail.is_reply, mail.lines, kinds, writer)
    lines = _read(work, mail, read_digest_reply, *said)
    first = lines[:COMMANDS_A_MAIL]
    only = None if len(lines) > 1 or lines[0].board else lines[0].command
    if isinstance(only, UsageError) and not only.understood:
        # It names no board, and no move: then it may say all that a reply to any other letter may.
        if outcome := _of_account(work, mail, user):
            return outcome
        if not mail.looks and (way := questions.way(work, mail)):
            _finish(work, mail, (), [way])
            return Outcome("refused", "no command")
    if mail.looks and not any(line.board or isinstance(line.command, Command) for line in first):
        return Outcome("ignored", mail.looks)

    def speaker_at(at: int) -> Speaker | None:
        """Return the player on the board of a line, at the turn that the digest showed.

        None if the line at that index names no board.
        """
        line = first[at]
        _say(work, line, writer.names)
        if not line.board:
            return None
        match, shown = load(work, line.board), boards[line.board]
        seen = shown.length if shown.resets == match.resets else -1
        return Speaker(match, userid, seen, shown.mark)

    commands = [line.command for line in first]
    return _all(work, mail, commands, speaker_at=speaker_at, too_many=len(lines) - len(first))


def _divided(
    work: Work,
    mail: Inbound,
    content: Split,
    names: Sequence[str] = (),
    speaker: Speaker | None = None,
) -> Outcome:
    """Carry out the commands of a divided message, each with its words. See also ``_say`` and ``_all``."""

    def speaker_at(at: int) -> Speaker | None:
        command = content.commands[at]
        args = command.args if isinstance(command, Command) else {}
        named = args.get("userid", args.get(_OWN_USERID, ""))
        _say(work, content.said[at] if at < len(content.said) else Said(), names, named)
        return speaker

    return _all(work, mail, content.commands, speaker_at=speaker_at, too_many=content.too_many)


def _say(work: Work, said: Said | DigestLine, names: Sequence[str] = (), named: str = "") -> None:
    """Keep the lines of a message that are for the opponent, without those that may hold a password.

    They are cut to the length that is passed on.
    names  the accounts at the address that a reply proves; none: all at the author's address
    named  the account that the command names, if it is to be proved by its password
    """

    def accounts() -> Sequence[str]:
        return names or [user.userid for user in work.accounts()]

    comment, withheld = open_lines(said.comment.split("\n"), accounts, names or (named,))
    whole = comment.strip()
    lines = whole[:_COMMENT_CHARACTERS].split("\n")[:_COMMENT_LINES]
    text = "\n".join(lines).strip()
    work.words = work.words._replace(
        text=text, is_shortened=len(text) < len(whole), withheld=said.withheld + withheld
    )


def _read(work: Work, mail: Inbound, read: Callable[..., T], *said: object) -> T:
    """Return what a reader makes of what a message says.

    Raises NeedsComputation for a long message, since reading it may take 0.15 seconds. The result is kept
    under the reader and what it reads: a message may be read in more than one way.
    """
    if len(mail.lines) <= _FEW_LINES:
        return read(*said)
    asked = (getattr(read, "func", read), repr(said))
    result: T = work.results.of(Computation(asked, partial(read, *said), "reading"))
    return result


def _finish(
    work: Work, mail: Inbound, commands: Sequence[_Read], refused: list[RefusedCommand]
) -> None:
    """Mail the answers and the refusals, and welcome a newcomer; the writer is told if the mail was cut."""
    if mail.cut_short and not mail.trouble:
        refused.append(RefusedCommand("", TROUBLE_CUT, "unreadable"))
    limits.finish(work, refused)
    if not work.proved:
        newcomers.answer(work, mail, commands, refused)


def _all(
    work: Work,
    mail: Inbound,
    commands: Sequence[_Read],
    speaker: Speaker | None = None,
    *,
    speaker_at: Callable[[int], Speaker | None] | None = None,
    too_many: int = 0,
) -> Outcome:
    """Carry out commands in order, each whole or not at all; one letter lists those that were refused.

    speaker     the player and board that a reply token speaks for
    speaker_at  finds the speaker of the command at that index, and keeps its comment
    too_many    how many more commands the mail has
    """
    refused: list[RefusedCommand] = []
    applied = unreadable = 0
    wishes_changed = False
    has_own_words = speaker_at is not None and len(commands) > 1
    for number, command in enumerate(commands, 1):
        if speaker_at is not None:
            speaker = speaker_at(number - 1)
        if isinstance(command, UsageError):
            board = speaker.match.number if speaker else command.board
            found = RefusedCommand(command.understood, command.told, command.code, board)
            refused.append(_unheard(work, found) if has_own_words else found)
            unreadable += command.code != "not-first"
            if unreadable == _UNREADABLE_COMMANDS and number < len(commands):
                reason = say_many(
                    "We couldn't understand {lines} lines of your message, so we "
                    "skipped the {count} line after them.",
                    "We couldn't understand {lines} lines of your message, so we "
                    "skipped the {count} lines after them.",
                    len(commands) - number,
                    lines=unreadable,
                )
                refused.append(RefusedCommand("", reason, "unreadable"))
                break
            continue
        letters, asked = len(work.report.letters), len(work.queue.asked)
        name = _named(command, speaker)
        if speaker is not None:
            own = {"board": speaker.match.number, "boards": ((speaker.match.number, None),)}
            command = command.knowing({**own, **command.args})
        try:
            with work.tx.savepoint():
                opened = _one(work, command, speaker)
            applied += 1
            wishes_changed |= command.verb.setting
            name += f" {opened}" if opened else ""
            work.report.done.append(name)
        except Refusal as error:
            found = answers.refusal(command, error)
            refused.append(_unheard(work, found) if has_own_words else found)
            del work.report.letters[letters:]
            work.queue.undo(asked)
        work.queue.after_refusal.clear()
        work.report.commands.append(name)
    if too_many > 0:
        reason = say_many(
            "We skipped {count} command: a message can have at most {most}.",
            "We skipped {count} commands: a message can have at most {most}.",
            too_many,
            most=COMMANDS_A_MAIL,
        )
        refused.append(RefusedCommand("", reason, "too-many-commands"))
    if speaker is not None and speaker.line and refused:
        below = [each for each in refused if each.code == "not-first"]
        first = [each for each in refused if each not in below][:1]
        refused = [*(_offered(work, speaker, each) for each in first), *below]
    if wishes_changed:  # leave has ended, a limit is higher: two who wait may play each other now
        pairs.pair_again(work)
    _finish(work, mail, commands, refused)
    if not applied and work.report.limits == ["mails"]:
        return Outcome("ignored", "too many mails")
    return Outcome("applied" if applied else "refused", done=applied, of=len(commands))


def _unheard(work: Work, refused: RefusedCommand) -> RefusedCommand:
    """Return the refusal of one of several commands, with the number of lines that went to nobody."""
    count = full(work.words.text.split("\n"))
    if not count:
        return refused
    return replace(refused, reason=together(refused.reason, not_passed_on(count)))


def _offered(work: Work, speaker: Speaker, refused: RefusedCommand) -> RefusedCommand:
    """Return the refusal of a line of a reply, or in its place what the line may have meant.

    What the line names is offered before its words are taken for a wish: "by the rules I play C3".
    """
    match, userid = speaker.match, speaker.userid
    told = previews.offered(work, speaker, refused)
    if told.offer or told.code not in previews.OF_TALK:
        return told
    wish = None
    if match.program:
        bots = opponents(work, match.game)
        wish = questions.to_a_bot(work, [speaker.line], match, userid, bots, over=False)
    reader = "" if match.program else match.opponent(userid)
    wish = wish or questions.way_on_a_board(work, speaker.line, userid, reader)
    return replace(wish, board=match.number) if wish else told


def _one(work: Work, command: Command, speaker: Speaker | None) -> int | None:
    """Carry out one command, after the proof of its writer that its verb asks for.

    Return the number of the board that it has opened, or None. Raises Refusal.
    """
    password = command.args.get("password")
    if password and password.value in work.words.text:
        lines = work.words.text.split("\n")
        kept = [line for line in lines if password.value not in line]
        withheld = work.words.withheld + len(lines) - len(kept)
        work.words = work.words._replace(text="\n".join(kept).strip(), withheld=withheld)
    own = work.proved if speaker is None else speaker.userid
    if own and command.verb.names_writer:
        command = command.knowing({_OWN_USERID: own, **command.args})
    if speaker is not None:
        if speaker.seen != len(speaker.match.record) and not command.verb.any_turn:
            raise BoardRefusal(
                say("You've replied to an older letter, and the board has changed since then."),
                "late",
                speaker.match,
            )
        if speaker.draft:
            command = previews.in_reply(work, command, speaker)
    _require_switched_on(work, command.verb)
    handler = function_of(command.verb)
    match command.verb.who:
        case Who.PLAYER:
            return handler(work, command, speaker or _speaker(work, command))
        case Who.ACCOUNT:
            account = work.account(speaker.userid) if speaker else _account(work, command)
            if command.verb.asks_back and not password:
                membership.ask_back(work, command, account)
                return None
            return handler(work, command, account)
        case Who.ADDRESS:
            return handler(work, command, _account(work, command) if password else _reader(work))
        case Who.ANYBODY:
            if command.verb.asks_back and not password and work.proved:
                membership.ask_back(work, command, _account(work, command))
                return None
            return handler(work, command)


def _require_switched_on(work: Work, verb: Verb) -> None:
    """Raise Refusal for a command of a feature that the operator has switched off."""
    if verb.feature and all(
        each.name != verb.feature for each in features(without=work.context.config.without)
    ):
        title = next(each.title for each in features() if each.name == verb.feature)
        raise Refusal(say("This server doesn't offer {title}.", title=title), "switched-off")


def function_of(verb: Verb) -> Callable[..., int | None]:
    """Return the function that carries a verb out; its module is imported when the verb is used first.

    Raises ImportError, AttributeError if there is none: ``require_functions`` finds that at the start.
    """
    folder = f"features.{verb.feature}" if verb.feature else "service.verbs"
    if verb.handler.count(".") > 1:
        folder = "service"
    return function_at(f"{folder}.{verb.handler}")


def require_functions() -> None:
    """Look up the function of each verb. Raises ImportError, AttributeError if one is missing."""
    for verb in (*GAME_VERBS, *SERVER_VERBS):
        function_of(verb)


def _account(work: Work, command: Command) -> User:
    """Return the account that the userid and password of a command name. Raises NotYou.

    A reply to a letter about an account has neither: its writer is proved already.
    """
    if "password" not in command.args and (own := work.tx.accounts.user(work.proved)):
        return own
    user = authentication.authenticate(work, command["userid"], command["password"])
    work.proved = user.userid
    return user


def _speaker(work: Work, command: Command) -> Speaker:
    """Return the player that a command with a password speaks for. Raises NotYou, BadInput."""
    userid = _account(work, command).userid
    match: Match = load(work, command["board"], command.game)
    kind = command.game
    # A mail program may have removed or added an asterisk, nothing else.
    if kind is not None and kind.word.strip("*") != match.game.word.strip("*"):
        raise BadInput(
            say(
                "Board {number} is a game of {game}, so your line has to start with {word}.",
                number=match.number,
                game=match.game.title,
                word=match.game.word,
            ),
            "other-game",
        )
    if match.player(userid) is None:
        raise BadInput(
            say("Board {number} isn't one of yours.", number=match.number), "not-a-player"
        )
    return Speaker(match, userid)


def _reader(work: Work) -> User:
    """Return the account that gets the answer to a query without a password. Raises Refusal."""
    proved = work.proved
    if work.sender.quiet and not proved:
        raise Refusal(say("We don't answer messages of this kind."), "quiet")
    if not proved:
        limits.require_leave(work)
    user = work.tx.accounts.user(proved) if proved else next(iter(work.accounts()), None)
    if user is None or user.state == "closed":
        raise Refusal(say("You need an account for that."), "no-account")
    if user.state == "suspended":
        work.queue.after_refusal.append(lambda: authentication.ask_again(work, user))
        raise Refusal(say("Please confirm your address first."), "suspended")
    return user


def _named(command: Command, speaker: Speaker | None) -> str:
    """Return the game, verb and board of a command, for the log."""
    words = [command.game.word] if command.game else []
    words.append(command.verb.name)
    if number := command.args.get("board", speaker.match.number if speaker else None):
        words.append(str(number))
    words += [str(number) for number, _ in command.args.get("boards", ()) if speaker is None]
    return " ".join(words)
