"""The DNS records of a mail server, as ``pbmstar doctor`` looks at them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..config import Config
from .finding import Finding, judge

# (name, type) -> answers as text, empty if there are none; raises OSError if DNS does not answer.
Resolver = Callable[[str, str], list[str]]


def dns(name: str, kind: str) -> list[str]:
    """The answers of DNS, as text. Raises OSError if no server answers."""
    from dns import exception, resolver

    try:
        answers = resolver.resolve(name, kind, lifetime=5.0)
    except (resolver.NXDOMAIN, resolver.NoAnswer):
        return []
    except exception.DNSException as error:
        raise OSError(type(error).__name__) from None
    return [str(answer).strip('"').replace('" "', "") for answer in answers]


def records(config: Config, resolve: Resolver) -> Iterator[Finding]:
    """What other mail servers will look for in the DNS."""
    domain = config.domain
    try:
        yield from _routes(domain, resolve)
        records = [text for text in resolve(domain, "TXT") if text.lower().startswith("v=spf1")]
        yield judge(
            len(records) == 1, "SPF", f'{domain}. TXT "v=spf1 mx -all", and no second such record.'
        )
        policy = resolve(f"_dmarc.{domain}", "TXT")
        yield judge(
            any(text.lower().startswith("v=dmarc1") for text in policy),
            "DMARC",
            f'_dmarc.{domain}. TXT "v=DMARC1; p=quarantine; rua=mailto:postmaster@{domain}".',
        )
        if config.dkim_selector:
            name = f"{config.dkim_selector}._domainkey.{domain}"
            yield judge(
                any("p=" in text for text in resolve(name, "TXT")),
                "DKIM",
                f"{name}. TXT, see README.",
            )
        else:
            yield Finding(
                "look", "DKIM: not ours", "Let a milter of Postfix sign, or set dkim_key."
            )
    except OSError as error:
        yield Finding("bad", f"DNS: does not answer ({error})", "Is there a resolver?")


def _routes(domain: str, resolve: Resolver) -> Iterator[Finding]:
    hosts = [text.split()[-1].rstrip(".") for text in resolve(domain, "MX")] or [domain]
    for host in hosts:
        addresses = resolve(host, "A") + resolve(host, "AAAA")
        yield judge(bool(addresses), f"mail host {host}", f"{host}. needs an A or AAAA record.")
        for address in addresses:
            from dns import reversename

            back = [
                name.rstrip(".") for name in resolve(str(reversename.from_address(address)), "PTR")
            ]
            yield judge(host in back, f"reverse lookup of {address}", f"Its PTR should be {host}.")
