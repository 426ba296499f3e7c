import { boolean, choice, partyNumber, required, text } from "../src/fields/field";
import { action, callId, post, shape } from "../src/runtime/nodes/action/declaration";

export const callAddUser = action({
  type: "call-add-user",
  lane: "live",
  repeat: "never",
  effect: "added",
  modes: {
    "": shape(
      {
        callId: required(callId()),
        "from.type": choice(["internal", "external"]),
        "from.number": partyNumber(),
        "from.alias": text(),
        "to.type": required(choice(["internal", "external"])),
        "to.number": required(partyNumber()),
        "to.alias": text(),
        spyCall: boolean(),
      },
      (values) => post("/api/v1/call/add-user", values),
    ),
  },
});
