import type { Field, Fields } from "../../fields";
import type { Action } from "../../runtime/nodes/action/declaration";
import { COMMANDS } from "../../runtime/nodes/control/command";
import { fieldsOf } from "../../runtime/nodes/escalate/declaration";
import type { NodeDeclaration } from "../../runtime/register";
import { TENANT_SETTINGS } from "../../tenant/settings";
import { anyOf, none, object, type Schema } from "./json-schema";

/** What a node reads of a message while its fields have their first mapping. A dialog may map any other property. */
export function inputSchema(node: NodeDeclaration): Schema {
  switch (node.kind) {
    case "action":
      return withPayload(Object.values(node.modes).map(({ fields }) => fields));
    case "escalation": {
      const { properties, ...rest } = withPayload([fieldsOf(node)]);
      return {
        ...rest,
        properties: { ...(properties as object), acknowledge: { type: ["boolean", "string", "number", "null"] } },
      };
    }
    case "control":
      return object({
        payload: {
          description: "A command, or an object with a command and its options; unused where the dialog has a command.",
          properties: {
            command: { enum: COMMANDS },
            only: { enum: ["held-back"] },
            limit: { type: ["integer", "string"] },
            offset: { type: ["integer", "string"] },
          },
        },
      });
    case "gate":
      return { type: "object", description: "Any message. It is passed on." };
    default:
      return none("The node receives no messages.");
  }
}

/** `to.number` is read as `payload.to.number` and as `payload["to.number"]`. */
function withPayload(modes: readonly Fields[]): Schema {
  const payload: Record<string, Schema> = {};
  for (const fields of modes)
    for (const [name, field] of Object.entries(fields)) {
      const [role = "", part] = name.split(".");
      if (field.kind === "onlyInMode" || name in payload) continue;
      payload[name] = valueSchema(field, modes, name);
      if (part === undefined) continue;
      const { properties } = (payload[role] ?? {}) as { readonly properties?: object };
      payload[role] = { properties: { ...properties, [part]: payload[name] } };
    }
  const fallbacks = modes.some((fields) => "callId" in fields)
    ? { callId: { type: ["string", "number", "null"] } }
    : {};
  return object({ payload: { properties: payload }, ...fallbacks });
}

function valueSchema({ kind }: Field, modes: readonly Fields[], name: string): Schema {
  switch (kind) {
    case "choice": {
      const all = modes.flatMap((fields) => fields[name] ?? []);
      return {
        enum: [...new Set(all.flatMap(({ choices = [], spellings = [] }) => [...choices, ...spellings])), "", null],
      };
    }
    case "boolean":
      return { enum: [true, false, "true", "false", "1", "0", "on", "off", 1, 0, "", null] };
    case "actions":
    case "days":
    case "people":
    case "list":
      return anyOf({ type: "array", items: { type: "object" }, maxItems: 100 }, { type: ["string", "null"] });
    case "any":
      return {};
    default:
      return { type: ["string", "number", "null"] };
  }
}

const TEXT = { type: ["string", "null"] } as const;
const COUNT = { type: "integer", minimum: 0 } as const;

/** `msg.telephony`: facts about the request. */
function telephony(type: string): Schema {
  return object(
    {
      action: { const: type },
      mode: { enum: [...TENANT_SETTINGS.mode.choices, null] },
      request: { type: "object" },
      attempts: COUNT,
      waitedMs: { type: "number" },
      elapsedMs: { type: "number" },
      restored: { type: "object" },
    },
    "action",
    "mode",
  );
}

const BUSINESS_HOUR = object(
  {
    open: { type: "boolean" },
    reason: { enum: ["hours", "outside", "exception", "disabled", "override", "unknown"] },
    name: TEXT,
    id: { type: ["string", "number", "null"] },
    timezone: { type: "string" },
    checkedAt: TEXT,
    closesAt: TEXT,
    opensAt: TEXT,
    opensIn: { type: ["number", "null"] },
    stale: { type: "boolean" },
    incomplete: { type: "boolean" },
    exception: TEXT,
    sentence: { type: "string" },
  },
  "open",
  "reason",
);

const COUNTS = object(
  {
    paused: { type: "boolean" },
    held: { type: "boolean" },
    heldUntil: TEXT,
    resting: { type: "boolean" },
    restsUntil: TEXT,
    waiting: object({ callOut: COUNT, other: COUNT }),
    restored: COUNT,
    dated: COUNT,
    heldBack: COUNT,
    underWay: COUNT,
    dropped: COUNT,
    cancelled: COUNT,
    tooLate: COUNT,
    calls: { type: "array", items: { type: "object" } },
  },
  "paused",
);

const INCIDENT = object(
  {
    key: { type: "string" },
    acknowledgedBy: { anyOf: [{ type: "string" }, { const: true }, { type: "null" }] },
    rung: { type: "array", items: { type: "object" } },
    startedAt: { type: "string" },
    endedAt: { type: "string" },
  },
  "key",
  "acknowledgedBy",
);

/** What a node adds to the messages that it sends. */
export function outputSchema(node: NodeDeclaration): Schema {
  switch (node.kind) {
    case "action":
      return actionOutput(node);
    case "escalation":
      return object({ payload: INCIDENT, telephony: telephony(node.type) }, "payload", "telephony");
    case "gate":
      return object({ businessHour: BUSINESS_HOUR }, "businessHour");
    case "trigger":
      return object(
        { payload: { enum: ["open", "closed"] }, topic: { type: "string" }, businessHour: BUSINESS_HOUR },
        "payload",
        "topic",
        "businessHour",
      );
    case "control":
      return object({ payload: COUNTS }, "payload");
    case "tenant":
      return none("The node sends no messages.");
  }
}

function actionOutput({ type, modes }: Action): Schema {
  const hasCallId = Object.values(modes).some(({ fields }) => "callId" in fields);
  return object(
    {
      payload: { description: "The response's data, unless the dialog names another property." },
      envelope: { type: ["object", "null"] },
      statusCode: { type: ["integer", "null"] },
      ...(hasCallId && { callId: { type: "string" } }),
      telephony: telephony(type),
    },
    "envelope",
    "statusCode",
    "telephony",
  );
}
