// The words of a frozen picture in another language, read from the same frozen view.

import type { DecisionView, HandView, OwnHandView } from "../../protocol/messages";
import { happenedWords } from "../../words/replay";
import { maybe, t } from "../../words/i18n.svelte";
import { money } from "../../words/money";
import { handPlace } from "../../words/places";
import { decisionWords, madeWords, voidWords, wagerWords } from "../../words/vocabulary";
import type { FrozenView } from "../../protocol/frozenRound";

/** The language of the words in every picture. */
export const PICTURE_LANGUAGE = "en";
/** How many steps a picture lists, the last ones. */
const STEPS_MAX = 40;
/** How many hands of others a picture draws. */
const HANDS_MAX = 14;

/** A part of the felt, with the lines that the picture has below it. */
interface LegendPart {
  title: string;
  lines: string[];
}

interface Legend {
  parts: LegendPart[];
  steps: { time: string; words: string }[];
}

/** What the picture of a view says, part by part and step by step. */
export function legendOf(view: FrozenView, draw: boolean): Legend {
  const steps = view.steps.slice(-STEPS_MAX).map((step) => ({
    time: new Date(step.at_ms).toISOString().slice(0, 19).replace("T", " "),
    words: happenedWords(step.what, { seat: view.seat, draw }),
  }));
  const last = view.steps.at(-1);
  if (!last) return { parts: [], steps };
  const { public: round, own } = last;
  const others = Object.entries(round.hands).filter(([spot]) => !(spot in own)).slice(0, HANDS_MAX);
  const parts = [
    { title: titled(t("dealer.hand"), round.dealer_made), lines: [] },
    { title: titled(t(draw ? "dealer.draw_cards" : "dealer.board"), round.common_made), lines: [] },
    ...[...Object.entries(own), ...others].map(([spot, hand]) => handPart(spot, hand, view.seat)),
  ];
  if (round.void_reason) parts.push({ title: t("history.void"), lines: [voidWords(round.void_reason, round.void_code)] });
  return { parts, steps };
}

function titled(title: string, made: string | null | undefined): string {
  return made ? `${title}: ${madeWords(made)}` : title;
}

/** A hand by the name that the picture gives it, such as 5.1, and its name in words. */
function handPart(spot: string, hand: HandView | OwnHandView, seat: number): LegendPart {
  const wagers = hand.wagers.map(({ kind, cents, for_dealer }) => `${wager(kind, for_dealer)} ${money(cents)}`);
  const lines = [
    ...(wagers.length ? [t("dispute.legend.wagers", { wagers: wagers.join(", ") })] : []),
    ...hand.decisions.map(decisionLine),
    ...hand.lines.map((line) =>
      t("dispute.legend.line", {
        wager: wager(line.wager, line.for_dealer),
        result: maybe(`result.${line.result}`) ?? line.result,
        stake: money(line.stake_cents),
        returned: money(line.returned_cents),
        paid: money(line.payout_cents),
        clause: line.clause,
      }),
    ),
    ...(hand.net_cents == null ? [] : [t("dispute.legend.net", { amount: money(hand.net_cents) })]),
    ...(hand.void ? [t("hand.void")] : hand.fouled ? [t("hand.fouled")] : []),
  ];
  return { title: titled(`${spot} · ${handPlace(hand.seat, hand.hand, seat)}`, hand.made), lines };
}

function wager(kind: string, forDealer: boolean): string {
  return forDealer ? `${wagerWords(kind)} (${t("deal.for_dealer")})` : wagerWords(kind);
}

function decisionLine(decision: DecisionView): string {
  const street = maybe(`coach.street.${decision.street}`) ?? decision.street;
  const by = decision.by === "clock" || decision.by === "floor" ? ` (${t(`hand.by_${decision.by}`)})` : "";
  return `${street}: ${decisionWords(decision)}${by}`;
}
