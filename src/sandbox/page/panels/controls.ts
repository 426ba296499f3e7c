import { html, type TemplateResult } from "lit-html";
import { press } from "../connection";
import { redraw } from "../redraw";

/** Sends requests to the sandbox, and shows why one was refused. */
export class Controls {
  /** By the field whose change was refused. */
  readonly #problems = new Map<string | undefined, string>();

  /**
   * Returns the data of the answer; `undefined` if the request was refused.
   * @param field beside which a refusal is shown
   */
  async send(name: string, body: object = {}, field?: string): Promise<unknown> {
    try {
      const data = await press(name, body);
      for (const each of [field, undefined]) this.#problems.delete(each);
      return data ?? null;
    } catch (error) {
      this.#problems.set(field, (error as Error).message);
      return undefined;
    } finally {
      redraw();
    }
  }

  /** Forgets why requests were refused. */
  startOver(): void {
    this.#problems.clear();
    redraw();
  }

  /** Shows why the last change of a field was refused; without a field, why another request was. */
  problem(field?: string): TemplateResult {
    return html`<p class="bad" role="alert">${this.#problems.get(field) ?? ""}</p>`;
  }
}
