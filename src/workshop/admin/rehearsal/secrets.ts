import type { NodeAPI } from "node-red";
import { asVariable } from "../../../fields/variable";
import { attempt } from "../../../json/rules";
import { mapTexts } from "../../../json/walk";
import { variablesIn } from "../../rehearsal/variables";

/** Shorter values are no secrets, and would match by chance. */
const SHORTEST = 3;
/** A shorter one may be in another value by chance. */
export const LEAST_PART = 8;

type Named = readonly (readonly [name: string, value: string])[];

/** Lists values of the environment, of flows and of credentials that no answer to an editor may contain, by their names in tests. */
export function secretsOf(RED: NodeAPI): Named {
  const all: (readonly [string, unknown])[] = [...credentialsOf(RED), ...Object.entries(process.env)];
  RED.nodes.eachNode((node) => {
    for (const { name, value } of variablesIn([{ ...node }])) all.push([String(name), value]);
  });
  return texts(all).filter(([, value]) => value.length >= SHORTEST);
}

/** Lists credentials of nodes, and variables of tabs, groups and subflows that are credentials, by their names in tests. */
export function credentialsOf(RED: NodeAPI): Named {
  const all: (readonly [string, unknown])[] = [];
  RED.nodes.eachNode((node) => {
    const prefix = variablesIn([{ ...node }]).length > 0 ? "" : `${node.id}_`;
    for (const [name, value] of Object.entries(Object(RED.nodes.getCredentials(node.id))))
      if (name === "map" && typeof value === "object") all.push(...Object.entries(Object(value)));
      else all.push([prefix + name, value]);
  });
  return texts(all);
}

/** Lists the texts under names of variables, of which two flows may have the same one. */
function texts(all: readonly (readonly [string, unknown])[]): Named {
  return all.flatMap(([name, value]) =>
    typeof value === "string" ? [[name.replaceAll(/\W/g, "_"), value] as const] : [],
  );
}

/** Makes a function that puts `${NAME}` in place of secrets in JSON: of whole values, and of long ones also within a text or a name. */
export function maskOf(secrets: Named): <T>(value: T) => T {
  const longest = [...secrets].sort(([, a], [, b]) => b.length - a.length);
  const parts = longest.filter(([, secret]) => secret.length >= LEAST_PART);
  const within = (given: string) =>
    parts.reduce((left, [name, secret]) => left.replaceAll(secret, () => asVariable(name)), given);
  const text = (given: string) => {
    const whole = longest.find(([, secret]) => secret === given);
    return whole ? asVariable(whole[0]) : within(given);
  };
  return (value) => mapTexts(value, text, within);
}

/** A path with its query, in which secrets are `${NAME}`, however a sender has encoded them. */
export function maskPath(path: string, mask: (text: string) => string): string {
  return mask(path).replaceAll(/(?<=[?&][^=&]*=)[^&]*/g, (given) => {
    // Not every sender encodes a plus.
    const readings = [given, given.replaceAll("+", " ")].map((each) => attempt(() => decodeURIComponent(each)) ?? each);
    const hidden = readings.map((each) => [each, mask(each)] as const).find(([each, shown]) => shown !== each);
    return hidden?.[1] ?? given;
  });
}
