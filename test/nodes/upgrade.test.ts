import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { startValues } from "../support/dialogs";
import { type Flow, withTenant } from "../support/flow";
import { root } from "../support/root";
import {
  clear,
  envelope,
  fail,
  flowOf,
  give,
  hour,
  load,
  NINE_TO_FIVE,
  pageOf,
  pass,
  redeploy,
  seen,
  until,
} from "../support/stage";

/** Flow files as versions of this package have saved them. They are never edited once their version is out. */
const folder = join(root, "test/support/fixtures");
const saved = readdirSync(folder)
  .filter((file) => /^flow-\d+\.\d+\.\d+\.json$/.test(file))
  .sort((one, other) => one.localeCompare(other, "en", { numeric: true }));
const flowFile = (file: string) => JSON.parse(readFileSync(join(folder, file), "utf8")) as Flow;

/** What every node of Node-RED has. */
const OF_NODE_RED = ["id", "type", "z", "x", "y", "wires"];

const propertiesOf = (node: Flow[number]) => Object.keys(node).filter((property) => !OF_NODE_RED.includes(property));

describe("a flow file of an earlier version in the editor", () => {
  const known = new Map([...startValues()].map(([type, values]) => [type, Object.keys(values)]));

  for (const file of saved) {
    it(`${file}: keeps every property, since the editor drops what a dialog's defaults do not name`, () => {
      for (const node of flowFile(file).filter(({ type }) => type !== "tab")) {
        const dropped = propertiesOf(node).filter((property) => !known.get(String(node["type"]))?.includes(property));
        deepStrictEqual(dropped, [], `${String(node["type"])} has lost a property`);
      }
    });
  }

  // A type that no version has saved yet has nothing to keep; test/interface/requests.ts covers what it sends.
  it("has a fixture of the newest version with every property of the nodes in it", () => {
    const newest = saved.at(-1) ?? "";
    const nodes = flowFile(newest);
    for (const type of new Set(nodes.map((node) => String(node["type"])).filter((type) => type !== "tab"))) {
      const written = new Set(nodes.filter((node) => node["type"] === type).flatMap(propertiesOf));
      const missing = (known.get(type) ?? []).filter((property) => !written.has(property));
      deepStrictEqual(
        missing,
        [],
        `test/support/fixtures/${newest} has no ${type} with these: add them, in a new file when that version is out`,
      );
    }
  });
});

describe("a flow file of 0.1.0 at work", () => {
  const held = withTenant();
  const LIST = "/api/v1/setting/business-hour";
  const SOON = "2100-01-01T00:00:00Z";
  const message = { call: "c-1", who: "Ada", key: "k-1", until: SOON, stale: 3 };

  beforeEach(async () => {
    clear();
    const [, tenant, ...nodes] = flowFile("flow-0.1.0.json");
    await load(flowOf({ ...tenant, url: held.tenant.url }, ...nodes));
  });

  const requests: readonly [node: string, method: string, url: string, body: unknown][] = [
    ["stop", "POST", "/api/v1/call/stop-a-call", { callId: "c-1" }],
    [
      "transfer",
      "POST",
      "/api/v1/call/transfer",
      { callId: "c-1", fromUserId: "12", to: { type: "internal", number: "007" } },
    ],
    [
      "advanced",
      "POST",
      "/api/v1/call/transfer/advance",
      { callId: "c-1", to: { type: "queue", number: "9", alias: "Queue Ada" }, transferType: "attendend" },
    ],
    [
      "add",
      "POST",
      "/api/v1/call/add-user",
      {
        callId: "c-1",
        from: { type: "internal", number: "12", alias: "Ada" },
        to: { type: "external", number: "0000000000", alias: "Guest" },
        spyCall: true,
      },
    ],
    [
      "call",
      "POST",
      "/api/v1/call/call-out",
      {
        from: { type: "internal", number: "0000000001", alias: "Hotline" },
        to: { type: "external", number: "0000000000", alias: "Ada" },
        answer_url: "https://acme.example.com/answer",
        actions: [{ action: "talk", text: "Hello Ada", voice: "banmai", speed: 1, loop: "2" }],
      },
    ],
    ["get", "GET", `${LIST}/7`, undefined],
    ["create", "POST", LIST, { name: "Office", enabled: false, days: [{ day: "mon", open: "08:00", close: "17:30" }] }],
    ["delete", "DELETE", `${LIST}/3`, undefined],
  ];

  for (const [node, method, url, body] of requests) {
    it(`${node} sends what it sent, with the header of its tenant, and puts the answer where it did`, async () => {
      held.tenant.answers(() => ({ body: envelope({ told: node }) }));
      const out = await pass({ ...message }, node);
      deepStrictEqual(
        held.tenant.received.map((request) => [request.method, request.url, request.body]),
        [[method, url, body]],
      );
      match(String(held.tenant.received[0]?.headers["x-old-header"]), /^Bearer \S/);
      deepStrictEqual(out["answer"], { told: node });
    });
  }

  for (const [node, method] of requests.filter(([, name]) => name === "POST")) {
    it(`${node} still refuses late messages`, async () => {
      strictEqual((await fail({ ...message, until: "2020-01-01T00:00:00Z" }, node)).code, "ERR_EXPIRED");
      deepStrictEqual(held.tenant.received, [], method);
    });
  }

  for (const node of ["transfer", "advanced", "add", "call", "create"]) {
    it(`${node} still does the same thing once only`, async () => {
      await pass({ ...message }, node);
      strictEqual((await fail({ ...message }, node)).code, "ERR_DUPLICATE");
      strictEqual(held.tenant.received.length, 1);
    });
  }

  it("list sends the same requests, and returns all", async () => {
    const hours = [hour(1, "Office")];
    held.tenant.answers(() => ({ body: envelope(pageOf(hours, 1, 5)) }));
    const out = await pass({ ...message }, "list");
    strictEqual(held.tenant.received.length, 1);
    const { pathname, searchParams } = new URL(held.tenant.received[0]?.url ?? "", "http://x");
    strictEqual(pathname, LIST);
    deepStrictEqual(Object.fromEntries(searchParams), { search: "Office", limit: "5", asc: "true", page: "1" });
    deepStrictEqual(out["answer"], hours);
  });

  it("gate evaluates its own week, zone, exceptions and override", async () => {
    const judged = async (more: object) => (await pass({ ...message, ...more }, "gate"))["businessHour"];
    const monday = await judged({ at: "2030-01-07T09:00:00" });
    deepStrictEqual([monday.open, monday.reason, monday.timezone], [true, "hours", "Europe/Berlin"]);
    strictEqual(monday.closesAt, "2030-01-07T17:30:00+01:00");
    deepStrictEqual((await judged({ at: "2030-01-14T09:00:00" })).reason, "exception");
    deepStrictEqual((await judged({ at: "2030-01-14T09:00:00", force: "open" })).reason, "override");
    deepStrictEqual(held.tenant.received, []);
  });

  it("gate reads its tenant's schedule in the tenant's zone, and treats an unknown one as configured", async () => {
    const judged = async (which: number) =>
      (await pass({ which, at: "2030-01-07T09:00:00" }, "asking"))["businessHour"];
    held.tenant.answers(({ url }) =>
      url === `${LIST}/2` ? { body: envelope(hour(2, "Office", NINE_TO_FIVE)) } : { status: 404 },
    );
    const known = await judged(2);
    deepStrictEqual([known.open, known.name, known.timezone], [true, "Office", "Asia/Ho_Chi_Minh"]);
    const unknown = await judged(4);
    deepStrictEqual([unknown.open, unknown.reason], [false, "unknown"]);
  });

  it("ensure plans what it planned, and only reads", async () => {
    held.tenant.answers(() => ({ body: envelope(pageOf([hour(1, "Office", NINE_TO_FIVE)], 1, 20)) }));
    const { answer } = await pass({ ...message }, "ensure");
    deepStrictEqual([answer.action, answer.changed, answer.id], ["replace", false, 1]);
    deepStrictEqual(answer.after.days, [{ day: "mon", open: "08:00", close: "17:30" }]);
    ok(held.tenant.received.every(({ method }) => method === "GET"));
  });

  it("escalate calls its person, and ends with the acknowledgement", async () => {
    give({ ...message }, "escalate");
    await until(() => held.tenant.received.length === 1, "a call");
    deepStrictEqual(held.tenant.received[0]?.body, {
      from: { type: "internal", number: "0000000001", alias: "Hotline" },
      to: { type: "external", number: "0000000000" },
      actions: [{ action: "talk", text: "Hello Ada", voice: "banmai", speed: 1, loop: "2" }],
    });
    give({ key: "k-1", acknowledge: "Ben" }, "escalate");
    await until(() => seen.out.length === 1, "its end");
    strictEqual(seen.out[0]?.payload.acknowledgedBy, "Ben");
  });

  it("trigger sends how it stands at its start, in its zone and language", async () => {
    const [, tenant, ...nodes] = flowFile("flow-0.1.0.json");
    const wired = nodes.map((node) =>
      node["id"] === "trigger" ? { ...node, id: "new", wires: [["out"], ["closed"]] } : node,
    );
    await redeploy(flowOf({ ...tenant, url: held.tenant.url }, ...wired));
    await until(() => seen.closed.length === 1, "a message");
    const { payload, businessHour } = seen.closed[0] ?? {};
    deepStrictEqual([payload, businessHour.timezone, businessHour.exception], ["closed", "Europe/Berlin", "Holiday"]);
    match(businessHour.sentence, /^Wegen Holiday haben wir /);
  });

  it("control counts", async () => {
    const { payload } = await pass({}, "control");
    deepStrictEqual(payload, {
      paused: false,
      held: false,
      heldUntil: null,
      resting: false,
      restsUntil: null,
      waiting: { callOut: 0, other: 0 },
      dated: 0,
      heldBack: 0,
      underWay: 0,
      dropped: 0,
    });
    ok(held.tenant.received.length === 0);
  });
});
