import { describe, expect, it } from "vitest";
import { ApiError } from "../protocol/api";
import { decoded, encoded, neededPasskey } from "./passkeys";

describe("bytes in base64url", () => {
  it.each(["", "Zg", "Zm8", "Zm9v", "_-_-", "ZmVsdD8"])("%s are the same after a round trip", (text) => {
    expect(encoded(decoded(text).buffer)).toBe(text);
  });
});

describe("a refused sign-in", () => {
  it("says which passkey it needs", () => {
    const problem = { code: "passkey_needed", sentence: "", passkey: null, codes: true };
    expect(neededPasskey(new ApiError(401, "passkey_needed", "", null, problem))).toBe(problem);
    expect(neededPasskey(new ApiError(401, "wrong_password", ""))).toBeNull();
    expect(neededPasskey(new Error("lost"))).toBeNull();
  });
});
