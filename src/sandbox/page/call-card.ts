import type { CallEvent, Party, SandboxCall } from "../service/calls";
import { clock, make } from "./make";

/** What the page tells of an action, of the fields that its request had. */
type Told = Pick<CallEvent, "at" | "action"> & {
  readonly to?: Party;
  readonly from?: Party;
  readonly fromUserId?: string;
  readonly transferType?: string;
  readonly spyCall?: boolean;
  readonly answer_url?: string;
  readonly actions?: readonly Spoken[];
};

interface Spoken {
  readonly action: string;
  readonly text?: string;
  readonly voice?: string;
  readonly speed?: number;
  readonly loop?: string;
}

export function callCard(call: SandboxCall): HTMLElement {
  const { callId, state, direction, from, to, events } = call;
  const ends = [from && party(from, "hotline"), to && party(to)].filter(Boolean).join(" → ");
  const parties = direction === "outbound" ? ends : "placed elsewhere";
  const badge = make("span", `badge ${state}`, state);
  const head = make("div", "", make("h3", "", callId), badge, make("span", "soft", parties));
  return make("article", "", head, make("ol", "", ...events.map((event) => eventLine(event as Told))));
}

function party({ type, number, alias }: Party, internal = "user"): string {
  const kinds: Readonly<Record<string, string>> = { internal, external: "number", queue: "queue" };
  const name = [kinds[type ?? ""], number].filter(Boolean).join(" ");
  return alias ? `${alias} (${name})` : name;
}

function eventLine(event: Told): HTMLElement {
  const line = make("div", "", story(event));
  const lines = (event.actions ?? []).map(says);
  if (event.answer_url) lines.push(`driven by ${event.answer_url}`);
  if (lines.length > 0) line.append(make("ul", "soft", ...lines.map((text) => make("li", "", text))));
  return make("li", "", clock(event.at), line);
}

function story({ action, to, from, fromUserId, transferType, spyCall }: Told): string {
  const whom = to ? party(to) : "";
  switch (action) {
    case "call-out":
      return `Placed to ${whom}`;
    case "stop-a-call":
      return "Stopped";
    case "transfer":
      return `Transferred to ${whom}${fromUserId ? `, from user ${fromUserId}` : ""}`;
    case "transfer/advance":
      return `Transferred (${transferType}) to ${whom}`;
    case "add-user":
      return `Added ${whom}${from ? `, by ${party(from)}` : ""}${spyCall ? ", who only listens" : ""}`;
    default:
      return action;
  }
}

function says({ action, text, voice, speed, loop }: Spoken): string {
  const details = [
    voice && `voice ${voice}`,
    speed !== undefined && `speed ${speed}`,
    loop !== undefined && `loop ${loop}`,
  ].filter(Boolean);
  return `${action}${text === undefined ? "" : `: “${text}”`}${details.length > 0 ? ` (${details.join(", ")})` : ""}`;
}
