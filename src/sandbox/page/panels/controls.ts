import { html, type TemplateResult } from "lit-html";
import { press } from "../connection";
import { redraw } from "../redraw";

/** Sends requests to the sandbox, and keeps what was entered until the sandbox shows it. */
export class Controls {
  #problem = "";
  /** The field whose change was refused. */
  #refused: string | undefined;
  /** What was entered and is no setting of the sandbox yet, by the name of the field. */
  readonly #drafts = new Map<string, string>();
  readonly #accepted = new Set<string>();

  /** Returns the data of the answer; `undefined` if the request was refused. */
  async send(name: string, body: object = {}): Promise<unknown> {
    try {
      const data = await press(name, body);
      this.#problem = "";
      this.#refused = undefined;
      return data ?? null;
    } catch (error) {
      this.#problem = error instanceof Error ? error.message : String(error);
      return undefined;
    } finally {
      redraw();
    }
  }

  /** Why the last request was refused, unless it is said beside its field. */
  problem(field?: string): TemplateResult {
    return html`<p class="bad" role="alert">${this.#refused === field ? this.#problem : ""}</p>`;
  }

  /** The text in a field: what was entered, or else `setting`. */
  textOf(name: string, setting: string): string {
    return this.#drafts.get(name) ?? setting;
  }

  enter(name: string, text: string): void {
    this.#drafts.set(name, text);
    redraw();
  }

  /**
   * Sends what was entered.
   * @param isText a text that was refused stays, to be corrected; anything else falls back to the setting in force
   */
  async change(name: string, settings: object, isText: boolean): Promise<void> {
    if ((await this.send("settings", settings)) !== undefined) this.accept(name);
    else {
      this.#refused = name;
      if (!isText) this.#drafts.delete(name);
    }
    redraw();
  }

  /** The sandbox has accepted what was entered: its next view shows it. */
  accept(...names: readonly string[]): void {
    for (const name of names) this.#accepted.add(name);
  }

  /** A new view has arrived. */
  update(): void {
    for (const name of this.#accepted) this.#drafts.delete(name);
    this.#accepted.clear();
  }
}
