import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { createGunzip } from "node:zlib";
import { success } from "./answers";
import { type FaultName, faultNames, faults } from "./catalogue";
import { type Expected, expected } from "./expected";
import { callOut } from "./raw-client";
import { ELSEWHERE, isPending, withServer } from "./raw-subject";

it("the fault server has faults for every row that a server can inject", () => {
  assert.deepEqual(
    [...new Set(Object.values(faults).map(({ row }) => row))].sort((a, b) => a - b),
    Array.from({ length: 16 }, (_, i) => i + 4),
  );
});

describe("faults of rows 5 to 19: what a client sees", () => {
  const held = withServer();
  for (const [name, { sees, end }] of Object.entries(expected) as [keyof typeof expected, Expected][]) {
    if (faults[name].tls) continue;
    it(`${name}: ${end}`, async () => {
      const client = await held.meet(name);
      if (end === "open") {
        await client.until(({ text }) => (typeof sees === "string" ? text.length >= sees.length : sees.test(text)));
        assert.ok(await isPending(client.end));
      } else {
        const ended = await client.end;
        if (end !== "over") assert.equal(ended, end);
      }
      if (typeof sees === "string") assert.equal(client.text, sees);
      else assert.ok(sees.test(client.text), `${client.text.slice(0, 500)} is not ${sees}`);
      assert.deepEqual(Object.keys(held.server.ledger.tally()), [name]);
    });
  }

  for (const name of faultNames({ rows: [14] })) {
    it(name, async () => {
      const { status, headers } = await (await held.meet(name)).answer();
      const [, code, target] = /^redirect-(\d+)-(.*)$/.exec(name) as unknown as [string, string, string];
      const path = "/api/v1/call/call-out";
      const locations: Record<string, string | undefined> = {
        "same-host": `${held.server.url}/moved`,
        relative: "/moved",
        elsewhere: `${ELSEWHERE}${path}`,
        http: `http://127.0.0.1:${held.server.port}${path}`,
        loop: `${held.server.url}${path}`,
        nowhere: undefined,
      };
      assert.deepEqual([status, headers["location"]], [Number(code), locations[target]]);
    });
  }

  it("gzip-bomb: a valid envelope of 200 MB in 250 KB", async () => {
    const { headers, body } = await (await held.meet("gzip-bomb")).answer();
    assert.equal(headers["content-encoding"], "gzip");
    assert.ok(body.length < 250_000);
    const unpacked = createGunzip();
    unpacked.end(body);
    let [size, text] = [0, ""];
    for await (const part of unpacked as AsyncIterable<Buffer>) {
      size += part.length;
      text += part.toString().trim();
    }
    assert.ok(size > 200_000_000);
    assert.equal(text, success);
  });

  it("huge answers stop when the client goes", async () => {
    const client = await held.meet("huge-length");
    await client.until(({ received }) => received.length > 1_000_000);
    client.close();
    while (held.server.open > 0) await sleep(5);
  });
});

describe("a fault, and what the ledger has when it strikes", () => {
  const held = withServer();
  for (const name of ["reset-on-accept", "reset-unread"] as const) {
    it(`${name} reads nothing`, async () => {
      await (await held.meet(name)).end;
      assert.deepEqual([held.server.ledger.connections.length, held.server.ledger.bytes], [1, 0]);
      assert.deepEqual(held.server.ledger.requests, []);
    });
  }

  it("reset-after-head does not wait for a body, reset-at-first-byte not for a head", async () => {
    const cases: [FaultName, string][] = [
      ["reset-after-head", callOut("1").slice(0, -20)],
      ["reset-at-first-byte", "P"],
    ];
    for (const [name, bytes] of cases) {
      held.server.ledger.clear();
      held.server.behave(name);
      const client = await held.open(held.server.port);
      await client.send(bytes);
      assert.equal(await client.end, "reset");
      assert.deepEqual([held.server.ledger.bytes, held.server.ledger.complete], [bytes.length, []]);
    }
  });

  for (const [name, end] of [
    ["stale-closed-when-idle", "fin"],
    ["stale-reset-on-next", "reset"],
    ["stale-fin-on-next", "fin"],
  ] as const) {
    it(`${name}: one answer, then ${end}`, async () => {
      const client = await held.meet(name, "1");
      assert.equal((await client.answer()).headers["keep-alive"], "timeout=600");
      if (name !== "stale-closed-when-idle") await client.send(callOut("2"));
      assert.equal(await client.end, end);
      assert.equal(client.text, "");
      assert.equal(held.server.ledger.find("1").length, 1);
      if (name !== "stale-closed-when-idle") assert.equal(held.server.ledger.find("2").length, 1);
    });
  }

  it("records a request on a connection after its final byte", async () => {
    const client = await held.meet("fin-after-request", "1");
    await client.end;
    await client.send(callOut("2"));
    while (held.server.ledger.requests.length < 2) await sleep(5);
    assert.deepEqual([held.server.ledger.requests[1]?.key, held.server.ledger.requests[1]?.fault], ["2", undefined]);
  });
});
