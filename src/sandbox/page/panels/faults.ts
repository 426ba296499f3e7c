import type { FaultKind, SandboxSettings } from "../../phone/settings";
import { fill, make } from "../make";
import { type Key, t } from "../words";
import { input, labelled, Panel } from "./panel";

const KINDS: Readonly<Record<FaultKind, readonly [label: Key, hint: Key]>> = {
  refusedToken: ["refusedToken", "refusedTokenHint"],
  busy: ["busy", "busyHint"],
  slow: ["slow", "slowHint"],
  lost: ["lost", "lostHint"],
  rateLimited: ["rateLimited", "rateLimitedHint"],
  wrongStyle: ["wrongStyle", "wrongStyleHint"],
};

/** How well the service works: its latency, and the share of requests that fail. */
export class Faults extends Panel {
  readonly #latency = this.#number("latencyMs", 60_000);
  readonly #ring = this.#number("ringSeconds", 600);
  readonly #hosts = input("text", ({ value }) => {
    void this.send("settings", { hosts: value.split(/[\s,]+/).filter(Boolean) });
  });
  #settings: SandboxSettings | undefined;
  readonly #shares = new Map<FaultKind, { field: HTMLInputElement; shown: HTMLElement }>();

  constructor() {
    super("faults", ["settings", { latencyMs: 300, faults: { busy: 10 } }]);
    this.body.append(
      labelled(t("ringTime"), this.#ring, t("ringTimeHint")),
      labelled(t("latency"), this.#latency, t("latencyHint")),
      make("p", "soft", t("sharesHint")),
    );
    for (const [kind, [label, hint]] of Object.entries(KINDS) as [FaultKind, readonly [Key, Key]][]) {
      const shown = make("output", "", "0 %");
      const field = input("range", ({ value }) => void this.#share(kind, Number(value)));
      field.max = "100";
      field.addEventListener("input", () => {
        shown.textContent = `${field.value} %`;
      });
      const row = labelled(t(label), field, t(hint));
      row.classList.add("share");
      field.after(shown);
      this.#shares.set(kind, { field, shown });
      this.body.append(row);
    }
    this.body.append(labelled(t("hosts"), this.#hosts, t("hostsHint")));
  }

  show(settings: SandboxSettings): void {
    this.#settings = settings;
    const { latencyMs, ringSeconds, faults, hosts } = settings;
    fill(this.#latency, String(latencyMs));
    fill(this.#ring, String(ringSeconds));
    fill(this.#hosts, hosts.join(", "));
    for (const [kind, { field, shown }] of this.#shares) {
      field.value = String(faults[kind]);
      shown.textContent = `${faults[kind]} %`;
    }
    const sum = Object.values(faults).reduce((total, share) => total + share, 0);
    this.value = [sum > 0 ? t("failing", { share: sum }) : "", latencyMs > 0 ? `${latencyMs} ms` : ""]
      .filter(Boolean)
      .join(", ");
  }

  async #share(kind: FaultKind, share: number): Promise<void> {
    const done = await this.send("settings", { faults: { [kind]: share } });
    // A slider that was refused falls back to what is in force.
    if (done === undefined && this.#settings) this.show(this.#settings);
  }

  #number(setting: "latencyMs" | "ringSeconds", max: number): HTMLInputElement {
    const field = input("number", ({ value }) => void this.send("settings", { [setting]: Number(value) }));
    field.min = "0";
    field.max = String(max);
    return field;
  }
}
