import { hasOnlyExceptions } from "./rules";
import { type Config, pairOf } from "./sources/property";

/** A text of the node's type, under a key of its own in the catalogue; `undefined` if there is none. */
type OwnText = (key: string, values?: Readonly<Record<string, string>>) => string | undefined;

/** The label of a node on the canvas: its name, else what it does where that is fixed, else its type. */
export function nodeLabel(node: Config, text: OwnText): string {
  return String(node["name"] || storyOf(node, text) || text("type") || node["type"]);
}

function storyOf(node: Config, text: OwnText): string | undefined {
  const [kind, number] = [fixedValue(node, "toKind"), fixedValue(node, "toNumber")];
  switch (node["type"]) {
    case "telephony-tenant":
      return node["mode"] === "sandbox" ? text("story.sandbox") : String(node["url"] ?? "");
    case "telephony-control":
      return node["command"] ? text(`story.${node["command"]}`) : undefined;
    case "call-transfer":
      return number && (text(`story.${kind}`, { number }) ?? text("story.any", { number }));
    case "call-add-user":
      if (/^(true|1|on)$/.test(fixedValue(node, "spyCall")))
        return text(`story.${number ? "listener" : "listen"}`, { number });
      return number && text("story.add", { number });
    case "business-hour-gate":
    case "business-hour-trigger": {
      if (node["source"] === "value") return text(`story.${hasOnlyExceptions(node) ? "none" : "own"}`);
      const [id, name] = [fixedValue(node, "scheduleId"), fixedValue(node, "scheduleName")];
      return id ? text("story.id", { id }) : name && text("story.name", { name });
    }
    default: {
      const told = Object.keys(node).find((each) => fixedValue(node, each) && text(`story.${each}`));
      return told && text(`story.${told}`, { value: fixedValue(node, told) });
    }
  }
}

const LONGEST = 24;

/** A field's value for a label; empty unless it is the same for every message. */
function fixedValue(node: Config, property: string): string {
  const { value, type } = pairOf(node, property) ?? { value: "", type: "str" };
  if (!["str", "num", "bool"].includes(type) || typeof value === "object") return "";
  const text = String(value).trim();
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
