// Why a wager ended as it did, in one sentence, and what a round came to.

import type { LineView } from "../protocol/messages";
import { maybe, t } from "./i18n.svelte";
import { chipMoney, money } from "./money";
import { capital, handWords, labelWords, paysWords, wagerWords } from "./vocabulary";

/** Which variant of an outcome's sentence its values need; most outcomes have only one. */
function form({ outcome, result, why }: LineView): string {
  if (outcome === "ante.not_qualified") return result;
  if (outcome === "envy.win") return why.seat == null ? "unseen" : "";
  if (why.winners != null) return "shared";
  if (why.meter_cents != null) return "share";
  if (why.dealer_hand != null && why.hand == null) return "dealer";
  return why.hand != null && why.hand === why.dealer_hand ? "alike" : "";
}

function sentence(line: LineView): string {
  const { why } = line;
  const values = {
    hand: handWords(why.hand ?? ""),
    dealer: handWords(why.dealer_hand ?? ""),
    award: labelWords(why.award ?? ""),
    pays: paysWords(why.pays ?? ""),
    meter: money(why.meter_cents ?? 0),
    winners: why.winners ?? "",
    seat: why.seat ?? "",
  };
  const words =
    maybe(`why.${line.outcome}.${form(line)}`, values) ?? maybe(`why.${line.outcome}`, values);
  return words === null ? "" : capital(words);
}

/** Why a wager won, lost, pushed or was returned. */
export function outcomeWords(line: LineView): string {
  const { covered_cents: covered, aggregate_cents: limit } = line.why;
  if (limit != null) {
    const values = {
      wager: wagerWords(line.wager),
      limit: money(limit),
      amount: money(line.payout_cents),
    };
    return `${sentence(line)} ${t("why.aggregate", values)}`;
  }
  if (covered == null) return sentence(line);
  const key = line.result === "lose" ? "why.covered.lose" : "why.covered.win";
  return `${sentence(line)} ${t(key, { amount: money(covered) })}`;
}

/** The net result of a round. */
export function netWords(net: number): string {
  if (net > 0) return t("say.net_win", { amount: chipMoney(net) });
  if (net < 0) return t("say.net_loss", { amount: chipMoney(-net) });
  return t("say.net_even");
}
