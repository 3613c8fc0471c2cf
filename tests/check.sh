#!/bin/sh
# All checks, with the programs of the Python that runs them: PYTHON, else python3 of the path.
# The first that fails ends it. CHECK_PYTHONS names further interpreters, if any: whether the rules
# are right does not depend on them, so there a game is played, and all mail scripts.
set -eu
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}
home=
trap 'rm -rf "$home"' EXIT
trap 'exit 130' INT TERM

"$python" -m ruff check .
"$python" -m ruff format --check .
"$python" -m mypy
for other in ${CHECK_PYTHONS:-}; do
    home=$(mktemp -d)
    "$other" -m venv "$home"
    "$home/bin/pip" install -q -e . hypothesis pytest pytest-timeout
    "$home/bin/pbmstar" demo >"$home/demo"
    "$home/bin/python" -m pytest -q -p no:cacheprovider tests/mails
    rm -rf "$home"
done
# All wait for disks and processes most of the time, so there are more of them than processors.
home=$(mktemp -d)
"$python" -m pytest -q -n 2 -p no:cacheprovider --slow --postgresql >"$home/postgresql" 2>&1 &
postgresql=$!
trap 'kill "$postgresql" 2>/dev/null || :; rm -rf "$home"' EXIT
"$python" -m pytest -q -n 3 --slow
wait "$postgresql" || { cat "$home/postgresql"; exit 1; }
cat "$home/postgresql"
