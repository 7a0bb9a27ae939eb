import { describe, expect, it } from "vitest";
import { bestHand, compareHands, type Hand } from "./pokerHand";

function hand(cards: string): Hand {
  const best = bestHand(cards.split(" "));
  if (!best) throw new Error(`no hand in ${cards}`);
  return best;
}

// Seven cards, the category, the five that play, and how many of them give the hand its name.
const SEVENS: readonly [string, string, string, number][] = [
  ["As Ks Qs Js Ts 2d 3c", "royal flush", "As Ks Qs Js Ts", 5],
  ["9h 8h 7h 6h 5h Ah Kh", "straight flush", "9h 8h 7h 6h 5h", 5],
  ["Ad 2d 3d 4d 5d 6c Kh", "straight flush", "5d 4d 3d 2d Ad", 5],
  ["8s 8d 8h 8c 2d 2c Kh", "four of a kind", "8s 8d 8h 8c Kh", 4],
  ["Qs Qd Qh 7c 7d 7h 2c", "full house", "Qs Qd Qh 7c 7d", 5],
  ["Qs Qd 7h 7c 7d Kh Ks", "full house", "7h 7c 7d Kh Ks", 5],
  ["Ac Jc 9c 6c 3c 2c Kd", "flush", "Ac Jc 9c 6c 3c", 5],
  ["Ac 2d 3h 4s 5c 9d 9h", "straight", "5c 4s 3h 2d Ac", 5],
  ["Ac 2d 3h 4s 5c 6d Kh", "straight", "6d 5c 4s 3h 2d", 5],
  ["Ah Kd Qc Js Th 2c 3d", "straight", "Ah Kd Qc Js Th", 5],
  ["4c 4d 4s Kh 9d 7c 2s", "three of a kind", "4c 4d 4s Kh 9d", 3],
  ["Js Jd 8c 8h 5s 5d Ac", "two pair", "Js Jd 8c 8h Ac", 4],
  ["6s 6d Ah Kc Qd 3c 2h", "pair", "6s 6d Ah Kc Qd", 2],
  ["Ks Qd 9h 7c 5d 3s 2h", "high card", "Ks Qd 9h 7c 5d", 1],
];

describe("the best five cards", () => {
  it.each(SEVENS)("of %s are %s", (cards, category, five, named) => {
    const best = hand(cards);
    expect(best.category).toBe(category);
    expect(best.five).toEqual(five.split(" "));
    expect(best.core).toEqual(five.split(" ").slice(0, named));
  });

  it.each(SEVENS)("of %s are the same in any order", (cards) => {
    const turned = hand(cards.split(" ").reverse().join(" "));
    expect(compareHands(turned, hand(cards))).toBe(0);
  });

  it("are those named first where others are as good", () => {
    expect(hand("7c 2d Ks Kd 7h 7s 7d").five).toEqual(["7c", "7h", "7s", "7d", "Ks"]);
    expect(hand("9c 2d As Kd Qh Js 9h").core).toEqual(["9c", "9h"]);
    expect(hand("9c 3d As Kd 8h 5s 2h").five).toContain("9c");
    expect(hand("Tc Td 9s 9d 9h Ts 2c").five).toEqual(["Tc", "Td", "Ts", "9s", "9d"]);
  });

  it("need five cards", () => {
    expect(bestHand(["As", "Ks", "Qs", "Js"])).toBeNull();
    expect(bestHand(["As", "Ks", "Qs", "Js", "9d"])?.category).toBe("high card");
  });
});

// Two hands, and whether the first is better (1), worse (-1) or the same (0).
const PAIRS: readonly [string, string, number][] = [
  ["Ac 2d 3h 4s 5c", "2d 3h 4s 5c 6d", -1],
  ["Ac 2d 3h 4s 5c", "As Ad Ah Kc Qd", 1],
  ["6s 6d Ah Kc Qd", "6h 6c Ac Kh Jd", 1],
  ["Js Jd 8c 8h Ac", "Jh Jc 8s 8d Kc", 1],
  ["7h 7c 7d Kh Ks", "Qs Qd Qh 2c 2d", -1],
  ["Ks Qd 9h 7c 5d", "Kd Qh 9c 7s 5h", 0],
];

describe("comparing", () => {
  it.each(PAIRS)("%s with %s gives %i", (one, other, wanted) => {
    expect(Math.sign(compareHands(hand(one), hand(other)))).toBe(wanted);
    expect(Math.sign(compareHands(hand(other), hand(one)))).toBe(wanted === 0 ? 0 : -wanted);
  });
});
