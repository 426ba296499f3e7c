import { DAY_MS } from "../../hours/dates";
import { HandClosing } from "../../runtime/nodes/gate/hand-closing";
import { type Body, HttpError } from "./http";

/** `state` is only there if it is open. */
export type GateClosing = { readonly ok: boolean; readonly until: string | null; readonly state?: "open" };

/** The furthest end. */
const LONGEST_MS = 400 * DAY_MS;

/** Finds out until when a gate is closed or open by its button, ISO 8601; `null` if it is neither. */
export function closingOf(id: string): GateClosing {
  const { until, state } = running(id);
  if (until === undefined) return { ok: true, until: null };
  return { ok: true, until: new Date(until).toISOString(), ...(state === "open" && { state }) };
}

/** Closes or opens a running gate until an end that is to come, or releases it with `null`. */
export function setClosing(id: string, { until, state = "closed" }: Body): GateClosing {
  const closing = running(id);
  if (state !== "open" && state !== "closed") throw new HttpError(400);
  if (until === null) closing.set(undefined);
  else {
    const [end, now] = [typeof until === "string" ? Date.parse(until) : Number.NaN, Date.now()];
    if (!(end > now && end <= now + LONGEST_MS)) throw new HttpError(400);
    closing.set(end, state);
  }
  return closingOf(id);
}

function running(id: string): HandClosing {
  const closing = HandClosing.of(id);
  if (!closing) throw new HttpError(404);
  return closing;
}
