import type { Ioredis } from "../../../src/backlog/redis/connection";

/** Loaded like the runtime loads it: the package's own types are there only where it is installed. */
export const loadRedis = (): Promise<Ioredis> => Promise.resolve(require("ioredis"));
