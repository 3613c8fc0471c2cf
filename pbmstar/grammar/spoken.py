"""The language in which a person without an account writes, from the most frequent words of each. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import cache

from .words import ENGLISH, TABLE, folded

# As ``folded`` writes them. Many are words of several languages: those count less.
_FREQUENT = {
    ENGLISH: (
        "a about and any anyone are as at brother can computer cost could do does for free friend"
        " from game games good have hello help here hi how i i'd i'm if in interested is it join know"
        " learn like me more my need new of on or play please rules show sister some someone start"
        " thank thanks that the there this time to understand want we what when where who will with"
        " would you your"
    ),
    "de": (
        "abend aber als an auch auf bei bin bitte bruder computer danke das dass dein dem den der des"
        " die diese dieses du ein eine einem einen einer er es eure freund freundlichen fur gern gerne"
        " gibt gratis gruss grusse guten habe hallo hat hilfe ich ihnen ihr ist jemand kann kein"
        " konnen kostenlos kostet lernen man mehr mein meine mir mit mitmachen mochte morgen nach neu"
        " nicht noch oder regeln schicken schon schwester sehr sie sind so spiel spiele spielen tag"
        " uber und verstehe viele von war was wenn werden wie will wir wo wurde zeit zu zum zur"
    ),
    "fr": (
        "ai aide aimerais ami apprendre au aussi avec beaucoup bonjour bonsoir c'est ca ce cela ces"
        " cette combien comment comprends dans de des du elle en envoyer est est-ce et etes faire fait"
        " frere gratuit il ils j'ai j'aimerais je jeu jouer l'aide la le les leur mais me merci mon ne"
        " nous nouveau on ordinateur ou oui par partie pas payant peut peux plait plus pour pouvez"
        " puis-je qu'est qu'il que quel quelqu'un qui regles s'il salut si soeur son suis sur ta temps"
        " tout tres tu un une veux votre voudrais vous"
    ),
    "es": (
        "a al alguien amigo aprender ayuda buenas buenos como con cuando cuanto cuesta de del dias"
        " donde el ella en entiendo entonces enviar es esta este esto favor gracias gratis gusta"
        " gustaria hacer hay hermana hermano hola juega juego jugar la las le lo los mandar mas me mi mucho"
        " muy no nuevo o ordenador para partida pero podeis podria por porque puede puedo que quien"
        " quiero quisiera registrarme registro reglas se si sin sobre soy su tambien tengo tiempo todo"
        " un una vuestro y yo"
    ),
    "it": (
        "aiuto al amico anche bene buona buonasera buongiorno capisco che chi ci ciao come computer"
        " con cosa costa da dei del della devo di e fare favore fratello giocare gioco gli gratis"
        " gratuita gratuito grazie ho i il imparare in io la le lo ma mandare mi mio molto nel non"
        " nuovo o ogni partita per perche piacerebbe posso potete puo qualcuno quanto questo qui"
        " registro regole salve scaricare se si sono sorella su tempo tutto un un'app una voglio"
        " vorrei vostro"
    ),
    "nl": (
        "aan als alstublieft bedankt begrijp ben bij broer computer dag dank dat de deze die dit doen"
        " een en er gaat goede goedemiddag graag gratis groeten hallo heb heet het hier hoe hoi hulp"
        " iemand iets ik in is jij jullie kan kost kunnen leren maar mag meedoen meer met mij mijn"
        " moet naar niet nieuw nog of om ook op over regels speel spel spelen sturen te tijd u van"
        " vanaf voor vriend wat we wel wie wij wil willen worden zijn zou zus"
    ),
    "pt": (
        "ajuda alguem amigo ao aprender aqui as bem boa bom cada com como computador custa da dar de"
        " dia do e ela ele em entendo enviar esta estou eu faco favor fazer foi gostaria graca gratis"
        " ha irmao isso ja jogar jogo mais mas me meu muito na nao no nos novo o obrigada obrigado oi"
        " ola os ou para partida pelo percebo pode podem por posso quanto que quem queria quero"
        " registo registro regras sao se sem seu sim sobre sou tambem tem temos tempo um uma voce"
        " vosso"
    ),
    "pl": (
        "ale bardzo brat bratem byc bym chce chcialabym chcialbym co czas czesc czy darmo dla do"
        " dobry dziekuje dzien gra grac gre gry i ile imie ja jak jesli jest jestem kolega komputer"
        " komputerem kosztuje kto ktos ma mam mi mnie moge mozna na nauczyc nazywam nie nowy o od po"
        " pomoc pomocy poprosze pozdrawiam prosze przez przyslac rozumiem sa sie tak to tu tylko tym w"
        " witam z za zaczac zagrac zasady"
    ),
}
_MOST = 200  # different words of a message
_SURE = 1.5  # times as much speaks for a language as for each other one


@cache  # first messages are few, and a process starts without it
def _languages_of_words() -> dict[str, set[str]]:
    known = defaultdict[str, set[str]](set)
    for language, words in _FREQUENT.items():
        for word in words.split():
            known[word].add(language)
    for language, rows in TABLE.items():
        for command, words in rows.items():
            known[command].add(ENGLISH)  # "match" is the command, not a part of "match nul"
            for word in folded(words.replace(",", " ").replace("?", " ")).split():
                known[word].add(language)
    return dict(known)


def language_of(lines: Iterable[str]) -> str:
    """Return the language that some lines are written in; English if no other one is clear."""
    words = set[str]()
    for line in lines:
        # A letter alone may be the name of a game, or of a cell.
        words.update(each for each in folded(line).split() if len(each) > 1)
        if len(words) > _MOST:
            break
    weights = dict.fromkeys(_FREQUENT, 0.0)
    for word in words:
        languages = _languages_of_words().get(word, ())
        for language in languages:
            weights[language] += 1 / len(languages)
    second, first = sorted(weights, key=weights.__getitem__)[-2:]
    return first if weights[first] > _SURE * weights[second] else ENGLISH
