// Checks a round's fairness proof in the browser, without asking the server that made it.
//
//     leaf = SHA-256(0x00 ‖ round id ‖ deck name ‖ index ‖ card ‖ salt)
//     node = SHA-256(0x01 ‖ left ‖ right)
//     root = SHA-256(0x02 ‖ count ‖ top)
//
// Every part of a leaf is prefixed with its length in four bytes, big-endian. In a round with
// seeds (version 2), position k of a deck comes from its leaf pi(k); see seeds.ts.

import type {
  AnyProofForm,
  CardProofForm,
  DealtCardForm,
  PassedCardForm,
  SeededProofForm,
} from "../protocol/forms";
import { bytesOf, fourBytes, hexOf, withLengths } from "./bytes";
import { mixedSeeds, permutation, seedCommitment, seedsDigest } from "./seeds";
import { sha256 } from "./sha256";

/** What is wrong with a proof. */
export type ProofProblem =
  | { what: "format" }
  | { what: "commitment"; deck: string }
  | { what: "seeds"; seat: number | null }
  | { what: "order"; deck: string }
  | { what: "card"; card: DealtCardForm; draw: boolean }
  | { what: "passed"; deck: string }
  | { what: "own_root"; deck: string }
  | { what: "own_seed" };

export interface Checked {
  ok: boolean;
  cards: number;
  hidden: number;
  /** How many players' seeds decided the order; null in a round without seeds. */
  seeds: number | null;
  withheld: number;
  /** Null if the proof holds. */
  problem: ProofProblem | null;
}

/** What a terminal knew of a round before any card was dealt. */
export interface OwnRound {
  seat: number;
  seed: string;
  /** Whether the table has accepted the revealed seed. */
  revealed: boolean;
  /** The roots that were published before the first bet, by deck. */
  roots: Record<string, string>;
}

const FORMAT_1 = "openfelt.round_proof/1";
const FORMAT_2 = "openfelt.round_proof/2";
const DECK_CARDS = 52;
/** The cards of a hand in Ultimate Draw; in hold'em it has two. */
const DRAW_CARDS = 5;
const AT_TABLE_MAX = 10;

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
  if (proof.format === FORMAT_2 || !deck.startsWith("seat-")) return DECK_CARDS;
  return DECK_CARDS - proof.cards.filter((dealt) => dealt.lies !== "hand").length;
}

function idOf(proof: AnyProofForm): string {
  return `${proof.table}/${proof.number}`;
}

/** Check every revealed card of a round, and the seeds that decided its order. */
export function verifyRound(proof: AnyProofForm, own: OwnRound | null = null): Checked {
  const shown = proof.cards.filter((dealt) => dealt.proof !== null);
  const seeded = proof.format === FORMAT_2 ? proof : null;
  const problem = firstProblem(proof, own);
  const withheld = seeded?.seeds.seeds.filter(({ seed }) => seed === null).length ?? 0;
  return {
    ok: problem === null,
    cards: shown.length,
    hidden: proof.cards.length - shown.length,
    seeds: seeded ? seeded.seeds.seeds.length - withheld : null,
    withheld,
    problem,
  };
}

function firstProblem(proof: AnyProofForm, own: OwnRound | null): ProofProblem | null {
  if (proof.format !== FORMAT_1 && proof.format !== FORMAT_2) return { what: "format" };
  return (
    commitmentProblem(proof) ??
    (proof.format === FORMAT_2 ? (seedProblem(proof) ?? orderProblem(proof)) : null) ??
    cardProblem(proof) ??
    (proof.format === FORMAT_2 ? passedProblem(proof) : null) ??
    ownProblem(proof, own)
  );
}

/** Each deck that cards came from has one root, published in time. */
function commitmentProblem(proof: AnyProofForm): ProofProblem | null {
  const decks = proof.commitments.map(({ deck }) => deck);
  for (const commitment of proof.commitments) {
    const { deck, version } = commitment;
    const once = decks.filter((other) => other === deck).length === 1;
    const first = "wager_version" in commitment ? commitment.wager_version : null;
    const inTime = first === null || (version < first && first < proof.bets_closed_version);
    if (!once || version >= proof.bets_closed_version || !inTime) {
      return { what: "commitment", deck };
    }
  }
  return null;
}

/** Every seed is the one that its seat was bound to before bets closed, and all were called. */
function seedProblem(proof: SeededProofForm): ProofProblem | null {
  const { seeds, digest, called_version: called, fixed_version: fixed } = proof.seeds;
  const closed = proof.bets_closed_version;
  let last = 0;
  for (const { seat, seed, commitment, version } of seeds) {
    const bound = seed === null || seedCommitment(idOf(proof), seat, seed) === commitment;
    if (seat <= last || version >= closed || !bound) return { what: "seeds", seat };
    last = seat;
  }
  if (called === null) {
    if (digest !== null || (seeds.length > 0 && fixed !== null)) return { what: "seeds", seat: null };
  } else if (called <= closed || digest !== seedsDigest(idOf(proof), seeds)) {
    return { what: "seeds", seat: null };
  }
  const dealtEarly = fixed === null ? proof.cards.length > 0 : fixed <= (called ?? closed);
  return dealtEarly ? { what: "seeds", seat: null } : null;
}

/** From each deck the cards came one after the other, except for those passed over. */
function orderProblem(proof: SeededProofForm): ProofProblem | null {
  for (const deck of new Set([...proof.cards, ...proof.passed].map((card) => card.deck))) {
    const dealt = proof.cards.filter((card) => card.deck === deck).map(({ index }) => index);
    const passed = proof.passed.filter((card) => card.deck === deck).map(({ index }) => index);
    const all = [...dealt, ...passed].toSorted((a, b) => a - b);
    const gapless = all.every((index, at) => index === at);
    const rising = [dealt, passed].every((indexes) =>
      indexes.every((index, at) => at === 0 || index > (indexes[at - 1] ?? 0)),
    );
    const endsDealt = all.at(-1) === dealt.at(-1);
    if (!gapless || !rising || !endsDealt || (deck === "table" && passed.length > 0)) {
      return { what: "order", deck };
    }
  }
  return null;
}

/** Every shown card lay where its deck's root and the seeds say, and no card came twice. */
function cardProblem(proof: AnyProofForm): ProofProblem | null {
  const opens = opener(proof);
  const ofTable = tableCards(proof);
  const seen = new Set<string>();
  const draw = isDraw(proof);
  for (const dealt of proof.cards) {
    if (!dealt.proof) continue;
    const once = `${dealt.deck}:${dealt.proof.card}`;
    const taken = dealt.deck !== "table" && ofTable.has(dealt.proof.card);
    if (!opens(dealt) || seen.has(once) || taken) return { what: "card", card: dealt, draw };
    seen.add(once);
  }
  return null;
}

/** Only cards that the table dealt itself were passed over in terminals' decks. */
function passedProblem(proof: SeededProofForm): ProofProblem | null {
  const opens = opener(proof);
  const ofTable = tableCards(proof);
  const atTable =
    proof.ended === "settled"
      ? proof.cards.filter((dealt) => dealt.deck === "table").length
      : AT_TABLE_MAX;
  const closed = new Map<string, number>();
  for (const passed of proof.passed) {
    if (passed.proof === null) closed.set(passed.deck, (closed.get(passed.deck) ?? 0) + 1);
    else if (!opens(passed) || !ofTable.has(passed.proof.card)) {
      return { what: "passed", deck: passed.deck };
    }
    if ((closed.get(passed.deck) ?? 0) > atTable - ofTable.size) {
      return { what: "passed", deck: passed.deck };
    }
  }
  return null;
}

/** The cards that the table itself dealt and showed. */
function tableCards(proof: AnyProofForm): Set<string> {
  const cards = proof.cards.filter((dealt) => dealt.deck === "table");
  return new Set(cards.flatMap((dealt) => (dealt.proof ? [dealt.proof.card] : [])));
}

/** Returns a function that checks one opened card against its deck. */
function opener(proof: AnyProofForm): (card: DealtCardForm | PassedCardForm) => boolean {
  const roots = new Map(proof.commitments.map(({ deck, root }) => [deck, root]));
  const mixed = proof.format === FORMAT_2 ? mixedSeeds(idOf(proof), proof.seeds.seeds) : null;
  const orders = new Map<string, number[]>();
  return ({ deck, index, proof: opened }) => {
    const root = roots.get(deck);
    if (!opened || root === undefined) return false;
    const count = deckCount(proof, deck);
    const order = orders.get(deck) ?? permutation(idOf(proof), deck, root, count, mixed);
    orders.set(deck, order);
    if (order[index] !== opened.index) return false;
    return verifyCard(root, idOf(proof), deck, opened, count);
  };
}

/** What only the terminal knows: the roots it saw before it bet, and its own seed. */
function ownProblem(proof: AnyProofForm, own: OwnRound | null): ProofProblem | null {
  if (own === null) return null;
  for (const { deck, root } of proof.commitments) {
    const seen = own.roots[deck];
    const concerns = deck === "table" || deck === `seat-${own.seat}`;
    if (concerns && seen !== undefined && seen !== root) return { what: "own_root", deck };
  }
  if (proof.format !== FORMAT_2) return { what: "own_seed" };
  const given = proof.seeds.seeds.find(({ seat }) => seat === own.seat);
  const commitment = seedCommitment(idOf(proof), own.seat, own.seed);
  if (given?.commitment !== commitment) return { what: "own_seed" };
  return own.revealed && given.seed !== own.seed ? { what: "own_seed" } : null;
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
export interface ProvenPlace {
  lies: DealtCardForm["lies"];
  spot: string | null;
  cards: (string | null)[];
}

/** The cards of a proof by place: the dealer's hand, the common cards, then every hand. */
export function provenPlaces(proof: AnyProofForm): ProvenPlace[] {
  const places = new Map<string, DealtCardForm[]>();
  for (const dealt of proof.cards) {
    const key = `${dealt.lies} ${dealt.spot ?? ""}`;
    places.set(key, [...(places.get(key) ?? []), dealt]);
  }
  const order = ["dealer", "common", "hand"];
  return [...places.values()]
    .map((dealt) => ({
      lies: dealt[0]?.lies ?? "hand",
      spot: dealt[0]?.spot ?? null,
      cards: dealt
        .toSorted((a, b) => a.position - b.position)
        .map((dealt) => dealt.proof?.card ?? null),
    }))
    .toSorted((a, b) => order.indexOf(a.lies) - order.indexOf(b.lies));
}

/** Whether a proof is of a round of Ultimate Draw, where the dealer has five cards. */
export function isDraw(proof: AnyProofForm): boolean {
  return proof.cards.filter((dealt) => dealt.lies === "dealer").length === DRAW_CARDS;
}
