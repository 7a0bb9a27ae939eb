import { describe, expect, it } from "vitest";
import readme from "../README.md?raw";

// The shape of the source tree, as web/README.md describes it.

const sources = import.meta.glob<string>(["./**/*.{svelte,ts}", "!./**/*.test.ts"], {
  query: "?raw",
  import: "default",
  eager: true,
});

/** A folder with more modules than this should be split. */
const MODULES_MAX = 15;
/** A longer module should be split; generated ones may be longer. */
const LINES_MAX = 500;
const GENERATED = ["./protocol/forms.ts", "./protocol/messages.ts"];
const SCREENS = [
  "account", "audit", "cage", "dealing", "fairness", "floor", "history", "lobby", "table", "trays",
];
/** What the shared folders may import: folders, or single modules of a folder. */
const BELOW: Record<string, readonly string[]> = {
  protocol: [],
  words: ["protocol", "app/settings.svelte"],
  ui: [
    "protocol", "words", "app/latestCall.svelte", "app/poll", "app/router.svelte", "app/settings.svelte",
  ],
};
/** The modules of app/ that import screens: they are the frame in which screens are shown. */
const FRAME = ["./app/App.svelte", "./app/StaffPage.svelte"];
/** What one screen shows of another, and why it stays in the folder of its own screen. */
const SHOWN_ELSEWHERE: Record<string, string> = {
  "account/AccountPanel.svelte": "the lobby opens the whole account of the player",
  "dealing/DealingFelt.svelte": "the floor watches the felt that the dealer has",
  "fairness/RoundProof.svelte": "a round in the history is verified on the spot",
  "fairness/SealedDecks.svelte": "the table shows the seal of its own decks",
  "fairness/own/ownSeeds.svelte": "a table reveals its seeds while it is played, and the proofs are checked by them",
  "floor/disputes/FrozenFelt.svelte": "the auditor sees a recalled round as the floor sees a disputed one",
  "history/HistoryPanel.svelte": "the history is a panel over the table on which it was played",
  "trays/ChipBank.svelte": "the cage holds the chip bank, the other side of every fill and credit",
  "trays/SlipList.svelte": "the floor lists the slips of a table with its money",
  "trays/TrayPanel.svelte": "the dealer and a supervisor sign for the same tray, each at their own screen",
};

function folderOf(path: string): string {
  return path.slice(2, path.lastIndexOf("/"));
}

/** The imports of a file within the tree, as paths from its root. */
function importsOf(path: string, text: string): string[] {
  return [...text.matchAll(/(?:from |import\(|import )"(\.[^"]+)"/g)].map((match) => {
    const url = new URL(match[1] ?? "", `file:///${folderOf(path)}/`);
    return url.pathname.slice(1);
  });
}

/** The screen in whose folder a module is, if any. */
function screenOf(path: string): string | null {
  const folder = path.split("/")[0] ?? "";
  return SCREENS.includes(folder) ? folder : null;
}

/** The imports from one screen of another: who imports what. */
function crossings(): { from: string; target: string }[] {
  return Object.entries(sources).flatMap(([path, text]) => {
    const from = screenOf(path.slice(2));
    if (from === null) return [];
    return importsOf(path, text)
      .filter((target) => ![null, from].includes(screenOf(target)))
      .map((target) => ({ from, target }));
  });
}

describe("the source tree", () => {
  it("has no folder with too many modules", () => {
    const counts = new Map<string, number>();
    for (const path of Object.keys(sources)) {
      counts.set(folderOf(path), (counts.get(folderOf(path)) ?? 0) + 1);
    }
    expect([...counts].filter(([, count]) => count > MODULES_MAX)).toEqual([]);
  });

  it("has no module with too many lines", () => {
    const long = Object.entries(sources)
      .filter(([path, text]) => !GENERATED.includes(path) && text.split("\n").length > LINES_MAX)
      .map(([path]) => path);
    expect(long).toEqual([]);
  });

  it.each(Object.keys(BELOW))("lets %s import only what is below it", (layer) => {
    const allowed = [layer, ...(BELOW[layer] ?? [])];
    const wrong = Object.entries(sources)
      .filter(([path]) => path.startsWith(`./${layer}/`))
      .flatMap(([path, text]) => importsOf(path, text).map((target) => `${path} -> ${target}`))
      .filter((line) => {
        const target = line.split(" -> ")[1] ?? "";
        return !allowed.some((folder) => target === folder || target.startsWith(`${folder}/`));
      });
    expect(wrong).toEqual([]);
  });

  it("shares among screens only what is in ui, app, words or protocol, or shown elsewhere by design", () => {
    const shared = new Set(crossings().map(({ target }) => target));
    expect([...shared].sort()).toEqual(Object.keys(SHOWN_ELSEWHERE).sort());
  });

  it("has no circle of screens", () => {
    let left = crossings().map(({ from, target }) => ({ from, to: screenOf(target) }));
    for (let before = -1; before !== left.length; ) {
      before = left.length;
      // A screen that imports no other, or that no other imports, is in no circle.
      left = left.filter((edge) =>
        left.some(({ from }) => from === edge.to) && left.some(({ to }) => to === edge.from),
      );
    }
    expect([...new Set(left.map(({ from, to }) => `${from} -> ${to}`))]).toEqual([]);
  });

  it("imports screens into app only for the frame around them", () => {
    const importing = Object.entries(sources)
      .filter(([path]) => path.startsWith("./app/"))
      .filter(([path, text]) => importsOf(path, text).some((target) => screenOf(target) !== null))
      .map(([path]) => path);
    expect(importing).toEqual(FRAME);
  });

  it("gives ui and words only modules of app that import nothing of either app or ui", () => {
    const given = new Set(Object.values(BELOW).flat().filter((target) => target.startsWith("app/")));
    const wrong = Object.entries(sources)
      .filter(([path]) => given.has(path.slice(2).replace(/\.ts$/, "")))
      .flatMap(([path, text]) => importsOf(path, text).map((target) => `${path} -> ${target}`))
      .filter((line) => !/ -> (protocol|words)\//.test(line));
    expect(wrong).toEqual([]);
  });

  it("has the folders of the screens", () => {
    const folders = new Set(Object.keys(sources).map((path) => folderOf(path).split("/")[0]));
    expect([...folders].sort()).toEqual(["", "app", ...SCREENS, "protocol", "ui", "words"].sort());
  });

  it("is described in the README, folder by folder", () => {
    const folders = new Set(Object.keys(sources).map((path) => folderOf(path)));
    const rows = [...readme.matchAll(/^\| `([\w/]+)\/` \|/gm)].map((match) => match[1] ?? "");
    const described = rows.map((row) => (folders.has(row) ? row : `table/${row}`));
    expect(described.sort()).toEqual([...folders].filter(Boolean).sort());
  });

  it("has names that differ by more than their case and ending", () => {
    const names = Object.keys(sources).map((path) => path.replace(/\.ts$/, "").toLowerCase());
    expect(new Set(names).size).toBe(names.length);
  });
});
