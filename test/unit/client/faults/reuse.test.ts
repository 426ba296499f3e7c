import assert from "node:assert/strict";
import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import { Wire } from "../../../../src/client/transport/exchange";
import { answer, head, success } from "../../../support/faults/answers";
import { authority } from "../../../support/faults/certificates";
import type { Fault } from "../../../support/faults/fault";
import { FaultServer } from "../../../support/faults/fault-server";
import { FaultServerProcess } from "../../../support/faults/fault-server-process";
import { freePort } from "../../../support/process/free-port";
import { until } from "../../../support/until";
import { withServer } from "../stage";
import { block, callOut, done, failureOf, read, summarize } from "../subject";

const tls = { ca: authority() };

/** Rows 6, 7 and 19 of docs/faults.md. */
describe("connections that are kept @undici", () => {
  const held = withServer();
  const { besides, open } = held;

  describe("row 6: stale connections", () => {
    for (const [promise, fault] of Object.entries({
      "ten minutes": "stale-reset-on-next",
      nothing: undefined,
    } as const))
      it(`idle for more than a second: not used again, though the service promised ${promise}`, async () => {
        if (fault) held.server.behave(fault);
        const client = open(held.server.url);
        for (const number of ["1", "2"]) {
          assert.deepEqual(summarize(await done(client, callOut(number))), {
            code: "ok",
            outcome: "applied",
            attempts: 1,
            status: 200,
          });
          await sleep(1200);
        }
        assert.equal(held.server.ledger.connections.length, 2);
      });

    it("given up before they were there: nothing is sent over them", async () => {
      const wire = new Wire({ origin: held.server.url, concurrency: 1 });
      besides({ stop: () => wire.close() });
      const send = (number: string) => {
        const body = JSON.stringify({ "to.number": number });
        return wire.exchange({ method: "POST", path: "/", headers: [], body }, () => undefined);
      };
      const first = send("1");
      await turn();
      first.abandon(new Error("stopped"));
      assert.equal(((await first.ended) as { started?: boolean }).started, false);
      assert.ok("status" in (await send("2").ended));
      assert.deepEqual(
        held.server.ledger.requests.map(({ key }) => key),
        ["2"],
      );
    });

    it("closed while idle: the next request goes over a new one", async () => {
      held.server.behave("stale-closed-when-idle");
      const client = open(held.server.url);
      for (const number of ["1", "2", "3"]) {
        assert.equal(summarize(await done(client, callOut(number))).attempts, 1);
        await until(() => held.server.open === 0);
      }
      assert.deepEqual(held.server.ledger.duplicates(), []);
    });

    it("after a rest, a burst goes out in the order in which it came", async () => {
      // Over one connection: what leaves over several may arrive in another order.
      const wire = new Wire({ origin: held.server.url, concurrency: 1 });
      besides({ stop: () => wire.close() });
      const send = async (number: string) => {
        const body = JSON.stringify({ "to.number": number });
        const { ended } = wire.exchange({ method: "POST", path: "/", headers: [], body }, () => undefined);
        assert.ok("status" in (await ended));
      };
      const burst = ["1", "2", "3", "4", "5", "6"];
      await send("first");
      await sleep(1200);
      await Promise.all(burst.map(send));
      assert.deepEqual(
        held.server.ledger.requests.map(({ key }) => key),
        ["first", ...burst],
      );
    });

    it("closed while the event loop was blocked: noticed before anything is sent", async () => {
      const remote = besides(await FaultServerProcess.start());
      await remote.behave({ always: "stale-closed-when-idle" });
      const client = open(remote.url);
      for (const number of ["1", "2", "3"]) {
        assert.deepEqual(
          [number, summarize(await done(client, callOut(number)))],
          [number, { code: "ok", outcome: "applied", attempts: 1, status: 200 }],
        );
        block(1100);
      }
    });

    for (const name of ["stale-reset-on-next", "stale-fin-on-next"] as const) {
      it(`${name}: a call-out may have been placed, a read is repeated`, async () => {
        held.server.behave(name);
        const client = open(held.server.url, { concurrency: 1 });
        assert.ok((await done(client, callOut("1"))).ok);
        const { code, sent, outcome, attempts } = summarize(await done(client, callOut("2")));
        assert.deepEqual([code, sent, outcome, attempts], ["ERR_CONNECTION_LOST", "maybe", "unknown", 1]);
        assert.ok((await done(client, callOut("3"))).ok);
        assert.deepEqual(summarize(await done(client, read("4"))), {
          code: "ok",
          outcome: "applied",
          attempts: 2,
          status: 200,
        });
        assert.deepEqual(held.server.ledger.duplicates(), []);
      });
    }

    it("a restart under load: nothing twice, nothing lost, no false 'no'", async () => {
      const slow: Fault = {
        name: "slow",
        at: "request",
        act: async (wire) => {
          await wire.pause(5);
          await wire.send(answer(200, success));
        },
      };
      const server = besides(await FaultServer.start({ port: await freePort() }));
      server.behave(slow);
      const client = open(server.url);
      const ends = Array.from({ length: 300 }, (_, i) => done(client, callOut(`9${i}`)));
      for (let restarts = 0; restarts < 3; restarts += 1) {
        await sleep(30);
        await server.restart(40);
      }
      const all = await Promise.all(ends);
      const arrived = server.ledger.arrivals();
      for (const [i, end] of all.entries()) {
        const { code, sent } = summarize(end);
        if (code === "ok") assert.equal(arrived.get(`9${i}`), 1);
        else if (sent === "no") assert.equal(server.ledger.containing(`"9${i}"`).length, 0);
        else assert.equal(code, "ERR_CONNECTION_LOST");
      }
      assert.deepEqual(server.ledger.duplicates(), []);
      assert.ok(all.filter((end) => end.ok).length > 250);
    });
  });

  describe("row 7: interim answers", () => {
    const interim: Fault = {
      name: "interim",
      at: "request",
      async act(wire) {
        await wire.send(head(100));
        await wire.drip(head(103, { Link: "</style.css>" }), 1);
        await wire.send(Buffer.concat([Buffer.from(head(102)), answer(200, success)]));
      },
    };
    for (const secure of [false, true]) {
      it(`${secure ? "https" : "http"}: do no harm, and the connection stays usable`, async () => {
        const polite = besides(await FaultServer.start({ tls: secure }));
        polite.behave(interim);
        const client = open(polite.url, { tls, concurrency: 1 });
        for (const number of ["1", "2", "3"]) {
          assert.deepEqual(summarize(await done(client, callOut(number))), {
            code: "ok",
            outcome: "applied",
            attempts: 1,
            status: 200,
          });
        }
        assert.equal(polite.ledger.connections.length, 1);
      });
    }

    it("101 is no answer to anything asked", async () => {
      held.server.behave({
        at: "request",
        act: (wire) => wire.send("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"),
      });
      const error = await failureOf(open(held.server.url), callOut("1"));
      assert.deepEqual([error.code, error.phase, error.sent], ["ERR_BAD_RESPONSE", "headers", "yes"]);
    });
  });

  describe("row 19: unsolicited answers", () => {
    for (const name of ["extra-response", "extra-response-when-idle"] as const) {
      it(`${name}: the connection is not used again`, async () => {
        held.server.behave(name);
        const client = open(held.server.url, { concurrency: 1 });
        for (let i = 0; i < 5; i += 1) {
          const end = await done(client, callOut(`${i}`));
          assert.equal(end.ok && end.envelope?.["message"], "OK");
          if (name === "extra-response-when-idle") await until(() => held.server.open === 0);
        }
        assert.deepEqual(
          held.server.ledger.connections.map(({ requests }) => requests.length),
          [1, 1, 1, 1, 1],
        );
      });
    }

    it("a hundred at once each get their own", async () => {
      held.server.behave({
        at: "request",
        act: (wire, { key }) => {
          const own = (message: string) => answer(200, JSON.stringify({ success: true, message, data: key }));
          return wire.send(Buffer.concat([own("OK"), own("unasked")]));
        },
      });
      const client = open(held.server.url);
      await Promise.all(
        Array.from({ length: 100 }, async (_, i) => {
          const end = await done(client, callOut(`${i}`));
          if (end.ok) assert.deepEqual([end.data, end.envelope?.["message"]], [`${i}`, "OK"]);
          else assert.notEqual(end.error.sent, "no");
        }),
      );
      assert.deepEqual(held.server.ledger.duplicates(), []);
    });

    it("a service that speaks first is no HTTP service, and is not connected to without end", async () => {
      held.server.behave({ at: "accept", act: (wire) => wire.send("SSH-2.0-OpenSSH_9.6\r\n") });
      const end = await done(open(held.server.url, { timeoutMs: 1500 }), callOut("1"));
      assert.ok(!end.ok);
      assert.ok(held.server.ledger.connections.length <= 3, `${held.server.ledger.connections.length} connections`);
    });
  });
});
