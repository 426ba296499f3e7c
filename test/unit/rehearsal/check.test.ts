import assert from "node:assert/strict";
import { isEvent } from "../../../src/workshop/rehearsal/events";
import type { Expectation } from "../../../src/workshop/rehearsal/flow-test";
import type { RehearsedCall, Report, ReportedInput } from "../../../src/workshop/rehearsal/make-report";
import { checkTest } from "../../../src/workshop/rehearsal/run-test";
import { sampleNotPlaced as blocked, sampleCall as call, sampleReport } from "./sample";

const about = { at: "2026-12-01T09:00:00+07:00", kind: "post", target: "/order" } as const;
const response: ReportedInput = { ...about, status: 200, body: { ok: true } };

function check(then: readonly Expectation[], found: Partial<Report> = {}, reached: Record<string, number> = {}) {
  const report = sampleReport(found);
  return checkTest({ name: "A test", from: report.from, days: 1, then }, report, reached);
}

const ada = call("09:00", "+84 912 345 602", "Hello Ada.", "Your order has shipped.");
const nine = { ...ada, actions: ada.actions.map((each, index) => ({ ...each, loop: index > 0 ? "9" : "1" })) };
const bob = call("09:01", "0912345607", "Hello Bob.");
const again = call("16:59", "+84912345602", "Hello Ada.");

describe("checking what a test expects", () => {
  const verdicts: readonly (readonly [string, readonly Expectation[], RehearsedCall[], boolean])[] = [
    ["a number by all its digits", [{ call: "84912345602" }], [ada], true],
    ["a number that is written otherwise", [{ call: "+84 (912) 345-602" }], [ada], true],
    ["a number by its last digits", [{ call: "*02" }], [ada], true],
    ["any number", [{ call: "*" }], [bob], true],
    ["a user with a text for a number", [{ call: "desk" }], [call("09:00", "desk")], true],
    ["another number", [{ call: "*03" }], [ada], false],
    ["no call", [{ call: "*02" }], [], false],
    ["a part of one text", [{ call: "*02", says: "order has" }], [ada], true],
    ["a part over two texts", [{ call: "*02", says: "Ada. Your" }], [ada], true],
    ["another text", [{ call: "*02", says: "was cancelled" }], [ada], false],
    ["all texts", [{ call: "*02", saysExactly: ["Hello Ada.", "Your order has shipped."] }], [ada], true],
    ["a text more", [{ call: "*02", saysExactly: ["Hello Ada."] }], [ada], false],
    ["how it is spoken", [{ call: "*02", voice: "banmai", loop: 1, speed: 0 }], [ada], true],
    ["another voice", [{ call: "*02", voice: "leminh" }], [ada], false],
    ["nine repeats of one text", [{ call: "*02", loop: "1" }], [nine], false],
    ["another speed", [{ call: "*02", speed: 1 }], [ada], false],
    ["a voice of what says nothing", [{ call: "*02", voice: "banmai" }], [{ ...ada, actions: [] }], false],
    ["an order, with others between", [{ call: "*02" }, { call: "*02" }], [ada, bob, again], true],
    ["another order", [{ call: "*07" }, { call: "*02" }], [ada, bob], false],
    ["an entry behind one that nothing fits", [{ call: "*99" }, { call: "*02" }], [ada], false],
    ["the start of the hours", [{ call: "*02", between: ["09:00", "17:00"] }], [ada], true],
    ["the end of the hours", [{ call: "*07", between: ["08:00", "09:01"] }], [bob], false],
    ["hours over midnight", [{ call: "*02", between: ["22:00", "09:01"] }], [ada], true],
    ["an instant without offset", [{ call: "*02", at: "2026-12-01T09:00" }], [ada], true],
    ["an instant in lower case", [{ call: "*02", at: "2026-12-01t09:00" }], [ada], true],
    ["an instant with milliseconds", [{ call: "*02", at: "2026-12-01T09:00:00.000" }], [ada], true],
    ["a day", [{ call: "*02", at: "2026-12-01" }], [ada], true],
    ["another day", [{ call: "*02", at: "2026-12-02" }], [ada], false],
    ["an instant with another offset", [{ call: "*02", at: "2026-12-01T02:00:00Z" }], [ada], true],
    ["another minute", [{ call: "*02", at: "2026-12-01T09:01" }], [ada], false],
    ["another second", [{ call: "*02", at: "2026-12-01T09:00:01+07:00" }], [ada], false],
    ["several calls", [{ call: "*02", times: 2 }], [ada, bob, again], true],
    ["too few calls", [{ call: "*02", times: 2 }], [ada, bob], false],
    ["too many calls", [{ call: "*02", times: 1 }], [ada, again], false],
    ["too many calls where none are counted", [{ call: "*02" }], [ada, again], false],
    ["never", [{ call: "*02", times: 0 }], [bob], true],
    ["never, but it came", [{ call: "*02", times: 0 }], [ada], false],
    ["nobody else", [{ call: "*02" }, { nobodyElse: true }], [ada], true],
    ["somebody else", [{ call: "*02" }, { nobodyElse: true }], [ada, bob], false],
    ["the same number again", [{ call: "*02" }, { nobodyElse: true }], [ada, again], false],
    ["a call whose outcome is unknown", [{ call: "*02" }], [{ ...ada, outcome: "unknown" }], true],
    ["a request that was refused", [{ call: "*02" }], [{ ...ada, outcome: "rejected" }], false],
    ["nobody else, but for a refused request", [{ nobodyElse: true }], [{ ...ada, outcome: "rejected" }], true],
    ["nobody else, named first", [{ nobodyElse: true }, { call: "*02" }], [ada], true],
  ];
  for (const [what, then, calls, isGreen] of verdicts)
    it(`${isGreen ? "takes" : "refuses"} ${what}`, () => assert.equal(check(then, { calls }).isGreen, isGreen));

  it("shows the text that was said instead", () => {
    const { checks } = check([{ call: "*02", says: "Your order is late" }], { calls: [ada, bob] });
    assert.deepEqual(checks, [
      {
        isGreen: false,
        expected: 'a call to *02 saying "Your order is late"',
        found: ['2026-12-01T09:00:00+07:00 +84 912 345 602 "Hello Ada." "Your order has shipped."'],
      },
    ]);
  });

  it("names what was expected in plain words", () => {
    const then: readonly Expectation[] = [
      { call: "*02", says: "Hello", between: ["08:00", "17:00"], at: "2026-12-01T09:00", times: 2 },
      { call: "*", saysExactly: ["Hello", ""], voice: "banmai", loop: 9, speed: 0, times: 1 },
      { request: "call-transfer", target: "12" },
      { notPlaced: "*99", code: "ERR_BLOCKED" },
      { notPlaced: "*99" },
      { nobodyElse: true },
      { response: 1, status: 200, body: "ok" },
      { reaches: "Debug" },
      { reaches: "Log", times: 0 },
    ];
    assert.deepEqual(
      check(then, {}).checks.map(({ expected }) => expected),
      [
        '2 calls to *02 saying "Hello" between 08:00 and 17:00 at 2026-12-01T09:00',
        '1 call to * saying exactly "Hello" "" with voice banmai with loop 9 with speed 0',
        "1 call-transfer of 12",
        "no call to *99 because of ERR_BLOCKED",
        "no call to *99",
        "nobody else is called",
        'response 1 with status 200 that contains "ok"',
        "1 message reaches Debug",
        "0 messages reach Log",
      ],
    );
  });

  it("checks each message that was not placed once", () => {
    const notPlaced = [blocked];
    assert.ok(check([{ notPlaced: "*99", code: "ERR_BLOCKED" }], { notPlaced }).isGreen);
    assert.ok(check([{ notPlaced: "0912345699" }], { notPlaced }).isGreen);
    assert.ok(!check([{ notPlaced: "*99", code: "ERR_EXPIRED" }], { notPlaced }).isGreen);
    assert.ok(!check([{ notPlaced: "*99" }, { notPlaced: "*99" }], { notPlaced }).isGreen);
    assert.ok(check([{ notPlaced: "*99", code: null }], { notPlaced: [{ ...blocked, code: null }] }).isGreen);
  });

  it("counts the requests besides calls, as far as they were not refused", () => {
    const request = { ...about, nodeId: "t", node: "Transfer", tenant: "Acme", outcome: "applied" as const };
    const requests = [
      ...["+84 912 345 602", "desk 2"].map((target) => ({ ...request, action: "call-transfer", target })),
      { ...request, action: "call-stop", target: "c1", outcome: "rejected" as const },
    ];
    const isGreen = (entry: Expectation) => check([entry], { requests }).isGreen;
    assert.ok(isGreen({ request: "call-transfer", times: 2 }));
    assert.ok(isGreen({ request: "call-transfer", target: "*02" }));
    assert.ok(isGreen({ request: "call-transfer", target: "desk 2" }));
    assert.ok(!isGreen({ request: "call-transfer" }), "two are one too many");
    assert.ok(!isGreen({ request: "call-transfer", target: "2" }));
    assert.ok(!isGreen({ request: "call-stop" }));
    const { checks } = check([{ request: "call-transfer", target: "9" }], { requests });
    assert.deepEqual(
      checks[0]?.found,
      requests.slice(0, 2).map(({ at, action, target }) => `${at} ${action} ${target}`),
    );
  });

  it("checks the response to an input", () => {
    const inputs = [response, { ...response, kind: "inject" as const, status: null, body: null }];
    assert.ok(check([{ response: 1, status: 200, body: '"ok":true' }], { inputs }).isGreen);
    assert.ok(!check([{ response: 1, status: 201 }], { inputs }).isGreen);
    assert.ok(!check([{ response: 2 }], { inputs }).isGreen, "An Inject has no response");
    assert.ok(!check([{ response: 3 }], { inputs }).isGreen);
    const { checks } = check([{ response: 1, body: "no" }], { inputs });
    assert.deepEqual(checks[0], {
      isGreen: false,
      expected: 'response 1 that contains "no"',
      found: ['200 {"ok":true}'],
    });
  });

  it("counts the messages that reach a node", () => {
    assert.ok(check([{ reaches: "Debug" }], {}, { Debug: 1 }).isGreen);
    assert.ok(!check([{ reaches: "Debug" }], {}, { Debug: 2 }).isGreen);
    assert.ok(check([{ reaches: "Debug", times: 0 }], {}, { Debug: 0 }).isGreen);
  });
});

it("an event of a rehearsal has the fields of its kind, and no others", () => {
  assert.ok(isEvent({ kind: "broken", at: 1, message: "1" }));
  for (const foreign of [
    "x",
    { kind: "valueOf" },
    { kind: "broken" },
    { kind: "broken", message: 1 },
    { kind: "end", more: 1 },
  ])
    assert.ok(!isEvent(foreign), JSON.stringify(foreign));
});
