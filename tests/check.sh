#!/bin/sh
# All checks, with the programs of the Python that runs them: PYTHON, else python3 of the path.
# The first that fails ends it. CHECK_PYTHONS names further interpreters, if any: whether the rules
# are right does not depend on them, so there a game is played, and all mail scripts.
set -eu
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}
home=$(mktemp -d)
postgresql=
trap 'kill $postgresql 2>/dev/null || :; rm -rf "$home"' EXIT
trap 'exit 130' INT TERM

"$python" -m ruff check .
"$python" -m ruff format --check .
"$python" -m mypy
# The tests wait for disks and processes most of the time, so there are more of them than processors.
"$python" -m pytest -q -n 2 -p no:cacheprovider --slow --postgresql >"$home/postgresql" 2>&1 &
postgresql=$!
for other in ${CHECK_PYTHONS:-}; do
    "$other" -m venv "$home/other"
    "$home/other/bin/pip" install -q -e . hypothesis pytest pytest-timeout
    "$home/other/bin/pbmstar" demo >"$home/demo"
    "$home/other/bin/python" -m pytest -q -p no:cacheprovider tests/mails
    rm -rf "$home/other"
done
"$python" -m pytest -q -n 3 --slow
status=0
wait "$postgresql" || status=1
cat "$home/postgresql"
exit "$status"
