"""Postfix and pbmstar when players' mail comes back, and when either of the two is killed."""

from __future__ import annotations

import re
import smtplib
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest
from harness.server import PATIENCE, until
from house import SERVER, House

pytestmark = pytest.mark.slow


def outcomes(house: House) -> list[str]:
    """What became of each mail, by pbmstar's log."""
    return [f"{mail['outcome']} {mail['why']}" for mail in house.pbmstar.logged("mail")]


def state(house: House, userid: str) -> str:
    """Of an account."""
    return str(house.pbmstar.json("admin", "user", "show", userid)["state"])


def test_returned_mail(house: House) -> None:
    """H14: addresses whose mail Postfix returns are suspended; a player writes and is back.

    What Postfix writes itself counts; the same to an address with a forged mark does not.
    """
    frank, grete = house.pbmstar.add("frank", "grete")
    house.refused.add(grete)
    before = len(house.pbmstar.logged("mail"))
    for count in range(1, 4):
        house.send(frank, "star challenge -size=4 frank grete")
        (letter,) = house.next()
        assert letter.to == frank
        until(lambda count=count: len(house.pbmstar.logged("mail")) == before + 2 * count, "bounce")
    ends = outcomes(house)[before:]
    assert sorted(ends) == sorted(["applied "] * 3 + ["applied bounce"] * 2 + ["applied suspended"])
    for letter in house.next(3):  # one for each of the three games
        assert letter.to == frank
        assert (
            "Our letters to grete keep coming back, so we've stopped sending them." in letter.text
        )
    assert house.rest() == []
    assert state(house, "grete") == "suspended"
    board = letter.mail["X-Pbmstar-Board"]

    house.refused.clear()
    house.send(frank, f"star move {board} frank s3cret C3")
    assert [letter.to for letter in house.next()] == [frank]
    house.send(grete, f"star move {board} grete s3cret D3")
    letters = house.next(3)
    assert sorted(letter.to for letter in letters) == [frank, grete, grete]
    assert any(
        "Star account" in letter.subject for letter in letters
    )  # it names the waiting boards
    assert state(house, "grete") == "active"  # a password proves that she writes, from her address
    house.send(frank, f"star move {board} frank s3cret D4")
    letters = house.next(2)
    assert [letter.to for letter in letters] == [frank, grete]

    returns_to = letters[1].sender
    dsn = (
        f"From: MAILER-DAEMON@mx.example\r\nTo: {returns_to}\r\nSubject: Returned\r\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n'
        "Message-ID: <%d@mx.example>\r\n\r\n--b\r\n\r\nno such user\r\n--b\r\n"
        "Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example\r\n\r\n"
        f"Final-Recipient: rfc822; {grete}\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n--b--\r\n"
    )
    mark = returns_to.partition("@")[0][-16:]
    before = len(house.pbmstar.logged("mail"))
    for number in range(4):
        forged = returns_to.replace(mark, mark[1:] + mark[0])
        house.hand_in((dsn % number).encode(), "<>", forged)
    house.hand_in((dsn % 9).encode(), "<>", returns_to)
    until(lambda: len(house.pbmstar.logged("mail")) == before + 5, "mails")
    ends = sorted(outcomes(house)[before:])
    assert ends == ["applied bounce"] + ["ignored unknown token"] * 4
    assert state(house, "grete") == "active"
    assert house.rest() == []


@contextmanager
def killed_before_the_answer(house: House) -> Iterator[threading.Event]:
    """Stand between Postfix and pbmstar: the answer to one content is kept back, pbmstar killed.

    The event is set when that has happened. The socket file is renamed, so nobody notices.
    """
    place, behind = house.lmtp, house.lmtp.with_name("behind")
    place.rename(behind)
    done = threading.Event()

    def between() -> None:
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(str(place))
            place.chmod(0o666)
            server.listen()
            server.settimeout(PATIENCE)
            client = server.accept()[0]
            with client, socket.socket(socket.AF_UNIX) as daemon:
                daemon.connect(str(behind))
                asked = b""
                threading.Thread(target=copy, args=(client, daemon), daemon=True).start()
                while answer := daemon.recv(65536):
                    asked += answer
                    # 354, and then what is said of the content
                    if re.search(rb"^354 .*\r\n250 ", asked, re.M):
                        house.pbmstar.kill()
                        break
                    client.sendall(answer)
                with suppress(OSError):
                    client.shutdown(socket.SHUT_RDWR)
                    daemon.shutdown(socket.SHUT_RDWR)
        place.unlink()
        done.set()

    thread = threading.Thread(target=between)
    thread.start()
    try:
        yield done
    finally:
        thread.join(2 * PATIENCE)
        behind.unlink(missing_ok=True)


def copy(source: socket.socket, target: socket.socket) -> None:
    """Pass on what comes."""
    with suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)


def test_pbmstar_killed_before_its_answer(house: House) -> None:
    """CP9: pbmstar dies with a command committed and its 250 unsaid: Postfix sends again, once done."""
    hans, _ida = house.pbmstar.add("hans", "ida")
    before = len(house.pbmstar.logged("mail"))
    with killed_before_the_answer(house) as done:
        house.send(hans, "star challenge -size=4 hans ida")
        assert done.wait(PATIENCE)
    assert house.pbmstar.process is None
    until(lambda: "status=deferred" in house.postfix.log(), "deferral")
    house.start_pbmstar()
    letters = house.next(2)
    letters += house.rest()
    assert len({letter.mail["Message-ID"] for letter in letters}) == 2
    assert outcomes(house)[before:][-1] == "duplicate "
    assert len(house.pbmstar.json("admin", "user", "show", "hans")["boards"]) == 1


def test_pbmstar_killed_in_the_middle(house: House) -> None:
    """CP1, CP4, CP10: killed as soon as Postfix has a mail: each is applied once, all letters come."""
    kurt, lena = house.pbmstar.add("kurt", "lena")
    house.send(kurt, "star challenge -size=10 kurt lena")
    board = house.next(2)[0].mail["X-Pbmstar-Board"]
    moves = [f"{column}10" for column in "ABCDEFGH"]
    for turn, move in enumerate(moves):
        who, author = (("kurt", kurt), ("lena", lena))[turn % 2]
        house.send(author, f"star move {board} {who} s3cret {move}")
        if turn % 2:
            house.pbmstar.kill()
            house.start_pbmstar()
        mark = f"X-Pbmstar-Move: {turn + 1}\r\n".encode()

        def reached(mark: bytes = mark) -> set[str]:
            house.waits()
            return {each.recipients[0] for each in house.sink.letters[-8:] if mark in each.content}

        until(lambda reached=reached: reached() == {kurt, lena}, f"letters of move {turn + 1}")
    ids: dict[tuple[str, str], str] = {}
    for letter in house.rest():
        key = letter.to, str(letter.mail["X-Pbmstar-Move"])
        assert ids.setdefault(key, letter.mail["Message-ID"]) == letter.mail["Message-ID"]
    assert len(ids) == 2 * len(moves)
    assert [
        move["move"] for move in house.pbmstar.json("admin", "board", "show", board)["moves"]
    ] == moves
    assert house.pbmstar.says("admin", "check") == "0 differences.\n"


def test_postfix_killed(house: House) -> None:
    """CP15: kill -9 of Postfix with letters on their way: they wait, come later, and are the same."""
    mona, _nils = house.pbmstar.add("mona", "nils")
    house.send(mona, "star challenge -size=4 mona nils")
    board = house.next(2)[0].mail["X-Pbmstar-Board"]
    assert house.rest() == []
    raw = house.write(mona, f"star move {board} mona s3cret C3", to=SERVER)
    house.postfix.kill()
    # What pbmstar has taken itself while Postfix was away.
    with smtplib.SMTP("127.0.0.1", house.pbmstar.port, timeout=PATIENCE) as smtp:
        smtp.sendmail(mona, [SERVER], raw)
    until(lambda: len(house.pbmstar.json("admin", "outbox", "list")) == 2, "waiting letters")
    house.postfix.start()
    letters = house.next(2)
    assert [letter.mail["X-Pbmstar-Move"] for letter in letters] == ["1", "1"]
    # And in the middle: it has taken some, and dies.
    for _ in range(3):
        house.send(mona, f"star show {board}")
    house.postfix.kill()
    house.postfix.start()
    letters = [*house.next(3), *house.rest()]
    assert len({letter.mail["Message-ID"] for letter in letters}) == 3
