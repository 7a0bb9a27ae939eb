// Where the pips lie on the face of a number card.

type Point = readonly [x: number, y: number];

// A face is one unit wide and one unit high.
const LEFT = 0.22;
const RIGHT = 0.78;
const MID = 0.5;
const PIPS: Record<string, readonly Point[]> = {
  A: [[MID, 0.5]],
  "2": [[MID, 0], [MID, 1]],
  "3": [[MID, 0], [MID, 0.5], [MID, 1]],
  "4": [[LEFT, 0], [RIGHT, 0], [LEFT, 1], [RIGHT, 1]],
  "5": [[LEFT, 0], [RIGHT, 0], [MID, 0.5], [LEFT, 1], [RIGHT, 1]],
  "6": [[LEFT, 0], [RIGHT, 0], [LEFT, 0.5], [RIGHT, 0.5], [LEFT, 1], [RIGHT, 1]],
  "7": [[LEFT, 0], [RIGHT, 0], [MID, 0.25], [LEFT, 0.5], [RIGHT, 0.5], [LEFT, 1], [RIGHT, 1]],
  "8": [
    [LEFT, 0], [RIGHT, 0], [MID, 0.25], [LEFT, 0.5], [RIGHT, 0.5], [MID, 0.75], [LEFT, 1],
    [RIGHT, 1],
  ],
  "9": [
    [LEFT, 0], [RIGHT, 0], [LEFT, 0.333], [RIGHT, 0.333], [MID, 0.5], [LEFT, 0.667],
    [RIGHT, 0.667], [LEFT, 1], [RIGHT, 1],
  ],
  T: [
    [LEFT, 0], [RIGHT, 0], [MID, 0.167], [LEFT, 0.333], [RIGHT, 0.333], [LEFT, 0.667],
    [RIGHT, 0.667], [MID, 0.833], [LEFT, 1], [RIGHT, 1],
  ],
};

export function pips(rank: string): readonly Point[] {
  return PIPS[rank] ?? [];
}
