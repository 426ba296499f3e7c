import type { LoggedRequest } from "../inspect/request-log";
import { Ring } from "../inspect/ring";
import { CallBook } from "./calls";
import { limits } from "./choices";
import { ScheduleCache } from "./schedules";

/** All that a sandbox remembers. It outlives the server, so that a sandbox on another port can go on with it. */
export class SandboxState {
  readonly calls = new CallBook();
  readonly schedules = new ScheduleCache();
  readonly log = new Ring<LoggedRequest>(limits.loggedRequests);
  requestCount = 0;
}
