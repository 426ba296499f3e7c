import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { mock } from "node:test";
import type { Node, NodeAPI, NodeStatus } from "node-red";
import { calendar, loadZone, readExceptions, readSchedule } from "../../src/hours";
import { GateStatus } from "../../src/runtime/gate-status";

/** Words as a catalogue would make them, of key and parameters. */
const RED = {
  _: (key: string, params: Record<string, string>) =>
    [key.replace(/^.*:status\./, ""), ...Object.values(params)].join(" "),
} as unknown as NodeAPI;

describe("status of a gate", () => {
  let shown: NodeStatus[];
  let node: Node;
  const last = () => {
    const { fill, shape, text } = shown.at(-1) as { fill: string; shape: string; text: string };
    return `${fill} ${shape}: ${text}`;
  };

  beforeEach(() => {
    shown = [];
    node = { status: (status: NodeStatus) => shown.push(status) } as unknown as Node;
    mock.timers.enable({ apis: ["setTimeout", "Date"], now: Date.parse("2026-11-23T08:00:00Z") });
  });
  afterEach(() => mock.timers.reset());

  /** A minute at a time, as the clock that the status goes by is watched. */
  const pass = (minutes: number) => {
    for (let minute = 0; minute < minutes; minute += 1) mock.timers.tick(60_000);
  };

  async function statusOf(days: object[], more: { stale?: boolean; zone?: string } = {}) {
    const zone = await loadZone(more.zone ?? "UTC");
    const judge = calendar(readSchedule({ days }), readExceptions(undefined), zone);
    const status = new GateStatus(RED, node, () => ({ verdict: judge(Date.now()), stale: more.stale ?? false }));
    status.zone = zone;
    status.renew();
    return status;
  }

  const foreign = Intl.DateTimeFormat().resolvedOptions().timeZone === "UTC" ? "" : " (UTC)";

  it("renews itself when the moment comes", async () => {
    const status = await statusOf([
      { day: "mon", open: "09:00", close: "17:30" },
      { day: "tue", open: "08:00", close: "12:00" },
    ]);
    strictEqual(last(), `grey ring: closedUntil 09:00${foreign}`);
    pass(59);
    strictEqual(last(), `grey ring: closedUntil 09:00${foreign}`);
    pass(2);
    strictEqual(last(), `green dot: openUntil 17:30${foreign}`);
    pass(8 * 60 + 30);
    strictEqual(last(), `grey ring: closedUntil days.tue 08:00${foreign}`);
    pass(7 * 60);
    strictEqual(last(), `grey ring: closedUntil 08:00${foreign}`);
    status.close();
  });

  it("names the day within a week, the date beyond, neither without an end", async () => {
    (await statusOf([{ day: "sun", open: "09:00", close: "17:30" }])).close();
    strictEqual(last(), `grey ring: closedUntil days.sun 09:00${foreign}`);
    (await statusOf([{ day: "mon", open: "06:00", close: "07:00" }])).close();
    strictEqual(last(), `grey ring: closedUntil 2026-11-30 06:00${foreign}`);
    (await statusOf([])).close();
    strictEqual(last(), `grey ring: closed${foreign}`);
  });

  it("is stale in yellow", async () => {
    (await statusOf([{ day: "mon", open: "06:00", close: "17:30" }], { stale: true })).close();
    strictEqual(last(), `yellow dot: openUntil 17:30${foreign}, stale`);
  });

  it("adds the zone when it is not the host's", async () => {
    (await statusOf([{ day: "mon", open: "08:00", close: "17:30" }], { zone: "Asia/Ho_Chi_Minh" })).close();
    strictEqual(last(), "green dot: openUntil 17:30 (Asia/Ho_Chi_Minh)");
  });

  it("shows nothing and plans nothing after close", async () => {
    const status = await statusOf([{ day: "mon", open: "09:00", close: "17:30" }]);
    const before = shown.length;
    status.close();
    status.renew();
    pass(24 * 60);
    deepStrictEqual(shown.length, before);
  });
});
