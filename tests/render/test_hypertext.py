"""The HTML part says what the text says, and is fit for mail programs."""

import re
from email.message import Message

import lxml.html
from harness.office import Got, Office, address


def html_of(got: Got) -> str:
    part = next(part for part in got.mail.walk() if part.get_content_type() == "text/html")
    content = part.get_payload(decode=True)
    assert isinstance(content, bytes)
    return content.decode()


def words(text: str) -> list[str]:
    return text.split()


def said(html: str) -> list[str]:
    tree = lxml.html.fromstring(html)
    for title in tree.iter("title"):
        title.text = ""
    for rule in tree.iter("hr"):
        rule.tail = " " + "*" * 60 + " " + (rule.tail or "")
    for line in tree.iter("br", "p", "pre"):
        line.tail = " " + (line.tail or "")
    return words(tree.text_content())


def letters_of_a_game(office: Office) -> list[Got]:
    found = office.send("alice", "star challenge -size=4 alice bob", "Hello <b>bob</b> & all")
    for sender, subject, body in [
        ("alice", "star move 1 alice s3cret C3", "two words\nof comment"),
        ("bob", "star move 1 bob hunter2 swap", ""),
        ("alice", "star move 1 alice s3cret C3", ""),
        ("alice", "star move 1 alice s3cret D1", ""),
        ("bob", "star show 1", ""),
        ("bob", "star score 1", ""),
        ("bob", "star games", ""),
        ("bob", "help", ""),
        ("bob", "star move 1 bob hunter2 pass", ""),
        ("alice", "star move 1 alice s3cret pass", ""),
    ]:
        found += office.send(sender, subject, body)
    return found


def test_both_parts_say_the_same(office: Office) -> None:
    for got in letters_of_a_game(office):
        assert said(html_of(got)) == words(got.text), got.subject


def test_the_drawing_stands_unbroken_in_a_pre(office: Office) -> None:
    got = letters_of_a_game(office)[-1]
    drawing = "\n".join(line for line in got.text.split("\n") if re.match(r" +\d+-  ", line))
    boxes = [box.text_content() for box in lxml.html.fromstring(html_of(got)).iter("pre")]
    assert any(drawing in box for box in boxes)


def test_stones_and_the_last_move_are_marked_by_more_than_colour(office: Office) -> None:
    office.game("star challenge -size=4 alice bob")
    got = office.play(1, "D1", "A6")[0]
    html = html_of(got)
    styles = dict(re.findall(r'<([bi])\nstyle="([^"]*)">[xo]</', html))
    assert "border-bottom" in styles["b"], "a chain at the edge is underlined"
    assert "outline" in styles["i"] and "background" in styles["i"], "the last move stands out"


def test_inline_styles_only_and_small(office: Office) -> None:
    office.game("*star challenge alice bob")
    html = html_of(office.play(1, "*30", "S00")[0])
    assert len(html) < 40_000
    assert "<style" not in html and "<script" not in html and "class=" not in html
    assert "src=" not in html and "http" not in html


def test_links_mail_one_word_to_the_reply_address(office: Office) -> None:
    office.game("star challenge -size=4 alice bob")
    got = office.play(1, "C3")[1]
    links = [link.get("href") for link in lxml.html.fromstring(html_of(got)).iter("a")]
    assert [link.rpartition("=")[2] for link in links][:4] == ["pass", "swap", "resign", "show"]
    to = re.escape(got.reply_to.replace("+", "%2B"))
    assert all(re.fullmatch(rf"mailto:{to}\?body=[a-z]+", link) for link in links)


def test_a_link_plays(office: Office) -> None:
    office.game("star challenge -size=4 alice bob")
    got = office.play(1, "C3")[1]
    replies = office.send("bob", "Star Board 1 bob", "swap", to=got.reply_to)
    assert [reply.subject for reply in replies] == ["Star Board 1 alice"] * 2


def test_O4_a_full_board_of_each_game_stays_small(office: Office) -> None:
    """O4: no HTML part is over 100 kB, nor over 40."""
    from pbmstar.games import make
    from pbmstar.match import replay
    from pbmstar.render import Draft, board, draw
    from pbmstar.store import Board, Move

    for word, options in [("star", {"size": 14}), ("*star", {}), ("stary", {})]:
        game = make(word, options)
        row = Board(1, word, "{}", "alice", "bob", 0, None, None, 0, "", 0, "alice", "", 0)
        match = replay(row, ())
        stones = bytes(b"xo"[i % 2] for i in range(len(game.grid)))
        position = game.setup(
            [n for n, s in zip(game.grid.names, stones, strict=True) if s == ord("x")],
            [n for n, s in zip(game.grid.names, stones, strict=True) if s == ord("o")],
        )
        full = type(match)(row, (Move(1, 0, 1, "alice", game.grid.names[5], 0.0),), position)
        told = board(full)
        text = told["drawing"] + "\n"
        html = Draft(text, told["drawing"], draw(full, told["drawing"])).filled("", "", "")[1]
        assert len(html) < 40_000


def test_a_comment_cannot_become_markup(office: Office) -> None:
    got = office.send("alice", "star challenge alice bob", "<script>alert(1)</script> {{7*7}} %s")[
        1
    ]
    assert "<script>" not in html_of(got) and "&lt;script&gt;" in html_of(got)
    assert "{{7*7}} %s" in got.text


def test_a_comment_in_other_letters_survives(office: Office) -> None:
    got = office.send("alice", "star challenge alice bob", "Schöner Zug, 李! €")[1]
    assert "Schöner Zug, 李! €" in got.text
    assert "Schöner Zug, 李! €" in lxml.html.fromstring(html_of(got)).text_content()
    assert got.raw.isascii()


def test_one_recipient_and_no_other_address(office: Office) -> None:
    for got in letters_of_a_game(office):
        other = address("bob") if got.to == address("alice") else address("alice")
        assert other.encode() not in got.raw
        assert isinstance(got.mail, Message) and got.mail["To"] == got.to
