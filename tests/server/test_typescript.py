"""The browser's message types: written from the messages, and the file in the tree is current."""

from pathlib import Path
from typing import Literal

import msgspec
import pytest

from openfelt.server import messages, replay_messages
from openfelt.server.typescript import main, types_file, typescript_type

ROOT = Path(__file__).resolve().parent.parent.parent
FILE = ROOT / "web" / "src" / "lib" / "messages.ts"


@pytest.mark.parametrize(
    ("hint", "written"),
    [
        (str, "string"),
        (int, "number"),
        (bool, "boolean"),
        (int | None, "number | null"),
        (list[str], "string[]"),
        (list[str | None], "(string | null)[]"),
        (dict[str, list[int]], "Record<string, number[]>"),
        (Literal["hand", "dealer"], '"hand" | "dealer"'),
        (messages.Check, "Check"),
        (messages.DecisionAsked, "DecisionAsked"),
        (msgspec.Raw, "unknown"),
    ],
)
def test_a_type_is_written_as_typescript_writes_it(hint: object, written: str) -> None:
    assert typescript_type(hint) == written


def test_a_type_without_a_form_is_refused() -> None:
    with pytest.raises(TypeError, match="has no form"):
        typescript_type(bytes)


def test_messages_carry_their_tags_and_patches_name_their_views() -> None:
    text = types_file()
    assert 'type: "welcome";' in text
    assert 'kind: "take_seat";' in text
    assert "patch: Patch<PublicView>;" in text
    assert "patch: Patch<PrivateView>;" in text


def test_what_may_be_left_out_is_optional() -> None:
    text = types_file()
    assert "for_dealer?: boolean;" in text
    assert "seat?: number | null;" in text
    # The server always says whether a wager is for the dealer.
    assert "  for_dealer: boolean;" in text


def test_every_message_is_there() -> None:
    text = types_file()
    for name, value in (vars(messages) | vars(replay_messages)).items():
        if isinstance(value, type) and issubclass(value, messages.Message | messages.Asked):
            written = text.count(f"export interface {name} {{")
            assert written == (value not in (messages.Message, messages.Asked)), name


def test_a_replay_and_what_happened_in_it_have_types() -> None:
    text = types_file()
    assert "  steps: ReplayStep[];" in text
    assert "  what: Happened;" in text
    assert "export type Happened =\n  | BetsClosed" in text
    assert '  kind: "card_dealt";' in text


def test_the_file_in_the_tree_is_current() -> None:
    assert main(["--check", "--page", str(FILE)]) == 0


def test_a_stale_file_is_noticed_and_written_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "messages.ts"
    page.write_text("// old\n")
    assert main(["--check", "--page", str(page)]) == 1
    assert "Run: make docs" in capsys.readouterr().err
    assert main(["--page", str(page)]) == 0
    assert main(["--check", "--page", str(page)]) == 0
