import { describe, expect, it } from "vitest";
import type { VisitCourse } from "../protocol/forms";
import { drawn } from "./visitCourse";

function course(...nets: number[]): VisitCourse {
  let total = 0;
  const points = nets.map((net, at) => {
    total += net;
    return { number: at + 1, credit_change_cents: net, total_cents: total };
  });
  return { rounds: nets.length, credit_change_cents: total, points };
}

describe("the course of a visit", () => {
  it("begins at nothing and goes from round to round, the best at the top", () => {
    expect(drawn(course(2000, -3000, 500), 300, 100)).toEqual({
      line: "0,66.7 100,0 200,100 300,83.3",
      zero: 66.7,
      end: { x: 300, y: 83.3 },
      highCents: 2000,
      lowCents: -1000,
    });
  });

  it.each([
    ["of losses alone", course(-500, -500), "0,0 50,50 100,100"],
    ["of wins alone", course(500, 500), "0,100 50,50 100,0"],
    ["of nothing", course(0, 0), "0,0 50,0 100,0"],
    ["without rounds", course(), "0,0"],
  ])("can be one %s", (_, played, line) => {
    expect(drawn(played, 100, 100).line).toBe(line);
  });

  it("begins with what came before, where only its end is shown", () => {
    const long = { rounds: 900, credit_change_cents: 1500, points: [{ number: 900, credit_change_cents: 500, total_cents: 1500 }] };
    expect(drawn(long, 100, 150).line).toBe("0,50 100,0");
  });
});
