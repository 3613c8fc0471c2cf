"""The one letter that tells players of the site."""

from __future__ import annotations

import textwrap

from ...render.text import WIDTH
from ...service.admin import people
from ...service.admin.operator import note
from ...service.verbs import membership
from ...service.work.work import Work

_TOLD = "site told"  # the fact: the time when players were told about the site
_AN_HOUR = 500  # letters about the site


def tell_players(work: Work) -> None:
    """Tell players about the site once, if they are not shown there and want announcements.

    They are told when the site exists for the first time; another letter tells players who sign up later.
    """
    membership.is_shown(work, work.now)
    if work.tx.ledger.fact(_TOLD):
        return
    work.tx.ledger.set_fact(_TOLD, str(work.now))
    users = [
        user
        for user in work.tx.accounts.users()
        if user.state == "active" and user.news and not user.public
    ]
    url = work.context.config.site_url
    shown = (
        f"This server shows games on the web now{f', at {url}' if url else ''}: userids, moves, results "
        "and ratings, never an address or what you write."
    )
    people.write(
        work,
        users,
        "games on the web",
        f"{textwrap.fill(shown, WIDTH)}\n\nYours are not there. If you like them to be, reply to any\n"
        "other letter of ours with\n\n"
        "  public on\n\nA game is shown while both of its players have that on.",
        _AN_HOUR,
    )
    if users:
        note(work, f"announce the site: {len(users)} letters")
