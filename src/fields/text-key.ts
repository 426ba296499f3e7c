import type catalogue from "../../locales/en-US/telephony.json";

type Catalogue = typeof catalogue;

/** The dotted paths of the texts in a part of the catalogue. */
type Paths<Texts> = {
  [Name in keyof Texts & string]: Texts[Name] extends string ? Name : `${Name}.${Paths<Texts[Name]>}`;
}[keyof Texts & string];

/** Key of a text in the English catalogue: a key without a text does not compile. */
export type TextKey = Paths<Catalogue>;

/** Key below `errors`. */
export type ErrorKey = Paths<Catalogue["errors"]>;

/** Key below `status`. */
export type StatusKey = Paths<Catalogue["status"]>;

/** Key below `log.notice`: values that are sent as they are, but may be a mistake. */
export type NoticeKey = Paths<Catalogue["log"]["notice"]>;

/** Key below `words`: words of ours inside a sentence. */
export type WordKey = keyof Catalogue["words"];

/** A key, or a template of keys such as `voice.${string}`, that names at least one of `Keys`. */
export type Existing<Keys extends string, Key extends string> = Key extends unknown
  ? [Extract<Keys, Key>] extends [never]
    ? never
    : Key
  : never;

/** A node type with texts of its own. */
type Owner = Extract<keyof Catalogue, `${"call" | "business-hour" | "telephony"}-${string}`>;

/** Key of a text that a node may ask for: its own or a shared one. */
export type NodeTextKey = TextKey | { [Type in Owner]: Paths<Catalogue[Type]> }[Owner];
