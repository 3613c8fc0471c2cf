"""Accounts: signup and confirmation, passwords, the end of an account."""

from __future__ import annotations

import itertools
import json
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from ... import games, identity
from ...command import RESERVED, Command, is_greeting, named
from ...errors import NOTHING, BadInput, Refusal, Sentence, say, say_many, together
from ...games.base import Game
from ...games.grids import NO_CELL
from ...games.hexagon.hex import Hex
from ...games.hexagon.star import Star
from ...games.hexagon.y import Y
from ...games.pentagon.polyy import PolyY
from ...games.pentagon.starstar import StarStar
from ...games.pentagon.stary import StarY
from ...grammar.literals import COPYING, SENTENCE_WORDS, Secret
from ...grammar.words import ENGLISH, meanings_in
from ...inbound import Inbound, phrases
from ...machine.times import DAY, HOUR, Epoch
from ...matchmaking.rows import Offers
from ...render.facts import (
    AccountFacts,
    ForgotFacts,
    ResignAllFacts,
    SignupFacts,
    TakenFacts,
    UnclearFacts,
    WelcomeFacts,
    WishFacts,
)
from ...store import Token, User
from ..letters import alerts, chores, first
from ..letters.post import send, tell_account
from ..proof import authentication, limits, strangers
from ..proof.strangers import require_free, usable_address
from ..reminders import leave
from ..work.bots import opponents
from ..work.feature import Feature, features
from ..work.letter import PlainLetter, detailed
from ..work.work import Work
from . import addresses, beginning, play

_SHOWN = "site"  # the fact with the time since when new players are told that their games are shown
SIGNUPS_AN_HOUR = 60  # of all people who prove nothing, and have not confirmed it yet
SIGNUPS_OF_A_GUEST = 10  # an hour
ACCOUNTS_OF_A_DOMAIN = 100  # opened within an hour at the addresses of one domain
# Codes of refusals to sign up that mean: not now. The letter that says so says nothing else.
TURNED_AWAY = frozenset((
    "signups-full", "signups-of-a-guest", "accounts-of-a-domain", "too-many-strangers", "too-many-mails",
))  # fmt: skip
LONGEST = 12  # letters of a suggested userid
_IN_ENGLISH = say("You get all your letters in this language. For English, reply: {command}")
_NAMED = 5  # players that the welcome names to a new player
# The games of the door, each on its smallest board, except Star; letters know them by their place.
FIRST_GAMES: tuple[Game, ...] = (
    Star({"size": "4"}), Hex({"size": "3"}), Y({"size": "3"}), StarStar({"rings": "3"}),
    StarY({"rings": "3"}), PolyY({"rings": "3"}),
)  # fmt: skip
FIRST_GAME = FIRST_GAMES[0]
RESIGN_ALL = "resign"  # a kind of token
WISH = "wish"  # a kind of token: its account may be changed as a reply has asked
WISHES_A_DAY = 10  # of one account
IN_WORDS = (RESIGN_ALL, WISH)  # kinds of tokens for which an empty reply is not a yes
_NEVER = frozenset(("never", "stop", "unsubscribe"))  # a reply that begins so confirms nothing
_LOOKED_AT = 400  # characters of a line or paragraph of an answer
_SURNAME = re.compile(r"(?=.{1,24}\Z)[^\W\d_]+(?:['\u2019-][^\W\d_]+)*\.?")
# Answers to a letter with a token.
YES, EMPTY, WITHOUT, NO, NEVER = "yes", "empty", "without", "no", "never"
_NO = frozenset("|".join(phrases.NO).split("|"))
_WITHOUT = re.compile(r"(?:yes,? )?(?:but )?(?:without|no)(?: an?| that| the)? password")
_OF_AN_ADDRESS = frozenset(("address", *COPYING))  # kinds of tokens that give an account an address
_A_YES = "|".join(phrases.YES)
_YES = re.compile(
    rf"(?:{_A_YES})(?: ?[ ,.!:;-] ?(?:{'|'.join((*phrases.WITH_YES, _A_YES))})){{0,2}}"
)
_ASKS = frozenset("?\u00bf\uff1f")
_PREFIXES = re.compile(r"\A(?:[^\s:\uff1a]{1,12} ?[:\uff1a] ?)+")
_OURS = re.compile(
    r"(?:[^\s:\uff1a]{1,12} ?[:\uff1a] ?)*?star\b", re.I
)  # all our Subjects begin so


def first_game(word: str) -> Game:
    """Return the game of the door of that word; Star if it is none of them."""
    return next((game for game in FIRST_GAMES if game.word == word), FIRST_GAME)


def like(game: Game) -> str:
    """Return a cell of a game of the door, as an example."""
    names = game.grid.names
    return "C3" if "C3" in names else names[len(names) // 2]


def no_cell(cell: str, example: str) -> Sentence:
    """Return why a game of the door cannot begin in a cell."""
    return together(
        NO_CELL.given(name=cell), say("Reply with another one, like {example}.", example=example)
    )


def host(work: Work, game: Game) -> str:
    """Return the program that plays a first game with a newcomer; empty if none does."""
    return next(iter(opponents(work, game)), "")


def signup(work: Work, command: Command) -> None:
    """Mail a token to the address; the account is opened when it comes back.

    A guest has replied to our letter to that address, so the account is opened at once. If the guest has
    chosen a move on the letter's board, the game starts with it; if it was a feature's letter, the feature
    starts the game.
    """
    userid = command["userid"]
    if userid in SENTENCE_WORDS:
        raise BadInput(say("The name {userid} is taken.", userid=userid), "taken")
    address = command.args.get("address") or work.sender.address
    if not address:
        raise BadInput(
            say("Your message has no From address, so we can't answer it."), "no-address"
        )
    address = usable_address(work, address)
    if work.guest.is_known and address == work.sender.address:
        _require_room(work)
        told = WelcomeFacts(
            userid, site=first.place_of(work), unkept=_is_no_password(work, command)
        )
        hashed = _hashed(work, userid, command)
        open_account(
            work, told, address, hashed, begins=work.guest.starts or bool(work.guest.first)
        )
        work.guest = work.guest._replace(is_known=False)
        return
    strangers.require_invited(work, address)
    limits.require_leave(work)
    own = work.tx.accounts.user(userid)
    addresses = work.tx.accounts.addresses(own) if own and own.state == "active" else ()
    if {work.sender.address, address}.issubset(addresses):
        raise BadInput(
            say(
                "You already have the account {userid}. If you've forgotten its password, "
                "send: {command}",
                userid=userid,
                command=f"forgot {userid}",
            ),
            "own-account",
        )
    if authentication.too_many_tokens(work, address):
        return
    _require_room(work)
    strangers.require_room(work, address)
    if userid in RESERVED or work.tx.accounts.user(userid):
        authentication.mail_token(work, "taken", TakenFacts(userid), address)
        return
    is_shown(work, work.now)  # the games of new players are shown from now on: the letter says so
    hashed = _hashed(work, userid, command)
    facts = SignupFacts(
        userid,
        site=first.place_of(work),
        chosen=bool(hashed),
        unkept=_is_no_password(work, command),
        left=command.args.get("left", 0),
    )
    authentication.mail_token(work, "signup", facts, address, hashed)


def is_shown(work: Work, asked: Epoch) -> int:
    """Return 1 if the games of a player who asked for an account then are shown, otherwise 0.

    They are shown if letters said so by that time.
    """
    if not first.place_of(work):
        return 0
    since = float(work.tx.ledger.fact(_SHOWN) or 0.0)
    if not since:
        work.tx.ledger.set_fact(_SHOWN, str(work.now))
        since = work.now
    return int(since <= asked)


def free_name(work: Work, address: str, said: str = "") -> str:
    """Return a free userid made from a name, or from the reader's own address; empty if none can be made."""
    local = said or address.partition("@")[0].partition("+")[0].partition(".")[0].lower()
    name = re.sub("[^a-z0-9_-]", "", local)[:LONGEST].lstrip("0123456789_-")
    for each in (name, *(f"{name}{number}" for number in range(2, 10))):
        is_free = each not in RESERVED and work.tx.accounts.user(each) is None
        if len(name) > 1 and is_free:
            return each
    return ""


def _hashed(work: Work, userid: str, command: Command) -> str:
    """Return the hash to keep of the password that a command sets; empty if it sets none.

    An account may have no password. Its owner replies to letters until ``forgot`` sets a password.
    """
    password = command.args.get("password")
    if password is None or _is_no_password(work, command):
        return ""
    return authentication.hashed(work, userid, password)


def _is_no_password(work: Work, command: Command) -> bool:
    """Return True if the word after a new userid is not kept: it may be a surname, or others can guess it."""
    password = command.args.get("password")
    if password is None:
        return False
    known = (command["userid"], work.sender.address, command.args.get("address", ""))
    return bool(_SURNAME.fullmatch(password.value)) or authentication.is_guessable(
        work, password, known
    )


def _require_room(work: Work) -> None:
    """Raise Refusal if too many people sign up just now.

    Guests, who have shown that they read our mail, are counted by their own address. All others cost a
    letter, and the limits of those count (``strangers``). People for whom nobody vouches are counted together
    too, until they confirm. So a flood keeps nobody out who is not part of it, and a club is none.
    """
    if work.guest.is_known:
        if work.exceeds(
            SIGNUPS_OF_A_GUEST, f"signups {identity.reader_mark(work.sender.address)}", HOUR
        ):
            work.report.reached("signups")
            raise Refusal(
                say(
                    "You can open at most {most} accounts an hour from your address. Try "
                    "again in an hour.",
                    most=SIGNUPS_OF_A_GUEST,
                ),
                "signups-of-a-guest",
            )
        return
    if work.sender.is_authentic:
        return
    most = strangers.raised(work, SIGNUPS_AN_HOUR)
    if work.limited and work.tx.ledger.counted("signups", work.now, HOUR) >= most:
        work.report.reached("signups")
        work.queue.after_refusal.append(
            partial(alerts.tell, work.tx, work.context.config, work.now, "signups")
        )
        raise Refusal(
            say("Too many people are signing up right now. Try again in an hour."), "signups-full"
        )
    work.tx.ledger.count("signups", work.now, HOUR)


def confirm(work: Work, command: Command) -> None:
    """Do what a mailed token stands for. Raises BadInput if the token is unknown or has expired."""
    # Another node may use the same token just now, or give the same address or userid away.
    work.tx.accounts.lock_addresses(work.now)
    token = work.tx.accounts.token(identity.token_hash(command["token"]))
    if (
        token is None
        or token.kind not in _CONFIRMED
        or abs(work.now - token.made) > authentication.TOKEN_DAYS * DAY
    ):
        raise BadInput(
            say("That code doesn't work. A code only works once, and only for a week."),
            "no-token",
        )
    if token.kind in IN_WORDS and command.args.get("answer", YES) != YES:
        why = (
            say("To resign all your games, reply yes.")
            if token.kind == RESIGN_ALL
            else say("To confirm that, reply yes.")
        )
        raise Refusal(why, "no-yes")
    if not may_confirm(work, token, command):
        raise Refusal(
            say("Please confirm from the address we sent that code to."),
            "not-asked",
        )
    if token.kind in (*COPYING, WISH):  # others may be waiting for their tokens at the same time
        work.tx.accounts.drop_token(token.hash)
    else:
        work.tx.accounts.drop_tokens(token.userid, token.kind)
    for mark in identity.marks(token.address):
        work.tx.people.unsuppress(mark)
    if command.args.get("answer") == WITHOUT and token.kind == "signup":
        token = token._replace(password="")
    _CONFIRMED[token.kind](work, token)


def may_confirm(work: Work, token: Token, command: Command) -> bool:
    """Return True if the writer of a message may say yes to a token.

    If the token gives an account an address, the yes comes from there. A command with the token, which
    somebody has read there, may also come from an address that the account already has. A wish for an
    account, or to give up games, is confirmed from an address of it: a letter may have been forwarded.
    """
    if token.kind in IN_WORDS:
        return work.is_from(addresses.require_open(work, token.userid))
    if token.kind not in _OF_AN_ADDRESS:
        return True
    own = work.tx.accounts.user(token.userid)
    asked = {token.address}
    if own is not None and "answer" not in command.args:
        asked.update(work.tx.accounts.addresses(own))
    return identity.mailbox(work.sender.address) in map(identity.mailbox, asked)


def meant(lines: Sequence[str]) -> str:
    """Return NEVER if the first line begins with a word that asks for no more mail; otherwise ""."""
    words = re.findall("[a-z]+", lines[0].lower()) if lines else []
    return NEVER if _NEVER.intersection(words[:1]) else ""


def answered(mail: Inbound, token: str) -> str:
    """Return what a reply to a letter with a token says: YES, EMPTY, WITHOUT, NO, NEVER, or "" for all else.

    A yes is a first line that says yes and nothing else, or repeats the command of the letter; a no begins
    with no. A message of a list or a program, and one whose text cannot be read, is not EMPTY.
    """
    lines = [*mail.lines] if mail.is_reply else [*mail.lines] or [mail.subject]
    lines = lines[next((at for at, line in enumerate(lines) if _speaks(line)), len(lines)) :]
    if not lines:
        is_told = mail.trouble is None and not (mail.quiet or mail.looks) and not any(mail.lines)
        return EMPTY if is_told and _is_ours(mail) else ""
    if said := meant(lines):
        return said
    first = plainly(lines[0])
    paragraph = itertools.takewhile(str.strip, lines[1:_LOOKED_AT])
    rest = re.findall(r"[\w']+", plainly(" ".join(paragraph)))
    if _WITHOUT.fullmatch(first):
        return WITHOUT
    if (is_yes(lines[0]) or first == f"confirm {token}") and phrases.NOT_YES.isdisjoint(rest):
        return YES
    return NO if _is_no(lines[0]) else ""


def _is_no(line: str) -> bool:
    """Return True if a line begins with a no, in any language. "No?" asks."""
    first = re.findall(r"\w+", plainly(line))[:1]
    says_no = any(word in _NO or "no" in meanings_in(word) for word in first)
    return says_no and _ASKS.isdisjoint(line)


def is_yes(line: str) -> bool:
    """Return True if a line says yes, perhaps with thanks, and nothing else. "Yes?" asks."""
    return bool(_YES.fullmatch(plainly(line))) and _ASKS.isdisjoint(line)


def _speaks(line: str) -> bool:
    return bool(line.strip()) and not is_greeting(line)


def _is_ours(mail: Inbound) -> bool:
    """Return True if a message without words answers one of our letters by its Subject, or says yes there."""
    subject = _PREFIXES.sub("", mail.subject)
    return subject == "" or bool(_OURS.match(mail.subject) or is_yes(subject))


def plainly(text: str) -> str:
    """Return the beginning of a text in small letters, without accents and without marks at its ends."""
    text = text[:_LOOKED_AT]
    letters = unicodedata.normalize(
        "NFKD", text.replace("\u2019", "'").replace("\u0142", "l")
    ).casefold()
    bare = "".join(each for each in letters if not unicodedata.combining(each))
    return " ".join(re.sub(r"^\W+|\W+$", "", bare).split())


def leave_alone(work: Work, token: Token) -> None:
    """Tell the writer of a no to a letter with a token of IN_WORDS that nothing was done; it stays valid."""
    user = addresses.require_open(work, token.userid)
    topic = say("nothing changed")
    facts = AccountFacts(
        user.userid, topic, say("Fine, we didn't do anything."), subject=str(topic)
    )
    limits.ask(work, user, ("no", token.hash), PlainLetter.to(user, facts))


def unclear(work: Work, token: Token, secret: Secret) -> None:
    """Tell the reader of a letter with a token, once, that an answer to it has done nothing.

    The letter goes where the token went, wherever the answer came from; never to a list or a program.
    """
    elsewhere = identity.mailbox(work.sender.address) != identity.mailbox(token.address)
    if work.sender.quiet or not token.address or strangers.is_suppressed(work, token.address):
        return
    if work.tx.ledger.count(f"unclear {token.hash}", work.now, authentication.TOKEN_DAYS * DAY) > 1:
        return
    own = work.tx.accounts.user(token.userid)
    is_own = own is not None and own.address == token.address
    facts = UnclearFacts(token.userid, token.kind, elsewhere)
    heads = {"Reply-To": detailed(work, identity.ONCE + secret.value)}
    letter = PlainLetter(facts, token.userid, token.address, heads, answers=not elsewhere)
    if is_own:
        send(work, letter)
        return
    try:
        strangers.require_room(work, token.address, kept=0)
    except Refusal:
        return
    authentication.post_stranger(work, letter)


def never(work: Work, command: Command) -> None:
    """Stop all mail to the address that a token was sent to. Raises BadInput for an unknown token.

    The token stays valid, so the owner may still confirm.
    """
    token = work.tx.accounts.token(identity.token_hash(command["token"]))
    if token is None or token.kind not in ("signup", "address", "taken", *COPYING):
        raise BadInput(say("That code doesn't work, or it has expired."), "no-token")
    work.tx.people.suppress(identity.reader_mark(token.address), work.now)


def open_account(
    work: Work,
    facts: WelcomeFacts,
    address: str,
    hashed: str,
    asked: Epoch = 0.0,
    *,
    begins: bool = False,
) -> None:
    """Open an account with a confirmed address and welcome it. Raises BadInput if the userid is taken.

    The welcome stands below the first board if a game starts with the account: an invitation's game, or, if
    it ``begins``, the game of the door.

    facts  what this letter tells and no other letter has told
    asked  the time when the account was asked for; the present time if it is 0
    """
    userid = facts.userid
    require_free(work, address, userid, as_first=True)  # it waits for other nodes first
    require_free_userid(work, userid)
    _require_place(work, address)
    public = is_shown(work, asked or work.now)
    language = work.guest.language or ENGLISH
    newcomer = User(userid, address, hashed, "active", work.now, public=public, language=language)
    work.tx.accounts.add(newcomer)
    authentication.came_from(work, userid)
    first.keep(work, userid, unkept=facts.unkept)
    is_met = beginning.follow_invitation(work, newcomer)
    if (begins and _begin_first(work, userid)) or is_met:
        return
    first.forget(work, userid)
    greet(work, newcomer, facts)


def greet(work: Work, newcomer: User, facts: WelcomeFacts) -> None:
    """Write the welcome letter to an account without a game that has been opened.

    facts  what this letter tells and no other letter has told
    """
    userid = newcomer.userid
    others = [
        player
        for player, refuses, *_ in work.tx.accounts.listed(_NAMED + 1)
        if player != userid and len(refuses.split()) < len(games.GAMES)
    ][:_NAMED]
    at_once = bool(host(work, FIRST_GAME))
    is_told = newcomer.language == ENGLISH or work.guest.chosen
    hint = NOTHING if is_told else _IN_ENGLISH.given(command=f"language {ENGLISH}")
    has_password = bool(newcomer.password)
    facts = replace(facts, others=others, at_once=at_once, has_password=has_password, hint=hint)
    send(work, PlainLetter(facts, userid, newcomer.address))


def _begin_first(work: Work, userid: str) -> bool:
    """Begin the game of the door, with the first move that a guest has chosen, if any.

    Return False if no program plays it.
    """
    game = FIRST_GAMES[work.guest.game]
    other = "" if work.guest.question else host(work, game)
    seats = (userid, other)
    if other and work.guest.first:
        beginning.start_with(work, game, seats, work.guest.first)
    elif other:
        agreed = beginning.agreed_on(work, seats)
        beginning.start(work, game, seats, userid, agreed=agreed, is_proved=True)
    return bool(other)


def _require_place(work: Work, address: str) -> None:
    """Take back what asking for an account counted. Raise Refusal after too many at one domain."""
    domain = identity.address_mark(address.rpartition("@")[2])
    most = strangers.raised(work, ACCOUNTS_OF_A_DOMAIN)
    if work.exceeds(most, f"accounts at {domain}", HOUR):
        work.report.reached("signups")
        raise Refusal(
            say(
                "Too many people at your email provider have opened accounts in the past hour. "
                "Please send the same reply again in an hour: nothing is lost."
            ),
            "accounts-of-a-domain",
        )
    strangers.confirmed(work, address)
    if not (work.guest.is_known or work.sender.is_authentic):
        work.tx.ledger.uncount("signups", work.now, HOUR)


def require_free_userid(work: Work, userid: str) -> None:
    """Raise BadInput if an account has that userid, or nobody can have it."""
    if userid in RESERVED or work.tx.accounts.user(userid):
        raise BadInput(say("The name {userid} is taken.", userid=userid), "taken")


def resign_all(work: Work, _command: Command, user: User) -> None:
    """Mail a token that must be confirmed to give up all running games: that cannot be undone."""
    count = len(work.tx.boards.of(user.userid, "active"))
    if not count:
        raise Refusal(say("You don't have any running games."), "no-games")
    facts = ResignAllFacts(user.userid, count=count)
    authentication.mail_token(work, RESIGN_ALL, facts, user.address, asker="resign")


def ask_to_give_up(work: Work, user: User, boards: Sequence[int], of: Sentence) -> None:
    """Mail a token that must be confirmed to give up these games, those that run in the contests ``of``."""
    facts = ResignAllFacts(user.userid, count=len(boards), of=of)
    chosen = json.dumps(boards)
    authentication.mail_token(work, RESIGN_ALL, facts, user.address, chosen, asker="resign")


def _resign_all(work: Work, token: Token) -> None:
    """Give up the games that ran when the token was mailed, or those it names; one letter lists them."""
    user = addresses.require_open(work, token.userid)
    work.proved = user.userid
    chosen = json.loads(token.password or "[]")
    numbers = [
        row.board
        for row in work.tx.boards.of(user.userid, "active")
        if (row.board in chosen if chosen else row.made <= token.made)
    ]
    facts = {"userid": user.userid, "numbers": numbers, "ended": []}
    if rest := resign_some(work, facts):
        chores.later(work, resign_some, user.userid, rest)


def resign_some(work: Work, facts: chores.Facts) -> chores.Facts | None:
    """Give up the next of a player's games; when all are, one letter lists them."""
    userid, ended = facts["userid"], list(facts["ended"])
    numbers = facts["numbers"][: chores.PIECE]

    def resign(number: int) -> None:
        row = work.tx.boards.get(number)
        if row is not None and row.to_move and userid in row.seats:
            match = play.give_up(work, number, userid, "resign")
            ended.append([match.game.title, number, match.opponent(userid)])

    chores.each(work, "board", numbers, resign)
    if left := facts["numbers"][chores.PIECE :]:
        return {**facts, "numbers": left, "ended": ended}
    user = work.tx.accounts.user(userid)
    if user is not None and user.state != "closed":
        named = tuple(_named(*each) for each in ended)
        notice = say("We've resigned these games for you: {games}.", games=named)
        notice = notice if named else say("You didn't have any games left to resign.")
        tell_account(work, user, say("games given up"), notice)
    return None


def _named(game: str, number: int, rival: str) -> Sentence:
    """Return the name of a board in a list, with the opponent if there is one."""
    if not rival:
        return say("{game} board {number}", game=game, number=number)
    return say("{game} board {number} against {userid}", game=game, number=number, userid=rival)


def ask_back(work: Work, command: Command, user: User) -> None:
    """Mail a token that must be confirmed to do what a reply without a password asks. Raises Refusal.

    A letter may have been forwarded, and any reader can reply to it; the confirmation goes to the
    first address of the account alone. An account from which nobody has ever written is closed right
    away: the operator has opened it for somebody who doesn't want it, and nothing is lost.
    """
    if command.verb.name == "signoff" and _is_unused(work, user) and work.is_from(user):
        work.tx.ledger.drop_fact(unasked(user.address))
        close_account(work, user)
        return
    if work.exceeds(WISHES_A_DAY, f"wishes {user.userid}"):
        raise Refusal(
            say(
                "You can ask for a change like that at most {most} times a day. Please try again "
                "tomorrow.",
                most=WISHES_A_DAY,
            ),
            "too-many-wishes",
        )
    args = {name: command.args[name] for name in ("address", "kind") if name in command.args}
    if "new" in command.args:
        authentication.require_secret(work, user, command["new"])
        args["hashed"] = authentication.hashed(work, user.userid, command["new"])
    wish = json.dumps({"verb": command.verb.name, "args": args})
    what = _WISHED[command.verb.name].given(**args)
    facts = WishFacts(user.userid, what=what)
    authentication.mail_token(work, WISH, facts, user.address, wish, asker=WISH)


def unasked(address: str) -> str:
    """Return the name of the fact that the operator has opened an account for an address."""
    return f"unasked {identity.reader_mark(address)}"


def _is_unused(work: Work, user: User) -> bool:
    """Return True if the operator has opened an account, and nobody has written from it or played."""
    is_unasked = bool(work.tx.ledger.fact(unasked(user.address)))
    seen = is_unasked and work.tx.mails.last_seen(user.userid)
    return is_unasked and not (seen or work.tx.boards.of(user.userid))


def _grant(work: Work, token: Token) -> None:
    """Do what a player has asked for in a reply, and confirmed."""
    user = addresses.require_open(work, token.userid)
    work.proved = user.userid
    wish = json.loads(token.password)
    command = Command(named(None)[wish["verb"]], None, wish["args"], wish["verb"])
    match wish["verb"]:
        case "change password":
            set_password(work, user, command["hashed"])
        case "change address":
            addresses.change_address(work, command, user)
        case "add address":
            addresses.add_address(work, command, user)
        case "remove address":
            addresses.remove_address(work, command, user)
        case "signoff":
            close_account(work, user)


# What the letter that asks back names.
_WISHED = {
    "change password": say("give your account a new password"),
    "change address": say("send your letters to {address} instead of this address"),
    "add address": say("accept messages from {address} as yours"),
    "remove address": say("remove the address {address} from your account"),
    "signoff": say("close your account and resign your running games"),
}

_CONFIRMED: dict[str, Callable[[Work, Token], None]] = {
    "signup": lambda work, token: open_account(
        work, WelcomeFacts(token.userid), token.address, token.password, token.made
    ),
    "address": lambda work, token: addresses.move_account(work, token.userid, token.address),
    **dict.fromkeys(COPYING, addresses.added),
    RESIGN_ALL: _resign_all,
    WISH: _grant,
}


def forgot(work: Work, command: Command) -> None:
    """Mail a token for a new password to the account's address; the writer learns nothing.

    A member who names no account is told the names of the member's own accounts.
    """
    limits.require_leave(work)
    user = work.tx.accounts.user(command.args.get("userid", work.proved))
    if user is None or not user.address:
        own = [account.userid for account in work.accounts()]
        if own:
            raise BadInput(
                together(
                    say_many(
                        "The account with your address is {userids}.",
                        "The accounts with your address are {userids}.",
                        len(own),
                        userids=tuple(own),
                    ),
                    say("For a new password, send: {command}", command=f"forgot {own[0]}"),
                ),
                "which-account",
            )
        return
    asker = authentication.asker(work, user)
    if not authentication.too_many_tokens(work, user.address, asker):
        facts = ForgotFacts(user.userid)
        authentication.mail_token(work, "password", facts, user.address, asker=asker)


def change_password(work: Work, command: Command) -> None:
    """Set another password, if the command has the old one or a token of ``forgot``."""
    userid, credential = command["userid"], command["password"]
    token = work.tx.accounts.token(identity.token_hash(Secret(credential.value.lower())))
    known = work.tx.accounts.user(userid)
    if (
        token
        and (token.kind, token.userid) == ("password", userid)
        and abs(work.now - token.made) <= authentication.TOKEN_DAYS * DAY
        and known is not None
        and known.state != "closed"
    ):
        user = known
        work.tx.accounts.unlock(userid)
    else:
        user = authentication.authenticate(work, userid, credential)
    work.proved = user.userid
    authentication.require_secret(work, user, command["new"])
    hashed = authentication.hashed(work, userid, command["new"])
    work.tx.accounts.drop_tokens(userid, "password")
    set_password(work, user, hashed)


def set_password(work: Work, user: User, hashed: str) -> None:
    """Keep another password and tell the player that it was changed.

    Somebody who knew the old password may have asked for another address: that request is void.
    """
    work.tx.accounts.set_password(user.userid, hashed)
    work.tx.accounts.drop_moves(user)
    work.tx.accounts.drop_tokens(user.userid, WISH)
    tell_account(
        work,
        user,
        say("password changed"),
        say(
            "Your password has been changed. If you didn't do that, send: {command}",
            command=f"forgot {user.userid}",
        ),
    )


def signoff(work: Work, _command: Command, user: User) -> None:
    """Close an account: resign its running games, and forget its address."""
    close_account(work, user)


def give_up_some(work: Work, facts: chores.Facts) -> chores.Facts | None:
    """Resign the next few running games of a player who leaves."""
    numbers = work.tx.boards.running_after(facts["userid"], facts.get("after", 0), chores.PIECE)
    chores.each(
        work, "board", numbers, lambda number: play.give_up(work, number, facts["userid"], "leave")
    )
    return {**facts, "after": numbers[-1]} if len(numbers) == chores.PIECE else None


def close_account(work: Work, user: User) -> None:
    """Resign all running games of an account, say goodbye, and forget its address, password and wishes.

    If the games are many, the rest of them are resigned after this.
    """
    work.tx.of(Offers).withdraw_all(user.userid, work.now)
    for feature in features(Feature.on_account_close):
        feature.on_account_close(work, user.userid)
    if rest := give_up_some(work, {"userid": user.userid}):
        chores.later(work, give_up_some, user.userid, rest)
    tell_account(
        work,
        user,
        say("closed"),
        say(
            "Your account is closed. We resigned your running games, and removed the ones you "
            "hadn't moved in yet. Thank you for playing!"
        ),
    )
    leave.end_all(work, user.userid)
    work.tx.digests.drop_untold(user.userid)
    for address in work.tx.accounts.addresses(user):
        work.tx.people.forget_address(user.userid, address)
    work.tx.accounts.close(user.userid)
