import { current, currentPair, type Pair } from "../inputs/pair";
import { shared } from "../words";

/** What is wrong with a call-out's field in combination with its other fields. */
export function callOutProblem(node: EditorNode, property: string, pair: Pair): string | undefined {
  if (property === "fromNumber" && pair.value === "" && !tenantHasHotline(node)) return shared("valid.hotline");
  if (property !== "actions") return undefined;
  const isEmpty = pair.value === "" || (Array.isArray(pair.value) && pair.value.length === 0);
  return isEmpty && currentPair(node, "answerUrl").value === "" ? shared("valid.nothingToSay") : undefined;
}

/** Whether the chosen tenant has a hotline; an unknown tenant may have one. */
export function tenantHasHotline(node: EditorNode): boolean {
  const tenant = RED.nodes.node(String(current(node, "tenant") ?? ""));
  return !tenant || Boolean(tenant["fromNumber"]);
}

/** The rows of spoken actions without their texts, which may come from the message. */
export function checkableRows(rows: unknown): unknown {
  if (!Array.isArray(rows)) return rows;
  return rows.map((row) => {
    if (typeof row !== "object" || row === null) return row;
    const { action, text, voice, speed, loop } = row;
    const isSilent = [text, voice, speed, loop].every((part) => part === undefined || part === "");
    return isSilent && (action === "talk" || !action) ? undefined : { action, voice, speed, loop };
  });
}
