"""What machines send back: bounces suspend an address, a mail from there lets the player in again."""

from harness.office import SERVER, Got, Office, address

DSN = """From: MAILER-DAEMON@mx.bob.example\r
To: {verp}\r
Subject: Undelivered Mail Returned to Sender\r
Message-ID: <dsn{number}@mx.bob.example>\r
Auto-Submitted: auto-replied\r
MIME-Version: 1.0\r
Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r
\r
--b\r
Content-Type: text/plain\r
\r
Your mail could not be delivered. star move 1 bob hunter2 resign\r
--b\r
Content-Type: message/delivery-status\r
\r
Reporting-MTA: dns; mx.bob.example\r
\r
Final-Recipient: rfc822; bob@bob.example\r
Action: {action}\r
Status: {status}\r
Diagnostic-Code: smtp; 550 no such user\r
\r
--b--\r
"""


def bounce(office: Office, verp: str, number: int, hard: bool = True) -> str:
    told = DSN.format(
        verp=verp,
        number=number,
        action="failed" if hard else "delayed",
        status="5.1.1" if hard else "4.2.2",
    )
    return office.deliver(told.encode(), sender="", to=verp).why


def verp_of(office: Office, userid: str = "bob") -> str:
    office.game("star challenge -size=4 alice bob")
    return next(got.sender for got in office.play(1, "C3") if got.to == address(userid))


def suspend(office: Office) -> list[Got]:
    verp = verp_of(office)
    assert [bounce(office, verp, n) for n in range(3)] == ["bounce", "bounce", "suspended"]
    return office.letters()


def test_H14_hard_bounces_suspend_and_the_opponent_is_told(office: Office) -> None:
    """H14: a DSN to an address with our mark scores, and in the end suspends."""
    letters = suspend(office)
    assert [got.to for got in letters] == [address("alice")]
    assert "Mails to bob come back" in letters[0].text
    office.send("alice", "star show 1")
    assert [got.to for got in office.play_as("alice", 1, "resign")] == [address("alice")]


def test_H14_a_forged_mark_is_ignored(office: Office) -> None:
    """H14: with another mark a DSN does nothing."""
    verp = verp_of(office)
    forged = verp.replace("bbob-", "balice-")
    assert [bounce(office, forged, n) for n in range(4)] == ["unknown token"] * 4
    flipped = verp[: verp.index("@") - 1] + ("a" if verp[verp.index("@") - 1] != "a" else "b")
    assert bounce(office, flipped + verp[verp.index("@") :], 9) == "unknown token"
    with office.store.transaction() as tx:
        assert [user.bounces for user in tx.users()] == [0.0, 0.0]


def test_soft_bounces_weigh_less_and_any_mail_clears_them(office: Office) -> None:
    verp = verp_of(office)
    for number in range(11):
        assert bounce(office, verp, number, hard=False) in ("bounce", "no bounce")
    office.send("bob", "star move 1 bob hunter2 D4")
    with office.store.transaction() as tx:
        assert [user.state for user in tx.users()] == ["active", "active"]
        assert [user.bounces for user in tx.users()] == [0.0, 0.0]


def test_the_same_bounce_twice_counts_once(office: Office) -> None:
    verp = verp_of(office)
    for _ in range(5):
        bounce(office, verp, 1)
    with office.store.transaction() as tx:
        assert [user.bounces for user in tx.users()] == [0.0, 1.0]


def test_a_suspended_player_plays_on_and_gets_in_again(office: Office) -> None:
    suspend(office)
    letters = office.send("bob", "star move 1 bob hunter2 D4")
    to_bob = [got for got in letters if got.to == address("bob")]
    assert [got.subject for got in to_bob] == ["Star account bob"], (
        "the move is played, bob is asked"
    )
    assert [got.subject for got in letters if got.to == address("alice")] == ["Star Board 1 alice"]
    assert office.send("bob", "star show 1") == [], "asked once a day, and nothing else is sent"
    welcome = office.send("bob", "Re: Star account bob", "yes", to=to_bob[0].reply_to)
    assert [got.to for got in welcome] == [address("bob")]
    assert {got.to for got in office.play(1, "A4")} == {address("alice"), address("bob")}


def test_a_new_address_makes_old_bounces_void(office: Office) -> None:
    verp = verp_of(office)
    with office.store.transaction() as tx:
        tx.set_address("bob", "bob@new.example")
    assert bounce(office, verp, 1) == "unknown token"


def test_H13_a_vacation_note_to_a_bounce_address_is_no_bounce(office: Office) -> None:
    """H13: an automatic mail that quotes us plays nothing, scores nothing, uses no token up."""
    office.game("star challenge -size=4 alice bob")
    got = office.play(1, "C3")[1]
    headers = "Auto-Submitted: auto-replied\r\n"
    quoted = "I am away.\r\n\r\nswap\r\n> " + got.text.replace("\n", "\r\n> ")
    for to in (got.sender, got.reply_to, SERVER):
        raw = office.write("bob", "Out of office", quoted, to=to, headers=headers)
        assert office.deliver(raw, to=to).name == "ignored"
    assert office.letters() == []
    assert (
        office.send("bob", "Re: board", "swap", to=got.reply_to)[0].subject == "Star Board 1 alice"
    )


def test_A12_unsubscribing_is_kept_and_the_last_warning_comes_anyway(office: Office) -> None:
    """A12: a mail program's own mail to the List-Unsubscribe address is enough."""
    from pbmstar.service.remind import remind

    office.game("star challenge alice bob")
    office.now += 8 * 86400
    assert remind(office.context, office.store)["nag"] == 1
    nag = office.letters()[0]
    way_out = nag.mail["List-Unsubscribe"].strip("<>").removeprefix("mailto:").split("?")[0]
    raw = office.write(
        "alice", "unsubscribe", to=way_out, headers="Auto-Submitted: auto-generated\r\n"
    )
    assert office.deliver(raw, to=way_out).name == "applied"
    assert "Reminders: off" in office.letters()[0].text
    office.now += 3 * 86400
    assert remind(office.context, office.store) == {"nag": 0, "warning": 0, "forfeit": 0}
    office.now += 9 * 86400
    assert remind(office.context, office.store)["warning"] == 1
    assert office.letters()[0].subject == "Nag: Star Board 1 alice"
