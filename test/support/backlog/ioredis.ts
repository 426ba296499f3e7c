import type { Ioredis } from "../../../src/backlog/redis/connection";

/** Loads ioredis as the runtime does: the package's own types are there only where it is installed. */
export const loadRedis = (): Promise<Ioredis> => Promise.resolve(require("ioredis"));
