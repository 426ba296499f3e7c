import type { Response } from "express";
import { sandboxPage, sandboxPageHeaders } from "../../sandbox";
import { sandboxOf } from "../tenants/sandboxes";
import { HttpError } from "./http";

/** Sends the page that shows the calls of a sandbox. The page fetches the calls itself. */
export function page(response: Response): void {
  response.set(sandboxPageHeaders).send(sandboxPage);
}

/** The calls or requests of a sandbox; with a limit, the newest of them. */
export async function records(id: string, kind: "requests" | "calls", limit: number | undefined): Promise<object> {
  const sandbox = await sandboxOf(id)?.catch(() => undefined);
  if (!sandbox) throw new HttpError(404);
  return sandbox[kind](limit);
}
