import { afterEach, beforeEach, expect, it } from "vitest";
import { settings } from "../../app/settings.svelte";
import type { HandView, OwnHandView, ReplayStep, RoundView } from "../../protocol/messages";
import type { FrozenView } from "../../protocol/frozenRound";
import { legendOf } from "./legend";

const hand: HandView = {
  seat: 5,
  hand: 1,
  wagers: [
    { kind: "ante", cents: 1000, for_dealer: false },
    { kind: "ante", cents: 500, for_dealer: true },
  ],
  cards: ["As", "Ah"],
  made: "Pair of aces",
  decisions: [
    { street: "before_flop", decision: "check", kind: "check", by: "clock" },
    { street: "on_flop", decision: "bet 2x", kind: "bet", multiple: 2, by: "player" },
  ],
  due: false,
  ante_returned: false,
  void: false,
  fouled: false,
  lines: [
    {
      wager: "ante",
      for_dealer: false,
      stake_cents: 1000,
      returned_cents: 1000,
      payout_cents: 1000,
      result: "win",
      outcome: "ante.win",
      why: {},
      clause: "W.9",
      because: "Pair of aces beats the dealer's pair of kings.",
    },
  ],
  net_cents: 1000,
};

const round: RoundView = {
  number: 3,
  id: "live-1/3",
  phase: "over",
  common: ["2c", "3d"],
  dealer: ["Kc", "Kd"],
  dealer_made: "Pair of kings",
  hands: { "2.1": { ...hand, seat: 2, wagers: [], decisions: [], lines: [], net_cents: null, made: null, void: true }, "5.1": hand },
  hands_in_play: 2,
  hands_waited_for: 0,
  irregularities: [],
};

function view(more: Partial<RoundView> = {}): FrozenView {
  const own = { "5.1": hand as unknown as OwnHandView };
  const step = (at_ms: number, what: ReplayStep["what"], text: string): ReplayStep => ({ what, text, at_ms, public: { ...round, ...more }, own });
  return {
    seat: 5,
    player: "ann",
    steps: [
      step(Date.UTC(2026, 0, 1, 12), { kind: "bets_closed" }, "No more bets."),
      step(Date.UTC(2026, 0, 1, 12, 0, 5), { kind: "round_settled", net_cents: 1000 }, "The round is settled."),
    ],
  };
}

beforeEach(() => (settings.language = "es"));
afterEach(() => (settings.language = "en"));

it("every line of a picture is said in the reader's language", () => {
  expect(legendOf(view(), false)).toEqual({
    parts: [
      { title: "Mano del crupier: Pareja de reyes", lines: [] },
      { title: "Cartas comunes", lines: [] },
      {
        title: "5.1 · Mano 1: Pareja de ases",
        lines: [
          "Apuestas: Ante $10.00, Ante (para el crupier) $5.00",
          "Antes del flop: Pasó (por el reloj)",
          "En el flop: Jugó 2x",
          "Ante: Gana, apuesta $10.00, devuelto $10.00, pagado $10.00 (W.9)",
          "Neto: $10.00",
        ],
      },
      { title: "2.1 · Asiento 2", lines: ["Anulada"] },
    ],
    steps: [
      { time: "2026-01-01 12:00:00", words: "No va más." },
      { time: "2026-01-01 12:00:05", words: "La ronda está pagada. Usted gana $10." },
    ],
  });
});

it("a void round says why, and a hall lists as many hands as its picture", () => {
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`${at + 1}.1`, { ...hand, seat: at + 1 }]));
  const { parts } = legendOf(view({ void_reason: "The shuffler failed.", void_code: "malfunction", hands: many }), false);
  expect(parts.at(-1)?.lines).toEqual(["avería"]);
  expect(parts).toHaveLength(2 + 1 + 14 + 1);
});

it("a seat that saw nothing has nothing to say", () => {
  expect(legendOf({ seat: 5, player: "ann", steps: [] }, true)).toEqual({ parts: [], steps: [] });
});
