import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readTests } from "../../../src/workshop/rehearsal/flow-test";
import { CannotRehearse, readWorld } from "../../../src/workshop/rehearsal/world";
import { root } from "../../support/root";

const world = {
  env: { SECRET: "x" },
  global: { vip: [1] },
  flow: { tab1: { count: 1 } },
  schedules: [
    { id: 1, name: "Office", enable: 1, days: [{ day: "mon", open: "08:00:00", close: "24:00" }], updated_at: "x" },
    { id: 2, name: "Branch", enable: true, days: [] },
  ],
  calendars: { "https://example.com/h.ics": "BEGIN:VCALENDAR\r\nEND:VCALENDAR" },
  phones: { "*02": "declines", "*29": { status: 429, retryAfter: 30 } },
  mix: { answers: 0.6, declines: 0.4 },
  faults: [{ at: "+90s", until: "09:00", path: "/api/v1/call/call-out", status: 503, share: 0.5 }],
  answers: { Weather: { payload: 1 } },
  inputs: [
    { at: "09:00", post: "/order", method: "PUT", headers: { "X-Secret": "x" }, body: { order: 17 } },
    { at: "09:00", get: "/status", headers: { "X-Secret": "x" } },
    { at: "2026-12-01T09:00", every: "15m", until: "17:00", inject: "Start" },
    { at: "2026-12-01T09:00:00.5+07:00", node: "Call", msg: { payload: "x" } },
  ],
};
const valid = { name: "A test", from: "2026-12-01", days: 1, then: [{ nobodyElse: true }] };

function isRefused(read: () => unknown, sentence: string): void {
  assert.throws(read, (error) => error instanceof CannotRehearse && error.message === sentence);
}

describe("a WORLD file", () => {
  it("may have each of its properties", () => {
    assert.deepEqual(readWorld(world), world);
    assert.deepEqual(readWorld({ schedules: { Acme: world.schedules } }), { schedules: { Acme: world.schedules } });
    assert.deepEqual(readWorld({}), {});
  });

  const mistakes: readonly (readonly [unknown, string])[] = [
    [[], "The world must be a JSON object."],
    [
      { phone: {} },
      "The phone field is not known here. Known: env, global, flow, schedules, calendars, phones, mix, faults, answers, inputs.",
    ],
    [{ env: { A: 1 } }, "The env.A field must be a string."],
    [{ global: [] }, "The global field must be a JSON object."],
    [{ flow: { tab1: 1 } }, "The flow.tab1 field must be a JSON object."],
    [{ schedules: [{ id: 1, name: "A" }] }, "The schedules.0.days field is required."],
    [
      { schedules: { Acme: [{ id: 1, name: "A", days: [], open: 1 }] } },
      "The schedules.Acme.0.open field is not known here. Known: id, name, enable, provider_business_hour_id, created_at, updated_at, days.",
    ],
    [{ calendars: { x: 1 } }, "The calendars.x field must be a string."],
    [{ phones: { "*02": "rings" } }, "The phones.*02 field must be one of answers, declines, never answers."],
    [{ mix: { answers: 0.6, declines: 0.6 } }, "The mix must be at most 1 together."],
    [{ faults: [{ status: 503 }] }, "The faults.0.at field is required."],
    [{ faults: [{ at: "09:00", share: 2 }] }, "The faults.0.share field must be a number from 0 to 1."],
    [
      { inputs: [{ at: "noon", inject: "A" }] },
      "The inputs.0.at field must be an instant, such as 2026-12-01T09:00, +90s after the start, or 09:00.",
    ],
    ...["0m", "30s", "1.5h", "m", 30].map(
      (every) =>
        [
          { inputs: [{ at: "09:00", every, inject: "A" }] },
          "The inputs.0.every field must be a whole number and m, h or d, such as 30m.",
        ] as const,
    ),
    [{ inputs: [{ at: "09:00" }] }, "The inputs.0 field must have exactly one of post, get, inject, node."],
    [{ inputs: [{ at: "09:00", post: "order" }] }, "The inputs.0.post field must be a path that begins with /."],
    [
      { inputs: [{ at: "09:00", post: "/order", method: "SEND" }] },
      "The inputs.0.method field must be an HTTP method, such as POST.",
    ],
    [
      { inputs: [{ at: "09:00", post: "/order", headers: { "x key": "1" } }] },
      "The inputs.0.headers.x key field must be a header that HTTP can send.",
    ],
    [
      { inputs: [{ at: "09:00", post: "/order", headers: { key: "1\r\n" } }] },
      "The inputs.0.headers.key field must be a header that HTTP can send.",
    ],
    [
      { inputs: [{ at: "09:00", inject: "A", msg: {} }] },
      "The inputs.0.msg field is not known here. Known: at, every, until, inject.",
    ],
    [{ inputs: [{ at: "09:00", node: "A" }] }, "The inputs.0.msg field is required."],
  ];
  for (const [value, sentence] of mistakes)
    it(`is refused: ${sentence}`, () => isRefused(() => readWorld(value), sentence));
});

describe("a tests file", () => {
  it("may have each kind of expectation", () => {
    const then = [
      { call: "*02", says: "Hello", between: ["08:00", "24:00"], at: "2026-12-01T09:00", times: 2 },
      { notPlaced: "*99", code: "ERR_BLOCKED" },
      { notPlaced: "*98", code: null },
      { nobodyElse: true },
      { response: 1, status: 200, body: "ok" },
      { reaches: "Debug", times: 0 },
    ];
    const tests = [
      { ...valid, seed: 3, flows: ["Shop", "tab2"], world, when: world.inputs, then },
      { ...valid, from: "2026-12-01T00:00", days: 2 },
    ];
    assert.deepEqual(readTests({ tests }), tests);
  });

  const mistakes: readonly (readonly [object, string])[] = [
    [{ ...valid, name: undefined }, "The tests.0.name field is required."],
    [{ ...valid, from: "tomorrow" }, "The tests.0.from field must be an instant, such as 2026-12-01T09:00."],
    [{ ...valid, until: "2026-12-02T00:00" }, "The tests.0 field must have either until or days."],
    [{ ...valid, days: undefined }, "The tests.0 field must have either until or days."],
    [
      { ...valid, givven: [] },
      "The tests.0.givven field is not known here. Known: name, from, until, days, seed, flows, world, when, then.",
    ],
    [
      { ...valid, world: { phone: {} } },
      "The tests.0.world.phone field is not known here. Known: env, global, flow, schedules, calendars, phones, mix, faults, answers, inputs.",
    ],
    [
      { ...valid, when: [{ at: "09:00" }] },
      "The tests.0.when.0 field must have exactly one of post, get, inject, node.",
    ],
    [{ ...valid, flows: [1] }, "The tests.0.flows.0 field must be a name."],
    [{ ...valid, then: [] }, "The tests.0.then field must have an entry."],
    [
      { ...valid, then: [{ calls: "*02" }] },
      "The tests.0.then.0 field must have exactly one of call, notPlaced, nobodyElse, response, reaches, request.",
    ],
    [
      { ...valid, then: [{ call: "*02", say: "x" }] },
      "The tests.0.then.0.say field is not known here. Known: call, says, saysExactly, voice, loop, speed, between, at, times.",
    ],
    [
      { ...valid, then: [{ call: "*02", between: ["8:00", "9:00"] }] },
      'The tests.0.then.0.between field must be two times, such as ["08:00", "17:00"].',
    ],
    [{ ...valid, then: [{ nobodyElse: false }] }, "The tests.0.then.0.nobodyElse field must be true."],
    [
      { ...valid, then: [{ response: 0 }] },
      "The tests.0.then.0.response field must be a whole number from 1 to 1000000.",
    ],
  ];
  for (const [value, sentence] of mistakes)
    it(`is refused: ${sentence}`, () => isRefused(() => readTests({ tests: [value] }), sentence));

  it("is refused when it has no list of tests", () => {
    isRefused(() => readTests([]), 'The tests must be a JSON object with a list "tests".');
    isRefused(() => readTests({}), "The tests field is required.");
  });
});

describe("docs/rehearse.md", () => {
  it("shows a world and tests that can be read", () => {
    const page = readFileSync(join(root, "docs/rehearse.md"), "utf8");
    const [shownWorld, shownTests] = [...page.matchAll(/^```json\n(.*?)^```/gms)].map(([, json = ""]) =>
      JSON.parse(json),
    );
    readWorld(shownWorld);
    readTests(shownTests);
  });
});
