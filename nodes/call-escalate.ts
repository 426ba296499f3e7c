import { alarmActions, peopleList, required, text } from "../src/fields/field";
import { answeredFields, callerFields, callOutRequest } from "../src/runtime/nodes/action/call-out-request";
import { shape } from "../src/runtime/nodes/action/declaration";
import type { Escalation } from "../src/runtime/nodes/escalate/declaration";

export const callEscalate: Escalation = {
  type: "call-escalate",
  kind: "escalation",
  effect: "placed",
  incident: { people: required(peopleList()), key: required(text()) },
  call: shape({ ...callerFields, ...answeredFields, actions: alarmActions() }, callOutRequest),
};
