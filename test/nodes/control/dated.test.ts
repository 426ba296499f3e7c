import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { letGo, putClockAhead } from "../../support/clocks";
import { clear, fail, flowOf, give, load, seen, statusesOf, until, withTenant } from "../../support/stage";
import { callAlike, control } from "../schedules/requests";

const HOUR = 3_600_000;
const DATED = {
  notBefore: "when",
  notBeforeType: "msg",
  onceKey: "key",
  onceKeyType: "msg",
  notAfter: "until",
  notAfterType: "msg",
};

describe("calls with a date, and telephony-control", () => {
  const held = withTenant();
  const flow = (...nodes: Record<string, unknown>[]) =>
    flowOf({ url: held.tenant.url, timezone: "Asia/Ho_Chi_Minh" }, callAlike(DATED), control(), ...nodes);
  const order = async (payload: unknown, id = "k1") => {
    give({ payload }, id);
    await until(() => seen.out.some((out) => "paused" in Object(out.payload)), "the counts");
    return seen.out.splice(0)[0]?.payload;
  };
  const count = () => held.tenant.received.length;
  const caught = () =>
    seen.caught.splice(0).map(({ key, error }) => [key, error.code, error.cause.by, error.cause.outcome]);
  /** Waits until as many calls wait for their date. */
  const accept = async (dates: Readonly<Record<string, number>>) => {
    for (const [key, when] of Object.entries(dates)) give({ key, when });
    const wanted = Object.keys(dates).length;
    await until(async () => (await order("count")).dated >= wanted);
  };

  it("wait for it, are listed in order, and leave when it has come", async () => {
    await load(flow());
    const now = Date.now();
    await accept({ later: now + 2 * HOUR, soon: now + HOUR });
    give({ key: "now", when: now - HOUR });
    await until(() => seen.out.some(({ key }) => key === "now"), "the undated call");
    clear();
    const { calls, ...counts } = await order("list");
    deepStrictEqual([counts.dated, counts.heldBack, counts.waiting], [2, 0, { callOut: 2, other: 0 }]);
    const iso = (at: number) => new Date(at).toISOString();
    deepStrictEqual(
      calls.map(({ acceptedAt, number, urgent, ...call }: Record<string, unknown>) => {
        ok(urgent === false && typeof number === "string" && Math.abs(Date.parse(String(acceptedAt)) - now) < 60_000);
        return call;
      }),
      [
        { key: "soon", nodeId: "n1", notBefore: iso(now + HOUR), notAfter: null, waitsFor: "date", position: 1 },
        { key: "later", nodeId: "n1", notBefore: iso(now + 2 * HOUR), notAfter: null, waitsFor: "date", position: 2 },
      ],
    );
    putClockAhead(60_000);
    deepStrictEqual((await order("list")).calls, calls, "also after the clock was set");
    letGo();
    const part = await order({ command: "list", limit: 1, offset: "1" });
    deepStrictEqual(
      part.calls.map(({ key }: { key: string }) => key),
      ["later"],
    );
    give({ key: "in a moment", when: Date.now() + 50 });
    await until(() => seen.out.some(({ key }) => key === "in a moment"), "the call at its date");
    strictEqual(count(), 2);
  });

  it("are cancelled by their key, which is free again", async () => {
    const byProperty = control({ id: "k2", command: "cancel", key: "order", keyType: "msg" });
    await load(flow(callAlike({ ...DATED, id: "n2" }), byProperty));
    const when = Date.now() + HOUR;
    await accept({ a: when, b: when });
    give({ key: "a", when }, "n2");
    await until(async () => (await order("count")).dated === 3);
    const { cancelled, tooLate, dated } = await order({ command: "cancel", key: "a" });
    deepStrictEqual([cancelled, tooLate, dated], [2, 0, 1]);
    await until(() => seen.caught.length === 2, "both messages ended");
    const ended = ["a", "ERR_CANCELLED", "cancel", "not-applied"];
    deepStrictEqual(caught(), [ended, ended]);
    await accept({ a: when, b2: when, b3: when });
    give({ order: "a" }, "k2");
    await until(() => seen.out.length === 1, "the counts");
    strictEqual(seen.out[0]?.payload.cancelled, 1);
    strictEqual(count(), 0);
  });

  it("that are in flight, unknown or not named are not cancelled, which is no error", async () => {
    const release = held.tenant.hold();
    await load(flow());
    give({ key: "5", when: 0 + Date.now() - HOUR });
    await until(() => count() === 1, "in flight");
    for (const [payload, tooLate] of [
      [{ command: "cancel", key: 5 }, 1],
      [{ command: "cancel", key: "other" }, 0],
      [{ command: "cancel" }, 0],
      [{ command: "cancel", key: "" }, 0],
      ["cancel", 0],
    ] as const) {
      const report = await order(payload);
      deepStrictEqual([report.cancelled, report.tooLate], [0, tooLate], JSON.stringify(payload));
    }
    release();
    await until(() => seen.out.length === 1, "the call has ended");
  });

  for (const [payload, field] of [
    [{ command: "cancel", key: {} }, "key"],
    [{ command: "cancel", key: true }, "key"],
    [{ command: "cancel", key: ["a"] }, "key"],
    [{ command: "list", limit: 0 }, "limit"],
    [{ command: "list", limit: 10_001 }, "limit"],
    [{ command: "list", limit: 1.5 }, "limit"],
    [{ command: "list", offset: -1 }, "offset"],
    [{ command: "list", offset: "soon" }, "offset"],
    [{ command: "drop", only: "dated" }, "only"],
    [{ command: "forget" }, "command"],
  ] as const) {
    it(`${JSON.stringify(payload)} is ERR_INPUT, and does nothing`, async () => {
      await load(flow());
      await accept({ a: Date.now() + HOUR });
      clear();
      const { code, cause } = await fail({ payload }, "k1");
      deepStrictEqual([code, cause.field, cause.source], ["ERR_INPUT", field, `msg.payload.${field}`]);
      strictEqual((await order("count")).dated, 1);
    });
  }

  it("take the place of an earlier one, with their own date, and only if they are accepted", async () => {
    await load(flow(callAlike({ ...DATED, id: "n2", onceAgain: "replace" })));
    const when = Date.now() + HOUR;
    give({ key: "a", when }, "n2");
    await until(async () => (await order("count")).dated === 1);
    give({ key: "a", when: "tomorrow" }, "n2");
    await until(() => seen.caught.length === 1, "a date that is none");
    deepStrictEqual(caught(), [["a", "ERR_INPUT", undefined, "not-applied"]]);
    strictEqual((await order("count")).dated, 1);
    give({ key: "a", when: when + HOUR }, "n2");
    await until(() => seen.caught.length === 1, "the earlier one ended");
    deepStrictEqual(caught(), [["a", "ERR_CANCELLED", "replaced", "not-applied"]]);
    const { calls } = await order("list");
    deepStrictEqual(
      calls.map(({ notBefore }: { notBefore: string }) => Date.parse(notBefore)),
      [when + HOUR],
    );
    give({ key: "a" }, "n1");
    await until(() => seen.caught.length === 1, "a message without a date");
    strictEqual(seen.caught[0]?.["error"].code, "ERR_INPUT");
  });

  it("are shown with the first date, in the time of the tenant, while nothing else waits", async () => {
    await load(flow(callAlike({ id: "n2" })));
    const [call, controls] = [statusesOf("n1"), statusesOf("k1")];
    await accept({ a: Date.now() + 300 * 24 * HOUR, b: Date.now() + 310 * 24 * HOUR });
    const text = { fill: "blue", shape: "ring", text: "dated" };
    await until(() => call.at(-1)?.text === "dated" && controls.at(-1)?.text === "dated", "the dates");
    deepStrictEqual([call.at(-1), controls.at(-1)], [text, text]);
    await order("pause");
    await until(() => controls.at(-1)?.text === "paused, waiting", "the pause");
    await order("drop");
    await until(() => seen.caught.length === 2, "dropped");
    ok(seen.caught.every(({ error }) => error.code === "ERR_DROPPED"));
  });
});
