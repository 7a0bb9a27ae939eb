// The bank of a cardroom table: the banker's result, and the names of bankers.

import type { HandView } from "../../protocol/messages";
import { t } from "../../words/i18n.svelte";
import type { Terminal } from "../terminal.svelte";

/** The bank's net result against a hand; negative if the bank pays. */
export function bankNet(hand: Pick<HandView, "lines">): number {
  return hand.lines.reduce(
    (sum, line) => sum + line.stake_cents - line.returned_cents - line.payout_cents,
    0,
  );
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
