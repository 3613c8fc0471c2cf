#!/bin/sh
# All checks, with the programs of the Python that runs them: PYTHON, else python3 of the path.
# Each line must pass. CHECK_PYTHONS names further interpreters for the tests, if any.
set -eu
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}

"$python" -m ruff check .
"$python" -m ruff format --check .
"$python" -m mypy
# What fails is tried once more alone: a crash test on a machine that is busy may miss a deadline.
"$python" -m coverage run -m pytest -q --slow ||
    "$python" -m pytest -q --slow --last-failed --last-failed-no-failures none
"$python" -m coverage report --skip-covered --sort=cover | tail -25
# The store has the same tests on PostgreSQL. Drivers and newer interpreters warn of connections that
# the collector closes when a test has thrown a fault in.
lenient=ignore::pytest.PytestUnraisableExceptionWarning
"$python" -m pytest -q -W "$lenient" --postgresql tests/service tests/mails tests/render ||
    "$python" -m pytest -q -W "$lenient" --postgresql --last-failed --last-failed-no-failures none

for other in ${CHECK_PYTHONS:-}; do
    home=$(mktemp -d)
    "$other" -m venv "$home"
    "$home/bin/pip" install -q '.[test]'
    "$home/bin/python" -m pytest -q -p no:cacheprovider -W "$lenient" \
        tests/games tests/command tests/inbound tests/service
    rm -rf "$home"
done
