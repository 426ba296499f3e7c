import assert from "node:assert/strict";
import { assertNoToken } from "./canary";

describe("the look for tokens", () => {
  it("finds one however deep, in an error's hidden properties too, and in another spelling", () => {
    const hidden = Object.defineProperty(new Error("x"), "cause", {
      value: { request: ["secret-token"] },
      enumerable: false,
    });
    for (const seen of ["Bearer secret-token", { a: [{ b: "other-token" }] }, hidden, "c2VjcmV0LXRva2Vu"]) {
      assert.throws(() => assertNoToken("here", seen), /a token in here/);
    }
    assertNoToken("here", { token: "[token]" }, "a secret and a token");
  });
});
