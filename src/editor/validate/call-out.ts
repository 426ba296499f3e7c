import { readActions } from "../../fields";
import { current, currentPair, type Pair } from "../inputs/pair";
import { shared } from "../words";

/** What is wrong with a call-out's fields only in the company of others. */
export function callOutProblem(node: EditorNode, property: string, pair: Pair): string | undefined {
  if (property === "fromNumber" && pair.value === "" && !tenantHasHotline(node)) return shared("valid.hotline");
  if (property !== "actions") return undefined;
  const nothing = pair.value === "" || (Array.isArray(pair.value) && pair.value.length === 0);
  return nothing && currentPair(node, "answerUrl").value === "" ? shared("valid.nothingToSay") : undefined;
}

function tenantHasHotline(node: EditorNode): boolean {
  const tenant = RED.nodes.node(String(current(node, "tenant") ?? ""));
  return !tenant || Boolean(tenant["fromNumber"]);
}

/** Checks rows as the runtime will, their texts apart: those may come from the message. Throws `FieldError`. */
export function checkRows(rows: unknown, field: string): unknown {
  if (!Array.isArray(rows)) return readActions(rows, field);
  const fixed = rows.map(({ action, text, voice, speed, loop }) => {
    const silent = [text, voice, speed, loop].every((part) => part === undefined || part === "");
    return silent && (action === "talk" || !action) ? undefined : { action, voice, speed, loop };
  });
  return readActions(fixed, field);
}
