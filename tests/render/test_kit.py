"""The kit: one template, rendered with each of two libraries of macros, gives the text and the HTML of a letter."""

from __future__ import annotations

import email
import re
from pathlib import Path
from typing import Any
from urllib.parse import quote

import jinja2
import lxml.html
import pytest
from harness.common import sentence
from hypothesis import example, given
from hypothesis import strategies as st
from jinja2 import meta, nodes
from markupsafe import Markup, escape

from pbmstar.render import kit, style
from pbmstar.render.drawings import TapPicture
from pbmstar.render.letters import Environments, Kit, Renderer
from pbmstar.render.text import paragraphs, wrap
from pbmstar.render.trans import Trans, messages
from pbmstar.render.translator import ENGLISH, Translator

from .kinds import REPLY, SERVER, mail, part, played, recipe

TEMPLATES = Path(__file__).parents[2] / "templates"
TEXTS, HTMLS = Environments([TEMPLATES])["en"], Environments([TEMPLATES], is_html=True)["en"]
TO = f"mailto:{REPLY.replace('+', '%2B')}?subject="
LEAD = TapPicture("1@pbm.example", (0, 0, 1, 1), 680)
HEADS = {"place": "Place", "userid": "Player", "won": "Won", "note": "", "away": ""}
RUNGS: list[dict[str, Any]] = [
    {"place": 1, "userid": "alice", "won": 12, "note": "", "away": True},
    {"place": 9, "userid": "bob", "won": 3, "note": "resting", "away": False},
]


def text(source: str, **facts: object) -> str:
    """What a template says in the text of a letter."""
    ui = TEXTS.get_template("kit.txt").module
    return TEXTS.from_string(source).render(facts, ui=ui, html=False)


def html(source: str, **facts: object) -> str:
    """What it says in HTML."""
    ui = Kit(HTMLS)
    ui.letter.update(address=SERVER, reply_to=REPLY, shown={}, translator=ENGLISH, year="2027")
    ui.letter.update(facts)
    return HTMLS.from_string(source).render(facts, ui=ui.macros, html=True)


def elements(content: str) -> list[Any]:
    """The elements of HTML."""
    return list(lxml.html.fragments_fromstring(content))


def links(content: str) -> list[str]:
    """Where its links lead."""
    return [str(each.get("href")) for each in lxml.html.fromstring(content).iter("a")]


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


def test_both_libraries_have_the_same_macros() -> None:
    """With the same arguments, so that a template can call either; and each is called."""
    macros = {}
    for name in ("kit.txt", "kit.html"):
        tree = HTMLS.parse((TEMPLATES / name).read_text())
        macros[name] = {
            each.name: [argument.name for argument in each.args]
            for each in tree.find_all(nodes.Macro)
        }
    assert macros["kit.txt"] == macros["kit.html"]
    others = [path for path in TEMPLATES.rglob("*.*") if path.stem != "kit"]
    called = set(re.findall(r"\bui\.(\w+)", "".join(path.read_text() for path in others)))
    assert called == set(macros["kit.txt"])


def test_a_table_is_columns_and_a_table() -> None:
    source = "{{ ui.table(rows, heads, 'bob', 'place') }}"
    assert text(source, rows=RUNGS, heads=HEADS).split("\n") == [
        "  Place  Player  Won",
        "      1  alice    12           away",
        "    ...",
        "      9  bob       3  resting",
    ]
    assert cells(html(source, rows=RUNGS, heads=HEADS)) == [
        ["Place>", "Player", "Won>", "", ""],
        ["1>", "alice", "12>", "", "away"],
        ["...>", "", ">", "", ""],
        ["9>!", "bob!", "3>!", "resting!", "!"],
    ]


def test_a_table_counts_its_rows_and_leaves_out_what_is_empty() -> None:
    rows = [{"userid": "alice", "marks": ["x", "1"], "note": ""},
            {"userid": "bob", "marks": ["0", "x"], "note": ""}]  # fmt: skip
    source = '{{ ui.table(rows, {"#": "", "userid": "", "marks": "", "note": ""}) }}'
    assert text(source, rows=rows) == "  1  alice  x  1\n  2  bob    0  x"
    assert cells(html(source, rows=rows)) == [["1>", "alice", "x", "1"], ["2>", "bob", "0", "x"]]
    assert text('{{ ui.table([], {"place": "Place"}) }}') == ""
    assert not html('{{ ui.table([], {"place": "Place"}) }}').strip()


def test_a_tap_on_a_cell_sends_a_line() -> None:
    source = '{{ ui.table(rows, {"userid": "Player"}, taps={"userid": "star challenge dora"}) }}'
    assert text(source, rows=RUNGS) == "  Player\n  alice\n  bob"
    assert links(html(source, rows=RUNGS)) == [
        f"{TO}star%20challenge%20dora%20{who}" for who in ("alice", "bob")
    ]
    whole = html('{{ ui.table([{"line": "star help"}], {"line": ""}, taps={"line": ""}) }}')
    assert f"{TO}star%20help" in whole and "border:1px solid" in whole


def test_replies_are_words_and_buttons() -> None:
    source = '{{ ui.replies(["league table star", "league leave star"], "Reply with one line") }}'
    assert text(source) == "Reply with one line: league table star, or league leave star"
    assert links(html(source)) == [TO + quote("league table star"), TO + quote("league leave star")]
    nothing = '{{ ui.replies([], "Reply") }}'
    assert text(nothing) == "" and not html(nothing).strip()


def test_many_replies_are_lines_that_can_be_copied() -> None:
    source = """{{ ui.replies(["carol", "dora", "emil"], "To challenge, reply", "star challenge bob") }}"""
    assert text(source).split("\n") == [
        "To challenge, reply:",
        "  star challenge bob carol",
        "  star challenge bob dora",
        "  star challenge bob emil",
    ]
    assert ">Play against carol</a>" in html(source), "a button speaks"
    few = '{{ ui.replies(["yes"], "Reply", rows=true) }}'
    assert text(few) == "Reply:\n  yes"
    assert html(few) == html('{{ ui.replies(["yes"], "Reply") }}')


def test_replies_without_a_sentence_are_lines_and_buttons() -> None:
    source = '{{ ui.replies(["signup karl", ("never", "Never again")]) }}'
    assert text(source) == "  signup karl\n  never"
    assert [a.text for a in lxml.html.fromstring(html(source)).iter("a")] == [
        "signup karl", "Never again",
    ]  # fmt: skip
    elsewhere = html('{{ ui.replies(["match"], goes_to="star@pbm.example") }}')
    assert links(elsewhere) == ["mailto:star@pbm.example?subject=match"]


def test_a_paragraph_can_end_with_words_to_tap() -> None:
    """Its line ends mean nothing: a template writes it in lines of its own."""
    said = f"{'To end this, ' * 5}\nreply:"
    source = f'{{% call ui.links(["letters each"], look="line") %}}\n{said}\n{{% endcall %}}\n'
    assert text(source) == f"{'To end this, ' * 5}reply:\nletters each\n"
    (paragraph,) = elements(html(source))
    assert "margin:0 0 6px" in paragraph.get("style") and [a.text for a in paragraph] == [
        "A letter for each move"
    ]
    assert text('{{ ui.links([], "Watched by 2.") }}') == "Watched by 2."


def test_the_address_of_a_page_stays_whole_and_is_a_link() -> None:
    address = f"https://pbm.example/{'k' * 90}?a=1&b=2"
    source = '{{ ui.page_link(address, "Choose on a big board", is_wanted) }}'
    found = []
    for is_wanted in (False, True):
        facts = {"address": address, "is_wanted": is_wanted}
        assert text(source, **facts) == f"Choose on a big board: {address}"
        (link,) = lxml.html.fromstring(f"<div>{html(source, **facts)}</div>").iter("a")
        assert (link.text, link.get("href")) == ("Choose on a big board", address)
        found.append([each.get("bgcolor") for each in link.iterancestors("td")])
    assert found == [[], [style.FILL]]


def test_a_block_can_be_for_one_part_alone() -> None:
    source = (
        '{{ ui.paragraph("Both.") }}\n{{ "Text." if not html }}\n'
        '{% if html %}\n{{ ui.replies(["yes"], "Reply") }}\n{% endif %}\n{{ ui.paragraph("Both.") }}'
    )
    assert text(source) == "Both.\nText.\nBoth."
    shown = str(lxml.html.fromstring(f"<div>{html(source)}</div>").text_content()).split()
    assert shown == ["Both.", "Reply:", "Yes,", "play", "it", "Both."]


def test_paragraphs_lines_and_what_stands_out() -> None:
    source = """\
{{ ui.heading("Games") }}

{% call ui.box() %}
{{ ui.line("bob writes:") }}
{{ ui.quote("-- <b>") }}
{% endcall %}
{{ ui.item("one " * 20) }}
{{ ui.row("signup bob") }}
{% call ui.small() %}
{% call ui.paragraph() %}
{{ "The end, " * 9 }}
is this.
{% endcall %}
{% endcall %}
{% call ui.lines() %}
x . o
{% endcall %}
"""
    end = f"{'The end, ' * 8}".rstrip()
    assert text(source) == (
        f"Games\n\nbob writes:\n-- <b>\n- {'one ' * 16}one\n  one one one\n  signup bob\n"
        f"{end}\nThe end, is this.\nx . o\n"
    )
    tags = [(e.tag, " ".join(e.text_content().split())) for e in elements(html(source))]
    assert tags == [
        ("h2", "Games"), ("div", "bob writes: -- <b>"), ("p", f"- {'one ' * 19}one"), ("p", "signup bob"),
        ("div", f"{end} The end, is this."), ("pre", "x . o"),
    ]  # fmt: skip


def test_a_picture_takes_the_place_of_its_lines() -> None:
    source = """a\n{% call ui.picture("lead", 'who "led"', 340) %}\nx . o\n{% endcall %}\nb"""
    assert text(source) == "a\nx . o\nb"
    assert "<pre" in html(source), "it could not be drawn"
    (image,) = lxml.html.fromstring(f"<p>{html(source, shown={'lead': LEAD})}</p>").iter("img")
    assert (image.get("src"), image.get("alt")) == ("cid:1@pbm.example", 'who "led"')
    assert not html('{{ ui.picture("lead", "") }}').strip()


def test_a_letter_writes_no_markup_into_its_text() -> None:
    """What stands in a template beside values is HTML there: a sign of it in a sentence would be one, too."""
    environment = jinja2.Environment(extensions=[Trans], trim_blocks=True, lstrip_blocks=True)
    for path in TEMPLATES.rglob("*.txt"):
        if path.parent.name == "pages":
            continue
        tree = environment.parse(path.read_text())
        written = [each.data for each in tree.find_all(nodes.TemplateData)]
        said = [form for each in messages(tree) for form in (each.text, each.plural)]
        assert not re.findall("[<&]", "".join(written + said)), path.name


def test_every_template_is_found() -> None:
    for path in TEMPLATES.rglob("*.*"):
        if path.parent.name != "pages":
            names = meta.find_referenced_templates(TEXTS.parse(path.read_text()))
            assert all(name and list(TEMPLATES.rglob(name)) for name in names), path


@pytest.mark.parametrize(
    ("notice", "title"),
    [
        ("Time zone: America/Argentina/Buenos_Aires (now Fri 2027-01-15).", "Time zone: America/Argentina/Buenos_Aires"),
        ("Reminders: off (except for the last warning).", "Reminders: off (except for the last warning)"),
        ("You're in Star league 1, the season that starts next, as one of 4.", "You're in Star league 1, the season that starts next"),
        ("A mail has gone to bob@b.example; once it is answered, it counts.", "A mail has gone to bob@b.example"),
        ("Challenges by alice, and words without a move, are refused from now on.", ""),
        ("We've resigned these games for you: Star board 3 against carol, Star Y board 4 against carol.", "We've resigned these games for you"),
    ],
)  # fmt: skip
def test_the_title_of_a_notice_is_a_whole_sentence(notice: str, title: str) -> None:
    """What is below it says all that the title leaves out."""
    said, rest = kit.headed(notice)
    assert (said, rest) == (title, "" if title == notice.removesuffix(".") else notice)
    assert kit.headed("Your leave has ended. You haven't booked any leave.") == (
        "Your leave has ended", "You haven't booked any leave.",
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
    assert style.unbroken("<b> 9 Mar") == "&lt;b&gt; 9&nbsp;Mar"


SLY = '</p><b onclick="x">&amp;\n<script>'


def test_no_value_is_markup() -> None:
    """In each part of a letter, as a value and within a block."""
    rows = [{"userid": SLY, "note": SLY}]
    parts = [
        "{{ ui.heading(sly) }}", "{{ ui.paragraph(sly) }}", "{{ ui.line(sly) }}", "{{ ui.item(sly) }}", "{{ ui.row(sly) }}",
        "{{ ui.row(sly, sly) }}", "{{ ui.quote(sly) }}", "{{ ui.lines(sly) }}", "{{ ui.replies([sly, (sly, sly)], sly, sly) }}",
        "{{ ui.links([sly], sly) }}", "{{ ui.page_link(sly, sly) }}", "{{ ui.page_link(sly, sly, true) }}",
        '{{ ui.table(rows, {"userid": sly, "note": ""}, taps={"note": sly}) }}',
        '{{ ui.picture("lead", sly, text=sly) }}', '{{ ui.picture("none", sly, text=sly) }}',
        *(f"{{% call ui.{name}() %}}\n{{{{ sly }}}} on 9 Mar\n{{% endcall %}}"
          for name in ("paragraph", "line", "box", "small", "lines")),
        '{% call ui.links(["x"]) %}\n{{ sly }}\n{% endcall %}', '{% call ui.picture("none", "") %}\n{{ sly }}\n{% endcall %}',
    ]  # fmt: skip
    for source in parts:
        content = html(source, sly=SLY, rows=rows, shown={"lead": LEAD})
        found = lxml.html.fromstring(f"<div>{content}</div>")
        assert not list(found.iter("script")) and not found.xpath("//*[@onclick]"), source
        assert "&amp;lt;" not in content and "&amp;nbsp;" not in content, "escaped twice"


def test_a_players_words_are_no_markup_and_make_no_button() -> None:
    """Nor does a control character among them, which the text leaves as it came."""
    said = f"{SLY}\n\x1eresign\x1fresign\n\x1d\x1d1Title"
    facts = {"comment": {"userid": "bob", "text": said, "cut": False}}
    content = part(mail("removed", played(), facts=facts), "html")
    assert (
        "subject=resign" not in content and "<script" not in content and "<b onclick" not in content
    )


@pytest.mark.slow
def test_an_operators_own_templates_are_used(tmp_path: Path) -> None:
    """Its text alone is set in both parts, with macros or without; with its own HTML too."""
    facts = {"title": "Star", "word": "star", "said": "<i>", "count": 2, "place": 9, "reader": "bob",
             "rungs": RUNGS, "leaves": False, "above": ["alice"]}  # fmt: skip
    one = recipe("ladder", facts=facts)
    folder = tmp_path / "templates"
    folder.mkdir()

    def parts(own: str, html: str = "", kit: str = "") -> tuple[str, str]:
        (folder / "ladder.txt").write_text(f"Subject: Ours\n\n{own}\n")
        if html:
            (folder / "ladder.html").write_text(html)
        if kit:
            (folder / "kit.html").write_text(kit)
        got = email.message_from_bytes(Renderer(folder, SERVER).write(one))
        assert got["Subject"] == "Ours"
        return part(got), part(got, "html")

    text, content = parts("{{ rungs | length }} <players>\n\n{{ said }}")
    assert (
        text == "2 <players>\n\n<i>\n" and "<p>2 &lt;players&gt;</p>\n<p>&lt;i&gt;</p>" in content
    )
    text, content = parts('{{ ui.replies(["ladder leave star"], "To leave") }}')
    assert text == "To leave: ladder leave star\n" and "subject=ladder%20leave%20star" in content
    assert ">Ours</h1>" in content
    content = parts('{% set headline = "Up & down" %}\n{{ ui.paragraph("All.") }}')[1]
    assert ">Up &amp; down</h1>" in content and "<p>All.</p>" in content
    own = "{% macro paragraph(text) %}<p class=own>{{ text }}</p>{% endmacro %}"
    assert "<p class=own>&lt;i&gt;</p>" in parts("{{ ui.paragraph(said) }}", kit=own)[1]
    assert parts("Text", "<p>{{ text }}, {{ above[0] | upper }}</p>")[1] == "<p>Text\n, ALICE</p>"


def test_sentences_above_a_usage_line_are_running_text() -> None:
    """Only the lines to write are set in a fixed font."""
    said = f"{sentence('extra')} " * 3 + "\nWrite it like this:\n  games [USERID]\n  ratings near"
    content = str(paragraphs(wrap(said)))
    sentences, *lines = re.findall(r"<p( style=[^>]*)?>(.*?)</p>", content, re.DOTALL)
    assert sentences[0] == "" and sentences[1].endswith("Write it like this:")
    assert [line for _, line in lines] == ["games [USERID]", "ratings near"]
    assert all("monospace" in look for look, _ in lines)


@pytest.mark.parametrize(
    ("language", "said", "line"),
    [
        ("en", "To resign, reply: resign", "resign"),
        ("de", "Um wieder einen Gegner zu suchen, antworte: match", "match"),
        ("fr", "Pour savoir, réponds : star help", "star help"),
        ("es", "Para dejarla, responde: resign. Si no, sigue.", "resign"),
        ("en", f"{sentence('all rules')} *star help", "starstar help"),
        ("en", "To see it:\nforgot alice", "forgot alice"),
    ],
)
def test_a_command_that_ends_a_sentence_is_a_tap_in_the_words_of_the_reader(
    language: str, said: str, line: str
) -> None:
    told = str(kit.tapped(Translator.of(language), said, REPLY))
    assert f"subject={line.replace(' ', '%20')}" in told
    assert f">{line}<" not in told and told.count("<a ") == 1


@pytest.mark.parametrize(
    "said",
    [
        "Your plan: pass.",
        "To confirm that, reply yes.",
        "My favorite games: star, hex",
        "We may match you: who knows",
        "<b>: match</b>",
    ],
)
def test_what_is_no_command_stays_as_it_is(said: str) -> None:
    assert kit.tapped(Translator.of("en"), said, REPLY) == escape(said)


def test_the_words_of_a_player_are_never_changed() -> None:
    """Nor is a line that was refused, which might be a command."""
    talk = {"comment": {"userid": "bob", "text": "What I like best: match", "cut": False}}
    assert "like best: match<" in part(mail("board", played("C3"), facts=talk), "html")
    refused = {"refusals": [{"understood": "match", "reason": "No."}]}
    assert "We read: match<" in part(mail("error", facts=refused), "html")


def test_a_tap_on_the_dark_ground_above_the_board_has_the_color_of_the_text() -> None:
    told = kit.tapped(ENGLISH, "To resign, reply: resign", REPLY, on_slab=True)
    assert 'style="color:inherit;' in told and "I resign</a>" in told


class Loud(str):
    """A text of another type than ``str``."""


@given(st.text() | st.text().map(Markup) | st.text().map(Loud) | st.integers() | st.booleans())
@example("<")
@example(">")
@example("&")
@example("'")
@example('"')
@example(Loud("<b>"))
def test_a_value_is_escaped_as_markupsafe_does(shown: Environments, value: Any) -> None:
    """In the template, in a block that is set, and in what a macro is given."""
    written = shown["en"].get_template("x.html").render(value=value)
    assert written == "|".join([str(escape(value))] * 3)


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Environments:
    folder = tmp_path_factory.mktemp("templates")
    macro = "{% macro told(value) %}{{ value }}{% endmacro %}"
    block = "{% set block %}{{ value }}{% endset %}"
    (folder / "x.html").write_text(
        f"{macro}{block}{{{{ value }}}}|{{{{ block }}}}|{{{{ told(value) }}}}"
    )
    return Environments([folder], is_html=True)
