import { DAY_MS } from "../../hours/dates";
import { HandClosing } from "../../runtime/nodes/gate/hand-closing";
import { type Body, HttpError } from "./http";

export type GateClosing = ReturnType<typeof closingOf>;

/** The furthest end. */
const LONGEST_MS = 400 * DAY_MS;

/** Until when a gate is closed by its button, ISO 8601; `null` if it is not. */
export function closingOf(id: string) {
  const { until } = running(id);
  return { ok: true, until: until === undefined ? null : new Date(until).toISOString() };
}

/** Closes a running gate until an end that is to come, or releases it with `null`. */
export function setClosing(id: string, { until }: Body): GateClosing {
  const closing = running(id);
  if (until === null) closing.set(undefined);
  else {
    const [end, now] = [typeof until === "string" ? Date.parse(until) : Number.NaN, Date.now()];
    if (!(end > now && end <= now + LONGEST_MS)) throw new HttpError(400);
    closing.set(end);
  }
  return closingOf(id);
}

function running(id: string): HandClosing {
  const closing = HandClosing.of(id);
  if (!closing) throw new HttpError(404);
  return closing;
}
