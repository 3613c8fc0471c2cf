"""doctor: every oversight has its sentence; a server in order has none. No DNS server is asked."""

import json
import os
import socket
from dataclasses import replace
from pathlib import Path

import pytest
from harness.office import Office

from pbmstar.cli.doctor import Finding, examine
from pbmstar.intake import quarantine
from pbmstar.service.letters import alerts
from pbmstar.service.work.context import Envelope

GOOD = {
    ("star.example.org", "MX"): ["10 mx.example.org."],
    ("mx.example.org", "A"): ["192.0.2.1"],
    ("1.2.0.192.in-addr.arpa.", "PTR"): ["mx.example.org."],
    ("star.example.org", "TXT"): ["v=spf1 mx -all"],
    ("_dmarc.star.example.org", "TXT"): ["v=DMARC1; p=quarantine"],
    ("s1._domainkey.star.example.org", "TXT"): ["v=DKIM1; p=AAAA"],
}


@pytest.fixture
def office(office: Office, queue: Path) -> Office:
    """One in order: somebody delivers, the reminders have run, its files are its own."""
    assert office.run("remind").exit_code == 0
    config = office.config
    config.spool.chmod(0o700)
    for path in config.spool.rglob("*"):
        path.chmod(0o700 if path.is_dir() else 0o600)
    return office


def findings(
    office: Office, records: dict[tuple[str, str], list[str]], **changes: object
) -> list[Finding]:
    config = replace(
        office.config,
        address="star@star.example.org",
        **{
            "operator": "op@example.org",
            "dkim_selector": "s1",
            "relay": "maildir:/nowhere",
            **changes,
        },  # type: ignore[arg-type]
    )
    return list(examine(config, lambda name, kind: records.get((name, kind), []), office.now))


def bad(results: list[Finding]) -> list[str]:
    return [finding.what for finding in results if finding.verdict == "fail"]


def test_in_order(office: Office) -> None:
    assert bad(findings(office, GOOD)) == []


def test_each_missing_record_is_named(office: Office) -> None:
    for name, word in [
        (("star.example.org", "TXT"), "SPF"),
        (("_dmarc.star.example.org", "TXT"), "DMARC"),
        (("s1._domainkey.star.example.org", "TXT"), "DKIM"),
        (("mx.example.org", "A"), "mail host mx.example.org"),
        (("1.2.0.192.in-addr.arpa.", "PTR"), "reverse lookup of 192.0.2.1"),
    ]:
        records = {key: value for key, value in GOOD.items() if key != name}
        assert bad(findings(office, records)) == [word]


def test_two_spf_records_are_one_too_many(office: Office) -> None:
    records = {**GOOD, ("star.example.org", "TXT"): ["v=spf1 mx -all", "v=spf1 a -all"]}
    assert bad(findings(office, records)) == ["SPF"]


def test_dns_that_does_not_answer(office: Office) -> None:
    def broken(name: str, kind: str) -> list[str]:
        raise OSError("Timeout")

    config = replace(office.config, address="star@star.example.org")
    results = list(examine(config, broken, office.now))
    assert any("DNS" in what for what in bad(results))


def test_letters_that_wait_and_a_clock_that_lags(office: Office) -> None:
    office.deliver(office.write("alice", "help"))
    office.now += 7200
    assert any(
        "outbox: 1 letter late, the oldest by 2 hours" in what
        for what in bad(findings(office, GOOD))
    )
    office.now -= 20_000
    behind = "clock: 12800 seconds behind the newest time we've stored"
    assert behind in bad(findings(office, GOOD))


def test_a_letter_that_cannot_be_written(office: Office) -> None:
    office.deliver(office.write("alice", "help"))
    office.sql("UPDATE contents SET content = '{'")
    office.letters()
    assert "outbox: 1 letter can't be written" in bad(findings(office, GOOD))


def test_quarantine_limits_and_spool(office: Office, tmp_path: Path) -> None:
    quarantine.keep(
        office.config.spool, Envelope("a@a.example", ("b",)), b"x", ValueError(), office.now
    )
    results = findings(office, GOOD, limits=False)
    assert any("quarantine: 1" in finding.what for finding in results)
    assert "limits: off" in bad(results)
    office.config.spool.chmod(0o755)
    results = list(examine(office.config, lambda name, kind: [], office.now))
    assert "spool: other users can look into the folder" in bad(results)


@pytest.mark.parametrize("site_url", ["", "https://star.example.org"])
def test_an_address_of_a_site_needs_the_folder_of_its_pages(office: Office, site_url: str) -> None:
    found = [each for each in findings(office, GOOD, site_url=site_url) if "site" in each.what]
    assert [(each.what, each.verdict) for each in found] == [("site: no folder", "warn")] * bool(
        site_url
    )


# -- the daemon, the socket, the files, the values


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"operator": "nobody"}, "operator"),
        ({"templates": Path("/dev/null/none")}, "templates"),
        ({"relay": "pigeon:post"}, "relay"),
        ({"relay": "smtp://127.0.0.1:99999"}, "relay"),
        ({"listen": "somewhere"}, "listen"),
        ({"metrics": "somewhere"}, "metrics"),
        ({"certificate": Path("/nonexistent.pem")}, "certificate"),
        ({"dkim_key": Path("/nonexistent.pem")}, "dkim_key"),
        ({"listen": "", "lmtp": "unix:/nonexistent/lmtp"}, "lmtp: /nonexistent/lmtp is not there"),
    ],
)
def test_a_value_that_cannot_be_used(office: Office, changes: dict[str, object], what: str) -> None:
    (found,) = bad(findings(office, GOOD, **changes))
    assert found.startswith(what)


def test_no_daemon_runs(office: Office) -> None:
    office.delivering.close()
    assert bad(findings(office, GOOD)) == ["daemon: not running"]


def test_the_socket_of_the_mail_server(office: Office, tmp_path: Path) -> None:
    path = tmp_path / "open" / "lmtp"
    path.parent.mkdir()
    path.parent.chmod(0o710)  # whatever the umask is
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))
        there = {"listen": "", "lmtp": f"unix:{path}"}
        assert bad(findings(office, GOOD, **there)) == [f"lmtp: {path}: Connection refused"]
        listening.listen()
        assert bad(findings(office, GOOD, **there)) == []
        path.parent.chmod(0o700)
        (found,) = bad(findings(office, GOOD, **there))
        assert found == f"lmtp: {path.parent} is closed to the mail server"


def test_reminders_that_do_not_run(office: Office) -> None:
    office.now += 3 * 86400
    (found,) = bad(findings(office, GOOD))
    assert found == "reminders: pbmstar remind hasn't run for two days"


def test_reminders_that_have_not_run_yet(office: Office) -> None:
    """That a daemon has begun is no run of the reminders."""
    with office.store.transaction() as tx:
        tx.ledger.set_fact(alerts.REMINDED, "")
    for _ in range(2):  # before the daemon has looked, and after
        assert ("warn", "reminders: pbmstar remind hasn't run yet") in [
            found[:2] for found in findings(office, GOOD)
        ]
        with office.store.transaction() as tx:
            alerts.look(tx, office.config, office.now)
    office.now += 3 * 86400
    assert bad(findings(office, GOOD)) == ["reminders: pbmstar remind hasn't run for two days"]


def test_a_timer_that_has_not_fired_yet_is_no_oversight(
    office: Office, tmp_path: Path, queue: Path
) -> None:
    office.ask("ledger.set_fact", alerts.REMINDED, "")
    program = tmp_path / "systemctl"
    for status, verdict in ((0, "ok"), (3, "warn")):
        program.write_text(f"#!/bin/sh\nexit {status}\n")
        program.chmod(0o700)
        (found,) = (each for each in findings(office, GOOD) if each.what.startswith("reminders"))
        assert found.verdict == verdict


def test_a_signature_of_another_program_is_found_by_a_probe(office: Office) -> None:
    (found,) = (
        each for each in findings(office, GOOD, dkim_selector="") if each.what.startswith("DKIM")
    )
    assert "pbmstar admin probe" in found.advice


def test_a_domain_that_postfix_keeps(office: Office, tmp_path: Path, queue: Path) -> None:
    """An answer to Debian's question may have put it into mydestination."""
    program = tmp_path / "postconf"
    program.write_text("#!/bin/sh\necho mx.example.org, star.example.org, localhost\n")
    program.chmod(0o700)
    (found,) = bad(findings(office, GOOD))
    assert found == "mail server: star.example.org is in mydestination of Postfix"
    lines = office.run("admin", "postfix", address="star@star.example.org").output
    assert "postconf -e 'mydestination = mx.example.org, localhost'\n" in lines
    assert "mydestination" not in office.run("admin", "postfix", address="star@else.example").output


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("key", "value", "transport"),
    [
        ("lmtp", "unix:/var/spool/postfix/pbmstar/lmtp", "lmtp:unix:pbmstar/lmtp"),
        ("lmtp", "unix:/srv/postfix/pbmstar/lmtp", "lmtp:unix:/srv/postfix/pbmstar/lmtp"),
        ("lmtp", "127.0.0.1:2400", "lmtp:inet:[127.0.0.1]:2400"),
        ("lmtp", ":2400", "lmtp:inet:[127.0.0.1]:2400"),
        ("lmtp", "[::1]:2400", "lmtp:inet:[::1]:2400"),
        ("listen", "127.0.0.1:2525", "smtp:[127.0.0.1]:2525"),
    ],
)
def test_how_postfix_hands_us_mail(office: Office, key: str, value: str, transport: str) -> None:
    places = {"listen": "", "lmtp": "", "address": "star@star.example.org"} | {key: value}
    lines = office.run("admin", "postfix", **places).output
    assert f"postconf -e 'transport_maps = inline:{{ star.example.org={transport} }}'\n" in lines
    assert ("lmtp/unix/chroot=n" in lines) == (":/" in transport)


def test_postfix_with_a_queue_elsewhere(office: Office, tmp_path: Path, queue: Path) -> None:
    program = tmp_path / "postconf"
    program.write_text(f"#!/bin/sh\ntest $3 = queue_directory && echo {tmp_path}/queue\n")
    program.chmod(0o700)
    lines = office.run("admin", "postfix", lmtp=f"unix:{tmp_path}/queue/here/lmtp").output
    assert "pbm.example=lmtp:unix:here/lmtp }'\n" in lines and "chroot" not in lines


def test_as_json(office: Office) -> None:
    found = json.loads(office.run("doctor", "--json").output)
    assert {"verdict", "what", "advice"} == set(found[0])


def test_files_of_others_are_named(office: Office) -> None:
    spool = office.config.spool
    (spool / "deliver.lock").chmod(0o644)
    (spool / ".gitignore").write_text("*")
    (spool / ".gitignore").chmod(0o644)  # of a clone, and no secret
    (found,) = bad(findings(office, GOOD))
    assert found == f"spool: others may read {spool}/deliver.lock"
    if os.getuid() == 0:
        os.chown(spool / "deliver.lock", 65534, 65534)
        (found,) = bad(findings(office, GOOD))
        assert found == f"spool: not all files belong to root: {spool}/deliver.lock"


def test_it_changes_nothing(office: Office, tmp_path: Path) -> None:
    """No spool is made, no database, no table; nothing beside a database that is there."""

    def files() -> dict[Path, tuple[int, float]]:
        return {path: (path.stat().st_mode, path.stat().st_mtime) for path in tmp_path.rglob("*")}

    done = office.run("doctor", spool=str(tmp_path / "fresh"), database="sqlite:///none.db")
    assert f"this user can't see a folder {tmp_path}/fresh" in done.output
    # What cannot even be looked for, as in another user's home, ends nothing.
    done = office.run("doctor", spool=f"{tmp_path}/{'x' * 300}", database="sqlite:///none.db")
    assert "this user can't see a folder" in done.output
    before = files()
    done = office.run("doctor", database=f"sqlite:///{tmp_path}/none.db")
    assert f"there is none yet ({tmp_path}/none.db)" in done.output
    office.run("doctor")
    assert files() == before
    copy = tmp_path / "copy.db"
    office.store.backup(copy) if office.store.is_sqlite else copy.touch()
    before = files()
    office.run("doctor", database=f"sqlite:///{copy}")
    assert files() == before


def test_a_database_of_an_older_version_stays_so(office: Office) -> None:
    with office.store.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '0032'")
    found = findings(office, GOOD)
    assert bad(found) == ["database: can't be opened"]
    assert any("the next start" in finding.advice for finding in found)


@pytest.mark.parametrize(
    ("prints", "found"),
    [
        ("", "ok mail queue: 0 messages are waiting for us, the oldest for 0 minutes"),
        ('{"arrival_time": 0, "recipients": [{"address": "x@else.example"}]}',
         "ok mail queue: 0 messages are waiting for us, the oldest for 0 minutes"),
        ('{"arrival_time": NOW, "recipients": [{"address": "Star+r1@Star.example.org"}]}\n' * 2,
         "fail mail queue: 2 messages are waiting for us, the oldest for 6 minutes"),
        ("nonsense", "warn mail queue: Postfix doesn't show it"),
    ],
)  # fmt: skip
def test_mail_that_waits_in_the_queue_of_postfix(
    office: Office, queue: Path, prints: str, found: str
) -> None:
    """A move that Postfix has and we have not: its player's clock runs."""
    queue.write_text(prints.replace("NOW", str(int(office.now) - 400)))
    results = findings(office, GOOD, lmtp="localhost:24")
    assert found in [f"{each.verdict} {each.what}" for each in results]
