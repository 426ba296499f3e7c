import { ValueError } from "../../../../fields";

/** The largest list, in MB and in bytes. */
export const MAX_MB = 8;
export const MAX_BYTES = MAX_MB * 1024 * 1024;

/** The beginnings of files that are no lists, with the words for them. Bytes as Latin-1, or the text that somebody has made of them. */
const OTHER_FILES = [
  ["pk\x03", "workbook"],
  ["pk\x05", "workbook"],
  ["\xf0\xef\x11\xe0", "workbook"],
  ["\ufffd\ufffd\x11\u0871", "workbook"],
  ["%pdf-", "pdf"],
  ["<", "webPage"],
  ["begin:vcard", "vCards"],
] as const;

/** The encodings of bytes that begin with a mark. */
const MARKS = [
  ["\xef\xbb\xbf", "utf-8"],
  ["\xff\xfe", "utf-16le"],
  ["\xfe\xff", "utf-16be"],
] as const;

function decoderOf(encoding: string): TextDecoder {
  try {
    return new TextDecoder(encoding.trim() || "utf-8", { fatal: true });
  } catch {
    throw new ValueError("config.encoding", "encoding", { value: encoding });
  }
}

/**
 * The text of a list, without a mark.
 * @throws ValueError for one that is too large, is a file of another kind, or has other bytes than the encoding
 */
export function listText(given: string | Uint8Array, encoding: string): string {
  const size = typeof given === "string" ? Buffer.byteLength(given) : given.byteLength;
  if (size > MAX_BYTES) throw new ValueError("input.list.tooLarge", "list", { most: MAX_MB });
  const text = typeof given === "string" ? checkedText(given.replace(/^\ufeff/, "")) : decoded(given, encoding);
  checkFile(text.slice(0, LOOKED_AT));
  return text;
}

const LOOKED_AT = 1000;

function checkFile(beginning: string): void {
  const begun = beginning.trimStart().toLowerCase();
  const [, word] = OTHER_FILES.find(([text]) => begun.startsWith(text)) ?? [];
  if (word) throw new ValueError("input.list.otherFile", "list", { what: { word } });
}

/** A text has lost what could not be read when it was made of bytes. */
function checkedText(text: string): string {
  const lost = text.search(/[\ufffd\0]/);
  if (lost >= 0) {
    checkFile(text.slice(0, LOOKED_AT));
    throw new ValueError("input.list.replaced", "list", { line: lineAt(text, lost) });
  }
  return text;
}

function decoded(bytes: Uint8Array, encoding: string): string {
  const beginning = Buffer.from(bytes.subarray(0, LOOKED_AT)).toString("latin1");
  checkFile(beginning);
  const [, marked] = MARKS.find(([mark]) => beginning.startsWith(mark)) ?? [];
  const decoder = decoderOf(encoding);
  const used = marked === undefined ? decoder : decoderOf(marked);
  let text = "";
  try {
    text = used.decode(bytes);
  } catch {
    throw undecodable(lastLine(readable(bytes, used.encoding)), used);
  }
  const nothing = text.indexOf("\0");
  if (nothing >= 0) throw undecodable(lineAt(text, nothing), used);
  return text;
}

function undecodable(line: number, { encoding }: TextDecoder): ValueError {
  return new ValueError("input.list.undecodable", "list", { line, encoding: encoding.toUpperCase() });
}

const PORTION = 4096;

/** The text before the first bytes that are not of the encoding. */
function readable(bytes: Uint8Array, encoding: string): string {
  let text = "";
  let from = 0;
  const decode = (decoder: TextDecoder, size: number) => {
    try {
      for (; from < bytes.length; from += size)
        text += decoder.decode(bytes.subarray(from, from + size), { stream: true });
    } catch {
      return;
    }
  };
  decode(decoderOf(encoding), PORTION);
  // Once more to the portion with these bytes, and then one by one.
  const again = decoderOf(encoding);
  text = again.decode(bytes.subarray(0, from), { stream: true });
  decode(again, 1);
  return text;
}

/** The line of a place in a text, from 1. */
function lineAt(text: string, index: number): number {
  return lastLine(text.slice(0, index));
}

function lastLine(text: string): number {
  return text.split(/\r\n|[\r\n]/).length;
}
