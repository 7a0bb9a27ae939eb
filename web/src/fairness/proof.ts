// Checks a round's fairness proof in the browser, without asking the server that made it.
//
//     leaf = SHA-256(0x00 ‖ round id ‖ deck name ‖ index ‖ card ‖ salt)
//     node = SHA-256(0x01 ‖ left ‖ right)
//     root = SHA-256(0x02 ‖ count ‖ top)
//
// Every part of a leaf is prefixed with its length in four bytes, big-endian.

import type { CardProofForm, DealtCardForm, RoundProofForm } from "../protocol/forms";

/** What is wrong with a proof: its format, a commitment published too late, or a card. */
export type ProofProblem =
  | { what: "format" }
  | { what: "commitment"; deck: string }
  | { what: "card"; card: DealtCardForm; draw: boolean };

export interface Checked {
  ok: boolean;
  cards: number;
  hidden: number;
  /** Null if the proof holds. */
  problem: ProofProblem | null;
}

const FORMAT = "openfelt.round_proof/1";
const DECK_CARDS = 52;
/** The cards of a hand in Ultimate Draw; in hold'em it has two. */
const DRAW_CARDS = 5;
const text = new TextEncoder();

function bytesOf(hex: string): Uint8Array {
  if (!/^(?:[0-9a-f]{2})*$/.test(hex)) throw new Error("not hexadecimal");
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function fourBytes(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

async function sha256(...blocks: Uint8Array[]): Promise<Uint8Array> {
  const joined = new Uint8Array(blocks.reduce((sum, block) => sum + block.length, 0));
  let at = 0;
  for (const block of blocks) {
    joined.set(block, at);
    at += block.length;
  }
  return new Uint8Array(await crypto.subtle.digest("SHA-256", joined));
}

function behindLength(block: Uint8Array): Uint8Array[] {
  return [fourBytes(block.length), block];
}

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);
const ROOT = Uint8Array.of(2);

/** Whether the deck with this root and size has the card at its index. */
export async function verifyCard(
  root: string,
  roundId: string,
  deck: string,
  proof: CardProofForm,
  count: number,
): Promise<boolean> {
  let at = proof.index;
  let size = count;
  if (!Number.isInteger(at) || at < 0 || at >= size) return false;
  const leafParts: Uint8Array[] = [
    ...[roundId, deck, String(at), proof.card].map((part) => text.encode(part)),
    bytesOf(proof.salt),
  ];
  let node = await sha256(LEAF, ...leafParts.flatMap(behindLength));
  const path = proof.path.map(bytesOf);
  while (size > 1) {
    if ((at ^ 1) < size) {
      const beside = path.shift();
      if (!beside) return false;
      node = at % 2 ? await sha256(NODE, beside, node) : await sha256(NODE, node, beside);
    }
    at = Math.floor(at / 2);
    size = Math.ceil(size / 2);
  }
  return path.length === 0 && hexOf(await sha256(ROOT, fourBytes(count), node)) === root;
}

/** The size of a deck: a terminal's own deck lacks the cards dealt from the table's deck. */
function deckCount(proof: RoundProofForm, deck: string): number {
  if (!deck.startsWith("seat-")) return DECK_CARDS;
  return DECK_CARDS - proof.cards.filter((dealt) => dealt.lies !== "hand").length;
}

/** Check every revealed card of a round against the roots published before bets closed. */
export async function verifyRound(proof: RoundProofForm): Promise<Checked> {
  const shown = proof.cards.filter((dealt) => dealt.proof !== null);
  const failed = (problem: ProofProblem): Checked => ({
    ok: false,
    cards: shown.length,
    hidden: proof.cards.length - shown.length,
    problem,
  });
  if (proof.format !== FORMAT) return failed({ what: "format" });
  const roots = new Map(proof.commitments.map((commitment) => [commitment.deck, commitment]));
  const seen = new Set<string>();
  const draw = isDraw(proof);
  for (const dealt of shown) {
    const misfit: ProofProblem = { what: "card", card: dealt, draw };
    const commitment = roots.get(dealt.deck);
    const card = dealt.proof;
    if (!commitment || !card || card.index !== dealt.index) return failed(misfit);
    if (commitment.version >= proof.bets_closed_version) {
      return failed({ what: "commitment", deck: dealt.deck });
    }
    const deckCards = deckCount(proof, dealt.deck);
    const roundId = `${proof.table}/${proof.number}`;
    if (!(await verifyCard(commitment.root, roundId, dealt.deck, card, deckCards))) {
      return failed(misfit);
    }
    const once = `${dealt.deck}:${card.card}`;
    if (seen.has(once)) return failed(misfit);
    seen.add(once);
  }
  return { ok: true, cards: shown.length, hidden: proof.cards.length - shown.length, problem: null };
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
export function provenDecks(proof: RoundProofForm): { deck: string; root: string }[] {
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
export function provenPlaces(proof: RoundProofForm): ProvenPlace[] {
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
export function isDraw(proof: RoundProofForm): boolean {
  return proof.cards.filter((dealt) => dealt.lies === "dealer").length === DRAW_CARDS;
}
