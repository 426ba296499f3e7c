import assert from "node:assert/strict";
import { junitOf } from "../../../src/cli/junit";
import { linesOf, type RunFile, totals } from "../../../src/cli/results";
import { summaryOf } from "../../../src/cli/summary";
import type { FlowTest } from "../../../src/workshop/rehearsal/flow-test";
import type { Rehearsal } from "../../../src/workshop/rehearsal/rehearse";
import { checkTest } from "../../../src/workshop/rehearsal/run-test";
import { CannotRehearse } from "../../../src/workshop/rehearsal/world";
import { sampleCall, sampleNotPlaced, sampleRehearsal } from "../rehearsal/sample";

const calls = [sampleCall("09:00", "0912345602", 'Hello <Ada> & "Bob".')];
const error = {
  at: "2026-12-01T09:00:00+07:00",
  nodeId: "f",
  node: "Make text",
  code: null,
  message: "No\u001b[31m name.",
};

function outcome(name: string, says: string, rehearsal: Rehearsal = sampleRehearsal({ calls, errors: [error] })) {
  const test: FlowTest = { name, from: "2026-12-01", days: 1, then: [{ call: "*02", says }] };
  return { name, outcome: { result: checkTest(test, rehearsal.report, {}), rehearsal } };
}

const files: readonly RunFile[] = [
  {
    file: "orders.tests.json",
    tests: [
      outcome("Says hello", "Hello"),
      outcome("Says bye", "Bye"),
      { name: "Names what is gone", outcome: new CannotRehearse('There is no node "Gone".') },
    ],
  },
];

describe("the results of telephony test", () => {
  it("show what was expected and found side by side", () => {
    assert.deepEqual(files.flatMap(linesOf), [
      "orders.tests.json",
      "  ✓ Says hello",
      "  ✗ Says bye",
      `      ${"expected".padEnd(48)} │ found`,
      `      ${'a call to *02 saying "Bye"'.padEnd(48)} │ 2026-12-01T09:00:00+07:00 0912345602 "Hello <Ada> & \\"Bob\\"."`,
      '      error of "Make text": No [31m name.',
      "  ! Names what is gone",
      '      There is no node "Gone".',
      "",
    ]);
    assert.equal(totals(files), "3 tests: 1 green, 1 red, 1 could not be run");
  });

  it("are well-formed as JUnit XML", () => {
    const xml = junitOf(files);
    assert.ok(xml.startsWith('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites tests="3" failures="1" errors="1">'));
    assert.ok(xml.includes('<testcase classname="orders.tests.json" name="Says hello"/>'));
    assert.ok(xml.includes("&quot;Hello &lt;Ada&gt; &amp;"));
    assert.ok(xml.includes('<error message="There is no node &quot;Gone&quot;.">'));
    assert.ok(
      !/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u.test(
        junitOf([{ file: "\u0007\ud800", tests: [] }]),
      ),
    );
  });
});

describe("the summary of telephony rehearse", () => {
  it("has the figures, and each kind of trouble once", () => {
    const figures = {
      calls: 1,
      notPlaced: 2,
      busiestMinute: { at: "2026-12-01T09:00:00+07:00", calls: 1 },
      speechSeconds: 75,
      calledTwice: [{ number: "0912345602", calls: 3 }],
    };
    const notPlaced = [sampleNotPlaced, { ...sampleNotPlaced, code: null, reason: "date" }];
    const rehearsal = sampleRehearsal({ calls, notPlaced, errors: [error, error], figures });
    assert.equal(
      summaryOf({ ...rehearsal, notes: ["The type x is not installed."] }),
      `Rehearsed 2026-12-01 00:00 to 2026-12-02 00:00, seed 1, Node-RED 5.0.7 (/node-red)
The type x is not installed.

calls          1: 1 answered
not placed     2: 1 ERR_BLOCKED, 1 still waiting
busiest minute 2026-12-01 09:00, 1 call
speech         1 min 15 s
called twice   0912345602 (3)
errors         "Make text": No [31m name. (2 times)
`,
    );
    assert.match(summaryOf(sampleRehearsal()), /^Nothing was called, because nothing came in\.\n$/m);
  });
});
