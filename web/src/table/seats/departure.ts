// What happens to a player's wagers, seat and credit on leaving in the middle of a round.

import { t } from "../../words/i18n.svelte";
import { money } from "../../words/money";
import type { Terminal } from "../terminal.svelte";

interface DepartureWords {
  title: string;
  lines: string[];
}

/** First what happens to the wagers, then where the money stays. */
export function departureWords(terminal: Terminal): DepartureWords {
  const seen = terminal.link.public;
  const amount = money(terminal.link.private?.credit_cents ?? 0);
  if (terminal.link.may("leave_seat")) {
    return { title: t("leave.over"), lines: [t("leave.over.words", { amount })] };
  }
  const round = seen?.round ?? null;
  const betting = round?.phase === "wagering";
  const banks = terminal.seat !== null && round?.banker_seat === terminal.seat;
  const kept = t(seen?.private ? "leave.kept.own" : "leave.kept", { amount });
  if (banks) return { title: t("leave.title"), lines: [t("leave.bank"), kept] };
  const clock = seen?.clock_rule != null;
  let happens: string;
  if (!clock) happens = t(betting ? "leave.waits.bets" : "leave.waits");
  else if (betting) happens = t("leave.clock.bets");
  else happens = t(terminal.draw ? "leave.clock.draw" : "leave.clock");
  return { title: t(betting ? "leave.title.bets" : "leave.title"), lines: [happens, kept] };
}
