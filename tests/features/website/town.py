"""A site with every kind of page: eight players, games that bots have played well, tables if there are any."""

from __future__ import annotations

from itertools import combinations, product

from harness.office import Office, is_there
from harness.played import played
from shown import publish

PLAYERS = ("anna", "ben", "dora", "emil", "gus", "hana", "ivo", "karl")
WORD = "s3cret"
_TABLES = (
    "ladder join star {0} {1}",
    "league join star {0} {1}",
    "cup {0} {1}",
)


def settle(office: Office) -> None:
    """Let the players play each game three times, one of the three up to its middle, and write the site."""
    for who in PLAYERS:
        office.add(who, password=WORD)
        office.send(who, f"public {who} {WORD} on")
    for kind in ("ladder", "league"):
        if is_there(f"{kind} join"):
            office.run("admin", kind, "open", "star", "-size=4")
    for who, line in product(PLAYERS[:6], filter(is_there, _TABLES)):
        office.send(who, line.format(who, WORD))
    pairs = list(combinations(PLAYERS, 2))
    for turn, (time, game) in enumerate(product(range(3), played())):
        first, second = pairs[5 * turn % len(pairs)]
        letters = office.send(first, f"{game.challenge} {first} {second}")
        board = int(letters[0].mail["X-Pbmstar-Board"])
        some = len(game.moves) // 2 if turn % 3 == time else len(game.moves)
        for move in game.moves[:some]:
            office.now += 3600.0
            office.advance(board, move)
    if is_there("ratings"):
        office.sql("UPDATE ratings SET deviation = 70")
    publish(office.config, office.store)
