import { type Config, isGiven, pairOf } from "../../fields";
import { GATE_PAIRS } from "./properties";

/** The pairs as a reader takes them; what another choice of source left behind is not read. */
export function pairsOf(config: Config, fromTenant: boolean): Record<string, unknown> {
  const idle: readonly string[] = fromTenant ? ["schedule"] : ["scheduleName", "scheduleId"];
  const pairs: Record<string, unknown> = {};
  for (const [name, absent] of Object.entries(GATE_PAIRS)) {
    const { value, type } = idle.includes(name) ? { value: "", type: "str" } : (pairOf(config, name) ?? absent);
    pairs[name] = value;
    pairs[`${name}Type`] = type;
  }
  return pairs;
}

/** Whether a pair is the same for every message, may change between them, or comes with them. */
export function originOf(pairs: Config, name: string): "dialog" | "context" | "message" {
  if (!isGiven(pairs[name])) return "dialog";
  const type = pairs[`${name}Type`];
  if (type === "flow" || type === "global") return "context";
  return type === "msg" || type === "jsonata" || type === "mustache" ? "message" : "dialog";
}
