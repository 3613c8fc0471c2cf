"""The operator's commands about invitations and postcards."""

from __future__ import annotations

import click

from ...service.admin import offers as operator
from ...service.work.work import Work
from ..listings import Rows, lists
from ..main import admin
from ..options import Group
from ..shared import work


@admin.group(cls=Group, example="list")
def invitation() -> None:
    """Invitations and postcards: list, stop, allow.

    Postcards count as invitations. No command tells to whom: only hashes of these addresses are stored.
    """


@invitation.command("list")
@lists("Nobody has invited anyone in the last 7 days, and nobody is stopped.")
def invitation_list(at: Work) -> Rows:
    """List who has invited people this week.

    invited counts the invitations and postcards of the last 7 days. You also see who is stopped.
    """
    return operator.listed(at)


@invitation.command("stop", example="alice")
@click.argument("userid")
def invitation_stop(userid: str) -> None:
    """Stop a player's invitations and postcards.

    What was already sent stays valid, and the player can still do everything else.
    """
    with work() as at:
        operator.stop(at, userid.lower())
    click.echo(f"{userid.lower()} can't send invitations and postcards any more.")


@invitation.command("allow", example="alice")
@click.argument("userid")
def invitation_allow(userid: str) -> None:
    """Let a player invite strangers again.

    You only need this after `invitation stop`.
    """
    with work() as at:
        operator.allow(at, userid.lower())
    click.echo(f"{userid.lower()} can send invitations and postcards again.")
