import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { SeededProofForm } from "../protocol/forms";
import type { FromServer, PrivateView, PublicView } from "../protocol/messages";
import type { Wire } from "../protocol/socket";
import { TableLink } from "../protocol/tableLink.svelte";
import { bytesOf } from "./bytes";
import { OwnSeeds } from "./ownSeeds.svelte";
import example from "./proof3.example.json";
import { seedCommitment } from "./seeds";

// The first round of a table, as its server proved it; seat 1 gave the seed below.
const proof = example as unknown as SeededProofForm;
const SEED = proof.seeds.list?.revealed["1"] ?? "";
const ROOTS = Object.fromEntries(proof.commitments.map(({ deck, root }) => [deck, root]));
const BOUND = seedCommitment("table-1/1", 1, SEED);

/** A server that accepts every command. */
class FakeServer implements Wire {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  asked: { kind: string }[] = [];
  private version = 1;

  close(): void {}
  send(text: string): void {
    const message = JSON.parse(text);
    if (message.type !== "command") return;
    this.asked.push(message.command);
    this.says({ type: "answer", id: message.id, version: this.version, accepted: true });
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

/** A terminal that has just sat down. */
function terminal(seen: object = {}, own: object = {}) {
  const server = new FakeServer();
  const link = new TableLink("table-1", () => server);
  const seeds = new OwnSeeds(link);
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

afterEach(() => vi.unstubAllGlobals());

const playing = { round: { number: 1, phase: "playing" }, seeds: { digest: "aa", fixed: false } };
const over = { deck_round: 2, round: { number: 1, phase: "settled" } };

/** A terminal whose bet was accepted, whose seed was called, and whose round is over. */
async function played(own: object = {}) {
  const now = terminal({}, own);
  now.seeds.sent(1);
  now.server.shows(playing as never, { seed_commitment: BOUND, may: ["reveal_seed"] });
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
    ["where a live dealer deals all cards", { dealer_mode: "live" }, { deck_root: null }, false],
    ["in a round of an earlier server", { round: { number: 1, phase: "wagering" } }, {}, false],
  ])("is there or not: %s", (_, seen, own, wanted) => {
    expect(terminal(seen, own).seeds.coming !== null).toBe(wanted);
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
    ["a proof without the own seed", {}, () => withoutSeed()],
  ])("raises an alarm, which stays until it is seen: %s", async (_, own, served) => {
    pages["proof"] = () => Response.json(served());
    const { server, seeds } = await played(own);
    await vi.waitFor(() => expect(seeds.alarm?.state).toBe("bad"));
    server.shows({ deck_round: 3, round: { number: 2, phase: "settled" } } as never, {});
    expect(seeds.alarm?.round).toBe(1);
    seeds.seenAlarm();
    expect(seeds.alarm).toBeNull();
  });

  it("says that there is no proof, and raises no alarm", async () => {
    pages = {};
    const { seeds } = await played();
    await vi.waitFor(() => expect(seeds.verdict?.state).toBe("unavailable"));
    expect(seeds.alarm).toBeNull();
  });

  it("leaves rounds alone in which this browser did not bet", () => {
    const { server, seeds } = terminal();
    server.shows(over as never, { deck_round: 2 });
    expect([seeds.verdict, fetched]).toEqual([null, []]);
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
