import assert from "node:assert/strict";
import { assertNoToken, TOKEN } from "./canary";

describe("the search for tokens", () => {
  it("finds a token at any depth, in an error's hidden properties too, and in another encoding", () => {
    const hidden = Object.defineProperty(new Error("x"), "cause", {
      value: { request: ["secret-token"] },
      enumerable: false,
    });
    const longer = ["u:", "us:", "use:"].map((user) => Buffer.from(`${user}${TOKEN}`).toString("base64"));
    const spelled = [encodeURIComponent(TOKEN), JSON.stringify(TOKEN), Buffer.from(TOKEN).toString("base64url")];
    const many = Array.from({ length: 500 }, (_, index) => (index === 499 ? "token-of-the-end" : "x"));
    for (const seen of ["Bearer secret-token", { a: [{ b: "other-token" }] }, hidden, many, ...longer, ...spelled]) {
      assert.throws(() => assertNoToken("here", "nothing", seen), /a token in here/);
    }
    assertNoToken("here", { token: "[token]" }, "a secret and a token");
  });
});
