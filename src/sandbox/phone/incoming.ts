import type { CallStore } from "../service/calls";
import { askOutside, type Fetched } from "./outside";
import type { SandboxSettings } from "./settings";

/** An incoming call that a builder made, and what the webhook answered. */
export interface Incoming {
  readonly callId: string;
  readonly answered: Fetched;
}

/**
 * Makes an incoming call: tells the builder's webhook of it, in the builder's own words, since the service's events are not
 * shown.
 */
export async function receiveCall(calls: CallStore, { incoming, hosts }: SandboxSettings): Promise<Incoming> {
  const { webhook, body, headers, from, to } = incoming;
  const callId = calls.receive({ type: "external", number: from }, { type: "internal", number: to });
  const answered = await askOutside(webhook, hosts, {
    method: "POST",
    headers: { "content-type": "application/json", ...Object.fromEntries(headers.map((one) => [one.name, one.value])) },
    body: filled(body, { callId, from, to }),
  });
  return { callId, answered };
}

/** Fills in values as parts of JSON strings. */
function filled(body: string, values: Readonly<Record<string, string>>): string {
  return body.replaceAll(/\{\{(callId|from|to)\}\}/g, (_, name: string) =>
    JSON.stringify(values[name] ?? "").slice(1, -1),
  );
}
