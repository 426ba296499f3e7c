import type { Socket } from "node:net";

/** A longer beginning of an answer, in bytes, is passed on unchanged; undici refuses it. */
const LONGEST_START = 16 * 1024;

const NOTHING = Buffer.alloc(0);

/**
 * Hides interim answers (1xx) from undici, which ends a connection on a `100 Continue` that it did not request; some web
 * servers send one before the answer to every POST. An answer is passed on from its whole status line on, so that
 * undici's `onResponseStarted` means exactly that.
 * @param socket connected, and not yet read from
 */
export function withoutInterim(socket: Socket): Socket {
  const push = socket.push.bind(socket);
  const starts = new AnswerStarts(socket.bytesWritten);
  socket.push = (chunk: Buffer | null, encoding) => {
    const passed = chunk === null ? null : starts.pass(chunk, socket.bytesWritten);
    return push(passed, encoding);
  };
  return socket;
}

/** Follows the bytes of one connection, on which requests follow each other. */
export class AnswerStarts {
  #written: number;
  #starting = false;
  #held: Buffer = NOTHING;

  /** @param written bytes sent on this connection before the first request */
  constructor(written: number) {
    this.#written = written;
  }

  /**
   * Takes the bytes that were read, and returns those that undici may see by now.
   * @param written bytes sent on this connection so far; if they have grown, another answer is due. Bytes that arrive when
   *   none is due are passed on, and undici ends the connection.
   */
  pass(bytes: Buffer, written: number): Buffer {
    if (written !== this.#written) {
      this.#written = written;
      this.#starting = true;
    }
    if (!this.#starting) return bytes;
    let rest = this.#held.length > 0 ? Buffer.concat([this.#held, bytes]) : bytes;
    let kind = kindOf(rest);
    while (kind === "interim") {
      rest = rest.subarray(rest.indexOf(HEAD_END) + HEAD_END.length);
      kind = kindOf(rest);
    }
    this.#starting = kind === "unclear" && rest.length <= LONGEST_START;
    this.#held = this.#starting ? rest : NOTHING;
    return this.#starting ? NOTHING : rest;
  }
}

const HEAD_END = "\r\n\r\n";
const VERSION = "HTTP/1.";
const LINE_FEED = 0x0a;
const DIGIT_ONE = 0x31;
/** 101 is not interim: it ends HTTP on the connection, and undici refuses it. */
const INTERIM = /^HTTP\/1\.\d 1(?!01)\d\d(?!\d)/;

/** Returns whether bytes begin with a whole interim answer, with something else, or are too few to tell. */
function kindOf(bytes: Buffer): "interim" | "other" | "unclear" {
  const lineEnd = bytes.indexOf(LINE_FEED);
  // Nearly every answer: a whole line, and not a status of 1xx.
  if (lineEnd >= 0 && bytes[VERSION.length + 2] !== DIGIT_ONE) return "other";
  const line = bytes.toString("latin1", 0, lineEnd < 0 ? VERSION.length : lineEnd);
  if (lineEnd < 0) return VERSION.startsWith(line) ? "unclear" : "other";
  if (!INTERIM.test(line)) return "other";
  return bytes.includes(HEAD_END) ? "interim" : "unclear";
}
