import { boolean, choice, required, text } from "../src/fields/field";
import { action, callId, post, shape } from "../src/runtime/actions/declaration";

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
        "from.number": text(),
        "from.alias": text(),
        "to.type": required(choice(["internal", "external"])),
        "to.number": required(text()),
        "to.alias": text(),
        spyCall: boolean(),
      },
      (values) => post("/api/v1/call/add-user", values),
    ),
  },
});
