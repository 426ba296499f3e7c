import { operations, requestFor } from "../src/client/operations";
import { alias, boolean, calledNumber, choice, partyNumber, required } from "../src/fields/field";
import { action, callId, shape } from "../src/runtime/nodes/action/declaration";

export const callAddUser = action({
  type: "call-add-user",
  lane: "live",
  repeat: "never",
  effect: "added",
  icons: { fromKind: "fa-user" },
  rows: ["callId", "toKind", "toNumber", "toAlias", "spyCall", ["from", "fromKind", "fromNumber", "fromAlias"]],
  shape: shape(
    {
      callId: required(callId()),
      "from.type": choice(["internal", "external"]),
      "from.number": partyNumber(),
      "from.alias": alias(),
      "to.type": required(choice(["internal", "external"])),
      "to.number": required(calledNumber()),
      "to.alias": alias(),
      spyCall: boolean(),
    },
    (values) => requestFor(operations.addUser, values),
  ),
});
