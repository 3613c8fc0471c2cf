#!/bin/sh
# All checks, with the programs of the Python that runs them: PYTHON, else python3 of the path.
# The first that fails ends it, but the tests on SQLite, on PostgreSQL and on further interpreters all run to
# their ends.
# CHECK_PYTHONS names further interpreters, if any: whether the rules are right does not depend on
# them, so there a game is played, and some mail scripts.
set -eu
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}
# On PostgreSQL: what its statements answer, and what is cut short. Whatever else a mail does is the same.
database="tests/crash tests/delivery tests/intake tests/mails tests/store
    tests/service/test_any_order.py tests/service/test_check.py tests/features/contests/test_contests.py
    tests/bots/test_bot_worker.py tests/bots/test_operating.py
    tests/service/test_further.py tests/service/test_operator.py tests/features/problem/test_problem.py tests/features/website/test_standings.py"
# A process of the tests takes a file at a time, or what takes minutes, in their order.
by_file="--dist loadgroup --no-loadscope-reorder"
# On further interpreters: a game, contests, reading, timers, the program.
scripts="short_game or league or machines or reminders or operator or digests or website"
# In memory, if there is room: to sync, to copy and to remove costs next to nothing there. What the tests
# kill are processes, and what a process has written stays, as on a disk.
rooms=/dev/shm
if [ ! -w $rooms ] || grep -q "^[^ ]* $rooms .*noexec" /proc/mounts || [ "$(df -Pk $rooms | awk 'END { print $4 }')" -lt 6000000 ]; then
    rooms=${TMPDIR:-/tmp}
fi
home=$(mktemp -d "$rooms/pbmstar.XXXXXX")
chmod 755 "$home" # PostgreSQL and Postfix run as other users
export TMPDIR="$home"
postgresql=
further=
typing=
collecting=
trap 'kill $postgresql $further $typing $collecting 2>/dev/null || :; rm -rf "$home"' EXIT
trap 'exit 130' INT TERM

# What is compiled once, the asserts of the tests too, is not compiled by each process.
unset PYTHONDONTWRITEBYTECODE

"$python" -m ruff check .
"$python" -m ruff format --check .
"$python" -m pytest -q --collect-only >"$home/collected" &
collecting=$!
"$python" -m mypy --config-file tests/mypy.ini >"$home/types" &
typing=$!
"$python" -m mypy
wait "$typing" || { cat "$home/types"; exit 1; }
wait "$collecting" || { cat "$home/collected"; exit 1; }
# With each further interpreter, in an environment of its own.
further() {
    for other in ${CHECK_PYTHONS:-}; do
        "$other" -m venv --without-pip "$home/other" &&
            "$python" -m pip --python "$home/other/bin/python" install -q --no-compile -e . hypothesis pytest pytest-timeout &&
            "$home/other/bin/pbmstar" demo >"$home/demo" &&
            "$home/other/bin/python" -m pytest -q -p no:cacheprovider tests/mails -k "$scripts" || return 1
        rm -rf "$home/other"
    done
}

# The tests wait for disks and processes half of the time, so there are more of them than processors.
"$python" -m pytest -q -n 2 $by_file -p no:cacheprovider --slow --postgresql $database >"$home/postgresql" 2>&1 &
postgresql=$!
further >"$home/further" 2>&1 &
further=$!
"$python" -m pytest -q -n 3 $by_file --slow --durations=15 && on_sqlite=passed || on_sqlite=failed
wait "$further" && on_further=passed || on_further=failed
wait "$postgresql" && on_postgresql=passed || on_postgresql=failed
cat "$home/further" "$home/postgresql"
echo "on SQLite: $on_sqlite; on PostgreSQL: $on_postgresql; on further interpreters: $on_further"
[ "$on_sqlite $on_postgresql $on_further" = "passed passed passed" ]
