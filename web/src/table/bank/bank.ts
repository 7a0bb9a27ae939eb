// The names of the bankers of a cardroom table.

import { t } from "../../words/i18n.svelte";
import type { Terminal } from "../terminal.svelte";

/** The name of a seat: "You", or its number, marked if it is a house player. */
export function seatName(seat: number, { seat: own, link }: Pick<Terminal, "seat" | "link">): string {
  if (seat === own) return t("bank.you");
  const house = link.public?.house_seats.includes(seat) ?? false;
  return t(house ? "seat.number_house" : "seat.number", { number: seat });
}

/** Who banks the next round. */
export function nextBankerName(terminal: Pick<Terminal, "seat" | "link" | "banks">): string {
  const next = terminal.link.public?.banks_next ?? null;
  if (next === null) return "–";
  return next === terminal.seat && terminal.banks ? t("bank.you_again") : seatName(next, terminal);
}
