// The one thing that a dealer does next, from what the server says of the table.

import type { PrivateView, PublicView, RoundView } from "../protocol/messages";

/** Where a card goes, or which cards are turned over. */
export interface Place {
  lies: "hand" | "dealer" | "common";
  /** The hand's name, such as `3.1`; null for the other places, and for all hands together. */
  spot: string | null;
  /** The number of the card; null where all cards of the place are meant. */
  position: number | null;
}

export type NextStep =
  /** The dealer is not signed on at this table. */
  | { kind: "sign_on" }
  /** Another dealer is. */
  | { kind: "taken"; dealer: string }
  /** `pay` if the chips of the last round are still to be taken and paid. */
  | { kind: "open_bets"; pay: boolean }
  | { kind: "bank" }
  | { kind: "close_bets"; bets: number }
  | { kind: "card"; place: Place }
  /** Cards of the place are turned from one number to another; null where all of them are. */
  | { kind: "turn"; place: Place; cards: { from: number; to: number } | null }
  | { kind: "decisions"; waiting: number }
  | { kind: "seeds" }
  /** `pay` if chips are then taken and paid on the felt. */
  | { kind: "confirm"; pay: boolean }
  /** The floor has been called, and everything waits. */
  | { kind: "hold" }
  | { kind: "closed" }
  | { kind: "paused" }
  | { kind: "stopped"; sentence: string };

const PLACE = /^(?:hand(?: (\d+\.\d+))?|dealer|common)(?: card (\d+))?$/;

/** A place by the name that the server gives it: `hand 3.1 card 2`, `dealer`, `common card 5`. */
export function readPlace(name: string): Place {
  const match = PLACE.exec(name);
  if (!match) throw new Error(`no place of a card: ${name}`);
  const lies = name.startsWith("hand") ? "hand" : name.startsWith("dealer") ? "dealer" : "common";
  return { lies, spot: match[1] ?? null, position: match[2] ? Number(match[2]) : null };
}

/** The name that the server gives a place of one card. */
export function placeName({ lies, spot, position }: Place): string {
  return `${lies}${spot ? ` ${spot}` : ""} card ${position ?? 1}`;
}

/** Whether two places are the same. */
export function same(place: Place | null, other: Place | null): boolean {
  return place !== null && other !== null && placeName(place) === placeName(other);
}

/** Whether two cards lie in one hand, in which their order means nothing. */
export function inOneHand(place: Place, other: Place): boolean {
  return place.lies === other.lies && place.spot === other.spot && place.lies !== "common";
}

/** Whether the hands lie on the felt; those of a stadium lie at the terminals, which pay them. */
/** Which cards of the board are turned next; null where the cards of a place are turned together. */
function turned({ step_place, step_up_to, common }: RoundView): { from: number; to: number } | null {
  if (step_place !== "common" || step_up_to == null) return null;
  return { from: common.filter((card) => card !== null).length + 1, to: step_up_to };
}

function onFelt(round: RoundView): boolean {
  return Object.keys(round.hands).length > 0;
}

/** What the dealer does next. `own` holds the name of the dealer and what the dealer may do. */
export function nextStep(table: PublicView, own: PrivateView): NextStep {
  if (table.stopped) return { kind: "stopped", sentence: table.stopped };
  const round = table.round ?? null;
  const over = round === null || round.phase === "settled" || round.phase === "voided";
  if (over && table.phase === "paused") return { kind: "paused" };
  if (over && table.phase !== "open") return { kind: "closed" };
  if (!table.dealer) return { kind: "sign_on" };
  // Only the dealer of a table is offered steps of it, so the names need not be compared.
  if (!own.may.some((kind) => STEPS.has(kind)) && !own.may.includes("change_dealer")) {
    return { kind: "taken", dealer: table.dealer };
  }
  if (table.hold) return { kind: "hold" };
  if (over) {
    return table.bank_offered_to != null || table.banks_next != null
      ? { kind: "bank" }
      : { kind: "open_bets", pay: round?.phase === "settled" && onFelt(round) };
  }
  if (round.phase === "wagering") return { kind: "close_bets", bets: round.hands_in_play };
  switch (round.step) {
    case "card":
      if (!own.may.includes("deal_card") && table.seeds && !table.seeds.fixed) {
        return { kind: "seeds" };
      }
      return { kind: "card", place: readPlace(round.step_place ?? "") };
    case "turn":
      return { kind: "turn", place: readPlace(round.step_place ?? ""), cards: turned(round) };
    case "decisions":
      return { kind: "decisions", waiting: round.hands_waited_for };
    default:
      return { kind: "confirm", pay: onFelt(round) };
  }
}

const STEPS = new Set(["resume_play", "open_bets", "close_bets", "deal_card", "turn_cards", "confirm"]);

/** The card at a place as the dealer may see it; null where it lies face down. */
export function cardAt(round: RoundView | null, { lies, spot, position }: Place): string | null {
  const lying = lies === "hand" ? round?.hands[spot ?? ""]?.cards : round?.[lies];
  return lying?.[(position ?? 1) - 1] ?? null;
}
