import { callOut, clientFor, close, done, summarize } from "../../unit/client/subject";
import type { FaultName } from "../faults/catalogue";
import { FaultServerProcess } from "../faults/fault-server-process";
import { peakOf, tell } from "./alone";

/** Peak memory of a hundred answers too large to read in full, in MB, and their error codes. */
export interface Found {
  readonly grown: number;
  readonly codes: string[];
}

const NAMES: FaultName[] = [
  "huge-length",
  "huge-length-silent",
  "endless-chunks",
  "endless-until-close",
  "gzip-bomb",
  "header-64k",
  "headers-64k",
];

tell(async (): Promise<Found> => {
  const remote = await FaultServerProcess.start();
  const client = clientFor(remote.url, { timeoutMs: 20_000 });
  const codes = new Set<string>();
  const hundred = async () => {
    for (const name of NAMES) {
      await remote.behave({ always: name });
      const ends = await Promise.all(Array.from({ length: 15 }, (_, i) => done(client, callOut(`${i}`))));
      for (const end of ends) codes.add(summarize(end).code);
    }
  };
  // Until undici, its parser and the allocator have the size that they keep.
  await hundred();
  await hundred();
  const grown = await peakOf(hundred);
  await close(client);
  await remote.stop();
  return { grown, codes: [...codes] };
});
