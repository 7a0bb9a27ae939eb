// The colours of chips by value.

interface ChipColours {
  body: string;
  figure: string;
}

const DARK = "var(--on-brass)";
const LIGHT = "var(--ivory)";
const WHITE: ChipColours = { body: "var(--chip-white)", figure: DARK };

const COLOURS: readonly [fromCents: number, colours: ChipColours][] = [
  [0, WHITE],
  [500, { body: "var(--chip-red)", figure: LIGHT }],
  [1000, { body: "var(--chip-blue)", figure: LIGHT }],
  [2500, { body: "var(--chip-green)", figure: LIGHT }],
  [5000, { body: "var(--chip-orange)", figure: LIGHT }],
  [10000, { body: "var(--chip-black)", figure: LIGHT }],
  [50000, { body: "var(--chip-purple)", figure: LIGHT }],
];

export function chipColours(cents: number): ChipColours {
  return COLOURS.findLast(([from]) => from <= cents)?.[1] ?? WHITE;
}
