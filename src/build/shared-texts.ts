/*
 * What several nodes say is written and shipped once, with the tenant, and stands in their dialogs and help as a mark. The
 * editor fills the marks in, and so does whatever else reads help.
 */

/** Before the key of a shared text in a shipped dialog: `data-i18n="~label.name"`. */
export const SHARED_MARK = "~";

/** A line of a help text for a piece that others have too: `{{outputs}}` is the shared text `help.outputs`. */
const PIECE = /^\{\{(\w+)\}\}$/gm;

/** @param textOf the shared text of a key, in the language of the help */
export function withPieces(help: string, textOf: (key: string) => string): string {
  return help.replace(PIECE, (_, name: string) => textOf(`help.${name}`));
}
