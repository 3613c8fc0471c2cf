"""The reply words of other languages: what may stand in the table, and what a word never does."""

from __future__ import annotations

import pytest
from harness.positions import match_of
from hypothesis import assume, given
from hypothesis import strategies as st

from pbmstar.command import Command, Reply, found, read_digest_reply, read_reply, split
from pbmstar.command.courtesy import WORDS, is_courtesy
from pbmstar.command.proved import Replier, boards_named, read_account_reply
from pbmstar.command.table import GAME_VERBS, RESERVED, SERVER_VERBS, named, reply_verbs
from pbmstar.errors import UsageError
from pbmstar.games import GAMES
from pbmstar.games.base import Game
from pbmstar.games.hexagon.hex import Hex
from pbmstar.games.hexagon.star import Star
from pbmstar.games.puzzles.queens import Queens
from pbmstar.games.spelling import is_one_slip
from pbmstar.grammar.arguments import is_plan_word, like_a_move
from pbmstar.grammar.literals import SENTENCE_WORDS, game_of
from pbmstar.grammar.words import NAMES, ONLY_OFFERED, SPELLINGS, TABLE, folded
from pbmstar.inbound import lines, phrases
from pbmstar.inbound import read as read_mail
from pbmstar.service.verbs import membership

# Each language says at least these.
NEEDED = {
    "yes", "no", "accept", "decline", "pass", "swap", "resign", "undo", "draw", "cancel", "claim", "help",
    "say", "match", "rematch",
}  # fmt: skip
# A word, its meaning in English, its language, and True if it is sure to mean that.
ROWS = [
    (word.rstrip("?"), english, language, not word.endswith("?"))
    for language, table in TABLE.items()
    for english, row in table.items()
    for word in row.split(", ")
]
STAR = match_of("star", {}, 4)


def reply(*text: str, game: type[Game] = Star, **writer: object) -> Reply:
    return read_reply("Re: x", True, text, game, Replier(**writer))  # type: ignore[arg-type]


def command(*text: str, game: type[Game] = Star, **writer: object) -> Command | UsageError:
    (read,) = reply(*text, game=game, **writer).commands
    return read


def done(read: Command | UsageError) -> str:
    """The name of the verb that is done; ``told`` if an answer says how to do it."""
    return read.verb.name if isinstance(read, Command) else "told"


def confirms(line: str) -> bool:
    """Whether a line says yes to a letter with a token."""
    raw = f"From: a@a.example\nSubject: Re: Star account\nContent-Type: text/plain; charset=utf-8\n\n{line}\n"
    return membership.answered(read_mail(raw.encode(), "pbm.example"), "token") == membership.YES


# -- the table


def test_each_language_has_the_words_that_a_game_needs() -> None:
    assert set(TABLE) == {"de", "fr", "es", "it", "nl", "pt", "pl"}
    for language, table in TABLE.items():
        assert table.keys() >= NEEDED, language
        verbs = {"move", "match", "review", *reply_verbs(Star), *reply_verbs(Queens)}
        assert set(table) <= verbs, language  # match and review are of features


def test_no_word_may_be_a_move_or_begin_a_plan() -> None:
    """Not a cell of any board, whatever its size."""
    cells = {
        name.lower()
        for game in GAMES
        for option in (None, *game.options)
        for size in (option.bounds if option and hasattr(option, "bounds") else (None,))
        for name in game({option.name: str(size)} if option and size else {}).grid.names
    }
    for word, *_ in ROWS:
        for typed in (word, folded(word)):
            assert typed.lower() not in cells
            assert not like_a_move(typed) and not is_plan_word(typed) and game_of(typed) is None, (
                word
            )


def test_no_word_has_another_meaning_in_english() -> None:
    """It is no verb, alias, word of sentences or of courtesy in English, and no slip of a reply word."""
    english = {
        name: verb.name
        for verb in (*SERVER_VERBS, *GAME_VERBS)
        for name in (verb.name, *verb.aliases)
    }
    for word, meaning, *_ in ROWS:
        spelled = folded(word)
        verb = english.get(meaning, meaning)
        assert english.get(spelled, verb) == verb, word
        assert spelled not in SENTENCE_WORDS - {"no"}, word
        for name in {*reply_verbs(Star), *reply_verbs(Queens)}:
            assert not is_one_slip(spelled, name) or english[name] == verb, (word, name)
    talk = {folded(word) for word in WORDS}
    answers = {folded(word) for word, meaning, *_ in ROWS if meaning not in ("move", "away")}
    assert answers.isdisjoint(talk)


def test_a_word_with_two_meanings_says_so() -> None:
    meanings: dict[str, set[str]] = {}
    for word, meaning, *_ in ROWS:
        meanings.setdefault(folded(word), set()).add(meaning)
    for word, _, _, is_sure in ROWS:
        assert is_sure == (len(meanings[folded(word)]) == 1) or word in ("tak", "pas"), word


def test_no_account_is_called_as_a_reply_word() -> None:
    assert {word for word in SPELLINGS if word.isalpha()} <= RESERVED


def test_below_a_closing_word_an_answer_is_no_name() -> None:
    for word, meaning, *_ in ROWS:
        if (
            meaning in ("yes", "no", "accept", "decline", "pass", "swap", "resign", "undo", "draw")
            and " " not in word
        ):
            assert word in phrases.ANSWERS
            assert lines.own(["Hallo", "", "Viele Grüße", word.title()]).lines[-1] == word.title()


# -- what a word does


@pytest.mark.parametrize("language", TABLE)
@pytest.mark.slow
def test_a_word_alone_is_its_english_form_or_is_offered(language: str) -> None:
    """In a body's line, below a greeting or courtesy, and in a Subject; with any case and marks."""
    for word, meaning, own, is_sure in ROWS:
        if own != language or meaning == "move" or word == meaning:
            continue
        for game in (Star, Queens):
            english = command(meaning, game=game)
            for typed in (word, word.title(), word.upper(), f"{word}.", f"{word}!", f"*{word}*"):
                for read in (
                    command(typed, game=game),
                    command("Hallo!", "", typed, "", "x", game=game),
                ):
                    if is_sure and meaning not in ONLY_OFFERED:
                        assert done(read) == done(english), typed
                        assert str(read) == str(english) or isinstance(read, Command), typed
                    else:
                        assert isinstance(read, UsageError) and meaning in str(read), typed
                    assert folded(read.understood) == folded(typed)


@pytest.mark.few(2)
@pytest.mark.parametrize("language", TABLE)
def test_in_the_accounts_language_each_word_is_done_at_once(language: str) -> None:
    for word, meaning, own, _ in ROWS:
        both = [each for each in ROWS if each[2] == own and folded(each[0]) == folded(word)]
        if own == language and meaning != "move" and len(both) == 1:
            assert done(command(word, language=language)) == done(command(meaning)), word


def test_a_subject_is_read_as_a_line() -> None:
    def subject(text: str, *body: str) -> Command | UsageError:
        (read,) = read_reply(text, False, body, Star).commands
        return read

    assert done(subject("Passe")) == "pass"
    assert done(subject("Oui")) == "accept"
    assert done(subject("Zug F6")) == "move"
    assert done(subject("Aiuto!")) == "help"
    assert done(subject("Aufgeben")) == "told"
    for topic in ("Nachricht", "Vacances", "Mensaje", "Gegner"):
        assert done(subject(topic, "F6")) == "move", "what a mail is about"


@pytest.mark.parametrize(
    "line",
    [
        "nein",
        "non",
        "nie",
        "não",
        "nee",
        "no",
        "Nein danke",
        "tack",
        "tak",
        "takk",
        "pas",
        "niet",
        "ne",
    ],
)
def test_nothing_like_a_no_ever_agrees(line: str) -> None:
    for language in NAMES:
        for asked in (False, True):
            if (line, language) != ("tak", "pl"):
                assert done(command(line, asked=asked, language=language)) in (
                    "no",
                    "told",
                    "move",
                    "pass",
                )
                read = command(line, asked=asked, language=language)
                assert not (isinstance(read, Command) and read.verb.name == "accept")
    assert not confirms(line) or line == "tak"


def test_no_word_that_says_no_confirms_a_request_of_the_server() -> None:
    for word, meaning, *_ in ROWS:
        if meaning in ("no", "decline", "cancel", "resign", "undo", "pass"):
            assert not confirms(word), word


def test_arguments_may_follow_a_word() -> None:
    for line, english in {
        "Zug: F6": "move F6", "mein Zug F6#9": "move F6#9", "ja plan": "yes plan", "verlängern 3": "extend 3",
        "ablehnen slow": "decline slow", "Sagen: bis morgen": "say bis morgen", "urlaub 14": "away 14",
        "dizer olá": "say olá", "oui plan": "yes plan", "nein danke": "no danke",
    }.items():  # fmt: skip
        read, wanted = command(line), command(english)
        assert isinstance(read, Command) and isinstance(wanted, Command), line
        assert (read.verb, dict(read.args)) == (wanted.verb, dict(wanted.args)), line
        assert read.understood.split()[0] == line.split()[0]


@pytest.mark.parametrize(
    "line",
    [
        "Ja das war ein guter Zug", "Si tu veux", "Non ho capito", "passe partout", "Nein, das sehe ich anders",
        "remis?", "¿abandono?", "aufgeben?", "Zug um Zug", "Coup de chance", "passo dopo passo",
        "Hilfe, das wird eng", "pas mal", "Zet hem op", "Tak myślałem", "sim senhor",
    ],
)  # fmt: skip
def test_a_sentence_that_begins_with_a_word_is_talk(line: str) -> None:
    read = command(line)
    assert isinstance(read, UsageError) or read.verb.name == "move", "what the board refuses"
    waiting = command(line, waits=True, names=("alice",))
    assert done(waiting) in ("say", "told", "move")


def test_what_ends_a_game_is_found_in_talk_and_offered() -> None:
    for line, word in {
        "aufgeben": "resign", "J'abandonne !": "resign", "me rindo": "resign", "Poddaję się": "resign",
        "ich möchte aufgeben": "resign", "quiero abandonar": "resign", "remis?": "draw", "¿Tablas?": "draw",
        "abbrechen": "cancel", "zurücknehmen bitte": "undo", "zuruecknehmen bitte": "undo",
        "ich gebe nicht auf": "", "soll ich aufgeben": "", "non abbandono": "", "je n'abandonne pas": "",
        "nie poddaję się": "", "annuler": "", "zurück": "", "aufgeben oder passen": "",
    }.items():  # fmt: skip
        assert found.offered(line, STAR, STAR.to_move) == word, line


def test_a_digest_and_a_letter_about_an_account_read_them_too() -> None:
    def digest(*text: str) -> list[str]:
        read = read_digest_reply("Re: x", True, text, {17: Star, 18: Hex})
        return [f"{each.board} {done(each.command)}: {each.command.understood}" for each in read]

    assert digest("17 passe", "danke", "18 Zug F6", "17 aufgeben") == [
        "17 pass: 17 passe", "18 move: 18 Zug F6", "17 told: 17 aufgeben",
    ]  # fmt: skip
    (told,) = read_digest_reply("Re: x", True, ["17 aufgeben"], {17: Star})
    assert "If so, reply: 17 resign" in str(told.command)
    assert digest("urlaub 14") == [
        each.replace("away 14", "urlaub 14") for each in digest("away 14")
    ]
    assert boards_named(["passe 17", "resign 18", "danke 19"]) == [17, 18]

    def account(line: str) -> str:
        read = read_account_reply("Re: x", True, [line], Replier(["alice"], {17: Star}))
        return done(read.commands[0]) if read else "nothing"

    assert [account(each) for each in ("passe 17", "aufgeben 17", "hilfe", "Urlaub 3", "danke")] == [
        "pass", "told", "help", "away", "nothing",
    ]  # fmt: skip


def test_a_mail_that_proves_nothing_may_ask_for_help_and_no_more() -> None:
    for word, meaning, *_ in ROWS:
        for read in (split(word, False, []), split("", False, [word])):
            verbs = [done(each) for each in read.commands]
            is_explained = word.split()[0] in named(None)  # "match nul"
            assert verbs == (["help"] if meaning == "help" else []) or is_explained, word


def test_yes_with_thanks_is_an_answer_and_no_courtesy() -> None:
    for line in (
        "Ja, danke",
        "Oui merci",
        "Sí, gracias",
        "Nein danke",
        "Sim, obrigado",
        "Tak, dziękuję",
    ):
        assert not is_courtesy(line)
    assert is_courtesy("Passe un bon week-end !")


@given(st.text(st.characters(categories=["L", "N", "Zs"]), max_size=60), st.sampled_from(ROWS))
def test_any_line_behind_a_word_does_at_most_what_english_does(
    text: str, row: tuple[str, str, str, bool]
) -> None:
    """A line may begin with a longer row of the table instead: "Zug zurücknehmen" is no move."""
    word, meaning, *_ = row
    longer = [each for each in SPELLINGS if each.startswith(f"{folded(word)} ")]
    assume(not folded(f"{word} {text}").startswith(tuple(longer)))
    read = command(f"{word} {text}", waits=True, names=("alice",))
    english = command(f"{meaning} {text}", waits=True, names=("alice",), asked=True)
    if isinstance(read, Command) and read.verb.name not in ("say", "move"):
        assert read.verb.name == done(english), text


def test_commands_beyond_those_of_one_mail_are_counted_in_a_reply_about_the_account() -> None:
    lines = [*["limit 5"] * 22, "Thanks"]
    read = read_account_reply("Re: x", True, lines, Replier(["alice"]))
    assert read is not None and (len(read.commands), read.too_many) == (20, 2)


@pytest.mark.parametrize("line", [
    "Black is ahead, I think", "Gute Partie!", "Slow day here", "Lass uns morgen weiterspielen",
    "Notre partie est belle", "Pasa un buen fin de semana",
])  # fmt: skip
def test_a_word_of_sentences_is_no_slip_of_a_reply_word(line: str) -> None:
    """While the writer waits these are words; alone, or before a number, such a word may be a slip."""
    assert done(command(line, waits=True, names=("alice",))) == "say"
    assert "Did you mean" not in str(command(line, names=("alice",)))
    assert "Did you mean" in str(command(line.split(maxsplit=1)[0], waits=True, names=("alice",)))


def test_a_mark_apart_from_its_word_ends_the_line_and_a_doubt_does_nothing() -> None:
    """The French write "pass !"; dots and question marks are no yes."""
    for line, verb in {
        "pass !": "pass",
        "yes !!": "accept",
        "resign .": "resign",
        "undo !": "undo",
    }.items():
        assert done(command(line)) == verb, line
    assert done(command("limit 5 !", names=("alice",))) == "limit"
    assert not any(isinstance(command(line), Command) for line in ("resign ...", "pass ?", "yes …"))
    assert "Did you mean pass?" in str(command("pase !", waits=True, names=("alice",)))
