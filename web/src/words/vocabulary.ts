// The server's codes and names in the player's language.

import { settings } from "../app/settings.svelte";
import { corner, parts, RANKS } from "../protocol/cards";
import { ApiError } from "../protocol/api";
import type { DecisionView } from "../protocol/messages";
import en from "./en.json";
import { fill, maybe, t, type MessageKey } from "./i18n.svelte";
import { chipMoney } from "./money";

/** Capitalize the first letter. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

// Cards and hands ------------------------------------------------------------------------

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

const SIGNS = { c: "♣", d: "♦", h: "♥", s: "♠" };

/** Cards in short form: "K♠ 10♥". */
function cardSigns(cards: readonly string[]): string {
  return cards
    .map(parts)
    .map(({ rank, suit }) => `${corner(rank)}${SIGNS[suit]}`)
    .join(" ");
}

/** Which word form each kind of hand uses for its ranks: singular, plural or "high". */
const CATEGORIES = {
  royal_flush: "rank",
  straight_flush: "high",
  four_of_a_kind: "ranks",
  full_house: "ranks",
  flush: "high",
  straight: "high",
  three_of_a_kind: "ranks",
  two_pair: "ranks",
  pair: "ranks",
  high_card: "rank",
} as const;

type Category = keyof typeof CATEGORIES;
type Say = (key: string, values?: Record<string, string>) => string;

function handName(say: Say, category: Category, first: string, second: string): string {
  const group = CATEGORIES[category];
  return say(`made.${category}`, {
    first: say(`${group}.${first}`),
    second: say(`${group}.${second}`),
  });
}

/** Every hand by the server's name for it, which is English. */
const HANDS = new Map<string, [Category, string, string]>();
const inEnglish: Say = (key, values = {}) => fill((en as Record<string, string>)[key] ?? key, values);
for (const category of Object.keys(CATEGORIES) as Category[]) {
  for (const first of RANKS) {
    for (const second of RANKS) {
      const name = capital(handName(inEnglish, category, first, second));
      HANDS.set(name, [category, first, second]);
    }
  }
}

/** A hand within a sentence. */
export function handWords(made: string): string {
  const hand = HANDS.get(made);
  return hand ? handName((key, values) => maybe(key, values) ?? key, ...hand) : made;
}

/** A hand as the dealer announces it. */
export function madeWords(made: string | null | undefined): string {
  return made ? capital(handWords(made)) : "";
}

// Wagers and paytables -------------------------------------------------------------------

export function wagerWords(kind: string): string {
  return maybe(`wager.${kind}`) ?? kind.replaceAll("_", " ");
}

/** A row of a paytable. */
export function labelWords(label: string): string {
  return maybe(`label.${label.toLowerCase()}`) ?? label;
}

const PAYS: readonly [RegExp, MessageKey][] = [
  [/^([\d,]+) to ([\d,]+)$/, "pays.to"],
  [/^([\d,]+) for ([\d,]+)$/, "pays.for"],
  [/^(.+) of the meter$/, "pays.meter"],
];

/** What a paytable pays: "50 to 1", "9 for 1", "10% of the meter". */
export function paysWords(pays: string): string {
  for (const [pattern, key] of PAYS) {
    const match = pattern.exec(pays);
    if (match) return t(key, { pays: match[1] ?? "", per: match[2] ?? "" });
  }
  return pays;
}

/** "$10 to $100", or "Always $1" if only one amount is allowed. */
export function limitWords(limits: { min_cents: number; max_cents: number }): string {
  const values = { min: chipMoney(limits.min_cents), max: chipMoney(limits.max_cents) };
  return limits.min_cents === limits.max_cents ? t("limits.fixed", values) : t("limits.range", values);
}

/** The most that all wagers of a kind are paid in a round; empty without such a limit. */
export function aggregateWords(rule: { kind: string; payout_aggregate_cents?: number | null }): string {
  const cents = rule.payout_aggregate_cents ?? null;
  if (cents === null) return "";
  return t("limits.aggregate", { wager: wagerWords(rule.kind), limit: chipMoney(cents) });
}

/** What a return figure is about. */
export function returnWords(row: { of: string; measure: string }): string {
  const wager = row.of === "game" ? t("returns.game") : wagerWords(row.of);
  return row.measure === "advantage" ? t("returns.advantage", { wager }) : wager;
}

/** A return figure with its basis: "99.47% of everything staked". */
export function basisWords({ value, basis }: { value: string; basis?: string | null }): string {
  return t(`returns.basis.${basis ?? "none"}` as MessageKey, { value });
}

/** A notice of the house. The catalog's are translated; an operator's own stay as written. */
export function noticeWords(notice: string): string {
  return maybe(`notice.${notice.toLowerCase().replace(/\.$/, "")}`) ?? notice;
}

/** Why a house departs from its document. Openfelt's own reason is translated, others are not. */
export function departureWords(reason: string): string {
  return maybe(`departure.${reason.toLowerCase().replace(/\.$/, "")}`) ?? reason;
}

// The table ------------------------------------------------------------------------------

/**
 * Why something was refused. The server's own sentence is more detailed, because it names the
 * amounts. It is in English, so other languages have their own words for each code.
 */
export function refusalWords(code: string | null | undefined, sentence: string | null | undefined): string {
  if (settings.language === "en" && sentence) return sentence;
  return maybe(`refused.${code ?? ""}`) ?? t("refused.other");
}

/** Why a request failed: the refusal, or the given words if there was no answer. */
export function errorWords(error: unknown, unanswered = t("offline.title")): string {
  return error instanceof ApiError ? refusalWords(error.code, error.message) : unanswered;
}

/** What a hand has decided. */
export function decisionWords({ kind, multiple, cards }: DecisionView): string {
  if (kind === "hold" && cards?.length === 0) return t("decision.hold_none");
  return t(`decision.${kind}` as MessageKey, {
    multiple: multiple ?? "",
    cards: cardSigns(cards ?? []),
  });
}

/** What happens to a hand when the clock runs out. */
export function clockWords(decision: string | null | undefined): string {
  if (decision?.startsWith("hold")) return t("clock.house_way");
  return decision === "fold" ? t("clock.folds") : t("clock.checks");
}

/** Why a round is void: one of the known reasons, or what staff have typed. */
export function voidWords(reason: string | null | undefined, code: string | null | undefined): string {
  const typed = (reason ?? "").replace(/\.+$/, "");
  return maybe(`void.${code ?? ""}`) ?? t("void.typed", { reason: typed });
}
