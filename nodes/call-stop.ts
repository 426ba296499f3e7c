import { operations, requestFor } from "../src/client/operations";
import { required } from "../src/fields/field";
import { action, callId, shape } from "../src/runtime/nodes/action/declaration";

export const callStop = action({
  type: "call-stop",
  lane: "live",
  repeat: "once",
  effect: "stopped",
  shape: shape({ callId: required(callId()) }, (values) => requestFor(operations.stopCall, values)),
});
