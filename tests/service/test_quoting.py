"""Replies that quote our letter in forms and languages that no table names: the words around a quote stay out."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from harness.office import Office, address
from service.quoting import FORMS, HTML, HTML_REPLY, REPORTED, SENTENCES

Reply = Callable[..., tuple[str, str]]


@pytest.fixture(scope="module", params=["en", "de"])
def reply(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Reply]:
    """What bob is told and what alice is told, if alice answers her letter by this mail; D4 must be played."""
    folder = tmp_path_factory.mktemp("office")
    office = Office(f"sqlite:///{folder / 'pbmstar.db'}", folder)
    office.send("alice", f"language alice s3cret {request.param}")
    (letter, _) = office.send("alice", "star challenge -size=6 alice bob")
    again = office.kept()

    def replied(form: str, kind: str = "plain") -> tuple[str, str]:
        again()
        text = letter.text.rstrip("\n")
        body = form.format(
            star=f"bob at Star <{office.config.address}>",
            own=address("alice"),
            reply=letter.reply_to,
            subject=letter.subject,
            letter=text,
            quoted="\n".join(f"> {line}".rstrip() for line in text.split("\n")),
        )
        raw = office.write("alice", f"Re: {letter.subject}", body, letter.reply_to)
        office.deliver(raw.replace(b"text/plain", f"text/{kind}".encode()), to=letter.reply_to)
        got = {each.to: each for each in office.letters()}
        assert office.record(1)[-1:] == ["D4"], got[address("alice")].text
        return got[address("bob")].comment, got[address("alice")].text

    yield replied
    office.close()


@pytest.mark.few(6)
@pytest.mark.parametrize("name", [*FORMS, *REPORTED])
def test_a_quote_of_any_form(name: str, reply: Reply) -> None:
    told, answer = reply({**FORMS, **REPORTED}[name])
    assert told == "see you"
    assert "left out" not in answer and "weggelassen" not in answer


@pytest.mark.parametrize("line", HTML.values(), ids=HTML)
def test_a_line_of_html_above_a_quote(line: str, reply: Reply) -> None:
    assert reply(HTML_REPLY.format(line=line), "html")[0] == "see you"


@pytest.mark.few(3)
@pytest.mark.parametrize("sentence", SENTENCES)
def test_a_sentence_that_quotes_nothing_stays(sentence: str, reply: Reply) -> None:
    assert reply(f"D4\n\n{sentence}")[0] == sentence


OWN = ["{own}", "Mail: {own}", "Write to {own}!", "<mailto:{reply}?subject=D4>", "I like {reply}."]


@pytest.mark.parametrize("line", OWN)
def test_no_address_of_the_writer_is_told(line: str, reply: Reply) -> None:
    """Nor one that speaks for the writer, wherever it stands."""
    told, _ = reply(f"D4\nhello\n{line}")
    assert told.startswith("hello")
    assert "@" not in told and "star+" not in told


_ATTRIBUTED = (
    "On 28 Nov 2026, at 12:41, {star} wrote:",
    "On Sat, Nov 28, 2026 at 12:41 PM {star} wrote:",
    "Am 28.11.2026 um 12:41 schrieb {star}:",
    "Le 28/11/2026 à 12:41, {star} a écrit :",
    "El 28/11/2026 a las 12:41, {star} escribió:",
)


@pytest.mark.few(3)
@pytest.mark.parametrize("said", _ATTRIBUTED)
def test_words_before_an_attribution_in_its_line_stay(said: str, reply: Reply) -> None:
    assert reply(f"D4\n\nsee you {said}\n\n{{quoted}}")[0] == "see you"
    assert reply(f"D4\n\nsee you {said}   {{letter}}")[0] == "see you"


def test_words_and_a_date_that_quote_nothing_stay(reply: Reply) -> None:
    told, _ = reply("D4\n\nMy sister said On 5 Dec 2026 it rains: bring a hat")
    assert " ".join(told.split()) == "My sister said On 5 Dec 2026 it rains: bring a hat"
