"""The wishes of a person in words: without an account a game, a friend, a name, no more mail, answers; with
one no more mail, or a password.

The answers are our own sentences: a letter to a stranger never repeats a stranger's words. It may
have the name that the writer wants, as the letter that confirms an account has.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ... import games
from ...command import GAME_VERBS, RESERVED, SERVER_VERBS, is_courtesy, is_greeting
from ...command.found import DOUBTS
from ...errors import NOTHING, Sentence, say, say_many, together
from ...grammar.spoken import language_of
from ...grammar.words import meanings_in
from ...inbound import Inbound
from ...match import Match
from ...store import Board
from ..proof.answers import RefusedCommand, reader
from ..verbs import membership
from ..verbs.membership import plainly
from ..work.bots import opponents
from ..work.feature import features
from ..work.work import Asking, Work

_LINES = 12  # of a message that are looked at
_CHARACTERS = 300  # of each
_NAME_WORDS = 2  # of a line below a wish: its writer's name
_SHORT = 14  # words of a line that wishes to play
_MOST = 3  # answers in a letter
_BOARDS = 3  # boards in the answer to a greeting

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
    (r"game of y|(?:play|have|know|offer|try|learn|like|about|game|is) y|y challenge|y help", "y"),
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
# Who names one wants to play it: "a friend told me about Star. Could I try against the computer?"
_COMPUTER = re.compile(
    r"\b(?:computers?|bots?|robots?|machine|ai|try (?:it|a game|one)|ordinateurs?|ordenador|komputer\w*)\b"
)
_ANSWERS = (
    (
        r"\b(?:free|costs?|pay(?:ment)?|price|fees?|charges?|subscription|money"
        r"|kostenlos|gratis|(?:was )?kostet (?:das|es)|gratuite?|payante?|combien (?:ca |cela )?coute"
        r"|cuesta|quanto costa|gratuit[oa]|kost het|wat kost|de graca|custa|za darmo|ile kosztuje"
        r"|bezplatn\w+|platn[aey])\b",
        say("It's free."),
    ),
    (
        r"\b(?:apps?|download|install|android|iphone|ipad|browser|website|software"
        r"|herunterladen|installieren|telecharger|installer|application|descargar|instalar|aplicacion|scaricare"
        r"|installare|applicazione|downloaden|installeren|baixar|aplicativo|pobrac|zainstalowac|aplikacj\w+)\b",
        say("There's nothing to install: you play by email, in any email app."),
    ),
    (
        r"\bhow (?:long|much time|many (?:moves|days|hours|minutes))\b|\btime limit\b|\bdeadline\b"
        r"|\bwie lange\b|\bcombien de temps\b|\bcuanto (?:dura|tiempo)\b|\bquanto (?:dura|tempo)\b"
        r"|\bhoe lang\b|\bjak dlugo\b|\bile trwa\b",
        say(
            "A game goes as fast as its players do, often about a move a day. Bots answer right "
            "away."
        ),
    ),
    (
        r"\b(?:kids?|child(?:ren)?|years?[- ]olds?|how old|too (?:old|young)|my age|age limit"
        r"|kinder|enfants?|ninos?|bambin[io]|kinderen|criancas?|dzieci)\b",
        say(
            "There's no age limit, and children are welcome. In a game against a bot,"
            " nobody can send you messages."
        ),
    ),
    (
        r"\bchess\b|\bcheckers\b|\bdraughts\b|\bbaduk\b|\b(?:or|and|play|like|have|is it|game of) go\b"
        r"|\b(?:schach|echecs|ajedrez|scacchi|schaken|xadrez|szachy)\b",
        say(
            "We don't have chess or Go here. But like Go, our games are played with stones and "
            "have simple rules."
        ),
    ),
    (
        r"\bhuman being\b|\b(?:anyone|anybody|someone|somebody) (?:there|real|behind)\b"
        r"|\breal (?:person|human)\b|\bwho (?:are|is|runs|made|wrote|sent)\b"
        r"|\bwhat (?:is this|are you|is it)\b"
        r"|\bare you (?:an? )?(?:human|person|bot|robot|real)\b"
        r"|\bwer (?:sind sie|bist du|seid ihr)\b|\bqui (?:etes-vous|es-tu)\b|\bquien(?:es)? (?:eres|es|son)\b"
        r"|\bchi (?:sei|siete)\b|\bwie (?:ben je|ben jij|bent u)\b|\bquem (?:e voce|sao)\b|\bkim jestes\w*\b",
        say("You're writing to a program. To reach the people who run it, write to {address}."),
    ),
)
_Row = tuple[str, Sentence, str]  # a pattern, a sentence, the reply in it
_LEAVES = re.compile(
    r"(?:please |pls |bitte )?(?:never|stop|unsubscribe|remove me|take me off|opt[- ]?out|delete me"
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
# With these a reply gives the name that its writer wants; the others only make one likely.
_SAYS_NAME = re.compile(
    r"(?:\bmy name is|\bmy name's|\bich heisse|\bmein name ist|\bje m'appelle|\bme llamo|\bmi nombre es"
    r"|\bmi chiamo|\bik heet|\bmijn naam is|\bo meu nome e|\bme chamo|\bchamo-me|\bnazywam sie"
    r"|\bsign me up as|\bjoin as|^sign-? ?up)[ :]+\"?([a-z][a-z0-9_-]{1,15})(?![\w-])"
)
_NO_NAMES = frozenset((
    "please", "now", "here", "us", "today", "thanks", "for", "to", "with", "as", "me", "the", "in", "on",
    "at", "it", "and", "or", "by", "is", "my", "up", "userid", "username", "how", "star", "hex",
))  # fmt: skip
_FEW_LINES = 2  # of a message that has a cell and a name
_NAME = re.compile("(?![a-z][0-9]+$)[a-z][a-z0-9_-]{1,11}")  # and no cell
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


# What players wish in words, with the reply that does it: {userid} is the player's, {game} and {board} are of
# the game that is over, {bot} is its opponent. What needs such a game comes first.
_AFTER_A_GAME = (
    (
        r"\b(?:again|another (?:one|game|round|try)|one more|new game|rematch|revenge|noch ?(?:ein)?mal"
        r"|nochmals|noch (?:eine?|so eine?) (?:partie|spiel|runde)|noch eins|neue (?:partie|runde)"
        r"|neues spiel|weiter ?spielen"
        r"|revanche|encore une|une autre|nouvelle partie|rejouer|recommencer|otra (?:partida|vez)|de nuevo"
        r"|nueva partida|jugar mas|revancha)\b",
        say("To play again, reply: {command}"),
        "{game} rematch {board}",
    ),
    (
        r"\b(?:strong(?:er|est)?|hard(?:er|est)|tougher|difficult|better (?:bot|opponent)|next (?:bot|level)"
        r"|stark(?:er|ere[rns]?|ste[rns]?)|schwer(?:er|ere[rns]?)|schwieriger|bessere[rn]? (?:bot|gegner)"
        r"|plus (?:fort|forte|dur|difficile)|meilleur|mas (?:fuerte|dificil)|mejor (?:bot|rival))\b",
        say("For a stronger bot, reply: {command}"),
        "{game} challenge {userid} {stronger}",
    ),
    (
        r"\b(?:postcards?|postkarten?|cartes? postales?|postal(?:es)?)\b",
        say("To send a friend a picture of the game, reply: {command}"),
        "{game} postcard {board} friend@example.org",
    ),
    (
        r"^(?:from|ab|von|a partir (?:de|du)|depuis|desde)(?: (?:move|zug|coup|la jugada|jugada))?"
        r" [0-9]+$",
        say("To play on from an earlier move, reply: {command}"),
        "{game} from {board} 14",
    ),
)
_A_CUP = r"\b(?:cups?|tournaments?|pokal(?:e|s)?|turniere?|coupes?|tournois?|copas?|torneos?)\b"
_LEAVES_IT = (
    r"\b(?:leave|quit|withdraw|give up|no time|verlassen|aussteigen|austreten|aufgeben|keine zeit|quitter"
    r"|arreter|abandonner|pas le temps|dejar|salir|abandonar|no tengo tiempo)\b"
)
_WISHED = (
    (
        r"\binvit\w+|\beinlad\w+|\beingeladen\b|" + _FRIEND.pattern,
        say("To invite a friend, reply: {command}"),
        "invite friend@example.org",
    ),
    (
        r"\b(?:persons?|people|humans?|someone|somebody|anyone|opponents?|real players?|members?"
        r"|mensch(?:en)?|jemand(?:em|en)?|leute|gegner(?:in)?|echte[nr]? spieler|mitspieler"
        r"|quelqu'un|humains?|personnes?|gens|adversaires?|vrais? joueurs?"
        r"|personas?|alguien|humanos?|gente|rival(?:es)?|oponentes?|jugador real)\b",
        say("To play a person, reply: {command}"),
        "match",
    ),
    (
        rf"(?=.*{_A_CUP}).*{_LEAVES_IT}",
        say("To leave a cup, reply: {command}"),
        "cup leave",
    ),
    (
        rf"^(?!.*{_LEAVES_IT}).*{_A_CUP}",
        say("To enter a cup, reply: {command}"),
        "cup",
    ),
    (
        r"\b(?:my|meine|mes|mis) (?:games?|boards?|spiele|partien|bretter|parties|plateaux|partidas"
        r"|tableros)\b",
        say("To see your games, reply: {command}"),
        "games",
    ),
    (
        r"\b(?:sundays?|sonntags?(?:spiel|partie)?|dimanches?|domingos?)\b",
        say("To play the Sunday game, reply: {command}"),
        "sunday on",
    ),
    (
        r"\b(?:help|hilfe|helfen|aide|aider|ayuda|ayudar|aiuto|hulp|ajuda|pomoc)\b",
        say("For help, reply: {command}"),
        "help",
    ),
)
# A line that wishes to play a bot: it names one, and a game or a move of it. A doubt, or a person, is none.
_A_GAME_WITH = re.compile(
    rf"\b(?:{_TO_PLAY}|playing|game|challenge|against|with|versus|vs|gegen|mit|partie|spiel|contre|avec|contra|con"
    r"|partida)\b"
)
_NO_BOT = re.compile(
    r"\b(?:not|no|never|don't|dont|instead|stop|rather than|nicht|keine?[nr]?|statt|pas|plus que|sin|nunca)\b"
)
_YOU_PLAY, _WHOM = say("So you'd like to play."), say("Against a person, or against a bot?")
_A_BOT = say("To play a bot, reply: {command}")
_BOT_CANT_READ = say("{bot} is a bot and can't read messages.")
_WITH_A_BOT = (_AFTER_A_GAME[0], _AFTER_A_GAME[1], _WISHED[1], _WISHED[0])

# How a sentence begins that asks for something, as plainly() writes it.
_ASKS = re.compile(
    r"(?:please |bitte )?(?:how|can i|could i|may i|is there|are there|what is|what are|i (?:want|wish)"
    r"|i(?: would|'d) (?:like|love)|wie|kann ich|darf ich|gibt es|ich (?:will|mochte|wurde)|was ist"
    r"|comment|puis-je|je peux|est-ce que je|y a-t-il|je (?:veux|voudrais)|j'aimerais|como|puedo|hay"
    r"|quiero|quisiera|me gustaria)\b"
)
# With these a sentence speaks to the opponent.
_TO_SOMEBODY = re.compile(
    r"\b(?:you|your|yours|we|us|our|let's|du|dich|dir|dein\w*|wir|uns|tu|te|toi|ton|ta|tes|nous|on|ti|tus?"
    r"|contigo|nos|nosotr[oa]s|vosotr[oa]s)\b"
)
# What may stand beside "another game", if that is the whole sentence.
_BESIDE = re.compile(
    r"\b(?:please|pls|bitte|s'il (?:te|vous) plait|stp|por favor|thanks|thank you|danke|merci|gracias|yes|ja"
    r"|oui|si|a|an|the|one|game|ein|eine|partie|spiel|runde|une|una|partida)\b"
)
_SENTENCE = re.compile(r"[.!?\u2026]+(?:\s|$)")


_CLOSES = re.compile(
    r"(?:please )?(?:unsubscribe|stop|quit|(?:delete|close|remove|cancel) (?:me|(?:my |the )?account))\b.*"
)
_PASSWORD = re.compile(r".*\b(?:passw(?:or)?d|passwort|mot de passe|contrasena)\b.*")
_RULES = re.compile(
    r".*\b(?:rules?|spielregeln|regeln|regles|reglas|regole|spelregels|regras|zasady)\b.*"
    r"|how (?:do|does|can|to)\b.*|what (?:do|does|is|are)\b.*\b(?:mean|means|for)\b.*"
    r"|was (?:bedeute[nt]|heisst)\b.*|(?:que|qu'est-ce que) (?:signifie|veut dire|cela veut dire)\b.*"
    r"|que significan?\b.*|wie (?:geht|kann|mache?|funktioniert)\b.*"
    r"|comment (?:on|faire|ca|je|jouer)\b.*|como (?:se|puedo|juego|funciona)\b.*"
)
_THE_RULES = say("For the rules, reply: {command}")
_NEW_PASSWORD = say("For a new password, reply: forgot")
_FEWER_LETTERS = say(
    "If you want fewer letters, reply: help letters. To close your account, reply: signoff"
)
_TO_WRITE = say('To write to {opponent}, start your message with the word "say".')
_NO_GAME = say("To resign this game, reply: resign")


# A word alone that asks something, and isn't a name unless one is awaited.
_NO_NAME_ALONE = (
    _STARTS,
    _LEAVES,
    _RULES,
    _GAME,
    _FRIEND,
    _COMPUTER,
    *(re.compile(f) for f, _ in _ANSWERS),
)


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
        any(map(_FRIEND.search, texts)) and not any(map(_COMPUTER.search, texts)),
        any(map(_LEAVES.fullmatch, texts)),
        _name(texts, mail.is_reply),
        any(map(_STARTS.fullmatch, texts)),
        any(map(_plays, texts)),
        language_of(line[:_CHARACTERS] for line in lines),
    )


def _leaves(text: str) -> bool:
    """Return True if a line, as plainly() writes it, asks for no more mail or to close the account."""
    return bool(_LEAVES.fullmatch(text) or _CLOSES.fullmatch(text))


def _is_name(line: str, userid: str) -> bool:
    """Return True if a line is only a writer's name, as below a message."""
    words = line.split()
    return plainly(line) == userid or (len(words) <= _NAME_WORDS and all(map(str.istitle, words)))


def no_more_mail(
    lines: Sequence[str], match: Match, userid: str
) -> tuple[RefusedCommand | None, bool]:
    """Return the answer to words for an opponent that ask for no more mail, None if they don't.

    Also return True if they are words for the opponent too: more than that, courtesy and a name.
    """
    spoken = [
        line for line in lines if line.strip() and not (is_greeting(line) or is_courtesy(line))
    ]
    leaving = [line for line in spoken if _leaves(plainly(line[:_CHARACTERS]))]
    if not leaving:
        return None, True
    is_talk = not all(_is_name(line, userid) for line in spoken if line not in leaving)
    running = () if match.position.over else (_NO_GAME,)
    to_write = () if is_talk else (_TO_WRITE.given(opponent=match.opponent(userid)),)
    said = together(*running, _FEWER_LETTERS, *to_write, by="\n")
    ways = (*(("resign",) if running else ()), "help letters", "signoff")
    return RefusedCommand("", said, "wish", match.number, ways=ways), is_talk


def way_on_a_board(work: Work, line: str, userid: str, opponent: str) -> RefusedCommand | None:
    """Return the answer to a line of a player in reply to a board letter that wishes something, or None.

    opponent  who reads what the player writes; empty for nobody
    """
    text = plainly(line[:_CHARACTERS])
    if _leaves(text):
        said = together(_NO_GAME, _FEWER_LETTERS, by="\n")
        return RefusedCommand("", said, "wish", ways=("resign", "help letters", "signoff"))
    if told := _wishes(work, [text], _WISHED, {}) or _with_a_bot(work, [text], userid):
        wish = _told(told)
    elif _RULES.fullmatch(text):
        wish = _told([(_THE_RULES.given(command="help"), "help")])
    else:
        return None
    to_write = _TO_WRITE.given(opponent=opponent)
    return replace(wish, reason=together(wish.reason, to_write, by="\n")) if opponent else wish


def game_with_a_bot(work: Work, mail: Inbound, userid: str) -> str:
    """Return the command that gives a player the game with a bot that a message asks for; empty for none.

    A game again, or a stronger bot, may be another command: that is asked back.
    """
    lines = mail.lines if mail.is_reply else (mail.subject, *mail.lines)
    texts = [plainly(line[:_CHARACTERS]) for line in lines if line.strip()][:_LINES]
    if any(re.search(form, text) for form, *_ in _AFTER_A_GAME[:2] for text in texts):
        return ""
    return next((command for _, command in _with_a_bot(work, texts, userid)), "")


def _with_a_bot(work: Work, texts: Sequence[str], userid: str) -> list[_Told]:
    """Return the answer to lines, as plainly() writes them, one of which wishes to play a bot."""
    wished = [
        text
        for text in texts
        if _COMPUTER.search(text) and _A_GAME_WITH.search(text) and not _NO_BOT.search(text)
    ]
    found = _GAME.search(wished[0]) if wished else None
    word = _GAMES[int((found.lastgroup or "g0")[1:])][1] if found else membership.FIRST_GAME.word
    kind = games.find(word)
    bots = opponents(work, kind({})) if wished and kind else []
    command = f"{word} challenge {userid} {bots[0]}" if bots else ""
    return [(_A_BOT.given(command=command), command)] if command else []


def way(work: Work, mail: Inbound) -> RefusedCommand | None:
    """Return the answer to a player's message that wishes something in words, with the replies that do it.

    The Subject of a reply is that of our letter, and wishes nothing.
    """
    lines = mail.lines[:1] if mail.is_reply else (mail.subject, *mail.lines[:1])
    texts = [plainly(line[:_CHARACTERS]) for line in lines]
    if any(map(_leaves, texts)):
        return RefusedCommand("", _FEWER_LETTERS, "wish", ways=("help letters", "signoff"))
    if any(map(_PASSWORD.fullmatch, texts)):
        return RefusedCommand("", _NEW_PASSWORD, "wish", ways=("forgot",))
    user = reader(work)
    told = _wishes(work, texts, _WISHED, {}) or _answers(work, texts)
    told = told or (_with_a_bot(work, texts, user.userid) if user else [])
    if told:
        return _told(told)
    if any(map(_RULES.fullmatch, texts)):
        return _told([(_THE_RULES.given(command="star help"), "star help")])
    if user and any(map(_plays, texts)):
        bot = membership.host(work, membership.FIRST_GAME)
        ways = ("match", *([f"star challenge {user.userid} {bot}"] if bot else []))
        return RefusedCommand("", _YOU_PLAY, "wish", question=_WHOM if bot else NOTHING, ways=ways)
    return _greeted(work) if any(map(is_greeting, lines)) else None


def _greeted(work: Work) -> RefusedCommand | None:
    """Return the answer to a greeting: the boards that wait for the player, and what else there is to do."""
    user = reader(work)
    if user is None:
        return None
    waiting = [
        row for row in work.tx.boards.of(user.userid, "active") if row.to_move == user.userid
    ]
    named = tuple(_named(row, user.userid) for row in waiting[:_BOARDS])
    count = len(waiting)
    told = [
        say("Hello, {userid}!", userid=user.userid),
        say("{count} boards are waiting for you, among them {boards}.", count=count, boards=named)
        if count > _BOARDS
        else say_many(
            "{count} board is waiting for you: {boards}.",
            "{count} boards are waiting for you: {boards}.",
            count,
            boards=named,
        )
        if waiting
        else say("It isn't your turn on any board right now."),
    ]
    ways = [f"show {waiting[0].board}"] if waiting else []
    if waiting:
        told.append(
            say("To see board {number}, reply {command}.", number=waiting[0].board, command=ways[0])
        )
    told.append(say("To play someone new, reply match."))
    return RefusedCommand("", together(*told), "wish", ways=(*ways, "match"))


def _named(row: Board, userid: str) -> Sentence:
    """Return a board in a list: its number, and the opponent or the game."""
    rival = next((each for each in row.seats if each != userid), "") or games.title_of(row.game)
    return say("board {number} ({rival})", number=row.board, rival=rival)


def to_a_bot(
    work: Work, lines: Sequence[str], match: Match, userid: str, bots: Sequence[str], *, over: bool
) -> RefusedCommand | None:
    """Return the answer to words of a player for a bot, which can't read them; None if they need none.

    bots  those that play this game, the weakest first
    over  all that is more than thanks is answered; otherwise only wishes that need no game that is over
    """
    spoken = [line for line in lines if line.strip()][:_LINES]
    values = _of_game(match, userid, bots)
    texts = [plainly(line[:_CHARACTERS]) for line in spoken]
    if any(map(_leaves, texts)):
        return RefusedCommand("", _FEWER_LETTERS, "wish", ways=("help letters", "signoff"))
    rows = (*_AFTER_A_GAME, *_WISHED) if over else _WISHED
    told = _wishes(work, texts, rows, values) or _answers(work, texts)
    if told := told or _with_a_bot(work, texts, userid):
        return _told(told)
    if all(is_greeting(line) or is_courtesy(line) for line in spoken):
        return None
    if any(map(_RULES.fullmatch, texts)):
        line = f"{match.game.word} help"
        return _told([(_THE_RULES.given(command=line), line)])
    cant = (_BOT_CANT_READ.given(bot=match.program), "")
    return _told([cant, *_rows(work, _WITH_A_BOT, values)]) if over else None


def after_a_game(
    work: Work, lines: Sequence[str], match: Match, userid: str
) -> tuple[RefusedCommand | None, bool]:
    """Return the answer to words in reply to a game with a person that is over, None if they wish nothing.

    Also return True if they are words for the opponent too: more than the wish and courtesy.
    """
    spoken = [
        each for line in lines[:_LINES] for each in _SENTENCE.split(line[:_CHARACTERS]) if each
    ]
    wished, is_talk = list[_Told](), any(line.strip() for line in lines[_LINES:])
    for sentence in spoken:
        told = _wished_after(work, plainly(sentence), match, userid)
        wished += (each for each in told if each not in wished)
        is_talk |= not (told or is_greeting(sentence) or is_courtesy(sentence))
    if not wished:
        return None, True
    to_write = [] if is_talk else [(_TO_WRITE.given(opponent=match.opponent(userid)), "")]
    return _told([*wished[:_MOST], *to_write]), is_talk


def _wished_after(work: Work, text: str, match: Match, userid: str) -> list[_Told]:
    """Return the answer to a sentence, as plainly() writes it, that wishes something of us; else nothing."""
    values = _of_game(match, userid, ())
    again = re.sub(_AFTER_A_GAME[0][0], "", text)
    if again != text and not re.search(r"\w", _BESIDE.sub("", again)):
        return _rows(work, _AFTER_A_GAME[:1], values)
    if not _ASKS.match(text) or _TO_SOMEBODY.search(text):
        return []
    told = _with_a_bot(work, [text], userid)
    told = told or _wishes(work, [text], (*_AFTER_A_GAME, *_WISHED), values)
    told = told or _answers(work, [text])
    if not told and _RULES.fullmatch(text) and re.search(r"\b(?:rule|regel|regle|regla)", text):
        line = f"{match.game.word} help"
        told = [(_THE_RULES.given(command=line), line)]
    return told


_Told = tuple[Sentence, str]  # a sentence, and the reply that it names


def _told(told: Sequence[_Told]) -> RefusedCommand:
    said = together(*(sentence for sentence, _ in told), by="\n")
    return RefusedCommand("", said, "wish", ways=tuple(filter(None, (reply for _, reply in told))))


def _wishes(
    work: Work, texts: Sequence[str], rows: Sequence[_Row], values: Mapping[str, str]
) -> list[_Told]:
    """Return what lines, as plainly() writes them, wish of some rows."""
    found = [row for row in rows if any(re.search(row[0], text) for text in texts)]
    return _rows(work, found, values)[:_MOST]


def _answers(work: Work, texts: Sequence[str]) -> list[_Told]:
    text = "\n".join(texts)
    fitting = (answer for form, answer in _ANSWERS if re.search(form, text))
    postmaster = f"postmaster@{work.context.config.domain}"
    return [(answer.given(address=postmaster), "") for answer in fitting][:_MOST]


def _rows(work: Work, rows: Sequence[_Row], values: Mapping[str, str]) -> list[_Told]:
    """Return the sentences and replies of rows, without those that this server or this game does not have."""
    on = {"", *(feature.name for feature in features(without=work.context.config.without))}
    verbs = {each.name: each for each in (*SERVER_VERBS, *GAME_VERBS)}
    told = []
    for _, sentence, reply in rows:
        needed = {verbs[word].feature for word in reply.split() if word in verbs}
        if needed <= on and ("stronger" in values or "{stronger}" not in reply):
            said = reply.format(**values)
            told.append((sentence.given(command=said), said))
    return told


def _of_game(match: Match, userid: str, bots: Sequence[str]) -> dict[str, str]:
    """Return the values of the replies about a game against a bot: its word, its board, a stronger bot."""
    values = {"userid": userid, "game": match.game.word, "board": str(match.number)}
    stronger = bots[bots.index(match.program) + 1 :] if match.program in bots else ()
    return values | ({"stronger": stronger[0]} if stronger else {})


def _plays(text: str) -> bool:
    """Return True if a short line says that its writer wishes to play, or asks how that is done."""
    words = set(re.findall(r"[\w'-]+", text))
    return (
        len(words) <= _SHORT
        and not words.isdisjoint(_TO_PLAY.split("|"))
        and not words.isdisjoint(_WISHES.split("|"))
    )


def name_given(mail: Inbound, cell: str, *, is_awaited: bool) -> str:
    """Return the name that a guest's mail gives, in small letters; empty if it gives none.

    It says that it is one, or it is all that a message of one line, or of two with a cell, says but the cell.

    cell        the first move that the mail names, or empty
    is_awaited  only a name is missing, so that any word may be one
    """
    lines = [*([] if mail.is_reply else [mail.subject]), *mail.lines]
    texts = [plainly(line[:_CHARACTERS]) for line in lines if line.strip()]
    said = [found[1] for text in texts[:_LINES] for found in _SAYS_NAME.finditer(text)]
    if name := next((each for each in said if each not in _NO_NAMES | RESERVED | DOUBTS), ""):
        return name
    rest = [re.sub(rf"(?<!\w){re.escape(cell.lower())}(?!\w)", "", text) for text in texts]
    words = [word for text in rest for word in text.split()] if cell else rest
    word = plainly(words[0]) if len(words) == 1 and len(texts) <= _FEW_LINES else ""
    if not _NAME.fullmatch(word) or word in _NO_NAMES | RESERVED or not (mail.is_reply or cell):
        return ""
    if is_greeting(word) or is_courtesy(word) or meanings_in(word):
        return ""
    means_more = _plays(word) or any(form.search(word) for form in _NO_NAME_ALONE)
    return "" if means_more and not is_awaited else word


def _name(texts: Sequence[str], is_reply: bool) -> str:
    """Return the name that a message gives; a reply may consist of one."""
    names = [match[1] for text in texts for match in _NAMED.finditer(text)]
    if is_reply and len(texts) == 1:
        names += _NAME.findall(texts[0]) if _NAME.fullmatch(texts[0]) else []
    return next((each for each in names if each not in _NO_NAMES | RESERVED), "")
