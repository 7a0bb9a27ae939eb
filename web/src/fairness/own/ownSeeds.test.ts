import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { SeededProofForm } from "../../protocol/forms";
import type { FromServer, PrivateView, PublicView } from "../../protocol/messages";
import type { Wire } from "../../protocol/socket";
import { TableLink } from "../../protocol/tableLink.svelte";
import { bytesOf } from "../bytes";
import { OwnSeeds } from "./ownSeeds.svelte";
import example from "../proof3.example.json";
import { seedCommitment } from "../seeds";

// The first round of a table, as its server proved it; seat 1 gave the seed below.
const proof = example as unknown as SeededProofForm;
const SEED = proof.seeds.list?.revealed["1"] ?? "";
const ROOTS = Object.fromEntries(proof.commitments.map(({ deck, root }) => [deck, root]));
const BOUND = seedCommitment("table-1/1", 1, SEED);

/** A server that accepts every command, or refuses every one. */
class FakeServer implements Wire {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  asked: { kind: string }[] = [];
  refuses = false;
  private version = 1;

  close(): void {}
  send(text: string): void {
    const message = JSON.parse(text);
    if (message.type !== "command") return;
    this.asked.push(message.command);
    const accepted = !this.refuses;
    this.says({ type: "answer", id: message.id, version: this.version, accepted });
  }
  says(message: Partial<FromServer> & { type: string }): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  shows(seen: Partial<PublicView>, own: Partial<PrivateView>): void {
    this.version += 1;
    this.says({ type: "change", version: this.version, public: seen, private: own } as never);
  }
}

const PUBLIC = {
  table: "table-1",
  dealer_mode: "virtual",
  players: 1,
  deck_round: 1,
  commitments: { table: ROOTS["table"] },
  round: null,
  seeds: null,
};
const PRIVATE = {
  name: "ann",
  seat: 1,
  hands: {},
  may: [] as string[],
  deck_sealed: true,
  deck_root: ROOTS["seat-1"],
  deck_round: 1,
  seed_commitment: null,
};

const HOUSE = { seats: 2000, bank: "house", deck: "per_terminal" };

/** A terminal that has just sat down. */
function terminal(seen: object = {}, own: object = {}, house: object = {}) {
  const server = new FakeServer();
  const link = new TableLink("table-1", () => server);
  const seeds = new OwnSeeds(link, { ...HOUSE, ...house });
  link.onView = () => seeds.follow();
  server.onopen?.();
  const views = { public: { ...PUBLIC, ...seen }, private: { ...PRIVATE, ...own } };
  server.says({ type: "welcome", version: 1, ...views } as never);
  return { server, link, seeds };
}

/** What the server's pages answer, by the end of their address. */
let pages: Record<string, () => Response>;
let fetched: string[];

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  });
  vi.stubGlobal("crypto", {
    getRandomValues: (bytes: Uint8Array) => {
      // Seeds have 32 bytes; the ids of commands have fewer.
      bytes.set(bytesOf(SEED).subarray(0, bytes.length));
      return bytes;
    },
  });
  pages = { proof: () => Response.json(proof) };
  fetched = [];
  vi.stubGlobal("fetch", async (address: string) => {
    const page = address.split("/").at(-1) ?? "";
    fetched.push(page);
    return pages[page]?.() ?? new Response(null, { status: 404 });
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const playing = { round: { number: 1, phase: "playing" }, seeds: { digest: proof.seeds.digest, fixed: false } };
const wagering = { round: { number: 1, phase: "wagering" }, seeds: { digest: null, fixed: false } };
const over = {
  deck_round: 2,
  round: { number: 1, phase: "settled" },
  seeds: { digest: proof.seeds.digest, fixed: true },
};
const HANDS = { "1.1": { cards: [null, null] } };

/** A terminal whose bet was accepted, and whose seat is bound to its seed. */
function bet(own: object = {}) {
  const now = terminal({}, own);
  now.seeds.commitmentFor(1);
  now.server.shows(wagering as never, { seed_commitment: BOUND });
  now.seeds.sent(1, now.link.version);
  return now;
}

/** The same after its seed was called, and its round is over. */
async function played(own: object = {}) {
  const now = bet(own);
  now.server.shows(playing as never, { may: ["reveal_seed"], hands: HANDS as never });
  await vi.waitFor(() => expect(now.server.asked).toHaveLength(1));
  now.server.shows(over as never, { deck_round: 2, may: [] });
  return now;
}

describe("the terminal's own seed", () => {
  it("is made as soon as the decks are sealed, and the same on every page of the browser", () => {
    const first = terminal().seeds;
    expect(first.coming).toMatchObject({ seat: 1, seed: SEED, commitment: BOUND, sent: false });
    expect(first.coming?.roots).toEqual({ table: ROOTS["table"], "seat-1": ROOTS["seat-1"] });
    vi.stubGlobal("crypto", { getRandomValues: (bytes: Uint8Array) => bytes.fill(7) });
    expect(terminal().seeds.commitmentFor(1)).toBe(BOUND);
  });

  it.each<[string, object, object, boolean]>([
    ["at a virtual table", {}, {}, true],
    ["without a seat", {}, { seat: null }, false],
    ["before the deck is sealed", {}, { deck_sealed: false }, false],
    ["for another round than that of the decks", { deck_round: 2 }, {}, false],
    ["beside a live dealer, with a deck of its own", { dealer_mode: "live" }, {}, true],
    ["beside a live dealer, without its root", { dealer_mode: "live" }, { deck_root: null }, false],
    ["without the root of the table", { commitments: {} }, {}, false],
    ["without its own root", {}, { deck_root: null }, false],
    ["with the root of another round", {}, { deck_round: 2 }, false],
    ["in a round of an earlier server", { round: { number: 1, phase: "wagering" } }, {}, false],
  ])("is there or not: %s", (_, seen, own, wanted) => {
    const { seeds } = terminal(seen, own);
    expect(seeds.coming !== null).toBe(wanted);
    // Without a seed there is no bet either.
    if (!("seat" in own)) expect(seeds.sealed(1)).toBe(wanted);
  });

  it("is not needed where a live dealer deals all cards", () => {
    const { seeds } = terminal({ dealer_mode: "live", commitments: {} }, {}, { deck: "shared" });
    expect([seeds.coming, seeds.sealed(1)]).toEqual([null, true]);
  });

  it("takes the player's words in, until a bet has bound it", () => {
    const { server, seeds } = terminal();
    seeds.mixIn("red shoes");
    const mixed = seeds.coming?.seed;
    expect(mixed).toMatch(/^[0-9a-f]{64}$/);
    expect(mixed).not.toBe(SEED);
    server.shows(
      { round: { number: 1, phase: "wagering" }, seeds: { digest: null, fixed: false } } as never,
      { seed_commitment: seeds.coming?.commitment ?? null },
    );
    seeds.mixIn("blue shoes");
    expect(seeds.coming?.seed).toBe(mixed);
    expect([seeds.bound, seeds.elsewhere]).toEqual([true, false]);
  });

  it("is revealed once, when it is called", async () => {
    const { server, seeds } = terminal();
    server.shows(playing as never, { seed_commitment: BOUND, may: ["reveal_seed"] });
    await vi.waitFor(() => {
      server.shows({ players: 2 }, {});
      expect(seeds.coming).toMatchObject({ revealed: true, sent: true });
    });
    expect(server.asked).toEqual([{ kind: "reveal_seed", seat: 1, seed: SEED }]);
  });

  it("is not revealed before all other seeds are fixed", async () => {
    const { server, seeds } = bet();
    const uncalled = { ...playing, seeds: { digest: null, fixed: false } };
    server.shows(uncalled as never, { may: ["reveal_seed"] });
    await Promise.resolve();
    expect([server.asked, seeds.coming?.revealed]).toEqual([[], false]);
  });

  it("is not revealed for the seed of another device", () => {
    const { server, seeds } = terminal();
    server.shows(playing as never, { seed_commitment: "ab".repeat(32), may: ["reveal_seed"] });
    expect(server.asked).toEqual([]);
    expect(seeds.elsewhere).toBe(true);
  });
});

describe("the check after a round", () => {
  it("is made by itself, against what was seen before the bet", async () => {
    const { seeds } = await played();
    await vi.waitFor(() => expect(seeds.verdict?.state).toBe("good"));
    expect(seeds.verdict).toMatchObject({ round: 1, checked: { ok: true, seeds: 2 } });
    expect([seeds.alarm, fetched]).toEqual([null, ["proof"]]);
  });

  it("fetches the list of seeds where the proof is without it", async () => {
    const { table, number, seeds } = proof;
    const brief = { ...proof, seeds: { ...seeds, list: null } };
    const listed = { format: "openfelt.round_seeds/1", table, number, list: seeds.list };
    pages = { proof: () => Response.json(brief), seeds: () => Response.json(listed) };
    const now = await played();
    await vi.waitFor(() => expect(now.seeds.verdict?.state).toBe("good"));
    expect(fetched).toEqual(["proof", "seeds"]);
  });

  it("asks again while the server is busy with other terminals", async () => {
    let busy = 2;
    pages["proof"] = () => {
      busy -= 1;
      return busy < 0
        ? Response.json(proof)
        : new Response(null, { status: 503, headers: { "Retry-After": "0" } });
    };
    const { seeds } = await played();
    await vi.waitFor(() => expect(seeds.verdict?.state).toBe("good"));
    expect(fetched).toHaveLength(3);
  });

  it.each<[string, object, () => SeededProofForm]>([
    ["another deck than was sealed", { deck_root: "00".repeat(32) }, () => proof],
    ["another card", {}, () => withOtherCard()],
    ["a proof without the player's seed", {}, () => withoutSeed()],
  ])("raises an alarm, which stays until it is seen: %s", async (_, own, served) => {
    pages["proof"] = () => Response.json(served());
    const { server, seeds } = await played(own);
    await vi.waitFor(() => expect(seeds.alarm?.state).toBe("bad"));
    server.shows({ deck_round: 3, round: { number: 2, phase: "settled" } } as never, {});
    expect(seeds.alarm?.round).toBe(1);
    seeds.seenAlarm();
    expect(seeds.alarm).toBeNull();
  });

  it("says that there is no proof, and raises an alarm if it stays away", async () => {
    pages = {};
    vi.useFakeTimers();
    const { seeds } = await played();
    await vi.waitFor(() => expect(seeds.verdict?.state).toBe("unavailable"));
    expect(seeds.alarm).toBeNull();
    await vi.waitFor(() => expect(seeds.alarm?.checked?.problem).toEqual({ what: "missing" }), {
      timeout: 60_000,
    });
    expect(fetched).toHaveLength(3);
  });

  it("asks again after the next round where the server is not well", async () => {
    let broken = true;
    pages["proof"] = () => (broken ? new Response(null, { status: 500 }) : Response.json(proof));
    const { server, seeds } = await played();
    await vi.waitFor(() => expect(seeds.verdict?.state).toBe("unavailable"));
    broken = false;
    server.shows({ deck_round: 3, round: { number: 2, phase: "settled" } } as never, {});
    await vi.waitFor(() => expect(seeds.verdict?.state).toBe("good"));
    expect(seeds.alarm).toBeNull();
  });

  it("needs no proof of a round that was void before its deal", async () => {
    pages = {};
    const { server, seeds } = bet();
    server.shows({ ...over, round: { number: 1, phase: "voided" } } as never, { deck_round: 2 });
    await vi.waitFor(() => expect(fetched).toHaveLength(1));
    await vi.waitFor(() => expect(seeds.verdict).toBeNull());
    expect(seeds.alarm).toBeNull();
  });

  it("is made of a round that was skipped", async () => {
    const { server, seeds } = bet();
    server.shows({ deck_round: 3, round: { number: 2, phase: "settled" } } as never, {
      deck_round: 3,
    });
    await vi.waitFor(() => expect(seeds.verdict).toMatchObject({ round: 1, state: "good" }));
  });

  it("remembers the cards that were shown", async () => {
    const { server, seeds } = bet();
    const board = proof.cards.filter(({ lies }) => lies === "common");
    const common = board.map((dealt) => dealt.proof?.card ?? null);
    server.shows({ ...over, round: { ...over.round, common } } as never, { deck_round: 2 });
    await vi.waitFor(() => expect(seeds.verdict?.state).toBe("good"));
    expect(Object.keys(seeds.ofRound(1)?.shown ?? {})).toHaveLength(5);
  });

  it("finds another card than was shown", async () => {
    const { server, seeds } = bet();
    const round = { ...over.round, common: ["2c", "2d", "2h", "2s", "3c"] };
    server.shows({ ...over, round } as never, { deck_round: 2 });
    await vi.waitFor(() => expect(seeds.alarm?.checked?.problem?.what).toBe("own_card"));
  });

  it("finds a proof of another round", async () => {
    pages["proof"] = () => Response.json({ ...proof, number: 2 });
    const { seeds } = await played();
    await vi.waitFor(() => expect(seeds.alarm?.checked?.problem?.what).toBe("other_round"));
  });

  it("leaves rounds alone in which this browser did not bet", () => {
    const { server, seeds } = terminal();
    server.shows(over as never, { deck_round: 2 });
    expect([seeds.verdict, fetched]).toEqual([null, []]);
  });
});

describe("a seed that the table did not use", () => {
  // Seat 2 withheld its seed in this round.
  const seed = "04".repeat(32);
  const seat2 = { seat: 2, deck_root: ROOTS["seat-2"] };
  const bound2 = seedCommitment("table-1/1", 2, seed);

  beforeEach(() => {
    vi.stubGlobal("crypto", { getRandomValues: (bytes: Uint8Array) => bytes.fill(4) });
  });

  /** Seat 2 has bet. */
  function bet2() {
    const now = terminal({}, seat2);
    now.seeds.commitmentFor(1);
    now.server.shows(wagering as never, { seed_commitment: bound2 });
    now.seeds.sent(1, now.link.version);
    return now;
  }

  it("raises an alarm if it was refused", async () => {
    const { server, seeds } = bet2();
    server.refuses = true;
    server.shows(playing as never, { may: ["reveal_seed"] });
    await vi.waitFor(() => expect(server.asked).toHaveLength(1));
    server.shows(over as never, { deck_round: 2, may: [] });
    await vi.waitFor(() => expect(seeds.alarm?.checked?.problem).toEqual({ what: "own_seed" }));
  });

  it("raises an alarm if it was never called", async () => {
    const { server, seeds } = bet2();
    server.shows(over as never, { deck_round: 2, may: [] });
    await vi.waitFor(() => expect(seeds.alarm?.checked?.problem).toEqual({ what: "own_seed" }));
  });

  it("is said without an alarm if the page was away", async () => {
    bet2();
    // The page is closed, and opened again after the round.
    const { seeds } = terminal(over, { ...seat2, deck_round: 2, seed_commitment: bound2 });
    await vi.waitFor(() => expect(seeds.verdict?.state).toBe("unused"));
    expect(seeds.verdict?.checked?.unused).toBe("away");
    expect(seeds.alarm).toBeNull();
  });

  it("is said without an alarm if the page was put to sleep", async () => {
    const { server, seeds } = bet2();
    server.refuses = true;
    const now = performance.now();
    vi.spyOn(performance, "now").mockReturnValue(now + 60_000);
    server.shows(playing as never, { may: ["reveal_seed"] });
    server.shows(over as never, { deck_round: 2, may: [] });
    await vi.waitFor(() => expect(seeds.verdict?.state).toBe("unused"));
    expect(seeds.alarm).toBeNull();
  });

  it("raises an alarm if another one is at the seat after the first bet", async () => {
    const now = terminal({}, seat2);
    now.seeds.mixIn("words of the player");
    const mixed = now.seeds.commitmentFor(1);
    now.server.shows(wagering as never, { seed_commitment: bound2 });
    now.seeds.sent(1, now.link.version);
    expect(mixed).not.toBe(bound2);
    now.server.shows(over as never, { deck_round: 2 });
    await vi.waitFor(() => expect(now.seeds.alarm?.checked?.problem).toEqual({ what: "own_seed" }));
  });

  it("may be that of another device, which bet first", async () => {
    const now = terminal(wagering, { ...seat2, seed_commitment: bound2 });
    now.seeds.mixIn("words of the player");
    vi.stubGlobal("crypto", { getRandomValues: (bytes: Uint8Array) => bytes.fill(9) });
    localStorage.setItem("openfelt.seeds.table-1.ann", "{}");
    expect(now.seeds.commitmentFor(1)).not.toBe(bound2);
    now.server.shows({ players: 2 }, {});
    now.seeds.sent(1, now.link.version);
    now.server.shows(over as never, { deck_round: 2 });
    await vi.waitFor(() => expect(now.seeds.verdict?.state).toBe("unused"));
    expect(now.seeds.verdict?.checked?.unused).toBe("elsewhere");
    expect(now.seeds.alarm).toBeNull();
  });
});

function withOtherCard(): SeededProofForm {
  const copy = structuredClone(proof);
  const shown = copy.cards.find((dealt) => dealt.proof)?.proof;
  if (shown) shown.card = shown.card === "2c" ? "3c" : "2c";
  return copy;
}

function withoutSeed(): SeededProofForm {
  const copy = structuredClone(proof);
  delete copy.seeds.list?.revealed["1"];
  return copy;
}
