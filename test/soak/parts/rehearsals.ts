import { performance } from "node:perf_hooks";
import type { RehearsalOptions } from "../../../src/workshop/rehearsal/options";
import { type Rehearsal, rehearse } from "../../../src/workshop/rehearsal/rehearse";
import { TOKEN } from "../../support/canary";
import { LiveTenant } from "../../support/live-tenant";
import { example, exampleNames } from "../../support/process/examples";
import { clockAt, type FlowNode, NodeRed } from "../../support/process/node-red";
import { npm, temporaryFolder, userFolder } from "../../support/process/user-folder";
import { atMost, type Figure, none, part, share } from "../part";

const PLACE = { z: "tab", name: "", x: 1, y: 1 };
const TAB: FlowNode = { id: "tab", type: "tab", label: "Tab" };
const tenantAt = (url: string): FlowNode => ({
  ...{ id: "office", type: "telephony-tenant", name: "Office", mode: "live", url, fromNumber: "100" },
  ...{ timezone: "America/New_York", credentials: { token: TOKEN } },
});
const callOut = (...wires: string[]): FlowNode => ({
  ...{ ...PLACE, id: "call", type: "call-out", tenant: "office", wires: [wires], target: "-", anytime: true },
  ...{ toKind: "external", toNumber: "0900000001", toNumberType: "str" },
  ...{ actions: [{ action: "talk", text: "Hello", loop: "1" }], actionsType: "list" },
});

/** Measures how long a rehearsal takes, seconds. */
async function timed(options: RehearsalOptions): Promise<Rehearsal & { readonly seconds: number }> {
  const began = performance.now();
  const rehearsal = await rehearse({ ...options, limit: 300 });
  return { ...rehearsal, seconds: (performance.now() - began) / 1000 };
}

/** An Inject at nine that calls so many. */
const campaign = (count: number): FlowNode[] => [
  TAB,
  { ...tenantAt("https://pbx.example.com"), backlog: "200000" },
  { ...PLACE, id: "nine", type: "inject", props: [], repeat: "", crontab: "0 9 * * *", once: false, wires: [["all"]] },
  {
    ...{ ...PLACE, id: "all", type: "function", outputs: 1, libs: [], wires: [["call"]] },
    func: `for (let n = 0; n < ${count}; n += 1) node.send({ number: "09" + String(n).padStart(8, "0") });`,
  },
  { ...callOut(), toNumber: "number", toNumberType: "msg" },
];

/** Clocks go back on Sunday, 1 November 2026, at two; the Thursday before is a holiday. */
const HOLIDAY = "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART;VALUE=DATE:20261029\r\nEND:VEVENT\r\nEND:VCALENDAR";
const HOURS = [
  ...["mon", "tue", "wed", "thu", "fri"].map((day) => ({ day, open: "08:00", close: "17:00" })),
  { day: "sun", open: "00:30", close: "01:45" },
  { day: "sun", open: "02:15", close: "04:00" },
];
const office = (url: string): FlowNode[] => [
  TAB,
  tenantAt(url),
  { ...PLACE, id: "in", type: "http in", method: "get", url: "/ring", wires: [["gate"]] },
  {
    ...{ ...PLACE, id: "gate", type: "business-hour-gate", source: "value", schedule: HOURS, scheduleType: "list" },
    ...{ timezone: "America/New_York", exceptions: HOLIDAY, exceptionsType: "str", wires: [["call"], ["out"]] },
  },
  callOut("out"),
  { ...PLACE, id: "out", type: "http response", statusCode: "200", wires: [] },
];
const WEEK = Date.parse("2026-10-26T00:00-04:00");
/** Every eight hours and a bit, and each half hour around the change. */
const INSTANTS = [
  ...Array.from({ length: 20 }, (_, n) => WEEK + n * 31_000_000),
  ...Array.from({ length: 10 }, (_, n) => Date.parse("2026-11-01T00:10-04:00") + n * 1_800_000),
]
  .filter((_, n) => (n - 1) % (30 / share(30)) === 0)
  .map((at) => new Date(at).toISOString());

/** The instants at which a rehearsal calls, and a Node-RED whose clock is set to each of them. */
async function compared(): Promise<Figure[]> {
  const tenant = await LiveTenant.start();
  const flows = office(tenant.url);
  const inputs = INSTANTS.map((at) => ({ at, post: "/ring", method: "GET" }));
  const { report } = await rehearse({ flows, from: new Date(WEEK).toISOString(), until: 8, world: { inputs } });
  const rehearsed = new Set(report.calls.map(({ at }) => Date.parse(at)));
  const folder = await userFolder();
  let [differ, called] = [0, 0];
  for (const at of INSTANTS) {
    const before = tenant.received.length;
    const nodeRed = await NodeRed.start(folder, clockAt(at));
    try {
      await nodeRed.deploy(flows);
      await nodeRed.get("/ring");
    } finally {
      await nodeRed.stop();
    }
    const isCalled = tenant.received.length > before;
    if (isCalled) called += 1;
    if (isCalled !== rehearsed.has(Date.parse(at))) differ += 1;
  }
  const isTried = called > 0 && called < INSTANTS.length && rehearsed.size === called;
  return none(`${INSTANTS.length} instants of a week with a DST change and a holiday`, { differ }, isTried);
}

/** Counts examples whose calls in a week are others on Node-RED 4.1 than on 5. */
async function differentOn41(): Promise<Figure[]> {
  const userDir = temporaryFolder();
  await npm(userDir, "install", "--prefix", userDir, "--no-audit", "--no-fund", "node-red@~4.1.0");
  let [differ, calls] = [0, 0];
  for (const name of ["4 Call a list", "5 Wake somebody", "Last calls before closing", "Remind of appointments"]) {
    const flows = example(name);
    const button = flows.find(({ type }) => type === "inject")?.id;
    const inputs = button === undefined ? [] : [{ at: "09:00", inject: button }];
    const options = { flows, from: "2026-12-01T00:00", until: 7, world: { inputs } };
    const [newer, older] = [await rehearse(options), await rehearse({ ...options, userDir })];
    if (!older.report.nodeRed.startsWith("4.1.")) throw new Error(`rehearsed on ${older.report.nodeRed}`);
    if (JSON.stringify(newer.report.calls) !== JSON.stringify(older.report.calls)) differ += 1;
    calls += newer.report.calls.length;
  }
  return none("examples on Node-RED 4.1 and 5", { differ }, calls > 0);
}

part(async () => {
  const weeks: number[] = [];
  for (const name of exampleNames)
    weeks.push((await timed({ flows: example(name), from: "2026-12-01T00:00", until: 7 })).seconds);
  const nightly = example("Check the tenant every night");
  const year = await timed({ flows: nightly, from: "2026-12-01T00:00", until: share(365) });
  const count = share(100_000);
  const calls = await timed({ flows: campaign(count), from: "2026-12-01T08:00", until: 1 });
  return [
    atMost(`a week of each of ${exampleNames.length} examples`, 10, "s", Math.max(...weeks), 1),
    atMost(`${share(365)} days of the nightly example`, 60, "s", year.seconds, 1),
    atMost(`${count} calls`, 60, "s", calls.seconds, 1),
    ...none(
      `${count} calls, in 512 MB`,
      { missing: count - calls.report.calls.length },
      calls.report.brokenOff === null,
    ),
    ...(await compared()),
    ...(await differentOn41()),
  ];
});
