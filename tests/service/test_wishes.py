"""What players wish: limits, refused games, blocked players, reminders."""

from harness.office import Office

REFUSED = "bob takes no such challenge now."


def challenge(office: Office, line: str = "star challenge alice bob") -> str:
    """'' if the challenge started a game, else the refusal."""
    letters = office.send("alice", line)
    if letters[0].subject.startswith("New "):
        return ""
    return letters[0].text


def test_a_limit(office: Office) -> None:
    assert "running games: 1" in office.send("bob", "limit bob hunter2 1")[0].text
    assert challenge(office) == ""
    assert REFUSED in challenge(office)
    office.send("bob", "limit bob hunter2 off")
    assert challenge(office) == ""


def test_refusing_one_game_or_all(office: Office) -> None:
    office.send("bob", "reject bob hunter2 *star")
    assert REFUSED in challenge(office, "*star challenge alice bob")
    assert challenge(office) == ""
    told = office.send("bob", "reject bob hunter2")[0].text
    assert "*star, star, stary" in told
    assert REFUSED in challenge(office)
    office.send("bob", "accept bob hunter2 star")
    assert challenge(office) == ""
    assert REFUSED in challenge(office, "stary challenge alice bob")


def test_A5_blocking_a_player(office: Office) -> None:
    """A5: a blocked player's challenge is refused, whoever is named first."""
    office.send("bob", "block bob hunter2 alice")
    assert REFUSED in challenge(office)
    assert REFUSED in challenge(office, "star challenge bob alice")
    office.send("bob", "unblock bob hunter2 alice")
    assert challenge(office) == ""


def test_A5_a_loop_of_challenges_is_capped(office: Office) -> None:
    """A5: games that have not begun stand in the way of more."""
    told = [challenge(office) for _ in range(8)]
    assert told[:5] == [""] * 5 and all("not begun yet" in refused for refused in told[5:])


def test_wishes_need_the_password(office: Office) -> None:
    for line in ("limit bob wrong 1", "reject bob wrong", "block bob wrong alice"):
        assert "not right" in office.send("bob", line)[0].text
    assert challenge(office) == ""


def test_reminders_off_and_on(office: Office) -> None:
    from pbmstar.service.remind import remind

    assert "Reminders: off" in office.send("alice", "reminders alice s3cret off")[0].text
    office.game()
    office.now += 8 * 86400
    assert remind(office.context, office.store)["nag"] == 0
    assert "Reminders: on" in office.send("alice", "reminders alice s3cret on")[0].text
    office.now += 86400
    assert remind(office.context, office.store)["nag"] == 1


def test_a_bad_value_says_what_is_right(office: Office) -> None:
    assert "neither a number nor off" in office.send("bob", "limit bob hunter2 many")[0].text
    assert "no game of this server" in office.send("bob", "reject bob hunter2 chess")[0].text
