import { choice, onlyInMode, partyNumber, required, text } from "../src/fields/field";
import { action, callId, post, shape } from "../src/runtime/nodes/action/declaration";

export const callTransfer = action({
  type: "call-transfer",
  lane: "live",
  repeat: "never",
  effect: "transferred",
  modes: {
    simple: shape(
      {
        callId: required(callId()),
        fromUserId: text(),
        "to.type": required(choice(["internal", "external"], { onlyInMode: { queue: "advanced" } })),
        "to.number": required(partyNumber()),
        "to.alias": onlyInMode("advanced"),
        transferType: onlyInMode("advanced"),
      },
      (values) => post("/api/v1/call/transfer", values),
    ),
    advanced: shape(
      {
        callId: required(callId()),
        "to.type": required(choice(["internal", "external", "queue"])),
        "to.number": required(partyNumber()),
        "to.alias": text(),
        // The service's spelling. A flow may also write `attended`.
        transferType: required(choice(["blind", "attendend"], { spellings: { attended: "attendend" } })),
        fromUserId: onlyInMode("simple"),
      },
      (values) => post("/api/v1/call/transfer/advance", values),
    ),
  },
});
