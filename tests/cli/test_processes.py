"""The program in processes of its own: bytes in and out, exit statuses."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from harness.program import DONE, REFUSED, TRY_AGAIN, USAGE, Program
from harness.ready import PBMSTAR, Ready, python
from harness.server import until

FACTS = """
import json, os, signal, sys, threading
from pathlib import Path

status = Path("/proc/self/status").read_text().splitlines()
lines = ("Umask", "Groups", "Threads", "NSpgid", "NSsid", "SigBlk", "SigIgn", "SigCgt")
facts = {
    "words": sys.argv,
    "path": sys.path,
    "name": (__name__, __file__),
    "folder": os.getcwd(),
    "environment": dict(os.environ),
    "files": [os.path.realpath(f"/proc/self/fd/{number}") for number in range(3)],
    "more": [number for number in range(3, 99) if os.path.exists(f"/proc/self/fd/{number}")],
    "status": [line for line in status if line.startswith(lines)],
}
print(json.dumps(facts))
threading.Timer(0.01, print, ["at the end"]).start()
raise {"exit": SystemExit(3), "error": RuntimeError("in vain"), "none": SystemExit}[sys.argv[1]]
"""


def process(*words: str, folder: Path, given: bytes = b"", status: int = DONE) -> bytes:
    done = subprocess.run(
        [sys.executable, "-m", "pbmstar", *words],
        input=given,
        capture_output=True,
        cwd=folder,
        check=False,
    )
    assert done.returncode == status, done.stderr.decode()
    return done.stdout


@pytest.mark.slow
def test_a_process_reads_the_file_beside_it_and_tells_the_mail_server_to_try_again(
    tmp_path: Path,
) -> None:
    (tmp_path / "pbmstar.toml").write_text('database = "sqlite:////nonexistent/x"\n')
    process("receive", folder=tmp_path, status=TRY_AGAIN)


def test_analyse_reads_bytes_that_are_no_text(tmp_path: Path) -> None:
    good = b'{"game": "star", "moves": ["F6"]}\n'
    lines = process("analyse", folder=tmp_path, given=good + b"\xff\xfe\x00\n" + good).splitlines()
    kinds = [json.loads(line).get("error") for line in lines]
    assert kinds == [None, "BadInput", None]
    assert list(tmp_path.iterdir()) == []  # rules need no spool


def analyse(folder: Path) -> subprocess.Popen[bytes]:
    """``pbmstar analyse`` as another program talks to it."""
    pipe = subprocess.PIPE
    command = [sys.executable, "-m", "pbmstar", "analyse"]
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, cwd=folder)


def test_analyse_answers_line_by_line(tmp_path: Path) -> None:
    """A program that asks and waits for each answer gets it."""
    with analyse(tmp_path) as asked:
        assert asked.stdin is not None
        assert asked.stdout is not None
        for move, to_move in (("F6", "O"), ("Z9", None)):
            asked.stdin.write(f'{{"game": "star", "moves": ["{move}"]}}\n'.encode())
            asked.stdin.flush()
            assert json.loads(asked.stdout.readline()).get("to_move") == to_move
        asked.stdin.close()
        assert asked.wait() == DONE


@pytest.mark.slow
def test_analyse_draws_a_game_as_sgf(tmp_path: Path) -> None:
    """And answers one in a line of JSON."""
    game = "(;GM[11]SZ[3];B[a1];W[c1];B[a2]\n;W[c2];B[a3])"
    drawn = process("analyse", folder=tmp_path, given=f"\n {game}".encode())
    moves = ("A1", "C1", "A2", "C2", "A3")
    assert drawn == process("analyse", "hex", "-size=3", *moves, folder=tmp_path)
    line = json.dumps({"sgf": game, "preview": True}).encode() + b"\n"
    answer = json.loads(process("analyse", folder=tmp_path, given=line))
    assert (answer["winner"], len(answer["steps"])) == ("X", 5)
    for wrong in ({"sgf": game, "moves": []}, {"sgf": 3}, {"sgf": "(;GM[1])"}):
        given = json.dumps(wrong).encode() + b"\n"
        assert json.loads(process("analyse", folder=tmp_path, given=given))["error"] == "BadInput"
    assert process("analyse", folder=tmp_path, given=b"(;GM[1]SZ[19])", status=REFUSED) == b""


def test_who_reads_the_output_may_leave(tmp_path: Path) -> None:
    line = b'{"game": "star", "moves": ["F6"]}\n'
    with analyse(tmp_path) as asked:
        assert asked.stdin is not None
        assert asked.stdout is not None
        assert asked.stderr is not None
        asked.stdin.write(line)
        asked.stdin.flush()
        asked.stdout.readline()
        asked.stdout.close()
        asked.stdin.write(line * 3)
        asked.stdin.close()
        assert b"Traceback" not in asked.stderr.read()


def test_what_is_wrong_with_a_file_names_it(program: Program, tmp_path: Path) -> None:
    """A key that is none, a database or a spool that cannot be opened."""
    toml = tmp_path / "x.toml"
    toml.write_text("adress = 'star@example.org'\n")
    said = program.run("remind", "--config", str(toml), status=USAGE).stderr
    assert said == f"pbmstar: There is no key 'adress', but {toml} has it.\n"
    database = f"sqlite:///{tmp_path}/none/x.db"
    said = program.run("admin", "check", "--database", database, status=TRY_AGAIN).stderr
    assert f"({tmp_path}/none/x.db)" in said
    (tmp_path / "file").write_text("")
    said = program.run("remind", "--spool", str(tmp_path / "file"), status=TRY_AGAIN).stderr
    assert f"{tmp_path}/file" in said


@pytest.mark.slow
@pytest.mark.parametrize("ends", ["exit", "error", "none"])
def test_a_fork_is_as_a_program_started_anew(ends: str, tmp_path: Path) -> None:
    """So what the tests see of a daemon in a fork is true: nothing of others is open in it."""
    program = tmp_path / "facts.py"
    program.write_text(FACTS)
    heard = []
    with (
        open(tmp_path / "said", "ab+") as said,
        open(tmp_path / "errors", "ab+") as errors,
        tempfile.TemporaryFile(),
    ):
        for truly in (False, True):
            words, environment = (str(program), ends), {**os.environ, "ANSWER": "42"}
            status = python(words, environment, tmp_path, (said, errors), truly).wait()
            output = [(tmp_path / name).read_text() for name in ("said", "errors")]
            heard.append((status, output[0], output[1].splitlines()[-1:]))
            said.truncate(0)
            errors.truncate(0)
    assert heard[0] == heard[1]
    assert heard[0][1].endswith("at the end\n")


@pytest.mark.slow
def test_forks_end_with_those_who_asked_for_them(tmp_path: Path) -> None:
    """So a test that fails leaves no process behind."""
    ready = Ready()
    with open(tmp_path / "log", "wb") as log:
        settings = {**os.environ, "PBMSTAR_LISTEN": "127.0.0.1:0"}
        forks = [ready.begin((*PBMSTAR, "serve"), settings, tmp_path, (log, log)) for _ in range(2)]
    forks[0].kill()
    assert forks[0].wait() == -9
    assert forks[1].poll() is None
    ready.close()
    until(lambda: not Path(f"/proc/{forks[1].pid}").exists(), "its end")
