import { deepStrictEqual } from "node:assert/strict";
import type { NodeAPI, NodeMessage } from "node-red";
import { idOf, warnOf } from "../../../src/runtime/delivery/message-log";

describe("a message in the log", () => {
  const IDS: readonly [id: unknown, shown: string][] = [
    ["a1b2", "a1b2"],
    [7, "7"],
    ["two\r\n21 Nov 08:00:00 - [error] lines\u001b[31m", "two 21 Nov 08:00:00 - [error] lines [31m"],
    ["x".repeat(1_000_000), "x".repeat(100)],
    [undefined, ""],
    [Symbol("id"), ""],
    [{ toString: () => "id" }, ""],
  ];
  for (const [id, shown] of IDS) {
    it(`names it by its id, on one line: ${String(typeof id === "string" ? id.slice(0, 12) : typeof id)}`, () => {
      deepStrictEqual(idOf({ _msgid: id } as unknown as NodeMessage), shown);
    });
  }

  it("is one warning, with action, id, outcome and reason", () => {
    const warned: unknown[] = [];
    const RED = {
      _: (key: string, params: object) => [key.split(":")[1], params],
      log: { warn: (line: unknown) => warned.push(line) },
    } as unknown as NodeAPI;
    warnOf(RED, "undeliverable", "call-out", { _msgid: "m\n1" }, "applied", "no copy");
    deepStrictEqual(warned, [
      ["log.undeliverable", { action: "call-out", id: "m 1", outcome: "applied", reason: "no copy" }],
    ]);
  });
});
