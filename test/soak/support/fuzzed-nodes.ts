import { WITH_INPUT } from "../../support/node-types";
import type { FlowNode } from "../../support/process/node-red";

const OPEN = [{ day: "mon", open: "08:00", close: "17:30" }];

/** Writes typed properties of a node, each given as `[type, value]`. */
const pairs = (given: Readonly<Record<string, readonly [type: string, value: unknown]>>) =>
  Object.fromEntries(
    Object.entries(given).flatMap(([name, [type, value]]) => [
      [name, value],
      [`${name}Type`, type],
    ]),
  );

/** Each node with its default properties; it deletes another schedule than the one that the gates use. */
const plain: readonly FlowNode[] = WITH_INPUT.map((type) => ({
  ...{ id: type, type },
  ...(type === "business-hour-delete" && pairs({ scheduleId: ["msg", "payload.schedule"] })),
}));

/** Nodes whose fields do not come from their default properties of the payload. */
const typedActions: readonly FlowNode[] = [
  {
    id: "typed call-stop",
    type: "call-stop",
    ...pairs({ callId: ["mustache", "{{payload.callId}}"], notAfter: ["jsonata", "payload.until"] }),
  },
  {
    id: "typed call-transfer",
    type: "call-transfer",
    mode: "advanced",
    target: "answer.to",
    ...pairs({
      callId: ["jsonata", "payload.callId & ''"],
      toKind: ["str", "queue"],
      toNumber: ["msg", "payload.to.number"],
      transferKind: ["jsonata", "payload.kind"],
      notAfter: ["msg", "payload.at"],
    }),
  },
  {
    id: "typed call-add-user",
    type: "call-add-user",
    target: "payload.answer",
    onceScope: "tenant",
    onceFor: "1",
    ...pairs({
      callId: ["msg", "payload.name"],
      toKind: ["str", "internal"],
      toNumber: ["jsonata", "$string(payload.id)"],
      spyCall: ["jsonata", "payload.spyCall"],
      onceKey: ["mustache", "{{payload.key}}"],
    }),
  },
  {
    id: "typed call-out",
    type: "call-out",
    onceFor: "1",
    ...pairs({
      fromNumber: ["mustache", "{{payload.id}}"],
      toNumber: ["jsonata", "payload.to.number ? payload.to.number : 'c-1'"],
      actions: ["list", [{ action: "talk", text: "Hello {{payload.name}}", textType: "mustache", voice: "banmai" }]],
      notAfter: ["jsonata", "payload.until"],
      onceKey: ["jsonata", "payload.key"],
    }),
  },
  {
    id: "typed business-hour-create",
    type: "business-hour-create",
    ...pairs({
      scheduleName: ["mustache", "{{payload.name}}"],
      days: ["jsonata", "payload.days"],
      enabled: ["msg", "payload.enable"],
      onceKey: ["msg", "payload.key"],
    }),
  },
  {
    id: "typed business-hour-list",
    type: "business-hour-list",
    output: "all",
    ...pairs({ search: ["jsonata", "payload.name"], limit: ["msg", "payload.number"] }),
  },
];

const options = pairs({
  at: ["msg", "payload.at"],
  override: ["jsonata", "payload.override"],
  exceptions: ["msg", "payload.exceptions"],
});

/** Gates with a fixed schedule, and gates that read it from the message, the tenant or both. */
const gates: readonly FlowNode[] = [
  { id: "gate", source: "value", ...pairs({ schedule: ["list", OPEN] }) },
  { id: "gate, options", source: "value", ...pairs({ schedule: ["list", OPEN] }), ...options },
  { id: "gate, days", source: "value", ...pairs({ schedule: ["msg", "payload.days"] }) },
  { id: "gate, days by JSONata", source: "value", ...pairs({ schedule: ["jsonata", "payload.days"] }), ...options },
  { id: "gate, fixed name", ...pairs({ scheduleName: ["str", "Office"] }) },
  { id: "gate, name", onUnknown: "closed", ...pairs({ scheduleName: ["msg", "payload.name"] }) },
  { id: "gate, name by JSONata", ...pairs({ scheduleName: ["jsonata", "payload.name"] }), ...options },
  { id: "gate, name by template", onUnknown: "open", ...pairs({ scheduleName: ["mustache", "{{payload.name}}"] }) },
  { id: "gate, id", ...pairs({ scheduleId: ["msg", "payload.id"], at: ["jsonata", "payload.at"] }) },
].map((node) => ({ type: "business-hour-gate", ...node }));

/** Every kind of node, with default properties and with fields of every other type. */
export const fuzzedNodes: readonly FlowNode[] = [
  ...plain,
  { id: "control, fixed", type: "telephony-control", command: "count" },
  ...typedActions,
  ...gates,
];
