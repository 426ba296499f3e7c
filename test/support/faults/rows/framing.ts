import { answer, chunk, head, json, says, success } from "../answers";
import type { CatalogueEntry } from "../fault";

const length = `${success.length}`;
/** Its message distinguishes it from a correct answer, should a client ever accept it. */
const unasked = answer(200, success.replace("OK", "unasked"));

/** Row 19: bytes that are not exactly one HTTP answer. */
export const framing = {
  "not-http": { row: 19, ...says("SSH-2.0-OpenSSH_9.6\r\n") },
  "http-0.9": { row: 19, at: "request", act: (wire) => wire.finish(success) },
  "length-and-chunked": {
    row: 19,
    ...says(
      head(200, { ...json, "Content-Length": length, "Transfer-Encoding": "chunked" }) + chunk(success) + chunk(""),
    ),
  },
  "two-lengths": {
    row: 19,
    ...says(head(200, { ...json, "Content-Length": length, "content-length": `${success.length - 1}` }) + success),
  },
  /** One write: the second answer is there while the first is being read. */
  "extra-response": { row: 19, ...says(Buffer.concat([answer(200, success), unasked])) },
  /** The second answer arrives when the connection is idle, and waits for the next request to claim it. */
  "extra-response-when-idle": {
    row: 19,
    at: "request",
    async act(wire) {
      await wire.send(answer(200, success));
      await wire.pause(20);
      await wire.send(unasked);
    },
  },
} satisfies Record<string, CatalogueEntry>;
