import { html, type Markup } from "../../page/markup";
import type { Key, ReportTexts } from "./texts";

/** The pieces of which rows are made. */
export type Parts = ReturnType<typeof partsOf>;

/** @param isInEditor whether a click on a node selects it */
export function partsOf(texts: ReportTexts, isInEditor: boolean) {
  return {
    badge: (key: Key, state: string = key): Markup => html`<span class="badge ${state}">${texts.text(key)}</span>`,
    time: (at: string): Markup => html`<time datetime="${at}">${texts.time(at, "second")}</time>`,
    node: ({ node, nodeId }: { readonly node: string; readonly nodeId: string }): Markup =>
      isInEditor
        ? html`<button class="link node" data-node="${nodeId}">${node || nodeId}</button>`
        : html`<span class="node">${node || nodeId}</span>`,
  };
}

export function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
