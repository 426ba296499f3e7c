import type { NodeAPI } from "node-red";
import { perNode } from "../node-red/node-state";
import { swallowErrors } from "../node-red/swallow-errors";
import { sandboxOf } from "../tenants/sandboxes";

/** What ends the watching of each editor that looks at a sandbox, by its session. */
const watched = perNode<{ unfollow?: () => void }>("watcher");

/**
 * Tells editors that something has changed in the sandbox that they look at. Every editor hears it, whatever its user may
 * see: it carries a number only, and the content comes from routes with permissions.
 */
export async function watch(RED: NodeAPI, session: string, id: string): Promise<void> {
  unwatch(session);
  const watcher: { unfollow?: () => void } = {};
  watched.set(session, watcher);
  const sandbox = await sandboxOf(id);
  // While a sandbox starts, the editor may look elsewhere or go away.
  if (watched.get(session) !== watcher) return;
  if (!sandbox) {
    watched.delete(session);
    return;
  }
  const { changes } = sandbox.state;
  const tell = () =>
    swallowErrors(() => RED.comms.publish("telephony/sandbox", { id, revision: changes.revision }, false));
  watcher.unfollow = changes.follow(tell);
  tell();
}

export function unwatch(session: string): void {
  watched.get(session)?.unfollow?.();
  watched.delete(session);
}
