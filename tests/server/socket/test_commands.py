"""Commands as clients write them."""

import msgspec
import pytest

from openfelt.cards import Card, parse_cards
from openfelt.protocol.messages import CommandAsked
from openfelt.rules import decisions, round_actions
from openfelt.rules.dealing import Lies, Place
from openfelt.rules.irregularity_rules import About, Irregularity
from openfelt.rules.refusal import Refusal, RefusalCode
from openfelt.rules.wagers import Beneficiary, Spot, Wager, WagerKind
from openfelt.server.socket.commands import table_command
from openfelt.table import commands
from openfelt.table.commands import TableCommand
from openfelt.table.incidents import Resolution

DECODER = msgspec.json.Decoder(CommandAsked)

CASES: list[tuple[str, TableCommand]] = [
    ('{"kind":"take_seat"}', commands.TakeSeat(None)),
    ('{"kind":"take_seat","seat":3}', commands.TakeSeat(3)),
    ('{"kind":"leave_seat","seat":3}', commands.LeaveSeat(3)),
    ('{"kind":"buy_in","seat":3,"cents":500}', commands.BuyIn(3, 500)),
    ('{"kind":"collect","seat":3}', commands.Collect(3)),
    ('{"kind":"take_bank","seat":3,"cover_cents":500}', commands.TakeBank(3, 500)),
    ('{"kind":"decline_bank","seat":3}', commands.DeclineBank(3)),
    (
        '{"kind":"set_wagers","spot":"3.1","wagers":[{"kind":"trips","cents":7,"for_dealer":true}]}',
        round_actions.SetWagers(
            Spot(3, 1),
            (Wager(WagerKind.TRIPS, 7, Beneficiary.DEALER),),
        ),
    ),
    (
        '{"kind":"decide","spot":"3.1","decision":{"kind":"bet","multiple":4}}',
        round_actions.MakeDecision(Spot(3, 1), decisions.Bet(4)),
    ),
    (
        '{"kind":"decide","spot":"3.1","decision":{"kind":"check"}}',
        round_actions.MakeDecision(Spot(3, 1), decisions.Check()),
    ),
    (
        '{"kind":"decide","spot":"3.1","decision":{"kind":"fold"}}',
        round_actions.MakeDecision(Spot(3, 1), decisions.Fold()),
    ),
    (
        '{"kind":"decide","spot":"3.1","decision":{"kind":"hold","cards":["As","Td"]}}',
        round_actions.MakeDecision(
            Spot(3, 1), decisions.Hold((Card.parse("As"), Card.parse("Td")))
        ),
    ),
    ('{"kind":"close_bets"}', round_actions.CloseBets()),
    ('{"kind":"open_bets"}', commands.OpenBets()),
    ('{"kind":"deal_card","card":"As"}', round_actions.DealCard(Card.parse("As"))),
    (
        '{"kind":"correct_card","lies":"hand","spot":"3.1","position":2,"card":"As"}',
        round_actions.CorrectCard(Place(Lies.HAND, Spot(3, 1), 2), Card.parse("As")),
    ),
    (
        '{"kind":"correct_card","lies":"common","position":2,"card":"As"}',
        round_actions.CorrectCard(Place(Lies.COMMON, None, 2), Card.parse("As")),
    ),
    ('{"kind":"reveal_seed","seat":3,"seed":"5e"}', commands.RevealSeed(3, "5e")),
    (
        '{"kind":"set_wagers","spot":"3.1","wagers":[],"seed_commitment":"ab"}',
        commands.SeededWagers(round_actions.SetWagers(Spot(3, 1), ()), "ab"),
    ),
    (
        '{"kind":"take_bank","seat":3,"cover_cents":500,"seed_commitment":"ab"}',
        commands.TakeBank(3, 500, "ab"),
    ),
    ('{"kind":"turn_cards"}', round_actions.TurnCards()),
    ('{"kind":"confirm"}', round_actions.Confirm()),
    ('{"kind":"void_round","reason":"power"}', round_actions.VoidRound("power")),
    ('{"kind":"change_dealer","dealer":"dan"}', commands.ChangeDealer("dan")),
    ('{"kind":"close_table","reason":"late"}', commands.CloseTable("late")),
    ('{"kind":"pause_table","reason":"a spill"}', commands.PauseTable("a spill")),
    ('{"kind":"reopen_table"}', commands.ReopenTable()),
    ('{"kind":"reopen_bets"}', commands.ReopenBets()),
    (
        '{"kind":"irregularity","irregularity":"card_exposed","about":"hand","spot":"3.1"}',
        commands.DeclareIrregularity(Irregularity.CARD_EXPOSED, About.HAND, Spot(3, 1)),
    ),
    (
        '{"kind":"propose_adjustment","round":7,"seat":3,"cents":-500,"reason":"paid twice"}',
        commands.ProposeAdjustment(7, 3, -500, "paid twice"),
    ),
    ('{"kind":"count_stub","count":40,"round":7}', commands.CountStub(40, None, 7)),
    ('{"kind":"approve_adjustment","number":2}', commands.ApproveAdjustment(2)),
    (
        '{"kind":"swap_cards","place":"hand 3.1 card 2","other":"common card 4","round":7}',
        round_actions.SwapCards(
            Place(Lies.HAND, Spot(3, 1), 2), Place(Lies.COMMON, None, 4), round=7
        ),
    ),
    ('{"kind":"count_felt","cents":2000,"round":7}', commands.CountFelt(2000, None, 7)),
    (
        '{"kind":"count_felt","spots":{"3.1":500}}',
        commands.CountFelt(spots=((Spot(3, 1), 500),)),
    ),
    ('{"kind":"call_floor","note":"Seat 2 objects."}', commands.CallFloor("Seat 2 objects.")),
    ('{"kind":"resume_play"}', commands.ResumePlay()),
    (
        '{"kind":"report_mispayment","round":7,"seat":3,"cents":500,"reason":"twice"}',
        commands.ReportMispayment(7, 3, 500, "twice"),
    ),
    (
        '{"kind":"resolve_mispayment","number":2,"resolution":"not_recovered"}',
        commands.ResolveMispayment(2, Resolution.NOT_RECOVERED),
    ),
    ('{"kind":"count_stub","count":42,"round":7}', commands.CountStub(42, round=7)),
    ('{"kind":"count_stub","cards":["As","5d"]}', commands.CountStub(cards=parse_cards("As 5d"))),
    (
        '{"kind":"reject_adjustment","number":2,"reason":"paid right"}',
        commands.RejectAdjustment(2, "paid right"),
    ),
]


@pytest.mark.parametrize(("text", "command"), CASES)
def test_a_client_means_this_command(text: str, command: TableCommand) -> None:
    assert table_command(DECODER.decode(text)) == command


def test_every_command_of_the_protocol_is_understood() -> None:
    kinds = {msgspec.json.decode(text)["kind"] for text, _ in CASES}
    members = CommandAsked.__args__
    assert kinds == {member.__struct_config__.tag for member in members}


@pytest.mark.parametrize(
    "text",
    [
        '{"kind":"set_wagers","spot":"3","wagers":[]}',
        '{"kind":"set_wagers","spot":"\u0663.\u0661","wagers":[]}',
        '{"kind":"set_wagers","spot":"\uff13.1","wagers":[]}',
        '{"kind":"set_wagers","spot":" 3.1","wagers":[]}',
        '{"kind":"set_wagers","spot":"3.1\\n","wagers":[]}',
        '{"kind":"set_wagers","spot":"+3.1","wagers":[]}',
        '{"kind":"set_wagers","spot":"0_3.1","wagers":[]}',
        '{"kind":"set_wagers","spot":"03.1","wagers":[]}',
        '{"kind":"set_wagers","spot":"0.1","wagers":[]}',
        '{"kind":"set_wagers","spot":"-3.1","wagers":[]}',
        '{"kind":"set_wagers","spot":"3.1.1","wagers":[]}',
        '{"kind":"set_wagers","spot":"99999999999999.1","wagers":[]}',
        '{"kind":"set_wagers","spot":"3.1","wagers":[{"kind":"insurance","cents":5}]}',
        '{"kind":"deal_card","card":"Xx"}',
        '{"kind":"decide","spot":"3.1","decision":{"kind":"hold","cards":["A"]}}',
    ],
)
def test_what_names_nothing_is_refused(text: str) -> None:
    with pytest.raises(Refusal) as refused:
        table_command(DECODER.decode(text))
    assert refused.value.code is RefusalCode.MALFORMED
