import { boolean, listOf, number, oneOf, type Rules, required, text, textUpTo } from "../../json/rules";
import { limits } from "./assumptions";
import { accepted, refusals } from "./envelope";
import type { Operation } from "./operation";

const CALLS = "/api/v1/call";
export const CALL_OUT_PATH = `${CALLS}/call-out`;

interface CallAction {
  /** The path below `/api/v1/call/`, and the name under which the call's events record the action. */
  readonly name: string;
  readonly fields: Rules;
  /** Fields of which at least one must be given and not empty. */
  readonly needsOneOf?: readonly string[];
  /** The effect of an action that creates or ends a call; every other action is recorded on the call in `callId`. */
  readonly effect?: "places" | "ends";
}

const internalOrExternal = oneOf("internal", "external");
const call = { callId: required(textUpTo(limits.callId)) };
const target = { "to.type": required(internalOrExternal), "to.number": required(text) };

const voice = oneOf(
  "female",
  "male",
  "hatieumai",
  "ngoclam",
  "banmai",
  "leminh",
  "myan",
  "lannhi",
  "sg_male_xuankien_vdts_48k-hsmm",
  "sg_female_xuanhong_vdts_48k-hsmm",
  "hn_male_xuantin_vdts_48k-hsmm",
  "hn_female_thutrang_phrase_48k-hsmm",
);

/**
 * The call actions of the interface, one row each. The interface marks only the callId of stop-a-call as required. The
 * sandbox also requires the fields without which an action makes no sense: the call, the type and number of a target,
 * the type of an advanced transfer and the hotline of a call-out.
 */
const callActions: readonly CallAction[] = [
  { name: "stop-a-call", fields: call, effect: "ends" },
  { name: "transfer", fields: { ...call, fromUserId: text, ...target } },
  {
    name: "transfer/advance",
    fields: {
      ...call,
      ...target,
      "to.type": required(oneOf("internal", "external", "queue")),
      "to.alias": text,
      transferType: required(oneOf("blind", "attendend")),
    },
  },
  {
    name: "add-user",
    fields: {
      ...call,
      "from.type": internalOrExternal,
      "from.number": text,
      "from.alias": text,
      ...target,
      "to.alias": text,
      spyCall: boolean,
    },
  },
  {
    name: "call-out",
    fields: {
      "from.type": required(oneOf("internal")),
      "from.number": required(text),
      "from.alias": text,
      ...target,
      "to.alias": text,
      answer_url: text,
      actions: listOf({ action: required(text), text, voice, speed: number, loop: text }),
    },
    needsOneOf: ["answer_url", "actions"],
    effect: "places",
  },
];

export const callOperations: readonly Operation[] = callActions.map(({ name, fields, needsOneOf, effect }) => ({
  method: "POST",
  path: `${CALLS}/${name}`,
  fields,
  run(values, _request, { calls }) {
    if (needsOneOf?.every((field) => isEmpty(values[field]))) {
      return refusals.badFields([`One of the ${needsOneOf.join(" and ")} fields is required.`]);
    }
    const { callId, ...given } = nested(values);
    if (effect === "places") calls.place(name, given);
    else calls.act(String(callId), name, given, effect === "ends");
    return accepted(null);
  },
}));

function isEmpty(value: unknown): boolean {
  return value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
}

/** The fields that were given, with the fields of a party as one object: `to.number` becomes `to: { number }`. */
function nested(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(values)) {
    if (value === undefined) continue;
    const [role = "", part] = field.split(".");
    fields[role] = part === undefined ? value : { ...(fields[role] as object), [part]: value };
  }
  return fields;
}
