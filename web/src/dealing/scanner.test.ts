import { describe, expect, it } from "vitest";
import { DECK, readCard, Scanner } from "./scanner";

function scan(scanner: Scanner, text: string, at: number, apart = 5): string[] {
  const cards: string[] = [];
  [...text].forEach((key, number) => {
    const { card } = scanner.key(key, at + number * apart);
    if (card) cards.push(card);
  });
  return cards;
}

describe("readCard", () => {
  it("reads what scanners and dealers type", () => {
    expect(["As", "TH", "10d", " kC ", "2s"].map(readCard)).toEqual(["As", "Th", "Td", "Kc", "2s"]);
  });

  it("reads nothing else as a card", () => {
    expect(["", "A", "1s", "Asd", "sA", "Ax", "11d", "0h"].map(readCard)).toEqual(Array(8).fill(null));
  });
});

describe("Scanner", () => {
  it("gives each card once it is complete", () => {
    expect(scan(new Scanner(), "AsTH10d9c", 0)).toEqual(["As", "Th", "Td", "9c"]);
  });

  it("leaves keys with another meaning alone", () => {
    const scanner = new Scanner();
    expect(scanner.key("Enter", 0)).toEqual({ card: null, taken: false });
    expect(scanner.key("Tab", 1)).toEqual({ card: null, taken: false });
    expect(scanner.key(" ", 2)).toEqual({ card: null, taken: false });
    expect(scanner.key("A", 3).taken).toBe(true);
  });

  it("forgets a rank that no suit follows", () => {
    const scanner = new Scanner();
    scan(scanner, "A", 0);
    expect(scan(scanner, "s", 5_000)).toEqual([]);
    expect(scan(scanner, "Kd", 5_100)).toEqual(["Kd"]);
  });

  it("begins again with another rank, and takes one back", () => {
    const scanner = new Scanner();
    expect(scan(scanner, "AKd", 0)).toEqual(["Kd"]);
    scan(scanner, "Q", 100);
    scanner.key("Backspace", 110);
    expect(scan(scanner, "s", 120)).toEqual([]);
  });

  it("takes the line's end of a scanner, so that it presses no button", () => {
    const scanner = new Scanner();
    scan(scanner, "As", 0);
    expect(scanner.key("Enter", 10).taken).toBe(true);
    expect(scanner.key("Enter", 1_000).taken).toBe(false);
  });

  it("takes a bouncing scan once, and the same card later again", () => {
    const scanner = new Scanner();
    expect(scan(scanner, "AsAs", 0)).toEqual(["As"]);
    expect(scan(scanner, "As", 9_000)).toEqual(["As"]);
  });
});

describe("a scanner with a code table", () => {
  const codes = { E2803A: "As", E2803B: "Kd", "2c-00": "2c" };

  function coded(): Scanner {
    const scanner = new Scanner();
    scanner.useCodes(codes);
    return scanner;
  }

  it("reads codes, whatever cards their letters would be, and rank and suit", () => {
    expect(scan(coded(), "E2803AE2803B2c-00", 0)).toEqual(["As", "Kd", "2c"]);
    expect(scan(coded(), "TH10d", 0)).toEqual(["Th", "Td"]);
  });

  it("gives a code that is in no table as a whole, at the line's end", () => {
    const scanner = coded();
    expect(scan(scanner, "E2809s", 0)).toEqual([]);
    expect(scanner.key("Enter", 40)).toEqual({ card: null, taken: true, unknown: "E2809s" });
    expect(scan(scanner, "E2803A", 100)).toEqual(["As"]);
    expect(scanner.key("Enter", 135).taken).toBe(true);
  });

  it("leaves a space alone, and forgets half a code", () => {
    const scanner = coded();
    expect(scanner.key(" ", 0).taken).toBe(false);
    scan(scanner, "E28", 10);
    expect(scan(scanner, "E2803B", 5_000)).toEqual(["Kd"]);
  });
});

it("knows 52 different cards", () => {
  expect(new Set(DECK.flat()).size).toBe(52);
});
