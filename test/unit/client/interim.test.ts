import assert from "node:assert/strict";
import fc from "fast-check";
import { AnswerStarts } from "../../../src/client/transport/interim";

const going = "HTTP/1.1 100 Continue\r\n\r\n";
const hints = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\nX: y\r\n\r\n";
const answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";

/** Returns what passes when the bytes of one answer come in pieces. */
function passed(pieces: string[], starts = new AnswerStarts(0), written = 100): string {
  return pieces.map((piece) => starts.pass(Buffer.from(piece, "latin1"), written).toString("latin1")).join("");
}

describe("interim answers", () => {
  const same: [string, string][] = [
    ["an answer", answer],
    ["a refusal", "HTTP/1.1 429 Too Many\r\n\r\n"],
    ["the end of HTTP", "HTTP/1.1 101 Switching Protocols\r\n\r\n"],
    ["another protocol", "SSH-2.0-OpenSSH_9.6"],
    ["a body alone", '{"success":true}'],
    ["a status that begins with 1 and is none", "HTTP/1.1 1000 OK\r\n\r\n"],
    ["an answer that quotes one", `HTTP/1.1 200 OK\r\n\r\n${going}`],
  ];
  for (const [name, bytes] of same) {
    it(`${name} passes as it is, however it is cut`, () => {
      fc.assert(
        fc.property(fc.array(fc.nat(bytes.length), { maxLength: 8 }), (cuts) => {
          assert.equal(passed(cutAt(bytes, cuts)), bytes);
        }),
      );
    });
  }

  it("are left out, however many there are and however they are cut", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(going, hints), { maxLength: 4 }),
        fc.array(fc.nat(300), { maxLength: 12 }),
        (interim, cuts) => assert.equal(passed(cutAt(interim.join("") + answer, cuts)), answer),
      ),
    );
  });

  it("an answer passes from its whole status line on", () => {
    const starts = new AnswerStarts(0);
    assert.equal(passed(["HTTP/1.1 2", "00 OK\r"], starts), "");
    assert.equal(passed(["\nDate"], starts), "HTTP/1.1 200 OK\r\nDate");
  });

  it("data outside an answer is ignored", () => {
    const starts = new AnswerStarts(40);
    assert.equal(passed([going], starts, 40), going);
    assert.equal(passed([going, answer, going], starts, 100), answer + going);
    assert.equal(passed([going, answer], starts, 200), answer);
  });

  it("an endless one is handed on to be refused, and nothing is kept of it", () => {
    const starts = new AnswerStarts(0);
    const line = "X-Drip: drop\r\n".repeat(100);
    let bytes = passed(["HTTP/1.1 100 Continue\r\n"], starts);
    for (let i = 0; i < 100; i += 1) bytes += passed([line], starts);
    assert.equal(bytes.length, "HTTP/1.1 100 Continue\r\n".length + 100 * line.length);
  });
});

function cutAt(text: string, cuts: number[]): string[] {
  const at = [0, ...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length];
  return at.slice(1).map((end, i) => text.slice(at[i], end));
}
