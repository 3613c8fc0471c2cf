"""doctor: every oversight has its sentence; a server in order has none. No DNS server is asked."""

from dataclasses import replace
from pathlib import Path

from harness.office import Office

from pbmstar.cli.doctor import Finding, examine
from pbmstar.intake import quarantine

GOOD = {
    ("star.example.org", "MX"): ["10 mx.example.org."],
    ("mx.example.org", "A"): ["192.0.2.1"],
    ("1.2.0.192.in-addr.arpa.", "PTR"): ["mx.example.org."],
    ("star.example.org", "TXT"): ["v=spf1 mx -all"],
    ("_dmarc.star.example.org", "TXT"): ["v=DMARC1; p=quarantine"],
    ("s1._domainkey.star.example.org", "TXT"): ["v=DKIM1; p=AAAA"],
}


def findings(
    office: Office, records: dict[tuple[str, str], list[str]], **changes: object
) -> list[Finding]:
    config = replace(
        office.config,
        address="star@star.example.org",
        operator="op@example.org",
        dkim_selector="s1",
        relay="maildir:/nowhere",
        **changes,  # type: ignore[arg-type]
    )
    config.spool.chmod(0o700)
    return list(examine(config, lambda name, kind: records.get((name, kind), []), office.now))


def bad(results: list[Finding]) -> list[str]:
    return [finding.what for finding in results if finding.verdict == "bad"]


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
    assert any("outbox: 1 letters wait" in what for what in bad(findings(office, GOOD)))
    office.now -= 20_000
    assert any("clock" in what for what in bad(findings(office, GOOD)))


def test_quarantine_limits_and_spool(office: Office, tmp_path: Path) -> None:
    quarantine.keep(office.config.spool, "a@a.example", ("b",), b"x", ValueError(), office.now)
    results = findings(office, GOOD, limits=False)
    assert any("quarantine: 1" in finding.what for finding in results)
    assert "limits: off" in bad(results)
    office.config.spool.chmod(0o755)
    results = list(examine(office.config, lambda name, kind: [], office.now))
    assert "spool: others may look into it" in bad(results)
