// Checks a round's fairness proof in the browser, without asking the server that made it.
//
//     leaf = SHA-256(0x00 ‖ round id ‖ deck name ‖ index ‖ card ‖ salt)
//     node = SHA-256(0x01 ‖ left ‖ right)
//     root = SHA-256(0x02 ‖ count ‖ top)
//
// Every part of a leaf is prefixed with its length in four bytes, big-endian. In a round with
// seeds (versions 2 and 3), position k of a deck comes from its leaf pi(k); see seeds.ts.

import type {
  AnyProofForm,
  CardProofForm,
  DealtCardForm,
  PassedCardForm,
  RoundSeedsForm,
  ScannedCardForm,
  SeededProofForm,
} from "../protocol/forms";
import { bytesOf, fourBytes, hexOf, withLengths } from "./bytes";
import { ownProblem, unusedSeed, type OwnRound, type Unused } from "./own/ownRound";
import { dealingPlan, inDealingOrder, TABLE_DECK, type Place } from "./plan";
import {
  mixedSeeds,
  permutation,
  roundSeeds,
  seedCommitment,
  seedsDigest,
  type RoundSeeds,
} from "./seeds";
import { sha256 } from "./sha256";

/** What is wrong with a proof. */
export type ProofProblem =
  | { what: "format" }
  | { what: "list" }
  | { what: "commitment"; deck: string }
  | { what: "seeds"; seat: number | null }
  | { what: "seat"; seat: number }
  | { what: "scanned" }
  | { what: "order"; deck: string }
  | { what: "card"; card: DealtCardForm; draw: boolean }
  | { what: "passed"; deck: string }
  | { what: "own_root"; deck: string }
  | { what: "own_seed" }
  | { what: "own_digest" }
  | { what: "own_card"; shown: string }
  | { what: "other_round" }
  | { what: "missing" };

export interface Checked {
  ok: boolean;
  cards: number;
  hidden: number;
  /** How many players' seeds decided the order; null in a round without seeds. */
  seeds: number | null;
  withheld: number;
  /** Why a proof that holds is of a round without the terminal's own seed; null if it was used. */
  unused: Unused | null;
  /** Null if the proof holds. */
  problem: ProofProblem | null;
}

/** What is known of a proof beside the proof itself. */
export interface Asked {
  /** The round that was asked for. */
  table?: string;
  number?: number;
  /** The rules of the table, where they are known. */
  house?: { seats: number; bank: string } | null;
}

/** The included houses in which no player banks, for proofs whose rules are not at hand. */
const UNBANKED = ["draw", "online", "stadium", "washington"];
const FORMAT_1 = "openfelt.round_proof/1";
const FORMAT_2 = "openfelt.round_proof/2";
const FORMAT_3 = "openfelt.round_proof/3";
const SEED_LIST = "openfelt.round_seeds/1";
const DECK_CARDS = 52;

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);
const ROOT = Uint8Array.of(2);

/** Whether the deck with this root and size has the card at its index. */
export function verifyCard(
  root: string,
  roundId: string,
  deck: string,
  proof: CardProofForm,
  count: number,
): boolean {
  let at = proof.index;
  let size = count;
  if (!Number.isInteger(at) || at < 0 || at >= size) return false;
  const parts = [roundId, deck, String(at), proof.card, bytesOf(proof.salt)];
  let node = sha256(LEAF, ...withLengths(parts));
  const path = proof.path.map(bytesOf);
  while (size > 1) {
    if ((at ^ 1) < size) {
      const beside = path.shift();
      if (!beside) return false;
      node = at % 2 ? sha256(NODE, beside, node) : sha256(NODE, node, beside);
    }
    at = Math.floor(at / 2);
    size = Math.ceil(size / 2);
  }
  return path.length === 0 && hexOf(sha256(ROOT, fourBytes(count), node)) === root;
}

/** The size of a deck: without seeds, a terminal's own deck lacks the table's cards. */
function deckCount(proof: AnyProofForm, deck: string): number {
  if (proof.format !== FORMAT_1 || !deck.startsWith("seat-")) return DECK_CARDS;
  return DECK_CARDS - proof.cards.filter((dealt) => dealt.lies !== "hand").length;
}

function idOf(proof: AnyProofForm | RoundSeedsForm): string {
  return `${proof.table}/${proof.number}`;
}

/** Whether a proof needs the list of its round's seeds, which is a document of its own. */
export function lacksSeeds(proof: AnyProofForm): boolean {
  return proof.format === FORMAT_3 && proof.seeds.list === null;
}

/** A proof with the list of its seeds; unchanged if the list is of another round. */
export function withSeeds(proof: AnyProofForm, listed: RoundSeedsForm): AnyProofForm {
  const fits = listed.format === SEED_LIST && idOf(listed) === idOf(proof);
  if (proof.format !== FORMAT_3 || !fits) return proof;
  return { ...proof, seeds: { ...proof.seeds, list: listed.list } };
}

/** Check every revealed card of a round, and the seeds that decided its order. */
export function verifyRound(
  proof: AnyProofForm,
  own: OwnRound | null = null,
  asked: Asked = {},
): Checked {
  const shown = proof.cards.filter((dealt) => dealt.proof !== null);
  const seeds = roundSeeds(proof);
  const problem = firstProblem(proof, seeds, own, asked);
  const withheld = seeds?.seeds.filter(({ seed }) => seed === null).length ?? 0;
  return {
    ok: problem === null,
    cards: shown.length,
    hidden: proof.cards.length - shown.length,
    seeds: seeds ? seeds.seeds.length - withheld : null,
    withheld,
    unused: own && problem === null ? unusedSeed(proof, seeds, own) : null,
    problem,
  };
}

function firstProblem(
  proof: AnyProofForm,
  seeds: RoundSeeds | null,
  own: OwnRound | null,
  asked: Asked,
): ProofProblem | null {
  if (![FORMAT_1, FORMAT_2, FORMAT_3].includes(proof.format)) return { what: "format" };
  const { table = proof.table, number = proof.number } = asked;
  if (proof.table !== table || proof.number !== number) return { what: "other_round" };
  if (lacksSeeds(proof)) return { what: "list" };
  const plan = dealingPlan(proof);
  const order = new DealtOrder(proof, seeds);
  return (
    commitmentProblem(proof, plan) ??
    (seeds ? (seatProblem(proof, seeds, asked.house ?? null) ?? seedProblem(proof, seeds)) : null) ??
    scanProblem(proof, plan) ??
    planProblem(proof, plan) ??
    shownProblem(proof) ??
    cardProblem(proof, order) ??
    passedProblem(proof, plan, order) ??
    (own ? ownProblem(proof, seeds, own) : null)
  );
}

/** Whether a person dealt the dealer's and the common cards. */
function isLive(proof: AnyProofForm): proof is SeededProofForm {
  return proof.format === FORMAT_3 && proof.dealer === "live";
}

function passedOf(proof: AnyProofForm): readonly PassedCardForm[] {
  return proof.format === FORMAT_1 ? [] : proof.passed;
}

function scannedOf(proof: AnyProofForm): readonly ScannedCardForm[] {
  return proof.format === FORMAT_3 ? proof.scanned : [];
}

/** Each deck that cards come from has one root, published in time. */
function commitmentProblem(proof: AnyProofForm, plan: readonly Place[]): ProofProblem | null {
  const decks = new Set(plan.map(({ deck }) => deck));
  if (isLive(proof)) decks.delete(TABLE_DECK);
  const seen = new Set<string>();
  for (const commitment of proof.commitments) {
    const { deck, version } = commitment;
    const once = decks.has(deck) && !seen.has(deck);
    seen.add(deck);
    const first = "wager_version" in commitment ? commitment.wager_version : null;
    const inTime = first === null || (version < first && first < proof.bets_closed_version);
    if (!once || version >= proof.bets_closed_version || !inTime) {
      return { what: "commitment", deck };
    }
  }
  const missing = [...decks].find((deck) => !seen.has(deck));
  return missing === undefined ? null : { what: "commitment", deck: missing };
}

/** Only seats that played give seeds: those with hands, and the banker's, which no proof names. */
function seatProblem(
  proof: AnyProofForm,
  { seeds }: RoundSeeds,
  house: Asked["house"],
): ProofProblem | null {
  const beyond = seeds.find(({ seat }) => seat < 1 || (house && seat > house.seats));
  if (beyond) return { what: "seat", seat: beyond.seat };
  if (proof.deck !== "shared") return null;
  const played = new Set(proof.spots.map((spot) => Number(spot.split(".")[0])));
  const others = seeds.filter(({ seat }) => !played.has(seat));
  const banked = house ? house.bank === "player" : !UNBANKED.includes(proof.house);
  const extra = others[banked ? 1 : 0];
  return extra ? { what: "seat", seat: extra.seat } : null;
}

/** Every seed is the one that its seat was bound to before bets closed, and all were called. */
function seedProblem(proof: AnyProofForm, given: RoundSeeds): ProofProblem | null {
  const { seeds, digest, called, fixed, bound } = given;
  const closed = proof.bets_closed_version;
  const ofAll: ProofProblem = { what: "seeds", seat: null };
  let last = 0;
  for (const { seat, seed, commitment } of seeds) {
    const bound = seed === null || seedCommitment(idOf(proof), seat, seed) === commitment;
    if (seat <= last || !bound) return { what: "seeds", seat };
    last = seat;
  }
  if ((bound === null) !== (seeds.length === 0) || (bound ?? 0) >= closed) return ofAll;
  if (called === null) {
    if (digest !== null || (seeds.length > 0 && fixed !== null)) return ofAll;
  } else if (called <= closed || digest !== seedsDigest(idOf(proof), seeds)) {
    return ofAll;
  }
  if (given.mixed !== mixedSeeds(idOf(proof), seeds)) return ofAll;
  const dealtEarly = fixed === null ? proof.cards.length > 0 : fixed <= (called ?? closed);
  return dealtEarly ? ofAll : null;
}

/** A live dealer scanned every card of the table after bets closed and before the seeds. */
function scanProblem(proof: AnyProofForm, plan: readonly Place[]): ProofProblem | null {
  const scanned = scannedOf(proof);
  const ofTable = plan.filter(({ deck }) => deck === TABLE_DECK);
  if (!isLive(proof)) return scanned.length > 0 ? { what: "scanned" } : null;
  const { called_version: called, fixed_version: fixed } = proof.seeds;
  const complete = scanned.length === ofTable.length;
  const needed = proof.ended === "settled" || proof.cards.length > 0;
  const inOrder = scanned.every(
    ({ lies, position }, at) => lies === ofTable[at]?.lies && position === ofTable[at]?.position,
  );
  const inTime = scanned.every(
    ({ version }) =>
      version > proof.bets_closed_version &&
      version < (called ?? Infinity) &&
      version < (fixed ?? Infinity),
  );
  const dealt = scanned.flatMap(({ card }) => card ?? []);
  const final = scanned.flatMap(({ card, corrected }) => corrected ?? card ?? []);
  const different = [dealt, final].every((cards) => new Set(cards).size === cards.length);
  const opened = scanned.every(({ card, corrected }) => card !== null || corrected === null);
  const good =
    proof.deck === "per_terminal" && (complete || !needed) && inOrder && inTime && different;
  return good && opened ? null : { what: "scanned" };
}

/** Cards went to the places of the plan, each the next of its deck that was not passed over. */
function planProblem(proof: AnyProofForm, plan: readonly Place[]): ProofProblem | null {
  const places = isLive(proof) ? plan.filter(({ deck }) => deck !== TABLE_DECK) : plan;
  const { cards, spots } = proof;
  const tooFew = proof.ended === "settled" && cards.length < places.length;
  if (spots.length === 0 || !inDealingOrder(spots) || tooFew || cards.length > places.length) {
    return { what: "order", deck: TABLE_DECK };
  }
  const passed = new Map<string, Set<number>>();
  for (const { deck, index } of passedOf(proof)) {
    const before = passed.get(deck) ?? new Set();
    const last = cards.filter((card) => card.deck === deck).length + before.size;
    const rising = index > Math.max(-1, ...before);
    if (deck === TABLE_DECK || !rising || index >= last) return { what: "order", deck };
    passed.set(deck, before.add(index));
  }
  const next = new Map<string, number>();
  for (const [at, card] of cards.entries()) {
    const { lies, spot, position, deck } = places[at] as Place;
    let index = next.get(deck) ?? 0;
    while (passed.get(deck)?.has(index)) index += 1;
    next.set(deck, index + 1);
    const there = card.lies === lies && card.spot === spot && card.position === position;
    if (!there || card.deck !== deck || card.index !== index) return { what: "order", deck };
  }
  return null;
}

/** No common card of a settled round is missing, and a hand is shown whole or not at all. */
function shownProblem(proof: AnyProofForm): ProofProblem | null {
  const hands = new Map<string, boolean>();
  for (const dealt of proof.cards) {
    const shown = dealt.proof !== null;
    const missing =
      dealt.lies === "common"
        ? !shown && proof.ended === "settled"
        : (hands.get(dealt.spot ?? "") ?? shown) !== shown;
    if (missing) return { what: "card", card: dealt, draw: isDraw(proof) };
    if (dealt.lies !== "common") hands.set(dealt.spot ?? "", shown);
  }
  const scanned = scannedOf(proof);
  const dealer = new Set(
    scanned.filter(({ lies }) => lies === "dealer").map(({ card }) => card === null),
  );
  const hidden = scanned.some(({ lies, card }) => lies === "common" && card === null);
  return dealer.size > 1 || (hidden && proof.ended === "settled") ? { what: "scanned" } : null;
}

/** Every shown card lay where its deck's root and the seeds say, and no card came twice. */
function cardProblem(proof: AnyProofForm, order: DealtOrder): ProofProblem | null {
  const corrected = scannedOf(proof).flatMap(({ corrected }) => corrected ?? []);
  const ofTable = new Set([...tableCards(proof), ...corrected]);
  const seen = new Set<string>();
  const draw = isDraw(proof);
  for (const dealt of proof.cards) {
    if (!dealt.proof) continue;
    const once = `${dealt.deck}:${dealt.proof.card}`;
    const taken = dealt.deck !== TABLE_DECK && ofTable.has(dealt.proof.card);
    if (!order.opens(dealt) || seen.has(once) || taken) return { what: "card", card: dealt, draw };
    seen.add(once);
  }
  return null;
}

/** Only cards that the table dealt itself were passed over in terminals' decks. */
function passedProblem(
  proof: AnyProofForm,
  plan: readonly Place[],
  order: DealtOrder,
): ProofProblem | null {
  const ofTable = tableCards(proof);
  const hidden = plan.filter(({ deck }) => deck === TABLE_DECK).length - ofTable.size;
  const closed = new Map<string, number>();
  for (const passed of passedOf(proof)) {
    const { deck } = passed;
    if (passed.proof === null) closed.set(deck, (closed.get(deck) ?? 0) + 1);
    else if (!order.opens(passed) || !ofTable.has(passed.proof.card)) return { what: "passed", deck };
    if ((closed.get(deck) ?? 0) > hidden) return { what: "passed", deck };
  }
  return null;
}

/** The cards that the table itself dealt and showed, as they were when hands were dealt. */
function tableCards(proof: AnyProofForm): Set<string> {
  const cards = proof.cards.filter((dealt) => dealt.deck === TABLE_DECK);
  const scanned = scannedOf(proof).flatMap(({ card }) => card ?? []);
  return new Set([...cards.flatMap((dealt) => dealt.proof?.card ?? []), ...scanned]);
}

/** The decks of a round in the order in which the seeds let them be dealt. */
class DealtOrder {
  private readonly roots: Map<string, string>;
  private readonly orders = new Map<string, number[]>();

  constructor(
    private readonly proof: AnyProofForm,
    private readonly seeds: RoundSeeds | null,
  ) {
    this.roots = new Map(proof.commitments.map(({ deck, root }) => [deck, root]));
  }

  /** Whether an opened card lay at the leaf that belongs to its position. */
  opens({ deck, index, proof: opened }: DealtCardForm | PassedCardForm): boolean {
    const root = this.roots.get(deck);
    if (!opened || root === undefined) return false;
    const round = idOf(this.proof);
    const count = deckCount(this.proof, deck);
    const mixed = this.seeds?.mixed ?? null;
    const order = this.orders.get(deck) ?? permutation(round, deck, root, count, mixed);
    this.orders.set(deck, order);
    return order[index] === opened.index && verifyCard(root, round, deck, opened, count);
  }
}

/** A deck and its published fingerprint. */
export interface SealedDeck {
  deck: string;
  root: string;
  /** Whether only one terminal is dealt from it. */
  own: boolean;
}

/** The decks that concern a seat: the table's, then the terminal's own. */
export function sealedDecks(
  commitments: Record<string, string>,
  seat: number | null,
  /** The fingerprint of the player's own deck, if the table sends it to that player only. */
  ownRoot: string | null = null,
): SealedDeck[] {
  const own = `seat-${seat}`;
  return Object.entries(ownRoot === null ? commitments : { ...commitments, [own]: ownRoot })
    .filter(([deck]) => deck === own || !deck.startsWith("seat-"))
    .map(([deck, root]) => ({ deck, root, own: deck === own }))
    .toSorted((a, b) => Number(a.own) - Number(b.own));
}

/** The decks that a proof shows cards from, with their published roots. */
export function provenDecks(proof: AnyProofForm): { deck: string; root: string }[] {
  const shown = new Set(proof.cards.filter((dealt) => dealt.proof).map((dealt) => dealt.deck));
  return proof.commitments.filter((commitment) => shown.has(commitment.deck));
}

/** A place with its cards: a hand by its spot, the dealer's hand or the common cards. */
interface ProvenPlace {
  lies: DealtCardForm["lies"];
  spot: string | null;
  cards: (string | null)[];
}

/** The cards of a proof by place: the dealer's hand, the common cards, then every hand. */
export function provenPlaces(proof: AnyProofForm): ProvenPlace[] {
  const lying = [
    ...proof.cards.map(({ lies, spot, position, proof: opened }) => ({
      lies,
      spot,
      position,
      card: opened?.card ?? null,
    })),
    ...scannedOf(proof).map(({ lies, position, card, corrected }) => ({
      lies,
      spot: null,
      position,
      card: corrected ?? card,
    })),
  ];
  const places = new Map<string, typeof lying>();
  for (const card of lying) {
    const key = `${card.lies} ${card.spot ?? ""}`;
    places.set(key, [...(places.get(key) ?? []), card]);
  }
  const order = ["dealer", "common", "hand"];
  return [...places.values()]
    .map((cards) => ({
      lies: cards[0]?.lies ?? "hand",
      spot: cards[0]?.spot ?? null,
      cards: cards.toSorted((a, b) => a.position - b.position).map(({ card }) => card),
    }))
    .toSorted((a, b) => order.indexOf(a.lies) - order.indexOf(b.lies));
}

/** Whether a proof is of a round of Ultimate Draw. */
export function isDraw(proof: AnyProofForm): boolean {
  return proof.procedure === "draw" || proof.procedure === "draw_from_five";
}
