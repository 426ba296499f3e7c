import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../process/free-port";
import type { FaultName } from "./catalogue";
import { FaultServer } from "./fault-server";
import { callOut, RawClient } from "./raw-client";

/** Whether a promise is still open after long enough for a wrong server to have settled it. */
export const isPending = async (promise: Promise<unknown>): Promise<boolean> =>
  (await Promise.race([promise, sleep(40, "pending")])) === "pending";

export const failureOf = async (promise: Promise<unknown>): Promise<string | undefined> =>
  promise.then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error.code,
  );

/** The address of the second server that redirects point to. Nothing listens there. */
export const ELSEWHERE = "http://127.0.0.2:9";

/** What the tests of the fault server share: one server for a suite, and clients that are gone after each test. */
export function withServer() {
  let server: FaultServer;
  const clients: RawClient[] = [];
  const dial = (port = server.port): RawClient => {
    const client = RawClient.dial(port);
    clients.push(client);
    return client;
  };
  before(async () => {
    server = await FaultServer.start({ elsewhere: ELSEWHERE, port: await freePort() });
  });
  afterEach(() => {
    for (const client of clients.splice(0)) client.close();
    server.behave("good");
    server.ledger.clear();
  });
  after(() => server.stop());
  return {
    get server(): FaultServer {
      return server;
    },
    dial,
    async open(...args: Parameters<typeof RawClient.open>): Promise<RawClient> {
      const client = await RawClient.open(...args);
      clients.push(client);
      return client;
    },
    /** Sends one call-out to a server that does one thing. */
    async meet(name: FaultName, number = "1"): Promise<RawClient> {
      server.behave(name);
      const client = dial();
      await client.send(callOut(number));
      return client;
    },
  };
}
