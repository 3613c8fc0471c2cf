"""Lines of courtesy, which people write above a move: thanks, wishes, praise, excuses. Pure.

Such a line has only words of the tables below and at most two names, so it can be no move, no word of a game
and no reservation: "Not yet", "I would play" and "pass" are none.
"""

from __future__ import annotations

import re

from ..games import GAMES
from ..games.spelling import plain
from .arguments import is_plan_word, like_a_move
from .table import SERVER_VERBS, reply_verbs

# A line of courtesy has one of these words, ...
_KIND = frozenset((
    "amazing", "apologies", "awesome", "beautiful", "best", "bravo", "brilliant", "cheers", "clever",
    "congratulations", "congrats", "cool", "dear", "delighted", "excellent", "fantastic", "fine", "fun",
    "gg", "glad", "good", "great", "greetings", "haha", "happy", "hehe", "hello", "hey", "hi", "hiya", "hope",
    "impressive", "interesting", "kind", "lol", "lovely", "luck", "merry", "nice", "oops", "ouch", "pleased",
    "pleasure", "smart", "solid", "sorry", "strong", "super", "superb", "surprising", "ta", "thank", "thanks",
    "thanx", "thx", "tough", "touché", "tricky", "ty", "welcome", "well", "wishes", "wonderful", "wow",
    # de
    "danke", "dank", "dir", "entschuldige", "entschuldigung", "freut", "glück", "glückwunsch", "grüße",
    "gruß", "gut", "gute", "guten", "guter", "hallo", "klasse", "liebe", "lieber", "moin", "prima", "schön",
    "schöne", "schöner", "servus", "spaß", "stark", "starker", "toll", "toller", "verzeihung",
    # fr
    "bien", "bon", "bonjour", "bonne", "bonsoir", "bravo", "chance", "désolé", "désolée", "enchanté",
    "enchantée", "félicitations", "joli", "merci", "pardon", "plaisir", "salut",
    # es
    "buen", "buena", "buenas", "buenos", "disculpa", "encantada", "encantado", "felicidades", "gracias",
    "gusto", "hola", "perdón", "perdona", "siento", "suerte",
    # nl
    "bedankt", "dankjewel", "goede", "goed", "goeie", "hoi", "knap", "leuk", "leuke", "mooi", "mooie",
    "plezier", "succes", "veel",
    # it
    "bella", "bello", "buon", "buona", "ciao", "complimenti", "fortuna", "grazie", "piacere", "salve",
    "scusa", "scusate", "scusi",
))  # fmt: skip
# ... and besides them only these, and names.
_PLAIN = frozenset((
    "a", "again", "ago", "ahead", "back", "all", "always", "am", "an", "and", "answer", "answering",
    "are", "as", "at",
    "be", "been", "being", "birthday", "both", "busy", "chat", "christmas", "clear", "come", "day",
    "days", "delay", "delayed", "did", "doing", "done", "easter", "enjoy", "enjoying", "evening", "every",
    "everybody", "everyone", "far", "finding", "first", "for", "friday", "friend", "friends", "from",
    "game", "games", "get", "getting", "going", "had", "has", "have", "having", "here", "holiday", "holidays",
    "how", "i", "i'm", "in", "indeed", "is", "it", "it's", "i've", "joining", "just", "keep", "know",
    "late", "let's", "long", "looking", "lot", "lots", "love", "many", "may", "me", "meet", "meeting",
    "message", "mine", "monday", "month", "more", "morning", "most", "move", "moves", "much", "my",
    "new", "night", "now", "of", "oh", "one", "opening", "opponent", "our", "ours", "patience", "patient",
    "play", "played", "player", "playing", "please", "quick", "quite", "reply", "replying",
    "response", "same", "saturday", "see", "seeing", "shot", "silence", "slow", "slowness", "so",
    "soon", "start",
    "starting", "such", "summer", "sunday", "than", "that", "that's", "the", "there",
    "things", "this", "thursday", "time", "to", "today", "together", "tomorrow", "tonight", "too", "trip",
    "truly", "tuesday", "us", "vacation", "very", "waiting", "was", "we", "wednesday", "week",
    "weekend", "weeks", "were", "what", "what's", "winner", "wish", "with", "work", "yesterday", "year",
    "you", "you're", "your", "yours", "been",
    # de
    "abend", "alles", "antwort", "auch", "das", "dein", "deine", "der", "dich", "die", "ein", "eine",
    "erfolg", "es", "freue", "für", "gespielt", "gutes", "ich", "ihnen", "ist", "kennenzulernen", "mich",
    "mir", "morgen", "nett", "partie", "schönes", "sehr", "sie", "spiel", "späte", "tag", "tut", "und",
    "verspätung", "viel", "viele", "vielen", "war", "wochenende", "wünsche", "zug",
    # fr
    "amusez-vous", "beaucoup", "beau", "belle", "c'est", "coup", "de", "et", "journée", "joué", "je",
    "jouer", "jeu", "la", "le", "mon", "moi", "partie", "pour", "retard", "soirée", "suis", "te", "toi",
    "très",
    "tu", "un", "une", "vous",
    # es
    "conocerte", "día", "días", "el", "en", "jugada", "jugado", "juego", "lo", "los", "mucha", "muchas",
    "mucho", "muy", "noches", "partida", "por", "que", "retraso", "tardanza", "tardes", "tengas",
    # nl
    "avond", "dag", "een", "fijne", "gespeeld", "het", "je", "kennis", "maken", "met", "morgen", "partij",
    "spel", "te", "van", "vertraging", "voor", "wel", "weekend", "zet", "zeer",
    # it
    "bel", "buongiorno", "divertimento", "gioco", "giocata", "giocato", "giornata", "il", "mille", "molto",
    "mossa", "partita", "per", "ritardo", "serata", "tante",
))  # fmt: skip
WORDS = _KIND | _PLAIN
_PHRASES = frozenset((
    "how are you", "how are you doing", "how are you today", "how are things", "how is it going",
    "how's it going", "not bad", "not at all",
))  # fmt: skip
_BEGIN = frozenset(name for game in GAMES for name in reply_verbs(game)) | {
    verb.name.split()[0] for verb in SERVER_VERBS
}
_MOST = 16  # words
_NAMES = 2
_EDGES = ".,;:!?'\"()*_-\u2026\u3002\uff0c\uff01\u00a1\u00bf"
_SMILE = re.compile("[:;=]-?[()DPp]+|[\u2600-\u27bf\U0001f300-\U0001faff\ufe0f\u200d]+")
_NAME = re.compile(r"[^\W\d_][^\W\d_]+(?:[-'][^\W\d_]+)?")


def is_courtesy(line: str) -> bool:
    """Return True if a line is courtesy and nothing else: it says nothing about the game's next move."""
    text = _SMILE.sub(" ", plain(line)).strip()
    words = [word for part in text.split() if (word := part.strip(_EDGES))]
    lower = [word.lower() for word in words]
    if " ".join(lower) in _PHRASES:
        return True
    if not 0 < len(words) <= _MOST or text.endswith(":") or any(c.isdigit() for c in text):
        return False
    if _KIND.isdisjoint(lower) or lower[0] in _BEGIN:
        return False
    names = [word for word in words if word.lower() not in WORDS]
    return len(names) <= _NAMES and all(map(_is_name, names))


def _is_name(word: str) -> bool:
    """Return True if a word may be somebody's name, and is no word of ours and no part of a move."""
    is_ours = word.lower() in _BEGIN or like_a_move(word) or is_plan_word(word)
    return word[0].isupper() and bool(_NAME.fullmatch(word)) and not is_ours
