import assert from "node:assert/strict";
import { faultNames, faults } from "./catalogue";
import { mix } from "./mix";
import { forEachCall, inTurn } from "./plan";
import { callOut } from "./raw-client";
import { withServer } from "./raw-subject";

describe("plans of the fault server", () => {
  const held = withServer();
  const statuses = async (...numbers: string[]): Promise<(number | string)[]> => {
    const seen: (number | string)[] = [];
    for (const number of numbers) {
      const client = held.dial();
      await client.send(callOut(number));
      seen.push(await Promise.race([client.answer().then(({ status }) => status), client.end]).catch(() => "reset"));
    }
    return seen;
  };

  it("choose by the request", async () => {
    held.server.behave(({ key }) => (key === "2" ? "status-503" : "good"));
    assert.deepEqual(await statuses("1", "2", "3"), [200, 503, 200]);
  });

  it("go in turn, faults of connections among them", async () => {
    held.server.behave(inTurn("status-500", "reset-on-accept", "status-502", "good"));
    assert.deepEqual(await statuses("1", "2", "3", "4", "5"), [500, "reset", 502, 200, 200]);
  });

  it("go in turn for each call", async () => {
    held.server.behave(forEachCall("status-500", "status-502", "good"));
    assert.deepEqual(await statuses("1", "1", "2", "1", "2"), [500, 502, 500, 200, 502]);
  });

  it("accept a fault that the test defines", async () => {
    held.server.behave({ name: "teapot", at: "request", act: (wire) => wire.send("HTTP/1.1 418 Teapot\r\n\r\n") });
    assert.deepEqual(await statuses("1"), [418]);
    assert.deepEqual(held.server.ledger.tally(), { teapot: 1 });
  });

  it("mix the same way for the same seed, in the given proportion, over the given faults", () => {
    const names = faultNames({ tls: false });
    const draws = (seed: number) => {
      const plan = mix({ seed, names, faulty: 0.4 });
      return Array.from({ length: 20_000 }, () => [plan.onAccept()?.name, plan.onRequestBegun()?.name]);
    };
    assert.deepEqual(draws(7), draws(7));
    assert.notDeepEqual(draws(7), draws(8));
    const drawn = draws(7)
      .flat()
      .filter((name) => name !== undefined && name !== "good");
    assert.ok(Math.abs(drawn.length / 40_000 - 0.4) < 0.02, `${drawn.length}`);
    assert.deepEqual(new Set(drawn), new Set(names));
  });

  it("records a mixed run to the last request", async () => {
    const names = faultNames({ tls: false, holds: false }).filter((name) => faults[name].row !== 13);
    held.server.behave(mix({ seed: 1, names, faulty: 0.5, faultyConnections: 0.05 }));
    const sent = Array.from({ length: 200 }, (_, i) => `${i % 150}`);
    const ended = async (number: string) => {
      const client = held.dial();
      await client.send(callOut(number));
      await Promise.race([client.until(({ received }) => received.length > 0).catch(() => {}), client.end]);
    };
    await Promise.all(sent.map(ended));
    const arrived = [...held.server.ledger.arrivals().values()].reduce((sum, count) => sum + count, 0);
    const unread = held.server.ledger.connections.filter(({ fault }) => fault !== undefined).length;
    assert.equal(arrived + unread, sent.length);
    assert.ok(unread < 20 && Object.keys(held.server.ledger.tally()).length > 20);
  });
});
