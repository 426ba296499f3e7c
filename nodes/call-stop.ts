import { required } from "../src/fields";
import { action, callId, post, shape } from "../src/runtime";

export = action({
  type: "call-stop",
  repeat: "once",
  modes: { "": shape({ callId: required(callId()) }, (values) => post("/api/v1/call/stop-a-call", values)) },
});
