import { describe, expect, it } from "vitest";
import { actorWords, eventWords, secondWords } from "./recordWords";

describe("the words of the record", () => {
  it("name events and actors", () => {
    expect(eventWords("round_voided")).toBe("Round void");
    expect(eventWords("something_newer")).toBe("something newer");
    expect(actorWords("floor:sue")).toBe("Supervisor sue");
    expect(actorWords("")).toBe("not recorded");
    expect(actorWords("martian:x")).toBe("martian:x");
    expect(secondWords(0)).toBe("1970-01-01 00:00:00");
  });
});
