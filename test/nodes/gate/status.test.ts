import assert, { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { mock } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Node, NodeAPI, NodeStatus } from "node-red";
import { loadZone, NO_EXCEPTIONS, readSchedule } from "../../../src/hours";
import { NO_SOURCES } from "../../../src/runtime/node-red/host";
import type { ShownDecision } from "../../../src/runtime/nodes/gate/gate";
import { GateStatus } from "../../../src/runtime/nodes/gate/status";
import { Hours } from "../../../src/runtime/schedules/hours";
import { ALWAYS } from "../../support/business-hours";
import { inKeys } from "../../support/speaking";
import { fail, flowOf, load, pass, statusesOf, until, withTenant } from "../../support/stage";
import { ownGate as gate, MORNING } from "./gates";

/** Words as a catalogue would make them, of key and parameters. */
const RED = {
  _: (key: string, params: Record<string, string>) =>
    key.includes("pattern.")
      ? inKeys(key, params)
      : [key.replace(/^.*:status\./, ""), ...Object.values(params)].join(" "),
} as unknown as NodeAPI;

const CLOSED = {
  open: false,
  reason: "outside",
  closesAt: null,
  opensAt: null,
  stale: false,
  incomplete: false,
} as const;

describe("status of a gate", () => {
  let shown: NodeStatus[];
  let node: Node;
  const last = () => {
    const { fill, shape, text } = shown.at(-1) as { fill: string; shape: string; text: string };
    return `${fill} ${shape}: ${text}`;
  };

  beforeEach(() => {
    shown = [];
    node = { status: (status: NodeStatus) => shown.push(status), on: () => {} } as unknown as Node;
    mock.timers.enable({ apis: ["setTimeout", "Date"], now: Date.parse("2026-11-23T08:00:00Z") });
  });
  afterEach(() => mock.timers.reset());

  /** A minute at a time, as the clock that the status goes by is watched. */
  const pass = async (minutes: number) => {
    for (let minute = 0; minute < minutes; minute += 1) {
      mock.timers.tick(60_000);
      await nextTurn();
    }
  };

  async function statusOf(days: object[], more: { stale?: boolean; incomplete?: boolean; zone?: string } = {}) {
    const { stale = false, incomplete = false, zone } = more;
    const schedule = readSchedule({ days });
    const current = (hours: Hours) => {
      const { validUntil, ...verdict } = hours.at(Date.now()) ?? assert.fail();
      return { businessHour: { ...verdict, stale, incomplete }, schedule, zone: hours.zone, validUntil };
    };
    return following(new GateStatus(RED, node, "live"), current, await hoursOf(days, zone));
  }

  const hoursOf = (schedule: object[] = [], zone = "UTC") => {
    const source = { fromTenant: false, exceptionsField: "exceptions", schedules: undefined, refreshMs: 0 } as const;
    return Hours.open({ ...source, pairs: { schedule, scheduleType: "list" }, zone }, NO_SOURCES);
  };

  async function following(status: GateStatus, current: (hours: Hours) => ShownDecision, hours: Hours) {
    hours.follow(
      () => () => status.follow(current(hours)),
      () => {},
    );
    await hours.renew();
    return hours;
  }

  const foreign = Intl.DateTimeFormat().resolvedOptions().timeZone === "UTC" ? "" : " (UTC)";

  it("shows the end of a closing by hand, and asks again then", async () => {
    const zone = await loadZone("UTC");
    const closedUntil = Date.parse("2026-11-23T18:30:00Z");
    const businessHour = { ...CLOSED, reason: "override", opensAt: "2026-11-23T18:30:00+00:00" } as const;
    const ends = [closedUntil, Date.parse("2026-11-23T08:00:05Z")];
    let asked = 0;
    const current = () => {
      asked += 1;
      return { businessHour, validUntil: ends[asked - 1] ?? closedUntil, zone };
    };
    const status = await following(new GateStatus(RED, node, "live"), current, await hoursOf());
    strictEqual(last(), `grey ring: closedUntil 18:30${foreign}, override`);
    await status.renew();
    mock.timers.tick(4999);
    strictEqual(asked, 2);
    mock.timers.tick(1);
    await nextTurn();
    strictEqual(asked, 3);
    status.close();
  });

  it("changes at the next opening or closing time", async () => {
    const status = await statusOf([
      { day: "mon", open: "09:00", close: "17:30" },
      { day: "tue", open: "08:00", close: "12:00" },
    ]);
    strictEqual(last(), `grey ring: closedUntil 09:00${foreign}`);
    await pass(59);
    strictEqual(last(), `grey ring: closedUntil 09:00${foreign}`);
    await pass(2);
    strictEqual(last(), `green dot: openUntil 17:30${foreign}`);
    await pass(8 * 60 + 30);
    strictEqual(last(), `grey ring: closedUntil days.tue 08:00${foreign}`);
    await pass(7 * 60);
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
    (await statusOf(ALWAYS)).close();
    strictEqual(last(), `green dot: open${foreign}`);
  });

  it("is stale in yellow", async () => {
    (await statusOf([{ day: "mon", open: "06:00", close: "17:30" }], { stale: true })).close();
    strictEqual(last(), `yellow dot: openUntil 17:30${foreign}, stale`);
  });

  it("adds the zone when it is not the host's", async () => {
    (await statusOf([{ day: "mon", open: "08:00", close: "17:30" }], { zone: "Asia/Ho_Chi_Minh" })).close();
    strictEqual(last(), "green dot: openUntil 17:30 (Asia/Ho_Chi_Minh)");
  });

  it("does not add the zone of the host by another name", async () => {
    const before = process.env["TZ"];
    process.env["TZ"] = "Asia/Saigon";
    try {
      (await statusOf([], { zone: "Asia/Ho_Chi_Minh" })).close();
      strictEqual(last(), "grey ring: closed");
    } finally {
      if (before === undefined) delete process.env["TZ"];
      else process.env["TZ"] = before;
    }
  });

  it("shows nothing and plans nothing after close", async () => {
    const status = await statusOf([{ day: "mon", open: "09:00", close: "17:30" }]);
    const before = shown.length;
    status.close();
    await status.renew();
    await pass(24 * 60);
    deepStrictEqual(shown.length, before);
  });

  it("is not what was being found out when it stopped to follow it", async () => {
    const hours = await hoursOf();
    let prepared = 0;
    const prepare = async () => {
      prepared += 1;
      strictEqual(hours.adopt({ ...(await hours.inputs.read()), exceptions: { ...NO_EXCEPTIONS } }), true);
      return () => assert.fail("an evaluation that was overtaken has an effect");
    };
    hours.follow(prepare, () => {});
    await hours.renew();
    strictEqual(prepared, 2);
  });
});

describe("status of a gate with its own schedule", () => {
  const held = withTenant();
  const only = (more: Record<string, unknown> = {}) => load(flowOf({ url: held.tenant.url }, gate(more)));

  it("shows the next change without a message, also with exceptions from a context store", async () => {
    await only({ exceptions: "holidays", exceptionsType: "flow" });
    const statuses = statusesOf("n1");
    await until(() => statuses.length > 0, "a status");
    match(String(statuses[0]?.text), /^(open|closed)Until/);
  });

  it("continues after the failure of one message", async () => {
    await only();
    const statuses = statusesOf("n1");
    await fail({ at: "nonsense" });
    await until(() => statuses.at(-1)?.fill === "red", "red status");
    await pass({ at: MORNING });
    await until(() => statuses.at(-1)?.fill !== "red", "the schedule's status again");
  });

  it("shows the hours of a schedule that came with a message", async () => {
    await only({ schedule: "week", scheduleType: "msg" });
    const statuses = statusesOf("n1");
    await pass({ week: { days: [] } });
    await until(() => statuses.length > 0, "a status");
    deepStrictEqual([statuses[0]?.fill, statuses[0]?.text?.startsWith("closed")], ["grey", true]);
  });
});
