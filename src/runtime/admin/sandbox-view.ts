import { sandboxPage, sandboxPageHeaders } from "../../sandbox";
import { sandboxOf } from "../tenants/sandboxes";
import type { AdminAnswer } from "./http";

/** The page on which people see a sandbox's calls; it fetches them itself. */
export function page(): AdminAnswer {
  return { body: sandboxPage, headers: sandboxPageHeaders };
}

/** The calls or requests of a sandbox, the newest of them where there is a limit. */
export async function records(id: string, what: "requests" | "calls", limit: number | undefined): Promise<AdminAnswer> {
  const sandbox = await sandboxOf(id)?.catch(() => undefined);
  return sandbox ? { body: sandbox[what](limit) } : { status: 404, body: {} };
}
