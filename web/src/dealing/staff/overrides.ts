// What a supervisor may approve at the dealer's terminal, and when each act is possible.

import type { PrivateView, RoundView } from "../../protocol/messages";

/** A kind of command that the dealer gives with a supervisor's approval. */
export type Override = "void_round" | "correct_card" | "reopen_bets";

/** The reasons of the floor, as the record keeps them; screens translate their codes. */
export const VOID_REASONS = [
  { code: "misdeal", sentence: "Misdeal." },
  { code: "malfunction", sentence: "Malfunction." },
] as const;

/** The acts that need a supervisor now. What the dealer may do alone is not among them. */
export function overrides(round: RoundView | null, own: PrivateView | null): Override[] {
  if (!round || !own || round.phase === "settled" || round.phase === "voided") return [];
  const acts: Override[] = [];
  if (!own.may.includes("void_round")) acts.push("void_round");
  // Touching a card begins a correction; a supervisor then approves what it becomes.
  if (!own.may.includes("correct_card") && hasCards(round)) acts.push("correct_card");
  const closed = round.phase === "playing" && round.step === "card" && !hasCards(round);
  if (closed && !own.may.includes("reopen_bets")) acts.push("reopen_bets");
  return acts;
}

function hasCards(round: RoundView): boolean {
  const hands = Object.values(round.hands).some((hand) => hand.cards.length > 0);
  return hands || round.dealer.length > 0 || round.common.length > 0;
}
