import type { CallEvent, Party, SandboxCall } from "../service/calls";
import { clock, make } from "./make";

export function callCard(call: SandboxCall): HTMLElement {
  const { callId, state, direction, from, to, events } = call;
  const ends = [from && party(from, "hotline"), to && party(to)].filter(Boolean).join(" → ");
  const parties = direction === "outbound" ? ends : "placed elsewhere";
  const badge = make("span", state, state);
  const head = make("div", "", make("h3", "", callId), badge, make("span", "soft", parties));
  return make("article", "", head, make("ol", "", ...events.map(eventLine)));
}

function party({ type, number, alias }: Party = {}, internal = "user"): string {
  const kinds: Readonly<Record<string, string>> = { internal, external: "number", queue: "queue" };
  const name = [kinds[type ?? ""], number].filter(Boolean).join(" ");
  return alias ? `${alias} (${name})` : name;
}

function eventLine(event: CallEvent): HTMLElement {
  const line = make("div", "", (sentences[event.action] ?? plainSentence)(event));
  const details = (event.actions ?? []).map(callOutAction);
  if (event.answer_url) details.push(`driven by ${event.answer_url}`);
  if (details.length > 0) line.append(make("ul", "soft", ...details.map((text) => make("li", "", text))));
  return make("li", "", clock(event.at), line);
}

/** Shorter words for some actions. An action without an entry is described by `plainSentence`. */
const sentences: Readonly<Record<string, (event: CallEvent) => string>> = {
  "call-out": ({ to }) => `Placed to ${party(to)}`,
  "stop-a-call": () => "Stopped",
  transfer: ({ to, fromUserId }) =>
    `Transferred to ${party(to)}${fromUserId ? `, from user ${String(fromUserId)}` : ""}`,
  "transfer/advance": ({ to, transferType }) => `Transferred (${String(transferType)}) to ${party(to)}`,
  "add-user": ({ to, from, spyCall }) =>
    `Added ${party(to)}${from ? `, by ${party(from)}` : ""}${spyCall ? ", who only listens" : ""}`,
};

/** The action's name, its parties and its other fields: "Hold to user 8, music true". */
function plainSentence({
  action,
  at: _at,
  from,
  to,
  actions: _actions,
  answer_url: _url,
  ...fields
}: CallEvent): string {
  const name = action.charAt(0).toUpperCase() + action.slice(1).replaceAll(/[-/]/g, " ");
  const parties = `${from ? ` from ${party(from)}` : ""}${to ? ` to ${party(to)}` : ""}`;
  const others = Object.entries(fields).map(([field, value]) => `, ${field} ${JSON.stringify(value)}`);
  return name + parties + others.join("");
}

function callOutAction({ action, text, voice, speed, loop }: Readonly<Record<string, unknown>>): string {
  const details = Object.entries({ voice, speed, loop })
    .filter(([, value]) => value !== undefined)
    .map(([field, value]) => `${field} ${String(value)}`);
  return `${String(action)}${text === undefined ? "" : `: “${String(text)}”`}${details.length > 0 ? ` (${details.join(", ")})` : ""}`;
}
