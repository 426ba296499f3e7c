import { askOutside, type Fetched } from "../phone/outside";
import type { Party } from "../service/calls";
import type { SandboxState } from "./state";

/** An incoming call that a builder made, and what the webhook answered. */
export interface Incoming {
  readonly callId: string;
  readonly answered: Fetched;
}

/**
 * Makes an incoming call: posts to the builder's webhook a body that the builder wrote, since the service's events are not
 * documented.
 * @param parties those of an earlier call, instead of the ones that were entered
 */
export async function receiveCall(
  state: SandboxState,
  parties: { readonly from?: Party; readonly to?: Party } = {},
): Promise<Incoming> {
  const { webhook, body, headers, ...entered } = state.settings.incoming;
  const from = parties.from?.number ?? entered.from;
  const to = parties.to?.number ?? entered.to;
  const callId = state.calls.receive({ type: "external", number: from }, { type: "internal", number: to });
  const given = Object.fromEntries(headers.map(({ name, value }) => [name.toLowerCase(), value]));
  const text = filled(body, { callId, from, to });
  const answered = await askOutside(webhook, state, {
    method: "POST",
    headers: state.fillIn({ "content-type": "application/json", ...given }, webhook, text),
    body: text,
  });
  return { callId, answered };
}

/** Fills in values as parts of JSON strings. */
function filled(body: string, values: Readonly<Record<string, string>>): string {
  return body.replaceAll(/\{\{(callId|from|to)\}\}/g, (_, name: string) =>
    JSON.stringify(values[name] ?? "").slice(1, -1),
  );
}
