import assert from "node:assert/strict";
import { eventually } from "../support/process/eventually";
import { type FlowNode, NodeRed } from "../support/process/node-red";
import { userFolder } from "../support/process/user-folder";

const NUMBER = "+84 901 234 567";

/** A node without its id. */
type Kind = Readonly<Record<string, unknown>> & { readonly type: string };

/** Where a flow may put a phone number by mistake. */
const NODES: Readonly<Record<string, { readonly node: Kind; readonly given: unknown }>> = {
  notAfter: {
    node: { type: "call-stop", callId: "c", callIdType: "str", notAfter: "payload.given", notAfterType: "msg" },
    given: NUMBER,
  },
  at: { node: { type: "business-hour-gate", at: "payload.given", atType: "msg" }, given: NUMBER },
  scheduleName: {
    node: {
      type: "business-hour-gate",
      source: "tenant",
      scheduleName: "payload.given",
      scheduleNameType: "msg",
    },
    given: NUMBER,
  },
  days: {
    node: {
      type: "business-hour-create",
      scheduleName: "Office",
      scheduleNameType: "str",
      days: "payload.given",
      daysType: "msg",
    },
    given: [{ day: NUMBER, open: "08:00", close: "17:00" }],
  },
  schedule: {
    node: { type: "business-hour-gate", schedule: "payload.given", scheduleType: "msg" },
    given: { enabled: NUMBER, days: [] },
  },
  exceptions: {
    node: { type: "business-hour-gate", exceptions: "payload.given", exceptionsType: "msg" },
    given: [{ date: NUMBER }],
  },
};

const PLACE = { z: "tab", x: 100, y: 100 };

const LOG = { id: "logs", type: "telephony-tenant", mode: "log", url: "http://127.0.0.1:9" };
const TO = { toNumber: "payload.given", toNumberType: "msg" };
const ANSWER = { answerUrl: "https://a.example", answerUrlType: "str" };

/** POST /<name> sends to two such nodes. Catch answers with the error of one; that of the other is not caught. */
const FLOW: FlowNode[] = [
  { id: "tab", type: "tab", label: "Numbers" },
  { id: "tenant", type: "telephony-tenant", mode: "sandbox" },
  ...Object.entries(NODES).flatMap(([name, { node }]) => {
    const [caught, uncaught] = [`caught ${name}`, `uncaught ${name}`];
    const acting = { ...PLACE, tenant: "tenant", source: "value", wires: [[], []], ...node };
    return [
      { ...PLACE, id: name, type: "http in", method: "post", url: `/${name}`, wires: [[caught, uncaught]] },
      { ...acting, id: caught },
      { ...acting, id: uncaught },
    ];
  }),
  {
    ...PLACE,
    id: "catch",
    type: "catch",
    scope: Object.keys(NODES).map((name) => `caught ${name}`),
    wires: [["words"]],
  },
  {
    ...PLACE,
    id: "words",
    type: "change",
    rules: [{ t: "set", p: "payload", pt: "msg", to: "error", tot: "msg" }],
    wires: [["answer"]],
  },
  { ...PLACE, id: "answer", type: "http response", wires: [] },
  { ...LOG, fromNumber: "1", credentials: { token: "t" } },
  { ...PLACE, id: "dial", type: "http in", method: "post", url: "/dial", wires: [["call"]] },
  { ...PLACE, id: "call", type: "call-out", tenant: "logs", ...TO, ...ANSWER, wires: [["answer"]] },
];

describe("a phone number in the place of something else", () => {
  let nodeRed: NodeRed;
  before(async () => {
    nodeRed = await NodeRed.start(await userFolder());
    await nodeRed.deploy(FLOW);
  });
  after(() => nodeRed?.kill());

  for (const [name, { given }] of Object.entries(NODES)) {
    it(`is in neither the error nor the log: ${name}`, async () => {
      const error = await (await nodeRed.post(`/${name}`, { given })).text();
      const line = await eventually(() => nodeRed.log.split("\n").find((each) => each.includes(`:uncaught ${name}]`)));
      for (const text of [error, line]) {
        assert.match(text, /\+•• ••• ••• 567/);
        assert.doesNotMatch(text, /901|234/);
      }
    });
  }

  it("is masked in the log of log mode, however odd it is", async () => {
    await nodeRed.post("/dial", { given: "+84*901*234*567" });
    const line = await eventually(() => nodeRed.log.split("\n").find((each) => each.includes("to.number")));
    assert.match(line, /\+••\*•••\*•••\*567/);
  });
});
