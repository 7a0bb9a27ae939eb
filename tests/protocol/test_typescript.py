"""The browser's types: written from messages and rest, and the files in the tree are current."""

from typing import Literal

import msgspec
import pytest

from openfelt.protocol import factor_forms, form_fields, messages, replay, rest, table_views
from openfelt.protocol.typescript import forms_file, messages_file, typescript_type
from openfelt.rules.house import Deck
from tests.kit.repository import ROOT

FOLDER = ROOT / "web" / "src" / "protocol"


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
        (Literal[False], "false"),
        (Deck, '"shared" | "per_terminal"'),
        (rest.Me, "Me"),
    ],
)
def test_a_type_is_written_as_typescript_writes_it(hint: object, written: str) -> None:
    assert typescript_type(hint) == written


def test_a_type_without_a_form_is_refused() -> None:
    with pytest.raises(TypeError, match="has no form"):
        typescript_type(bytes)


def test_messages_carry_their_tags_and_patches_name_their_views() -> None:
    text = messages_file()
    assert 'type: "welcome";' in text
    assert 'kind: "take_seat";' in text
    assert "public?: Patch<PublicView>;" in text
    assert "private?: Patch<PrivateView>;" in text


def test_what_may_be_left_out_is_optional() -> None:
    text = messages_file()
    assert "for_dealer?: boolean;" in text
    assert "seat?: number | null;" in text
    # The server always says whether a wager is for the dealer.
    assert "  for_dealer: boolean;" in text


def test_every_message_is_there() -> None:
    text = messages_file()
    for name, value in (vars(messages) | vars(replay)).items():
        if isinstance(value, type) and issubclass(value, table_views.Message | messages.Asked):
            written = text.count(f"export interface {name} {{")
            assert written == (value not in (table_views.Message, messages.Asked)), name


def test_a_replay_and_what_happened_in_it_have_types() -> None:
    text = messages_file()
    assert "  steps: ReplayStep[];" in text
    assert "  what: Happened;" in text
    assert "export type Happened =\n  | BetsClosed" in text
    assert '  kind: "card_dealt";' in text


def test_every_form_is_there() -> None:
    text = forms_file()
    for module in (form_fields, factor_forms, rest):
        for name, value in vars(module).items():
            if isinstance(value, type) and value.__module__ == module.__name__:
                is_form = value is not form_fields.Taken
                assert text.count(f"export interface {name} {{") == is_form, name


def test_only_what_a_client_sends_may_be_left_out() -> None:
    text = forms_file()
    assert 'dealer_mode?: "live" | "virtual" | null;' in text
    assert "  envy: string | null;" in text
    assert "  proof: CardProofForm | null;" in text
