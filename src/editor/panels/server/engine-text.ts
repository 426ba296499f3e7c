import { shared } from "../../words";
import { type Problem, reasonOf } from "./ask";

/** Where the calls of a tenant wait, as the server tells. */
export interface EngineResult {
  readonly kind: "memory" | "file" | "redis";
  readonly file?: string;
  readonly promise?: "always" | "everysec" | "none" | "unknown";
  readonly trouble?: string;
  readonly problem?: Problem;
}

/** Where calls wait and what that promises, or what is wrong there. */
export function engineText(node: EditorNode, engine: EngineResult): string {
  const { kind, file, promise, trouble, problem } = engine;
  if (problem !== undefined) return reasonOf(node, problem);
  if (trouble !== undefined) return shared("test.engine.trouble", { reason: trouble });
  if (kind === "redis") return `${shared("test.engine.redis")} ${shared(`test.promise.${promise ?? "unknown"}`)}`;
  if (kind === "memory" || file === undefined) return shared("test.engine.memory");
  return shared("test.engine.file", { file });
}

export function isEngineWrong({ trouble, problem }: EngineResult): boolean {
  return trouble !== undefined || problem !== undefined;
}
