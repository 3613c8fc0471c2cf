"""Words for buttons that find an opponent or answer an offer."""

from __future__ import annotations

from ...errors import say

BUTTONS = {
    "bot": say("Play a bot now"),
    "match": say("Find me an opponent"),
    "match ": say("Find me an opponent for {name}"),
    "seeks": say("Open offers"),
    "take ": say("Take offer {name}"),
    "unseek ": say("Withdraw offer {name}"),
}
