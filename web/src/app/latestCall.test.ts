import { describe, expect, it } from "vitest";
import { ApiError } from "../protocol/api";
import { LatestCall } from "./latestCall.svelte";

/** A question whose answer the test gives, or refuses. */
class Question {
  answer = (_: string): void => {};
  refuse = (_: string): void => {};
  private readonly answered = new Promise<string>((resolve, reject) => {
    this.answer = resolve;
    this.refuse = (sentence) => reject(new ApiError(409, "refused", sentence));
  });

  readonly ask = (): Promise<string> => this.answered;
}

describe("the latest call", () => {
  it("is busy until it is answered, and uses the answer", async () => {
    const call = new LatestCall();
    const used: string[] = [];
    const question = new Question();
    const run = call.run(question.ask, (text) => used.push(text));
    expect(call.busy).toBe(true);
    question.answer("page");
    await run;
    expect(used).toEqual(["page"]);
    expect(call.busy).toBe(false);
  });

  it("uses only the answer to the newest question, whichever comes first", async () => {
    const call = new LatestCall();
    const used: string[] = [];
    const [older, newer] = [new Question(), new Question()];
    const runs = [older, newer].map(({ ask }) => call.run(ask, (text) => used.push(text)));
    older.answer("older");
    await runs[0];
    expect(used).toEqual([]);
    expect(call.busy).toBe(true);
    newer.answer("newer");
    await runs[1];
    expect(used).toEqual(["newer"]);
    expect(call.busy).toBe(false);
  });

  it("says what went wrong with the newest question only, until the next one", async () => {
    const call = new LatestCall();
    const [older, newer] = [new Question(), new Question()];
    const runs = [older, newer].map(({ ask }) => call.run(ask, () => {}));
    newer.refuse("Too long.");
    await runs[1];
    older.refuse("Too short.");
    await runs[0];
    expect(call.problem).toBe("Too long.");
    expect(call.busy).toBe(false);
    await call.run(async () => "page", () => {});
    expect(call.problem).toBe("");
  });
});
