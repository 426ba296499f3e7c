import { type JobResult, operations, type Request, requestFor } from "../../tenant";
import { wholeList } from "./pages";

/**
 * Reads the schedules with exactly this name, as the tenant gives them: its search also finds names that contain it.
 * Rejects only if `send` does.
 */
export async function schedulesNamed(name: string, send: (request: Request) => Promise<JobResult>): Promise<JobResult> {
  const result = await wholeList({ request: requestFor(operations.listBusinessHours, { search: name }), send });
  if (!result.ok) return result;
  return { ...result, data: (result.data as readonly unknown[]).filter((item) => nameOf(item) === name) };
}

function nameOf(item: unknown): unknown {
  return typeof item === "object" && item !== null && "name" in item ? item.name : undefined;
}
