const pick = <T>(random: () => number, from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;

const versions = ["HTTP/1.1", "HTTP/1.0", "HTTP/2", "HTTP/1.1 ", "http/1.1", ""];
const statuses = ["200 OK", "200", "100 Continue", "103 Early", "201 Created", "204 No", "302 Found", "404 N", "429 T"];
const oddStatuses = [
  "500 E",
  "999 X",
  "99 X",
  "2000 Y",
  "-1 Z",
  "abc",
  "101 Switching",
  "1xx",
  "\x00\x01",
  "200 \x80\xff",
];
const ends = ["\r\n", "\r\n", "\r\n", "\r\n", "\n", "\r", "\r\r\n", ""];
const headers = [
  "Content-Type: application/json",
  "Transfer-Encoding: chunked",
  "Transfer-Encoding: gzip, chunked",
  "Content-Length: 0",
  "Content-Length: -1",
  "Content-Length: 99999999999999999999",
  "Content-Length: 1e3",
  "Content-Length: 5",
  "Content-Encoding: gzip",
  "Content-Encoding: ",
  "Connection: close",
  "Connection: upgrade",
  "Upgrade: h2c",
  "Keep-Alive: timeout=0",
  "Keep-Alive: timeout=-5, max=abc",
  "Retry-After: 0",
  "Retry-After: x",
  "Set-Cookie: a",
  "X: \x00",
  ": empty",
  " folded",
  "__proto__: x",
  "constructor: y",
];
const bodies = [
  '{"success":true,"code":200,"locale":"en","message":"OK","data":null}',
  '{"success":false,"code":{},"message":["x"]}',
  '{"success":true,"data":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}',
  '{"success":true',
  '{"success":true}{"success":true}',
  '{"success":tru\u00e9}',
  "[]",
  "null",
  "",
  "<html>\x00</html>",
  "\xef\xbb\xbf{}",
  "\xff\xfe",
  '"\\ud800"',
  "1e999",
];

/** An answer generated from valid and invalid pieces, as latin1 text. */
export function anyAnswer(random: () => number): string {
  const body = pick(random, bodies);
  const framed = random();
  const lines = Array.from({ length: Math.floor(random() ** 2 * 4) }, () => pick(random, headers));
  if (framed < 0.6) lines.push(`Content-Length: ${body.length}`);
  else if (framed < 0.75) lines.push("Transfer-Encoding: chunked");
  const status = random() < 0.4 ? "200 OK" : random() < 0.8 ? pick(random, statuses) : pick(random, oddStatuses);
  const version = random() < 0.95 ? "HTTP/1.1" : pick(random, versions);
  const end = () => (random() < 0.97 ? "\r\n" : pick(random, ends));
  const content =
    framed >= 0.6 && framed < 0.75 ? `${body.length.toString(16)}${end()}${body}${end()}0${end()}${end()}` : body;
  const text = `${version} ${status}${end()}${lines.map((line) => line + end()).join("")}${end()}${content}`;
  return mutated(text, random);
}

/** Replaces one byte, or removes or repeats a piece, in 30 % of the cases. */
function mutated(text: string, random: () => number): string {
  if (random() < 0.7) return text;
  const at = Math.floor(random() * text.length);
  const to = at + Math.floor(random() * 20);
  const way = random();
  if (way < 0.4) return text.slice(0, at) + String.fromCharCode(Math.floor(random() * 256)) + text.slice(at + 1);
  if (way < 0.7) return text.slice(0, at) + text.slice(to);
  return text.slice(0, to) + text.slice(at);
}
