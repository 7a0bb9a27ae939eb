"""The figures of real play as one answer."""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from openfelt.cards import Category
from openfelt.maths.fairness.bands import CONFIDENCE
from openfelt.maths.fairness.dealt_hands import (
    even,
    fit,
    five_card_chances,
    seven_card_chances,
)
from openfelt.maths.fairness.shuffle_counts import CELL_TESTS, FEW, MEAN_TESTS
from openfelt.maths.shuffle_statistics import DECKS_MIN, suite_p_value
from openfelt.protocol.fairness_forms import (
    DealtFairness,
    FairnessPoint,
    FairnessView,
    PlayerFairness,
    ShuffleTest,
    SubjectKind,
    WagerFairness,
)
from openfelt.rules.house import GameName
from openfelt.server.supervision.real_play.fairness_watch import HOUSE, FairnessWatch, Subject
from openfelt.server.supervision.real_play.subject_figures import SubjectFigures, WagerSeries
from openfelt.server.supervision.real_play.wager_odds import GAMES

LEVEL: Final = 1 - CONFIDENCE
PLAYERS_LISTED: Final = 10
_KINDS: Final[tuple[SubjectKind, ...]] = ("house", "table", "dealer")


def fairness_view(watch: FairnessWatch) -> FairnessView:
    """Everything that has been counted; blocks while the watch counts."""
    with watch.lock:
        subjects = sorted(watch.subjects.items(), key=lambda item: _order(item[0]))
        wagers = [row for subject, figures in subjects for row in _wagers(subject, figures)]
        dealt = [row for subject, figures in subjects for row in _dealt(subject, figures)]
        house_figures = watch.subjects.get(HOUSE)
        results = watch.shuffles.results()
        return FairnessView(
            at_ms=watch.clock.wall_ms(),
            since_ms=house_figures.since_ms if house_figures else None,
            rounds=house_figures.rounds if house_figures else 0,
            behind=watch.behind,
            unreadable=sorted(watch.unreadable),
            wagers=wagers,
            dealt=dealt,
            decks=watch.shuffles.decks,
            terminal_decks=watch.terminal_decks,
            shuffles=list(_shuffles(watch)),
            shuffles_p_value=suite_p_value(results) if results else None,
            players=_players(watch),
            comparisons=sum(row.basis is not None for row in wagers)
            + sum(row.p_value is not None for row in dealt),
        )


def series_points(watch: FairnessWatch, subject: Subject, wager: str) -> list[FairnessPoint]:
    """The course of a wager with its band, the present moment last."""
    with watch.lock:
        figures = watch.subjects.get(subject)
        series = figures.wagers.get(wager) if figures else None
        if series is None or not series.rounds:
            return []
        points = [(point.rounds, point.win_cents, point.spread) for point in series.points]
        if not points or points[-1][0] != series.rounds:
            points.append((series.rounds, series.win_cents, series.spread.copy()))
    return [
        FairnessPoint(
            rounds=rounds,
            win_cents=win_cents,
            expected_cents=round(spread.expected_cents),
            reach_cents=round(spread.reach_cents()),
        )
        for rounds, win_cents, spread in points
    ]


def _order(subject: Subject) -> tuple[int, str]:
    return ("house", "table", "dealer").index(subject[0]), subject[1]


def _kind(subject: Subject) -> SubjectKind:
    return next(kind for kind in _KINDS if kind == subject[0])


def _wagers(subject: Subject, figures: SubjectFigures) -> Iterator[WagerFairness]:
    for wager, series in sorted(figures.wagers.items(), key=_games_first):
        p_value = series.p_value
        yield WagerFairness(
            kind=_kind(subject),
            name=subject[1],
            wager=wager,
            basis=series.basis,
            unknown=series.unknown,
            left_out=series.left_out,
            rounds=series.rounds,
            hands=series.hands,
            stakes_cents=series.stakes_cents,
            win_cents=series.win_cents,
            expected_cents=round(series.spread.expected_cents),
            reach_cents=_reach(series),
            p_value=p_value,
            flagged=p_value < LEVEL,
        )


def _games_first(item: tuple[str, WagerSeries]) -> tuple[int, str]:
    wager, games = item[0], tuple(GAMES.values())
    return games.index(wager) if wager in games else len(games), wager


def _reach(series: WagerSeries) -> int:
    return round(series.spread.reach_cents()) if series.rounds else 0


def _dealt(subject: Subject, figures: SubjectFigures) -> Iterator[DealtFairness]:
    hands = figures.hands
    holdem = hands.dealers.get(GameName.ULTIMATE_HOLDEM, Counter[Category]())
    draw = hands.dealers.get(GameName.ULTIMATE_DRAW, Counter[Category]())
    for test, rounds, p_value in (
        ("dealer_hands", sum(holdem.values()), fit(holdem, seven_card_chances())),
        ("draw_dealer_hands", sum(draw.values()), fit(draw, five_card_chances())),
        ("boards", hands.boards.total(), fit(hands.boards, five_card_chances())),
        ("first_hand", hands.wins + hands.losses, even(hands.wins, hands.losses)),
    ):
        if rounds:
            yield DealtFairness(
                kind=_kind(subject),
                name=subject[1],
                test=test,  # type: ignore[arg-type]
                rounds=rounds,
                p_value=p_value,
                flagged=p_value is not None and p_value < LEVEL,
            )


def _shuffles(watch: FairnessWatch) -> Iterator[ShuffleTest]:
    results = {result.test: result for result in watch.shuffles.results()}
    for names, decks_min in ((("duplicates",), 1), (MEAN_TESTS, FEW), (CELL_TESTS, DECKS_MIN)):
        for name in names:
            result = results.get(name)
            yield ShuffleTest(
                test=name,
                p_value=result.p_value if result else None,
                decks_min=decks_min,
                flagged=result is not None and result.rejected,
            )


def _players(watch: FairnessWatch) -> list[PlayerFairness]:
    rows = [
        PlayerFairness(
            player=player,
            rounds=evidence.rounds,
            wins_one_in=evidence.wins.one_in,
            follows_one_in=evidence.follows_one_in,
        )
        for player, evidence in watch.players.players.items()
    ]
    rows.sort(key=lambda row: -max(row.wins_one_in, row.follows_one_in))
    return rows[:PLAYERS_LISTED]
