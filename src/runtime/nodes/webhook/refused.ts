import type { TextKey } from "../../../fields";

type KeyIn<Key> = Key extends `webhook.refused.${infer Name}` ? Name : never;

/** Why a request does not reach the flow; `key` is that of a text below `webhook.refused`. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly key: KeyIn<TextKey>,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(key);
  }
}
