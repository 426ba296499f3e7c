import { alias, calledNumber, choice, required, withDefault } from "../src/fields/field";
import {
  answeredFields,
  callerFields,
  callerRows,
  callOutRequest,
  spokenStarts,
} from "../src/runtime/nodes/action/call-out-request";
import { action, shape } from "../src/runtime/nodes/action/declaration";

export const callOut = action({
  type: "call-out",
  lane: "callOut",
  repeat: "never",
  effect: "placed",
  rows: ["toNumber", ["to", "toKind", "toAlias"], "actions", "answerUrl", callerRows],
  starts: spokenStarts,
  shape: shape(
    {
      ...callerFields,
      "to.type": withDefault(choice(["external", "internal"]), "external"),
      "to.number": required(calledNumber()),
      "to.alias": alias(),
      ...answeredFields,
    },
    callOutRequest,
  ),
});
