import assert from "node:assert/strict";
import { hostZone } from "../../../src/hours";
import { readSignature } from "../../../src/runtime/node-red/webhook-schemes";
import type { Event, EventOf } from "../../../src/workshop/rehearsal/events";
import { makeReport, Recording } from "../../../src/workshop/rehearsal/make-report";
import type { RehearsalOptions } from "../../../src/workshop/rehearsal/options";
import { movedInjects, prepare, withoutPlace } from "../../../src/workshop/rehearsal/prepare";
import { CannotRehearse } from "../../../src/workshop/rehearsal/world";

const tenant = { id: "t", type: "telephony-tenant", name: "Office", mode: "live", timezone: "Asia/Ho_Chi_Minh" };
const flows = [
  tenant,
  { ...tenant, id: "u", name: "Berlin", mode: "log", timezone: `\${ZONE}` },
  { id: "c", type: "call-out", name: "Call", tenant: "u" },
  { id: "nameless", type: "call-out", tenant: "u" },
  { id: "d", type: "debug", name: "Same" },
  { id: "e", type: "debug", name: "Same" },
  { id: "off", type: "inject", name: "Off", d: true },
  { id: "idle", type: "tab", disabled: true },
  { id: "f", type: "inject", z: "idle", name: "Idle" },
  { id: "sub", type: "subflow", name: "Sub" },
  { id: "g", type: "inject", z: "sub", name: "Inner" },
  { id: "group", type: "group", name: "Call" },
];
const otherZone = hostZone() === "Europe/Berlin" ? "Asia/Tokyo" : "Europe/Berlin";
const prepared = (options: Partial<RehearsalOptions> = {}) =>
  prepare({
    flows,
    from: "2027-03-27T12:00",
    until: 2,
    ...options,
    world: { env: { ZONE: "Europe/Berlin" }, ...options.world },
  });

describe("what is rehearsed", () => {
  it("is a sandbox, whatever the mode of a tenant", async () => {
    const modes = (await prepared()).flows.filter(({ type }) => type === "telephony-tenant").map(({ mode }) => mode);
    assert.deepEqual(modes, ["sandbox", "sandbox"]);
  });

  it("lasts whole days of the first tenant's clock", async () => {
    const { plan } = await prepared({ flows: [{ ...tenant, timezone: "Europe/Berlin" }] });
    assert.equal((plan.until - plan.from) / 3_600_000, 47);
  });

  it("takes a name that a group has, too, for that of the node", async () => {
    const { plan } = await prepared({ world: { inputs: [{ at: "13:00", inject: "Call" }] } });
    assert.equal(plan.inputs[0]?.target, "c");
  });

  it("reads a request with get", async () => {
    const { plan } = await prepared({ world: { inputs: [{ at: "13:00", get: "/status" }] } });
    const [{ kind, method, target, path, body } = {} as never] = plan.inputs;
    assert.deepEqual([kind, method, target, path, body], ["get", "GET", "/status", "/status", ""]);
  });

  for (const [what, inject, timezone, count] of [
    ["Inject nodes were moved", { crontab: "0 9 * * *" }, otherZone, 1],
    ["nothing of a disabled node", { crontab: "0 9 * * *", d: true }, otherZone, 0],
    ["nothing without a time", { crontab: "" }, otherZone, 0],
    ["nothing in the zone of the host", { crontab: "0 9 * * *" }, hostZone(), 0],
  ] as const)
    it(`says of the zone: ${what}`, async () => {
      const timed = { id: "i", type: "inject", ...inject };
      const notes = movedInjects(await prepared({ flows: [{ ...tenant, timezone }, timed] }));
      assert.deepEqual(
        notes.map((note) => note.includes(timezone)),
        Array(count).fill(true),
      );
    });

  it("says nothing of the zone of the host by another name", async () => {
    const { TZ } = process.env;
    process.env["TZ"] = "Asia/Ho_Chi_Minh";
    try {
      const timed = { id: "i", type: "inject", crontab: "0 9 * * *" };
      const names = ["Asia/Ho_Chi_Minh", "Asia/Saigon"].map((timezone) =>
        prepared({ flows: [{ ...tenant, timezone }, timed] }),
      );
      assert.deepEqual((await Promise.all(names)).flatMap(movedInjects), []);
    } finally {
      if (TZ === undefined) delete process.env["TZ"];
      else process.env["TZ"] = TZ;
    }
  });

  it("does not call the zone of the world that of a tenant", async () => {
    const timed = { id: "i", type: "inject", crontab: "0 9 * * *" };
    const [note = ""] = movedInjects(await prepared({ flows: [tenant, timed], world: { env: { TZ: otherZone } } }));
    assert.match(note, new RegExp(`into the zone ${otherZone}\\b(?!.*tenant)`));
  });

  it("names nodes that send nothing, because they are not on the canvas", async () => {
    const lost = { id: "l", type: "function", name: "Lost", wires: [["d"]] };
    const others = [
      { ...lost, id: "m", name: "Placed", x: 1, y: 1 },
      { ...lost, id: "n", name: "Unwired", wires: [[]] },
    ];
    const [note = "", ...more] = withoutPlace(await prepared({ flows: [tenant, lost, ...others] }));
    assert.match(note, /x and y send nothing.*: "Lost"\.$/);
    assert.deepEqual(more, []);
  });

  it("takes what comes in at the beginning", async () => {
    const { plan } = await prepared({ world: { inputs: [{ at: "2027-03-27T12:00", inject: "c" }] } });
    assert.equal(plan.inputs[0]?.at, plan.from);
  });

  const refused: Readonly<Record<string, readonly [Partial<RehearsalOptions>, RegExp]>> = {
    "a name that two nodes share": [{ world: { answers: { Same: 1 } } }, /2 nodes are named "Same".*\(d, e\)/],
    "a name that two tenants share": [
      { flows: [tenant, { ...tenant, id: "u" }], world: { schedules: { Office: [] } } },
      /2 nodes are named "Office".*\(t, u\)/,
    ],
    "a schedule of a tenant that is gone": [{ world: { schedules: { Gone: [] } } }, /No node .* "Gone"/],
    "a context of a flow that is gone": [{ world: { flow: { gone: {} } } }, /No flow .* "gone"/],
    "a fault that ends before it begins": [
      { world: { faults: [{ at: "13:00", until: "13:00" }] } },
      /fault at 13:00 ends before it begins/,
    ],
    "a node that is gone": [{ watch: ["Gone"] }, /No node .* "Gone"/],
    "a subflow that is not in the file": [
      { flows: [{ id: "a", type: "subflow:gone", name: "Shop" }] },
      /subflow of "Shop" \(a\) is not in the file: export it/,
    ],
    "an end before the beginning": [{ until: "2027-03-27T11:00" }, /end after it begins/],
    "an input at a disabled node": [{ world: { inputs: [{ at: "13:00", inject: "Off" }] } }, /"Off".* disabled/],
    "an input in a disabled tab": [
      { world: { inputs: [{ at: "13:00", node: "Idle", msg: {} }] } },
      /"Idle".* disabled/,
    ],
    "an input in a subflow": [{ world: { inputs: [{ at: "13:00", inject: "Inner" }] } }, /"Inner".* in a subflow/],
    "an input at a tab": [{ world: { inputs: [{ at: "13:00", inject: "idle" }] } }, /No node .* "idle"/],
    "an input before the beginning": [
      { world: { inputs: [{ at: "2027-03-27T11:59", inject: "c" }] } },
      /input at 2027-03-27T11:59 is not in the time that is rehearsed, 2027-03-27T12:00:00/,
    ],
    "an input at the end": [{ world: { inputs: [{ at: "+2d", inject: "c" }] } }, /input at \+2d is not in the time/],
    "an input at no instant": [{ world: { inputs: [{ at: "soon", inject: "c" }] } }, /"soon" is no instant/],
  };
  for (const [name, [options, sentence]] of Object.entries(refused))
    it(`is not ${name}`, () =>
      assert.rejects(
        prepared(options),
        (error: Error) => error instanceof CannotRehearse && sentence.test(error.message),
      ));
});

describe("the report of a rehearsal", () => {
  const call = (order: number, number: string, more: Partial<EventOf<"call">> = {}): EventOf<"call"> => ({
    ...{ kind: "call", at: Date.parse("2027-03-28T05:00:10Z"), order, tenant: "u", nodeId: "c", number },
    ...{
      actions: [{ text: "Hi" }],
      speechMs: 1500,
      answerUrl: null,
      outcome: "applied",
      callId: `sandbox-${order}`,
      ...more,
    },
  });

  const reportOf = async (events: (from: number) => readonly Event[]) => {
    const ready = await prepared();
    const recording = new Recording(ready.plan.from);
    for (const event of events(ready.plan.from)) recording.note(event);
    return makeReport(recording, ready, "5.0.0", null);
  };

  it("has the calls as they were made, in the zone of their tenant, and their figures", async () => {
    const { calls, figures } = await reportOf(() => [
      call(2, "2"),
      call(1, "1", { outcome: "rejected", callId: null }),
      call(3, "2", { at: Date.parse("2027-03-28T05:00:59Z") }),
      call(4, "1", { at: Date.parse("2027-03-28T06:00:00Z") }),
      { kind: "tally", phones: { "u sandbox-2": "answered" }, reached: {} },
    ]);
    assert.deepEqual(
      calls.map(({ at, number, tenant: name, phone }) => [at, number, name, phone]),
      [
        ["2027-03-28T07:00:10+02:00", "1", "Berlin", null],
        ["2027-03-28T07:00:10+02:00", "2", "Berlin", "answered"],
        ["2027-03-28T07:00:59+02:00", "2", "Berlin", null],
        ["2027-03-28T08:00:00+02:00", "1", "Berlin", null],
      ],
    );
    assert.deepEqual(figures, {
      calls: 4,
      notPlaced: 0,
      busiestMinute: { at: "2027-03-28T07:00:00+02:00", calls: 3 },
      speechSeconds: 2,
      calledTwice: [{ number: "2", calls: 2 }],
    });
  });

  it("calls nodes without a name by their label, and a tenant in a subflow by what it is in the flow file", async () => {
    const { calls } = await reportOf(() => [call(1, "1", { nodeId: "nameless", tenant: "instance-u" })]);
    assert.deepEqual(
      calls.map(({ at, node, tenant: name }) => [at, node, name]),
      [["2027-03-28T07:00:10+02:00", "call out", "Berlin"]],
    );
  });

  it("has no instant before the beginning, although Node-RED starts earlier", async () => {
    const { from, calls, errors, figures } = await reportOf((begin) => [
      call(1, "1", { at: begin - 59_900 }),
      call(2, "1", { at: begin + 100 }),
      { kind: "error", at: begin - 60_000, nodeId: "c", code: null, message: "Broken" },
    ]);
    const inBerlin = "2027-03-27T06:00:00+01:00";
    assert.deepEqual(
      [calls[0]?.at, errors[0]?.at, figures.busiestMinute],
      [inBerlin, from, { at: inBerlin, calls: 2 }],
    );
  });

  it("signs requests to webhooks for the time at which they come, with a secret that fits", async () => {
    const hook = { id: "h", type: "telephony-webhook", path: "paid" };
    for (const scheme of ["standard", "stripe", "slack", "zendesk", "paddle"]) {
      const post = { post: "/paid", body: { id: 1 } };
      const inputs = [
        { at: "+1h", ...post },
        { at: "+26h", ...post },
      ];
      const { plan, credentials } = await prepared({ flows: [...flows, { ...hook, scheme }], world: { inputs } });
      const { secret } = Object(credentials).h;
      const read = plan.inputs.map(({ headers, body }) =>
        readSignature(headers, { sign: "", scheme }, secret, Buffer.from(String(body))),
      );
      assert.deepEqual(
        read.map((signature) => signature?.at),
        plan.inputs.map(({ at }) => at),
        scheme,
      );
      assert.equal(new Set(read.map((signature) => signature?.id)).size, scheme === "standard" ? 2 : 1);
    }
  });
});
