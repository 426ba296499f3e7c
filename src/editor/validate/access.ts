import { readRedisUrl, readToken } from "../../client/settings";
import { shownParams } from "../../fields";
import { readSecret } from "../../fields/kinds/fixed";
import { variableOf } from "../../fields/variable";
import { refusal } from "../../hours/value-error";
import { current } from "../inputs/pair";
import { translate } from "../texts";
import { problemText } from "./problem";

/** The text that Node-RED shows in place of a saved password. */
export const SAVED = "__PWRD__";

interface Rule {
  isNeeded(node: EditorNode): boolean;
  /** @throws ValueError */
  read(text: string, node: EditorNode): unknown;
  readonly missing: "valid.token" | "valid.secret" | "errors.config.redisUrl";
}

const RULES: Readonly<Record<string, Rule>> = {
  token: { isNeeded: (node) => current(node, "mode") !== "sandbox", read: readToken, missing: "valid.token" },
  secret: {
    isNeeded: () => true,
    read: (text, node) => readSecret(text, current(node, "scheme")),
    missing: "valid.secret",
  },
  redisUrl: { isNeeded: usesRedis, read: readRedisUrl, missing: "errors.config.redisUrl" },
};

/** Whether a tenant's calls wait in Redis. Simulated ones wait in memory. */
export function usesRedis(node: EditorNode): boolean {
  return String(current(node, "mode") || "live") === "live" && current(node, "engine") === "redis";
}

/** The credentials of a node, each with its validator. With two parameters, Node-RED takes a text as the reason. */
export function credentials(...names: readonly string[]) {
  const declared = names.map((name) => {
    const validate = function (this: EditorNode, value: unknown, _options: unknown): true | string {
      return credentialProblem(this, name, value) ?? true;
    };
    return [name, { type: "password", validate }] as const;
  });
  // `_creds` makes Node-RED validate credentials while the dialog is closed. It has no values for them then.
  return { credentials: Object.fromEntries(declared), _creds: {} };
}

/**
 * Returns what is wrong with a credential. A tenant's mode or backlog may do without.
 * @param shown what the dialog has, `undefined` where it is not open
 */
export function credentialProblem(node: EditorNode, property: string, shown: unknown): string | undefined {
  const rule = RULES[property];
  if (!rule?.isNeeded(node)) return undefined;
  const text = String(shown ?? knownCredential(node, property)).trim();
  if (text === "") return translate(rule.missing);
  if (text === SAVED || variableOf(text) !== undefined) return undefined;
  const error = refusal(() => rule.read(text, node));
  return error && problemText(node, error.key, shownParams(error));
}

/**
 * Returns what the editor knows of a credential. Node-RED reports a deployed one when the dialog opens, and discards it
 * at the next deploy.
 */
function knownCredential(node: EditorNode, property: string): string {
  const credentials = (node["credentials"] ?? {}) as Readonly<Record<string, string | boolean>>;
  const { [property]: value, [`has_${property}`]: isSaved } = credentials;
  if (value !== undefined) return String(value);
  if (isSaved !== undefined) return isSaved ? SAVED : "";
  return RED.nodes.originalFlow()?.some(({ id }) => id === node.id) ? SAVED : "";
}
