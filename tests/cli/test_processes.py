"""The program in processes of its own: bytes in and out, exit statuses."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from harness.program import DONE, TRY_AGAIN, USAGE, Program


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


def test_processes_and_their_statuses(tmp_path: Path) -> None:
    (tmp_path / "pbmstar.toml").write_text('spool = "here"\n')
    assert process("admin", "check", folder=tmp_path) == b"0 differences\n"
    assert (tmp_path / "here" / "pbmstar.db").exists()
    process("receive", "--database", "sqlite:////nonexistent/x", folder=tmp_path, status=TRY_AGAIN)


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
