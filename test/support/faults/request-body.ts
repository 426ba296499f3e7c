/** Collects one request's body from the bytes of a connection. */
export interface BodyReader {
  readonly done: boolean;
  /** The reason why the end of the body can no longer be determined. */
  readonly problem?: string;
  /** Takes what belongs to the body and says how many bytes that was. */
  take(chunk: Buffer): number;
  /** The content so far. */
  text(): string;
}

export class CountedBody implements BodyReader {
  readonly #parts: Buffer[] = [];
  #missing: number;

  constructor(length: number) {
    this.#missing = length;
  }

  get done(): boolean {
    return this.#missing === 0;
  }

  take(chunk: Buffer): number {
    const part = chunk.subarray(0, this.#missing);
    this.#parts.push(part);
    this.#missing -= part.length;
    return part.length;
  }

  text(): string {
    return Buffer.concat(this.#parts).toString();
  }
}

export class ChunkedBody implements BodyReader {
  readonly #parts: Buffer[] = [];
  #line = "";
  /** Content bytes missing of the current chunk; undefined between chunks, where a line is read. */
  #missing: number | undefined;
  #last = false;
  done = false;
  problem?: string;

  take(chunk: Buffer): number {
    let at = 0;
    while (at < chunk.length && !this.done && !this.problem) {
      if (this.#missing === undefined) this.#readLine(String.fromCharCode(chunk[at++] as number));
      else {
        const part = chunk.subarray(at, at + this.#missing);
        this.#parts.push(part);
        this.#missing -= part.length;
        at += part.length;
        if (this.#missing === 0) this.#missing = undefined;
      }
    }
    return at;
  }

  text(): string {
    return Buffer.concat(this.#parts).toString();
  }

  #readLine(character: string): void {
    this.#line += character;
    if (!this.#line.endsWith("\r\n")) return;
    const line = this.#line.slice(0, -2);
    this.#line = "";
    // After the last chunk come trailers and an empty line; after any other the empty line that ends its content.
    if (this.#last) this.done = line === "";
    else if (line !== "" || this.#parts.length === 0) this.#readSize(line);
  }

  #readSize(line: string): void {
    const [, digits] = /^([0-9a-f]{1,8})(?:;.*)?$/i.exec(line) ?? [];
    if (digits === undefined) this.problem = "chunk size";
    else if (Number.parseInt(digits, 16) === 0) this.#last = true;
    else this.#missing = Number.parseInt(digits, 16);
  }
}
