"""The wishes of a person in words: without an account a game, a friend, a name, no more mail, answers; with
one no more mail, or a password.

The answers are our own sentences: a letter to a stranger never repeats a stranger's words. It may
have the name that the writer wants, as the letter that confirms an account has.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ...command import RESERVED
from ...command.spoken import language_of
from ...command.words import ENGLISH
from ...errors import Said, say, together
from ...inbound import Inbound
from ..proof.answers import RefusedCommand
from ..verbs.membership import plainly

_LINES = 12  # of a message that are looked at
_CHARACTERS = 300  # of each
_SHORT = 14  # words of a line that wishes to play
_MOST = 3  # answers in a letter

# A game's word for the words of a message, the longer names first.
_GAMES = (
    (r"star ?star|double star|\*star(?!\*)", "*star"),
    (r"star-?y|y-star", "stary"),
    (r"star y", "stary"),
    (r"poly-?y|poly y", "polyy"),
    (r"penta-? ?line", "pentaline"),
    (r"penta-? ?hex", "pentahex"),
    (r"hex", "hex"),
    (r"(?:how many )?queens", "queens"),
    (r"supply-? ?line", "supplyline"),
    (r"ring solitaire|ringsolitaire", "ringsolitaire"),
    (r"mini-? ?solitaire", "minisolitaire"),
    (r"game of y|play y|y challenge|y help|game y", "y"),
)
_GAME = re.compile(
    "|".join(rf"(?P<g{at}>(?<![\w-])(?:{form})(?![\w-]))" for at, (form, _) in enumerate(_GAMES))
)

_FRIEND = re.compile(
    r"\b(?:friends?|sister|brother|wife|husband|mother|father|mum|mom|dad|son|daughter|colleague|partner"
    r"|girlfriend|boyfriend|uncle|aunt|cousin|neighbou?r"
    r"|freund(?:in)?|bruder|schwester|kollegen?|kollegin|amie?|frere|soeur|amig[oa]|herman[oa]|amic[oa]"
    r"|fratello|sorella|vriend(?:in)?|broer|zus|irmao|irma|przyjaciel\w*|kolega|kolezank\w+|bratem|siostr[aąy])\b"
    r"|^challenge [a-z]|\bplay (?:with|against) (?!you\b|someone\b|somebody\b|anyone\b|anybody\b|bots?\b"
    r"|people\b|others?\b|the\b|a\b|humans?\b)[a-z]"
)
_ANSWERS = (
    (
        r"\b(?:free|costs?|pay(?:ment)?|price|fees?|charges?|subscription|money"
        r"|kostenlos|gratis|(?:was )?kostet (?:das|es)|gratuite?|payante?|combien (?:ca |cela )?coute"
        r"|cuesta|quanto costa|gratuit[oa]|kost het|wat kost|de graca|custa|za darmo|ile kosztuje"
        r"|bezplatn\w+|platn[aey])\b",
        say("It costs nothing."),
    ),
    (
        r"\b(?:apps?|download|install|android|iphone|ipad|browser|website|software"
        r"|herunterladen|installieren|telecharger|installer|application|descargar|instalar|aplicacion|scaricare"
        r"|installare|applicazione|downloaden|installeren|baixar|aplicativo|pobrac|zainstalowac|aplikacj\w+)\b",
        say("There is no app, and none is needed: you play by mail, with any mail program."),
    ),
    (
        r"\bhow (?:long|much time|many (?:moves|days|hours|minutes))\b|\btime limit\b|\bdeadline\b"
        r"|\bwie lange\b|\bcombien de temps\b|\bcuanto (?:dura|tiempo)\b|\bquanto (?:dura|tempo)\b"
        r"|\bhoe lang\b|\bjak dlugo\b|\bile trwa\b",
        say(
            "A game goes at the speed of its players, often a move a day. A game with a bot goes at yours."
        ),
    ),
    (
        r"\b(?:kids?|child(?:ren)?|years?[- ]olds?|how old|too (?:old|young)|my age|age limit"
        r"|kinder|enfants?|ninos?|bambin[io]|kinderen|criancas?|dzieci)\b",
        say(
            "There is no age limit: children can play too. Against a bot nobody else writes to you."
        ),
    ),
    (
        r"\bchess\b|\bcheckers\b|\bdraughts\b|\bbaduk\b|\b(?:or|and|play|like|have|is it|game of) go\b"
        r"|\b(?:schach|echecs|ajedrez|scacchi|schaken|xadrez|szachy)\b",
        say(
            "Chess and Go are not played here. The games here are as easy to learn as Go: you connect stones."
        ),
    ),
    (
        r"\bwho (?:are|is|runs|made|wrote|sent)\b|\bwhat (?:is this|are you|is it)\b"
        r"|\bare you (?:an? )?(?:human|person|bot|robot|real)\b"
        r"|\bwer (?:sind sie|bist du|seid ihr)\b|\bqui (?:etes-vous|es-tu)\b|\bquien(?:es)? (?:eres|es|son)\b"
        r"|\bchi (?:sei|siete)\b|\bwie (?:ben je|ben jij|bent u)\b|\bquem (?:e voce|sao)\b|\bkim jestes\w*\b",
        say("A program reads your mail and answers it; {address} reaches the people who run it."),
    ),
)
_LEAVES = re.compile(
    r"(?:please |pls |bitte )?(?:stop|unsubscribe|remove me|take me off|opt[- ]?out|delete me"
    r"|abmelden|abbestellen|desabonn\w+|desinscri\w+|darme de baja|baja|cancellami|disiscriv\w+"
    r"|afmelden|uitschrijven|descadastrar|cancelar inscricao|wypisz|rezygnuje)(?: me)?(?: please)?"
    r"|.*\b(?:stop|quit) (?:mailing|emailing|writing|sending|spamming|contacting)\b.*"
    r"|.*\b(?:remove|take|delete) (?:me|my (?:e-?mail )?address) (?:from|off)\b.*"
    r"|.*\bunsubscribe me\b.*|.*\b(?:no more|don't send(?: me)?(?: any)?(?: more)?) (?:e-?)?mails?\b.*"
)
_NAMED = re.compile(
    r"(?:\bmy name is|\bmy name's|\bcall me|\bich heisse|\bmein name ist|\bje m'appelle|\bme llamo"
    r"|\bmi nombre es|\bmi chiamo|\bik heet|\bmijn naam is|\bo meu nome e|\bme chamo|\bchamo-me"
    r"|\bmam na imie|\bnazywam sie|\bsign me up as|\bjoin as|\bsign-? ?up|\bjoin"
    r"|\bregister|\blogin)[ :]+\"?([a-z][a-z0-9_-]{1,15})(?![\w-])"
)  # fmt: skip
_NO_NAMES = frozenset((
    "please", "now", "here", "us", "today", "thanks", "for", "to", "with", "as", "me", "the", "in", "on",
    "at", "it", "and", "or", "by", "is", "my", "up", "userid", "username", "how", "star", "hex",
))  # fmt: skip
_NAME = re.compile("[a-z][a-z0-9_-]{1,11}")
# To play, and to wish it, in the languages of the reply words; as plainly() writes them.
_TO_PLAY = (
    "play|join|spielen|mitspielen|mitmachen|jouer|joue|jugar|giocare|gioca|spelen|meespelen|meedoen|jogar|zagrac"
    "|grac|gre"
)
_WISHES = (
    "want|like|may|can|how|si|mochte|will|wurde|kann|wie|voudrais|veux|aimerais|peux|puis-je|comment|quiero"
    "|quisiera|querria|gustaria|puedo|como|vorrei|voglio|posso|wil|graag|zou|kan|hoe|gostaria|quero|queria"
    "|chcialbym|chcialabym|chce|moge|jak"
)
_STARTS = re.compile(
    r"(?:yes|ok|okay|sure|ja|oui|si|sim|tak|i do|count me in|gladly|with pleasure|i accept|accept(?:ed)?)\b.*"
    r"|.*\bhow (?:do|can|does|to)\b.*|.*\b(?:start|begin|play|join|go)\b.*"
    rf"|.*\b(?:{_TO_PLAY}|anfangen|beginnen|commencer|empezar|empiezo|iniziare|inizio|comecar|zaczac)\b.*"
    r"|.*\bwhat (?:do|should|must) i do\b.*"
)


_CLOSES = re.compile(
    r"(?:please )?(?:unsubscribe|stop|quit|(?:delete|close|remove|cancel) (?:me|(?:my |the )?account))\b.*"
)
_PASSWORD = re.compile(r".*\b(?:passw(?:or)?d|passwort|mot de passe|contrasena)\b.*")
_RULES = re.compile(
    r".*\b(?:rules?|spielregeln|regeln|regles|reglas|regole|spelregels|regras|zasady)\b.*"
    r"|how (?:do|does|can|to)\b.*|wie (?:geht|kann|mache?|funktioniert)\b.*"
    r"|comment (?:on|faire|ca|je|jouer)\b.*|como (?:se|puedo|juego|funciona)\b.*"
)
_THE_RULES = say("For the rules, reply: help")
_NEW_PASSWORD = say("For a new password, reply: forgot")
_FEWER_LETTERS = say(
    "To get fewer letters, reply: help letters. To close your account, reply: signoff"
)
_NO_GAME = say("To give up this game, reply: resign")


@dataclass(frozen=True)
class Asking:
    """A reading of a message; see ``asked``.

    game       the word of the game that it names; empty for none
    answers    the sentences that answer it
    is_friend  it names a person to play with
    leaves     it asks for no more mail
    name       the name that its writer wants to have; empty if it gives none
    starts     it could be an answer to an invitation
    plays      a short line of it wishes to play
    language   that it shows
    """

    game: str = ""
    answers: tuple[Said, ...] = ()
    is_friend: bool = False
    leaves: bool = False
    name: str = ""
    starts: bool = False
    plays: bool = False
    language: str = ENGLISH


def asked(mail: Inbound, postmaster: str) -> Asking:
    """Return what a message asks. ``postmaster``: the address of the people who run the server."""
    lines = [] if mail.is_reply else [mail.subject]
    lines += [line for line in mail.lines if line.strip()][:_LINES]
    texts = [plainly(line[:_CHARACTERS]) for line in lines]
    text = "\n".join(texts)
    found = _GAME.search("\n".join(line[:_CHARACTERS].lower() for line in lines))
    fitting = (answer for form, answer in _ANSWERS if re.search(form, text))
    return Asking(
        _GAMES[int((found.lastgroup or "g0")[1:])][1] if found else "",
        tuple(answer.given(address=postmaster) for answer in fitting)[:_MOST],
        any(map(_FRIEND.search, texts)),
        any(map(_LEAVES.fullmatch, texts)),
        _name(texts, mail.is_reply),
        any(map(_STARTS.fullmatch, texts)),
        any(map(_plays, texts)),
        language_of(line[:_CHARACTERS] for line in lines),
    )


def _leaves(text: str) -> bool:
    """Return True if a line, as plainly() writes it, asks for no more mail or to close the account."""
    return bool(_LEAVES.fullmatch(text) or _CLOSES.fullmatch(text))


def way_on_a_board(line: str, opponent: str) -> Said | None:
    """Return what a player may want to know who writes a line in reply to a board letter, or None.

    opponent  who reads what the player writes; empty for nobody
    """
    text = plainly(line[:_CHARACTERS])
    if _leaves(text):
        return together(_NO_GAME, _FEWER_LETTERS, by="\n")
    if not _RULES.fullmatch(text):
        return None
    to_write = say("To write to {opponent}, begin with say.", opponent=opponent)
    return together(_THE_RULES, to_write, by="\n") if opponent else _THE_RULES


def way(mail: Inbound) -> RefusedCommand | None:
    """Return the answer to a player's message that wishes something in words, with the replies that do it."""
    texts = [plainly(line[:_CHARACTERS]) for line in (mail.subject, *mail.lines[:1])]
    if any(map(_leaves, texts)):
        return RefusedCommand("", _FEWER_LETTERS, "wish", ways=("help letters", "signoff"))
    if any(map(_PASSWORD.fullmatch, texts)):
        return RefusedCommand("", _NEW_PASSWORD, "wish", ways=("forgot {userid}",))
    return None


def _plays(text: str) -> bool:
    """Return True if a short line says that its writer wishes to play, or asks how that is done."""
    words = set(re.findall(r"[\w'-]+", text))
    return (
        len(words) <= _SHORT
        and not words.isdisjoint(_TO_PLAY.split("|"))
        and not words.isdisjoint(_WISHES.split("|"))
    )


def _name(texts: Sequence[str], is_reply: bool) -> str:
    """Return the name that a message gives; a reply may consist of one."""
    names = [match[1] for text in texts for match in _NAMED.finditer(text)]
    if is_reply and len(texts) == 1:
        names += _NAME.findall(texts[0]) if _NAME.fullmatch(texts[0]) else []
    return next((each for each in names if each not in _NO_NAMES | RESERVED), "")
