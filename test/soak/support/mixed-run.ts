import { faultNames } from "../../support/faults/catalogue";
import { authority } from "../../support/faults/certificates";
import { FaultServer } from "../../support/faults/fault-server";
import { mix } from "../../support/faults/mix";
import { callOut, clientFor, close } from "../../unit/client/subject";

export interface MixedRun {
  /** The number of call-outs. */
  calls: number;
  /** Of the random draws. */
  seed: number;
  /** `all`: rows 4 to 19. `connecting`: only faults before the connection is established. */
  faults: "all" | "connecting";
  concurrency?: number;
}

/** The results of a run. Lists hold called numbers. */
export interface MixedReport {
  /** Results by error code; `ok` for successes. */
  ends: Record<string, number>;
  endedTwice: string[];
  neverEnded: string[];
  /** Arrived completely more than once, by the server's ledger. */
  duplicates: string[];
  /** Reported as not sent, but found in the ledger. */
  contradicted: string[];
  /** Reported as successful, but not found in the ledger. */
  invented: string[];
  /** Failed, and no byte of them in the ledger. */
  unseen: { all: number; saidNo: number };
}

/** Places many calls to a server with faults and compares the results with its ledger. */
export async function mixedRun({ calls, seed, faults, concurrency = 32 }: MixedRun): Promise<MixedReport> {
  const server = await FaultServer.start({ tls: true });
  const names = faults === "all" ? faultNames() : faultNames({ tls: true });
  const shares = faults === "all" ? { faulty: 0.4, faultyConnections: 0.2 } : { faulty: 0, faultyConnections: 0.5 };
  server.behave(mix({ seed, names, ...shares, holding: 0.05 }));
  // Long enough for both retries of a connect and for the handshakes of a busy machine, short for answers that are held.
  const client = clientFor(server.url, {
    tls: { ca: authority() },
    timeoutMs: 4000,
    limitMs: 1200,
    concurrency,
    backlog: calls,
  });

  const numbers = Array.from({ length: calls }, (_, i) => `8${String(i).padStart(7, "0")}`);
  const ended = new Map<string, { code: string; sent: string }>();
  const endedTwice: string[] = [];
  await new Promise<void>((resolve) => {
    for (const number of numbers) {
      void client.send(callOut(number)).then((end) => {
        if (ended.has(number)) endedTwice.push(number);
        ended.set(number, end.ok ? { code: "ok", sent: "yes" } : { code: end.error.code, sent: end.error.sent });
        if (ended.size === calls) resolve();
      });
    }
  });
  await close(client);
  await server.stop();

  const seen = new Set(server.ledger.requests.flatMap(({ body }) => /"to\.number":"(8\d{7})"/.exec(body)?.[1] ?? []));
  const said = (number: string) => ended.get(number) ?? { code: "none", sent: "none" };
  const unseen = numbers.filter((number) => said(number).code !== "ok" && !seen.has(number));
  const ends: Record<string, number> = {};
  for (const { code } of ended.values()) ends[code] = (ends[code] ?? 0) + 1;
  return {
    ends,
    endedTwice,
    neverEnded: numbers.filter((number) => !ended.has(number)),
    duplicates: server.ledger.duplicates(),
    contradicted: numbers.filter((number) => said(number).sent === "no" && seen.has(number)),
    invented: numbers.filter((number) => said(number).code === "ok" && !seen.has(number)),
    unseen: { all: unseen.length, saidNo: unseen.filter((number) => said(number).sent === "no").length },
  };
}
