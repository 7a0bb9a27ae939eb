import { describe, expect, it } from "vitest";
import { QUERIES } from "./breakpoints";
import tokens from "./tokens.css?raw";

const sources = import.meta.glob<string>(
  ["../../**/*.{svelte,css,ts}", "!../../**/*.test.ts", "!./tokens.css"],
  { query: "?raw", import: "default", eager: true },
);

const COLOUR = /#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})\b|\b(?:rgb|hsl|hwb|lab|lch|oklab|oklch)a?\(/gi;
/** Names of colours as values of a property. */
const NAMED = /:[^;{}]*(?<![\w-])(?:white|black|red|green|blue|yellow|orange|gr[ae]y|gold)(?![\w-])[^;{}]*;/g;

/** A file without its comments; of a component, the style and everything else apart. */
function split(text: string): { style: string; rest: string } {
  const bare = text.replace(/\/\*[\s\S]*?\*\/|<!--[\s\S]*?-->/g, "");
  const at = bare.indexOf("<style>");
  return at < 0 ? { style: bare, rest: bare } : { style: bare.slice(at), rest: bare };
}

const files = Object.entries(sources).map(([path, text]) => ({ path, ...split(text) }));

describe("the styles", () => {
  it("are read", () => {
    expect(files.length).toBeGreaterThan(100);
    expect(files.filter(({ rest }) => !rest)).toEqual([]);
  });

  it.each(files)("of $path take their colours from the tokens", ({ path, style, rest }) => {
    expect(rest.match(COLOUR) ?? []).toEqual([]);
    if (!path.endsWith(".ts")) expect(style.match(NAMED) ?? []).toEqual([]);
  });

  it("use no token that is not there, and no token is left over", () => {
    const named = [...tokens.matchAll(/^\s*(--[\w-]+):/gm)].map((match) => match[1] ?? "");
    const text = files.map((file) => file.rest).join("\n") + tokens;
    const used = new Set([...text.matchAll(/var\((--[\w-]+)/g)].map((match) => match[1] ?? ""));
    const local = new Set([...text.matchAll(/(?:style:)?(--[\w-]+)(?=[:=])/g)].map((match) => match[1] ?? ""));
    expect(named.filter((name) => !used.has(name))).toEqual([]);
    expect([...used].filter((name) => !local.has(name))).toEqual([]);
  });

  it("name each colour once", () => {
    const values = [...tokens.matchAll(/^\s*--[\w-]+:\s*(#\w+);/gm)].map((match) => match[1] ?? "");
    expect(values.length).toBeGreaterThan(50);
    expect(new Set(values).size).toBe(values.length);
  });

  const sheets = files.filter(({ path }) => !path.endsWith(".ts"));
  const queries = sheets.flatMap(({ path, style }) =>
    [...style.matchAll(/@(?:media|container)\s+([^{]+?)\s*\{/g)].map((match) => [path, match[1] ?? ""]),
  );

  it.each(queries)("of %s change by a listed media query: %s", (_, query = "") => {
    expect(Object.keys(QUERIES)).toContain(query);
  });

  it("use every listed media query", () => {
    const used = new Set(queries.map(([, query]) => query));
    expect(Object.keys(QUERIES).filter((query) => !used.has(query))).toEqual([]);
  });
});
