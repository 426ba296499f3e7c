import assert from "node:assert/strict";
import type { Report } from "../../../src/workshop/rehearsal/make-report";
import { htmlOf } from "../../../src/workshop/report/html";
import { sampleCall, sampleNotPlaced, sampleRehearsal } from "../rehearsal/sample";

const at = "2026-12-01T09:00:00+07:00";
const error = { at, nodeId: "f", node: "Text", code: null, message: "It fails." };
const outside = { at, nodeId: "o", node: "Ask", type: "http request", given: { payload: "x" }, answered: false };
const input = { at, kind: "post" as const, target: "/orders", status: 200, body: { ok: true } };

/** The text of a part of the page. */
const textOf = (page: string, id = "main") => {
  const from = page.indexOf(id === "main" ? "<main>" : `id="${id}"`);
  const until = page.indexOf(id === "main" ? "</main>" : "</section>", from);
  return page
    .slice(from, until)
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ");
};

describe("the report as a page", () => {
  it("stands alone, and nothing in it can become markup", () => {
    const hostile = "</script><script>alert(1)</script><!--";
    const calls = [{ ...sampleCall("08:00", "01", hostile), node: hostile }];
    const errors = Array.from({ length: 7 }, () => ({ ...error, node: hostile, message: hostile }));
    const effects = [{ ...outside, type: hostile, given: { payload: hostile } }];
    const inputs = [{ ...input, target: hostile, body: hostile }];
    const rehearsal = { ...sampleRehearsal({ calls, errors, outside: effects, inputs }), notes: [hostile] };
    for (const isInEditor of [false, true]) {
      const page = htmlOf(rehearsal, { isInEditor });
      assert.ok(!page.includes(hostile));
      assert.equal(page.match(/<script/g)?.length ?? 0, isInEditor ? 1 : 0);
      assert.ok(page.includes("default-src &#39;none&#39;"));
      assert.ok(!/(?:src|href)="(?!data:)/.test(page));
    }
  });

  it("has in order what came in with its answer, calls with what they said, and everything else", () => {
    const calls = [
      sampleCall("09:00", "0900000001", "Hello"),
      { ...sampleCall("08:59", "02"), answerUrl: "https://a.example" },
    ];
    const waiting = { ...sampleNotPlaced, at: "2026-12-02T00:00:00+07:00", code: null, reason: "hours" };
    const request = {
      at,
      nodeId: "t",
      node: "Hand over",
      tenant: "Acme",
      action: "call-transfer",
      target: "12",
      outcome: "rejected" as const,
    };
    const found = {
      calls,
      notPlaced: [sampleNotPlaced, waiting],
      inputs: [input],
      requests: [request],
      outside: [outside],
      errors: [error],
    };
    const text = textOf(htmlOf(sampleRehearsal(found)), "timeline");
    const order = [
      ...[
        /08:59:00 Call 02 answered asks https:\/\/a\.example Call/,
        /09:00:00 Web request \/orders → 200 \{&quot;ok&quot;:true\}/,
      ],
      ...[
        /Call 0900000001 answered Hello/,
        /Not called 0912345699 ERR_BLOCKED It is blocked\./,
        /call-transfer 12 refused/,
      ],
      ...[/Would go out http request \{&quot;payload&quot;:&quot;x&quot;\} Ask/, /Error It fails\. Text/],
      ...[/Wed, Dec 2 00:00:00 Not called 0912345699 still waiting calling hours/],
    ];
    const places = order.map((each) => text.search(each));
    assert.ok(!places.includes(-1), `${places}: ${text}`);
    assert.deepEqual(
      places,
      [...places].sort((a, b) => a - b),
    );
  });

  it("names the offset of a time in another zone, and writes why it ended early with times as people do", () => {
    const calls = [sampleCall("09:00", "01"), { ...sampleCall("09:00", "02"), at: "2026-12-01T11:30:00+09:00" }];
    const page = htmlOf(sampleRehearsal({ calls, brokenOff: "At 2026-12-01T09:30:00.5+07:00 it ended." }));
    assert.match(textOf(page, "timeline"), /09:00:00 Call 01 .*11:30:00 \+09:00 Call 02 /);
    assert.match(textOf(page), /At 2026-12-01 09:30:00 it ended\./);
  });

  it("has each call once, the later ones folded away", () => {
    const calls = Array.from({ length: 5500 }, (_, index) => sampleCall("08:00", `n${index}.`));
    const page = htmlOf(sampleRehearsal({ calls }));
    assert.deepEqual(
      page.match(/\bn\d+\./g),
      calls.map(({ number }) => number),
    );
    assert.deepEqual(
      page.split("<details>").map((part) => part.match(/\bn\d+\./g)?.length),
      [200, 5000, 300],
    );
  });

  it("has by node what repeats: five times in order, then how often, and until when", () => {
    const errors = Array.from({ length: 1000 }, (_, index) => ({ ...error, message: `No ${index % 2}` }));
    const more = [
      { nodeId: "f", node: "Text", of: "errors" as const, times: 41_000, last: "2026-12-01T23:59:00+07:00" },
    ];
    const page = htmlOf(sampleRehearsal({ errors, more, outside: [outside] }));
    const text = textOf(page, "timeline");
    assert.equal(text.match(/No \d/g)?.length, 5);
    assert.match(text, /No 0 and 41,995 more, see below/);
    assert.match(textOf(page, "errors"), /Text 42,000 .*09:00:00 .*23:59:00 No 0 No 1 $/);
    assert.ok(!page.includes('id="outside"'), "All of it is in the timeline");
  });

  it("stays below 3 MB, and says how much is left out", () => {
    const calls = Array.from({ length: 100_000 }, (_, index) => sampleCall("08:00", `${index}`, "ほげ".repeat(500)));
    const long = { payload: "x".repeat(2000), topic: "x".repeat(2000) };
    const effects = Array.from({ length: 30_000 }, (_, index) => ({
      ...outside,
      nodeId: `o${index % 30}`,
      given: long,
    }));
    const calledTwice = Array.from({ length: 50_000 }, (_, index) => ({ number: `${index}`, calls: 2 }));
    const figures = { ...sampleRehearsal().report.figures, calls: calls.length, calledTwice };
    const page = htmlOf(sampleRehearsal({ calls, outside: effects, figures }), { language: "ja" });
    assert.ok(Buffer.byteLength(page) < 3_000_000, `${Buffer.byteLength(page)}`);
    const shown = page.match(/<li class="call">/g)?.length ?? 0;
    assert.ok(shown > 500);
    const left = (100_000 + 30 * 5 - page.split(/<li class="(?:call|outside)">/).slice(1).length).toLocaleString("ja");
    assert.ok(page.includes(left), left);
  });

  const reasons: readonly (readonly [string, Partial<Report>, object, string])[] = [
    ["a message without a call", { notPlaced: [sampleNotPlaced] }, {}, "“Call”: It is blocked."],
    [
      "a call that waits",
      { notPlaced: [{ ...sampleNotPlaced, code: null, reason: "hours" }] },
      {},
      "waits: calling hours.",
    ],
    ["an error", { errors: [error], inputs: [input] }, {}, "“Text”: It fails."],
    ["an answer", { inputs: [{ ...input, status: 404 }] }, {}, "/orders was answered with 404."],
    [
      "a gate",
      { inputs: [input] },
      { closed: { nodeId: "g", node: "open?", opensAt: at } },
      "“open?” was closed until Tue, Dec 1, 09:00.",
    ],
    ["a gate that never opens", {}, { closed: { nodeId: "g", node: "open?", opensAt: null } }, "“open?” was closed."],
    ["nothing that came in", {}, {}, "because nothing came in."],
    ["a flow that calls nobody", { inputs: [input] }, {}, "no message reached a node that calls."],
  ];
  for (const [name, found, more, reason] of reasons)
    it(`says why nothing was called: ${name}`, () => {
      const page = htmlOf({ ...sampleRehearsal(found), ...more });
      const why = /<p class="notice" id="why">(.*)<\/p>/.exec(page)?.[1] ?? "";
      assert.ok(why.endsWith(reason), why);
    });

  it("says nothing of the kind after a call", () => {
    const page = htmlOf(sampleRehearsal({ calls: [sampleCall("08:00", "1")], notPlaced: [sampleNotPlaced] }));
    assert.ok(!page.includes('id="why"'));
  });
});
