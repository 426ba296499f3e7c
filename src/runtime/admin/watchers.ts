import type { NodeAPI } from "node-red";
import { quietly } from "../node-red/quietly";
import { sandboxOf } from "../tenants/sandboxes";

/** Editors that look at sandboxes: what each one watches, by its session. */
const watched = new Map<string, { readonly id: string; readonly unfollow: () => void }>();

/**
 * Tells editors that something has changed in the sandbox that they look at. Every editor hears it, whatever its user may
 * see: it carries a number only, and the content comes from routes with permissions.
 */
export async function watch(RED: NodeAPI, session: string, id: string): Promise<void> {
  unwatch(session);
  const sandbox = await sandboxOf(id)?.catch(() => undefined);
  if (!sandbox) return;
  const { changes } = sandbox.state;
  const tell = () => quietly(() => RED.comms.publish("telephony/sandbox", { id, revision: changes.revision }, false));
  unwatch(session);
  watched.set(session, { id, unfollow: changes.follow(tell) });
  tell();
}

export function unwatch(session: string): void {
  watched.get(session)?.unfollow();
  watched.delete(session);
}
