"""Proof of a message's writer: passwords, one-time tokens by mail, and the limits of tries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache, partial

from ... import identity
from ...command import named
from ...errors import BadInput, Refusal, say, together
from ...games import GAMES
from ...grammar.literals import COPYING, Secret
from ...identity import Purpose, passwords
from ...machine.times import DAY, HOUR
from ...render.facts import AddressFacts, TokenFacts
from ...store import STRANGERS, Board, Place, Token, User
from ..letters import alerts
from ..letters.post import send, tell_account
from ..reminders import leave
from ..work.context import WRONG_A_MAIL, Computation, Outcome
from ..work.letter import PlainLetter, detailed, signed
from ..work.work import Work
from . import strangers

CUTS = 50  # after so many cuts of the record, replies to the letters from before are still known
CONFIRMED = (
    "signup",
    "address",
    "resign",
    "wish",
    *COPYING,
)  # kinds of tokens that a reply confirms
TOKEN_DAYS = 7
TOKEN_MAILS = 3  # to one address in 30 days
COMMANDS_AN_HOUR = 300  # of one account
_WAS = "was "  # before a userid, the name of the fact that has its former ones
_TOO_MANY = say("You've sent too many commands in the past hour. Please try again later.")
_FREE_FAILURES = 5  # wrong passwords before the first lock
_FIRST_LOCK = 60.0
_LONGEST_LOCK = DAY
WRONG_AN_HOUR = 20  # after so many from one machine, no password from there is looked at
WRONG_A_DAY = 100  # after so many for one account, none from a place new to it is looked at
# After so many wrong passwords from a place known to the account, a remembered password is refused
# too: another person may forge all that is known about a place.
_WRONG_AT_HOME = 100


class NotYou(Refusal):
    """The userid or the password is wrong; the text does not tell which of them."""

    def __init__(self, userid: str) -> None:
        super().__init__(
            say(
                "That name or password is wrong. Check that your phone didn't capitalize the "
                "first letter. After several wrong passwords, you'll have to wait a while before "
                "you can try again."
            ),
            "not-you",
        )
        self.userid = userid


def authenticate(work: Work, userid: str, password: Secret) -> User:
    """Return the open account that userid and password name. Raises NotYou for each fault, and Refusal.

    Wrong passwords lock the place that they come from, for longer and longer times. The owner, who
    writes from elsewhere, is not locked out. Raises NeedsComputation if the password must be hashed first.
    """
    user = work.tx.accounts.user(userid)
    hashed = user.password if user and user.password else None
    place = _place(work, userid)
    is_remembered = work.context.passwords.knows(hashed, password)
    if work.limited and _is_locked(work, userid, place, is_remembered):
        work.report.reached("wrong")
        work.queue.after_refusal.append(partial(_watch, work))
        if place.known:  # a remembered password is still looked at here, so each guess counts
            work.queue.after_refusal.append(lambda: count_wrong(work, userid))
        raise NotYou(userid)
    if is_remembered or _is_right(work, userid, hashed, password):
        assert user is not None
        # Even if it is remembered: the transaction that has asked for its hash begins again with it.
        if is_guessable(work, password, (userid, *work.tx.accounts.addresses(user))):
            work.queue.after_refusal.append(partial(_take_password, work, user))
            if not work.is_from(user):  # nobody else learns that it was right
                raise NotYou("")
            raise Refusal(
                say(
                    "Your password was too easy to guess, so we've removed it, and we didn't do "
                    "what you asked. You don't need a password if you reply to one of our "
                    "letters."
                ),
                "weak-password",
            )
        came_from(work, userid)
        admit(work, user)
        return work.account(userid)
    work.queue.after_refusal.append(partial(_watch, work))
    if user is not None:
        work.queue.after_refusal.append(lambda: count_wrong(work, userid))
    raise NotYou(userid)


def _is_right(work: Work, userid: str, hashed: str | None, password: Secret) -> bool:
    check = partial(work.context.passwords.check, hashed, password)
    key = ("right", userid, hashed, password.value)
    task = Computation(key, check, "password", userid if hashed else "", idle=hashed is None)
    if work.limited and work.results.is_guessing(task):
        raise Refusal(
            say(
                "{most} passwords in this message were wrong, so we didn't check this one.",
                most=WRONG_A_MAIL,
            ),
            "too-many-wrong",
        )
    return bool(work.results.of(task))


def require_secret(work: Work, user: User, password: Secret) -> None:
    """Raise BadInput for a new password of an account that others can guess."""
    if is_guessable(work, password, (user.userid, *work.tx.accounts.addresses(user))):
        raise BadInput(
            say(
                "That password is too easy to guess. Choose one that isn't common and has "
                "nothing to do with your name, your address or a game."
            ),
            "weak-password",
        )


def is_guessable(work: Work, password: Secret, names: Iterable[str]) -> bool:
    """Return True if anybody can guess a password of a person with these names and addresses."""
    names = (*names, work.context.config.address)
    return work.context.passwords.is_guessable(password, names, _public())


@cache
def _public() -> frozenset[str]:
    """Return the words that players write: of games, options and commands."""
    words = {*named(None)}
    for game in GAMES:
        words |= {game.word, game.title, *named(game), *(each.name for each in game.options)}
    return frozenset(part for word in words for part in passwords.parts(word))


def _take_password(work: Work, user: User) -> None:
    """Take away a password that others can guess, and tell the owner."""
    work.tx.accounts.set_password(user.userid, "")
    work.tx.accounts.drop_moves(user)
    work.tx.accounts.drop_tokens(user.userid, "wish")
    tell_account(
        work,
        user,
        say("password removed"),
        together(
            say(
                "Your password was easy to guess: a name, an address or a common word. Someone "
                "just used it in a message to us, so we've removed it."
            ),
            say(
                "You don't need a password if you just reply to our letters. If you'd like a new "
                "one, send: {command}",
                command=f"forgot {user.userid}",
            ),
        ),
    )


def hashed(work: Work, userid: str, password: Secret) -> str:
    """Return the hash of a new password, to be stored. Raises NeedsComputation if it is not computed yet."""
    compute = partial(work.context.passwords.hash, password)
    return str(work.results.of(Computation(("hash", userid, password.value), compute, "password")))


def _place(work: Work, userid: str) -> Place:
    """Return the place that a message comes from, with the wrong passwords from its origin.

    It is known if the account knows its place or its origin.
    """
    place = work.tx.accounts.place(userid, work.sender.source.origin)
    return place._replace(
        known=place.known or work.tx.accounts.place(userid, work.sender.source.place).known
    )


def _is_locked(work: Work, userid: str, place: Place, is_remembered: bool) -> bool:
    """Return True if no password from this place is looked at."""
    if place.known and is_remembered and place.wrong < _WRONG_AT_HOME:
        return False
    # A lock that ends later than any lock can was set by a wrong clock.
    if work.now < place.until <= work.now + _LONGEST_LOCK:
        return True
    counted, origin = work.tx.ledger.counted, work.sender.source.origin
    if work.sender.source.is_one and counted(f"wrong {origin}", work.now, HOUR) >= WRONG_AN_HOUR:
        return True
    return not place.known and counted(f"wrong for {userid}", work.now, DAY) >= WRONG_A_DAY


def _watch(work: Work) -> None:
    """Count a wrong password for any account, and alert the operator if there are too many."""
    if work.tx.ledger.count("wrong", work.now, HOUR) == alerts.WRONG_AN_HOUR + 1:
        alerts.tell(work.tx, work.context.config, work.now, "passwords")


def count_wrong(work: Work, userid: str) -> None:
    """Count a wrong password for an account, by the place that it came from."""
    work.report.guessed.append(userid)
    place = _place(work, userid)
    count = place.wrong + 1 if work.now - max(place.last, place.until) < DAY else 1
    lock = 0.0
    if count >= _FREE_FAILURES:
        lock = min(_FIRST_LOCK * 2.0 ** min(count - _FREE_FAILURES, 20), _LONGEST_LOCK)
    is_locked = work.now < place.until <= work.now + _LONGEST_LOCK
    until = place.until if is_locked else work.now + lock
    known = work.tx.accounts.place(userid, work.sender.source.origin).known
    work.tx.accounts.set_place(
        userid, work.sender.source.origin, Place(known, count, work.now, until)
    )
    if work.sender.source.is_one:
        work.tx.ledger.count(f"wrong {work.sender.source.origin}", work.now, HOUR)
    if not place.known:
        work.tx.ledger.count(f"wrong for {userid}", work.now, DAY)


def unknown(work: Work) -> Outcome:
    """Ignore a message to a reply address that belongs to no account, or to none any more."""
    work.report.refused(
        "unknown-token", "The reply address belongs to no account, or no longer to one."
    )
    return Outcome("ignored", "unknown token")


def admit_reply(
    work: Work, user: User, board: int = 0, *, is_fresh: bool = False
) -> Outcome | None:
    """Prove that the owner of a reply address wrote the mail; return its outcome if it is refused.

    ``board``: the number of the board that the letter is about, 0 for none: the owner is told of it if
    another person wrote the mail. ``is_fresh``: the letter is about the turn that the board is at.
    """
    if not work.is_from(user):
        count = partial(work.tx.ledger.count, f"foreign {user.userid}", work.now, DAY)
        if not work.sender.looks and count() == 1:
            _tell_foreign(work, user, board)
        work.report.refused(
            "foreign-token", "The reply came from an address that is not the player's."
        )
        return Outcome("refused", "token from another address")
    seen(work, user, is_fresh=is_fresh)
    if (commands := _commands(work, user)) > COMMANDS_AN_HOUR:
        if commands == COMMANDS_AN_HOUR + 1:
            tell_account(work, user, say("too many commands"), _TOO_MANY)
        work.report.reached("commands")
        work.report.refused("too-many-commands", str(_TOO_MANY))
        return Outcome("refused", "too many commands")
    came_from(work, user.userid)
    work.proved = user.userid
    return None


def _tell_foreign(work: Work, user: User, board: int) -> None:
    """Tell the owner of a reply address that a message to it did nothing, and why."""
    if not work.sender.address:
        who = say("We couldn't read the From line of your message, so we don't know who wrote it.")
        more = say(
            "Nothing has changed. Please reply from another email app, or send the command with "
            "a password."
        )
        tell_account(work, user, say("unreadable author"), together(who, more))
        return
    who = (
        say(
            "Someone replied to one of your letters about board {number} from another address.",
            number=board,
        )
        if board
        else say("Someone replied to one of your letters from another address.")
    )
    more = say(
        "We ignored that reply. If you wrote it, please send it again from your own address."
    )
    tell_account(work, user, say("reply from another address"), together(who, more))


def asked(work: Work, address: identity.QuestionAddress) -> User | None:
    """Return the account that the reply address of a question speaks for; None if there is none.

    A former name isn't followed. The mac covers no mail address: the letters of somebody who has taken the
    name since, with a forged From line, would speak for the renamed account.
    """
    work.keys = work.context.keyring.keys(work.tx, work.now, address.key_id)
    user = work.tx.accounts.user(address.userid)
    signed = (address.purpose, address.userid, address.number)
    is_open = user is not None and user.address
    return user if is_open and identity.is_signed(work.keys, address, *signed) else None


def reader(
    work: Work,
    address: identity.SignedAddress,
    purpose: Purpose,
    userid: str,
    own: Callable[[User], Iterable[str]],
) -> tuple[User, str] | None:
    """Return the account that got a letter with this address, and where it got it; None if there is none.

    It may have another name since. The mac covers the mail address too, and only its reader has seen the
    letter: so letters to somebody who has taken the name since don't speak for the renamed account, nor its
    letters for them.

    own  the mail addresses at which a letter to an account may have come
    """
    bearers = (userid, *(name for name, names in _formers(work) if userid in names))
    for user in filter(None, map(work.tx.accounts.user, bearers)):
        for each in own(user) if user.address else ():
            if identity.is_signed(work.keys, address, purpose, userid, each):
                return user, each
    return None


def came_from(work: Work, userid: str) -> None:
    """Note that the owner of an account writes from this place, and forgive wrong passwords from there."""
    for name in dict.fromkeys((work.sender.source.place, work.sender.source.origin)):
        place = work.tx.accounts.place(userid, name)
        if not place.known or place.wrong or work.now - place.last > DAY:
            work.tx.accounts.set_place(userid, name, Place(1, 0, work.now, 0.0))


def admit(work: Work, user: User) -> None:
    """Note that an account has written. Raises Refusal after too many commands within an hour."""
    seen(work, user, is_fresh=True)
    if _commands(work, user) > COMMANDS_AN_HOUR:
        work.report.reached("commands")
        raise Refusal(_TOO_MANY, "too-many-commands")


def _commands(work: Work, user: User) -> int:
    """Count a command; return the number from the account within an hour, 0 if nothing is limited."""
    return work.tx.ledger.tally(f"commands {user.userid}", work.now, HOUR) if work.limited else 0


def ask_again(work: Work, user: User) -> None:
    """Mail a token that confirms the address to a suspended player who has written, once a day."""
    if work.tx.ledger.count(f"again {user.userid}", work.now, DAY) == 1:
        mail_token(work, "address", AddressFacts(user.userid, returned=True), user.address)


def seen(work: Work, user: User, *, is_fresh: bool = False) -> None:
    """Note that a player has written, and is not absent.

    Clear the bounces of the address that the mail came from: they were temporary. Wake a suspended account
    if the mail claims to be from its address and ``is_fresh``: it has the password, or answers the newest
    letter. Otherwise ask the player to confirm the address: who has an old letter and forges a From line must
    not start the clocks of a player whom no letter reaches.
    """
    if user.absent is not None:
        work.tx.accounts.set_absent(user.userid, None)
    if user.state == "suspended":
        is_own = work.sender.address == user.address and not work.sender.is_failed
        act = partial(_wake if is_fresh and is_own else ask_again, work, user)
        act()
        work.queue.after_refusal.append(act)  # what is refused undoes it
    elif other := work.tx.accounts.other_at(user, work.sender.address):
        if other.bounces:
            work.tx.accounts.set_address_bounces(other.address, 0.0)
    elif user.bounces:
        work.tx.accounts.set_bounces(user.userid, 0.0, user.state)


def _wake(work: Work, user: User) -> None:
    """Let a suspended account get letters again, and its clocks run; tell which boards wait."""
    if work.account(user.userid).state != "suspended":
        return
    work.tx.accounts.set_bounces(user.userid, 0.0, "active")
    leave.reached(work, user.userid)
    back = say(
        "Our letters to you came back, so we stopped sending them. From now on, we'll send them "
        "to this address again."
    )
    notice = together(back, leave.waiting(work, user.userid))
    tell_account(work, work.account(user.userid), say("letters again"), notice)


def too_many_tokens(work: Work, address: str, asker: str = "") -> bool:
    """Return True if an address has had as many token messages as 30 days allow."""
    return work.limited and (
        work.tx.accounts.count_tokens(identity.reader_mark(address), work.now, 30 * DAY, asker)
        >= TOKEN_MAILS
    )


def asker(work: Work, user: User) -> str:
    """Return the class of a reader who asks for a new password; each class has a quota of its own."""
    if not work.is_from(user):
        return "stranger"
    return {"own": "owner", "vouched": "vouched"}.get(work.standing(user.userid), "claimed")


def mail_token(
    work: Work,
    kind: str,
    facts: TokenFacts,
    address: str,
    hashed: str = "",
    asker: str = "",
) -> None:
    """Mail a token to an address; a reply to the letter confirms, if its kind is one of CONFIRMED.

    The address may belong to another account, or to a person who never asked for mail. An address that
    wants no mail gets none, and the player who asked for the token does not learn that.
    """
    token, userid = identity.one_time_token(work.random(20)), facts.userid
    work.tx.accounts.add_token(
        Token(
            identity.token_hash(token),
            kind,
            userid,
            address,
            hashed,
            work.now,
            asker,
            identity.reader_mark(address),
        )
    )
    user = work.tx.accounts.user(userid)
    own = user if user and user.address == address else None
    facts = replace(facts, token=token.value, days=TOKEN_DAYS, stranger=own is None)
    headers = {"Reply-To": detailed(work, identity.ONCE + token.value)} if kind in CONFIRMED else {}
    if (own is None or own.state != "active") and strangers.is_suppressed(work, address):
        return
    letter = PlainLetter(facts, userid, address, headers)
    if own is None:
        post_stranger(work, letter)
    else:
        send(work, letter)


def post_stranger(work: Work, letter: PlainLetter) -> None:
    """Mail a stranger's address, with a way to get no more mail.

    The caller checks first that the address may be mailed.
    """
    mark = identity.reader_mark(letter.address)
    never = signed(work, Purpose.NEVER, mark, "")
    heads = {**letter.headers, "List-Unsubscribe": f"<mailto:{never}?subject=never>"}
    sender = signed(work, Purpose.STRANGER_BOUNCE, mark, "")
    strangers.count(work, letter.address)
    send(work, replace(letter, headers=heads, envelope=sender, lane=STRANGERS))


def speaker(work: Work, token: identity.ReplyAddress) -> tuple[Board | None, str, bool]:
    """Return the board of a reply address or None, the player that it speaks for or an empty string, and
    True if the record was cut since."""
    work.keys = work.context.keyring.keys(work.tx, work.now, token.key_id)
    row = work.tx.boards.get(token.board)
    for player, name, resets in _signers(work, row) if row else ():
        turn = identity.ReplyScope(name, token.board, resets, token.turn)
        if identity.is_signed(work.keys, token, "reply", *turn):
            return row, player, row is not None and resets != row.resets
    return row, "", False


def former(work: Work, userid: str) -> list[str]:
    """Return the former names of an account."""
    return work.tx.ledger.fact(f"{_WAS}{userid}").split()


def _formers(work: Work) -> Iterator[tuple[str, list[str]]]:
    """Yield each account that has former names, and these."""
    for name, names in work.tx.ledger.facts(_WAS):
        yield name.removeprefix(_WAS), names.split()


def _signers(work: Work, row: Board) -> Iterator[tuple[str, str, int]]:
    """Yield each signer that a reply address may have: a player, the name then, and the number of cuts.

    Former names come last: a usual reply then needs no look-up of them.
    """
    cuts = range(row.resets, max(-1, row.resets - CUTS), -1)
    for resets in cuts:
        for player in row.seats:
            yield player, player, resets
    for player in row.seats:
        for name in former(work, player):
            for resets in cuts:
                yield player, name, resets
