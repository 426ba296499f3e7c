import { sandboxPage, sandboxPageHeaders } from "../sandbox";
import type { AdminAnswer } from "./admin";
import { sandboxOf } from "./sandboxes";

/** The page on which people see a sandbox's calls; it fetches them itself. */
export function page(): AdminAnswer {
  return { body: sandboxPage, headers: sandboxPageHeaders };
}

/** The calls or requests of a sandbox, the newest of them where there is a limit. */
export async function records(id: string, what: "requests" | "calls", limit: number | undefined): Promise<AdminAnswer> {
  const sandbox = await sandboxOf(id)?.catch(() => undefined);
  return sandbox ? { body: sandbox[what](limit) } : { status: 404, body: {} };
}
