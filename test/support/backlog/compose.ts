import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CORE_SCHEMA, load, mergeTag } from "js-yaml";
import { root } from "../root";

export interface Service {
  readonly image: string;
  readonly command?: string | readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly stop_grace_period?: string;
}

interface Compose {
  readonly name: string;
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, null>>;
}

/** The setup of several Node-REDs that docs/scale.md explains. */
export const compose = load(readFileSync(join(root, "docs", "compose.yaml"), "utf8"), {
  schema: CORE_SCHEMA.withTags(mergeTag),
}) as Compose;

/** Its Node-REDs, by name. */
export const nodeReds = Object.entries(compose.services).filter(([, { image }]) => image === "nodered/node-red");

/** The command of its Redis, with this password. */
export function redisCommand(password: string): string[] {
  const command = compose.services["redis"]?.command;
  if (!Array.isArray(command)) throw new Error("Redis has no command");
  return command.map((word: string) => word.replace("${REDIS_PASSWORD:?}", password));
}
