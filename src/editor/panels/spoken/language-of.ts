import { shared } from "../../words";

/** Letters that only Vietnamese has. */
const VIETNAMESE = /[ăđơư\u1ea0-\u1ef9]/i;

/** The language of a text as far as its letters tell, else that of the editor. */
export function languageOf(text: string): string {
  const editor = shared("language").slice(0, 2);
  if (VIETNAMESE.test(text.normalize())) return "vi";
  if (/[\u3040-\u30ff]/.test(text)) return "ja";
  if (/[\u4e00-\u9fff]/.test(text)) return editor === "ja" ? "ja" : "zh";
  return /vi|ja|zh/.test(editor) ? "en" : editor;
}
