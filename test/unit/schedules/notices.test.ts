import { deepEqual, equal } from "node:assert/strict";
import type { NodeAPI } from "node-red";
import { ValueError } from "../../../src/fields";
import type { Schedule } from "../../../src/hours";
import { perNode } from "../../../src/runtime/node-red/node-state";
import { warnOfSkipped } from "../../../src/runtime/schedules/notices";

describe("lines that are logged once", () => {
  const lines: string[] = [];
  const RED = { _: String, log: { warn: (line: string) => lines.push(line) } } as unknown as NodeAPI;
  const warn = (name: string) =>
    warnOfSkipped(RED, "tenant", {
      name,
      skipped: [new ValueError("input.hours.dayEntry", "[0]")],
    } as unknown as Schedule);
  afterEach(() => {
    lines.length = 0;
    perNode("logged once").clear();
  });

  it("come once for what they say", () => {
    for (const name of ["Office", "Office", "Night", "Office"]) warn(name);
    equal(lines.length, 2);
  });

  it("are remembered for no more than 1,000 texts, whatever the service gives", () => {
    for (let number = 0; number < 2500; number += 1) warn(`Schedule ${number}`);
    const { size } = perNode("logged once");
    deepEqual([lines.length, size <= 1000], [2500, true]);
  });
});
