import { required } from "../src/fields/field";
import { action, callId, post, shape } from "../src/runtime/nodes/action/declaration";

export const callStop = action({
  type: "call-stop",
  lane: "live",
  repeat: "once",
  effect: "stopped",
  modes: { "": shape({ callId: required(callId()) }, (values) => post("/api/v1/call/stop-a-call", values)) },
});
