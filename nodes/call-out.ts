import { callerRows, callOutFields, callOutRequest, spokenStarts } from "../src/runtime/nodes/action/call-out-request";
import { action, shape } from "../src/runtime/nodes/action/declaration";

export const callOut = action({
  type: "call-out",
  lane: "callOut",
  repeat: "never",
  effect: "placed",
  rows: ["toNumber", ["to", "toKind", "toAlias"], "actions", "answerUrl", callerRows],
  starts: spokenStarts,
  shape: shape(callOutFields, callOutRequest),
});
