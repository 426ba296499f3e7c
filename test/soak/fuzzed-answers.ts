import { FaultServer } from "../faults/fault-server.js";
import { announcedSeed, generator } from "../faults/seed.js";
import { callOut, clientFor, close, done, told } from "../tenant-subject";
import { anyAnswer } from "./any-answer";
import { mishaps, part, share } from "./part";

part(async () => {
  const all = share(20_000);
  const random = generator(announcedSeed());
  const server = await FaultServer.start();
  server.behave({
    at: "request",
    async act(wire) {
      const bytes = Buffer.from(anyAnswer(random), "latin1");
      const cut = Math.floor(random() * bytes.length);
      await wire.send(bytes.subarray(0, cut));
      if (random() < 0.3) await wire.pause(1);
      await wire.send(bytes.subarray(cut));
      const after = random();
      if (after < 0.6) wire.finish();
      else if (after < 0.9) {
        await wire.pause(5);
        // By now the next request may have come, and its answer be the last one of this connection.
        if (!wire.ended) wire.reset();
      }
    },
  });
  const client = clientFor(server.url, { timeoutMs: 250, concurrency: 64, backlog: all });
  const ends = await Promise.all(Array.from({ length: all }, (_, i) => done(client, callOut(`6${i}`))));
  await close(client);
  await server.stop();
  const arrived = new Set(server.ledger.requests.flatMap(({ body }) => /"to\.number":"(6\d+)"/.exec(body)?.[1] ?? []));
  const denied = ends.filter((end, i) => told(end).sent === "no" && arrived.has(`6${i}`)).length;
  const duplicates = server.ledger.duplicates().length;
  const polluted = Object.hasOwn(Object.prototype, "polluted");
  const codes = new Set(ends.map((end) => told(end).code));
  return [
    {
      figure: `${all} fuzzed answers: crashes and unhandled rejections`,
      wanted: "0",
      found: `${mishaps.length} (${ends.length} ended, ${codes.size} codes, ${duplicates} duplicates, ${denied} denied)`,
      holds: mishaps.length === 0 && duplicates === 0 && denied === 0 && !polluted,
    },
  ];
});
