import type { MakeClient } from "../../../src/backlog/redis/connection";

/** ioredis, loaded like the runtime loads it: the package's own types are there only where it is installed. */
export const { Redis: Client } = require("ioredis") as {
  readonly Redis: new (options: object) => ReturnType<MakeClient>;
};
