import { html, type TemplateResult } from "lit-html";
import { press } from "../connection";
import { redraw } from "../redraw";

/** Sends requests to the sandbox, and keeps what was entered until the sandbox shows it. */
export class Controls {
  /** Why a request was refused, by the field whose change it was. */
  readonly #problems = new Map<string | undefined, string>();
  /** What was entered and is no setting of the sandbox yet, by the name of the field. */
  readonly #drafts = new Map<string, string>();
  readonly #accepted = new Set<string>();

  /**
   * Returns the data of the answer; `undefined` if the request was refused.
   * @param field beside which a refusal is shown
   */
  async send(name: string, body: object = {}, field?: string): Promise<unknown> {
    try {
      const data = await press(name, body);
      // A text that was refused is still there.
      for (const name of this.#problems.keys())
        if (name === field || name === undefined || !this.#drafts.has(name)) this.#problems.delete(name);
      return data ?? null;
    } catch (error) {
      this.#problems.set(field, error instanceof Error ? error.message : String(error));
      return undefined;
    } finally {
      redraw();
    }
  }

  /** Why the last change of a field was refused; without a field, why another request was. */
  problem(field?: string): TemplateResult {
    return html`<p class="bad" role="alert">${this.#problems.get(field) ?? ""}</p>`;
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
    if ((await this.send("settings", settings, name)) !== undefined) this.accept(name);
    else if (!isText) this.#drafts.delete(name);
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
