import { faultNames } from "../../support/faults/catalogue";
import { FaultServerProcess } from "../../support/faults/fault-server-process";
import { callOut, clientFor, close, done, summarize } from "../../unit/client/subject";
import { part, share } from "../part";

const TIMEOUT_MS = 400;
const AT_ONCE = 20;
/** More than AT_ONCE: call-outs may use only a share of it, and none is to wait in the backlog. */
const CONCURRENCY = 64;
const ALLOWED_MS = 100;

part(async () => {
  // In a process of its own, so that its work does not delay the client's timers.
  const server = await FaultServerProcess.start();
  const client = clientFor(server.url, { timeoutMs: TIMEOUT_MS, concurrency: CONCURRENCY });
  const names = faultNames({ rows: [7, 8], tls: false, holds: true });
  const all = share(400);
  const over: number[] = [];
  const other: string[] = [];
  for (let batch = 0; over.length < all; batch += 1) {
    const name = names[batch % names.length];
    if (!name) throw new Error("no fault stalls");
    await server.behave({ always: name });
    const timed = async (index: number) => {
      const began = performance.now();
      const end = await done(client, callOut(`${batch}-${index}`));
      over.push(performance.now() - began - TIMEOUT_MS);
      if (summarize(end).code !== "ERR_TIMEOUT") other.push(`${name}: ${summarize(end).code}`);
    };
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, all - over.length) }, (_, index) => timed(index)));
  }
  await close(client);
  await server.stop();
  if (other.length > 0) console.error([...new Set(other)]);
  const worst = Math.max(...over);
  const median = over.sort((one, next) => one - next)[over.length >> 1] ?? Number.NaN;
  return [
    {
      figure: `deadline overshoot over ${over.length} stalls and drips (${names.length} kinds)`,
      wanted: `<= ${ALLOWED_MS} ms`,
      found: `${worst.toFixed(0)} ms at most, median ${median.toFixed(0)} ms, ${other.length} ended otherwise`,
      holds: worst <= ALLOWED_MS && other.length === 0,
    },
  ];
});
