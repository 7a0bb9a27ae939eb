// The order in which cards that arrived together are dealt and turned over on the screen.

import type { PrivateView, RoundView } from "../protocol/messages";
import { fromFive } from "../ui/cards/drawSlots";

export type Faces = (string | null)[];

/** The cards on the screen. */
export interface Laid {
  round: string | null;
  /** Whether the common cards are laid out from spot 5 down. */
  fromFive: boolean;
  common: Faces;
  dealer: Faces;
  hands: Record<string, Faces>;
}

export interface RevealStep {
  /** The pause before the step. */
  waitMs: number;
  what: "deal" | "flop" | "turn" | "river" | "draw" | "dealer" | "hand";
  change: (laid: Laid) => Laid;
}

export const NOTHING_LAID: Laid = { round: null, fromFive: false, common: [], dealer: [], hands: {} };

const DEAL_MS = 110;
const TURN_MS = 150;
const PAUSE_MS = 420;
const DEALER_MS = 620;

/** All cards in the views. The private view knows more of the player's own hands. */
export function cardsOf(round: RoundView | null | undefined, own: PrivateView | null): Laid {
  if (!round) return NOTHING_LAID;
  const hands: Record<string, Faces> = {};
  for (const [spot, hand] of Object.entries(own?.hands ?? {})) hands[spot] = hand.cards;
  for (const [spot, hand] of Object.entries(round.hands)) hands[spot] ??= hand.cards;
  return {
    round: round.id,
    fromFive: fromFive(round),
    common: round.common,
    dealer: round.dealer,
    hands,
  };
}

function put(faces: Faces, at: number, card: string | null): Faces {
  const after = faces.slice();
  while (after.length < at) after.push(null);
  after[at] = card;
  return after;
}

function commonStep(at: number, draw: boolean): RevealStep["what"] {
  if (draw) return "draw";
  return at < 3 ? "flop" : at === 3 ? "turn" : "river";
}

/** The steps from the cards on the screen to those in the views. */
export function revealSteps(from: Laid, target: Laid, draw: boolean): RevealStep[] {
  const steps: RevealStep[] = [];
  const same = from.round === target.round;
  const before = same ? from : { ...NOTHING_LAID, round: target.round, fromFive: target.fromFive };
  if (!same) steps.push({ waitMs: 0, what: "deal", change: () => before });
  dealHands(steps, before, target);
  dealTo(steps, before.dealer, target.dealer, "dealer");
  if (target.fromFive) layFromFive(steps, before, target);
  else layCommon(steps, before, target);
  turnCommon(steps, before, target, draw);
  turnDealer(steps, before, target);
  turnHands(steps, before, target);
  return steps;
}

function dealHands(steps: RevealStep[], before: Laid, target: Laid): void {
  for (const [spot, cards] of Object.entries(target.hands)) {
    const lie = before.hands[spot]?.length ?? 0;
    cards.forEach((card, at) => {
      if (at < lie) return;
      steps.push({
        waitMs: DEAL_MS,
        what: "deal",
        change: (laid) => ({
          ...laid,
          hands: { ...laid.hands, [spot]: put(laid.hands[spot] ?? [], at, card) },
        }),
      });
    });
  }
}

function dealTo(steps: RevealStep[], before: Faces, target: Faces, to: "dealer"): void {
  target.forEach((_, at) => {
    if (at < before.length) return;
    // The dealer's cards are dealt face down, even if they are turned over right away.
    steps.push({
      waitMs: DEAL_MS,
      what: "deal",
      change: (laid) => ({ ...laid, [to]: put(laid[to], at, null) }),
    });
  });
}

/** Cards that are dealt face down first are laid before any card is turned over. */
function layCommon(steps: RevealStep[], before: Laid, target: Laid): void {
  target.common.forEach((card, at) => {
    if (at >= before.common.length && card === null) {
      steps.push(commonPut(at, null, DEAL_MS, "deal"));
    }
  });
}

/** Draw cards that come from spot 5 down: each is laid face down to the left of the others. */
function layFromFive(steps: RevealStep[], before: Laid, target: Laid): void {
  for (let count = before.common.length; count < target.common.length; count += 1) {
    steps.push({
      waitMs: DEAL_MS,
      what: "deal",
      change: (laid) => ({ ...laid, common: [null, ...laid.common] }),
    });
  }
}

function commonPut(at: number, card: string | null, waitMs: number, what: RevealStep["what"]) {
  return {
    waitMs,
    what,
    change: (laid: Laid) => ({ ...laid, common: put(laid.common, at, card) }),
  };
}

function turnCommon(steps: RevealStep[], before: Laid, target: Laid, draw: boolean): void {
  const shift = target.fromFive ? target.common.length - before.common.length : 0;
  target.common.forEach((card, at) => {
    if (card === null || before.common[at - shift] === card) return;
    const waitMs = !draw && at > 0 && at < 3 ? TURN_MS : draw && at > 0 ? TURN_MS * 2 : PAUSE_MS;
    steps.push(commonPut(at, card, waitMs, commonStep(at, draw)));
  });
}

function turnDealer(steps: RevealStep[], before: Laid, target: Laid): void {
  target.dealer.forEach((card, at) => {
    if (card === null || before.dealer[at] === card) return;
    steps.push({
      waitMs: at === 0 ? DEALER_MS : TURN_MS,
      what: "dealer",
      change: (laid) => ({ ...laid, dealer: put(laid.dealer, at, card) }),
    });
  });
}

function turnHands(steps: RevealStep[], before: Laid, target: Laid): void {
  for (const [spot, cards] of Object.entries(target.hands)) {
    const lay = before.hands[spot];
    if (!lay || lay.length < cards.length) continue;
    if (cards.every((card, at) => card === lay[at])) continue;
    steps.push({
      waitMs: TURN_MS,
      what: "hand",
      change: (laid) => ({ ...laid, hands: { ...laid.hands, [spot]: cards } }),
    });
  }
}
