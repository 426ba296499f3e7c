import { calendarAddress, type Pair } from "../../fields";
import { parseTemplate } from "../../fields/sources/template";
import { refusal } from "../../hours/value-error";
import { translate } from "../texts";
import { refusalUnder } from "./problem";

/** Returns what is wrong with the path or expression of a typed input. */
export function sourceProblem({ value, type }: Pair): string | undefined {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  switch (type) {
    case "msg":
    case "jsonata":
      return sentence(RED.utils.validateTypedProperty(text, type, {}));
    case "flow":
    case "global":
      return sentence(RED.utils.validateTypedProperty(RED.utils.parseContextKey(text).key, type, {}));
    case "mustache":
      return refusalUnder("", () => parseTemplate(text, ""));
    case "url":
      return addressProblem(text);
    default:
      return undefined;
  }
}

/** An environment variable is known only to the server. */
function addressProblem(text: string): string | undefined {
  const error = text.includes("${") ? undefined : refusal(() => calendarAddress(text, "", () => undefined));
  return error && translate("valid.calendar");
}

/** The result of Node-RED's own check as a sentence. */
export function sentence(result: boolean | string): string | undefined {
  if (typeof result === "string") return result;
  return result ? undefined : translate("valid.unreadable");
}
