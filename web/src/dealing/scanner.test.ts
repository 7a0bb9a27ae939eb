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

  it("takes a bouncing scan once, and the same card later again", () => {
    const scanner = new Scanner();
    expect(scan(scanner, "AsAs", 0)).toEqual(["As"]);
    expect(scan(scanner, "As", 9_000)).toEqual(["As"]);
  });
});

it("knows 52 different cards", () => {
  expect(new Set(DECK.flat()).size).toBe(52);
});
