"""Blocks: one rendering with marks gives the text part and the HTML part of a letter."""

from __future__ import annotations

import email
import re
from pathlib import Path
from typing import Any
from urllib.parse import quote

import lxml.html
import pytest
from markupsafe import Markup

from pbmstar.inbound.lines import clean
from pbmstar.render import Renderer, blocks, style
from pbmstar.render.blocks import MARKS, HtmlPart, as_html, as_text, grid, heading, offers
from pbmstar.render.drawings import TapPicture

from .kinds import REPLY, SERVER, mail, part, played, recipe

HEADS = {"place": "Place", "userid": "Player", "won": "Won", "note": "", "away": ""}
RUNGS: list[dict[str, Any]] = [
    {"place": 1, "userid": "alice", "won": 12, "note": "", "away": True},
    {"place": 9, "userid": "bob", "won": 3, "note": "resting", "away": False},
]


def cells(content: str) -> list[list[str]]:
    """The cells of the table of an HTML part; the alignment of a number and bold letters behind them."""
    rows = []
    for row in lxml.html.fromstring(content).iter("tr"):
        found = [(str(each.text_content()), dict(each.attrib)) for each in row]
        rows.append(
            [
                said + ">" * (at["align"] == "right") + "!" * ("bold" in at["style"])
                for said, at in found
            ]
        )
    return rows


def test_a_table_is_columns_and_a_table() -> None:
    marked = grid(RUNGS, HEADS, "bob", "place")
    assert as_text(marked).split("\n") == [
        "  Place  Player  Won",
        "      1  alice    12           away",
        "    ...",
        "      9  bob       3  resting",
    ]
    assert cells(as_html(marked, HtmlPart(REPLY))) == [
        ["Place>", "Player", "Won>", "", ""],
        ["1>", "alice", "12>", "", "away"],
        ["...>", "", ">", "", ""],
        ["9>!", "bob!", "3>!", "resting!", "!"],
    ]


def test_a_table_counts_its_rows_and_leaves_out_what_is_empty() -> None:
    rows = [{"userid": "alice", "marks": ["x", "1"], "note": ""},
            {"userid": "bob", "marks": ["0", "x"], "note": ""}]  # fmt: skip
    marked = grid(rows, {"#": "", "userid": "", "marks": "", "note": ""})
    assert as_text(marked) == "  1  alice  x  1\n  2  bob    0  x"
    assert cells(as_html(marked, HtmlPart(REPLY))) == [
        ["1>", "alice", "x", "1"],
        ["2>", "bob", "0", "x"],
    ]
    assert grid([], {"place": "Place"}) == ""


def test_a_tap_on_a_cell_sends_a_line() -> None:
    marked = grid(RUNGS, {"userid": "Player"}, taps={"userid": "star challenge dora"})
    assert as_text(marked) == "  Player\n  alice\n  bob"
    links = [
        a.get("href") for a in lxml.html.fromstring(as_html(marked, HtmlPart(REPLY))).iter("a")
    ]
    to = f"mailto:{REPLY.replace('+', '%2B')}?subject="
    assert links == [f"{to}star%20challenge%20dora%20{who}" for who in ("alice", "bob")]
    whole = as_html(grid([{"line": "star help"}], {"line": ""}, taps={"line": ""}), HtmlPart(REPLY))
    assert f"{to}star%20help" in whole and "border:1px solid" in whole


def test_replies_are_words_and_buttons() -> None:
    marked = offers(["league table star", "league leave star"], "Reply with one line")
    assert as_text(marked) == "Reply with one line: league table star, or league leave star"
    links = [
        a.get("href") for a in lxml.html.fromstring(as_html(marked, HtmlPart(REPLY))).iter("a")
    ]
    to = f"mailto:{REPLY.replace('+', '%2B')}?subject="
    assert links == [to + quote("league table star"), to + quote("league leave star")]
    assert offers([], "Reply") == ""


def test_many_replies_are_lines_that_can_be_copied() -> None:
    marked = offers(["carol", "dora", "emil"], "To challenge, reply", "ladder challenge starstar")
    assert as_text(marked).split("\n") == [
        "To challenge, reply:",
        "  ladder challenge starstar carol",
        "  ladder challenge starstar dora",
        "  ladder challenge starstar emil",
    ]
    few = offers(["yes"], "Reply", rows=True)
    assert as_text(few) == "Reply:\n  yes"
    assert as_html(few, HtmlPart(REPLY)) == as_html(offers(["yes"], "Reply"), HtmlPart(REPLY))


def test_replies_without_a_sentence_are_lines_and_buttons() -> None:
    marked = offers(["signup karl", "never"])
    assert as_text(marked) == "  signup karl\n  never"
    links = [a.text for a in lxml.html.fromstring(as_html(marked, HtmlPart(REPLY))).iter("a")]
    assert links == ["signup karl", "never"]


def test_a_paragraph_can_end_with_words_to_tap() -> None:
    """Its line ends mean nothing: a template writes it in lines of its own."""
    said = f"{'To end this, ' * 5}\nreply:\n"
    marked = blocks.links(said, ["letters each"])
    assert as_text(marked) == f"{'To end this, ' * 5}reply:\nletters each\n"
    paragraph = lxml.html.fromstring(as_html(marked, HtmlPart(REPLY, "margin:0")))
    assert paragraph.get("style") == "margin:0"
    assert [a.text for a in paragraph] == ["letters each"]
    assert as_text(blocks.links("Watched by 2.", [])) == "Watched by 2."


def test_the_address_of_a_page_stays_whole_and_is_a_link() -> None:
    address = f"https://pbm.example/{'k' * 90}?a=1&b=2"
    marked = blocks.page_link(address, "Choose on a big board")
    assert as_text(marked) == f"Choose on a big board: {address}"
    (link,) = lxml.html.fromstring(as_html(marked, HtmlPart(REPLY))).iter("a")
    assert (link.text, link.get("href")) == ("Choose on a big board", address)
    wanted = blocks.page_link(address, "Choose on a big board", wanted=True)
    (filled,) = lxml.html.fromstring(as_html(wanted, HtmlPart(REPLY))).xpath("//a")
    assert as_text(wanted) == as_text(marked) and filled.get("href") == address
    assert filled.getparent().get("bgcolor") == style.FILL and not link.xpath("ancestor::table")


def test_a_block_can_be_for_one_part_alone() -> None:
    replies = offers(["yes"], "Reply")
    marked = f"Both.\n{blocks.only_text('Text.')}\n{blocks.only_html(replies)}\nBoth."
    assert as_text(marked) == "Both.\nText.\nBoth."
    shown = str(lxml.html.fromstring(as_html(marked, HtmlPart(REPLY))).text_content()).split()
    assert shown == ["Both.", "Reply:", "yes", "Both."]


def test_blocks_in_a_box_and_small_ones() -> None:
    marked = blocks.boxed(f"bob writes:\n{blocks.small('-- <b>')}\n")
    assert as_text(marked) == "bob writes:\n-- <b>\n"
    box = lxml.html.fromstring(as_html(marked, HtmlPart(REPLY)))
    assert box.tag == "div" and [(p.text, "13px" in p.get("style", "")) for p in box] == [
        ("bob writes:", False), ("-- <b>", True),
    ]  # fmt: skip


def test_a_picture_takes_the_place_of_its_lines() -> None:
    marked = blocks.pictured("x . o", "lead", 'who "led"', 340)
    assert as_text(marked) == "x . o"
    assert "<pre" in as_html(marked, HtmlPart(REPLY)), "it could not be drawn"
    lead = TapPicture("1@pbm.example", (0, 0, 1, 1), 680)
    image = lxml.html.fromstring(as_html(marked, HtmlPart(REPLY, pictures={"lead": lead})))
    assert (image.get("src"), image.get("alt")) == ("cid:1@pbm.example", 'who "led"')
    assert as_html(blocks.pictured("", "lead", ""), HtmlPart(REPLY)) == ""
    assert as_text(f"a\n{blocks.pictured('', 'lead', '')}\nb") == "a\nb"


def test_a_template_of_html_takes_the_place_of_lines() -> None:
    marked = blocks.instead("x . o\n  <o>", "shown.html")
    assert as_text(marked) == "x . o\n  <o>"
    part = HtmlPart(REPLY, template=lambda name: f"<i>{name}</i>")
    assert as_html(marked, part) == "<i>shown.html</i>"


def test_what_html_includes_is_escaped() -> None:
    """A template that it includes is Markup, though nothing in it is escaped."""
    assert as_html(Markup("<b>\n"), HtmlPart(REPLY)) == "<p>&lt;b&gt;</p>"


def test_a_template_of_html_sets_what_it_includes_as_html() -> None:
    """Otherwise the words of a player would be markup."""
    for path in (Path(__file__).parents[2] / "templates").rglob("*.html"):
        text = path.read_text()
        safe = re.sub(r"{% filter as_html\([^%]*%}\n{% include [^%]*%}\n{% endfilter %}", "", text)
        assert not re.findall(r'"[^"]*\.txt"', safe), path.name


def test_headings() -> None:
    marked = f"{heading('Star <ladder>')}\nHello.\n\n{heading('Games', 2)}\n\nNone."
    assert as_text(marked) == "Hello.\n\nGames\n\nNone."
    assert [(e.tag, e.text) for e in lxml.html.fromstring(f"<body>{as_html(marked, HtmlPart(REPLY))}")] == [
        ("h1", "Star <ladder>"), ("p", "Hello."), ("h2", "Games"), ("p", "None."),
    ]  # fmt: skip
    assert as_text(heading("Score", told=True)) == "Score"
    assert as_text(f"{heading('Score', 2, told=False)}\nNone.") == "None."


@pytest.mark.parametrize(
    ("notice", "title"),
    [
        ("Time zone: America/Argentina/Buenos_Aires (now Fri 2027-01-15).", "Time zone: America/Argentina/Buenos_Aires"),
        ("Reminders: off; the last warning still comes.", "Reminders: off; the last warning still comes"),
        ("You are in Star league 1, the season that begins next, as one of 4.", "You are in Star league 1, the season that begins next"),
        ("A mail has gone to bob@b.example; once it is answered, it counts.", "A mail has gone to bob@b.example"),
        ("Challenges by alice, and words without a move, are refused from now on.", ""),
        ("Given up: Star board 3 against carol, Star Y board 4 against carol.", ""),
    ],
)  # fmt: skip
def test_the_title_of_a_notice_is_a_whole_sentence(notice: str, title: str) -> None:
    """What is below it says all that the title leaves out."""
    said, rest = blocks.headed(notice)
    assert (said, rest) == (title, "" if title == notice.removesuffix(".") else notice)
    assert blocks.headed("Your leave has ended. No leave is booked.") == (
        "Your leave has ended", "No leave is booked.",
    )  # fmt: skip


def test_a_date_does_not_break() -> None:
    dates = ["Mon 14 Dec", "14 December 2027", "Sun 7\nMay 2027", "9 Mar"]
    for date in dates:
        whole = re.sub(r"\s", "&nbsp;", date)
        assert style.unbroken(f"until {date} or\nlater") == f"until {whole} or\nlater"
    assert style.unbroken("on Fri 2027-02-26.") == (
        'on Fri&nbsp;<span\nstyle="white-space:nowrap">2027-02-26</span>.'
    )
    assert style.unbroken("14 days, move 20 of 2000") == "14 days, move 20 of&nbsp;2000"


def test_no_cell_and_no_comment_makes_a_block() -> None:
    """Marks in a cell become blanks; those in a mail do not reach a letter."""
    made = "".join(MARKS)
    sly = [{"place": f"1{made}2\n3", "userid": "alice"}]
    assert as_text(grid(sly, {"place": "Place", "userid": "Player"})) == (
        "  Place     Player\n  1    2 3  alice"
    )
    assert as_text(offers([f"yes{made}no"], f"how{made}")) == "how    : yes    no"
    assert as_text(heading(f"a{made}b", 2)) == "a    b"
    written = "\n".join(f"{mark}one{mark * 2}1two" for mark in MARKS)
    assert not set(made) & set("\n".join(clean(written)))


@pytest.mark.parametrize("mark", MARKS)
def test_words_with_marks_from_elsewhere_are_only_words(mark: str) -> None:
    """A letter that waits with marks in a comment, or a notice, is sent, and makes no buttons."""
    said = f"{mark}resign\x1fresign\n{mark}{mark}1Title"
    facts = {"comment": {"userid": "bob", "text": said, "cut": False}}
    letter = mail("removed", played(), facts=facts)
    content = part(letter, "html")
    assert "subject=resign" not in content and ">Title" not in content and "<th" not in content
    assert not set(MARKS) & set(part(letter) + content)


def test_an_operators_own_templates_are_used(tmp_path: Path) -> None:
    """Its text alone is set in both parts, with blocks or without; with its own HTML too."""
    facts = {"title": "Star", "word": "star", "said": "", "count": 2, "place": 9, "reader": "bob",
             "rungs": RUNGS, "leaves": False, "above": ["alice"]}  # fmt: skip
    one = recipe("ladder", facts=facts)
    folder = tmp_path / "templates"
    folder.mkdir()

    def parts(own: str, html: str = "") -> tuple[str, str]:
        (folder / "ladder.txt").write_text(f"Subject: Ours\n\n{own}\n")
        if html:
            (folder / "ladder.html").write_text(html)
        got = email.message_from_bytes(Renderer(folder, SERVER).write(one))
        assert got["Subject"] == "Ours"
        return part(got), part(got, "html")

    text, content = parts("{{ rungs | length }} players")
    assert text == "2 players\n" and "<p>2 players</p>" in content
    text, content = parts('{{ ["ladder leave star"] | offers("To leave") }}')
    assert text == "To leave: ladder leave star\n" and "subject=ladder%20leave%20star" in content
    assert parts("Text", "<p>{{ text }}, {{ above[0] | upper }}</p>")[1] == "<p>Text\n, ALICE</p>"
