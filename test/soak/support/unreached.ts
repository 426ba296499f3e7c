import { FullBacklog } from "../../support/faults/full-backlog";
import { failingLookup, refusedPort, unknownHost } from "../../support/faults/unreachable";
import { callOut, clientFor, close, done, summarize } from "../../unit/client/subject";

/** Runs rows 1 to 3, which no server can inject. Counts the call-outs that are reported as not sent. */
export async function unreachedRun(calls: number): Promise<{ all: number; saidNo: number }> {
  const backlog = await FullBacklog.start();
  const options = { timeoutMs: 1000, limitMs: 300, concurrency: 64 };
  const clients = [
    clientFor(`http://127.0.0.1:${await refusedPort()}`, options),
    clientFor(`https://${unknownHost}`, { ...options, lookup: failingLookup("EAI_AGAIN") }),
    clientFor(`https://${unknownHost}`, { ...options, lookup: failingLookup("ENOTFOUND") }),
    clientFor(backlog.url, options),
  ];
  const each = Math.ceil(calls / clients.length);
  const ends = await Promise.all(
    clients.flatMap((client) => Array.from({ length: each }, (_, index) => done(client, callOut(`9${index}`)))),
  );
  await Promise.all(clients.map(close));
  await backlog.stop();
  return { all: ends.length, saidNo: ends.filter((end) => summarize(end).sent === "no").length };
}
