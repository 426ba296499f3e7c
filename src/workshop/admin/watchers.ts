import type { NodeAPI } from "node-red";
import { perNode } from "../../runtime/node-red/node-state";
import { swallowErrors } from "../../runtime/node-red/swallow-errors";
import { sandboxOf } from "../../runtime/tenants/sandboxes";

/** The editors that show a sandbox, by session. */
const watched = perNode<{ unfollow?: () => void }>("watcher");

/**
 * Notifies an editor of each change in the sandbox that it shows. Node-RED sends the notification to all editors, so it carries
 * only a number; the content comes from routes with permissions.
 */
export async function watch(RED: NodeAPI, session: string, id: string): Promise<void> {
  unwatch(session);
  const watcher: { unfollow?: () => void } = {};
  watched.set(session, watcher);
  const sandbox = await sandboxOf(id);
  // While a sandbox starts, the editor may switch to another one or be closed.
  if (!sandbox || watched.get(session) !== watcher) return;
  const { changes } = sandbox.state;
  const notify = () =>
    swallowErrors(() => RED.comms.publish("telephony/sandbox", { id, revision: changes.revision }, false));
  watcher.unfollow = changes.follow(notify);
  notify();
}

export function unwatch(session: string): void {
  watched.get(session)?.unfollow?.();
  watched.delete(session);
}
