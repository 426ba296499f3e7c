import assert from "node:assert/strict";
import { once } from "node:events";
import { Agent, request as httpRequest, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../process/free-port";
import { success } from "./answers";
import { authority } from "./certificates";
import { FaultServer } from "./fault-server";
import { FaultServerProcess } from "./fault-server-process";
import { callOut, RawClient } from "./raw-client";
import { failureOf, withServer } from "./raw-subject";

const trusted = { ca: authority() };

describe("the fault server's life", () => {
  const held = withServer();
  it("refuses, listens again on the same port, and keeps existing connections", async () => {
    const client = await held.open(held.server.port);
    await client.send(callOut("1"));
    await client.answer();
    held.server.refuse();
    assert.equal(await failureOf(RawClient.open(held.server.port)), "ECONNREFUSED");
    await client.send(callOut("2"));
    assert.equal((await client.answer()).status, 200);
    await held.server.listen();
    assert.equal((await (await held.meet("status-503")).answer()).status, 503);
  });

  it("restarts: every connection is reset, and the port is back", async () => {
    const client = await held.meet("no-headers");
    while (held.server.ledger.complete.length === 0) await sleep(5);
    await held.server.restart(10);
    assert.equal(await client.end, "reset");
    assert.equal(held.server.open, 0);
    assert.equal((await (await held.meet("status-503")).answer()).status, 503);
  });

  it("is understood by Node's own HTTP client, over one connection", async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (const id of ["1", "2"]) {
      const request = httpRequest(`${held.server.url}/api/v1/setting/business-hour/${id}`, { agent });
      request.end();
      const [response] = (await once(request, "response")) as [IncomingMessage];
      assert.equal((await response.setEncoding("utf8").toArray()).join(""), success);
    }
    agent.destroy();
    assert.equal(held.server.ledger.connections.length, 1);
    assert.deepEqual(held.server.ledger.requests.map(({ method, path }) => [method, path]).at(-1), [
      "GET",
      "/api/v1/setting/business-hour/2",
    ]);
  });

  it("also runs in its own process", async () => {
    const remote = await FaultServerProcess.start({ tls: true, port: await freePort() });
    await remote.behave({ inTurn: ["status-503", "good"] });
    const client = await held.open(Number(new URL(remote.url).port), trusted);
    for (const status of [503, 200]) {
      await client.send(callOut("1"));
      assert.equal((await client.answer()).status, status);
    }
    const [first, ledger] = await Promise.all([remote.restart(), remote.ledger()]);
    assert.equal(first, undefined);
    assert.deepEqual([ledger.duplicates(), ledger.bytes], [["1"], 2 * callOut("1").length]);
    await remote.stop();
    assert.equal(await failureOf(RawClient.open(Number(new URL(remote.url).port))), "ECONNREFUSED");
  });

  for (const tls of [false, true]) {
    it(`resets a connection that it has just finished, ${tls ? "under TLS" : "in the open"}`, async () => {
      const other = await FaultServer.start({ tls });
      other.behave({
        at: "request",
        act(wire) {
          wire.finish("HTTP/1.1 2");
          wire.reset();
        },
      });
      const client = await held.open(other.port, tls ? trusted : undefined);
      await client.send(callOut("1"));
      await client.end;
      while (other.open > 0) await sleep(5);
      await other.stop();
    });
  }
});
