// The drawing of a visit: the player's result after each round, as points of a line.

import type { VisitCourse } from "../protocol/forms";

export interface Drawn {
  /** The points of the line, as an SVG polyline takes them. */
  line: string;
  /** The height of the line at which the player is even. */
  zero: number;
  /** Where the visit stands now. */
  end: { x: number; y: number };
  highCents: number;
  lowCents: number;
}

/**
 * The course of a visit in a box of this size. It begins with what was won or lost before the first
 * point, which is nothing unless the visit is longer than what is shown.
 */
export function drawn(course: VisitCourse, width: number, height: number): Drawn {
  const first = course.points[0];
  const before = first ? first.total_cents - first.credit_change_cents : 0;
  const totals = [before, ...course.points.map((point) => point.total_cents)];
  const highCents = Math.max(0, ...totals);
  const lowCents = Math.min(0, ...totals);
  const range = highCents - lowCents || 1;
  const y = (cents: number) => height * ((highCents - cents) / range);
  const x = (at: number) => (totals.length > 1 ? (width * at) / (totals.length - 1) : 0);
  const points = totals.map((cents, at) => ({ x: x(at), y: y(cents) }));
  return {
    line: points.map((point) => `${round(point.x)},${round(point.y)}`).join(" "),
    zero: round(y(0)),
    end: { x: round(points.at(-1)?.x ?? 0), y: round(points.at(-1)?.y ?? 0) },
    highCents,
    lowCents,
  };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
