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
  ui: ["protocol", "words", "app/settings.svelte"],
};

function folderOf(path: string): string {
  return path.slice(2, path.lastIndexOf("/"));
}

/** The imports of a file within the tree, as paths from its root. */
function importsOf(path: string, text: string): string[] {
  return [...text.matchAll(/from "(\.[^"]+)"/g)].map((match) => {
    const url = new URL(match[1] ?? "", `file:///${folderOf(path)}/`);
    return url.pathname.slice(1);
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

  it("has the folders of the screens", () => {
    const folders = new Set(Object.keys(sources).map((path) => folderOf(path).split("/")[0]));
    expect([...folders].sort()).toEqual(["", "app", ...SCREENS, "protocol", "ui", "words"].sort());
  });

  it("is described in the README, folder by folder", () => {
    const folders = new Set(Object.keys(sources).map((path) => folderOf(path)));
    const rows = [...readme.matchAll(/^\| `([\w/]+)\/` \|/gm)].map((match) => match[1] ?? "");
    const described = rows.map((row) => (folders.has(row) ? row : `table/${row}`));
    // The README describes the folders of ui/ with ui/ itself, and table/ in a row of its own.
    const expected = [...folders].filter((folder) => folder && !folder.startsWith("ui/"));
    expect(described.sort()).toEqual(expected.sort());
  });

  it("has names that differ by more than their case and ending", () => {
    const names = Object.keys(sources).map((path) => path.replace(/\.ts$/, "").toLowerCase());
    expect(new Set(names).size).toBe(names.length);
  });
});
