import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { success } from "./answers";
import { callOut } from "./raw-client";
import { withServer } from "./raw-subject";

describe("the fault server's ledger", () => {
  const held = withServer();
  it("counts a request that comes a byte at a time", async () => {
    const client = await held.open(held.server.port);
    const bytes = callOut("1");
    for (const byte of bytes) await client.send(byte);
    assert.equal((await client.answer()).body.toString(), success);
    const [connection] = held.server.ledger.connections;
    assert.equal(connection?.bytes, bytes.length);
    assert.equal(connection?.wireBytes, bytes.length);
    const [request] = held.server.ledger.requests;
    assert.equal(request?.bytes, bytes.length);
    assert.ok(request.complete && request.completeAt && request.completeAt >= request.firstByteAt);
    assert.deepEqual(
      [request.method, request.path, request.headers["authentication"], request.fault, request.key],
      ["POST", "/api/v1/call/call-out", "Bearer canary", "good", "1"],
    );
  });

  it("distinguishes two requests in one packet, counted and chunked", async () => {
    const client = await held.open(held.server.port);
    const body = '{"callId":"a b","to":{"number":"7"}}';
    const chunked = `POST /x HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3;note=x\r\n${body.slice(0, 3)}\r\n${(body.length - 3).toString(16)}\r\n${body.slice(3)}\r\n0\r\nTrailer: y\r\n\r\n`;
    await client.send(callOut("1") + chunked + callOut("2"));
    for (let i = 0; i < 3; i++) assert.equal((await client.answer()).status, 200);
    assert.deepEqual(
      held.server.ledger.requests.map(({ key, bytes }) => [key, bytes]),
      [
        ["1", callOut("1").length],
        ["a b", chunked.length],
        ["2", callOut("2").length],
      ],
    );
    assert.equal(held.server.ledger.find("a b")[0]?.body, body);
  });

  it("keeps the part of a truncated request that arrived", async () => {
    const client = await held.open(held.server.port);
    await client.send(callOut("12345").slice(0, -30));
    client.close();
    while (held.server.open > 0) await sleep(5);
    const [request] = held.server.ledger.requests;
    assert.equal(request?.complete, false);
    assert.equal(request.bytes, callOut("12345").length - 30);
    assert.equal(held.server.ledger.containing('"to.number":"12345"').length, 1);
    assert.deepEqual([held.server.ledger.complete, held.server.ledger.arrivals()], [[], new Map()]);
  });

  it("reports and counts data that is not an HTTP request", async () => {
    const client = await held.open(held.server.port);
    await client.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    while (held.server.ledger.bytes < 24) await sleep(5);
    assert.equal(held.server.ledger.requests[0]?.malformed, "request line");
    assert.equal(client.text, "");
  });

  it("counts how often each call arrived whole", async () => {
    for (const number of ["1", "2", "1", "3"]) await (await held.meet("status-503", number)).answer();
    assert.deepEqual(Object.fromEntries(held.server.ledger.arrivals()), { 1: 2, 2: 1, 3: 1 });
    assert.deepEqual(held.server.ledger.duplicates(), ["1"]);
    assert.deepEqual(held.server.ledger.tally(), { "status-503": 4 });
  });
});
