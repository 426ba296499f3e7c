import { showResult } from "../panels/server/ask";
import { askCounts, metricsText, stateText } from "../panels/server/counts";
import type { DeployedTenant } from "./tenants";
import { WaitingCalls } from "./waiting-calls";

/** Milliseconds between an answer and the next request. */
const EVERY_MS = 2000;

/** Shows in one fold what a tenant does, has done and has waiting, and refreshes it while it is visible. */
export class LiveMetrics {
  readonly #fold: JQuery;
  readonly #state: JQuery;
  readonly #ended: JQuery;
  readonly #waiting: WaitingCalls;
  readonly #failed: () => void;
  #timer = 0;
  #shown: string | undefined;
  /** The tenant whose metrics are being fetched. */
  #tenant: string | undefined;

  /** @param failed called when Node-RED refuses or does not answer */
  constructor(place: JQuery, failed: () => void) {
    this.#failed = failed;
    this.#fold = $("<details>", { class: "telephony-tab-numbers telephony-waits" }).appendTo(place);
    this.#state = $("<summary>").appendTo(this.#fold);
    this.#ended = $("<p>").appendTo(this.#fold);
    this.#waiting = new WaitingCalls(this.#fold);
  }

  /** Follows a tenant. Those of a sandbox are folded, because its calls need the space. */
  follow({ id, mode }: DeployedTenant): void {
    if (id === this.#tenant) return;
    this.stop();
    if (id !== this.#shown) {
      this.#state.empty();
      this.#ended.empty();
      this.#fold.prop("open", mode !== "sandbox");
    }
    this.#fold.show();
    this.#shown = id;
    this.#tenant = id;
    void this.#refresh(id);
  }

  hide(): void {
    this.stop();
    this.#fold.hide();
    this.#waiting.hide();
  }

  /** Stops refreshing; the shown metrics stay. */
  stop(): void {
    this.#tenant = undefined;
    clearTimeout(this.#timer);
  }

  async #refresh(tenant: string): Promise<void> {
    const answer = await askCounts(this.#state, tenant);
    if (tenant !== this.#tenant) return;
    this.#ended.text(answer.ok ? metricsText(answer.numbers) : "");
    if (answer.ok) {
      this.#state.removeClass("telephony-problem").text(stateText(answer));
      this.#waiting.show(tenant, answer);
    } else {
      showResult(this.#state, "wrong", answer.reason);
      this.#waiting.hide();
      this.#failed();
    }
    this.#timer = window.setTimeout(() => void this.#refresh(tenant), EVERY_MS);
  }
}
