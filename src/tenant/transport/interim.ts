import type { Socket } from "node:net";

/** An answer's beginning longer than this is passed on as it is, for undici to refuse. */
const LONGEST_START = 16 * 1024;

const NOTHING = Buffer.alloc(0);

/**
 * Keeps interim answers (1xx) from undici, which ends a connection on a `100 Continue` that it did not ask for: some web
 * servers send one before the answer to every POST. And since an answer is let through from its whole status line on,
 * undici hears that an answer began exactly when it has one.
 * @param socket connected, and not read from yet
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

/** Follows the bytes of one connection on which requests take turns. */
export class AnswerStarts {
  #written: number;
  #starting = false;
  #held: Buffer = NOTHING;

  /** @param written bytes sent on this connection before the first request */
  constructor(written: number) {
    this.#written = written;
  }

  /**
   * Takes what was read and gives what undici may see of it by now.
   * @param written bytes sent on this connection so far: more than before means that another answer is due. What comes
   *   when none is due is not looked at; undici ends the connection over it.
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
/** 101 is no interim answer: it ends the conversation in HTTP, and undici refuses it. */
const INTERIM = /^HTTP\/1\.\d 1(?!01)\d\d(?!\d)/;

/** What bytes begin: a whole interim answer, something else, or what cannot be told yet. */
function kindOf(bytes: Buffer): "interim" | "other" | "unclear" {
  const lineEnd = bytes.indexOf(LINE_FEED);
  // Nearly every answer: a whole line, and no status of 1xx in it.
  if (lineEnd >= 0 && bytes[VERSION.length + 2] !== DIGIT_ONE) return "other";
  const line = bytes.toString("latin1", 0, lineEnd < 0 ? VERSION.length : lineEnd);
  if (lineEnd < 0) return VERSION.startsWith(line) ? "unclear" : "other";
  if (!INTERIM.test(line)) return "other";
  return bytes.includes(HEAD_END) ? "interim" : "unclear";
}
