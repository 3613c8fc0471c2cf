"""The names that scripts and dashboards may rely on: figures, headers of letters, keys of JSON.

More may come; what stands here stays. A name that has to go is a line of the changelog under "You must do this".
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from harness.program import Program

from pbmstar.cli.analyse import answer
from pbmstar.service.admin.metrics import names

# The name of a figure, its kind, its labels.
FIGURES = """
pbmstar_active_players gauge days
pbmstar_boards gauge state
pbmstar_bot_answers_total counter bot
pbmstar_bot_oldest_turn_seconds gauge
pbmstar_bot_thought_seconds_total counter bot
pbmstar_bot_turns gauge
pbmstar_bot_wait_seconds histogram
pbmstar_budget gauge kind
pbmstar_build_info gauge version python
pbmstar_commit_mails histogram
pbmstar_contest_players gauge kind
pbmstar_deliveries_total counter domain verdict
pbmstar_disk_free_bytes gauge
pbmstar_games gauge game state
pbmstar_handled_mails gauge outcome
pbmstar_letters gauge state
pbmstar_limits_total counter limit
pbmstar_mail_seconds histogram
pbmstar_mails_total counter outcome
pbmstar_node_info gauge node
pbmstar_offers gauge state
pbmstar_oldest_letter_seconds gauge
pbmstar_players gauge state
pbmstar_problem_answers gauge answer
pbmstar_problem_readers gauge
pbmstar_put_off_total counter kind
pbmstar_quarantined_mails gauge
pbmstar_rated_games gauge kind
pbmstar_refusals_total counter reason
pbmstar_remind_timestamp_seconds gauge
pbmstar_site_pages_due gauge
pbmstar_site_written_timestamp_seconds gauge
pbmstar_start_timestamp_seconds gauge
"""

HEADERS = """
X-Pbmstar-Game X-Pbmstar-Board X-Pbmstar-Move X-Pbmstar-To-Move X-Pbmstar-Result X-Pbmstar-Deadline
X-Pbmstar-Clock X-Pbmstar-By-Plan X-Pbmstar-Rating X-Pbmstar-Loop
"""

# The keys of what a command prints with --json, or of each entry of its list.
KEYS = {
    "admin status": "boards letters_refused letters_waiting oldest_letter_seconds quarantined running"
    " suspended users version",
    "admin user list": "address since state userid",
    "admin user show alice": "address boards bounces last_seen locked_until other_addresses since state"
    " userid waiting",
    "admin board list": "board first game options over result second since to_move",
    "admin board list --waiting": "board first game options over result second since to_move",
    "admin board show 1": "board clock deadline game moves options over players requests result seats"
    " terms to_move",
    "admin audit": "act actor at id",
    "admin outage list": "begin id until why",
    "admin explain 1": "board due game mails players reminders result since state to_move",
    "admin explain alice": "address bounces last_seen locked_until mails other_addresses since state"
    " userid waiting",
    "admin top": "bot_seconds letters mails userid",
    "admin bot list": "oldest_seconds running userid waiting",
    "stats": "days moves_by_game reasons",
}
ANALYSED = {
    "star": "bounds chains decided over scores settled to_move winner",
    "*star": "bounds decided detail over scores settled to_move winner",
    "queens": "legal over scores to_move unguarded winner",
}


def test_figures_keep_their_names_kinds_and_labels() -> None:
    now = {name: (about.kind, *about.labels) for name, about in names().items()}
    for name, *rest in map(str.split, FIGURES.strip().splitlines()):
        assert now.get(name) == tuple(rest), name


def test_headers_of_letters_keep_their_names() -> None:
    house = Path(__file__).parents[2] / "pbmstar"
    texts = [path.read_text() for path in house.rglob("*.py")]
    now = {name for text in texts for name in re.findall(r'"(X-Pbmstar-[A-Za-z-]+)"', text)}
    assert set(HEADERS.split()) <= now


@pytest.mark.parametrize("words", KEYS)
def test_json_keeps_its_keys(words: str, played: Program) -> None:
    if words == "admin outage list":
        played.run("admin", "outage", "add", "2026-01-02T10:00Z", "2026-01-02T11:00Z", "a cable")
    told: Any = json.loads(played.run(*words.split(), "--json").stdout)
    facts = told[0] if isinstance(told, list) else told
    assert set(KEYS[words].split()) <= facts.keys()


@pytest.mark.parametrize("word", ANALYSED)
def test_analyse_keeps_its_keys(word: str) -> None:
    assert set(ANALYSED[word].split()) <= json.loads(answer(json.dumps({"game": word}))).keys()
    assert json.loads(answer("[]")).keys() == {"error", "message"}
