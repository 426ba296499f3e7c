type Content = Node | string;

/** Creates an element. Strings become text nodes, never markup. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className: string,
  ...content: readonly Content[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...content);
  return element;
}

/** @param at ISO 8601 */
export function clock(at: string): HTMLElement {
  const time = make("time", "soft", new Date(at).toLocaleTimeString());
  time.dateTime = at;
  time.title = at;
  return time;
}
