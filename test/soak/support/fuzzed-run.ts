import type { JobResult } from "../../../src/client";
import type { ExchangeFault } from "../../support/faults/fault";
import { FaultServer } from "../../support/faults/fault-server";
import { generator } from "../../support/faults/seed";
import { callOut, clientFor, close, done, summarize } from "../../unit/client/subject";
import { anyAnswer } from "./any-answer";

export interface FuzzedReport {
  ends: JobResult[];
  /** Every error code, and `ok`. */
  codes: Set<string>;
  /** Calls that arrived completely more than once, by the server's ledger. */
  duplicates: string[];
  /** Reported as not sent, but found in the ledger. */
  denied: string[];
}

/** Places calls to a server whose answers are generated from valid and invalid pieces. */
export async function fuzzedRun(calls: number, seed: number): Promise<FuzzedReport> {
  const server = await FaultServer.start();
  server.behave(fuzzed(generator(seed)));
  // Enough for a complete answer on a busy machine.
  const client = clientFor(server.url, { timeoutMs: 1000, concurrency: 50, backlog: calls });
  const numbers = Array.from({ length: calls }, (_, i) => `6${i}`);
  const ends = await Promise.all(numbers.map((number) => done(client, callOut(number))));
  await close(client);
  await server.stop();
  const seen = new Set(server.ledger.requests.flatMap(({ body }) => /"to\.number":"(6\d+)"/.exec(body)?.[1] ?? []));
  return {
    ends,
    codes: new Set(ends.map((end) => summarize(end).code)),
    duplicates: server.ledger.duplicates(),
    denied: numbers.filter((number, i) => summarize(ends[i] as JobResult).sent === "no" && seen.has(number)),
  };
}

function fuzzed(random: () => number): ExchangeFault {
  return {
    at: "request",
    async act(wire) {
      const bytes = Buffer.from(anyAnswer(random), "latin1");
      const cut = Math.floor(random() * bytes.length);
      await wire.send(bytes.subarray(0, cut));
      if (random() < 0.3) await wire.pause(1);
      await wire.send(bytes.subarray(cut));
      const after = random();
      if (after < 0.6) wire.finish();
      else if (after < 0.97) {
        await wire.pause(5);
        wire.reset();
      }
    },
  };
}
