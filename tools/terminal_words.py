"""What the server can say to a terminal: the file web/src/words/vocabulary.example.json.

The tests of the browser's code cannot ask the rules, so they read this file: every name of a
hand, every row and notice of the catalog, and the lines and replays of the golden rounds, one of
each kind. ``make docs`` writes it.
"""

import json
from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import Any

import msgspec

from openfelt.cards import Card, Category, Rank, Suit, evaluate
from openfelt.catalog import load_catalog
from openfelt.protocol import replay as sent
from openfelt.protocol.table_views import DecisionView, LineView
from openfelt.rules.house import GameName
from openfelt.rules.irregularity_rules import TAKES_CARD, About, Effect, Irregularity
from openfelt.rules.round_events import BetsClosed, WagersSet
from openfelt.runtime.rounds.recorded_round import RecordedRound
from openfelt.server.history.replay import own_lines, replay_steps, sentence
from openfelt.server.http.routes.houses import paytable_view
from openfelt.table.void_reasons import VoidCode
from tests.kit.playthroughs.driver import Table, play
from tests.kit.playthroughs.parser import playthrough_files, read_playthrough

Plain = dict[str, Any]


def said() -> Plain:
    """Everything, by what it is."""
    lines: dict[str, Plain] = {}
    steps: dict[str, Plain] = {}
    for what, seat, draw in _rare_steps():
        _keep_step(steps, what, seat, draw=draw)
    for file in playthrough_files():
        for found_lines, found_steps, seat, draw in _replays(play(read_playthrough(file))):
            for line in found_lines:
                lines.setdefault(_kind_of_line(line), msgspec.to_builtins(line))
            for step in found_steps:
                _keep_step(steps, step.what, seat, draw=draw)
    catalog = load_catalog()
    views = [paytable_view(table) for table in catalog.paytables.values()]
    rows = [row for view in views for row in view.rows]
    return {
        "hands": sorted(hand_names()),
        # Those of paytables, and the hands with which a dealer of a draft may qualify.
        "labels": sorted({row.label for row in rows} | {category.words for category in Category}),
        "pays": sorted({pays for row in rows for pays in (row.pays, row.envy) if pays}),
        "notices": sorted({one for house in catalog.houses.values() for one in house.notices}),
        "lines": [lines[kind] for kind in sorted(lines)],
        "steps": [steps[kind] for kind in sorted(steps)],
    }


def hand_names() -> set[str]:
    """Every name that a hand can have, from every choice of five ranks, suited or not."""
    names = set()
    for ranks in combinations_with_replacement(Rank, 5):
        if max(ranks.count(rank) for rank in ranks) > 4:
            continue
        # Cards of one rank get suits in turn, and the last card never that of the first.
        suits = [Suit(ranks[:at].count(rank)) for at, rank in enumerate(ranks)]
        if len(set(ranks)) == 5:
            names.add(evaluate(Card.of(rank, Suit.CLUBS) for rank in ranks).name)
            suits[-1] = Suit.SPADES
        names.add(evaluate(map(Card.of, ranks, suits)).name)
    return names


# Golden rounds ---------------------------------------------------------------------


def _replays(
    table: Table,
) -> Iterator[tuple[list[LineView], list[sent.ReplayStep], int, bool]]:
    """The replay of a golden round, as each of its players sees it."""
    house = table.state.house
    record = [one for one in table.happenings if one.event is not None]
    closed = next(at for at, one in enumerate(record) if isinstance(one.event, BetsClosed))
    assert all(isinstance(one.event, WagersSet) for one in record[:closed])
    recorded = RecordedRound(
        table="golden",
        opened=record[closed - 1].state,
        events=tuple((one.event, 0) for one in record[closed:] if one.event is not None),
        commitments=(),
        bets_closed_version=closed,
    )
    for seat in sorted({spot.seat for spot in table.state.hands}):
        steps = replay_steps(recorded, seat=seat, player="ann")
        yield own_lines(steps), steps, seat, house.game is GameName.ULTIMATE_DRAW


def _kind_of_line(line: LineView) -> str:
    """What tells the sentences of lines apart: how it ended, and which values it has."""
    why = {key: value for key, value in msgspec.to_builtins(line.why).items() if value is not None}
    alike = why.get("hand") == why.get("dealer_hand")
    return f"{line.outcome} {line.result} {' '.join(sorted(why))} {alike}"


def _keep_step(steps: dict[str, Plain], what: sent.Happened, seat: int, *, draw: bool) -> None:
    plain = msgspec.to_builtins(what)
    told = {"seat": seat, "draw": draw, "what": plain, "text": sentence(what, seat=seat, draw=draw)}
    steps.setdefault(_kind_of_step(plain, seat, draw=draw), told)


def _kind_of_step(what: Plain, seat: int, *, draw: bool) -> str:
    """What tells the sentences of steps apart."""
    decision = what.get("decision") or {}
    net = what.get("net_cents", 0)
    parts = (
        what["kind"],
        what.get("lies"),
        what.get("seat") == seat,
        min(what.get("hand") or 0, 2),
        what.get("card") is None,
        decision.get("kind"),
        decision.get("by"),
        bool(decision.get("cards")),
        (net > 0) - (net < 0),
        what.get("code"),
        *(what.get(part) for part in ("irregularity", "about", "effect") if part in what),
        draw,
    )
    return " ".join(map(str, parts))


def _rare_steps() -> Iterator[tuple[sent.Happened, int, bool]]:
    """What no golden round has in it."""
    for draw in (False, True):
        for lies in ("dealer", "common"):
            for card in ("Th", None):
                yield sent.CardCorrected(lies=lies, position=2, card=card), 1, draw
    for seat, hand, card in ((1, 1, "Qs"), (2, 1, None), (3, 2, None)):
        yield sent.CardCorrected(lies="hand", seat=seat, hand=hand, position=1, card=card), 1, False
        yield sent.CardDealt(lies="hand", seat=seat, hand=hand, position=1, card=card), 1, False
    for seat, hand in ((2, 1), (3, 2)):
        yield sent.DecisionMade(seat=seat, hand=hand), 1, False
    floor = DecisionView(street="on_river", decision="fold", kind="fold", by="floor")
    yield sent.DecisionMade(seat=1, hand=1, decision=floor), 1, False
    for irregularity in Irregularity:
        yield _wrong(irregularity, About.DECK, Effect.VOID_ROUND), 1, False
    for effect in Effect:
        for about in About:
            yield _wrong(Irregularity.CARD_EXPOSED, about, effect), 1, about is About.COMMON
    for code in VoidCode:
        yield sent.RoundVoided(reason="As the record says.", code=code.value), 1, False
    for cents in (1250, -100_000, 0):
        yield sent.RoundSettled(net_cents=cents), 1, False


def _wrong(irregularity: Irregularity, about: About, effect: Effect) -> sent.IrregularityDeclared:
    seat = 1 if about in (About.HAND, About.CHIPS) else None
    return sent.IrregularityDeclared(
        irregularity=irregularity,
        about=about,
        effect=effect,
        clause="R.37",
        seat=seat,
        hand=seat,
        card="Th" if effect in TAKES_CARD else None,
    )


# The file --------------------------------------------------------------------------


def text() -> str:
    """The file, with one thing on each line so that a change can be read."""
    parts = []
    for name, values in said().items():
        rows = ",\n".join(f"    {json.dumps(one, ensure_ascii=False)}" for one in values)
        parts.append(f"  {json.dumps(name)}: [\n{rows}\n  ]")
    return "{\n" + ",\n".join(parts) + "\n}\n"
