import { CallBook } from "./calls";
import { limits } from "./choices";
import type { LoggedRequest } from "./request-log";
import { Ring } from "./ring";
import { ScheduleBook } from "./schedules";

/** All that a sandbox remembers. It outlives the server, so that a sandbox on another port can go on with it. */
export class SandboxState {
  readonly calls = new CallBook();
  readonly schedules = new ScheduleBook();
  readonly log = new Ring<LoggedRequest>(limits.loggedRequests);
  requestCount = 0;
}
