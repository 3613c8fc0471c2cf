#!/bin/sh
# All checks, with the programs of the Python that runs them: PYTHON, else python3 of the path.
# Each line must pass. CHECK_PYTHONS names further interpreters for the tests, if any.
set -eu
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}

"$python" -m ruff check .
"$python" -m ruff format --check .
"$python" -m mypy
# What fails is tried once more alone: on a machine that is busy a crash test may miss a deadline.
"$python" -m pytest -q --slow ||
    "$python" -m pytest -q --slow --last-failed --last-failed-no-failures none

# Tests on PostgreSQL wait a lot: the other interpreters, which do not, have their turn meanwhile.
other_interpreters() {
    for other in ${CHECK_PYTHONS:-}; do
        home=$(mktemp -d)
        "$other" -m venv "$home"
        "$home/bin/pip" install -q '.[test]'
        "$home/bin/python" -m pytest -q -p no:cacheprovider tests/games tests/command \
            tests/inbound tests/service tests/render tests/mails tests/cli tests/daemon
        rm -rf "$home"
    done
}
log=$(mktemp)
other_interpreters >"$log" 2>&1 &
status=0
"$python" -m pytest -q --slow --postgresql ||
    "$python" -m pytest -q --slow --postgresql --last-failed --last-failed-no-failures none ||
    status=$?
wait $! || status=$?
cat "$log"
rm "$log"
exit "$status"
