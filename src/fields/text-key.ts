import type { Texts } from "../texts";

/** The dotted paths of the texts in a part of the catalogue. */
type Paths<Part> = {
  [Name in keyof Part & string]: Part[Name] extends string ? Name : `${Name}.${Paths<Part[Name]>}`;
}[keyof Part & string];

/** Key of a text in the English catalogue: a key without a text does not compile. */
export type TextKey = Paths<Texts>;

/** Key below `errors`. */
export type ErrorKey = Paths<Texts["errors"]>;

/** Key below `status`. */
export type StatusKey = Paths<Texts["status"]>;

/** Key below `log.notice`: values that are sent as they are, but may be a mistake. */
export type NoticeKey = Paths<Texts["log"]["notice"]>;

/** Key below `words`: words of ours inside a sentence. */
export type WordKey = keyof Texts["words"];

/** A key, or a template of keys such as `voice.${string}`, that names at least one of `Keys`. */
export type Existing<Keys extends string, Key extends string> = Key extends unknown
  ? [Extract<Keys, Key>] extends [never]
    ? never
    : Key
  : never;

/** A node type with texts of its own. */
type Owner = Extract<keyof Texts, `${"call" | "business-hour" | "telephony"}-${string}`>;

/** Key of a text that a node may ask for: its own or a shared one. */
export type NodeTextKey = TextKey | { [Type in Owner]: Paths<Texts[Type]> }[Owner];
