"""The reply words of other languages: a table, and the word at the beginning of a line. Pure.

Each language has for a reply word in English the words and short sentences that say it. To add one, write
it there, and run ``tests/command/test_words.py``: it finds words that mean something else already. A word
with a question mark also means something else, in this language or another whose speakers write to us
(*tak* is yes in Polish, and thanks in Danish). It is only offered, unless the account is in that language.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

from ..games.spelling import plain

TABLE: dict[str, dict[str, str]] = {
    "de": {
        "yes": "ja, jawohl, einverstanden, in ordnung",
        "no": "nein, nee",
        "accept": "annehmen, angenommen, akzeptieren, akzeptiert, ich akzeptiere, ich nehme an",
        "decline": "ablehnen, abgelehnt, ich lehne ab",
        "pass": "passe, passen, ich passe, gepasst",
        "swap": "tauschen, tausch, seitentausch, seiten tauschen, ich tausche",
        "resign": "aufgeben, aufgabe, ich gebe auf, gebe auf, ich gebe die partie auf",
        "undo": "zurücknehmen, zug zurücknehmen, rückgängig, rückgängig machen, zurück?",
        "draw": "remis, unentschieden",
        "cancel": "abbrechen, abbruch, spiel abbrechen, partie abbrechen",
        "claim": "beanspruchen, gewinn beanspruchen, sieg beanspruchen",
        "help": "hilfe, bitte um hilfe, regeln, spielregeln",
        "say": "sagen, nachricht, mitteilung",
        "match": "gegner, gegner suchen, gegner gesucht",
        "rematch": "revanche, rückspiel",
        "move": "zug, mein zug",
        "show": "zeigen, zeig",
        "score": "spielstand, punktestand",
        "extend": "verlängern",
        "away": "urlaub, im urlaub, abwesend",
        "back": "zurück?, wieder da, ich bin wieder da, ich bin zurück",
        "hint": "tipp",
        "review": "analyse",
    },
    "fr": {
        "yes": "oui, d'accord, entendu, bien sûr",
        "no": "non",
        "accept": "accepter, accepte, accepté, j'accepte",
        "decline": "refuser, je refuse, décliner, je décline",
        "pass": "passe, passer, je passe, je passe mon tour",
        "swap": "échanger, échange, j'échange",
        "resign": "abandonner, abandon, abandonne, j'abandonne, je jette l'éponge",
        "undo": "annuler?, reprendre, reprendre mon coup, reprendre le coup, annuler mon coup",
        "draw": "nulle, partie nulle, match nul, égalité",
        "cancel": "annuler?, annuler la partie, interrompre, interrompre la partie",
        "claim": "réclamer, réclamer la victoire",
        "help": "aide, aidez-moi, aide-moi, à l'aide, règles, les règles",
        "say": "écrire, dis-lui",
        "match": "adversaire, chercher un adversaire, je cherche un adversaire",
        "rematch": "revanche, la revanche",
        "move": "coup, mon coup",
        "show": "montrer, montre, afficher",
        "extend": "prolonger",
        "away": "vacances, en vacances, congé, en congé, absent, absente",
        "back": "de retour, je suis de retour",
        "hint": "indice",
        "review": "analyse",
    },
    "es": {
        "yes": "sí, vale, de acuerdo, claro que sí, por supuesto",
        "no": "no",
        "accept": "aceptar, acepto, aceptado",
        "decline": "rechazar, rechazo, lo rechazo, declinar",
        "pass": "paso, pasar, yo paso, paso turno, paso mi turno",
        "swap": "intercambiar, intercambio, cambio de lado",
        "resign": "me rindo, rendirse, rendirme, abandono, abandonar, me retiro",
        "undo": "deshacer, deshacer jugada, retroceder, anular?",
        "draw": "tablas, empate",
        "cancel": "cancelar, cancelar la partida, anular?, anular la partida",
        "claim": "reclamar, reclamo, reclamar la victoria",
        "help": "ayuda, ayúdame, ayuda por favor, reglas",
        "say": "decir, mensaje",
        "match": "oponente, adversario, buscar rival, busco rival",
        "rematch": "revancha, desquite",
        "move": "jugada, mi jugada",
        "show": "mostrar",
        "score": "puntuación, marcador",
        "extend": "prolongar",
        "away": "vacaciones, de vacaciones",
        "back": "he vuelto, ya he vuelto, estoy de vuelta",
        "hint": "pista",
        "review": "análisis",
    },
    "it": {
        "yes": "sì, va bene, d'accordo",
        "no": "no",
        "accept": "accettare, accetto, accettato",
        "decline": "rifiutare, rifiuto, declinare, declino",
        "pass": "passo, passare, io passo, passo il turno",
        "swap": "scambiare, scambio, scambio i lati",
        "resign": "mi arrendo, arrendersi, abbandono, abbandonare, mi ritiro",
        "undo": "annulla?, annullare?, annulla la mossa, annullare la mossa, ritirare la mossa",
        "draw": "patta, pareggio, parità",
        "cancel": "annulla?, annullare?, annulla la partita, annullare la partita, interrompere",
        "claim": "rivendicare, rivendico, reclamare",
        "help": "aiuto, aiutami, aiutatemi, regole",
        "say": "scrivere, messaggio",
        "match": "avversario, cerco avversario, cerco un avversario",
        "rematch": "rivincita",
        "move": "mossa, la mia mossa",
        "show": "mostrare, mostra",
        "score": "punteggio",
        "extend": "prolungare",
        "away": "vacanza, in vacanza, ferie, in ferie",
        "back": "sono tornato, sono tornata",
        "hint": "suggerimento",
        "review": "analisi",
    },
    "nl": {
        "yes": "ja, akkoord, oké",
        "no": "nee, neen",
        "accept": "accepteren, accepteer, ik accepteer, geaccepteerd, aanvaarden",
        "decline": "weigeren, ik weiger, afwijzen, afslaan",
        "pass": "pas?, ik pas, passen, ik sla over",
        "swap": "ruilen, wisselen, ik wissel, ik ruil",
        "resign": "opgeven, ik geef op, geef op, ik geef het op",
        "undo": "ongedaan maken, terugnemen, zet terugnemen, terug?",
        "draw": "remise, gelijkspel",
        "cancel": "annuleren, afbreken, partij afbreken",
        "claim": "claimen, opeisen",
        "help": "hulp, regels, spelregels",
        "say": "zeggen, bericht",
        "match": "tegenstander, tegenstander zoeken, tegenstander gezocht",
        "rematch": "revanche",
        "move": "zet, mijn zet",
        "show": "tonen, toon",
        "score": "puntenstand",
        "extend": "verlengen",
        "away": "vakantie, op vakantie, afwezig",
        "back": "terug?, weer terug, ik ben terug, ik ben er weer",
        "review": "analyse",
    },
    "pt": {
        "yes": "sim, de acordo",
        "no": "não",
        "accept": "aceitar, aceito, aceite",
        "decline": "recusar, recuso, rejeitar",
        "pass": "passo, passar, eu passo, passo a vez",
        "swap": "trocar, troca, eu troco",
        "resign": "desisto, desistir, eu desisto, abandono, abandonar, rendo-me, me rendo",
        "undo": "desfazer, desfazer jogada, voltar atrás, anular?",
        "draw": "empate",
        "cancel": "cancelar, cancelar a partida, anular?, anular a partida",
        "claim": "reivindicar, reclamar, reclamar a vitória",
        "help": "ajuda, ajuda por favor, socorro, regras",
        "say": "dizer, mensagem",
        "match": "oponente, adversário, procurar adversário, procuro adversário",
        "rematch": "revanche, desforra",
        "move": "jogada, minha jogada",
        "show": "mostrar",
        "score": "pontuação, placar",
        "extend": "prolongar",
        "away": "férias, de férias",
        "back": "voltei, estou de volta",
        "hint": "dica",
        "review": "análise",
    },
    "pl": {
        "yes": "tak?, zgoda, zgadzam się",
        "no": "nie",
        "accept": "akceptuję, akceptuj, akceptować, przyjmuję, przyjmij",
        "decline": "odrzucam, odrzuć, odmawiam",
        "pass": "pasuję, pas?, pasować",
        "swap": "zamiana, zamieniam, zamień, zamień strony, zamiana stron",
        "resign": "poddaję się, poddaję partię, poddaję, poddać, rezygnuję",
        "undo": "cofnij, cofnij ruch, cofam, cofnąć",
        "draw": "remis",
        "cancel": "anuluj, anulować, anuluj grę, przerwij, przerwij grę",
        "claim": "żądam wygranej, roszczenie",
        "help": "pomoc, pomocy, zasady",
        "say": "powiedz, wiadomość",
        "match": "przeciwnik, szukam przeciwnika, znajdź przeciwnika",
        "rematch": "rewanż",
        "move": "ruch, mój ruch",
        "show": "pokaż",
        "score": "wynik, punktacja",
        "extend": "przedłuż",
        "away": "urlop, na urlopie, nieobecny, nieobecna",
        "back": "wróciłem, wróciłam, już jestem",
        "hint": "podpowiedź",
        "review": "analiza",
    },
}
ENGLISH = "en"
NAMES = {
    "en": "English", "de": "Deutsch", "fr": "français", "es": "español", "it": "italiano",
    "nl": "Nederlands", "pt": "português", "pl": "polski",
}  # fmt: skip
# Of another language than the account's they are only offered: they end a game, or change seats for good.
ONLY_OFFERED = frozenset(("resign", "claim", "cancel", "swap"))

_UMLAUTS = {"ä": "ae", "ö": "oe", "ü": "ue"}
_NOT_A_WORD = re.compile(r"[^\w'-]+")
_EDGES = "*_.,:;!()\"'"
_ASKS = re.compile("[?\u00bf]")
_LONGEST = 40  # characters of a line's beginning that are looked at


def folded(text: str) -> str:
    """Return a text in small letters without accents and marks, as words of the table are compared."""
    text = plain(text).replace("\u0142", "l").replace("\u0141", "l")
    if not text.isascii():
        text = unicodedata.normalize("NFKD", text)
        text = "".join(each for each in text if not unicodedata.combining(each))
    return " ".join(_NOT_A_WORD.sub(" ", text.casefold()).split())


def _spellings(words: str) -> Iterator[tuple[str, bool]]:
    """Yield each word of a row of the table, folded, and True if it has but one meaning."""
    for word in words.split(", "):
        is_sure = not word.endswith("?")
        yield folded(word), is_sure
        written_out = "".join(_UMLAUTS.get(letter, letter) for letter in word)
        yield folded(written_out), is_sure


class _Meaning(NamedTuple):
    language: str
    word: str
    is_sure: bool


def _by_spelling() -> dict[str, list[_Meaning]]:
    found: dict[str, list[_Meaning]] = {}
    for language, rows in TABLE.items():
        for english, words in rows.items():
            for spelling, is_sure in set(_spellings(words)):
                if spelling != english:
                    found.setdefault(spelling, []).append(_Meaning(language, english, is_sure))
    return found


_MEANINGS = _by_spelling()
_FIRST = frozenset(spelling.split()[0] for spelling in _MEANINGS)
_MOST_WORDS = max(spelling.count(" ") + 1 for spelling in _MEANINGS)
# Words that a line may begin with, without accents; no userid may be one of them.
SPELLINGS = frozenset(_MEANINGS)


class Beginning(NamedTuple):
    """A reply word of another language at the beginning of a line.

    typed     the word as it was typed
    meanings  the reply words in English that it can stand for
    rest      the words of the line after it
    is_done   it may be done at once: it means one thing, and nothing that is only offered
    """

    typed: str
    meanings: tuple[str, ...]
    rest: tuple[str, ...]
    is_done: bool


def beginning(line: str, language: str = ENGLISH) -> Beginning | None:
    """Return the reply word of another language that a line begins with, the longest; None for other lines.

    In the account's own ``language`` a word means what that language says, and is done at once. A word
    with a question mark asks, and is none.
    """
    words = line.split(None, _MOST_WORDS)
    if not words or len(words[0]) > _LONGEST or not _may_begin(words[0]):
        return None
    words = line.split()
    for length in range(min(_MOST_WORDS, len(words)), 0, -1):
        typed = " ".join(words[:length])
        found = _MEANINGS.get(folded(typed)) if len(typed) <= _LONGEST else None
        if found is None or _ASKS.search(" ".join(words[: length + 1])[: len(typed) + 2]):
            continue
        own = [each for each in found if each.language == language]
        meanings = tuple(sorted({each.word for each in own or found}))
        is_done = len(meanings) == 1 and (
            bool(own) or (meanings[0] not in ONLY_OFFERED and all(each.is_sure for each in found))
        )
        return Beginning(typed, meanings, tuple(words[length:]), is_done)
    return None


def _may_begin(word: str) -> bool:
    """Return True if a word may begin a reply word. This quickly rules out nearly all lines in English."""
    if word.isascii():
        return word.lower().strip(_EDGES) in _FIRST
    return folded(word).partition(" ")[0] in _FIRST


def meanings_in(line: str) -> set[str]:
    """Return in English the reply words that a line of talk has, as far as they have one meaning."""
    words = folded(line).split()
    found = set[str]()
    for place in range(len(words)):
        if words[place] in _FIRST:
            for length in range(1, _MOST_WORDS + 1):
                spelled = _MEANINGS.get(" ".join(words[place : place + length]), ())
                meanings = {each.word for each in spelled}
                found |= meanings if len(meanings) == 1 else set()
    return found
