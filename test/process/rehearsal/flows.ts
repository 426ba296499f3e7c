import type { RehearsalOptions } from "../../../src/workshop/rehearsal/options";
import { type Rehearsal, rehearse } from "../../../src/workshop/rehearsal/rehearse";
import type { FlowNode } from "../../support/process/node-red";

export const tab = { id: "tab", type: "tab", label: "Tab" };
export const office = {
  id: "office",
  type: "telephony-tenant",
  name: "Office",
  mode: "live",
  url: "https://pbx.example.com",
  fromNumber: "100",
  timezone: "Asia/Ho_Chi_Minh",
};
export const inTab = (id: string, type: string, wires: readonly string[], more: object = {}): FlowNode => ({
  ...{ id, type, z: "tab", name: "", x: 1, y: 1, wires: [wires] },
  ...more,
});
export const inject = (id: string, crontab: string, ...wires: string[]) =>
  inTab(id, "inject", wires, { props: [], repeat: "", crontab, once: false, topic: "", payloadType: "date" });
export const code = (id: string, func: string, ...wires: string[]) =>
  inTab(id, "function", wires, { func, outputs: 1, libs: [] });
export const callOut = (id: string, more: object = {}) =>
  inTab(id, "call-out", [], {
    ...{ tenant: "office", toKind: "external", toNumber: "payload", toNumberType: "msg" },
    ...{ actions: [{ action: "talk", text: "Hello", loop: "1" }], actionsType: "list", target: "-", ...more },
  });

/** Enough real time on a busy machine, within the limit of a test. Seconds. */
export const LIMIT = 150;

export const days = (flows: readonly FlowNode[], options: Partial<RehearsalOptions> = {}): Promise<Rehearsal> =>
  rehearse({ flows, from: "2026-11-30T00:00", until: 1, limit: LIMIT, ...options });

/** Runs code in the process of a rehearsal, outside of the sandbox that a function node has: as `require` and `node`. */
export const hostile = (text: string, options?: Partial<RehearsalOptions>, ...libs: object[]) => {
  const wayOut = 'const process = Buffer.constructor("return process")(); const require = process.getBuiltinModule;';
  return days([tab, inject("start", "0 9 * * *", "run"), { ...code("run", wayOut + text), libs }], options);
};
