import type { SandboxView } from "../inspect/view";
import { t } from "./texts";

/*
 * The sandbox answers below the page's own address, so the page works wherever it is served together with these.
 */

const RETRY_MS = 1000;
/** Between two looks at a sandbox in which much happens. */
const PAUSE_MS = 250;

const query = new URLSearchParams(location.search);
// Where Node-RED needs a permission, its editor passes it as ?access_token=…; it is removed from the address at once.
const bearer = query.get("access_token");
if (bearer) {
  query.delete("access_token");
  const rest = query.toString();
  history.replaceState(null, "", location.pathname + (rest && `?${rest}`));
}
const base = location.pathname.replace(/\/+$/, "");
const authorization: Record<string, string> = bearer ? { authorization: `Bearer ${bearer}` } : {};

export const isFramed = window.parent !== window;

export class NoPermission extends Error {}

async function read<T>(path: string, signal?: AbortSignal): Promise<T> {
  const answer = await fetch(`${base}/${path}`, { headers: authorization, ...(signal && { signal }) });
  if (answer.status === 401 || answer.status === 403) throw new NoPermission();
  if (!answer.ok) throw new Error(String(answer.status));
  return (await answer.json()) as T;
}

/** The addresses of the flows in Node-RED, if it serves the page; a sandbox alone knows none. */
export async function webhooks(): Promise<readonly string[]> {
  return base === "/sandbox" ? [] : read("webhooks");
}

/** Sends a request that changes something. Throws an error whose message is a sentence for the reader. */
export async function press(name: string, body: object = {}): Promise<unknown> {
  const headers = { ...authorization, "content-type": "application/json" };
  const init = { method: "POST", headers, body: JSON.stringify(body) };
  const answer = await fetch(`${base}/${name}`, init).catch(() => {
    throw new Error(t("noAnswer"));
  });
  const envelope = (await answer.json().catch(() => ({}))) as { message?: string; data?: unknown };
  if (answer.ok) return envelope.data;
  if (answer.status === 401 || answer.status === 403) throw new Error(t("mayNotChange"));
  throw new Error(envelope.message ?? t("noAnswer"));
}

/** The same request as a command. */
export function curl(name: string, body: object): string {
  const quoted = JSON.stringify(body).replaceAll("'", "'\\''");
  // Node-RED accepts its own origin only, as its editor sends it.
  const origin = base === "/sandbox" ? [] : [`-H 'origin: ${location.origin}'`];
  const token = bearer ? ["-H 'authorization: Bearer <token>'"] : [];
  const headers = ["-H 'content-type: application/json'", ...origin, ...token];
  return [`curl ${location.origin}${base}/${name}`, ...headers, `-d '${quoted}'`].join(" \\\n  ");
}

/** Asks the editor that frames the page to select a node. */
export function selectNode(id: string): void {
  if (isFramed) window.parent.postMessage({ telephony: "node", id }, location.origin);
}

let wasInSight = true;

/** Notifies the editor that frames the page whether a phone that rings is in sight. */
export function tellSight(isInSight: boolean): void {
  if (!isFramed || isInSight === wasInSight) return;
  wasInSight = isInSight;
  window.parent.postMessage({ telephony: "sight", isInSight }, location.origin);
}

/**
 * Follows the sandbox, also through a restart.
 * @param show is given what has changed, and whether all that was shown before is gone
 * @returns when there is no permission
 */
export async function follow(show: (view: SandboxView, isNew: boolean) => void, lost: () => void): Promise<void> {
  let since = 0;
  let epoch: number | undefined;
  for (;;) {
    try {
      if (!isShown) await new Promise<void>((resolve) => (onShown = resolve));
      const { signal } = look;
      const view = await read<SandboxView>(`view?since=${since}`);
      // Cleared, or another sandbox: ask for everything.
      if (since > 0 && (view.revision < since || view.epoch !== epoch)) {
        since = 0;
        continue;
      }
      show(view, since === 0);
      ({ revision: since, epoch } = view);
      await later(PAUSE_MS);
      await read(`changes?since=${since}`, signal);
    } catch (error) {
      if (error instanceof NoPermission) throw error;
      if ((error as Error).name === "AbortError") continue;
      // The sandbox that answers next may be another one.
      since = 0;
      lost();
      await later(RETRY_MS);
    }
  }
}

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

let isShown = true;
let onShown = () => {};
/** Aborted by each message of the editor that frames the page: it looks again, or no more while it is hidden. */
let look = new AbortController();
window.addEventListener("message", ({ origin, source, data }: MessageEvent<{ telephony?: unknown } | null>) => {
  const said = data?.telephony;
  if (origin !== location.origin || source !== window.parent || (said !== "shown" && said !== "hidden")) return;
  isShown = said === "shown";
  look.abort();
  look = new AbortController();
  if (isShown) onShown();
});
