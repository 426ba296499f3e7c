import { language } from "./words";

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

/** @param key finds the button again when what it stands in is drawn anew */
export function button(className: string, text: string, press: () => void, key = text): HTMLButtonElement {
  const element = make("button", className, text);
  element.type = "button";
  element.dataset["key"] = key;
  element.addEventListener("click", press);
  return element;
}

/** Replaces an element and keeps the focus at the part with the same key. */
export function swap(old: Element, next: Element): void {
  const { activeElement } = document;
  const key =
    activeElement instanceof HTMLElement && old.contains(activeElement) ? activeElement.dataset["key"] : undefined;
  old.replaceWith(next);
  if (key === undefined) return;
  const parts = [...next.querySelectorAll<HTMLElement>("[data-key]")];
  parts.find((part) => part.dataset["key"] === key)?.focus({ preventScroll: true });
}

// Made once: a new format for each time would make scrolling slow.
const timeOfDay = new Intl.DateTimeFormat(language, { timeStyle: "medium" });
const dateAndTime = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "medium" });

/** @param at ISO 8601 */
export function clock(at: string): HTMLElement {
  const date = new Date(at);
  const time = make("time", "soft", timeOfDay.format(date));
  time.dateTime = at;
  time.title = dateAndTime.format(date);
  return time;
}

/** Shows a value in a field, unless somebody is just changing it. */
export function fill(field: HTMLInputElement | HTMLTextAreaElement, value: string): void {
  if (document.activeElement !== field && field.value !== value) field.value = value;
}
