import assert from "node:assert/strict";
import { csvOf } from "../../../src/workshop/report/csv";
import { htmlOf } from "../../../src/workshop/report/html";
import { sampleCall, sampleNotPlaced, sampleRehearsal, sampleReport } from "../rehearsal/sample";

describe("the report as CSV", () => {
  const rows = (text: string) => text.slice(1).split("\r\n");

  it("has calls and messages without one, in order of time", () => {
    const calls = [sampleCall("08:00", "01", "Hello."), sampleCall("10:00", "02")];
    const csv = csvOf(sampleReport({ calls, notPlaced: [sampleNotPlaced] }));
    assert.equal(csv[0], "\uFEFF");
    assert.deepEqual(rows(csv), [
      "at,number,nodeId,node,tenant,says,answerUrl,phone,outcome,code,reason",
      "2026-12-01T08:00:00+07:00,01,c,Call,Acme,Hello.,,answered,applied,,",
      "2026-12-01T09:00:00+07:00,0912345699,c,Call,,,,,not placed,ERR_BLOCKED,It is blocked.",
      "2026-12-01T10:00:00+07:00,02,c,Call,Acme,,,answered,applied,,",
      "",
    ]);
  });

  it("quotes what RFC 4180 wants quoted", () => {
    const csv = csvOf(sampleReport({ calls: [sampleCall("08:00", "01", 'Say "hi", Ada.', "Bye.")] }));
    assert.ok(csv.includes(',"Say ""hi"", Ada.\nBye.",'), csv);
  });

  for (const formula of ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(1)", "＝1", "\t=1", "\r=1"]) {
    it(`keeps a spreadsheet from running ${JSON.stringify(formula)}`, () => {
      const csv = csvOf(sampleReport({ calls: [{ ...sampleCall("08:00", formula), says: [formula], node: formula }] }));
      const found = csv.split(formula).slice(0, -1);
      assert.deepEqual(
        found.map((before) => before.at(-1)),
        found.map(() => "'"),
      );
    });
  }

  it("leaves an international number as it is", () =>
    assert.ok(csvOf(sampleReport({ calls: [sampleCall("08:00", "+84912345602")] })).includes(",+84912345602,")));
});

describe("the report as a page", () => {
  it("stands alone, and nothing in it can become markup", () => {
    const hostile = "</script><script>alert(1)</script><!--";
    const calls = [{ ...sampleCall("08:00", "01", hostile), node: hostile }];
    const rehearsal = { ...sampleRehearsal({ calls }), notes: [hostile] };
    for (const isInEditor of [false, true]) {
      const page = htmlOf(rehearsal, { isInEditor });
      assert.ok(!page.includes(hostile));
      assert.equal(page.match(/<script/g)?.length ?? 0, isInEditor ? 1 : 0);
      assert.ok(page.includes("default-src &#39;none&#39;"));
      assert.ok(!/(?:src|href)="(?!data:)/.test(page));
    }
  });

  it("has each call once, the later ones folded away", () => {
    const calls = Array.from({ length: 5500 }, (_, index) => sampleCall("08:00", `n${index}.`));
    const page = htmlOf(sampleRehearsal({ calls }));
    assert.deepEqual(
      page.match(/(?<=>)n\d+\.(?=<)/g),
      calls.map(({ number }) => number),
    );
    assert.deepEqual(
      page.split("<details>").map((part) => part.match(/>n\d+\.</g)?.length),
      [200, 5000, 300],
    );
  });
});
