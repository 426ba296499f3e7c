import type { ClientOptions, TenantClient } from "../../../src/client";
import { answer } from "../../support/faults/answers";
import { FaultServer } from "../../support/faults/fault-server";
import { clientFor, close } from "./subject";

type Stoppable = { stop(): Promise<unknown> };

/** A faulty server for a suite; it is good again after each test, and what the test opened is closed. */
export function withServer() {
  const clients: TenantClient[] = [];
  const others: Stoppable[] = [];
  const held = {
    server: undefined as unknown as FaultServer,
    open: (url: string, options: Partial<ClientOptions> = {}): TenantClient => {
      const client = clientFor(url, options);
      clients.push(client);
      return client;
    },
    /** A server for one test. */
    besides: <T extends Stoppable>(other: T): T => {
      others.push(other);
      return other;
    },
    /** Delays each answer from now on. */
    slow: (ms: number): void =>
      held.server.behave({
        at: "request",
        async act(wire, { key }) {
          await wire.pause(ms);
          await wire.send(answer(200, JSON.stringify({ success: true, data: key ?? null })));
        },
      }),
  };
  before(async () => {
    held.server = await FaultServer.start();
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map(close));
    await Promise.all(others.splice(0).map((other) => other.stop()));
    held.server.behave("good");
    held.server.ledger.clear();
  });
  after(() => held.server.stop());
  return held;
}
