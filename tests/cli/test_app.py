"""The command line from outside: the real program in a process of its own."""

import contextlib
import os
import select
import signal
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from openfelt.cli import main
from openfelt.cli.app import COMMANDS
from tests.kit.cli.program import openfelt


def loaded_by(statement: str) -> set[str]:
    code = f"import sys; {statement}; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120
    )
    return set(done.stdout.split())


def test_importing_the_command_line_loads_nothing() -> None:
    loaded = loaded_by("import openfelt.cli")
    assert not loaded & {"typer", "click", "rich", "msgspec", "numba", "numpy", "openfelt.rules"}


def test_help_loads_neither_the_rules_nor_the_mathematics() -> None:
    loaded = loaded_by("import openfelt.cli.app")
    assert not loaded & {"rich", "msgspec", "numba", "numpy", "openfelt.rules", "openfelt.cards"}


def test_playing_never_loads_the_mathematics() -> None:
    loaded = loaded_by("import openfelt.cli.play.start")
    assert not loaded & {"numba", "numpy", "openfelt.maths"}


def test_version_and_help() -> None:
    assert openfelt("--version").stdout == f"openfelt {version('openfelt')}\n"
    done = openfelt("--help")
    assert done.returncode == 0
    for command in ("play", "houses", "paytables"):
        assert f"  {command} " in done.stdout


def test_the_list_of_commands_is_whole_at_80_columns() -> None:
    lines = openfelt("--help").stdout.partition("Commands:\n")[2].splitlines()
    assert len(lines) == len(COMMANDS)
    for line in lines:
        assert line.endswith(".")
        assert not line.endswith("...")


@pytest.mark.parametrize(
    "arguments", [["nonsense"], ["play", "--nonsense"], ["play", "--seed", "x"]]
)
def test_wrong_usage_is_told_on_stderr(arguments: list[str]) -> None:
    done = openfelt(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "Error" in done.stderr
    assert "Traceback" not in done.stderr


def test_an_unknown_house_is_told_on_stderr() -> None:
    done = openfelt("play", "nowhere", "--seed", "1")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("openfelt: There is no house called 'nowhere'.")


@pytest.mark.parametrize(
    "arguments",
    [["--help"], ["paytables"], ["paytables", "--json"], ["houses"]],
)
def test_a_reader_that_leaves_early_ends_a_command_quietly(arguments: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "openfelt", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=writing,
        stderr=subprocess.PIPE,
        timeout=120,
        check=False,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")


def test_a_session_through_the_real_entry_point_and_its_replay() -> None:
    typed = "10\ntrips 5\ndeal\n\n2\n\n4\n"
    one, two = (openfelt("play", "online", "--seed", "5", typed=typed) for _ in range(2))
    assert one.returncode == 0
    assert one.stderr == ""
    assert one.stdout == two.stdout
    assert "Staked $" in one.stdout
    assert "\x1b" not in one.stdout


def test_credit_is_kept_between_two_runs(tmp_path: Path) -> None:
    environment = {"OPENFELT_DATA": str(tmp_path)}
    first = openfelt("play", "online", typed="10\ndeal\n4\nquit\n", environment=environment)
    assert first.returncode == 0
    kept = first.stdout.rpartition("Your credit of ")[2].split()[0]
    again = openfelt("play", "--data", str(tmp_path), typed="online\nquit\n")
    assert f"Welcome back. Your credit is {kept}." in again.stdout


def test_a_broken_houses_folder_is_told_with_file_key_and_problem(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('id = "mine"\nversion = 1\n', encoding="utf-8")
    for command in (["houses"], ["paytables"], ["play", "--seed", "1"]):
        done = openfelt(*command, "--houses", str(tmp_path))
        assert (done.returncode, done.stdout) == (2, "")
        assert "mine.toml: " in done.stderr
        assert "missing required field" in done.stderr
        assert "Traceback" not in done.stderr


def test_a_stream_without_suits_gets_letters() -> None:
    done = openfelt(
        "play",
        "online",
        "--seed",
        "1",
        typed="10\ndeal\n",
        environment={"PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"},
    )
    assert done.returncode == 0
    assert done.stdout.isascii()
    assert "+---+" in done.stdout


def test_input_that_is_no_text_is_survived() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "openfelt", "play", "online", "--seed", "1"],
        input=b"\xff\xfe\n10\n\x80\ndeal\n",
        capture_output=True,
        env=dict(os.environ) | {"PYTHONUTF8": "1"},
        timeout=120,
        check=False,
    )
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals of this kind")
@pytest.mark.parametrize("no_color", ["", "1"])
def test_at_a_real_terminal_there_is_colour_and_ctrl_c_is_kind(
    no_color: str, tmp_path: Path
) -> None:
    shown, code = at_a_terminal(
        ["play", "online", "--data", str(tmp_path)],
        ["10\n", "deal\n"],
        {"NO_COLOR": no_color, "TERM": "xterm-256color"},
    )
    assert code == 0
    assert ("\x1b[1m" in shown or "\x1b[1;" in shown) is not bool(no_color)
    assert "Your round is kept as it is" in " ".join(shown.split())
    assert "Traceback" not in shown


def at_a_terminal(
    arguments: list[str], keys: list[str], environment: dict[str, str]
) -> tuple[str, int]:
    """Run at a pseudo-terminal: each prompt that waits gets the next keys, at last Ctrl-C."""
    import pty

    own_end, their_end = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "openfelt", *arguments],
        stdin=their_end,
        stdout=their_end,
        stderr=their_end,
        env=dict(os.environ) | environment,
        # A shell that runs the tests in the background ignores Ctrl-C, and children inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    )
    os.close(their_end)
    shown = b""
    with contextlib.suppress(OSError):  # The terminal is gone when the program has ended.
        while True:
            if select.select([own_end], [], [], 0.4)[0]:
                shown += os.read(own_end, 4096)
            elif not shown.rstrip().endswith(b">"):
                pass
            elif keys:
                os.write(own_end, keys.pop(0).encode())
            else:
                process.send_signal(signal.SIGINT)
    os.close(own_end)
    return shown.decode(), process.wait(timeout=60)


def test_main_takes_arguments_and_ends_with_a_code(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["play", "nowhere", "--seed", "1"])
    assert left.value.code == 2
    assert "nowhere" in capsys.readouterr().err
