import assert from "node:assert/strict";
import { DownloadError, type DownloadOptions, download } from "../../../src/client/transport/download";
import { type CalendarServer, calendarServer } from "../../support/calendars/server";
import { refusedPort } from "../../support/faults/unreachable";

const LARGEST = 1000;

describe("a download @undici", () => {
  let server: CalendarServer;
  beforeEach(async () => {
    server = await calendarServer("a calendar");
  });
  afterEach(() => server.stop());

  const get = (path = "/", more: Partial<DownloadOptions> = {}) =>
    download(new URL(path, server.url), { largest: LARGEST, limitMs: 20_000, proxyFor: () => undefined, ...more });
  const refused = async (path?: string, more?: Partial<DownloadOptions>) => {
    const error = await get(path, more).then(
      () => "fetched",
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof DownloadError, String(error));
    return [error.key, ...Object.values(error.params)].join(" ");
  };

  it("gives the body, up to the largest", async () => {
    assert.equal(String(await get("/a/b.ics?x=1")), "a calendar");
    assert.deepEqual([server.requests[0]?.method, server.requests[0]?.url], ["GET", "/a/b.ics?x=1"]);
    server.answers("x".repeat(LARGEST));
    assert.equal((await get()).length, LARGEST);
  });

  for (const [type, sent, expected = "Tết"] of [
    ["text/calendar; charset=utf-16le", Buffer.from("Tết", "utf16le")],
    ['text/calendar; charset="ISO-8859-1"', Buffer.from("Año", "latin1"), "Año"],
    ["text/calendar; charset=iso-8859-1", Buffer.from("\uFEFFTết")],
    ["text/calendar", Buffer.from("\uFEFFTết", "utf16le")],
    ["text/calendar; charset=no-such", Buffer.from("Tết")],
  ] as const)
    it(`reads ${JSON.stringify(type)} with the beginning ${sent.toString("hex", 0, 3)}`, async () => {
      server.answers((response) => response.writeHead(200, { "content-type": type }).end(sent));
      assert.equal(String(await get()), expected);
    });

  it("ends at what is larger, whether the server says so or not", async () => {
    server.answers("x".repeat(LARGEST + 1));
    assert.equal(await refused(), "ERR_RESPONSE_TOO_LARGE");
    server.answers((response) => {
      response.write("x".repeat(LARGEST));
      response.end("x");
    });
    assert.equal(await refused(), "ERR_RESPONSE_TOO_LARGE");
  });

  it("ends after its limit, before an answer and within one", async () => {
    server.answers(() => {});
    assert.equal(await refused("/", { limitMs: 20 }), "ERR_TIMEOUT");
    server.answers((response) => response.write("BEGIN:VCALENDAR"));
    assert.equal(await refused("/", { limitMs: 20 }), "ERR_TIMEOUT");
  });

  it("fails with a status, a lost connection, no server, and an unpacked answer", async () => {
    server.answers((response) => response.writeHead(404).end("<html>"));
    assert.equal(await refused(), "download.http 404");
    server.answers((response) => response.destroy());
    assert.equal(await refused(), "ERR_CONNECTION_LOST");
    server.answers((response) => response.writeHead(200, { "content-encoding": "gzip" }).end("x"));
    assert.equal(await refused(), "ERR_BAD_RESPONSE");
    assert.equal(await refused(`http://127.0.0.1:${await refusedPort()}`), "ERR_CONNECT");
  });

  it("follows a redirect to https only, and ends where there is no end", async () => {
    const target = await calendarServer("from elsewhere");
    try {
      for (const location of [target.url, "/other", "ftp://example.com/", "file:///etc/passwd"]) {
        server.answers((response) => response.writeHead(302, { location }).end());
        assert.equal(await refused(), "download.notSecure");
      }
      server.answers((response) => response.writeHead(301, { location: "https://" }).end());
      assert.equal(await refused(), "ERR_REDIRECT");
      // It is asked over TLS, which that server does not speak.
      server.answers((response) => response.writeHead(307, { location: target.url.replace("http:", "https:") }).end());
      assert.equal(await refused(), "ERR_TLS");
      assert.deepEqual(target.requests, []);
    } finally {
      await target.stop();
    }
  });

  it("sends a user name and a password of the address, and is not compressed", async () => {
    await get(server.url.replace("http://", "http://ada:p%40ss@"));
    const { authorization, "accept-encoding": coding } = server.requests[0]?.headers ?? {};
    assert.deepEqual([authorization, coding], [`Basic ${Buffer.from("ada:p@ss").toString("base64")}`, "identity"]);
  });
});
