import { randomBytes } from "node:crypto";
import { type Address, notSent, parseAddress } from "../../client";
import type { Sandbox, SandboxOptions, SandboxState, Styles } from "../../sandbox";
import { perNode } from "../node-red/node-state";

/** A simulated tenant that belongs to a config node and outlives its redeploys. */
interface Running {
  /** Its settings, as JSON. */
  readonly settings: string;
  readonly token: string;
  readonly started: Promise<Sandbox>;
  /** Its calls and schedules; those of its predecessor if it cannot listen. Never rejects. */
  readonly state: Promise<SandboxState | undefined>;
  failed: boolean;
  unfollow?: () => void;
}

/** Calls and schedules outlive a redeploy. */
const running = perNode<Running>("sandbox");

/** For a request from outside, whose token is wrong. */
const TOKEN_ADVICE =
  "Only the nodes of its tenant in Node-RED have it. To choose a token, run telephony-sandbox --token.";

interface SandboxAccess {
  readonly token: string;
  /** Rejects with ERR_CONFIG if the sandbox cannot listen. */
  readonly address: Promise<Address>;
}

/** The settings for which a sandbox is restarted when they change. */
interface SandboxSettings {
  readonly port: number;
  readonly authHeader: string;
  readonly styles: Styles;
}

/** Returns the address of Node-RED itself. */
export function ownServer({ uiHost, uiPort = 1880, https }: Partial<Record<"uiHost" | "uiPort" | "https", unknown>>) {
  const name = String(uiHost ?? "");
  const url = `http${https ? "s" : ""}://${name.includes(":") ? `[${name}]` : name}:${uiPort}`;
  // No host, or every one of the machine.
  const isOne = !["", "0.0.0.0", "::"].includes(name) && URL.canParse(url);
  return { hosts: isOne ? [new URL(url).host] : [], port: Number(uiPort) };
}

interface SandboxEvents {
  /** Reports the address at which it listens. */
  onStarted(url: string): void;
  /** Reports how many phones wait for somebody to answer them. */
  onRinging(count: number): void;
  readonly fillIn?: SandboxState["fillIn"];
}

/** The sandbox of a config node; a running one is kept if its settings are the same. */
export function openSandbox(
  id: string,
  settings: SandboxSettings,
  own: SandboxOptions["own"] & object,
  events: SandboxEvents,
): SandboxAccess {
  const before = running.get(id);
  const key = JSON.stringify(settings);
  if (before && !before.failed && before.settings === key) return access(before);
  const token = randomBytes(24).toString("base64url");
  const started = start(before, { token, tokenAdvice: TOKEN_ADVICE, owner: id, own, ...settings });
  const state = started.then(
    (sandbox) => {
      if (running.get(id) === now) {
        if (events.fillIn) sandbox.state.fillIn = events.fillIn;
        now.unfollow = followRinging(sandbox.state, events);
      }
      events.onStarted(sandbox.url);
      return sandbox.state;
    },
    () => {
      now.failed = true;
      return before?.state;
    },
  );
  const now: Running = { settings: key, token, started, state, failed: false };
  running.set(id, now);
  return access(now);
}

function followRinging({ changes, phones }: SandboxState, events: SandboxEvents): () => void {
  let last = 0;
  const update = () => {
    const { length } = phones.waiting;
    if (length !== last) events.onRinging(length);
    last = length;
  };
  const unfollow = changes.follow(update);
  return () => {
    unfollow();
    if (last > 0) events.onRinging(0);
  };
}

async function start(before: Running | undefined, options: SandboxOptions & SandboxSettings): Promise<Sandbox> {
  const previous = await before?.started.catch(() => undefined);
  before?.unfollow?.();
  await previous?.stop();
  const state = await before?.state;
  try {
    const { Sandbox } = require("../../sandbox") as typeof import("../../sandbox");
    return await Sandbox.start({ ...options, ...(state && { state }) });
  } catch (error) {
    const sys = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw notSent("ERR_CONFIG", "config", {
      key: "config.sandboxPort",
      field: "sandboxPort",
      sys,
      params: { port: options.port, sys },
    });
  }
}

function access({ token, started }: Running): SandboxAccess {
  return { token, address: started.then(({ url }) => parseAddress(url)) };
}

/** The running sandbox of a config node, if there is one. Never rejects. */
export async function sandboxOf(id: string): Promise<Sandbox | undefined> {
  return running.get(id)?.started.catch(() => undefined);
}

export async function closeSandbox(id: string): Promise<void> {
  const sandbox = running.get(id);
  running.delete(id);
  sandbox?.unfollow?.();
  const started = await sandbox?.started.catch(() => undefined);
  started?.state.clear();
  await started?.stop();
}
