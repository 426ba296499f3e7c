import { RequestLog } from "./inspect/request-log";
import { CallStore } from "./service/calls";
import type { ServiceState } from "./service/operation";
import { ScheduleStore } from "./service/schedules";

/** Everything a sandbox remembers. A sandbox on another port can continue with the state of an earlier one. */
export class SandboxState implements ServiceState {
  readonly calls = new CallStore();
  readonly schedules = new ScheduleStore();
  readonly log = new RequestLog();
}
