"""Lines of courtesy, which people write above a move: thanks, wishes, praise, excuses. Pure.

Such a line has only words of the tables below and at most two names, so it can be no move, no word of a game
and no reservation: "Not yet", "I would play" and "pass" are none.
"""

from __future__ import annotations

import re

from ..games import GAMES
from ..games.spelling import plain
from ..grammar.arguments import is_plan_word, like_a_move
from ..grammar.words import beginning
from .found import DOUBTS
from .table import SERVER_VERBS, reply_verbs

# A line of courtesy has one of these words, ...
_KIND = frozenset((
    "amazing", "apologies", "awesome", "beautiful", "best", "bravo", "brilliant", "cheers", "clever",
    "congratulations", "congrats", "cool", "dear", "delighted", "excellent", "exciting", "fantastic",
    "fascinating", "fine", "fun", "gg",
    "glad", "good", "great", "greetings", "haha", "happy", "hehe", "hello", "hey", "hi", "hiya", "hope",
    "ill", "impressive", "interesting", "kind", "lol", "lovely", "luck", "merry", "nice", "oops", "ouch",
    "pleased",
    "pleasure", "sick", "smart", "solid", "sorry", "strong", "super", "superb", "surprising", "ta", "thank",
    "thanks",
    "thanx", "thx", "tough", "touché", "tricky", "ty", "unexpected", "vacation", "weather", "welcome", "well",
    "wishes", "wonderful", "wow",
    # de
    "danke", "dank", "dir", "entschuldige", "entschuldigung", "freut", "glück", "glückwunsch", "grüße",
    "gruß", "gut", "gute", "guten", "guter", "hallo", "klasse", "liebe", "lieber", "moin", "prima", "schön",
    "schöne", "schönen", "schöner", "schönes", "servus", "spaß", "spannend", "spannende", "stark", "starker",
    "tolle", "tollen", "toll", "toller", "tolles", "verzeihung", "glückwünsche", "gratuliere", "gratulation",
    "gespannt", "krank", "urlaub", "leid", "nachdenken", "nachgedacht", "schwer", "schwierig", "wetter",
    "hoffe", "super",
    "respekt", "frohe", "frohes", "tschüss", "entschuldigt", "hübsch", "hübscher", "gerne",
    # fr
    "bien", "bon", "bonjour", "bonne", "bonsoir", "chance", "désolé", "désolée", "enchanté", "enchantée",
    "félicitations", "joli", "jolie", "merci", "pardon", "plaisir", "salut", "bises", "chapeau", "coucou",
    "excellente", "excuse", "excuse-moi", "excusez-moi", "génial", "joyeux", "joyeuse", "magnifique",
    "beau", "passionnante", "salutations", "vacances", "intéressant", "intéressante", "malade", "réfléchi",
    "réfléchir", "passionnant", "j'espère",
    "bonnes", "bons", "heureux", "heureuse", "remerciements",
    # es
    "buen", "buena", "buenas", "buenos", "disculpa", "encantada", "encantado", "felicidades", "gracias",
    "gusto", "hola", "perdón", "perdona", "siento", "suerte", "abrazo", "bonita", "bonito", "disculpe",
    "emocionante", "saludo", "enferma", "enfermo", "espero", "pensar",
    "enhorabuena", "excelente", "feliz", "genial", "interesante", "saludos", "perdone", "agradezco",
    # nl
    "bedankt", "dankjewel", "goede", "goed", "goeie", "hoi", "knap", "leuk", "leuke", "mooi", "mooie",
    "plezier", "succes", "veel", "aardig", "fijn", "fijne", "gefeliciteerd", "groeten", "groetjes", "excuses",
    "prachtig", "prachtige", "slim", "slimme", "sterk", "sterke", "prettig", "prettige",
    # it
    "bella", "bello", "buon", "buona", "ciao", "complimenti", "fortuna", "grazie", "piacere", "salve",
    "scusa", "scusate", "scusi", "auguri", "bel", "bellissima", "bravissimo", "brava", "buone", "buoni",
    "dispiace", "ottima", "ottimo", "saluti", "congratulazioni", "interessante", "felice",
    # pt
    "obrigado", "obrigada", "valeu", "boa", "bom", "boas", "belo", "bela", "olá", "oi", "parabéns",
    "desculpa", "desculpe", "desculpas", "prazer", "sorte", "sucesso", "ótima", "ótimo", "abraço", "abraços",
    "legal", "gostei", "agradeço", "tchau",
    # pl
    "dziękuję", "dzięki", "dziękuje", "dobra", "dobre", "dobry", "dobrej", "dobrego", "miła", "miło", "miłe",
    "miłej", "miłego", "świetna", "świetne", "świetny", "świetnie", "piękna", "piękne", "piękny", "pięknie",
    "powodzenia", "gratulacje", "gratuluję", "brawo", "przepraszam", "pozdrawiam", "pozdrowienia", "cześć",
    "witaj", "witam", "fajna", "fajnie", "fajny", "ładna", "ładne", "ładnie", "ładny", "wesołych",
    "szczęścia", "udanej", "udanego", "sprytnie", "sprytny", "ciekawa", "ciekawe", "ciekawie", "hej",
))  # fmt: skip
# ... and besides them only these, and names.
_PLAIN = frozenset((
    "a", "about", "again", "ago", "ahead", "back", "all", "always", "am", "an", "and", "answer", "answering",
    "are",
    "as", "at", "be", "been", "being", "birthday", "both", "busy", "chat", "christmas", "clear", "cold",
    "come",
    "day", "days", "delay", "delayed", "did", "doing", "done", "easter", "enjoy", "enjoying", "evening",
    "every", "everybody", "everyone", "far", "finding", "first", "for", "friday", "friend", "friends", "from",
    "game", "games", "get", "getting", "going", "got", "had", "has", "have", "having", "here", "holiday",
    "holidays",
    "how", "i", "i'm", "in", "indeed", "is", "it", "it's", "i've", "joining", "just", "keep", "kept", "know",
    "last", "late",
    "let's", "long", "looking", "lot", "lots", "love", "many", "may", "me", "meet", "meeting", "message",
    "mine", "monday", "month", "more", "morning", "most", "move", "moves", "much", "my", "new", "night",
    "now", "of", "oh", "one", "opening", "opponent", "our", "ours", "patience", "patient", "play", "played",
    "player", "playing", "please", "position", "quick", "quite", "reply", "rain", "rainy", "replying",
    "response", "same", "saturday",
    "see", "seeing", "shot", "silence", "slow", "slowness", "so", "soon", "start", "starting", "such",
    "summer", "sun", "sunday", "sunny", "than", "that", "that's", "the", "there", "things", "think", "this",
    "thursday", "time", "to",
    "today", "together", "tomorrow", "tonight", "too", "trip", "truly", "tuesday", "us", "vacation", "very",
    "waiting", "warm", "was", "we", "we're", "wednesday", "week", "weekend", "weeks", "were", "what",
    "what's", "winner",
    "wish", "with", "work", "yesterday", "year", "you", "you're", "your", "yours",
    # de
    "arbeit", "fürs", "gesehen", "geburtstag", "machst", "gehabt", "geht", "gerade", "heute",
    "hier", "hoffentlich", "immer", "könnt",
    "letzte", "musste", "richtig", "spielst", "viele", "wird", "woche", "wochen", "war", "nach", "so",
    "wünsch",
    "abend", "alles", "antwort", "auch", "das", "dein", "deine", "der", "dich", "die", "ein", "eine",
    "erfolg", "es", "freue", "für", "gespielt", "gutes", "ich", "ihnen", "ist", "kennenzulernen", "mich",
    "mir", "morgen", "nett", "partie", "schönes", "sehr", "sie", "spiel", "späte", "tag", "tut", "und",
    "verspätung", "viel", "viele", "vielen", "war", "wochenende", "wünsche", "zug", "den", "dem", "des",
    "hatte", "habe", "hast", "übersehen", "da", "echt", "wirklich", "ganz", "im", "urlaub", "warten", "lange",
    "schnelle", "schnellen", "zu", "zum", "züge", "bis", "bald", "dann", "jetzt", "noch", "wieder",
    "nächsten", "weihnachten", "ostern", "feiertage", "jahr", "neues", "einen", "eines", "uns", "wir", "bin",
    "war's", "geht's", "wie", "herzlichen", "herzlich", "aus", "mit", "mal", "dir", "mein", "meine", "meinen",
    # fr
    "ai", "ça", "comme", "dimanche", "retour", "travail", "dernière", "devient", "dû", "fait", "ici", "il",
    "jours", "joues", "longtemps",
    "longuement", "partie", "que", "quel", "quelle", "semaine", "suite", "tous", "va", "vas",
    "amusez-vous", "beaucoup", "beau", "belle", "c'est", "coup", "de", "et", "journée", "joué", "je", "jouer",
    "jeu", "la", "le", "mon", "moi", "pour", "retard", "soirée", "suis", "te", "toi", "très", "tu", "un",
    "une", "vous", "ton", "ta", "tes", "votre", "vos", "ma", "mes", "cette", "ce", "du", "les", "à", "au",
    "aux", "bientôt", "d'avance", "d'avoir", "attendu", "avec", "vraiment", "réponse", "rapide", "semaine",
    "week-end", "année", "noël", "vacances", "j'étais", "jolis", "coups", "encore", "fois", "est", "être",
    "rencontrer", "jouée", "t'ai", "fait", "attendre", "là", "tout", "temps", "pris", "j'ai", "l'attente",
    "partout", "aussi", "vu", "l'avais", "demain", "reprise",
    # es
    "aquí", "de", "desde", "domingo", "trabajo", "ya", "volví", "es", "estás", "esté", "estés", "está",
    "hace", "hacía", "he", "juegas", "la",
    "lluvia", "me", "pasada", "pone", "se", "sea", "sol", "te", "tenido", "tiempo", "todo", "todos", "un",
    "vaya", "va",
    "conocerte", "día", "días", "el", "en", "jugada", "jugado", "juego", "lo", "los", "mucha", "muchas",
    "mucho", "muy", "noches", "partida", "por", "que", "retraso", "tardanza", "tardes", "tengas", "tus",
    "las", "una", "del", "al", "con", "fin", "semana", "año", "nuevo", "navidad", "navidades", "esta", "este",
    "ha", "sido", "fue", "esperar", "espera", "paciencia", "respuesta", "rápida", "vacaciones", "estaba",
    "estuve", "jugadas", "jugar", "contigo", "placer", "pronto", "hasta", "mañana", "bien", "qué", "había",
    "visto", "cordial", "tan", "igualmente", "también", "para", "ti", "mi", "mis", "vista",
    # nl
    "avond", "dag", "een", "fijne", "gespeeld", "het", "kennis", "maken", "met", "partij", "spel", "van",
    "vertraging", "voor", "wel", "zet", "zeer", "tot", "nu", "toe", "dat", "dit", "jouw", "jou", "jullie",
    "mijn", "ik", "heb", "gezien", "op", "vakantie", "wachten", "geduld", "snel", "snelle", "antwoord",
    "zien", "gewenst", "wens", "ook", "erg", "heel", "zo", "jaar", "nieuw", "kerst", "feestdagen", "reactie",
    "zetten", "leren", "kennen", "om", "spelen", "tegen",
    # it
    "bel", "buongiorno", "divertimento", "gioco", "giocata", "giocato", "giornata", "il", "mille", "molto",
    "mossa", "partita", "per", "ritardo", "serata", "tante", "gli", "uno", "di", "della", "tua", "tuo", "mia",
    "mio", "alla", "è", "stata", "stato", "attesa", "pazienza", "risposta", "veloce", "vacanza", "ero",
    "avevo", "settimana", "fine", "anno", "nuovo", "natale", "presto", "domani", "davvero", "anche",
    "giocare", "conoscerti", "bene", "mosse", "che", "questa", "l'attesa", "tanti", "tanto",
    # pt
    "pela", "pelo", "pelas", "pelos", "jogada", "jogadas", "jogo", "lance", "muito", "muita", "muitas", "dia",
    "tarde", "noite", "fim", "você", "meu", "minha", "seu", "sua", "teu", "o", "os", "um", "uma", "do", "e",
    "foi", "atraso", "demora", "paciência", "resposta", "estava", "férias", "tinha", "até", "logo", "amanhã",
    "breve", "jogar", "com", "conhecer", "conhecê-lo", "ano", "novo", "natal", "bem", "jogado", "também",
    "essa", "esse", "tão", "mais", "em",
    # pl
    "za", "grę", "gra", "gry", "ruch", "ruchy", "ruchu", "partia", "partię", "partii", "zagranie", "zagrane",
    "dnia", "dzień", "wieczór", "wieczoru", "weekendu", "tygodnia", "bardzo", "wielkie", "na", "w", "z",
    "był", "była", "było", "opóźnienie", "zwłokę", "spóźnienie", "cierpliwość", "odpowiedź", "szybką",
    "szybko", "późno", "późną", "jutra", "zobaczenia", "świąt", "nowego", "roku", "urlopie", "byłem", "byłam",
    "długo", "że", "widziałem", "widziałam", "tego", "cię", "ciebie", "tobie", "twój", "twoja", "mój", "moja",
    "poznać", "zagrać", "grać", "również", "też", "jeszcze", "raz", "tobą", "serdecznie", "co", "sobą", "jak",
    "się", "masz",
))  # fmt: skip
WORDS = _KIND | _PLAIN
_PHRASES = frozenset((
    "how are you", "how are you doing", "how are you today", "how are things", "how is it going",
    "how's it going", "not bad", "not at all",
))  # fmt: skip
# "No hurry at all, I am travelling": it begins like an answer, and is none.
_NO_HURRY = re.compile(
    r"(?:there(?:'s| is) )?no (?:hurry|rush|worries|worry|stress|pressure|problem|probs|trouble)\b"
    r"|take your time\b|keine? (?:eile|hektik|stress|problem|hast)\b|nur keine (?:eile|hast)\b"
    r"|lass dir zeit\b"
    r"|pas de (?:souci|problème|stress|hâte)\b|rien ne presse\b|prends ton temps\b"
    r"|sin prisas?\b|no hay (?:prisa|problema)\b|no (?:te preocupes|pasa nada)\b|tómate tu tiempo\b"
    r"|nessun (?:problema|fretta)\b|nessuna fretta\b|con calma\b|geen (?:haast|probleem|stress)\b"
    r"|sem (?:pressa|problema|stress)\b|bez pośpiechu\b|nie ma (?:pośpiechu|sprawy|problemu)\b"
)
# "Here is my move:"
_ANNOUNCES = re.compile(
    r"(?:so |well,? |okay?,? )?(?:here(?:'s| is| comes)|this is) my (?:next |first )?(?:move|answer|reply)"
    r"|my (?:next |first )?move(?: is)?|here (?:we|i) go|(?:it's )?my turn"
    r"|(?:so,? )?(?:hier|das) (?:ist|kommt) (?:nun |also )?mein(?:e)? (?:nächster |erster )?(?:zug|antwort)"
    r"|mein (?:nächster |erster )?zug(?: ist)?|(?:dann )?(?:los|auf) geht's"
    r"|(?:et )?(?:voici|voilà) (?:donc )?(?:mon (?:prochain |premier )?coup|ma réponse)|mon coup|c'est parti"
    r"|(?:esta|aquí|aqui) (?:es|está|va|tienes) mi (?:próxima |primera )?(?:jugada|respuesta)"
    r"|mi jugada(?: es)?"
)
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
    said = " ".join(lower)
    if (
        said in _PHRASES
        or _ANNOUNCES.fullmatch(said)
        or (len(words) <= _MOST and _NO_HURRY.match(said))
    ):
        return not any(c.isdigit() for c in text)
    if not 0 < len(words) <= _MOST or text.endswith(":") or any(c.isdigit() for c in text):
        return False
    if _KIND.isdisjoint(lower) or lower[0] in _BEGIN or _is_answer(text):
        return False
    names = [word for word in words if word.lower() not in WORDS]
    return len(names) <= _NAMES and all(map(_is_name, names))


def _is_answer(line: str) -> bool:
    """Return True if a line begins with a reply word of another language, as "Ja, danke" does.

    "Passe un bon week-end" is a wish.
    """
    found = beginning(line)
    return found is not None and not (found.rest and found.meanings == ("pass",))


def _is_name(word: str) -> bool:
    """Return True if a word may be a name: it casts no doubt, and isn't a word of ours or part of a move."""
    is_ours = (
        word.lower() in _BEGIN or word.lower() in DOUBTS or like_a_move(word) or is_plan_word(word)
    )
    return word[0].isupper() and bool(_NAME.fullmatch(word)) and not is_ours
