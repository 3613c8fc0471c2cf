"""Mail programs that people use: they write to the daemon, and show what comes back."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import shutil
import signal
import struct
import termios
import time
from collections.abc import Callable, Iterator
from email.message import Message
from pathlib import Path
from urllib.parse import unquote

import pytest
from clients import ALICE, BOB, STAR, Site, environment, needs, promised, run, text_of
from harness.server import PATIENCE

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def peopled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A spool with accounts for alice and bob."""
    server = Site(tmp_path_factory.mktemp("peopled"))
    server.add("alice", "bob")
    return server.spool


@pytest.fixture
def site(peopled: Path, tmp_path: Path) -> Iterator[Site]:
    """A daemon, with accounts for alice and bob."""
    shutil.copytree(peopled, tmp_path / "spool")
    with Site(tmp_path) as made:
        made.start()
        yield made


# -- writing


def by_swaks(site: Site, author: str, to: str, subject: str, body: str) -> None:
    """Send with swaks, which asks for a body if it gets none."""
    needs("swaks")
    words = ["swaks", "--server", f"127.0.0.1:{site.port}", "--from", author, "--to", to]
    run([*words, "--header", f"Subject: {subject}", "--body", body or " "], site.folder)


def s_nail(site: Site, author: str, *more: str) -> list[str]:
    """The words that begin s-nail, with these settings and options."""
    settings = [
        "v15-compat",
        f"mta=smtp://127.0.0.1:{site.port}",
        "smtp-auth=none",
        "DEAD=/dev/null",
    ]
    options = [word for setting in (*settings, f"from={author}") for word in ("-S", setting)]
    return ["s-nail", "-n", *options, *more]


def by_s_nail(site: Site, author: str, to: str, subject: str, body: str) -> None:
    """Send with s-nail."""
    needs("s-nail")
    run(s_nail(site, author, "-r", author, "-s", subject, to), site.folder, body + "\n")


def mutt(site: Site, author: str, *more: str) -> list[str]:
    """The words that begin mutt, with these options."""
    server = f"smtp_url=smtp://127.0.0.1:{site.port} copy=no ssl_force_tls=no ssl_starttls=no"
    start = ["mutt", "-n", "-F", "/dev/null", "-e", f"set from={author} realname=''"]
    return [*start, "-e", f"set {server}", *more]


def by_mutt(site: Site, author: str, to: str, subject: str, body: str) -> None:
    """Send with mutt."""
    needs("mutt")
    run(mutt(site, author, "-s", subject, "--", to), site.folder, body + "\n")


WRITERS = {"swaks": by_swaks, "s-nail": by_s_nail, "mutt": by_mutt}


@pytest.mark.parametrize("name", WRITERS)
def test_written_by(site: Site, name: str) -> None:
    """A command as Subject with a comment below it, then a move as a reply, by the same program."""
    write: Callable[[Site, str, str, str, str], None] = WRITERS[name]
    write(site, ALICE, STAR, "star challenge -size=6 alice bob", "Hello, shall we?")
    letter = site.next("alice")
    assert letter["Subject"] == "New Star Board 1 alice **"
    promised(text_of(letter), "alice", "Hello, shall we?")
    assert site.next("bob")["Subject"] == "New Star Board 1 alice **"
    quoted = "\n".join(f"> {line}" for line in text_of(letter).splitlines())
    body = f"f6\n\nMy favourite.\n\nOn Monday, the server wrote:\n{quoted}"
    write(site, ALICE, letter["Reply-To"], f"Re: {letter['Subject']}", body)
    for userid in ("alice", "bob"):
        letter = site.next(userid)
        assert letter["Subject"] == "Star Board 1 bob **"
        text = text_of(letter)
        promised(text, "bob", "My favourite.")
        assert "Last move: 1 F6 by alice." in text
        assert "wrote:" not in text
        assert "\n>" not in text


# -- reading, and replying with the program's own reply


def tap(site: Site, author: str, letter: Message, word: str, body: str = "") -> None:
    """Send the mail that a tap on a word of the HTML part opens, as it opens it."""
    part = next(part for part in letter.walk() if part.get_content_type() == "text/html")
    links = re.findall(r'href="mailto:([^"]*)"', str(part.get_payload()))
    to, _, subject = next(link for link in links if link.endswith(f"={word}")).partition(
        "?subject="
    )
    by_swaks(site, author, unquote(to), unquote(subject), body)


def test_a_tap_is_a_whole_mail(site: Site) -> None:
    """A cell, one whose asterisk would get lost, a word; twice the same is refused with the board."""
    by_swaks(site, ALICE, STAR, "*star challenge -rings=4 alice bob", "")
    site.next("bob")
    letter = site.next("alice")
    kinds = [part.get_content_type() for part in letter.walk()]
    assert kinds == [
        "multipart/alternative",
        "text/plain",
        "multipart/related",
        "text/html",
        "image/png",
    ]
    tap(site, ALICE, letter, "Z30", "Hi Bob")
    site.next("alice")
    answer = site.next("bob")
    assert "Last move: 1 *30 by alice." in text_of(answer) and "Hi Bob" in text_of(answer)
    assert text_of(answer).partition("\n\nYour move, bob.\n")[1]
    assert answer["From"] == "alice at Star <star@star.example>"
    tap(site, BOB, answer, "S42")
    site.next("bob")
    later = site.next("alice")
    tap(site, ALICE, letter, "T40")
    refused = site.next("alice")
    assert refused["Subject"] == "*Star Board 1 Error" and "earlier turn" in text_of(refused)
    tap(site, ALICE, later, "pass")
    assert "alice passes." in text_of(site.next("bob"))


def begun(site: Site) -> Message:
    """A game with a comment; the letter to bob, whose turn it is."""
    by_swaks(site, ALICE, STAR, "star challenge alice bob", "Hi Bob")
    site.next("alice"), site.next("bob")
    by_swaks(site, ALICE, STAR, "star move 1 alice s3cret F6", "Good luck")
    site.next("alice")
    return site.next("bob")


def test_read_and_answered_in_s_nail(site: Site) -> None:
    """s-nail shows the text part, not HTML; its reply, which quotes the whole letter, plays the move."""
    needs("s-nail", "swaks")
    letter = begun(site)
    settings = ["-S", "reply-to-honour=yes", "-S", "quote", "-S", "indentprefix=> "]
    words = s_nail(site, BOB, "-#", "-~", *settings, "-R", "-f", str(site.only("bob", letter)))
    shown = run(words, site.folder, "print 1\nreply 1\nD6\n\nWell met\n~.\nexit\n")
    assert "<pre" not in shown
    assert "<body" not in shown
    promised(shown, "bob", "Good luck")
    for line in text_of(letter).splitlines():
        assert line in shown
    answer = site.next("alice")
    assert answer["X-Pbmstar-Move"] == "2"
    assert "Last move: 2 D6 by bob." in text_of(answer)
    assert "Well met" in text_of(answer)


def on_a_terminal(words: list[str], folder: Path, done: Callable[[], bool]) -> None:
    """Run a program on a terminal of its own until ``done()``, then end it if it has not ended."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvpe(words[0], words, environment(folder, COLUMNS="90", LINES="50"))
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 90, 0, 0))
    os.set_blocking(terminal, False)
    deadline = time.monotonic() + PATIENCE
    output = b""
    try:
        while not done():
            try:
                output += os.read(terminal, 65536)
            except BlockingIOError:
                pass
            except OSError:  # it has ended
                break
            assert time.monotonic() < deadline, output.decode("utf-8", "replace")
            time.sleep(0.02)
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        os.close(terminal)


def test_read_and_answered_in_mutt(site: Site) -> None:
    """mutt shows the text part, not HTML; its reply, which quotes the whole letter, plays the move."""
    needs("mutt", "swaks")
    letter = begun(site)
    shown, editor = site.folder / "shown", site.folder / "editor"
    editor.write_text(
        '#!/bin/sh\nsed -i "1i D6\\n\\nWell met\\n" "$1"\ncp "$1" ' + str(site.folder / "draft")
    )
    editor.chmod(0o755)
    words = mutt(site, BOB, "-R", "-f", str(site.only("bob", letter)))
    words += ["-e", f"set editor={editor} pipe_decode folder=~ include=yes fast_reply=yes"]
    words += ["-e", "set reply_to=yes abort_unmodified=no wait_key=no"]
    words += ["-e", f"push '<pipe-message>cat > {shown}<enter><reply><send-message><quit>'"]
    on_a_terminal(words, site.folder, lambda: len(site.letters("bob")) == 3)
    text = shown.read_text()
    assert "<pre" not in text
    promised(text, "bob", "Good luck")
    for line in text_of(letter).splitlines():
        assert line in text
    assert "> Summary of Star Board 1" in (site.folder / "draft").read_text()
    answer = site.next("alice")
    assert answer["X-Pbmstar-Move"] == "2"
    assert "Last move: 2 D6 by bob." in text_of(answer)
    assert "Well met" in text_of(answer)
    assert "wrote" not in text_of(answer)


# -- the HTML part


def html_of(letter: Message) -> str:
    """The HTML part."""
    part = next(part for part in letter.walk() if part.get_content_type() == "text/html")
    content = part.get_payload(decode=True)
    assert isinstance(content, bytes)
    return content.decode()


@pytest.mark.parametrize("program", ["w3m", "lynx"])
def test_read_in_a_text_browser(site: Site, program: str) -> None:
    """A text browser shows what the picture shows in words, the cells in rows, and what is said."""
    needs(program, "swaks")
    letter = begun(site)
    file = site.folder / "letter.html"
    file.write_text(html_of(letter))
    how = {"w3m": ["-dump", "-cols", "80"], "lynx": ["-dump", "-width=80", "-nolist"]}[program]
    shown = run([program, *how, str(file)], site.folder)
    for part in ("Your move, bob", "Board 1. Stones: 0 of bob, 1 of alice.", "Good luck"):
        assert part in shown
    rows = [" ".join(line.split()) for line in shown.splitlines()]
    assert "F1 G1 H1 I1 J1" in rows and "A6 B6 C6 D6 E6 x G6 H6 I6 J6" in rows


# -- whole games

SCRIPTS = Path(__file__).parent.parent / "mails"
ENDED = re.compile(
    r"\| (?:\S+ )?(won the game|won by|solved the puzzle|The game (?:was a tie|is over))\b"
)


def played_out(word: str) -> tuple[str, list[str], str]:
    """Of a golden script the options, the moves and the end of the longest game that its board ended."""
    games = []
    for letter in (SCRIPTS / f"{word}.mails").read_text().split("| Summary of ")[1:]:
        head, _, rest = letter.partition("| Moves:")
        end, table = ENDED.search(head), rest.partition("\n|\n")[0].partition("\n<")[0]
        text = re.sub(r"\n\|", " ", f" {table}")
        moves = re.findall(r"(?<=  )(?:\d+ |(?=swap))(\S+(?: \S+)*?)(?=  |$)", text)
        if end and moves and not re.search(r"resign|agree|cancel|claim", table):
            options = re.search(r"\| Options: (.*)", head)
            games.append((options[1] if options else "", moves, end[1]))
    return max(games, key=lambda game: len(game[1]))


# One of each kind: cells, stones that move, a puzzle. The others go the same way, and their scripts.
@pytest.mark.parametrize("word", ["hex", "pentaline", "minisolitaire"])
def test_a_whole_game_by_swaks(site: Site, word: str) -> None:
    """A game from the challenge to its end: every move a reply, by whoever's turn it is."""
    options, moves, end = played_out(word)
    alone = word in ("queens", "supplyline", "ringsolitaire", "minisolitaire")
    players = ["alice"] if alone else ["alice", "bob"]
    by_swaks(site, ALICE, STAR, " ".join([word, "challenge", *options.split(), *players]), "")
    for move in moves:
        letters = {userid: site.next(userid) for userid in players}
        who = letters["alice"]["X-Pbmstar-To-Move"]
        by_swaks(
            site, f"{who}@{who}.example", letters[who]["Reply-To"], f"Re: {who}", f"{move}\n\n> old"
        )
    for userid in players:
        last = site.next(userid)
        assert last["X-Pbmstar-To-Move"] is None, last["Subject"]
        assert last["X-Pbmstar-Move"] == str(sum(move != "swap" for move in moves))
        assert end in text_of(last)
