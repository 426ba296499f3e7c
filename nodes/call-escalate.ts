import { alarmActions, peopleList, required, text } from "../src/fields/field";
import {
  answeredFields,
  callerFields,
  callerRows,
  callOutRequest,
  spokenStarts,
} from "../src/runtime/nodes/action/call-out-request";
import { shape } from "../src/runtime/nodes/action/declaration";
import type { Escalation } from "../src/runtime/nodes/escalate/declaration";

export const callEscalate: Escalation = {
  type: "call-escalate",
  kind: "escalation",
  effect: "placed",
  outputs: ["acknowledged", "nobody"],
  rows: ["key", "people", "actions", "answerUrl", "ringFor", "rounds", "quietFor", callerRows],
  icons: { key: "fa-bell-o" },
  starts: spokenStarts,
  incident: { people: required(peopleList()), key: required(text()) },
  call: shape({ ...callerFields, ...answeredFields, actions: alarmActions() }, callOutRequest),
};
