import { callOut, clientFor, close, done, type ResultSummary, summarize } from "../../unit/client/subject";
import { FaultServerProcess } from "../faults/fault-server-process";
import { peakOf, tell } from "./alone";

/** Peak memory of ten thousand messages at once in MB, the keys of those that arrived, in order, and each result. */
export interface Found {
  readonly grown: number;
  readonly arrived: string[];
  readonly ends: string[];
}

const MESSAGES = 10_000;
const BACKLOG = 9_000;

tell(async (): Promise<Found> => {
  const remote = await FaultServerProcess.start();
  const client = clientFor(remote.url, { timeoutMs: 20_000, concurrency: 1, backlog: BACKLOG });
  await Promise.all(Array.from({ length: 2000 }, (_, i) => done(client, callOut(`warm ${i}`))));
  let ends: ResultSummary[] = [];
  const grown = await peakOf(async () => {
    ends = (await Promise.all(Array.from({ length: MESSAGES }, (_, i) => done(client, callOut(`${i}`))))).map(
      summarize,
    );
  });
  const { requests } = await remote.ledger();
  await close(client);
  await remote.stop();
  return {
    grown,
    arrived: requests.flatMap(({ key }) => (key && !key.startsWith("warm") ? [key] : [])),
    ends: ends.map(({ code, sent }) => (sent ? `${code} ${sent}` : code)),
  };
});
