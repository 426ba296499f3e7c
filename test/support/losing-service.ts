import type { ServerResponse } from "node:http";
import { type Hour, LIST, Schedules } from "./business-hours";
import type { Received, Reply } from "./live-tenant";

/** One of the requests of a node that ensures a schedule. */
export type Step = "search" | "create" | "read back" | "delete";

export function stepOf(method: string, path: string): Step {
  if (method === "POST") return "create";
  if (method === "DELETE") return "delete";
  return path.startsWith(`${LIST}/`) ? "read back" : "search";
}

const cutOff = (response: ServerResponse) => response.socket?.destroy();

/** A service with schedules, which loses answers and records its schedules after every request. */
export class LosingService extends Schedules {
  /** The step of each request, in order. */
  readonly steps: Step[] = [];
  /** The number of schedules that had the name after each request. */
  readonly counts: number[] = [];
  /** Decides whether a request is carried out, and whether it is answered. */
  behaviour: (step: Step) => "answered" | "lost before" | "lost after" = () => "answered";

  constructor(readonly name: string) {
    super();
  }

  override named(name = this.name): Hour[] {
    return super.named(name);
  }

  readonly answer = (request: Received): Reply => {
    const step = stepOf(request.method, request.url);
    const behaviour = this.behaviour(step);
    this.steps.push(step);
    const reply = behaviour === "lost before" ? cutOff : this.carryOut(request);
    const created = step === "create" ? this.hours.at(-1) : undefined;
    // In reads, times have seconds.
    const days = created?.days.map(({ day, open, close }) => ({ day, open: `${open}:00`, close: `${close}:00` }));
    if (created && days && behaviour !== "lost before") this.hours.splice(-1, 1, { ...created, days });
    this.counts.push(this.named().length);
    return behaviour === "answered" ? reply : cutOff;
  };
}
