// Whether the player can deal, and if not, why not.

import { t } from "../../words/i18n.svelte";
import type { Terminal } from "../terminal.svelte";

type Asked = Pick<Terminal, "link" | "bets" | "over">;

/** Whether DEAL can be pressed now. */
export function mayDeal({ link, bets }: Asked): boolean {
  return link.may("close_bets") && bets.betCents > 0;
}

/** What DEAL is waiting for; empty if it can be pressed or a round is in progress. */
export function dealWords(terminal: Asked, seconds: number): string {
  const { link, bets } = terminal;
  const clock = link.public?.clock ?? null;
  const closes = clock?.gives_time_for === "wagers" && !link.may("close_bets");
  if (closes && !terminal.over) return t("deal.comes_in", { count: seconds });
  if (!bets.open || mayDeal(terminal)) return "";
  if (bets.betCents === 0) return t(bets.canRepeat ? "deal.bet_again" : "deal.bet_first");
  return closes ? t("deal.comes_in", { count: seconds }) : t("deal.by_dealer");
}
