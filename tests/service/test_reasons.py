"""The reason of a refusal, as it is kept with the mail for ``pbmstar admin explain``."""

from harness.office import Office


def explained(office: Office, what: str = "bob") -> list[str]:
    """The reasons in what is said about a mail, newest mail first."""
    lines = office.run("admin", "explain", what).output.splitlines()
    return [line.strip() for line in lines if line.startswith("  Reason ")]


def test_the_reason_is_the_sentence_that_the_author_got(office: Office) -> None:
    (letter,) = office.send("bob", "star move 99 bob hunter2 C3")
    (reason,) = explained(office)
    assert reason.startswith("Reason no-board: There's no board 99. To see your games")
    assert reason.partition(": ")[2].partition(". ")[0] in letter.text
    assert office.facts("admin", "explain", "bob")["mails"][0]["codes"] == ["no-board"]


def test_what_may_be_a_password_is_not_kept(office: Office) -> None:
    """A letter to its author quotes a word that is no option; the store must not."""
    office.send("bob", "star challenge -hunter7 bob alice")
    (reason,) = explained(office)
    assert "There's no option ******" in reason
    dump = office.run("admin", "user", "export", "bob").output
    assert "no option" in dump
    assert "hunter7" not in dump


def test_no_reason_names_a_person_who_has_been_erased(office: Office) -> None:
    office.send("alice", "block alice s3cret bob")
    office.send("bob", "star challenge bob alice")
    assert "alice" in explained(office)[0]
    assert any("alice" in row for row in office.rows()["handled"])
    (own,) = office.send("alice", "star move 98 alice s3cret C3")
    assert "no board 98" in own.text
    office.run("admin", "user", "erase", "alice")
    assert ":" not in explained(office)[0]
    assert not any("no board 98" in row for row in office.rows()["handled"])


def test_a_mail_of_an_earlier_version_has_only_its_code(office: Office) -> None:
    office.send("bob", "star move 99 bob hunter2 C3")
    office.sql("UPDATE handled SET said = ''")
    assert explained(office) == ["Reason no-board"]
