import type { Request } from "express";
import { LONGEST_BODY } from "./body";

/** Twice the longest body that is taken: a sender that is refused for a little more reads the answer, and no reset. */
const MAX_BYTES = 2 * LONGEST_BODY;
const MAX_MS = 2000;

/**
 * Reads on what is left of a refused request, and closes its connection once that is too much or takes too long. A sender that
 * still writes would else not see the answer. Call it before the answer is sent: Node would read on without bounds.
 */
export function drain(request: Request): void {
  if (request.readableEnded) return;
  let left = MAX_BYTES;
  const close = () => request.socket.destroy();
  const timer = setTimeout(close, MAX_MS);
  request.on("data", ({ length }: Buffer) => {
    left -= length;
    if (left < 0) close();
  });
  for (const end of ["end", "close"]) request.once(end, () => clearTimeout(timer));
  request.resume();
}
