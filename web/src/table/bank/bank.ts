// The bank of a cardroom table: the wager that is suggested, and the names of bankers.

import { t } from "../../words/i18n.svelte";
import type { Terminal } from "../terminal.svelte";

/**
 * The bank wager that is suggested: it covers the smallest hand of each other player, and is never
 * all that the player has unless the least bank wager is.
 */
export function suggestedBankWager(table: { least: number; most: number; others: number }): number {
  const { least, most, others } = table;
  const enough = least * Math.max(1, others);
  return Math.min(enough, Math.max(least, Math.floor(most / 2 / 100) * 100));
}

/** The name of a seat: "You", or its number, marked if it is a computer player. */
export function seatName(seat: number, { seat: own, link }: Pick<Terminal, "seat" | "link">): string {
  if (seat === own) return t("bank.you");
  const computer = link.public?.computer_seats.includes(seat) ?? false;
  return t(computer ? "seat.number_computer" : "seat.number", { number: seat });
}

/** Who banks the next round. */
export function nextBankerName(terminal: Pick<Terminal, "seat" | "link" | "banks">): string {
  const next = terminal.link.public?.banks_next ?? null;
  if (next === null) return "–";
  return next === terminal.seat && terminal.banks ? t("bank.you_again") : seatName(next, terminal);
}
