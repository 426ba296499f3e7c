import { withRedis } from "../support/backlog/instances";

/** In the words of test/support/backlog/traces.ts and instances.ts. */
const TRACES = {
  "are counted over all instances, and given back by what was not applied": `opens one two, one: accept number,
    two: accept number, accept number → usedUp 60, one: begun 1, settle 1 applied, two: begun 2, settle 2 rejected,
    one: ends 1:applied, two: ends 2:rejected, accept number, one: accept number → usedUp 60`,
  "are free again when their time is over": `opens one, accept brief brief, begun 1 2, settle-all,
    ends 1:applied 2:applied, is-free brief, accept brief`,
  "count their uses against the limit of 200,000": `opens one, pause, accept number, fill, accept number,
    accept key → keysFull, accept thrice → keysFull`,
};

describe("keys of several uses in Redis", () => {
  const redis = withRedis();
  const script = "for n = 2, 199999 do redis.call('HSET', KEYS[1], 'filler' .. n, '{}') end";
  const fill = async () => redis.server.command("EVAL", script, "1", await redis.key("keys"));

  for (const [promise, trace] of Object.entries(TRACES)) it(promise, () => redis.play(trace, { fill }));
});
