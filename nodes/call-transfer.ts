import { operations, requestFor } from "../src/client/operations";
import { alias, calledNumber, choice, onlyInMode, required, text } from "../src/fields/field";
import { action, callId, shape } from "../src/runtime/nodes/action/declaration";

export const callTransfer = action({
  type: "call-transfer",
  lane: "live",
  repeat: "never",
  effect: "transferred",
  icons: { toKind: "fa-share" },
  modes: {
    simple: shape(
      {
        callId: required(callId()),
        fromUserId: text(),
        "to.type": required(choice(["internal", "external"], { onlyInMode: { queue: "advanced" } })),
        "to.number": required(calledNumber()),
        "to.alias": onlyInMode("advanced"),
        transferType: onlyInMode("advanced"),
      },
      (values) => requestFor(operations.transferCall, values),
    ),
    advanced: shape(
      {
        callId: required(callId()),
        "to.type": required(choice(["internal", "external", "queue"])),
        "to.number": required(calledNumber()),
        "to.alias": alias(),
        // The service's spelling. A flow may also write `attended`.
        transferType: required(choice(["blind", "attendend"], { spellings: { attended: "attendend" } })),
        fromUserId: onlyInMode("simple"),
      },
      (values) => requestFor(operations.transferCallAdvanced, values),
    ),
  },
});
