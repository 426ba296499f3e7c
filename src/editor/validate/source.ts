import { calendarAddress, type Pair } from "../../fields";
import { columnAt } from "../../fields/sources/column";
import { parseTemplate } from "../../fields/sources/template";
import { hasVariable } from "../../fields/variable";
import { refusal } from "../../hours/value-error";
import { translate } from "../texts";
import { refusalUnder } from "./problem";

/** @param ofRow it may name a column */
export function sourceProblem({ value, type }: Pair, ofRow: boolean): string | undefined {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (type === "msg" && ofRow && columnAt(text) !== undefined) return undefined;
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
  const error = hasVariable(text) ? undefined : refusal(() => calendarAddress(text, "", () => undefined));
  return error && translate("valid.calendar");
}

/** The result of Node-RED's own check as a sentence. */
function sentence(result: boolean | string): string | undefined {
  if (typeof result === "string") return result;
  return result ? undefined : translate("valid.unreadable");
}
