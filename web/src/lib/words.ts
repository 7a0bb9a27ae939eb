// What the server says in codes or in English, in the player's language.

import { corner, parts } from "./cards";
import { maybe, t, type MessageKey } from "./i18n.svelte";
import { chipMoney } from "./money";
import { settings } from "./settings.svelte";

/** A card in words: "king of spades". */
export function cardWords(card: string | null | undefined): string {
  if (!card) return t("card.face_down");
  const { rank, suit } = parts(card);
  return t("card.words", {
    rank: maybe(`rank.${rank}`) ?? corner(rank),
    suit: t(`suit.${suit}` as MessageKey),
  });
}

export function cardsWords(cards: readonly (string | null)[]): string {
  return cards.map(cardWords).join(", ");
}

const RANK_LETTERS: Record<string, string> = {
  two: "2", three: "3", four: "4", five: "5", six: "6", seven: "7", eight: "8", nine: "9",
  ten: "T", jack: "J", queen: "Q", king: "K", ace: "A",
};

function letterOf(word: string): string {
  const lower = word.toLowerCase();
  const single = lower === "sixes" ? "six" : lower.replace(/s$/, "");
  return RANK_LETTERS[lower] ?? RANK_LETTERS[single] ?? "?";
}

const PATTERNS: readonly [RegExp, MessageKey][] = [
  [/^Royal flush$/, "made.royal_flush"],
  [/^Straight flush, (\w+) high$/, "made.straight_flush"],
  [/^Four of a kind, (\w+)$/, "made.four_of_a_kind"],
  [/^Full house, (\w+) over (\w+)$/, "made.full_house"],
  [/^Flush, (\w+) high$/, "made.flush"],
  [/^Straight, (\w+) high$/, "made.straight"],
  [/^Three of a kind, (\w+)$/, "made.three_of_a_kind"],
  [/^Two pair, (\w+) and (\w+)$/, "made.two_pair"],
  [/^Pair of (\w+)$/, "made.pair"],
  [/^(\w+) high$/, "made.high_card"],
];

/** A hand as the dealer announces it, in the player's language. */
export function madeWords(made: string | null | undefined): string {
  if (!made || settings.language === "en") return made ?? "";
  for (const [pattern, key] of PATTERNS) {
    const match = pattern.exec(made);
    if (!match) continue;
    const several = /pair|kind|house/.test(key);
    const rank = (word: string | undefined) =>
      word ? (maybe(`${several ? "ranks" : "rank"}.${letterOf(word)}`) ?? word) : "";
    return t(key, { first: rank(match[1]), second: rank(match[2]) });
  }
  return made;
}

export function wagerWords(kind: string): string {
  return maybe(`wager.${kind}`) ?? kind.replaceAll("_", " ");
}

/** A row of a paytable. */
export function labelWords(label: string): string {
  return maybe(`label.${label.toLowerCase()}`) ?? label;
}

export function paysWords(pays: string): string {
  return settings.language === "en" ? pays : pays.replace(/ to /, ` ${t("pays.to")} `);
}

/** A notice of the house. Those of the catalog are translated; an operator's own stay as written. */
export function noticeWords(notice: string): string {
  return maybe(`notice.${notice.toLowerCase().replace(/\.$/, "")}`) ?? notice;
}

/** Why something was refused: our own words for it, or the server's sentence. */
export function refusalWords(code: string | null | undefined, sentence: string | null | undefined): string {
  if (settings.language === "en" && sentence) return sentence;
  return maybe(`refused.${code ?? ""}`) ?? sentence ?? t("refused.other");
}

/** A decision of the record, such as "bet 4x" or "hold Ks Kd". */
export function decisionWords(decision: string): string {
  const bet = /^bet (\d+)x$/.exec(decision);
  if (bet) return t("decision.bet", { multiple: bet[1] ?? "" });
  const hold = /^hold (.+)$/.exec(decision);
  if (hold?.[1] === "nothing") return t("decision.hold_none");
  if (hold) return t("decision.hold", { cards: hold[1] ?? "" });
  return maybe(`decision.${decision}`) ?? decision;
}

/** What the clock does to a hand at its end. */
export function clockWords(decision: string | null | undefined): string {
  if (decision?.startsWith("hold")) return t("clock.house_way");
  return decision === "fold" ? t("clock.folds") : t("clock.checks");
}

/** "Minimum $10, maximum $100", or "always $1" where there is one size only. */
export function limitWords(limits: { min_cents: number; max_cents: number }): string {
  const values = { min: chipMoney(limits.min_cents), max: chipMoney(limits.max_cents) };
  return limits.min_cents === limits.max_cents ? t("limits.fixed", values) : t("limits.range", values);
}
