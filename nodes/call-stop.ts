import { required } from "../src/fields/field";
import { action, post, shape } from "../src/runtime/actions/action";
import { callId } from "../src/runtime/actions/call-id";

export const callStop = action({
  type: "call-stop",
  repeat: "once",
  modes: { "": shape({ callId: required(callId()) }, (values) => post("/api/v1/call/stop-a-call", values)) },
});
