import assert from "node:assert/strict";
import { casesOf } from "../../support/until";
import { code, days, inject, inTab, tab } from "./flows";

describe("a rehearsal of a flow that has no end", () => {
  it("names the node at which messages go in a circle, and gives the same bytes until there", async function () {
    // Two rehearsals, one after the other.
    this.timeout(600_000);
    const flows = [
      tab,
      inTab("often", "inject", ["ask", "fail"], { props: [], repeat: "2", crontab: "", once: false }),
      inTab("ask", "http request", [], { name: "Ask" }),
      { ...code("fail", 'throw new Error("again");'), name: "Fail" },
      inject("start", "0 1 * * *", "wait"),
      code(
        "wait",
        "const since = Date.now(); while (Date.now() - since < 1500); msg.payload = since; return msg;",
        "repeat",
      ),
      code(
        "repeat",
        `let times = 0;
        const timer = setInterval(() => {
          times += 1;
          if (times === 500) { clearInterval(timer); node.send({ payload: Date.now() - msg.payload }); }
        }, 0);`,
        "circle",
      ),
      inTab("circle", "change", ["back"], { name: "Circle", rules: [] }),
      inTab("back", "change", ["circle"], { rules: [] }),
    ];
    const { report } = await days(flows);
    for (let again = 1; again < casesOf(2); again += 1)
      assert.equal(JSON.stringify((await days(flows)).report), JSON.stringify(report));
    const { brokenOff, outside, errors, more } = report;
    // At one: 1.5 s in a loop, and 500 times a millisecond.
    assert.match(
      brokenOff ?? "",
      /^At 2026-11-30T01:00:02\.\d+\+\S+ messages go in a circle: "Circle" received 250001 /,
    );
    assert.deepEqual([outside.length, errors.length], [1000, 1000]);
    assert.deepEqual(
      more.map(({ node, of }) => [node, of]),
      [
        ["Ask", "outside"],
        ["Fail", "errors"],
      ],
    );
    for (const { times, last } of more) {
      assert.ok(times > 750);
      assert.match(last, /^2026-11-30T01:00:0[01]/);
    }
  });

  it("counts days of what happens every two seconds, and the messages of all of it", async () => {
    const until = casesOf(7);
    const flows = [
      tab,
      inTab("often", "inject", ["ask"], { props: [], repeat: "2", crontab: "", once: false }),
      inTab("ask", "http request", [], { name: "Ask" }),
    ];
    const { report, reached } = await days(flows, { until, watch: ["Ask"] });
    assert.equal(report.brokenOff, null);
    const [{ times } = { times: 0 }] = report.more;
    assert.equal(report.outside.length + times, reached["Ask"]);
    assert.ok(times > until * 42_000);
  });
});
