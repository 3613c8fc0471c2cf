"""Golden mails: a script of mails in, every letter out, byte for byte.

``pytest tests/mails --renew`` writes the letters anew; read the difference before committing it.
"""

from pathlib import Path

import pytest
from office import Office

HERE = Path(__file__).parent


@pytest.mark.parametrize("script", ["short_game"])
def test_the_letters_are_those_of_before(
    script: str, office: Office, request: pytest.FixtureRequest
) -> None:
    told = []
    for line in (HERE / f"{script}.txt").read_text().splitlines():
        sender, subject, body = (part.strip() for part in line.split("|"))
        told.append(f"\n######## {line.rstrip(' |')}\n".encode())
        told += [b"\n==== envelope sender " + got.sender.encode() + b"\n" + got.raw
                 for got in office.send(sender, subject, body)]  # fmt: skip
    letters = b"".join(told)
    golden = HERE / f"{script}.letters"
    if request.config.getoption("--renew"):
        golden.write_bytes(letters)
    assert letters == golden.read_bytes()
