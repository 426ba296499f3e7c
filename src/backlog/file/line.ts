import { crc32 } from "node:zlib";
import { attempt } from "../../json/rules";

const LINE_FEED = 0x0a;
const CHECKSUM_DIGITS = 8;
const NO_CHECKSUM = "0".repeat(CHECKSUM_DIGITS);
const NUMBER_DIGITS = 17;

/**
 * A record as a line: the CRC-32 of the rest in hexadecimal, its number in the journal, the JSON text, with blanks in between. It
 * begins with a line feed, too, so that damage to the end of another line does not reach it.
 */
export function lineOf(record: object, number: number): Buffer {
  const line = Buffer.from(`\n${NO_CHECKSUM} ${number} ${JSON.stringify(record)}\n`);
  line.write(checksum(line.subarray(CHECKSUM_DIGITS + 2, -1)), 1, "latin1");
  return line;
}

/** The number of a line, or `NaN`: two lines with the same number are one that was written twice. */
export function numberOf(line: Buffer): number {
  return Number.parseInt(line.toString("latin1", CHECKSUM_DIGITS + 1, CHECKSUM_DIGITS + NUMBER_DIGITS), 10);
}

/** The value of a line without its line feed; `undefined` if the line is damaged, or no JSON. */
export function recordOf(line: Buffer): unknown {
  const text = line.subarray(CHECKSUM_DIGITS + 1);
  if (line.toString("latin1", 0, CHECKSUM_DIGITS + 1) !== `${checksum(text)} `) return undefined;
  return attempt(() => JSON.parse(text.toString("utf8", Math.max(text.indexOf("{"), 0))));
}

/**
 * Splits bytes into whole lines. NULs behind the last line are room for later ones; in front of a line, they are a damaged
 * line. A last line without a line feed was cut off while it was written, so it was never acknowledged.
 */
export function* linesOf(bytes: Buffer): Generator<{ readonly line: Buffer; readonly end: number }> {
  let start = 0;
  for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, start)) {
    let first = start;
    while (bytes[first] === 0) first += 1;
    if (start < first) yield { line: bytes.subarray(start, first), end: first };
    if (first < end) yield { line: bytes.subarray(first, end), end: end + 1 };
    start = end + 1;
  }
}

/** Whether the rest of a file has a byte that no line has: then it was not cut off while it was written. */
export function isOverwritten(rest: Buffer): boolean {
  return rest.some((byte) => (byte > 0 && byte < 0x20 && byte !== LINE_FEED) || byte > 0xf4);
}

function checksum(bytes: Buffer): string {
  return crc32(bytes).toString(16).padStart(CHECKSUM_DIGITS, "0");
}
