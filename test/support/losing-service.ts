import type { ServerResponse } from "node:http";
import { envelope, type Hour, hour, LIST, pageOf, refusal } from "./business-hours";
import type { Received, Reply } from "./live-tenant";

/** One of the requests of a node that ensures a schedule. */
export type Step = "search" | "create" | "read back" | "delete";

export function stepOf({ method, url }: Pick<Received, "method" | "url">): Step {
  if (method === "POST") return "create";
  if (method === "DELETE") return "delete";
  return url.startsWith(`${LIST}/`) ? "read back" : "search";
}

const cutOff = (response: ServerResponse) => response.socket?.destroy();

/** A service with schedules, which loses answers and records its schedules after every request. */
export class LosingService {
  readonly hours: Hour[] = [];
  /** What each request was for, in order. */
  readonly steps: Step[] = [];
  /** How many schedules had the name after each request. */
  readonly counts: number[] = [];
  /** Whether a request is carried out, and whether it is answered. */
  behaviour: (step: Step) => "answered" | "lost before" | "lost after" = () => "answered";
  #lastId = 0;

  constructor(readonly name: string) {}

  add(name: string, days: Hour["days"], enable = 1): Hour {
    this.#lastId += 1;
    const added = hour(this.#lastId, name, days, enable);
    this.hours.push(added);
    return added;
  }

  named(name = this.name): Hour[] {
    return this.hours.filter((each) => each.name === name);
  }

  readonly answer = (request: Received): Reply => {
    const step = stepOf(request);
    const behaviour = this.behaviour(step);
    this.steps.push(step);
    const reply = behaviour === "lost before" ? cutOff : this.#carryOut(request, step);
    this.counts.push(this.named().length);
    return behaviour === "answered" ? reply : cutOff;
  };

  #carryOut({ url, body }: Received, step: Step): Reply {
    const { pathname, searchParams } = new URL(url, "http://x");
    if (step === "search") {
      const search = (searchParams.get("search") ?? "").toLowerCase();
      const found = this.hours.filter(({ name }) => name.toLowerCase().includes(search));
      return { body: envelope(pageOf(found, 1, 20)) };
    }
    if (step === "create") {
      const { name, enabled, days } = body as { name: string; enabled: boolean; days: Hour["days"] };
      const read = days.map(({ day, open, close }) => ({ day, open: `${open}:00`, close: `${close}:00` }));
      const { id, created_at, updated_at } = this.add(name, read, Number(enabled));
      return { body: envelope({ name, enable: enabled, updated_at, created_at, id }) };
    }
    const index = this.hours.findIndex(({ id }) => pathname === `${LIST}/${id}`);
    if (index < 0) return { status: 404, body: refusal("Not found") };
    if (step === "read back") return { body: envelope(this.hours[index]) };
    this.hours.splice(index, 1);
    return { body: envelope(null, { code: 0 }) };
  }
}
