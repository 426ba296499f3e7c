import { readFileSync } from "node:fs";
import { join } from "node:path";
import { MAX_KEYS } from "../deduplication-keys";

const NAMES = ["renew", "accept", "begin", "settle", "drop", "key", "record", "set", "restore", "rewrite"] as const;

export type FunctionName = (typeof NAMES)[number];

const read = (name: string) => readFileSync(join(__dirname, "lua", `${name}.lua`), "utf8");

/** The functions that run in Redis, each atomic, as `defineCommand` takes them. The head of each file lists its arguments. */
export function readFunctions(): ReadonlyMap<FunctionName, string> {
  const prelude = `local MAX_KEYS = ${MAX_KEYS}\n${read("prelude")}`;
  return new Map(
    NAMES.map((name) => {
      const lua = read(name);
      const [flags = ""] = lua.split("\n", 1);
      return [name, `${flags}\n${prelude}${lua.slice(flags.length)}`];
    }),
  );
}
