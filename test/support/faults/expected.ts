import type { FaultName } from "./catalogue";

/** What a client that sent one complete request receives from a fault, and the state of the connection afterwards. */
export interface Expected {
  /** The whole raw answer (bytes as latin1), or a pattern for its beginning. */
  sees: string | RegExp;
  /** `over`: as the client's system likes it. A reset in a flood reads as a FIN now and then under Node 20. */
  end: "fin" | "reset" | "over" | "open";
}

const ok = '{"success":true,"code":200,"locale":"en","message":"OK","data":null}';
const type = "Content-Type: application/json\r\n";
const length = `Content-Length: ${ok.length}\r\n`;
const line = "HTTP/1.1 200 OK\r\n";
const half = '{"success":true,"code":200,"locale'; // 34 = 0x22 of the envelope's 68 = 0x44 bytes
const good = `${line}${type}${length}\r\n${ok}`;
const chunked = `${line}${type}Transfer-Encoding: chunked\r\n\r\n`;
const close = `${line}${type}Connection: close\r\n\r\n`;
const stale = `${line}${type}Connection: keep-alive\r\nKeep-Alive: timeout=600\r\n${length}\r\n${ok}`;

const open = (sees: Expected["sees"]): Expected => ({ sees, end: "open" });
const fin = (sees: Expected["sees"]): Expected => ({ sees, end: "fin" });
const reset = (sees: Expected["sees"]): Expected => ({ sees, end: "reset" });
const over = (sees: Expected["sees"]): Expected => ({ sees, end: "over" });
const body = (status: number, content: string, headers = type): Expected =>
  open(new RegExp(`^HTTP/1.1 ${status} .*\r\n${headers}Content-Length: \\d+\r\n\r\n${content}$`, "s"));
const refusal = (status: number): Expected => body(status, `\\{"success":false,"code":${status},.*"data":null\\}`);
const bare = (status: number): Expected => body(status, "", "");
const retryAfter = (value: string): Expected => body(429, ".*", `${type}Retry-After: ${value}\r\n`);
const imfDate = "\\w{3}, \\d\\d \\w{3} \\d{4} \\d\\d:\\d\\d:\\d\\d GMT";

/** Written by hand beside the catalogue, so that the two check each other. Redirects are checked by their Location. */
export const expected: Record<Exclude<FaultName, `redirect-${string}` | "gzip-bomb">, Expected> = {
  "certificate-self-signed": reset(""),
  "certificate-expired": reset(""),
  "certificate-wrong-name": reset(""),
  "plaintext-port": fin(/^HTTP\/1.1 400 /),
  "handshake-reset": reset(""),
  "handshake-fin": fin(""),
  "handshake-stall": open(""),

  "reset-on-accept": reset(""),
  "reset-unread": reset(""),
  "fin-on-accept": fin(""),
  "reset-at-first-byte": reset(""),
  "reset-after-head": reset(""),
  "fin-after-head": fin(""),
  "reset-after-request": reset(""),
  "fin-after-request": fin(""),
  "fin-inside-status-line": fin("HTTP/1.1 2"),
  "stale-closed-when-idle": fin(stale),
  "stale-reset-on-next": open(stale),
  "stale-fin-on-next": open(stale),

  "no-headers": open(""),
  "headers-dripped": open(/^HTTP\/1.1/),
  "headers-stalled": open(`${line}Date: `),
  "continue-then-nothing": open("HTTP/1.1 100 Continue\r\n\r\n"),
  "continue-for-ever": open(/^(HTTP\/1.1 100 Continue\r\n\r\n){2}/),
  "body-never-begun": open(`${line}${type}${length}\r\n`),
  "body-stalled": open(`${line}${type}${length}\r\n${half}`),
  "body-stalled-chunked": open(`${chunked}22\r\n${half}\r\n`),
  "body-dripped": open(/Content-Length: 1000000\r\n\r\n.{34} {2}/s),
  "body-dripped-chunked": open(/chunked\r\n\r\n22\r\n.{34}\r\n1\r\n \r\n/s),

  "cut-inside-headers": fin(`${line}Content-Ty`),
  "cut-length": fin(`${line}${type}${length}\r\n${half}`),
  "cut-length-by-reset": reset(`${line}${type}${length}\r\n${half}`),
  "cut-length-after-envelope": fin(`${line}${type}Content-Length: 78\r\n\r\n${ok}`),
  "cut-chunked": fin(`${chunked}22\r\n${half}\r\n`),
  "cut-chunked-by-reset": reset(`${chunked}22\r\n${half}\r\n`),
  "cut-chunked-after-envelope": fin(`${chunked}44\r\n${ok}\r\n`),
  "cut-close-delimited": fin(`${close}${half}`),
  "cut-close-delimited-by-reset": reset(`${close}${half}`),

  "type-html": body(200, ok, "Content-Type: text/html; charset=utf-8\r\n"),
  "type-missing": open(`${line}${length}\r\n${ok}`),
  bom: body(200, `\xef\xbb\xbf${ok}`),
  "chunked-bytewise": open(/chunked\r\n\r\n1\r\n\{\r\n1\r\n"\r\n.*1\r\n\}\r\n0\r\n\r\n$/s),
  "close-delimited": fin(`${close}${ok}`),
  "token-in-data": body(200, '\\{"success":true,.*"data":\\{"note":"Bearer canary"\\}\\}'),

  "html-200": body(200, "<html>.*\x1b.*\x07.*Bearer canary.*</html>", "Content-Type: text/html.*\r\n"),
  "html-502": body(502, "<html>.*\x1b.*\x07.*Bearer canary.*</html>", "Content-Type: text/html.*\r\n"),
  "empty-200": open(`${line}${type}Content-Length: 0\r\n\r\n`),
  "status-204": open("HTTP/1.1 204 No Content\r\n\r\n"),
  "json-array": body(200, `\\[${ok}\\]`),
  "json-null": body(200, "null"),
  "json-string": body(200, '"OK"'),
  "json-number": body(200, "200"),
  "invalid-utf8": body(200, '\\{"success":true,.*"message":"O\xff\xfeK".*\\}'),
  "nested-array": body(200, "\\[{10000}\\]{10000}"),
  "nested-data": body(200, '\\{"success":true,.*"data":\\[{10000}\\]{10000}\\}'),

  "success-false": body(200, '\\{"success":false,.*\\}'),
  "success-string": body(200, '\\{"success":"true",.*\\}'),
  "success-number": body(200, '\\{"success":1,.*\\}'),
  "success-null": body(200, '\\{"success":null,.*\\}'),
  "success-missing": body(200, '\\{"code":200,.*\\}'),

  "huge-length": over(/Content-Length: 1073741824\r\n\r\n\{"success":true,[^ ]* {1000}/),
  "huge-length-silent": open(`${line}${type}Content-Length: 1073741824\r\n\r\n`),
  "endless-chunks": over(/chunked\r\n\r\n3f\r\n\{"success":true,[^ ]*\r\n10000\r\n {1000}/),
  "endless-until-close": over(/close\r\n\r\n\{"success":true,[^ ]* {1000}/),
  "header-64k": open(/X-Long: a{65536}\r\nContent-Length: 0\r\n\r\n$/),
  "headers-64k": open(/(X-\d+: a{24}\r\n){2048}\r\n$/),

  "status-400": refusal(400),
  "status-400-token": body(400, '\\{"success":false,.*Bearer canary.*\\}'),
  "status-404": refusal(404),
  "status-404-bare": bare(404),
  "status-409": refusal(409),
  "status-422": refusal(422),
  "status-401": refusal(401),
  "status-401-bare": bare(401),
  "status-403": refusal(403),

  "status-429-seconds": retryAfter("2"),
  "status-429-date": retryAfter(imfDate),
  "status-429-past-date": retryAfter(imfDate),
  "status-429-iso-date": retryAfter("\\d{4}-\\d\\d-\\d\\dT.*Z"),
  "status-429-negative": retryAfter("-1"),
  "status-429-zero": retryAfter("0"),
  "status-429-fraction": retryAfter("1\\.5"),
  "status-429-word": retryAfter("soon"),
  "status-429-exponent": retryAfter("1e9"),
  "status-429-list": retryAfter("5, 6"),
  "status-429-infinity": retryAfter("Infinity"),
  "status-429-hexadecimal": retryAfter("0x10"),
  "status-429-20-digits": retryAfter("9{20}"),
  "status-429-long": retryAfter("86400"),
  "status-429-empty": retryAfter(""),
  "status-429-absent": refusal(429),

  "status-500": refusal(500),
  "status-500-bare": bare(500),
  "status-502": refusal(502),
  "status-502-bare": bare(502),
  "status-503": refusal(503),
  "status-503-bare": bare(503),
  "status-504": refusal(504),
  "status-504-bare": bare(504),

  "not-http": open("SSH-2.0-OpenSSH_9.6\r\n"),
  "http-0.9": fin(ok),
  "length-and-chunked": open(`${line}${type}${length}Transfer-Encoding: chunked\r\n\r\n44\r\n${ok}\r\n0\r\n\r\n`),
  "two-lengths": open(`${line}${type}${length}content-length: 67\r\n\r\n${ok}`),
  "extra-response": open(`${good}${good.replace('OK"', 'unasked"').replace("68", "73")}`),
  "extra-response-when-idle": open(`${good}${good.replace('OK"', 'unasked"').replace("68", "73")}`),
};
