import { html, type TemplateResult } from "lit-html";
import type { FaultKind, SandboxSettings } from "../../phone/settings";
import { type Key, t } from "../texts";
import { Panel } from "./panel";

const KINDS: readonly (readonly [kind: FaultKind, hint: Key])[] = [
  ["refusedToken", "refusedTokenHint"],
  ["busy", "busyHint"],
  ["slow", "slowHint"],
  ["lost", "lostHint"],
  ["rateLimited", "rateLimitedHint"],
  ["wrongStyle", "wrongStyleHint"],
];

/** How long phones ring and how well the service works: its latency, and the share of requests that fail. */
export class Faults extends Panel {
  constructor() {
    super("faults", ["settings", { latencyMs: 300, faults: { busy: 10 } }]);
  }

  render({ latencyMs, ringSeconds, faults, hosts }: SandboxSettings): TemplateResult {
    const number = (name: "latencyMs" | "ringSeconds", value: number, label: Key, hint: Key, max: number) =>
      this.field(name, String(value), {
        type: "number",
        label,
        hint,
        min: 0,
        max,
        change: (text) => ({ [name]: Number(text) }),
      });
    const share = ([kind, hint]: (typeof KINDS)[number]) =>
      this.field(kind, String(faults[kind]), {
        type: "range",
        label: kind,
        hint,
        max: 100,
        change: (text) => ({ faults: { [kind]: Number(text) } }),
      });
    const sum = Object.values(faults).reduce((total, each) => total + each, 0);
    const summary = [sum > 0 ? t("failing", { share: sum }) : "", latencyMs > 0 ? `${latencyMs} ms` : ""];
    return this.frame(
      html`
        ${number("ringSeconds", ringSeconds, "ringTime", "ringTimeHint", 600)}
        ${number("latencyMs", latencyMs, "latency", "latencyHint", 60_000)}
        <p class="soft">${t("sharesHint")}</p>
        ${KINDS.map(share)}
        ${this.field("hosts", hosts.join(", "), {
          label: "hosts",
          hint: "hostsHint",
          change: (text) => ({ hosts: text.split(/[\s,]+/).filter(Boolean) }),
        })}`,
      summary.filter(Boolean).join(", "),
    );
  }
}
