import { calledNumber, required } from "../src/fields/field";
import { callerRows, callOutFields, callOutRequest, spokenStarts } from "../src/runtime/nodes/action/call-out-request";
import { shape } from "../src/runtime/nodes/action/declaration";
import { type ListCaller, NUMBER_SOURCE } from "../src/runtime/nodes/list/settings";

export const callList: ListCaller = {
  type: "call-list",
  kind: "list",
  effect: "placed",
  outputs: ["row", "list"],
  rows: [
    "list",
    "toNumber",
    ["to", "toKind", "toAlias"],
    "actions",
    "answerUrl",
    "begin",
    "once",
    "onceFor",
    "encoding",
    callerRows,
  ],
  icons: { list: "fa-table" },
  starts: { ...spokenStarts, ...NUMBER_SOURCE },
  shape: shape(
    { ...callOutFields, "to.number": required({ ...calledNumber(), fallbacks: [["payload", "number"]] }) },
    callOutRequest,
  ),
};
